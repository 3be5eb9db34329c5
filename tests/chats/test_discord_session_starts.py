"""Discord lets a bot begin a thousand sessions a day, and takes the token of one that begins more.

https://discord.com/developers/docs/events/gateway#session-start-limit-object
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from pathlib import Path

import discord
import pytest

from bot.app import monitoring
from bot.chats.discord import DiscordChat, client, session_starts
from bot.chats.discord.session_starts import FRESH, SPARE, SessionStarts
from bot.facade import Facade, open_facade
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.bot.test_metering import counted
from tests.chats.discord_table import discord_house, fake_fixture  # noqa: F401
from tests.chats.fake_discord import TOKEN, FakeDiscord
from tests.databases import database_in

HOUR = 3600.0


@dataclass
class Counter:
    """What Discord answers about session starts, by a clock that is turned by hand."""

    remaining: int
    now: float = 0.0
    asked: list[float] = field(default_factory=list)

    async def limits(self) -> discord.SessionStartLimits:
        self.asked.append(self.now)
        return discord.SessionStartLimits(
            total=1000, remaining=self.remaining, reset_after=int(HOUR * 1000), max_concurrency=16
        )

    def starts(self) -> SessionStarts:
        return SessionStarts(clock=lambda: self.now)


async def test_a_session_begins_at_once_while_more_than_the_spare_are_left() -> None:
    at = Counter(remaining=SPARE + 1)
    starts = at.starts()
    assert starts.left is None
    await starts.wait(at.limits)
    assert starts.take()
    assert starts.left == SPARE
    assert starts.together == 16


async def test_our_own_sessions_are_counted_between_two_answers_of_discord() -> None:
    at = Counter(remaining=SPARE + 2)
    starts = at.starts()
    await starts.wait(at.limits)
    assert [starts.take() for _ in range(3)] == [True, True, False]
    assert at.asked == [0.0]
    at.now = FRESH
    await starts.wait(at.limits)
    assert starts.take()
    assert at.asked == [0.0, FRESH]


async def test_whoever_waited_long_for_a_turn_asks_again_where_others_may_have_begun_too_many() -> (
    None
):
    at = Counter(remaining=100)
    starts = at.starts()
    await starts.wait(at.limits)
    at.now = 30.0  # six times sixteen sessions
    assert starts.take()
    at.now = 35.0
    assert not starts.take()
    await starts.wait(at.limits)
    assert starts.take()


async def test_whoever_is_dropped_while_it_waits_does_not_wait_any_more() -> None:
    at = Counter(remaining=SPARE)
    starts = at.starts()
    waiting = asyncio.create_task(starts.wait(at.limits))
    await asyncio.sleep(0.01)
    assert starts.waiting == 1
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert starts.waiting == 0


async def test_after_the_reset_all_are_left_without_asking() -> None:
    at = Counter(remaining=3)
    starts = at.starts()
    waiting = asyncio.create_task(starts.wait(at.limits))
    await asyncio.sleep(0.01)
    waiting.cancel()
    assert starts.left == 3
    at.now = HOUR
    assert starts.left == 1000


@pytest.fixture(name="quick_looks")
def quick_looks_fixture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord is asked again at once, and shards begin their sessions one right after another."""
    monkeypatch.setattr(session_starts, "LOOK", 0.01)
    monkeypatch.setattr(session_starts, "FRESH", 0.0)
    monkeypatch.setattr(client, "SPACED", 0.0)


@pytest.mark.usefixtures("quick_looks")
async def test_where_starts_are_short_the_bot_waits_says_so_once_and_is_not_connected(
    fake: FakeDiscord, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fake.starts = SPARE
    with caplog.at_level(logging.INFO):
        async with discord_house(tmp_path) as facade:
            await asyncio.sleep(0.1)
            assert fake.identified == []
            assert not facade.process_duties.is_connected()
            assert facade.process_duties.ready
            assert not facade.process_duties.takes_over()
            assert facade.process_duties.sessions_left() == {"discord": SPARE}
            fake.starts = 1000
            await fake.until(lambda: fake.identified == [0], 20.0)
            await connected(facade)
            assert facade.process_duties.takes_over()
    told = [line for line in caplog.messages if "more sessions" in line]
    assert len(told) == 1
    assert told[0].startswith(f"Discord lets only {SPARE} more sessions begin until 20")


async def connected(facade: Facade) -> None:
    async with asyncio.timeout(20):
        while not facade.process_duties.is_connected():
            await asyncio.sleep(0.01)


@pytest.mark.usefixtures("quick_looks")
async def test_of_several_shards_as_many_begin_as_may_and_the_others_wait(
    fake: FakeDiscord, tmp_path: Path
) -> None:
    fake.starts = SPARE + 2
    facade = await open_facade(await Store.open(database_in(tmp_path)), Thinkers(), "es")
    try:
        await facade.start([DiscordChat(facade, TOKEN, 3)])
        await fake.until(lambda: len(fake.identified) == 2, 20.0)
        await asyncio.sleep(0.1)
        assert len(fake.identified) == 2
        assert not facade.process_duties.is_connected()
        fake.starts = 1000
        await connected(facade)
        assert sorted(fake.identified) == [0, 1, 2]
    finally:
        await facade.stop()


async def test_what_is_left_is_a_metric(
    fake: FakeDiscord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitoring, "STEP", 0.0)
    fake.starts = 700
    async with discord_house(tmp_path) as facade:
        await connected(facade)
        metering = asyncio.create_task(monitoring.meter(facade.store, facade.process_duties))
        left, until = None, time.monotonic() + 20
        while left != 699 and time.monotonic() < until:
            await asyncio.sleep(0)
            left = counted("ludoteca_session_starts_remaining", platform="discord")
        metering.cancel()
        assert left == 699
