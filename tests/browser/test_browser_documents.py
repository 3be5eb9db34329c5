"""What the server writes: nobody meets a barrier in it, and its tables stand in columns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest

from bot.chats.web import WebChat
from bot.chats.web.operator_page import COOKIE, PATH
from bot.port import Asker
from bot.session.preferences import Personal
from bot.tournament.values import TournamentFormat
from storage.records import EPOCH, FaultRow
from storage.table import games
from tests.browser.test_browser_layout import AXE, GRAVE
from tests.chats.pages import Server, server
from tests.chats.test_web_people import People
from tests.chats.test_web_tournament_page import Fair
from tests.drives.browsing import PATIENCE, browser_of, chromium, until
from tests.slow_parameters import one_and_slowly_all

__all__ = ["chromium"]

SIZES = ((320, 640), (390, 844), (1280, 800))
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
LONG = "María Ángeles Etxeberria Goikoetxea"


@dataclass(frozen=True)
class House:
    """The addresses of all screens by their names, and the cookies of who may see them."""

    documents: dict[str, str]
    cookies: list[dict[str, str]]
    operator: list[dict[str, str]]


async def furnished(at: Server, operator: str) -> House:
    """A house with rated games, two tournaments, an announcement and a table set aside."""
    fair = await Fair(at).open(TournamentFormat.KNOCKOUT)
    await fair.begin()
    await fair.tell()
    visitor = fair.visitor
    robin = Fair(at)
    robin.code = "ROBIN2"
    at.first = mock.AsyncMock(return_value=visitor)
    await robin.open(TournamentFormat.ROBIN)
    await robin.begin()
    await robin.tell()
    people = People(at)
    await people.meet()
    known = await at.facade.services.people.of(Asker("fake", "long", LONG, "es"))
    await people.choose(known.id, Personal(seen_everywhere=True))
    for winner, loser in ((people.me, known.id), (known.id, people.me), (people.me, known.id)):
        await people.game(winner, loser)
    await at.facade.services.announcer.announce("Mañana a las 22 h se para la casa un minuto.", 12)
    async with visitor.open() as page:
        waits = (await page.type("/play cirya"))["open"]
        await page.type("/play niya computer level=1")
        await at.facade.store.write(
            games.set_game_aside, FaultRow(waits, 3, "event 3 cannot be read: no such move", EPOCH)
        )
    base = f"{at.url}{visitor.path}"
    documents = {
        "an empty ladder": f"{base}/people/shogi",
        "a ladder": f"{base}/people/niya",
        "a profile": f"{base}/{await people.address(people.me)}",
        "nobody": f"{base}/{await people.address(99999)}",
        "tournaments": f"{base}/tournaments",
        "rounds": f"{base}/tournaments/{fair.code}",
        "a crosstable": f"{base}/tournaments/{robin.code}",
        "no tournament": f"{base}/tournaments/NONE22",
        "the operator's page": f"{at.url}{PATH}",
    }
    async with at.http.get(operator) as response:
        secret = response.cookies[COOKIE].value
    pairs = [pair.split("=", 1) for pair in (visitor.cookie, visitor.home) if pair]
    cookies = [{"name": name, "value": value, "url": at.url} for name, value in pairs]
    return House(documents, cookies, [{"name": COOKIE, "value": secret, "url": at.url}])


@contextmanager
def furnished_house(folder: Path) -> Iterator[House]:
    """A furnished house on a thread of its own, as long as it is looked at."""
    ready: Future[tuple[House, asyncio.AbstractEventLoop]] = Future()
    looked_at = asyncio.Event()
    addresses: list[str] = []

    def made(*wishes, **others):
        return WebChat(*wishes, told_operator=addresses.append, **others)

    async def kept() -> None:
        try:
            async with server(folder) as at:
                ready.set_result((await furnished(at, addresses[0]), asyncio.get_running_loop()))
                await looked_at.wait()
        except BaseException as wrong:
            if ready.done():
                raise
            ready.set_exception(wrong)

    with mock.patch("tests.chats.pages.WebChat", made), ThreadPoolExecutor(1) as thread:
        running = thread.submit(asyncio.run, kept())
        house, loop = ready.result(PATIENCE)
        yield house
        loop.call_soon_threadsafe(looked_at.set)
        running.result(PATIENCE)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with furnished_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


RAGGED = """() => [...document.querySelectorAll('table')].flatMap((table) => {
    const lefts = (row) => [...row.cells]
        .filter((cell) => cell.getClientRects().length)
        .map((cell) => Math.round(cell.getBoundingClientRect().left)).join(' ');
    return [...table.rows].filter((row) => lefts(row) !== lefts(table.rows[0]))
        .map((row) => row.textContent);
})"""
"""The rows whose cells do not stand below those of the first."""


@pytest.mark.skipif(not AXE.exists(), reason="npm install has not brought axe-core")
@pytest.mark.parametrize("look", one_and_slowly_all(list(LOOKS)))
@pytest.mark.parametrize("sizes", [1, pytest.param(len(SIZES), marks=pytest.mark.slow)])
def test_nobody_meets_a_barrier_in_a_document_and_rows_stand_in_columns(
    house, chromium, look, sizes
):
    """Barriers are looked for in so many *sizes*, of which the documents take turns."""
    with browser_of(chromium, **LOOKS[look]) as context:
        context.add_cookies([*house.cookies, *house.operator])
        page, met = context.new_page(), {}
        for turn, (name, address) in enumerate(house.documents.items()):
            page.goto(address)
            page.wait_for_selector(".sheet h2, .people h1, #talk > .flow > :is(.card, .line)")
            page.evaluate(AXE.read_text())
            for at, (width, height) in enumerate(SIZES):
                page.set_viewport_size({"width": width, "height": height})
                until(page, "width => innerWidth === width", width)
                found = page.evaluate(RAGGED)
                if (at + turn) % len(SIZES) < sizes:
                    found += page.evaluate(GRAVE)
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    found.append("wider than the screen")
                if found:
                    met[name, width] = found
        assert met == {}


def test_an_empty_ladder_leads_to_a_table_of_its_game(house, chromium):
    with browser_of(chromium) as context:
        context.add_cookies(house.cookies)
        page = context.new_page()
        page.goto(house.documents["an empty ladder"])
        # Of two games that go on none is opened in place of what was asked for.
        page.click(".sheet a.key.good")
        page.wait_for_selector("#talk .card .form fieldset >> visible=true")
        assert "Shogi" in page.text_content("#talk .card:has(.form fieldset) h2")
