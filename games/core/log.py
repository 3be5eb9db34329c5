"""The log of a game: its start and a list of written moves is all there is to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from games.core.position import CHANCE, Position, Seat
from games.core.reading import read_aside, read_move

AnyPosition = TypeVar("AnyPosition", bound=Position[Any])


@dataclass(frozen=True)
class Entry:
    """One line of the log: who moved, and the move as written.

    *aside* marks what was said out of turn; *draw* is the number of the draw for a line of
    ``CHANCE``.
    """

    seat: Seat
    text: str
    aside: bool = False
    draw: int | None = None


def read_entry(position: Position[Any], entry: Entry) -> Any:
    """The move that *entry* writes: by its notation, else by any spelling.

    Raises a ``RuleError`` where the position does not allow it.
    """
    if entry.aside:
        return read_aside(position, entry.seat, entry.text)
    if entry.seat in position.actors():
        for move in position.legal_moves(entry.seat):
            if position.notation(move) == entry.text:
                return move
        cost = position.penalty(entry.seat, entry.text)
        if cost is not None and position.notation(cost) == entry.text:
            return cost
    return read_move(position, entry.seat, entry.text)


def replay(start: AnyPosition, log: Iterable[Entry]) -> AnyPosition:
    """Rebuild the position that *log* leads to; raises a ``RuleError`` at the first bad line."""
    position = start
    for entry in log:
        position = position.after(read_entry(position, entry))
    return position


def settle(
    position: AnyPosition, draw: Callable[[int], tuple[int, int]]
) -> tuple[AnyPosition, tuple[Entry, ...]]:
    """Let chance play until a player must act, and say what it played.

    ``draw(cases)`` answers the number of the draw and the case, 0 … cases-1, which indexes
    ``legal_moves(CHANCE)``.
    """
    entries: list[Entry] = []
    while CHANCE in position.actors():
        moves = position.legal_moves(CHANCE)
        number, case = draw(len(moves))
        entries.append(Entry(CHANCE, position.notation(moves[case]), draw=number))
        position = position.after(moves[case])
    return position, tuple(entries)
