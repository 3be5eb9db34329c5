"""What may be seen of a table, by a seat or by everybody, and what of it is news to them.

All secrecy is decided here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from games.core import CHANCE, Position, Seat

if TYPE_CHECKING:  # a command that shows a position needs no table
    from bot.session.table import HistoryEntry, Table

KEPT_GLIMPSES: Final = 160
"""How many of the last things are kept at most, for seats that have long had no choice."""


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
        """What is news to this audience (``since``), as far as it may be known."""
        told = self.table.recent
        return self.last(len(told) - since(told, self.seat, self.table.actors()))

    def last(self, count: int) -> tuple[Glimpse, ...]:
        """The last *count* things that happened, or all still kept, as far as they may be known."""
        told = self.table.recent[max(0, len(self.table.recent) - count) :]
        return tuple(self.glimpses(enumerate(told, len(self.table.log) - len(told))))

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


def acts_unseen(table: Table, person: int) -> bool:
    """Whether *person* is to act at *table* and sees there what not everybody may see."""
    seat = table.seat_of(person)
    return seat is not None and seat in table.actors() and hides(table, seat)


def public(position: Position[Any]) -> Position[Any]:
    """*position* as everybody may see it."""
    return position.seen_by(None)


def news(told: Sequence[HistoryEntry], seat: Seat) -> int:
    """The index in *told* from which on it is news to *seat*: what others did after its last turn.

    A turn is what one seat chooses before another does anything; the one it is in the middle
    of does not count.
    """
    first = None
    for index in range(len(told) - 1, -1, -1):
        one = told[index]
        if one.seat not in (seat, CHANCE):
            first = index
        elif one.seat == seat and one.chosen and first is not None:
            return first
    return 0


def newest_turn(told: Sequence[HistoryEntry]) -> int:
    """The index at which the newest turn in *told* begins, forced ones counted."""
    movers = [index for index, one in enumerate(told) if one.seat != CHANCE]
    if not movers:
        return 0
    start = movers[-1]
    for index in reversed(movers):
        if told[index].seat != told[start].seat:
            break
        start = index
    return start


def since(told: Sequence[HistoryEntry], seat: Seat | None, actors: Collection[Seat]) -> int:
    """The index in *told* from which on it is told to *seat*, or to everybody for ``None``.

    The players to move are told what is news to them; others the same, or their own move.
    """
    if seat is not None and seat in actors:
        return news(told, seat)
    start = newest_turn(told)
    if actors and (seat is None or not told[start:] or told[start].seat != seat):
        start = min(news(told, actor) for actor in actors)
        return start if seat is None else max(start, news(told, seat))
    return start


def still_news(told: Sequence[HistoryEntry], seats: Collection[Seat]) -> tuple[HistoryEntry, ...]:
    """What of *told* is still news to any of *seats*, the newest turn in any case."""
    near = tuple(told[-KEPT_GLIMPSES:])
    return near[min(newest_turn(near), *(news(near, seat) for seat in seats)) :]
