"""The page as it is opened: what it shows first comes along with it."""

from __future__ import annotations

import base64
import html
import json
import re

import pytest
from aiohttp import web

from bot.chats.web.message_formatting import PageWriter
from storage.errors import DatabaseBusy
from tests.chats.pages import Server, Visitor, seated
from tests.chats.test_web_talk import sure

IMAGE = re.compile(
    r'<div class="pic"><img src="data:image/png;base64,([^"]+)" alt="([^"]*)" '
    r'data-picture="([^"]*)"'
)


async def opened(visitor: Visitor, table: str = "", **headers: str) -> str:
    """The page as a browser gets it, where games are chosen or at *table*."""
    at = f"t/{table}" if table else ""
    status, body = await visitor.get(f"{visitor.path}/{at}", **headers)
    assert status == 200
    return body.decode()


def told(page: str) -> dict:
    """What *page* says of itself."""
    found = re.findall(r'<script type="application/json" id="state">(.*?)</script>', page)
    assert len(found) == 1
    return json.loads(found[0])


async def with_table(at: Server, name: str = "Nerea") -> tuple[Visitor, str]:
    """Somebody who sits at the only table on his page."""
    visitor = await at.first(name)
    async with visitor.open() as page:
        table, _ = await seated(at, page)
    return visitor, table


async def test_the_board_of_the_address_comes_along_with_its_picture_and_its_size(at):
    visitor, table = await with_table(at)
    assert not IMAGE.findall(await opened(visitor)), "games are chosen there"
    page = await opened(visitor, table)
    assert f'<base href="{visitor.path}/">' in page
    state = told(page)
    async with visitor.open(table) as open_page:
        boards = open_page.state["boards"]
    # What the page draws itself comes once it is open.
    assert boards[0]["scene"]["parts"]
    drawn = [{**board, "scene": None} for board in boards]
    assert [board["table"] for board in state["boards"]] == [table]
    assert state["boards"] == drawn
    data, alt, picture = IMAGE.findall(page)[0]
    assert picture == state["boards"][0]["picture"]
    assert html.unescape(alt) == state["boards"][0]["alt"]
    assert await visitor.get(f"{visitor.path}/{picture}") == (200, base64.b64decode(data))
    high, (top, low) = (state["boards"][0][key] for key in ("height", "crop"))
    told_ratio = re.search(r'<body class="early" data-w="1" data-h="([0-9.]+)"', page)[1]
    assert abs(float(told_ratio) - (low - top) * high / 800) < 0.01, "the board between its bars"
    headline = html.escape(state["boards"][0]["headline"].removeprefix("▶ "))
    assert f'<h2 class="turn">{headline}</h2>' in page, "the sign is drawn, as no font need have it"


@pytest.mark.slow
async def test_of_several_boards_that_of_the_address_comes(at):
    visitor, _ = await with_table(at)
    async with visitor.open() as page:
        await page.type("/play niya")
    state = told(await opened(visitor))
    assert len(state["boards"]) == 2
    for board in state["boards"]:
        came = [picture for *_, picture in IMAGE.findall(await opened(visitor, board["table"]))]
        assert came == list(filter(None, [board["picture"]]))


async def looked_at(visitor: Visitor, table: str) -> None:
    """Let the page of *visitor* look at *table*, and be closed."""
    async with visitor.open() as page:
        await page.send("look", table=table)
        await page.ask("lobby")


async def at_once(visitor: Visitor, table: str, monkeypatch) -> str:
    """What *visitor*'s browser has of his page at *table* before anything is read for it."""
    had: list[bytes] = []
    early: list[bytes] = []
    boards, write = PageWriter.all, web.StreamResponse.write

    async def noted(self, data):
        had.append(data)
        await write(self, data)

    async def asked(self, guest):
        early.extend(had)
        return await boards(self, guest)

    with monkeypatch.context() as patched:
        patched.setattr(web.StreamResponse, "write", noted)
        patched.setattr(PageWriter, "all", asked)
        page = await opened(visitor, table, **{"Accept-Encoding": "identity"})
    assert len(IMAGE.findall(page)) == 1
    begun = b"".join(early).decode()
    assert page.startswith(begun)
    return begun


@pytest.mark.slow
async def test_a_picture_at_hand_waits_for_nothing(at, monkeypatch):
    visitor, table = await with_table(at)
    page = await opened(visitor, table)
    await looked_at(visitor, table)
    early = await at_once(visitor, table, monkeypatch)
    assert IMAGE.findall(early) == IMAGE.findall(page)
    assert re.findall("<body[^>]*>", early) == re.findall("<body[^>]*>", page)
    assert early.endswith('</main>\n<p class="vh" id="live" aria-live="polite"></p>\n')


@pytest.mark.slow
async def test_what_was_in_view_is_not_shown_once_it_is_no_more(at, monkeypatch):
    visitor = await at.first("Nerea")
    async with visitor.open() as page:
        table, other = await seated(at, page)
    await looked_at(visitor, table)
    assert IMAGE.findall(await at_once(visitor, table, monkeypatch))
    async with other.open() as page:
        await page.press(table, sure(await page.type("/resign", table)))
    assert not IMAGE.findall(await at_once(visitor, table, monkeypatch))


@pytest.mark.slow
async def test_where_nobody_knows_which_board_is_looked_at_none_is_shown_before_the_page_says(at):
    visitor, _ = await with_table(at)
    async with visitor.open() as page:
        await page.type("/play niya")
        await page.send("look", table="")
        await page.ask("lobby")
    page = await opened(visitor)
    assert len(told(page)["boards"]) == 2
    assert not IMAGE.findall(page)
    assert '<body class="home">' in page


async def test_who_has_no_name_yet_is_told_nothing_before_he_asks(at):
    visitor = Visitor(at)
    await visitor.enter(at.told[-1])
    page = await opened(visitor)
    assert "application/json" not in page
    assert '<body class="nameless home">' in page


@pytest.mark.slow
async def test_it_speaks_what_the_browser_speaks_now(at):
    visitor, _ = await with_table(at)
    for spoken, language in (("en-GB,en;q=0.9", "en"), ("es", "es"), ("tlh", "es")):
        page = await opened(visitor, **{"Accept-Language": spoken})
        assert told(page)["language"] == language


@pytest.mark.slow
async def test_its_pictures_are_in_what_this_device_wore_last(at):
    visitor, _ = await with_table(at)
    pictures = {}
    for theme in ("light", "dark"):
        async with visitor.open(theme=theme):
            pass
        state = told(await opened(visitor))
        assert state["theme"] == theme
        pictures[theme] = state["boards"][0]["picture"]
    assert pictures["light"] != pictures["dark"]


async def test_no_name_ends_what_it_stands_in(at):
    visitor, table = await with_table(at, '</script><b>"N&amp;')
    page = await opened(visitor, table)
    assert told(page)["name"].startswith("</script>")
    assert "</script><b>" not in page
    [(_, alt, _)] = IMAGE.findall(page)
    assert html.unescape(alt) == told(page)["boards"][0]["alt"]


@pytest.mark.slow
async def test_what_cannot_be_told_now_is_asked_for_later(at, monkeypatch, caplog):
    visitor, _ = await with_table(at)

    async def busy(_self, _guest):
        raise DatabaseBusy("another one writes")

    monkeypatch.setattr(PageWriter, "all", busy)
    page = await opened(visitor)
    assert "application/json" not in page
    assert page.rstrip().endswith("</html>")
    assert "another one writes" in caplog.text


@pytest.mark.slow
async def test_it_is_packed_and_whoever_only_asks_for_its_head_gets_no_more(at):
    visitor, _ = await with_table(at)
    url = f"{at.url}{visitor.path}/"
    async with at.http.get(url, headers=visitor.headers(**{"Accept-Encoding": "gzip"})) as packed:
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in packed.headers["Content-Security-Policy"]
        assert told(await packed.text()) == told(await opened(visitor))
    async with at.http.head(url, headers=visitor.headers()) as head:
        assert head.status == 200
        assert await head.read() == b""
