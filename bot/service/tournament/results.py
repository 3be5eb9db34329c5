"""What the end of a table means for its tournament. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.session import play
from bot.session.flag_fall import missing
from bot.session.table import CLOSED, ENDED, Table
from bot.tournament.organizer import points_by_place
from bot.tournament.values import LOSS, WIN, How
from games.core import Seat


@dataclass(frozen=True)
class TableResult:
    """The half *points* of a table by its chairs, *how* they came about, and who did not come."""

    how: How
    points: tuple[int, ...]
    absent: tuple[int, ...] = ()


def table_result(table: Table, before: Table) -> TableResult | None:
    """The result of *table*, which stood as *before*; ``None`` where a person must judge."""
    if table.status == ENDED and table.outcome is not None:
        places = table.outcome.places
        if table.outcome.is_replayed:
            places = (frozenset(range(len(table.players))),)
        points = points_by_place([sorted(place) for place in places], len(table.players))
        return TableResult(How.PLAYED, by_chair(table, points), chairs_of(table, table.absent))
    if table.status == CLOSED and table.closed == play.FORFEIT:
        gone = missing(before)
        points = tuple(LOSS if seat in gone else WIN for seat in range(len(table.players)))
        return TableResult(How.FORFEIT, by_chair(table, points), chairs_of(table, sorted(gone)))
    return None


def by_chair(table: Table, values: Sequence[int]) -> tuple[int, ...]:
    """*values*, which are by seat, by the chairs in which people sat down."""
    found = dict(zip(table.chairs, values, strict=True))
    return tuple(found[chair] for chair in sorted(found))


def chairs_of(table: Table, seats: Sequence[Seat]) -> tuple[int, ...]:
    """The chairs of *seats*."""
    return tuple(table.chairs[seat] for seat in seats)
