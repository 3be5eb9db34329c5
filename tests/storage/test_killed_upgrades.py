"""An upgrade, a restore and a move killed before any step leave the old database or the new one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from storage import Store, bot_settings, write_backup
from tests import postgres
from tests.storage.releases import ORIGINS
from tests.storage.test_transfer import filled

FILES = True

pytestmark = pytest.mark.timeout(1800)  # each step takes two processes

ROOT = Path(__file__).resolve().parents[2]


def kills(what: str, source: object, target: object, every: int, *spare: str) -> int:
    """How often what is done was killed, and all was well."""
    told = (what, str(source), str(target), str(every), *spare)
    done = subprocess.run(
        [sys.executable, "-m", "tests.storage.killed_upgrades", *told],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    print(what, source, done.stdout)
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("origin", "every"),
    [
        pytest.param("0.1-house", 120, id="a few"),
        *(pytest.param(origin, 1, id=origin, marks=pytest.mark.slow) for origin in ORIGINS),
    ],
)
def test_an_upgrade_killed_before_any_step_is_made_by_the_next_start(
    origin: str, every: int, tmp_path: Path
) -> None:
    assert kills("upgrade", origin, tmp_path, every) >= 3 // every


@pytest.mark.slow
async def test_a_restore_killed_before_any_step_leaves_the_old_or_the_copy(
    url: str, file: Path, tmp_path: Path
) -> None:
    await filled(url)
    copy = tmp_path / "copy.db"
    await write_backup(url, copy)
    store = await Store.open(url)
    await store.write(bot_settings.put_setting, "told", "tuesday")
    await store.close()
    assert kills("restore", copy, url, 1) >= 10


@pytest.mark.slow
async def test_a_move_between_files_killed_before_any_step_leaves_all_or_nothing(
    url: str, tmp_path: Path
) -> None:
    await filled(url)
    new = f"sqlite+aiosqlite:///{tmp_path}/new.db"
    assert kills("move", url, new, 1) >= 50


@pytest.mark.slow
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
async def test_a_move_to_a_server_and_back_killed_before_any_step_leaves_all_or_nothing(
    url: str, tmp_path: Path
) -> None:
    await filled(url)
    server, spare = (postgres.database(f"{tmp_path}{one}") for one in ("", "spare"))
    assert kills("move", url, server, 17, spare) >= 25
    new, spare = (f"sqlite+aiosqlite:///{tmp_path}/{one}.db" for one in ("new", "spare"))
    assert kills("move", server, new, 17, spare) >= 25
