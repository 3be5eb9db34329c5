"""A database file that is replaced under the running bot: nothing is lost silently."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from bot.service import heartbeat
from storage.errors import DatabaseReplaced
from tests.databases import of_files
from tests.fakes import desk, person

NEREA = person("Nerea")

pytestmark = of_files


@pytest.fixture
async def at(tmp_path, monkeypatch):
    monkeypatch.setattr(heartbeat, "TICK", 0.05)
    async with desk(tmp_path) as opened:
        await opened.call(NEREA, "play", game="niya")
        await asyncio.sleep(0.2)
        yield opened


def deleted(file: Path) -> None:
    file.unlink()


def replaced(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.replace(file)


@pytest.mark.parametrize("end", ["", "-wal"])
@pytest.mark.parametrize("how", [deleted, replaced])
async def test_after_the_next_tick_nothing_is_acknowledged_and_reading_goes_on(
    at, tmp_path, caplog, how, end
):
    how(tmp_path / f"games.db{end}")
    await asyncio.sleep(0.3)
    refused = await at.call(NEREA, "play", game="shogi")
    assert not refused.good
    assert refused.said.startswith("El archivo de las partidas ya no está en su sitio")
    assert (await at.call(NEREA, "games")).good
    assert "was replaced or removed while the bot was running" in caplog.text
    with pytest.raises(DatabaseReplaced):
        await at.facade.store.check_files()


async def test_a_new_connection_and_a_swept_journal_are_no_replacement(at):
    store = at.facade.store
    await store.sweep()
    await asyncio.sleep(0.15)
    async with store._turn():
        await store._let_go()
        await store._engine.dispose()
    await asyncio.sleep(0.2)
    assert (await at.call(NEREA, "play", game="shogi")).good
    await asyncio.sleep(0.2)
    await store.check_files()
