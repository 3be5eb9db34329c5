"""The examples of programs play whole games, as children that know the address and a key alone."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.chats.pages import Server, server
from tests.chats.programs import ProgramClient, new_program
from tests.fakes import person

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "programs"
FREE = ((10_000, 1.0),)
ANA = person("Ana", "web")

ENGINE = """#!{python}
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("usi", "isready"):
        print({{"usi": "usiok", "isready": "readyok"}}[word], flush=True)
    elif word == "position":
        turn = line.split()[3]
        moves = int(line.split()[5])
    elif word == "go":
        move = {{"b": ("7g7f", "2g2f"), "w": ("3c3d", "8c8d")}}[turn]
        print("bestmove", (*move, "resign")[(moves - 1) // 2], flush=True)
"""


@pytest.fixture(autouse=True)
def _free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.request_rate_limits.SEATED", FREE)
    monkeypatch.setattr("bot.service.request_rate_limits.OTHERS", FREE)


async def started(at: Server, script: str, *words: str) -> asyncio.subprocess.Process:
    environment = {"LUDOTECA_KEY": await new_program(at.facade, ANA), "PATH": "/usr/bin:/bin"}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / script), at.url, *words),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )


async def said(process: asyncio.subprocess.Process, begin: str) -> str:
    async with asyncio.timeout(60):
        while line := (await process.stdout.readline()).decode():
            if line.startswith(begin):
                return line.removeprefix(begin).strip()
    raise AssertionError(f"nothing that begins with {begin!r}")


async def test_two_random_players_play_a_game_to_its_end(tmp_path: Path) -> None:
    async with server(tmp_path) as at:
        one = await started(at, "random_player.py", "niya")
        other = await started(at, "random_player.py", await said(one, "at table"))
        assert "places" in await said(one, "over:")
        assert "places" in await said(other, "over:")
        assert [await one.wait(), await other.wait()] == [0, 0]


@pytest.mark.slow
async def test_a_usi_engine_sits_at_a_table_until_it_resigns(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text(ENGINE.format(python=sys.executable))
    engine.chmod(0o755)
    async with server(tmp_path) as at:
        one = await started(at, "usi_player.py", "-", str(engine), "10")
        code = await said(one, "at table")
        other = await started(at, "usi_player.py", code, str(engine), "10")
        assert "resign" in await said(one, "over:")
        assert "resign" in await said(other, "over:")
        assert [await one.wait(), await other.wait()] == [0, 0]
        looker = ProgramClient(at.url, await new_program(at.facade, ANA), at.http)
        await looker.get(f"/tables/{code}")
        assert looker.status == 404
        log = (await at.facade.services.tables.get(code)).log
        assert [entry.text for entry in log] == ["7g7f", "3c3d", "2g2f", "8c8d"]
