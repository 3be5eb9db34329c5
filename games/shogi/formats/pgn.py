"""Whole games as pychess.org gives them out: PGN with the letters and squares of chess (H23).

Files are a to i from the left of sente, who is White, and ranks 1 to 9 from below: ``Pg4``,
``Bxh8=H``, ``P@e5``. H and D are the promoted bishop and rook, G is whatever moves as the gold.
"""

from __future__ import annotations

import re

from games.core import Format, Game, Record, phrase
from games.core.errors import reject_if
from games.shogi.board import BoardMove, BoardPlay, Drop, after, has_answer, in_check
from games.shogi.formats.csa import cut
from games.shogi.formats.record_builder import (
    Reader,
    ending,
    finished,
    play_entries,
    stray,
    untranslatable_tags,
    wrong,
)
from games.shogi.formats.usi import take_start
from games.shogi.off_board_acts import Foul
from games.shogi.options import EVEN
from games.shogi.pieces import KINDS, PROMOTED, kind_of
from games.shogi.rules import Shogi
from games.shogi.sfen import sfen, unreadable, usi

_LETTERS = dict(zip(KINDS, "PLNSGBRKGGGGHD", strict=True))
_NAMES = [f"{file}{rank}" for rank in range(9, 0, -1) for file in "abcdefghi"]
_TAG = re.compile(r'\[([A-Za-z0-9_]{1,32}) "([^"]*)"\]')
_WORD = re.compile(r"\{[^{}]*\}|[^\s{}]+|[{}]")
_FEN = re.compile(r"([^\s\[]+)(?:\[([A-Za-z]*)-?\])? ([wb]) (?:\S+ )*(\d{1,4})")
_SEATS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}
_KEPT = {"White": "Player0", "Black": "Player1", "Event": "Event", "Site": "Site", "Date": "Date"}


def parts(text: str) -> tuple[str, ...]:
    """The games of a file; each keeps the numbers of its lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    begins = [n for n, line in enumerate(lines) if line.startswith("[Event ")][1:]
    return cut(lines, zip([0, *begins], [*begins, len(lines)], strict=True)) or (text,)


def _read(reader: Reader) -> None:
    reader.text, head = parts(reader.text)[0], dict[str, str]()
    for number, line in reader.lines():
        if (found := _TAG.fullmatch(line.strip())) and reader.position is None:
            if found[1] in head:
                raise stray(number, line)
            head[found[1]] = found[2]
            continue
        for word in _WORD.findall(line):
            noted = word.startswith("{") and len(word) > 1
            if not (noted and reader.take_note(number, word[1:-1])):
                position = _begin(reader, head)
                if noted:
                    reader.comment(word[1:-1].strip())
                elif word != "*":
                    _take(reader, position, word, head.get("Result", ""))
    _begin(reader, head)
    reader.done()


def _begin(reader: Reader, head: dict[str, str]) -> Shogi:
    """The position in which the next move is played; the first is that of the head."""
    if reader.position is None:
        fen = _FEN.fullmatch(head.get("FEN", f"{EVEN} w 1"))
        if head.get("Variant") != "Shogi" or not fen:
            raise unreadable("pgn")
        rows, held, turn, number = fen.groups()
        hand = re.sub(r"(.)\1+", lambda same: f"{len(same[0])}{same[1]}", held or "-")
        ply = reader.ply if reader.noted else max(1, 2 * int(number) - 1)
        take_start(reader, f"{rows} {'bw'[turn == 'b']} {hand} {ply}")
        kept = {own: head[key][:64] for key, own in _KEPT.items() if head.get(key)}
        reader.tags = {**kept, **reader.tags}
    return reader.begin()


def _take(reader: Reader, position: Shogi, word: str, result: str) -> None:
    """Read the number of a move, a move, or the end, which must be the *result* of the head."""
    count, outcome = len(reader.trail), position.outcome()
    if found := re.fullmatch(r"(\d{1,4})\.+", word):
        if int(found[1]) != count // 2 + 1:
            raise wrong(*reader.at, phrase("shogi.unreadable.gap", n=count + 1))
    elif word in _SEATS:
        reader.bear_no_foul()
        winner = _SEATS[word]
        if reader.closed or result != word or (outcome and outcome.winner != winner):
            raise stray(reader.at[0], word)
        reader.end("agreement" if winner is None else "resign", winner)
    else:
        bare = word.rstrip("+#")
        near = [play for play in position.possible if _NAMES[play.target] in word]
        fits = [play for play in near if san(position, play).rstrip("+#") == bare]
        reader.play(reader.at[0], usi(fits[0]) if fits else word)


def write(game: Game, record: Record) -> str:
    """*record* as PGN, with our remarks; raises ``Unreadable`` where it ended by a foul."""
    first, played = game.beginning(record), list[str]()
    for position, move in play_entries(game, record):
        reject_if(isinstance(move, Foul), "shogi.unreadable.no-foul")
        if isinstance(move, BoardMove | Drop):
            number = "" if len(played) % 2 else f"{len(played) // 2 + 1}. "
            played.append(number + san(position, move))
    noted = [f"{{{said}}}" for said in untranslatable_tags(game, record)]
    reason, winner = ending(record, finished(game, record))
    told = next((key for key, seat in _SEATS.items() if reason and seat == winner), "*")
    rows, turn, held, ply = sfen(first.board, first.ply).split()
    hand = re.sub(r"(\d+)(.)", lambda many: many[2] * int(many[1]), held)
    fen = f"{rows}[{hand}] {'wb'[turn == 'w']} 0 {(int(ply) + 1) // 2}"
    tags = {key: record.tags.get(own, "").replace('"', "”") for key, own in _KEPT.items()}
    tags |= {"Result": told, "Variant": "Shogi", "FEN": fen, "SetUp": "1"}
    head = (f'[{key} "{value}"]' for key, value in tags.items())
    return "\n".join([*head, "", *noted, " ".join([*played, told]), ""])


def san(position: Shogi, play: BoardPlay) -> str:
    """*play* as pychess writes it, with what tells it from moves of other such pieces."""
    board, name, following = position.board, _NAMES[play.target], after(position.board, play)
    mark = "" if not in_check(following, 1 - position.turn) else "+#"[not has_answer(following)]
    if isinstance(play, Drop):
        return f"{_LETTERS[play.kind]}@{name}{mark}"
    kind, own, found = kind_of(board[play.start]), _NAMES[play.start], position.possible
    reaching = (one for one in found if isinstance(one, BoardMove) and one.target == play.target)
    letters = {_NAMES[one.start]: _LETTERS[kind_of(board[one.start])] for one in reaching}
    others = [one for one in letters if one != own and letters[one] == _LETTERS[kind]]
    by_file, by_rank = (all(own[n] != other[n] for other in others) for n in (0, 1))
    start = "" if not others else own[0] if by_file else own[1] if by_rank else own
    taken = "x" if board[play.target] else ""
    sign = f"={_LETTERS[kind + PROMOTED]}" if play.promotes else ""
    return f"{_LETTERS[kind]}{start}{taken}{name}{sign}{mark}"


_OWN = r'\[(?:White|Black|Variant|FEN|SetUp)(?:Elo)? "|1\. [PLNSGBRK][a-i1-9x]{0,3}[a-i]\d'

PGN = Format("pgn", ".pgn", write, Reader.reading(_read), _OWN, parts)
