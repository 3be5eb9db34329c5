"""How Cubo is written.

A move is its cell, ``b32``; a position is the stones of the four floors, each row by row from a1,
whose turn it is, and ``fall`` where stones fall: ``x.../..../… 1 fall``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core import Notation, Unreadable, phrase
from ludoteca_cubo.board import CELLS, NAMES, SIDE
from ludoteca_cubo.rules import EMPTY, MARKS, Cube

FALL = "fall"


def written(position: Cube, move: int) -> str:
    """The cell of *move*, as players write it and as storage keeps it."""
    del position
    return NAMES[move]


def spellings(position: Cube, move: int) -> Sequence[str]:
    """The other ways to type *move*: with the floor apart, and where stones fall without it."""
    name = NAMES[move]
    return (f"{name[:2]}-{name[2]}", *((name[:2],) if position.fall else ()))


def text(position: Cube) -> str:
    """The position as text, which ``read`` reads again."""
    rows = [position.stones[n : n + SIDE] for n in range(0, len(CELLS), SIDE)]
    return " ".join(["/".join(rows), str(position.turn), *([FALL] if position.fall else [])])


def read(typed: str, options: Mapping[str, str]) -> Cube:
    """The position that *typed* writes; raises ``Unreadable``."""
    del options
    stones, turn, *fall = *typed.split(), "", ""
    cells = stones.replace("/", "")
    formed = len(cells) == len(CELLS) and set(cells) <= {EMPTY, *MARKS} and turn in ("0", "1")
    if not formed or " ".join(fall).strip() not in ("", FALL):
        raise Unreadable(phrase("cubo.text", text=typed[:40]))
    read_cube = Cube(cells, int(turn), FALL in fall)
    if not all(read_cube.is_borne(cell) for cell in CELLS if cells[cell] != EMPTY):
        raise Unreadable(phrase("cubo.hovers", text=typed[:40]))
    return read_cube


NOTATION: Notation[Cube, int] = Notation(written, text, read=read, spellings=spellings)
