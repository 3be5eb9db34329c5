"""Two processes on one PostgreSQL that end games of the same people at the same instant."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.facade import Thinkers, open_facade
from bot.service.club.rating_check import RatingCheck
from storage.club import ratings
from storage.store import Store
from tests import postgres
from tests.fakes import Desk, FakeChat
from tests.standing.simulated import Hall

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)

ROUNDS = 4


@asynccontextmanager
async def house(url: str, platform: str) -> AsyncIterator[Desk]:
    """A process of the cluster, with a chat of its own."""
    store = await Store.open(url, shared=True)
    facade = await open_facade(store, Thinkers(seconds=0.5), "es")
    chat = FakeChat(platform=platform)
    await facade.start([chat])
    try:
        yield Desk(facade, chat)
    finally:
        await facade.stop()


@pytest.mark.slow
async def test_nobody_waits_for_another_and_each_game_counts_once(tmp_path: Path):
    url = postgres.database(str(tmp_path))
    rng = random.Random(3)
    async with house(url, "fake") as first, house(url, "other") as second:
        halls = [Hall(first), Hall(second)]
        people = [one.id for one in await halls[0].invite(4)]
        halls[1].people, halls[1].codes = halls[0].people, halls[0].codes
        for _ in range(ROUNDS):
            tables = []
            for hall in (*halls, *halls):
                persons = rng.sample(people, 4)  # the same four in any order
                table = await hall.seat("parchis", persons)
                await hall.open(table)
                tables.append((hall, table, persons))
            ends = (hall.end(table, [[p] for p in ps]) for hall, table, ps in tables)
            async with asyncio.timeout(30):
                await asyncio.gather(*ends)
        async with first.facade.services.store.reading() as tx:
            assert await RatingCheck().run(tx) == []
            rows = [row for row in await ratings.journal(tx) if row.kind == "game"]
    counted = [row.game for row in rows]
    assert len(counted) == len(set(counted)) > 0
