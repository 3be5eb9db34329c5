"""A bot that starts on a full disk: everything can be looked at, and nothing is saved."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.facade import process_duties
from bot.service import heartbeat
from tests.chats.pages import Visitor, named, server
from tests.databases import of_files
from tests.fakes import desk, person

NEREA = person("Nerea")

pytestmark = of_files


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of three megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nobody may mount a small disk here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(process_duties, "ROOM", 0.1)
    monkeypatch.setattr(heartbeat, "TICK", 0.1)


def crashed(folder: Path, small: Path) -> None:
    """The files of *folder*, whose bot is running, as a kill leaves them, on the full disk."""
    for end in ("", "-wal", "-shm"):
        shutil.copy(folder / f"games.db{end}", small / f"games.db{end}")
    (small / "games.db.lock").touch()
    filler = os.open(small / "filler", os.O_CREAT | os.O_WRONLY)
    try:
        while True:
            os.write(filler, b"x" * 512)
    except OSError:
        os.close(filler)


async def test_killed_on_a_full_disk_it_starts_reads_and_refuses_until_there_is_room(
    tmp_path, small
):
    async with desk(tmp_path) as at:
        await at.call(NEREA, "play", game="niya")
        code = list(at.chat.messages.values())[-1].screen.table
        crashed(tmp_path, small)
    async with desk(small) as at:
        assert code in (await at.call(NEREA, "games")).said
        refused = await at.call(NEREA, "play", game="shogi")
        assert not refused.good
        assert "disco" in refused.said
        (small / "filler").unlink()
        await asyncio.sleep(0.5)
        assert (await at.call(NEREA, "play", game="shogi")).good
        assert at.facade.services.notifications._watching is not None


async def test_whoever_knows_the_page_comes_in_on_a_full_disk(tmp_path, small, caplog):
    async with server(tmp_path) as at:
        visitor = Visitor(at)
        assert await visitor.enter(at.told[-1]) == 200
        await named(visitor, "Nerea")
        crashed(tmp_path, small)
    async with server(small) as again:
        visitor.server = again
        status, page = await visitor.get(f"{visitor.path}/")
        assert status == 200
        assert b"Nerea" in page
        assert "no new address" in caplog.text
