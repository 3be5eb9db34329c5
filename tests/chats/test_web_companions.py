"""People with whom one has played, challenged by name on the page."""

from __future__ import annotations

import re
from html import unescape

import pytest

from bot.facade.facade import Facade
from bot.port import Asker
from tests.chats.pages import Json, Page, Visitor, seated


async def known_to(visitor: Visitor) -> list[Json]:
    """With whom *visitor* has played: the code of the key, a name, and a game."""
    status, data = await visitor.get(f"{visitor.path}/sheets/companions")
    assert status == 200
    found = re.findall(
        r'data-code="([^"]+)"><span><bdi>(.*?)</bdi><span class="d">(.*?) · ', data.decode()
    )
    assert bool(found) is not ("Todavía no has jugado con nadie" in data.decode())
    return [{"code": unescape(code), "name": name, "title": title} for code, name, title in found]


def button(screen: Json, label: str) -> Json:
    (found,) = [one for row in screen["rows"] for one in row if label in one["label"]]
    return found


async def sheet_against(visitor: Visitor, page: Page, name: str) -> Json:
    """The sheet on which a game against *name* is prepared."""
    (one,) = [one for one in await known_to(visitor) if one["name"] == name]
    return (await page.ask("press", code=one["code"]))["card"]


async def refuse(facade: Facade, asker: Asker) -> None:
    """Let *asker* refuse all challenges, as the settings do."""
    services = facade.services
    person = await services.people.number(asker)
    await services.people.choose(person, refuses=True)


async def test_who_has_played_with_somebody_challenges_them_by_name(at):
    host = await at.first()
    async with host.open() as page:
        assert await known_to(host) == []
        _, bruno = await seated(at, page)
        async with bruno.open() as his:
            (mine,) = await known_to(host)
            assert (mine["name"], mine["title"]) == ("Bruno", "Niya")
            assert [one["name"] for one in await known_to(bruno)] == ["Nerea"]
            sheet = await sheet_against(host, page, "Bruno")
            (rival,) = [one for one in sheet["choices"] if one["name"] == "Rival"]
            assert rival["options"][rival["chosen"]]["label"] == "Con Bruno"
            opened = await page.ask("press", code=button(sheet, "Retar a Bruno")["code"])
            table = opened["open"]
            asked = await his.board(table, lambda board: board["rows"])
            assert asked["headline"] == "Nerea te reta a una partida amistosa de Niya."
            assert (await his.press(table, button(asked, "Aceptar")))["good"]
            await page.board(table, lambda board: not board["open"])


@pytest.mark.slow
async def test_a_challenge_waits_for_its_answer_before_the_next_one(at):
    host = await at.first()
    async with host.open() as page:
        await seated(at, page)
        for good in (True, False):
            sheet = await sheet_against(host, page, "Bruno")
            answer = await page.ask("press", code=button(sheet, "Retar a Bruno")["code"])
            assert answer["good"] is good, answer["said"]
        assert "open" not in answer
        assert answer["said"].startswith("Esa persona aún no ha contestado a tu reto anterior.")


@pytest.mark.slow
async def test_who_refuses_challenges_is_not_challenged(at):
    host = await at.first()
    async with host.open() as page:
        _, bruno = await seated(at, page)
        await refuse(at.facade, Asker("web", bruno.path[3:], "Bruno"))
        sheet = await sheet_against(host, page, "Bruno")
        answer = await page.ask("press", code=button(sheet, "Retar a Bruno")["code"])
        assert not answer["good"]
        assert "Bruno" in answer["said"]


@pytest.mark.slow
async def test_whom_one_has_refused_and_computers_are_not_listed(at):
    host = await at.first()
    async with host.open() as page:
        await page.type("/play niya opponent=computer level=1")
        assert await known_to(host) == []
        _, bruno = await seated(at, page)
        async with bruno.open() as his:
            sheet = await sheet_against(host, page, "Bruno")
            table = (await page.ask("press", code=button(sheet, "Retar a Bruno")["code"]))["open"]
            asked = await his.board(table, lambda board: board["rows"])
            await his.press(table, button(asked, "No recibir más de Nerea"))
            assert await known_to(bruno) == []
            assert [one["name"] for one in await known_to(host)] == ["Bruno"]


@pytest.mark.slow
async def test_who_is_forgotten_is_listed_no_more(at):
    host = await at.first()
    async with host.open() as page:
        _, bruno = await seated(at, page)
        async with bruno.open() as his:
            sure = await his.type("/forgetme")
            screen = sure.get("card") or sure["board"]
            (yes,) = [one for row in screen["rows"] for one in row if one["style"] == "danger"]
            assert (await his.ask("press", code=yes["code"]))["good"]
        assert await known_to(host) == []
