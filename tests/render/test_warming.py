"""What is drawn ahead: the first picture of a process finds its sprites in their file."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import __version__
from bot.app import runner
from bot.app.settings import Settings
from games.core.shelf import find_game, shelf
from render import paint
from render.kit.canvas import LARDER
from render.kit.drawing import Drawing, Lettering, Stroke
from render.kit.store import STORE
from render.warming import THEMES, drawn_ahead, is_drawn_ahead
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


@pytest.mark.parametrize("key", shelf())
@pytest.mark.usefixtures("file")
def test_the_first_picture_of_a_game_draws_next_to_nothing(key, monkeypatch):
    table = begun(find_game(key), {}, min(find_game(key).seats), 1).table
    scene = seen_from(table, None)
    drawn: list[Stroke] = []
    real = Drawing.draw

    def draw(drawing: Drawing, stroke: Stroke) -> None:
        drawn.append(stroke)
        real(drawing, stroke)

    monkeypatch.setattr(Drawing, "draw", draw)
    for theme in THEMES:
        paint(in_theme(scene, theme))
    without = len([one for one in drawn if not isinstance(one, Lettering)])
    forget()
    assert list(drawn_ahead([key], "1"))
    forget()
    drawn.clear()
    for theme in THEMES:
        paint(in_theme(scene, theme))
    assert len([one for one in drawn if not isinstance(one, Lettering)]) <= without / 10


@pytest.mark.usefixtures("file")
def test_it_is_drawn_once_a_release_and_nothing_of_it_stays():
    assert list(drawn_ahead(["niya"], "1"))
    assert LARDER.weight == 0
    assert not list(drawn_ahead(["niya"], "1"))
    assert list(drawn_ahead(["niya"], "2"))


def test_without_a_file_nothing_is_drawn_ahead():
    assert not list(drawn_ahead(["niya"], "1"))


@pytest.mark.usefixtures("file")
async def test_a_bot_draws_ahead_once_it_runs(monkeypatch):
    monkeypatch.setattr(runner, "AHEAD", 0)
    monkeypatch.setattr(runner, "shelf", lambda: ["niya"])
    await runner._drawn_ahead()
    assert not list(drawn_ahead(["niya"], __version__))


@pytest.mark.usefixtures("file")
async def test_a_bot_that_ends_ends_the_drawing_too(monkeypatch):
    begun: list[asyncio.subprocess.Process] = []
    real = asyncio.create_subprocess_exec

    async def noted(*command, **how):
        begun.append(await real(*command, **how))
        return begun[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    monkeypatch.setattr(runner, "AHEAD", 0)
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
    monkeypatch.setattr(runner, "AHEAD", 0)
    monkeypatch.setattr(sys, "executable", "/nowhere")
    await runner._drawn_ahead()
    assert "no sprites are drawn ahead" in caplog.text
    assert not is_drawn_ahead(__version__)


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
