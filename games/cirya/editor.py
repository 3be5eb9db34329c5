"""Cirya set up by hand: pieces are put on top of what lies on a sat."""

from __future__ import annotations

from collections.abc import Mapping

from games.cirya.board import SWAN
from games.cirya.move_types import Kind
from games.cirya.notation import Cell, cell_of, laid, read
from games.cirya.rules import Cirya, Customs, fresh
from games.cirya.speech import SIDES
from games.core import TAKES, Editor, EditorPiece, phrase


def begin(options: Mapping[str, str]) -> Cirya:
    """The empty board."""
    customs = Customs.agreed(options)
    return fresh(customs, customs.bare(), 0)


def bare(position: Cirya) -> Cirya:
    """The empty board, with the swan to move."""
    return fresh(position.customs, position.customs.bare()._replace(mover=SWAN), 0)


def turned(position: Cirya) -> Cirya:
    """The other moves next."""
    return _with_cells(position, _cells(position), 1 - position.board.mover)


def pieces(_position: Cirya) -> tuple[EditorPiece, ...]:
    """Each kind of both sides."""
    return tuple(
        EditorPiece(f"{side}{kind}", phrase(f"cirya.kind.{kind.name.lower()}"), side)
        for side in SIDES
        for kind in Kind
    )


def put(position: Cirya, key: str, place: str) -> Cirya:
    """The piece *key* on what lies on the sat *place*, or in place of an upright one there."""
    names, cells = position.board.shape.names, _cells(position)
    if place not in names:
        return position
    sat = names.index(place)
    lying, upright = cells[sat]
    if key == TAKES:
        cells[sat] = lying[:-1], ""
    elif key in {one.key for one in pieces(position)}:
        seat, kind = SIDES.index(key[:-1]), Kind(key[-1])
        under = lying[:-1] if upright else lying
        cells[sat] = f"{under}{seat + 1}", "" if kind is Kind.CIRYA else str(kind)
    return _with_cells(position, cells, position.board.mover)


def _cells(position: Cirya) -> list[Cell]:
    return [cell_of(position.board, sat) for sat in range(position.board.shape.count)]


def _with_cells(position: Cirya, cells: list[Cell], mover: int) -> Cirya:
    # C5: the first ply of each lays a piece of the other; a board with more on it is past that.
    round_ = max(position.ply // 2, 1 if sum(bool(lying) for lying, _ in cells) > 1 else 0)
    return fresh(position.customs, laid(position.customs, mover, cells), 2 * round_ + mover)


EDITOR: Editor[Cirya] = Editor(
    begin, read, bare, turned, pieces, put, mover=lambda position: SIDES[position.board.mover]
)
