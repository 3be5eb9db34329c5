"""A tournament on the page: set up, entered, begun and played by the buttons of its cards."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import AsyncExitStack
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from bot.presenters.button_codes import Click
from bot.service.clock import SteadyClock, wall
from tests.chats.pages import Page, Server, Visitor, server


def buttons(card: dict[str, Any]) -> dict[str, str]:
    """The codes of *card* by their labels, those of its choices too."""
    found = {one["label"]: one["code"] for row in card["rows"] for one in row}
    for choice in card["choices"]:
        found |= {one["label"]: one["code"] for one in choice["options"]}
    return found


async def pressed(page: Page, card: dict[str, Any], label: str) -> dict[str, Any]:
    """The card that follows a press on the button *label* of *card*."""
    code = next(code for said, code in buttons(card).items() if said.startswith(label))
    answer = await page.ask("press", code=code, message="")
    assert answer["good"], answer
    return answer["card"] or answer


async def opened_by(page: Page) -> dict[str, Any]:
    """The card of a tournament of Niya that is opened on *page*."""
    card = await pressed(page, (await page.type("/torneo"))["card"], "Torneo de Niya")
    return await pressed(page, card, "Abrir el torneo")


async def test_a_tournament_is_set_up_and_entered_on_the_page(tmp_path: Path):
    async with server(tmp_path) as at:
        host = await at.first("Nerea")
        async with host.open() as page:
            card = await opened_by(page)
            click: Click | None = at.facade.boards.buttons.click(buttons(card)["Apuntarme"])
            assert click is not None
            assert "Todavía no se ha apuntado nadie" in " ".join(card["lines"])
            card = await pressed(page, card, "Apuntarme")
            assert "Nerea" in card["lines"]
            assert card["picture"]
            words = await page.type(f"/torneo {click.table}")
            assert "Nerea" in words["card"]["lines"]
            card = await pressed(page, card, "Dejar el torneo")
            assert "Nerea" not in card["lines"]


async def test_the_people_of_a_page_are_those_of_one_house(tmp_path: Path):
    """A tournament opened on the page takes in who else is there, and offers what each may do."""
    async with server(tmp_path) as at:
        host = await at.first("Nerea")
        async with host.open() as page:
            card = await opened_by(page)
            assert {"Apuntarme", "Empezar ya"} <= buttons(card).keys()
            assert "Dejar el torneo" not in buttons(card)
            table = (await page.type("/play niya"))["open"]
            guest = await at.guest(page, table)
            async with guest.open() as other:
                listed = (await other.type("/torneo"))["card"]
                assert "Apuntarme" in buttons(listed)
                assert "Empezar ya" not in buttons(listed)
                entered = await pressed(other, listed, "Apuntarme")
                assert "Bruno" in entered["lines"]
                assert "Apuntarme" not in buttons(entered)
                assert "Dejar el torneo" in buttons(entered)
                assert "Apuntarme" not in buttons((await other.type("/torneo"))["card"])


async def listed(visitor: Visitor) -> tuple[dict[str, list[str]], dict[str, str], str]:
    """The titles in the list of tournaments by their part, its keys by their words, and all."""
    status, data = await visitor.get(f"{visitor.path}/sheets/tournaments")
    assert status == 200
    body = unescape(data.decode())
    keys = re.findall(r'data-code="([^"]+)">([^<]+)<', body)
    parts = re.split("<h3>", body)[1:]
    titles = {
        part.partition("<")[0]: re.findall(r'href="(tournaments/\w+)"', part) for part in parts
    }
    return titles, {label: code for code, label in keys}, body


async def six(at: Server, stack: AsyncExitStack) -> list[tuple[Visitor, Page]]:
    """Six people of one house, with their pages open."""
    host = await at.first("Nerea")
    first = await stack.enter_async_context(host.open())
    found = [(host, first)]
    for name in ("Bruno", "Carla", "Dora", "Eloy", "Fina"):
        visitor = await at.guest(first, (await first.type("/play parchis"))["open"], name)
        found.append((visitor, await stack.enter_async_context(visitor.open())))
    return found


async def play_on(pages: list[Page], known: set[str]) -> bool:
    """Play a move at every table that is not *known*; whether there was one to be played."""
    moved = False
    for page in pages:
        for table, board in [*page.boards.items()]:
            moves = page.moves(table) if table not in known and board["mine"] else []
            if moves and not board["over"]:
                await page.press(table, moves[0])
                moved = True
    return moved


class Skips:
    """The clock of the house *at*, of which parts can be skipped."""

    def __init__(self, at: Server) -> None:
        self.skipped, self.services = 0.0, at.facade.services
        clock = self.services.clock
        clock.now = lambda: wall() + timedelta(seconds=self.skipped)
        clock.steady = SteadyClock(clock.now, lambda: time.monotonic() + self.skipped)

    def skip(self, seconds: float) -> None:
        self.skipped += seconds
        self.services.tournaments.alarm.look(self.services.clock.steady())


@pytest.mark.slow
async def test_six_people_play_a_tournament_from_the_list_to_its_end(tmp_path: Path):
    async with server(tmp_path) as at, AsyncExitStack() as stack:
        clock, people = Skips(at), await six(at, stack)
        visitors, pages = [one for one, _ in people], [one for _, one in people]
        titles, keys, body = await listed(visitors[0])
        assert (titles, list(keys)) == ({}, ["Nuevo torneo"])
        assert "Ahora no hay ningún torneo aquí." in body
        card = (await pages[0].ask("press", code=keys["Nuevo torneo"]))["card"]
        card = await pressed(pages[0], card, "Niya")
        card = await pressed(pages[0], card, "todos contra todos")
        card = await pressed(pages[0], card, "Abrir el torneo")
        for visitor, page in people:
            titles, keys, _ = await listed(visitor)
            assert [*titles] == ["Abiertos"]
            assert (await page.ask("press", code=keys["Apuntarme"]))["good"]
            assert [*(await listed(visitor))[1]] == ["Nuevo torneo"], "nobody enters twice"
        assert "Hay 6 personas apuntadas" in (await listed(visitors[3]))[2]
        (code,) = titles["Abiertos"]
        known = {table for page in pages for table in page.boards}
        card = (await pages[0].type(f"/torneo {code.partition('/')[2]}"))["card"]
        await pressed(pages[0], card, "Empezar ya")
        seen: set[str] = set()
        async with asyncio.timeout(120):
            while True:
                titles, _, body = await listed(visitors[-1])
                seen |= titles.keys()
                if "Acabados" in titles:
                    break
                if not await play_on(pages, known):
                    clock.skip(10)  # a round begins a minute after the one before
                for page in pages:
                    await page.ask("hello", theme="light", language="es")
        assert seen >= {"En juego", "Acabados"}
        tournament = await at.facade.services.tournaments.get(code.partition("/")[2])
        assert len(tournament.entrants) == 6
        games = [game for _, _, game in tournament.games()]
        assert len(games) == 15
        assert all(game.result is not None for game in games)
        assert re.search("(Nerea|Bruno|Carla|Dora|Eloy|Fina): ", body), "who has won"


async def test_a_card_tells_what_is_left_until_a_tournament_begins(tmp_path: Path):
    async with server(tmp_path) as at:
        host = await at.first("Nerea")
        async with host.open() as page:
            card = (await page.type("/torneo"))["card"]
            card = await pressed(page, card, "Torneo de Niya")
            begins = at.facade.services.clock.now() + timedelta(hours=2)
            card = (await page.type(f"/tournament start={begins:%H:%M}"))["card"]
            # Its hour is that of a minute that has begun.
            assert 119 * 60_000 - 1000 < card["countdown"]["left"] <= 120 * 60_000
            assert "until" not in card["countdown"]
