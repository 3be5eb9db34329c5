"""``ludoteca demo``: a house that keeps nothing, with a film of each game, a puzzle and a seat."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from types import SimpleNamespace

import aiohttp
import pytest

from bot.app.operator_client import IN_MEMORY
from bot.app.settings import demo_settings
from games.core.shelf import shelf
from tests.chats.pages import Visitor
from tests.command_line import Ludoteca, one_sentence
from tests.live_bot import asked, running_demo

ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A demo in a process of its own, whose every folder is *tmp_path*, and its port."""
    with running_demo(tmp_path) as running:
        yield running


@pytest.mark.slow
def test_the_demo_shows_films_a_puzzle_and_a_seat_and_leaves_nothing_behind(demo, tmp_path):
    process, port = demo
    status, body = asked(port, "/", ENGLISH)
    assert status == 200
    assert {f"film-{game}.webp" for game in shelf()} <= set(re.findall(r"film-\w+\.webp", body))
    films = [asked(port, one)[0] for one in re.findall(r'src="(/static/\w+/film-[^"]+)"', body)]
    assert films == [200] * (len(shelf()) + 1)
    pressed = re.findall(r'href="(/\?press=[^"]+)"', body)
    assert asked(port, unescape(pressed[0]))[0] == 200
    ways = set(re.findall(r"guest\?to=([^\"]+)", body))
    assert {f"play/{game}/1" for game in shelf()} <= ways
    assert [one for one in ways if "now/" in one] == []
    assert "nothing is kept" in body
    asyncio.run(_play(port))
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert process.stdout is not None
    assert process.stdout.read() == f"http://127.0.0.1:{port}/\n"
    assert list(tmp_path.iterdir()) == []


async def _play(port: int) -> None:
    """Sit down against a computer, without a name, and move; it answers."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), headers=ENGLISH) as http:
        url = f"http://127.0.0.1:{port}"
        visitor = Visitor(SimpleNamespace(http=http, url=url))  # type: ignore[arg-type]
        assert await visitor.enter(f"{url}/door/guest?on&to=play/niya/1") == 200
        async with visitor.open(language="en") as page:
            assert page.state["name"] == "Guest"
            (table,) = page.boards
            board = await page.board(table, lambda _: page.moves(table))
            assert board["language"] == "en", "the house speaks Spanish"
            assert (await page.press(table, page.moves(table)[0]))["good"]
            await page.board(
                table, lambda now: page.moves(table) and now["version"] > board["version"] + 1
            )


@pytest.mark.parametrize(("code", "said"), [("en", "is taken by"), ("es", "lo ocupa otro")])
def test_a_port_that_is_taken_is_told_in_a_sentence(ludoteca: Ludoteca, tmp_path, code, said):
    with TCPServer(("127.0.0.1", 0), BaseRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        port = str(other.server_address[1])
        sentence = one_sentence(ludoteca(tmp_path, "demo", WEB_PORT=port, LANG=code), 2)
        other.shutdown()
    assert said in sentence
    assert port in sentence


def test_a_demo_reaches_no_platform_and_no_database(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = {"DISCORD_TOKEN": "x", "TELEGRAM_TOKEN": "1:x", "DATABASE_URL": "sqlite:///a.db"}
    for name, value in {**told, "WEB_PUBLIC_URL": "https://x.example", "WEB_PORT": "0"}.items():
        monkeypatch.setenv(name, value)
    settings = demo_settings()
    assert settings.is_demo
    assert (settings.database_url, settings.web_port, settings.public_origin) == (IN_MEMORY, 0, "")
    assert settings.discord_token is settings.telegram_token is None
