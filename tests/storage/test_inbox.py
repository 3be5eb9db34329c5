"""The inbox: once, and in order."""

from __future__ import annotations

import random

import pytest

from storage import Store, inbox
from storage.records import InboxRow
from tests.storage.rows import NOON, later


async def test_a_received_update_is_pending_with_its_payload(store: Store) -> None:
    async with store.transaction() as tx:
        assert await inbox.receive_update(tx, "telegram", "7", '{"update_id": 7}', NOON)
        assert await inbox.pending_updates(tx, "telegram") == (
            InboxRow("telegram", "7", '{"update_id": 7}', "pending", 0, NOON),
        )


async def test_an_update_is_received_once_and_the_first_payload_stays(store: Store) -> None:
    async with store.transaction() as tx:
        assert await inbox.receive_update(tx, "telegram", "7", "first", NOON)
        assert not await inbox.receive_update(tx, "telegram", "7", "second", later(1))
        assert [row.payload for row in await inbox.pending_updates(tx, "telegram")] == ["first"]


async def test_two_platforms_may_use_one_id(store: Store) -> None:
    async with store.transaction() as tx:
        assert await inbox.receive_update(tx, "telegram", "7", None, NOON)
        assert await inbox.receive_update(tx, "discord", "7", None, NOON)
        assert await inbox.finish_update(tx, "telegram", "7", NOON)
        assert await inbox.finish_update(tx, "discord", "7", NOON)


async def test_a_pending_update_is_finished_once(store: Store) -> None:
    async with store.transaction() as tx:
        await inbox.receive_update(tx, "telegram", "7", "payload", NOON)
        assert await inbox.finish_update(tx, "telegram", "7", later(1))
        assert not await inbox.finish_update(tx, "telegram", "7", later(2))
        assert await inbox.pending_updates(tx, "telegram") == ()


async def test_an_update_never_seen_is_finished_once(store: Store) -> None:
    async with store.transaction() as tx:
        assert await inbox.finish_update(tx, "discord", "7", NOON)
        assert not await inbox.finish_update(tx, "discord", "7", NOON)
        assert not await inbox.receive_update(tx, "discord", "7", "late", NOON)


async def test_what_was_set_aside_is_neither_finished_nor_received_again(store: Store) -> None:
    async with store.transaction() as tx:
        await inbox.receive_update(tx, "telegram", "7", "poison", NOON)
        assert await inbox.set_update_aside(tx, "telegram", "7", later(1))
        assert not await inbox.finish_update(tx, "telegram", "7", later(2))
        assert not await inbox.receive_update(tx, "telegram", "7", "poison", later(2))
        assert not await inbox.set_update_aside(tx, "telegram", "7", later(3))
        assert await inbox.pending_updates(tx, "telegram") == ()


async def test_what_was_finished_cannot_be_set_aside(store: Store) -> None:
    async with store.transaction() as tx:
        await inbox.finish_update(tx, "telegram", "7", NOON)
        assert not await inbox.set_update_aside(tx, "telegram", "7", later(1))


async def test_pending_updates_come_in_the_order_of_their_arrival(store: Store) -> None:
    names = ["10", "9", "8", "100", "a"]
    async with store.transaction() as tx:
        for name in names:  # all in one millisecond
            await inbox.receive_update(tx, "telegram", name, None, NOON)
        await inbox.receive_update(tx, "discord", "1", None, NOON)
        await inbox.finish_update(tx, "telegram", "8", NOON)
        await inbox.count_failure(tx, "telegram", "10", later(9))  # a retry does not lose its turn
        rows = await inbox.pending_updates(tx, "telegram")
    assert [row.update for row in rows] == ["10", "9", "100", "a"]


async def test_failed_attempts_are_counted(store: Store) -> None:
    async with store.transaction() as tx:
        await inbox.receive_update(tx, "telegram", "7", None, NOON)
        assert [await inbox.count_failure(tx, "telegram", "7", NOON) for _ in range(3)] == [1, 2, 3]
        assert [row.attempts for row in await inbox.pending_updates(tx, "telegram")] == [3]


@pytest.mark.parametrize("settled", [True, False])
async def test_only_a_pending_update_can_fail(store: Store, settled: bool) -> None:
    async with store.transaction() as tx:
        if settled:
            await inbox.finish_update(tx, "discord", "7", NOON)
        assert await inbox.count_failure(tx, "discord", "7", NOON) == 0
        assert await inbox.pending_updates(tx, "discord") == ()


async def test_pruning_forgets_only_what_was_done_before(store: Store) -> None:
    async with store.transaction() as tx:
        for name in ("old", "new", "aside", "pending"):
            await inbox.receive_update(tx, "telegram", name, None, NOON)
        await inbox.finish_update(tx, "telegram", "old", later(1))
        await inbox.finish_update(tx, "telegram", "new", later(3))
        await inbox.set_update_aside(tx, "telegram", "aside", later(1))
        assert await inbox.prune_inbox(tx, later(2)) == 1
        assert not await inbox.finish_update(tx, "telegram", "new", later(9))
        assert not await inbox.finish_update(tx, "telegram", "aside", later(9))
        assert [row.update for row in await inbox.pending_updates(tx, "telegram")] == ["pending"]
        assert await inbox.receive_update(tx, "telegram", "old", None, later(9))


async def test_f3_updates_that_come_one_to_five_times_count_once(store: Store) -> None:
    rng = random.Random(3)
    arrivals = [str(number) for number in range(100) for _ in range(rng.randint(1, 5))]
    rng.shuffle(arrivals)
    counted = 0
    for name in arrivals:
        async with store.transaction() as tx:
            counted += await inbox.finish_update(tx, "discord", name, NOON)
    assert len(arrivals) > 200
    assert counted == 100
