"""The devices of a guest: listed, named, ended, each with the looks of its own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest

from bot.chats.web.person.devices import browser_name
from bot.chats.web.person.guests import DEVICES_KEPT, Guests
from bot.chats.web.websocket_sessions import ENDED
from tests.chats.pages import Visitor, seated, server

FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"


async def elsewhere(at, page) -> Visitor:
    """The same person at one more browser."""
    visitor = Visitor(at)
    assert await visitor.enter((await page.ask("back"))["link"]) == 200
    return visitor


async def closed(page) -> int | None:
    """With what the connection of *page* ends."""
    while (message := await page.socket.receive()).type is aiohttp.WSMsgType.TEXT:
        pass
    return message.data


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox · Android"),
        (CHROME, "Chrome · Linux"),
        (CHROME.replace("X11; Linux x86_64", "Windows NT 10.0") + " Edg/140.0", "Edge · Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
            "Safari · iPhone",
        ),
        ("curl/8.5.0", ""),
        ("", ""),
    ],
)
def test_a_device_is_called_by_its_browser_and_its_system(agent, name):
    assert browser_name(agent) == name


async def test_devices_are_listed_by_name_and_this_one_is_marked(at):
    host = await at.first()
    async with host.open(agent=CHROME) as page:
        phone = await elsewhere(at, page)
        async with phone.open(agent=FIREFOX) as other:
            listed = (await other.ask("devices"))["devices"]
    assert {(one["name"], one["here"]) for one in listed} == {
        ("Chrome · Linux", False),
        ("Firefox · Android", True),
    }
    assert all(datetime.fromisoformat(one["seen"]).tzinfo for one in listed)
    assert "secret" not in json.dumps(listed)


async def test_an_ended_device_is_out_at_once_and_for_good(tmp_path):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            phone = await elsewhere(at, page)
            async with phone.open() as lost:
                listed = (await page.ask("devices"))["devices"]
                (other,) = (one["id"] for one in listed if not one["here"])
                left = (await page.ask("end", device=other))["devices"]
                assert [one["here"] for one in left] == [True]
                assert await closed(lost) == ENDED
            assert (await phone.get(f"{phone.path}/"))[0] == 401
            with pytest.raises(aiohttp.WSServerHandshakeError):
                async with phone.open():
                    pass
            assert (await page.type("/games"))["good"]
    async with server(tmp_path) as at:
        phone.server = host.server = at
        assert (await phone.get(f"{phone.path}/"))[0] == 401
        assert (await host.get(f"{host.path}/"))[0] == 200


async def test_all_others_are_ended_and_the_way_back_that_one_of_them_asked_for(at):
    host = await at.first()
    async with host.open() as page:
        one, two = await elsewhere(at, page), await elsewhere(at, page)
        async with two.open() as lost:
            link = (await lost.ask("back"))["link"]
        assert len((await page.ask("end"))["devices"]) == 1
    for visitor in (one, two):
        assert (await visitor.get(f"{visitor.path}/"))[0] == 401
    assert await Visitor(at).enter(link) == 410
    assert (await host.get(f"{host.path}/"))[0] == 200


@pytest.mark.slow
async def test_nobody_ends_a_device_of_somebody_else(at):
    host = await at.first()
    async with host.open() as page:
        _, guest = await seated(at, page)
        (mine,) = (await page.ask("devices"))["devices"]
        async with guest.open() as other:
            await other.ask("end", device=mine["id"])
        assert (await page.type("/games"))["good"]
    assert (await host.get(f"{host.path}/"))[0] == 200


@pytest.mark.slow
async def test_of_too_many_devices_the_one_unseen_for_longest_goes(at, monkeypatch):
    host = await at.first()
    guests = at.chat._guests
    start = datetime.now(UTC)
    async with host.open() as page:
        for number in range(1, DEVICES_KEPT + 1):
            monkeypatch.setattr(guests, "now", lambda n=number: start + timedelta(hours=2 * n))
            last = await elsewhere(at, page)
        assert await closed(page) == ENDED
    async with last.open() as page:
        assert len((await page.ask("devices"))["devices"]) == DEVICES_KEPT
    assert (await host.get(f"{host.path}/"))[0] == 401


@pytest.mark.slow
async def test_each_device_has_the_looks_of_its_own(at):
    host = await at.first()
    async with host.open(theme="dark") as page:
        table, guest = await seated(at, page)
        phone = await elsewhere(at, page)
        async with phone.open(theme="light") as other, guest.open() as opponent:
            dark, light = page.boards[table], other.boards[table]
            assert dark["version"] == light["version"]
            assert dark["picture"] != light["picture"]
            mover = page if dark["mine"] else opponent
            await mover.press(table, mover.moves(table)[0])
            dark = await page.board(table, lambda board: board["version"] > dark["version"])
            light = await other.board(table, lambda board: board["version"] >= dark["version"])
            assert dark["picture"] != light["picture"]
        async with host.open(theme="dark") as again:
            assert again.boards[table]["picture"] == dark["picture"]


async def test_a_page_of_an_earlier_release_opens_as_before(at):
    host = await at.first()
    key = f"web:guest:{host.path[3:]}"
    kept = json.loads(await at.facade.notes.read(key, str))
    (device,) = kept.pop("devices")
    old = {**kept, "secret": device["secret"], "others": ["0" * 64]}
    await at.facade.notes.put(key, json.dumps(old))
    guest = await Guests(at.facade.notes).find(host.path[3:], host.cookie.partition("=")[2])
    assert guest is not None
    assert guest.name == "Nerea"
    assert len(guest.devices) == 2
    assert guest.device is not None
