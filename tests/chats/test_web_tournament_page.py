"""The pages of tournaments: bracket, crosstable and standings, which follow by themselves."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from bot.chats.web import tournament_page
from bot.chats.web.outbound import PAGES_OPEN
from bot.port import Asker
from bot.service.table.changes import SeenBefore, Update
from bot.tournament import organizer
from bot.tournament.values import How, Rules, TournamentFormat
from storage import tournaments as stored
from storage.records import EntrantRow, TournamentRow
from tests.chats.pages import Visitor, guest_of, server
from tests.tournament.simulated import pair


@pytest.fixture
async def at(tmp_path: Path):
    async with server(tmp_path) as opened:
        yield opened


class Fair:
    """A tournament of four, the first of whom looks at it on a page."""

    def __init__(self, at) -> None:
        self.at, self.services, self.code = at, at.facade.services, "FAIR22"

    async def open(self, form: TournamentFormat) -> Fair:
        self.visitor = await self.at.first("Nerea <b>")
        me = await self.services.people.of((await guest_of(self.at, self.visitor)).asker)
        others = [Asker("web", f"guest{n}", f"G{n}", "es") for n in range(3)]
        people = [me, *[await self.services.people.of(one) for one in others]]
        clock = self.services.clock
        now, steady = clock.now(), clock.steady()
        work = organizer.open_tournament(self.code, Rules("niya", form, "5m"), 1, now, steady)
        for one in people:
            organizer.enter(work, one.id, 1500)
        row = TournamentRow(self.code, "web", "p", None, False, "open", 5, now, now, None)
        rows = [EntrantRow(self.code, one.id, "web", "p", None, False) for one in people]
        async with self.services.store.transaction() as tx:
            await stored.create_tournament(tx, row, work.rows())
            await stored.put_entrants(tx, rows)
        return self

    async def change(self, decide) -> None:
        update = Update("test", f"{self.code}:{next(NUMBERS)}")
        with suppress(SeenBefore):
            await self.services.tournaments.change(update, self.code, decide)

    async def begin(self) -> None:
        def decide(work) -> None:
            organizer.begin(work)

        await self.change(decide)

        def paired(work) -> None:
            if work.tournament.rounds:
                return  # the house was faster
            hall = type("Hall", (), {"now": work.tournament, "work": work, "codes": CODES})()
            pair(hall)

        await self.change(paired)

    async def begin_next(self) -> None:
        def paired(work) -> None:
            hall = type("Hall", (), {"now": work.tournament, "work": work, "codes": CODES})()
            pair(hall)

        await self.change(paired)

    async def tell(self, points=(2, 0)) -> None:
        def decide(work) -> None:
            games = [game for _, _, game in work.tournament.games() if game.result is None]
            organizer.tell(work, games[0].code, How.PLAYED, points)

        await self.change(decide)

    async def get(self, path: str = "") -> tuple[int, str]:
        status, body = await self.visitor.get(f"{self.visitor.path}/sheets/tournaments{path}")
        return status, body.decode()


NUMBERS = count(1)
CODES = iter([f"T{n:03}ZZ" for n in range(99)])


async def test_a_bracket_shows_each_round_and_who_goes_on(at):
    fair = await Fair(at).open(TournamentFormat.KNOCKOUT)
    await fair.begin()
    status, page = await fair.get(f"/{fair.code.lower()}")
    assert status == 200
    assert page.count("<h4>") == 2
    assert page.count("por decidir") == 2
    assert "Nerea &lt;b&gt;" in page
    assert "<b>Nerea" not in page
    await fair.tell()
    status, page = await fair.get(f"/{fair.code}")
    assert page.count("por decidir") == 1
    assert page.count('<p class="won">') + page.count('<p class="own won">') == 1
    assert "(pasa)" in page
    assert "tercer puesto" not in page
    await fair.tell()
    await fair.begin_next()
    _, page = await fair.get(f"/{fair.code}")
    assert page.count("tercer puesto") >= 1
    assert page.index("tercer puesto", page.index('class="bracket"')) < page.index("<table")


async def test_a_round_robin_shows_its_crosstable_and_the_standings(at):
    fair = await Fair(at).open(TournamentFormat.ROBIN)
    _, page = await fair.get(f"/{fair.code}")
    assert "Tabla cruzada" not in page
    await fair.begin()
    _, page = await fair.get(f"/{fair.code}")
    assert page.count('class="barred"') == 4
    assert page.count('<tr class="own">') == 2
    assert "Clasificación" in page


@pytest.mark.slow
async def test_news_come_as_soon_as_something_happens_and_not_before(at, monkeypatch):
    fair = await Fair(at).open(TournamentFormat.KNOCKOUT)
    await fair.begin()
    _, page = await fair.get(f"/{fair.code}")
    version = _version(page)
    monkeypatch.setattr(tournament_page, "NEWS_SECONDS", 0.05)
    assert (await fair.get(f"/{fair.code}/news?after={version}"))[0] == 204
    monkeypatch.setattr(tournament_page, "NEWS_SECONDS", 30.0)
    waiting = asyncio.create_task(fair.get(f"/{fair.code}/news?after={version}"))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await fair.tell()
    assert (await asyncio.wait_for(waiting, 5))[0] == 200
    # Who shows an older state is told at once.
    assert (await fair.get(f"/{fair.code}/news?after={version}"))[0] == 200


def _version(page: str) -> int:
    return int(re.findall(r'data-version="(\d+)"', page)[0])


async def test_nobody_lets_more_pages_wait_for_news_than_they_may_have_open(at):
    fair = await Fair(at).open(TournamentFormat.KNOCKOUT)
    await fair.begin()
    _, page = await fair.get(f"/{fair.code}")
    news = f"/{fair.code}/news?after={_version(page)}"
    waiting = [asyncio.create_task(fair.get(news)) for _ in range(PAGES_OPEN)]
    await asyncio.sleep(0.5)
    assert (await asyncio.wait_for(fair.get(news), 5))[0] == 429
    assert not any(one.done() for one in waiting)
    await fair.tell()
    assert {status for status, _ in await asyncio.gather(*waiting)} == {200}
    assert not at.chat._server.tournaments._waiting


async def test_what_is_over_is_followed_no_more(at):
    fair = await Fair(at).open(TournamentFormat.KNOCKOUT)
    await fair.begin()
    await fair.change(lambda work: organizer.end(work, "early", 1))
    _, page = await fair.get(f"/{fair.code}")
    assert "data-version" not in page
    assert "Clasificación" in page


@pytest.mark.sampled
@pytest.mark.parametrize("path", ["/NOSUCH", "/NOSUCH/news?after=1", "/FAIR22/news?after=x"])
async def test_bad_addresses_get_a_clear_answer(at, path):
    fair = await Fair(at).open(TournamentFormat.ROBIN)
    status, page = await fair.get(path)
    expected = {"/NOSUCH": 404, "/NOSUCH/news?after=1": 200}.get(path, 400)
    assert status == expected
    if path == "/NOSUCH":
        assert "NOSUCH" in page


async def test_strangers_see_nothing(at):
    fair = await Fair(at).open(TournamentFormat.ROBIN)
    path = f"{fair.visitor.path}/sheets/tournaments/{fair.code}"
    assert (await Visitor(at).get(path))[0] == 401
