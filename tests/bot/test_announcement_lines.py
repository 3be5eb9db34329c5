"""What the operator announces: one line on every living board, gone when it is over."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest

from bot.app.control_socket import perform
from bot.app.output import CommandError
from bot.facade import read_announcement
from bot.service.place.announcements import ANNOUNCEMENT
from storage import bot_settings as stored
from storage.table import views
from tests.bot.test_control_socket import running, settings
from tests.databases import of_files
from tests.fakes import desk, person

ANA, BRUNO = person("Ana"), person("Bruno")
TEXT = "Upgrade at 22:00 *now* @everyone"


def boards(at) -> list[str]:
    """The words of all boards in the chat."""
    return [" ".join(one.screen.lines) for one in at.chat.messages.values()]


async def opened(at) -> None:
    await at.call(ANA, "play", game="niya")
    await at.settle()


async def announced(at, text: str, hours: int = 2) -> None:
    await at.facade.services.announcer.announce(text, hours)
    await at.settle()


async def test_it_stands_on_boards_that_are_there_and_on_new_ones(tmp_path):
    async with desk(tmp_path) as at:
        await opened(at)
        assert TEXT not in str(boards(at))
        await announced(at, TEXT)
        assert all(TEXT in one for one in boards(at))
        await at.call(ANA, "play", game="cirya")
        await at.settle()
        assert len(boards(at)) == 2
        assert all(TEXT in one for one in boards(at))
        await announced(at, "")
        assert TEXT not in str(boards(at))


async def test_it_calls_nobody_and_posts_nothing_anew(tmp_path):
    async with desk(tmp_path) as at:
        await opened(at)
        before, calls = set(at.chat.messages), list(at.chat.pings)
        await announced(at, TEXT)
        assert set(at.chat.messages) == before
        assert at.chat.pings == calls


async def test_a_kill_before_it_is_shown_leaves_it_owed(tmp_path):
    async with desk(tmp_path) as at:
        await opened(at)
        async with at.facade.store.transaction() as tx:
            await at.facade.services.announcer.announcements.put(tx, TEXT, 2)
    async with desk(tmp_path) as at:
        await at.settle()
        assert await at.facade.store.read(views.count_owing_views) == 0
        assert at.facade.services.announcer.announcements.present.text == TEXT


async def test_it_goes_by_itself_when_it_is_over(tmp_path, monkeypatch):
    async with desk(tmp_path) as at:
        await opened(at)
        await announced(at, TEXT, 1)
        notices, clock = (
            at.facade.services.announcer.announcements,
            at.facade.services.announcer.announcements.clock,
        )
        late = clock.now() + timedelta(hours=1, seconds=1)
        monkeypatch.setattr(clock, "now", lambda: late)
        assert notices.is_over()
        await at.facade.services.announcer.look()
        async with asyncio.timeout(30):
            while TEXT in str(boards(at)):
                await asyncio.sleep(0.01)
        assert notices.present is None


async def test_a_damaged_one_is_as_if_there_were_none(tmp_path):
    async with desk(tmp_path) as at:
        for kept in ("[]", '{"text": 5}', '{"text": "x", "until": "soon"}', "{"):
            await at.facade.store.write(stored.put_setting, ANNOUNCEMENT, kept)
            await at.facade.services.announcer.announcements.recall()
            assert at.facade.services.announcer.announcements.present is None


def test_an_instant_without_a_zone_is_damaged():
    with pytest.raises(ValueError, match="zone"):
        read_announcement(json.dumps({"text": "x", "until": "2026-11-26T22:00:00"}))


@of_files
async def test_the_command_announces_by_the_bot_that_runs(tmp_path):
    async with running(tmp_path) as (at, url):
        await opened(at)
        said = await perform(settings(url), "announce", text=" Upgrade \n at 22:00 ", hours="3")
        assert said.startswith("Announced on every living board until 2")
        await at.settle()
        assert all("Upgrade at 22:00" in one for one in boards(at))
        for bad in ("x" * 201, "\u200b"):
            with pytest.raises(CommandError, match="1 to 200 characters"):
                await perform(settings(url), "announce", text=bad, hours="3")
        assert all("Upgrade at 22:00" in one for one in boards(at))
        said = await perform(settings(url), "announce", text="", hours="3")
        assert said == "Nothing is announced any more."
        await at.settle()
        assert "Upgrade" not in str(boards(at))
