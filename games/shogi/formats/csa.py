"""Whole games in the format of the Computer Shogi Association, V2.2 (H23).

http://www2.computer-shogi.org/protocol/record_v22.html, 2008.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.core import Format, Game, Record, phrase
from games.core.annotations import annotations_of
from games.core.errors import reject_if
from games.core.record import spent_of
from games.shogi.board import HANDS, SQUARES, TURN, Board, BoardMove, BoardPlay, Drop
from games.shogi.formats.record_builder import (
    Fate,
    Reader,
    ending,
    finished,
    play_entries,
    stray,
    untranslatable_tags,
    wrong,
)
from games.shogi.formats.usi import take_start
from games.shogi.options import HANDICAPS
from games.shogi.piece_and_move_names import CSA_CODES
from games.shogi.pieces import COMPLEMENT, IN_HAND, PROMOTED, Square, kind_of, owner_of, piece_of
from games.shogi.rules import Shogi
from games.shogi.sfen import kind_name, read_sfen, sfen, unreadable

_KINDS = {code: kind for kind, code in CSA_CODES.items()}

# What a special line says of the side that would move next.
_ENDS: dict[str, tuple[str, Fate]] = {
    "%TORYO": ("resign", Fate.LOSES),
    "%CHUDAN": ("", Fate.NOBODY),
    "%SENNICHITE": ("sennichite", Fate.NOBODY),
    "%TIME_UP": ("time", Fate.LOSES),
    "%ILLEGAL_MOVE": ("illegal", Fate.LOSES),
    "%JISHOGI": ("jishogi", Fate.NOBODY),
    "%KACHI": ("declared", Fate.WINS),
    "%HIKIWAKE": ("agreement", Fate.NOBODY),
    "%TSUMI": ("mate", Fate.LOSES),
    "%FUZUMI": ("", Fate.NOBODY),
}
_SAID = {
    "resign": "%TORYO",
    "time": "%TIME_UP",
    "sennichite": "%SENNICHITE",
    "jishogi": "%JISHOGI",
    "declared": "%KACHI",
    "agreement": "%HIKIWAKE",
    "mate": "%TSUMI",
}
_CELL = re.compile(r"([+-][A-Z]{2}|[ ]?\*[ ]?)")
_PLACED = re.compile(r"([0-9]{2})([A-Z]{2})")
_MOVE = re.compile(r"[+-]?[0-9]{4}[A-Z]{2}")
_REMARK = re.compile(r",\s*'")
"""Begins what somebody or a program adds to short statements: ``%KACHI,'* -5000 win``."""
_SOURCE = {"$START_TIME": "Date", "$EVENT": "Event", "$SITE": "Site"}
_LATE = ("$END_TIME", "$TIME_USED")
"""Statements that may stand behind the moves."""
_TIME = re.compile(r"T([0-9]{0,9})[0-9.]{0,8}")


@dataclass
class Head:
    """The first position as it is read: ``PI``, ``P1`` to ``P9``, ``P+`` and ``P-``, the turn."""

    board: bytearray = field(default_factory=lambda: bytearray(SQUARES + 16))
    told: bool = False
    turn: int = 0
    ranks: set[int] = field(default_factory=set)

    def take(self, line: str) -> None:
        """Read a line that begins with P."""
        self.told = True
        if line.startswith("PI"):
            even, _ = read_sfen(HANDICAPS["none"])
            self.board[:SQUARES] = even[:SQUARES]
            for where, _ in _pairs(line[2:]):
                self.board[_square(where)] = 0
        elif re.match("P[1-9]", line):
            self._rank(int(line[1]) - 1, line[2:])
            self.ranks.add(int(line[1]))
        else:
            seat = "+-".find(line[1:2])
            reject_if(seat < 0, "shogi.unreadable.csa", text=line[:40])
            for where, code in _pairs(line[2:]):
                self._place(seat, where, code)

    def _rank(self, rank: int, text: str) -> None:
        cells = _CELL.findall(text)
        if len(cells) != 9 or any(cell[1:] not in _KINDS for cell in cells if cell[0] in "+-"):
            raise unreadable("csa", text=text[:40])
        for column, cell in enumerate(cells):
            piece = piece_of(_KINDS[cell[1:]], "+-".index(cell[0])) if cell[0] in "+-" else 0
            self.board[rank * 9 + column] = piece

    def _place(self, seat: int, where: str, code: str) -> None:
        if code == "AL" and where == "00":
            self._take_rest(seat)
        elif code not in _KINDS:
            raise unreadable("csa", text=where + code)
        elif where == "00":
            kind = _KINDS[code]
            reject_if(kind not in IN_HAND, "shogi.unreadable.csa", text=where + code)
            piece, most, held = kind_name(kind), COMPLEMENT[kind], HANDS[seat] + kind
            reject_if(self.board[held] >= most, "shogi.unreadable.too-many", piece=piece, n=most)
            self.board[held] += 1
        else:
            self.board[_square(where)] = piece_of(_KINDS[code], seat)

    def _take_rest(self, seat: int) -> None:
        """``00AL``: all the pieces of the set that stand nowhere else."""
        for kind in IN_HAND:
            there = sum(kind_of(piece) & 7 == kind & 7 for piece in self.board[:SQUARES] if piece)
            there += sum(self.board[hand + kind] for hand in HANDS)
            self.board[HANDS[seat] + kind] += max(0, COMPLEMENT[kind] - there)

    def close(self, reader: Reader) -> None:
        """The moves begin: let the record start from this position."""
        reject_if(len(self.ranks) not in (0, 9), "shogi.unreadable.csa", text=reader.at[1][:40])
        if reader.position is None and self.told:
            self.board[TURN] = self.turn
            take_start(reader, sfen(bytes(self.board), reader.ply))
        reader.begin()


def _pairs(text: str) -> list[tuple[str, str]]:
    found = _PLACED.findall(text)
    if "".join(where + code for where, code in found) != text.strip():
        raise unreadable("csa", text=text[:40])
    return found


def _square(where: str) -> Square:
    reject_if("0" in where, "shogi.unreadable.csa", text=where)
    return (int(where[1]) - 1) * 9 + 9 - int(where[0])


def parts(text: str) -> tuple[str, ...]:
    """The games of a file; each keeps the numbers of its lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ends = [n for n, line in enumerate(lines) if line.strip() == "/"]
    return cut(lines, zip([0, *(n + 1 for n in ends)], [*ends, len(lines)], strict=True)) or (text,)


def cut(lines: Sequence[str], bounds: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """The texts within *bounds* that are not empty, each with the numbers of its lines."""
    found = ("\n" * begin + "\n".join(lines[begin:end]) for begin, end in bounds)
    return tuple(filter(str.strip, found))


def _read(reader: Reader) -> None:
    reader.text, head, known = parts(reader.text)[0], Head(), False
    for number, line in reader.lines():
        if line.startswith("'"):
            if not reader.take_note(number, line[1:]):
                reader.comment(line[1:].removeprefix("*"))
            continue
        # Short statements may share a line; names and the like may hold commas.
        words = [line] if line.startswith(("N", "$", "P")) else _REMARK.split(line)[0].split(",")
        for word in filter(str.strip, words):
            if not _take(reader, head, number, word.strip() if word[:1] != "P" else word):
                raise stray(number, word)
            known = True
    reject_if(not known, "shogi.unreadable.csa", text=reader.text.strip()[:40])
    head.close(reader)
    reader.done()


def _take(reader: Reader, head: Head, number: int, word: str) -> bool:
    """Read one statement; whether it is one of CSA and may stand here."""
    key, _, value = word.partition(":")
    if _MOVE.fullmatch(word):
        head.close(reader)
        reader.bear_no_foul()
        if word[0] in "+-" and "+-".index(word[0]) != reader.begin().turn and not reader.closed:
            raise wrong(number, word, phrase("shogi.unreadable.not-their-turn"))
        reader.play(number, word)
    elif word.startswith("%"):
        head.close(reader)
        return _end(reader, number, word)
    elif found := _TIME.fullmatch(word):
        reader.took(int(found[1] or 0))
    elif key in _LATE:
        pass
    elif reader.position is not None:
        return False
    elif word in ("+", "-"):
        head.turn = "+-".index(word)
    elif word[:2] in ("N+", "N-"):
        reader.name("+-".index(word[1]), word[2:])
    elif word.startswith("P"):
        head.take(word)
    elif key in _SOURCE:
        reader.tags[_SOURCE[key]] = value[:64]
    else:
        return word.startswith(("V", "$"))
    return True


def _end(reader: Reader, number: int, word: str) -> bool:
    if reader.closed:
        raise wrong(number, word, phrase("shogi.unreadable.over"))
    if word in ("%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION"):
        reader.end("illegal", 1 - "+-".index(word[1]))
    elif word in _ENDS:
        reader.end_as(*_ENDS[word])
    return word in _ENDS or word.endswith("ILLEGAL_ACTION")


def write(game: Game, record: Record) -> str:
    """*record* as a CSA file; what is said beside the moves stands in our remarks."""
    lines = ["V2.2"]
    lines += [f"N{'+-'[seat]}{record.tags.get(f'Player{seat}', '')}" for seat in (0, 1)]
    lines += [f"{key}:{record.tags[tag]}" for key, tag in _SOURCE.items() if tag in record.tags]
    lines += [f"'{remark}" for remark in untranslatable_tags(game, record)]
    comments = annotations_of(record)
    lines += [*_position(game.beginning(record).board), *_comment(comments.get((0, 0)))]
    played = zip(play_entries(game, record), spent_of(record), strict=True)
    for entry, ((before, move), spent) in enumerate(played, 1):
        if isinstance(move, BoardMove | Drop):
            lines.append(code(before, move))
            lines += [] if spent is None else [f"T{spent // 1000}"]
        lines += _comment(comments.get((0, entry)))
    last = finished(game, record)
    reason, winner = ending(record, last)
    said = _SAID.get(reason) or _SAID.get(reason.split("-")[0], "")
    if not said and last.outcome() is None:
        said = "%CHUDAN"
    if winner is not None and reason in ("illegal", "perpetual", "misdeclared"):
        said = f"%{'+-'[1 - winner]}ILLEGAL_ACTION"
    return "\n".join([*lines, *([said] if said else []), ""])


def _comment(text: str | None) -> list[str]:
    return [f"'*{line}" for line in text.split("\n")] if text else []


def code(position: Shogi, play: BoardPlay) -> str:
    """*play* as CSA writes it, with the piece as it stands then: ``+7776FU``, ``-0055KA``."""
    sign, target = "+-"[position.turn], _digits(play.target)
    if isinstance(play, Drop):
        return f"{sign}00{target}{CSA_CODES[play.kind]}"
    kind = kind_of(position.board[play.start]) + (PROMOTED if play.promotes else 0)
    return f"{sign}{_digits(play.start)}{target}{CSA_CODES[kind]}"


def _digits(square: Square) -> str:
    return f"{9 - square % 9}{square // 9 + 1}"


def _position(board: Board) -> list[str]:
    ranks = ("".join(map(_cell, board[first : first + 9])) for first in range(0, SQUARES, 9))
    lines = [f"P{number}{cells}" for number, cells in enumerate(ranks, 1)]
    for seat in (0, 1):
        held = [f"00{CSA_CODES[kind]}" * board[HANDS[seat] + kind] for kind in IN_HAND]
        if any(held):
            lines.append(f"P{'+-'[seat]}{''.join(held)}")
    return [*lines, "+-"[board[TURN]]]


def _cell(piece: int) -> str:
    return "+-"[owner_of(piece)] + CSA_CODES[kind_of(piece)] if piece else " * "


_OWN = r"V[23]|P[I1-9+-]|N[+-]|[+-](?:$|,)|[+-]?\d{4}[A-Z]{2}|%[+-]?[A-Z_]|\$[A-Z_]+:|T\d|'|/$"

CSA = Format("csa", ".csa", write, Reader.reading(_read), _OWN, parts)
