"""The pages of rules and of today's move, which strangers and searchers read in every house."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pytest
from PIL import Image

from bot.chats.web import DoorKeys
from bot.chats.web.budget import PURSES, request_price
from bot.presenters.rulebook import rules_book
from bot.session.daily_calendar import number_of
from bot.texts import LANGUAGES
from games.core.shelf import shelf
from tests.chats.pages import Server, Visitor, server


async def read(at: Server, path: str, language: str = "es") -> tuple[int, str]:
    status, body = await Visitor(at).get(path, **{"Accept-Language": language})
    return status, body.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", list(shelf()))
async def test_strangers_read_the_rules_of_every_game_in_their_language(at, game, language):
    status, body = await read(at, f"/rules/{game}", language)
    book = rules_book(shelf()[game], language)
    assert status == 200
    assert f'<html lang="{language}">' in body
    assert f"<title>{book.title} · " in body
    text = unescape(re.sub(r"<[^>]+>", "", body))
    for chapter in book.chapters:
        assert chapter.title in text
        for part in chapter.parts:
            assert "".join(said for _, said in part.spans) in text
    assert "<script" not in body


async def test_a_page_of_rules_says_what_it_is_to_searchers_in_both_languages(at):
    for path in ("/rules", "/rules/niya"):
        _, body = await read(at, path)
        for wanted in ('name="description" content="', 'property="og:image" content="http'):
            assert wanted in body, path
        found = re.findall(r'hreflang="(\w+)" href="([^"]+)"', body)
        assert {code for code, _ in found} == set(LANGUAGES)
        for code, address in found:
            assert (
                f'<html lang="{code}">' in (await read(at, address.removeprefix(at.url), "de"))[1]
            )
    _, listed = await read(at, "/rules")
    assert all(f'href="/rules/{game}?language=es"' in listed for game in shelf())
    _, robots = await read(at, "/robots.txt")
    assert {"Allow: /today", "Allow: /rules"} <= set(robots.splitlines())
    door = (await read(at, "/"))[1]
    assert 'href="/rules/niya"' in door, "a closed house has its rules behind its posters"


async def test_figures_and_signs_of_rules_are_pictures_for_all_and_nothing_else_is(at):
    _, body = await read(at, "/rules/shogi")
    found = set(re.findall(r'(?:src|srcset)="(/door/rules/[^"]+)"', body))
    book = rules_book(shelf()["shogi"], "es")
    figures = [part for one in book.chapters for part in one.parts if part.figure]
    assert len(found) == 2 * len(figures) + sum(len(one.faces) for one in book.signs)
    for path in sorted(found)[:: len(found) // 6]:
        status, data = await Visitor(at).get(path)
        assert (status, Image.open(BytesIO(data)).format) == (200, "PNG"), path
    for path in (
        "/rules/chess",
        "/rules/shogi/2",
        "/door/rules/es/shogi-nothing/light.png",
        "/door/rules/es/chess-board/light.png",
    ):
        assert (await read(at, path))[0] == 404, path


async def test_today_is_the_move_of_the_day_with_its_preview_and_a_way_to_play_it(at):
    number = number_of(at.facade.services.clock.now().toordinal())
    status, body = await read(at, "/today")
    assert status == 200
    assert f" n.º {number} " in re.findall("<title>(.*?)</title>", body)[0]
    tags = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', body))
    assert tags["og:image"] == f"{at.url}/today/{number}.png"
    assert tags["description"] == tags["og:title"]
    assert f'<link rel="canonical" href="{at.url}/today/{number}">' in body
    assert 'href="/#puzzle"' in body
    width, high = re.findall(r'<img class="day"[^>]* width="(\d+)" height="(\d+)"', body)[0]
    _, picture = await Visitor(at).get(f"/today/{number}.png")
    shown = Image.open(BytesIO(picture))
    assert shown.width / shown.height == pytest.approx(int(width) / int(high), abs=0.01)


async def test_whoever_is_known_reads_on_their_own_page(at):
    visitor = await at.first()
    for path, to in (("/rules/niya", "rules/niya"), ("/today", "puzzle/today")):
        _, body = await visitor.get(path)
        assert f"url={visitor.path}/{to}" in body.decode()


async def test_an_open_house_leads_from_the_rules_to_a_table(tmp_path):
    async with server(tmp_path, doors=DoorKeys(open_house=True)) as at:
        assert "/door/guest?to=play/niya" in (await read(at, "/rules/niya"))[1]


@pytest.mark.usefixtures("strangers_pay", "nobody_is_held")
async def test_whoever_reads_without_end_is_refused(at, monkeypatch):
    budget = at.chat._server.budget
    monkeypatch.setattr(budget, "clock", lambda: 0.0)
    left = 2 * (request_price("front") + request_price(""))
    budget.spend("address", "127.0.0.1", PURSES["address"].at_once - left)
    assert [(await read(at, "/rules/niya"))[0] for _ in range(3)] == [200, 200, 429]
