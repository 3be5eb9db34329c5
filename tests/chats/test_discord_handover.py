"""The shards of Discord go from one process to another, and no press is lost by it.

Two sessions of a shard may live at a time
(https://discord.com/developers/docs/events/gateway#sharding), so one process takes presses until
the next one has a session.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.chats.discord import DiscordChat, client
from bot.facade import Facade, open_facade
from bot.service.computers.pool import Thinkers
from storage.database import server_process_cluster as server_cluster
from storage.store import Store
from tests import postgres
from tests.chats.discord_table import Table, fake_fixture  # noqa: F401
from tests.chats.fake_discord import TOKEN, FakeDiscord
from tests.chats.fleets import until

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)


@pytest.fixture(name="address")
def address_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty database, whose processes look around often."""
    monkeypatch.setattr(server_cluster, "BEAT", 0.1)
    monkeypatch.setattr(server_cluster, "GIVEN", 1.0)
    monkeypatch.setattr(client, "SPACED", 0.0)
    return postgres.database(str(tmp_path))


@asynccontextmanager
async def process(address: str) -> AsyncIterator[Facade]:
    """A process with its share of the two shards of Discord."""
    store = await Store.open(address, shared=True)
    facade = await open_facade(store, Thinkers(seconds=0.5), "es")
    await facade.start([DiscordChat(facade, TOKEN, 2)])
    try:
        yield facade
    finally:
        await facade.stop()


def shares(facade: Facade) -> set[str]:
    chat = facade.chats["discord"]
    assert isinstance(chat, DiscordChat)
    return set(chat._connections)


@pytest.mark.slow
async def test_presses_are_taken_while_the_next_process_waits_for_its_session(
    fake: FakeDiscord, address: str
) -> None:
    async with process(address) as one:
        await fake.until(lambda: sorted(fake.identified) == [0, 1], 20.0)
        at = Table(fake, one)
        board = await at.begun()
        fake.takes.clear()
        before = fake.socket
        assert before is not None
        async with process(address) as two:
            await until(lambda: shares(two) == {"0-0of2"})
            assert shares(one) == {"1-1of2"}
            assert (await at.move(board)).type is not None
            assert fake.socket is before
            fake.takes.set()
            await until(lambda: fake.socket is not before and before.closed)
            assert (await at.move(board)).type is not None
            # The other process hears of the move a moment later.
            async with asyncio.timeout(20):
                while await at.moves(board) != await Table(fake, two).moves(board):
                    await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_a_process_that_ends_takes_presses_until_the_next_one_has_its_sessions(
    fake: FakeDiscord, address: str
) -> None:
    async with process(address) as two:
        await fake.until(lambda: len(fake.identified) == 2, 20.0)
        async with process(address) as one:
            await until(lambda: shares(one) == {"0-0of2"} and len(fake.identified) == 3)
            at = Table(fake, one)
            board = await at.begun()
            fake.takes.clear()
            stopping = asyncio.create_task(one.stop())
            await until(lambda: shares(two) == {"0-0of2", "1-1of2"})
            assert (await at.move(board)).type is not None
            assert not stopping.done()
            fake.takes.set()
            await stopping
        assert (await Table(fake, two).move(board)).type is not None


async def test_nobody_waits_where_all_end_or_nobody_is_left(
    fake: FakeDiscord, address: str
) -> None:
    async with process(address) as one, process(address) as two:
        await until(lambda: len(shares(one)) == len(shares(two)) == 1)
        fake.takes.clear()
        stopping = [asyncio.create_task(fleet.stop()) for fleet in (one, two)]
        _, waiting = await asyncio.wait(stopping, timeout=10)
        assert not waiting


@pytest.mark.slow
async def test_what_is_not_taken_up_is_kept_without_a_new_session(
    fake: FakeDiscord, address: str
) -> None:
    async with process(address) as one:
        await fake.until(lambda: len(fake.identified) == 2, 20.0)
        chat = one.chats["discord"]
        before = fake.socket
        await one.process_duties.drop("chat:discord/0-0of2")
        assert shares(one) == {"1-1of2"}
        await chat.take("0-0of2")
        assert shares(one) == {"0-0of2", "1-1of2"}
        assert chat.is_connected()
        assert fake.socket is before
        assert len(fake.identified) == 2
