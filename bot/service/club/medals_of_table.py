"""Medals as storage keeps them, and those of a table by its seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.session.table import ENDED, Table
from bot.standing.medals import Medal
from storage.club import medals
from storage.records import MedalRow
from storage.store import Transaction


def medals_by_seat(table: Table, rows: Sequence[MedalRow]) -> Mapping[int, tuple[Medal, ...]]:
    """The medals of *rows* by the seats of *table*."""
    found: dict[int, tuple[Medal, ...]] = {}
    for row in rows:
        seat = table.seat_of(row.person)
        if seat is not None:
            found[seat] = (*found.get(seat, ()), Medal(row.key, row.pool))
    return found


async def load_medals(tx: Transaction, table: Table) -> Mapping[int, tuple[Medal, ...]]:
    """What was given at the end of *table*, by seat."""
    if table.status != ENDED:
        return {}
    return medals_by_seat(table, await medals.medals_of(tx, game=table.code))
