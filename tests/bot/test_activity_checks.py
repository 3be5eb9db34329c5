"""``ludoteca doctor`` on the page within Discord: does it answer, and when did somebody come."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.app import doctor
from bot.app.doctor import activity_findings
from bot.app.settings import Settings
from bot.chats.web.doors import activity
from bot.chats.web.doors.activity import page_within_discord
from tests.chats.conftest import discord_fixture  # noqa: F401
from tests.chats.fake_discord_sign_in import ANA
from tests.chats.test_web_activity import (  # noqa: F401
    CHANNEL,
    PROXIED,
    at_fixture,
    page_of,
)
from tests.databases import database_in


def settings(url: str, **more) -> Settings:
    return Settings(_env_file=None, database_url=url, discord_client_secret="x", **more)


async def test_without_the_secret_nothing_is_said():
    assert await activity_findings(Settings(_env_file=None)) == []


async def test_the_page_is_asked_for_and_the_last_hour_is_told(at, discord, tmp_path, monkeypatch):
    public = settings(database_in(tmp_path), web_public_url="https://play.example.org")
    answered = page_within_discord
    here = f"{at.here}/d/"
    monkeypatch.setattr(doctor, "page_within_discord", lambda _: answered(here))
    first, last = await activity_findings(public)
    assert first.level == "warning", "by this machine's own name it is not there"
    assert last.text == "Somebody came in within Discord never yet."
    await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    _, last = await activity_findings(public)
    hour = datetime.now(UTC).strftime("%Y-%m-%dT%H:00Z")
    assert hour[:10] in last.text


@pytest.mark.parametrize(("address", "level"), [("http://127.0.0.1:9/d/", "warning")])
async def test_where_nothing_listens_it_says_so(address, level):
    found = await page_within_discord(address)
    assert found.level == level
    assert "does not answer" in found.text


async def test_the_page_that_discord_may_frame_is_fine(at, monkeypatch):
    session = activity.aiohttp.ClientSession

    def proxied(**more):
        return session(headers=PROXIED, **more)

    monkeypatch.setattr(activity.aiohttp, "ClientSession", proxied)
    assert (await page_within_discord(f"{at.here}/d/")).level == "fine"
