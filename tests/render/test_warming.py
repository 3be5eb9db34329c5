"""What is drawn ahead: the first picture of a process finds its sprites in their file."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path

import pytest

from bot.app import runner
from bot.app.settings import Settings
from bot.facade import Facade
from bot.presenters.game_poster import poster
from bot.service import clock
from bot.service.computers.pool import Thinkers
from games.core.shelf import find_game, shelf
from render import warming
from render.kit import Canvas, Sprite, sprite_cache
from render.kit.painters import paint
from render.kit.sprite_cache import MEMORY, STORE
from render.warming import USUAL_THEMES, is_warm, warm
from tests.fakes import desk, person
from tests.played import begun
from tests.render.eyes import forget
from tests.render.moments import in_theme, seen_from


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    STORE.open(tmp_path / "sprites.db")
    forget()
    yield tmp_path / "sprites.db"
    STORE.close()
    forget()


@pytest.mark.slow
@pytest.mark.parametrize("key", shelf())
@pytest.mark.usefixtures("file")
def test_the_first_picture_of_a_game_draws_next_to_nothing(key, monkeypatch):
    table = begun(find_game(key), {}, min(find_game(key).rules.seats), 1).table
    scene = seen_from(table, None)
    drawn = 0
    real = Canvas.sprite

    def sprite(canvas: Canvas) -> Sprite:
        nonlocal drawn
        found = real(canvas)
        drawn += found.width * found.height
        return found

    monkeypatch.setattr(Canvas, "sprite", sprite)
    for theme in USUAL_THEMES:
        paint(in_theme(scene, theme))
    without, drawn = drawn, 0
    forget()
    assert list(warm([key]))
    forget()
    drawn = 0
    for theme in USUAL_THEMES:
        paint(in_theme(scene, theme))
    assert drawn <= without / 10


@pytest.mark.usefixtures("file")
def test_it_is_drawn_once_a_version_and_nothing_of_it_stays(file, monkeypatch):
    monkeypatch.setattr(warming, "USUAL_THEMES", USUAL_THEMES[:1])
    assert list(warm(["niya"]))
    assert MEMORY.currsize == 0
    assert not list(warm(["niya"]))
    monkeypatch.setattr(sprite_cache, "_version", lambda: b"another")
    STORE.open(file)
    assert list(warm(["niya"]))


def test_without_a_file_nothing_is_drawn_ahead():
    assert not list(warm(["niya"]))


@pytest.mark.slow
@pytest.mark.usefixtures("file")
async def test_a_bot_draws_ahead_once_it_runs(monkeypatch):
    monkeypatch.setattr(runner, "SPRITE_DELAY", 0)
    monkeypatch.setattr(runner, "shelf", lambda: ["niya"])
    await runner._drawn_ahead()
    assert is_warm("niya")


@pytest.mark.slow
async def test_once_it_runs_a_bot_has_the_posters_of_a_first_play_painted(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "SPRITE_DELAY", 0)
    monkeypatch.setattr(runner, "BETWEEN", 0)
    monkeypatch.setattr(runner, "shelf", lambda: ["niya"])
    async with desk(tmp_path) as at:
        shown = poster(find_game("niya"), "light", "es")
        assert shown is not None
        assert at.facade.boards.painted(shown) is None
        await made_ready(at.facade, at.facade.services.thinkers)
        assert at.facade.boards.painted(shown) is not None
        await at.call(person("Nerea"), "play", game="niya")
        assert next(iter(at.chat.messages.values())).screen.poster == shown


def made_ready(facade: Facade, thinkers: Thinkers) -> Coroutine[None, None, None]:
    """A bot that makes itself ready, in Spanish."""
    return runner._made_ready(facade.boards, thinkers, facade.requests.arrivals.lull, "es")


async def test_nothing_is_made_ready_while_somebody_presses(tmp_path, monkeypatch):
    for name, seconds in (("SPRITE_DELAY", 0), ("BETWEEN", 0)):
        monkeypatch.setattr(runner, name, seconds)
    monkeypatch.setattr(clock, "LULL", 0.4)
    begun: list[float] = []
    async with desk(tmp_path) as at:
        loop = asyncio.get_running_loop()

        async def painted(*_):
            begun.append(loop.time())

        monkeypatch.setattr(type(at.facade.boards), "picture", painted)
        making = asyncio.create_task(made_ready(at.facade, Thinkers(0)))
        for _ in range(4):
            with at.facade.requests.arrivals.taking(None):
                last = loop.time()
            await asyncio.sleep(0.1)
        async with asyncio.timeout(20):
            while not begun:
                await asyncio.sleep(0.01)
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)
    assert begun[0] >= last + 0.4


async def test_a_house_in_which_somebody_always_presses_is_made_ready_all_the_same(monkeypatch):
    monkeypatch.setattr(clock, "LULL", 0.05)
    arrivals = clock.Arrivals(clock.SteadyClock())

    async def press() -> None:
        while True:
            with arrivals.taking(None):
                await asyncio.sleep(0.01)

    pressing = asyncio.create_task(press())
    await asyncio.sleep(0.02)
    async with asyncio.timeout(5):
        await arrivals.lull()
    pressing.cancel()


@pytest.mark.usefixtures("file")
async def test_a_bot_that_ends_ends_the_drawing_too(monkeypatch):
    begun: list[asyncio.subprocess.Process] = []
    real = asyncio.create_subprocess_exec

    async def noted(*command, **how):
        begun.append(await real(*command, **how))
        return begun[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    monkeypatch.setattr(runner, "SPRITE_DELAY", 0)
    drawing = asyncio.create_task(runner._drawn_ahead())
    async with asyncio.timeout(60):
        while not begun:
            await asyncio.sleep(0)
    drawing.cancel()
    await asyncio.gather(drawing, return_exceptions=True)
    assert begun[0].returncode == -signal.SIGKILL


@pytest.mark.usefixtures("file")
async def test_where_no_other_process_can_begin_sprites_are_drawn_as_they_are_needed(
    monkeypatch, caplog
):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(runner, "SPRITE_DELAY", 0)
    monkeypatch.setattr(sys, "executable", "/nowhere")
    await runner._drawn_ahead()
    assert "no sprites are drawn ahead" in caplog.text
    assert not is_warm("niya")


def test_sprites_lie_in_the_cache_where_the_database_is_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    runner._keep_sprites(Settings(database_url="postgresql+asyncpg://it@nowhere/games"))
    try:
        assert STORE.keeps
        assert (tmp_path / "cache" / "ludoteca" / runner.SPRITES).exists()
    finally:
        STORE.close()


def test_without_a_folder_sprites_are_drawn_anew(tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file stands in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    runner._keep_sprites(Settings(database_url="postgresql+asyncpg://it@nowhere/games"))
    assert not STORE.keeps
