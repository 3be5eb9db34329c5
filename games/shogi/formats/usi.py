"""Whole games as engines write them: ``position startpos moves 7g7f …`` (H23)."""

from __future__ import annotations

from games.core import Format, Game, Record
from games.core.errors import reject_if
from games.shogi.board import BoardMove, Drop
from games.shogi.formats.record_builder import Fate, Reader, play_entries, stray
from games.shogi.off_board_acts import Foul
from games.shogi.options import EVEN, HANDICAPS
from games.shogi.pieces import GOTE
from games.shogi.sfen import read_sfen, sfen, unreadable, usi

_ENDS = {"resign": ("resign", Fate.LOSES), "win": ("declared", Fate.WINS)}
"""What engines say instead of a move, and what it is for the side that would move."""


def write(game: Game, record: Record) -> str:
    """*record* in one line, without asides; raises ``Unreadable`` where it ended by a foul."""
    first = game.beginning(record)
    moves = []
    for _, move in play_entries(game, record):
        reject_if(isinstance(move, Foul), "shogi.unreadable.no-foul")
        if isinstance(move, BoardMove | Drop):
            moves.append(usi(move))
    text = sfen(first.board, first.ply)
    start = "startpos" if text == f"{EVEN} b - 1" else f"sfen {text}"
    return " ".join(["position", start, *(["moves", *moves] if moves else [])]) + "\n"


def _read(reader: Reader) -> None:
    """A bare list of moves starts from the first position; a bare SFEN has not gone on yet."""
    words = [(number, word) for number, line in reader.lines() for word in line.split()]
    head: list[str] = []
    while words and words[0][1] in ("position", "startpos", "sfen"):
        head.append(words.pop(0)[1])
    reader.at = words[0] if words else reader.at
    if "sfen" in head or (words and words[0][1].count("/") == 8):
        four = [word for _, word in words[:4] if word != "moves"]
        take_start(reader, " ".join(four))
        words = words[len(four) :]
    elif not head and not any(_is_move(word) for _, word in words[:1]):
        raise unreadable("usi")
    moves = words[1:] if [word for _, word in words[:1]] == ["moves"] else words
    for number, word in moves:
        if word in _ENDS:
            reader.end_as(*_ENDS[word])
        elif _is_move(word):
            reader.play(number, word)
        else:
            raise stray(number, word)
    reader.done()


def take_start(reader: Reader, text: str) -> None:
    """Let the record of *reader* start from the SFEN *text*: a handicap, if it is one."""
    board, ply = read_sfen(text)
    again = sfen(board, ply)
    for handicap, rows in HANDICAPS.items():
        for turn in "bw" if handicap == "none" else "w":
            if again == f"{rows} {turn} - 1":
                if handicap != "none":
                    reader.options["handicap"] = handicap
                elif turn == "w":
                    reader.first = GOTE
                return
    reader.tags["Position"] = again


def _is_move(word: str) -> bool:
    return 4 <= len(word) <= 5 and (word[1] == "*" or word[0].isdigit())


_SFEN = r"(?:\+?[A-Za-z]|\d)+(?:/(?:\+?[A-Za-z]|\d)+){8}(?:\s|$)"
_OWN = rf"(?:position\s|startpos|sfen\s|{_SFEN}|(?:[1-9][a-i]|[PLNSGBR]\*)[1-9][a-i]\+?(?:\s|$))"

USI = Format("usi", ".usi", write, Reader.reading(_read), _OWN)
