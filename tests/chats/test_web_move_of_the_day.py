"""The address that a pasted row ends with: its preview is the board of that day, unsolved."""

from __future__ import annotations

import asyncio
import re

import pytest
from cachetools import LRUCache

from bot.notify import daily
from bot.session.daily_calendar import number_of
from tests.chats.pages import Visitor


def today(at):
    return number_of(at.facade.services.clock.now().toordinal())


async def test_a_preview_shows_the_board_of_the_day_and_nobody_is_let_in(at):
    number = today(at)
    status, body = await Visitor(at).get(f"/today/{number}")
    tags = dict(re.findall(r'<meta property="([\w:]+)" content="([^"]*)">', body.decode()))
    assert status == 200
    assert f" n.º {number} " in tags["og:title"]
    assert tags["og:image"] == f"{at.url}/today/{number}.png"
    assert "Solución" not in body.decode()
    status, picture = await Visitor(at).get(f"/today/{number}.png")
    assert status == 200
    assert picture.startswith(b"\x89PNG")


async def test_many_strangers_have_the_picture_of_a_day_painted_once(at, monkeypatch):
    painted = []

    def paint(told, scene):
        painted.append(told.number)
        return once(told, scene)

    once = daily._paint
    monkeypatch.setattr(daily, "_paint", paint)
    asked = (Visitor(at).get(f"/today/{today(at)}.png") for _ in range(9))
    assert {status for status, _ in await asyncio.gather(*asked)} == {200}
    assert len(painted) == 1


async def test_whoever_is_known_goes_on_to_the_move_of_today(at):
    visitor = await at.first()
    _, body = await visitor.get(f"/today/{today(at) - 1}")
    assert f"url={visitor.path}/puzzle/today" in body.decode()
    async with visitor.open() as page:
        for line in ("/puzzle hoy", "/hoy"):
            shown = await page.type(line)
            assert shown["card"]["picture"]


async def test_a_day_to_come_is_shown_to_nobody(at):
    for number in (0, today(at) + 2, 99999):
        for path in (f"/today/{number}", f"/today/{number}.png"):
            assert (await Visitor(at).get(path))[0] == 404


@pytest.mark.usefixtures("strangers_pay", "nobody_is_held")
async def test_whoever_asks_for_one_picture_of_a_day_after_the_other_is_refused(at, monkeypatch):
    monkeypatch.setattr(at.chat._server.front, "_pictures", LRUCache(1))
    monkeypatch.setattr(at.chat._server.budget, "clock", lambda: 0.0)
    told = {"Accept-Language": "es"}, {"Accept-Language": "en"}
    path = f"/today/{today(at)}.png"
    asked = [(await Visitor(at).get(path, **told[n % 2]))[0] for n in range(20)]
    # What was painted last is still there in one of the two languages.
    assert asked == [200] * 12 + [429, 200] * 4
