"""What has happened at a table of late, and to which player it is news. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.core import CHANCE, Position, Seat

KEPT: Final = 160
"""How many of the last things are kept at most, for seats that have long had no choice."""


@dataclass(frozen=True)
class HistoryEntry:
    """Something that happened: *move* was played by *seat* (or ``CHANCE``) in *before*.

    *chosen* says that the player had a choice: neither forced nor said out of turn; *hurried* of
    a computer's move that it was found at a glance.
    """

    before: Position[Any]
    seat: Seat
    move: Any
    chosen: bool = False
    hurried: bool = False


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
    near = tuple(told[-KEPT:])
    return near[min(newest_turn(near), *(news(near, seat) for seat in seats)) :]
