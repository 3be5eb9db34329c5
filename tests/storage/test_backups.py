"""Copies taken beside a running bot."""

from __future__ import annotations

import asyncio
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage import Store, check_backups, check_database, write_backup, write_backup_if_due
from storage.errors import CorruptDatabase, DatabaseUnavailable, UnsupportedDatabase
from storage.table import games, views
from tests.storage.rows import NOON, PLAYING, add_game, add_view, event

FILES = True


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "monday.db"


async def clicks(store: Store, stop: asyncio.Event) -> int:
    """Clicks until told to stop; answers the last version."""
    version = 1
    while not stop.is_set():
        async with store.transaction() as tx:
            moves = [event(version + 1), event(version + 2)]
            await games.append_events(tx, "k7", version, moves, standing=PLAYING, at=NOON)
            await views.owe_views(tx, "k7", version + 2)
        version += 2
    return version


async def test_a_copy_beside_a_running_bot_is_one_whole_state(
    store: Store, url: str, target: Path
) -> None:
    target.parent.mkdir()
    async with store.transaction() as tx:
        await add_game(tx)
        await add_view(tx)
    stop = asyncio.Event()
    running = asyncio.create_task(clicks(store, stop))
    versions = []
    for number in range(5):
        copy = target.with_name(f"{number}.db")
        await write_backup(url, copy)
        assert [
            found
            for found in await check_database(f"sqlite+aiosqlite:///{copy}")
            if found.level != "fine"
        ] == []
        there = await Store.open(f"sqlite+aiosqlite:///{copy}")
        async with there.reading() as tx:
            row = await games.load_game(tx, "k7")
            assert row is not None
            assert len(await games.load_events(tx, "k7")) == row.version
            assert [view.owed for view in await views.views_of_game(tx, "k7")] == [row.version]
        await there.close()
        versions.append(row.version)
    stop.set()
    last = await running
    assert versions == sorted(versions)
    assert 1 < versions[-1] <= last


async def test_what_is_not_committed_is_not_in_the_copy(
    store: Store, url: str, target: Path
) -> None:
    target.parent.mkdir()
    async with store.transaction() as tx:
        await add_game(tx, "k7")
    async with store.transaction() as tx:
        await add_game(tx, "k8")
        await write_backup(url, target)
    there = await Store.open(f"sqlite+aiosqlite:///{target}", readonly=True)
    async with there.reading() as tx:
        assert await games.load_game(tx, "k7") is not None
        assert await games.load_game(tx, "k8") is None
    await there.close()


async def test_a_copy_is_for_its_owner_only_and_nothing_else_is_left(
    store: Store, url: str, target: Path
) -> None:
    target.parent.mkdir()
    await write_backup(url, target)
    assert [*target.parent.iterdir()] == [target]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


async def test_a_copy_overwrites_nothing(store: Store, url: str, target: Path) -> None:
    target.parent.mkdir()
    target.write_text("my only photograph")
    with pytest.raises(DatabaseUnavailable, match="exists already"):
        await write_backup(url, target)
    assert target.read_text() == "my only photograph"


async def test_a_copy_over_the_database_itself_is_refused(
    store: Store, url: str, file: Path
) -> None:
    with pytest.raises(DatabaseUnavailable, match="exists already"):
        await write_backup(url, file)


async def test_a_copy_into_a_missing_folder_is_refused(
    store: Store, url: str, target: Path
) -> None:
    with pytest.raises(DatabaseUnavailable, match="cannot be written"):
        await write_backup(url, target)
    assert not target.parent.exists()


async def test_there_is_nothing_to_copy_before_the_first_start(url: str, target: Path) -> None:
    with pytest.raises(DatabaseUnavailable, match="no database"):
        await write_backup(url, target)


async def test_a_damaged_database_is_not_copied(url: str, file: Path, target: Path) -> None:
    target.parent.mkdir()
    file.write_bytes(b"no database" * 1000)
    with pytest.raises(CorruptDatabase):
        await write_backup(url, target)
    assert [*target.parent.iterdir()] == []


@pytest.mark.parametrize("url", ["sqlite+aiosqlite://", "postgresql+asyncpg://db/ludoteca"])
async def test_what_is_no_file_is_not_copied(url: str, target: Path) -> None:
    with pytest.raises(UnsupportedDatabase):
        await write_backup(url, target)


MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
DAY = timedelta(days=1)


async def test_a_copy_a_day_is_made_and_the_newest_are_kept(
    store: Store, url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "ludoteca-mine.db").write_text("my only photograph")
    (folder / "ludoteca-2026-11-01-000000.db.part").touch()
    for hours in range(0, 24 * 5, 6):
        await write_backup_if_due(url, folder, 3, MONDAY + timedelta(hours=hours))
    assert sorted(one.name for one in folder.iterdir()) == [
        "ludoteca-2026-11-25-120000.db",
        "ludoteca-2026-11-26-120000.db",
        "ludoteca-2026-11-27-120000.db",
        "ludoteca-mine.db",
    ]
    (found,) = await check_backups(folder, MONDAY + 5 * DAY)
    assert (found.level, "24 hours old" in found.text) == ("fine", True)


async def test_copies_of_a_wrong_clock_do_not_push_out_those_of_the_right_one(
    store: Store, url: str, tmp_path: Path
) -> None:
    for days in (400, 401, 0, 1, 2):
        assert await write_backup_if_due(url, tmp_path, 2, MONDAY + days * DAY) is not None
    assert sorted(one.name for one in tmp_path.glob("ludoteca-*.db")) == [
        "ludoteca-2026-11-24-120000.db",
        "ludoteca-2026-11-25-120000.db",
    ]


async def test_a_copy_that_cannot_be_written_takes_no_old_one_away(
    store: Store, url: str, file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    made = await write_backup_if_due(url, folder, 1, MONDAY)
    await store.close()
    file.write_bytes(b"no database" * 1000)
    with pytest.raises(CorruptDatabase):
        await write_backup_if_due(url, folder, 1, MONDAY + DAY)
    assert [*folder.iterdir()] == [made]


@pytest.mark.parametrize(
    ("state", "level"),
    [("missing", "warning"), ("none", "warning"), ("old", "warning"), ("damaged", "error")],
)
async def test_the_doctor_looks_at_the_newest_copy(
    store: Store, url: str, tmp_path: Path, state: str, level: str
) -> None:
    folder = tmp_path / "copies"
    if state != "missing":
        folder.mkdir()
    if state in ("old", "damaged"):
        made = await write_backup_if_due(url, folder, 1, MONDAY)
        assert made is not None
        if state == "damaged":
            made.write_bytes(b"no database" * 1000)
    (found,) = await check_backups(folder, MONDAY + 3 * DAY)
    assert (found.check, found.level) == ("copies", level)
    assert str(folder) in found.text
