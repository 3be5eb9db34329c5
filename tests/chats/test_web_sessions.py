"""The browser chat: who a page belongs to, its tabs, its links, and the end of a session."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from bot.chats.web.chat import FORGOTTEN
from bot.chats.web.websocket_sessions import ENDED
from storage.person import people
from tests.chats.pages import Page, Visitor, guest_of, seated, server


async def test_sessions_and_links_survive_a_restart_and_the_first_address_does_not(tmp_path):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            table = (await page.type("/play niya"))["open"]
            link = (await page.ask("invite", table=table))["link"].removeprefix(at.url)
        old = at.told[0].removeprefix(at.url)
    async with server(tmp_path) as at:
        host.server = at
        async with host.open() as page:
            assert page.state["name"] == "Nerea"
            assert table in page.boards
        guest = Visitor(at)
        assert await guest.enter(f"{at.url}{link}") == 200
        assert await Visitor(at).enter(f"{at.url}{old}") == 401
        assert await Visitor(at).enter(at.told[0]) == 200


@pytest.mark.slow
async def test_two_people_in_one_browser_are_two(at):
    host = await at.first("Nerea")
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        guest = await at.guest(page, table, "Bruno")
    jar = f"{host.home}; {host.cookie}"
    # A browser sends each page the cookie of its own path, and the one of the root.
    one = Visitor(at, host.path, jar)
    two = Visitor(at, guest.path, f"{host.home}; {guest.cookie}")
    async with one.open() as page, two.open() as other:
        assert (page.state["name"], other.state["name"]) == ("Nerea", "Bruno")


@pytest.mark.slow
async def test_a_board_that_nobody_watches_is_there_when_the_page_opens(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        mover_is_host = page.boards[table]["mine"]
    mover, watcher = (host, guest) if mover_is_host else (guest, host)
    async with mover.open() as page:
        await page.press(table, page.moves(table)[0])
    async with watcher.open() as page:
        assert page.boards[table]["mine"]


async def test_two_tabs_of_one_person_show_the_same(at):
    host = await at.first()
    async with host.open() as page, host.open() as tab:
        table = (await page.type("/play niya"))["open"]
        assert (await tab.board(table))["headline"] == (await page.board(table))["headline"]


@pytest.mark.slow
async def test_more_tabs_than_eight_close_the_oldest(at):
    host = await at.first()
    opened = [host.open() for _ in range(9)]
    pages = [await one.__aenter__() for one in opened]
    try:
        first = await pages[0].socket.receive(5)
        assert pages[0].socket.closed, first
        assert (await pages[8].type("/games"))["good"]
    finally:
        for one in opened:
            await one.__aexit__(None, None, None)


async def test_stopping_closes_pages_and_takes_nothing_more(tmp_path):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            await at.facade.stop()
            closed = await page.socket.receive(5)
            assert closed.data == 1001
        with pytest.raises(OSError, match="onnect"):
            await host.get("/")


@pytest.mark.slow
async def test_who_is_forgotten_in_the_browser_has_no_page_any_more(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        guest = await at.guest(page, table)
        href = (await page.type("/misdatos"))["file"]["href"]
        _, told = await host.get(f"{host.path}/{href}")
        assert json.loads(told)["person"][0]["name"] == "Nerea"
        asked = (await page.type("/olvidame"))["card"]
        yes = asked["rows"][0][0]
        assert (await page.ask("press", code=yes["code"]))["good"]
    status, _ = await host.get(f"{host.path}/")
    assert status == 401
    status, _ = await guest.get(f"{guest.path}/")
    assert status == 200


async def closed(page: Page) -> int | None:
    """The code with which the server closes *page*."""
    async with asyncio.timeout(60):
        while not page.socket.closed:
            await page.socket.receive()
    return page.socket.close_code


@pytest.mark.slow
async def test_the_pages_of_who_is_forgotten_are_closed_and_the_one_that_asked_is_told(at):
    host = await at.first()
    async with host.open() as page, host.open() as tab:
        guest = (await guest_of(at, host)).id
        await page.type("/play storilljudhjorrayc opponent=computer level=1")
        yes = (await page.type("/olvidame"))["card"]["rows"][0][0]
        other = asyncio.create_task(closed(tab))
        assert (await page.ask("press", code=yes["code"]))["good"]
        assert (await closed(page), await other) == (FORGOTTEN, ENDED)
    await at.facade.settled()
    async with at.facade.store.reading() as tx:
        assert await people.find_person(tx, "web", guest) is None
    assert await at.facade.notes.read(f"web:guest:{guest}", str) is None


@pytest.mark.slow
async def test_two_pages_become_one_person_by_a_code(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play parchis seats=4"))["open"]
        code = re.findall(r"\b[2-9A-HJ-NP-Z]{8}\b", (await page.type("/enlazar"))["said"])[0]
        guest = await at.guest(page, table)
        async with guest.open() as other:
            assert (await other.type("/leave", table))["good"]
            asked = (await other.type(f"/enlazar {code}"))["card"]
            assert "Nerea (navegador)" in asked["headline"]
            assert (await other.ask("press", code=asked["rows"][0][0]["code"]))["good"]
            assert table in (await other.type("/partidas"))["said"]
