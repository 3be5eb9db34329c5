"""What may be seen of a table, by a seat or by everybody: all secrecy is decided here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bot.session.news import HistoryEntry, since
from games.core import Position, Seat

if TYPE_CHECKING:  # a command that shows a position needs no table
    from bot.session.table import Table


@dataclass(frozen=True)
class Glimpse:
    """Something that happened, as one audience may know it: *seat* played *move* in *before*."""

    before: Position[Any]
    seat: Seat
    move: Any
    number: int
    """Its place in the log of the table, from 0."""
    hurried: bool = False
    """Whether a computer found it at a glance."""


@dataclass(frozen=True)
class VisibleTable:
    """What one audience may know of *table*: a *seat*, or everybody for ``None``."""

    table: Table
    seat: Seat | None = None

    @cached_property
    def position(self) -> Position[Any]:
        """The position now; raises ``ValueError`` before the game starts."""
        return self.table.present.seen_by(self.seat)

    def then(self, position: Position[Any]) -> Position[Any]:
        """*position*, an earlier one of the game, as this audience could see it."""
        return position.seen_by(self.seat)

    @property
    def recent(self) -> tuple[Glimpse, ...]:
        """What is news to this audience (``history.since``), as far as it may be known."""
        told = self.table.recent
        return self.last(len(told) - since(told, self.seat, self.table.actors()))

    def last(self, count: int) -> tuple[Glimpse, ...]:
        """The last *count* things that happened, as far as they may be known."""
        told = self.table.recent[len(self.table.recent) - count :]
        first = len(self.table.log) - len(told)
        return tuple(self.glimpses(enumerate(told, first)))

    def glimpses(self, told: Iterable[tuple[int, HistoryEntry]]) -> Iterable[Glimpse]:
        """What of *told*, numbered as in the log, this audience may know."""
        for number, one in told:
            move = one.before.move_seen(one.move, self.seat, one.seat)
            if move is not None:
                yield Glimpse(one.before.seen_by(self.seat), one.seat, move, number, one.hurried)


def hides(table: Table, *seats: Seat) -> bool:
    """Whether any of *seats* sees what not everybody may see."""
    if table.position is None:
        return False
    public = table.position.seen_by(None)
    return any(table.position.seen_by(seat) != public for seat in seats)


def public(position: Position[Any]) -> Position[Any]:
    """*position* as everybody may see it."""
    return position.seen_by(None)
