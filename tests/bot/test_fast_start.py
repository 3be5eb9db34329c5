"""What commands that should be there at once do not import, and that they say the same."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bot.app import game_list, offline_game_commands, operator_client
from bot.app.operator_acts import ACTS
from bot.app.operator_client import ACT_WORDS, DEFAULT_DATABASE, read_database_url
from bot.app.settings import read_settings
from storage import Store
from tests.command_line import Ludoteca

HEAVY = (
    "asyncio|importlib.metadata|pydantic|dotenv|babel|sqlalchemy|aiohttp|PIL|games.core|bot.texts"
)


@pytest.mark.parametrize("typed", ["--version", "help", "games", "ban discord 1", "export f web x"])
def test_what_should_be_there_at_once_imports_nothing_heavy(tmp_path: Path, typed: str) -> None:
    timed = [sys.executable, "-X", "importtime", "-m", "bot", *typed.split()]
    done = subprocess.run(timed, cwd=tmp_path, capture_output=True, text=True, check=False)
    read = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "bot.app.main" in read
    assert read & set(HEAVY.split("|")) == set()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "typed",
    [
        *("backup x.db", "person discord 1", "restore x.db", "upgrade"),
        *("ban discord 1", "unban discord 1"),
    ],
)
def test_what_needs_the_database_alone_imports_neither_games_nor_chats(
    tmp_path: Path, typed: str
) -> None:
    asyncio.run(_made(tmp_path))
    timed = [sys.executable, "-X", "importtime", "-m", "bot", *typed.split()]
    done = subprocess.run(timed, cwd=tmp_path, capture_output=True, text=True, check=False)
    read = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "storage.store" in read
    assert read & {"bot.facade.facade", "bot.chats.web", "games.shogi", "aiohttp", "PIL"} == set()


async def _made(folder: Path) -> None:
    await (await Store.open(f"sqlite+aiosqlite:///{folder}/ludoteca.db")).close()


def test_a_command_collects_no_garbage_while_it_imports_the_house(tmp_path: Path) -> None:
    telling = "import atexit, gc; atexit.register(lambda: print(gc.get_stats()[2]['collections']))"
    typed = "from bot.app.main import main; main(['announce', 'Hello'])"
    asyncio.run(_made(tmp_path))
    command = [sys.executable, "-c", f"{telling}; {typed}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"


@pytest.mark.parametrize("code", ["es", "en"])
def test_the_list_of_games_that_was_made_ahead_is_that_of_the_games(
    code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDOTECA_LANGUAGE", code)
    offline_game_commands.tell_games()
    assert Path(game_list.list_file(code)).read_text("utf-8") == capsys.readouterr().out


def test_a_game_of_another_distribution_stands_in_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not game_list.declares_games()
    made = tmp_path / "ludoteca_oca-1.dist-info"
    made.mkdir()
    (made / "entry_points.txt").write_text('[ludoteca.games]\noca = "ludoteca_oca:GAME"\n')
    monkeypatch.syspath_prepend(tmp_path)
    assert game_list.declares_games()


def test_every_act_has_its_words() -> None:
    assert ACTS.keys() == ACT_WORDS.keys()


@pytest.mark.parametrize(
    "named", ["", "sqlite+aiosqlite:///other.db", "postgresql+asyncpg://u@h/d"]
)
@pytest.mark.parametrize("place", ["environment", "file", "nowhere"])
def test_the_database_is_found_as_the_settings_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if place == "environment":
        monkeypatch.setenv("database_url", named)
    if place == "file":
        (tmp_path / ".env").write_text(f"export DATABASE_URL='{named}'\n")
    assert read_database_url() == read_settings().database_url
    assert place != "nowhere" or read_database_url() == DEFAULT_DATABASE


def test_a_ban_where_there_is_no_database_says_so_in_both_languages(
    ludoteca: Ludoteca, tmp_path: Path
) -> None:
    file = (tmp_path / "ludoteca.db").resolve()
    said = {code: ludoteca(tmp_path, "ban", "web", "0" * 32, LANG=code) for code in ("en", "es")}
    assert said["en"].stderr == f"There is no database {file} yet.\n"
    assert said["es"].stderr == f"Todavía no hay ninguna base de datos {file}.\n"
    assert {one.returncode for one in said.values()} == {2}
    assert operator_client.sockets_of(f"sqlite+aiosqlite:///{file}") == ()
