"""Outages: they begin once, end once, follow a place that moves, and are forgotten."""

from __future__ import annotations

from datetime import timedelta

from storage import Store
from storage.club.place_id_change import move_rows
from storage.place import outages
from storage.records import OutageRow
from tests.storage.rows import NOON

LATER = NOON + timedelta(hours=1)


async def test_an_outage_that_lasts_begins_no_second_time(store: Store) -> None:
    async with store.transaction() as tx:
        await outages.begin_outage(tx, "telegram", "", NOON)
        await outages.begin_outage(tx, "telegram", "", LATER)
        await outages.begin_outage(tx, "telegram", "-100", LATER)
    assert await store.read(outages.all_outages) == (
        OutageRow("telegram", "", NOON, None),
        OutageRow("telegram", "-100", LATER, None),
    )


async def test_only_the_outage_of_the_place_itself_ends_and_another_may_follow(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        await outages.begin_outage(tx, "telegram", "-100", NOON)
        await outages.begin_outage(tx, "telegram", "-200", NOON)
        await outages.end_outage(tx, "telegram", "-100", LATER)
        await outages.end_outage(tx, "telegram", "-100", LATER + timedelta(hours=1))
        await outages.begin_outage(tx, "telegram", "-100", LATER)
    assert await store.read(outages.all_outages) == (
        OutageRow("telegram", "-100", NOON, LATER),
        OutageRow("telegram", "-200", NOON, None),
        OutageRow("telegram", "-100", LATER, None),
    )


async def test_what_a_kill_has_unwritten_is_no_outage(store: Store) -> None:
    async with store.transaction() as tx:
        await outages.begin_outage(tx, "discord", "", NOON)
        await outages.end_outage(tx, "discord", "", LATER)
        await outages.begin_outage(tx, "discord", "1", LATER)
        await outages.cut_outages(tx, NOON + timedelta(minutes=1))
    (only,) = await store.read(outages.all_outages)
    assert only == OutageRow("discord", "", NOON, NOON + timedelta(minutes=1))


async def test_outages_follow_a_place_that_gets_another_id(store: Store) -> None:
    async with store.transaction() as tx:
        await outages.begin_outage(tx, "telegram", "-1", NOON)
        await move_rows(tx, "telegram", "-1", "-1001")
    (only,) = await store.read(outages.all_outages)
    assert only.place == "-1001"


async def test_outages_are_forgotten_once_they_are_long_over(store: Store) -> None:
    async with store.transaction() as tx:
        await outages.begin_outage(tx, "telegram", "-1", NOON)
        await outages.end_outage(tx, "telegram", "-1", LATER)
        await outages.begin_outage(tx, "telegram", "-2", NOON)
        await outages.prune_outages(tx, LATER)
        assert len(await outages.all_outages(tx)) == 2
        await outages.prune_outages(tx, LATER + timedelta(seconds=1))
    (only,) = await store.read(outages.all_outages)
    assert only.place == "-2"
