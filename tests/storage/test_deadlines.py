"""Deadlines of a game, and how instants are kept: in UTC, to a millisecond, with a zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.exc import IntegrityError, StatementError

from storage import Store
from storage.place import places
from storage.records import DeadlineRow
from storage.table import deadlines
from tests.storage.rows import NOON, add_game, later


async def test_a_deadline_of_a_kind_is_one_and_the_last_set_counts(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        await deadlines.set_deadline(tx, "k7", "clock", 1, later(10))
        await deadlines.set_deadline(tx, "k7", "clock", 2, later(20))
        await deadlines.set_deadline(tx, "k7", "reminder", 2, later(15))
        assert await deadlines.due_deadlines(tx, later(14)) == ()
        assert await deadlines.due_deadlines(tx, later(15)) == (
            DeadlineRow("k7", "reminder", 2, later(15)),
        )
        assert await deadlines.due_deadlines(tx, later(99)) == (
            DeadlineRow("k7", "reminder", 2, later(15)),
            DeadlineRow("k7", "clock", 2, later(20)),
        )


async def test_a_cleared_deadline_never_comes(store: Store) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        await deadlines.set_deadline(tx, "k7", "clock", 1, NOON)
        await deadlines.set_deadline(tx, "k7", "reminder", 1, NOON)
        await deadlines.clear_deadline(tx, "k7", "clock")
        await deadlines.clear_deadline(tx, "k7", "never set")
        assert [row.kind for row in await deadlines.due_deadlines(tx, later(1))] == ["reminder"]


async def test_a_deadline_needs_its_game(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.transaction() as tx:
            await deadlines.set_deadline(tx, "k7", "clock", 1, NOON)


async def test_f12_instants_are_kept_in_utc_whatever_zone_they_were_said_in(store: Store) -> None:
    madrid = timezone(timedelta(hours=2))
    async with store.transaction() as tx:
        await add_game(tx)
        await deadlines.set_deadline(tx, "k7", "clock", 1, datetime(2026, 7, 1, 14, tzinfo=madrid))
        (row,) = await deadlines.due_deadlines(tx, datetime(2026, 7, 1, 12, tzinfo=UTC))
    assert row.at == datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert row.at.tzinfo is UTC


@pytest.mark.parametrize("year", [1970, 2026, 2999])
async def test_instants_are_cut_to_a_millisecond_never_rounded_up(store: Store, year: int) -> None:
    async with store.transaction() as tx:
        await places.put_place(
            tx, "x", "1", retry_at=datetime(year, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
        )
        kept = await places.load_place(tx, "x", "1")
    assert kept.retry_at == datetime(year, 12, 31, 23, 59, 59, 999000, tzinfo=UTC)


async def test_a_datetime_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(StatementError, match="time zone"):
        async with store.transaction() as tx:
            await places.put_place(tx, "x", "1", retry_at=NOON.replace(tzinfo=None))
