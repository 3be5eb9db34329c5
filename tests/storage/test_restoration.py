"""A copy put in the place of the database, whatever a crash has left beside that."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage import Store, bot_settings, check_database, restore_backup, write_backup
from storage.database import file as database_file
from storage.errors import (
    CorruptDatabase,
    DatabaseUnavailable,
    NewerDatabase,
    SecondProcess,
    UnsupportedDatabase,
)
from tests.storage.rows import one_sentence
from tests.storage.test_killed import child, prepared

FILES = True

ENDS = ("", "-wal", "-shm")


async def told(url: str) -> str | None:
    """What the house at *url* was last told."""
    store = await Store.open(url)
    found = await store.read(bot_settings.load_setting, "told")
    await store.close()
    return found


async def tell(url: str, value: str) -> None:
    store = await Store.open(url)
    await store.write(bot_settings.put_setting, "told", value)
    await store.close()


async def crashed(url: str, file: Path, value: str) -> None:
    """The house at *url* as a crash leaves it after it was told *value*: the log not folded in."""
    store = await Store.open(url)
    await store.write(bot_settings.put_setting, "told", value)
    for end in ENDS:
        shutil.copy(f"{file}{end}", f"{file}{end}.kept")
    await store.close()
    for end in ENDS:
        Path(f"{file}{end}.kept").replace(f"{file}{end}")
    assert Path(f"{file}-wal").stat().st_size > 0


@pytest.fixture
async def copy(url: str, tmp_path: Path) -> Path:
    """A copy in which the house was told of Monday; since then it was told of Tuesday."""
    await tell(url, "monday")
    target = tmp_path / "copy.db"
    await write_backup(url, target)
    await tell(url, "tuesday")
    return target


async def test_a_copy_takes_the_place_of_the_database_and_the_old_one_is_kept(
    url: str, file: Path, copy: Path
) -> None:
    await crashed(url, file, "wednesday")
    aside = await restore_backup(url, copy)
    assert await told(url) == "monday"
    assert aside is not None
    assert aside.name.startswith("ludoteca.db.")
    assert await told(f"sqlite+aiosqlite:///{aside}") == "wednesday"
    assert copy.is_file()


async def test_beside_the_old_file_and_the_copy_nothing_is_left(
    url: str, file: Path, copy: Path
) -> None:
    before = {one.name for one in file.parent.iterdir()}
    aside = await restore_backup(url, copy)
    assert aside is not None
    assert {one.name for one in file.parent.iterdir()} == {*before, aside.name}


async def test_a_copy_where_there_is_no_database_becomes_it(
    url: str, file: Path, copy: Path
) -> None:
    file.unlink()
    assert await restore_backup(url, copy) is None
    assert await told(url) == "monday"


async def test_a_damaged_database_is_kept_as_it_was(url: str, file: Path, copy: Path) -> None:
    file.write_bytes(b"no database" * 1000)
    aside = await restore_backup(url, copy)
    assert aside is not None
    assert aside.read_bytes() == b"no database" * 1000
    assert await told(url) == "monday"


async def test_two_restores_within_a_second_keep_both_old_files(
    url: str, file: Path, copy: Path
) -> None:
    first = await restore_backup(url, copy)
    await tell(url, "thursday")
    second = await restore_backup(url, copy)
    assert first is not None
    assert second is not None
    assert await told(f"sqlite+aiosqlite:///{first}") == "tuesday"
    assert await told(f"sqlite+aiosqlite:///{second}") == "thursday"


async def test_nothing_is_restored_while_a_bot_runs(url: str, file: Path, copy: Path) -> None:
    store = await Store.open(url)
    for _ in range(2):
        with pytest.raises(SecondProcess) as refused:
            await restore_backup(url, copy)
        one_sentence(refused)
        Path(f"{file}.lock").unlink(missing_ok=True)
    await store.close()
    assert await told(url) == "tuesday"


async def spoiled(copy: Path, how: str) -> None:
    match how:
        case "no database":
            copy.write_bytes(b"no database" * 1000)
        case "a damaged page":
            content = bytearray(copy.read_bytes())
            content[4096:12288] = random.Random(1).randbytes(8192)
            copy.write_bytes(content)
        case "empty":
            copy.write_bytes(b"")
        case "missing":
            copy.unlink()
        case "newer" | "another program's":
            store = await Store.open(f"sqlite+aiosqlite:///{copy}")
            newer = "UPDATE alembic_version SET version_num = '9999'"
            async with store.transaction() as tx:
                await tx.exec_driver_sql(newer if how == "newer" else "DELETE FROM alembic_version")
            await store.close()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("no database", CorruptDatabase),
        ("a damaged page", CorruptDatabase),
        ("empty", UnsupportedDatabase),
        ("missing", DatabaseUnavailable),
        ("newer", NewerDatabase),
        ("another program's", UnsupportedDatabase),
    ],
)
async def test_a_copy_no_bot_could_run_on_is_refused_and_nothing_is_changed(
    url: str, file: Path, copy: Path, how: str, kind: type[Exception]
) -> None:
    await spoiled(copy, how)
    await crashed(url, file, "wednesday")
    before = {end: Path(f"{file}{end}").read_bytes() for end in ("", "-wal")}
    with pytest.raises(kind) as refused:
        await restore_backup(url, copy)
    assert str(copy) in one_sentence(refused)
    assert {end: Path(f"{file}{end}").read_bytes() for end in before} == before
    assert not [one for one in file.parent.iterdir() if ".restore" in one.name]


async def test_the_database_is_no_copy_of_itself(url: str, file: Path, copy: Path) -> None:
    link = file.with_name("link.db")
    link.symlink_to(file)
    with pytest.raises(UnsupportedDatabase, match="the database itself"):
        await restore_backup(url, link)
    with pytest.raises(UnsupportedDatabase, match="in memory"):
        await restore_backup("sqlite+aiosqlite://", copy)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("renames", range(6))
async def test_a_restore_killed_between_any_two_renames_is_finished_by_the_next_start(
    url: str, file: Path, copy: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await crashed(url, file, "wednesday")
    done = 0

    class Killed(BaseException):
        pass

    def replaced(path: Path, target: object) -> Path:
        nonlocal done
        if path.name != "ludoteca.db.whole.part":  # of the copy beside, not yet decided upon
            if done == renames:
                raise Killed
            done += 1
        return rename(path, target)

    rename = Path.replace
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replaced)
        try:
            await restore_backup(url, copy)
        except Killed:
            assert done == renames
    decided = renames > 0
    assert await told(url) == ("monday" if decided else "wednesday")
    if decided:
        (aside,) = [
            one
            for one in file.parent.iterdir()
            if one.name.startswith("ludoteca.db.20") and one.suffix.split("-")[-1].isdigit()
        ]
        assert await told(f"sqlite+aiosqlite:///{aside}") == "wednesday"
    assert not database_file.finish_restore(file)


def dumped(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [*connection.iterdump()]


async def crash_and_restore(url: str, file: Path, seed: int) -> None:
    chance = random.Random(seed)
    await prepared(url)
    await tell(url, "copy")
    copy = file.with_name("copy.db")
    await write_backup(url, copy)
    process = child(url, -1)
    assert process.stdout is not None
    for _ in range(chance.randrange(1, 30)):
        process.stdout.readline()
    process.kill()
    process.communicate(timeout=30)
    if chance.random() < 0.3:  # a start that was broken off, too
        process = child(url, chance.randrange(5))
        process.communicate(timeout=30)
    assert Path(f"{file}-wal").stat().st_size > 0
    aside = await restore_backup(url, copy)
    assert aside is not None
    assert not Path(f"{aside}-wal").exists(), "it is in the old file now"
    assert dumped(file) == dumped(copy)  # the lease of whoever took the copy, too
    assert await told(url) == "copy"
    for one in (url, f"sqlite+aiosqlite:///{aside}"):
        assert [f for f in await check_database(one) if f.level != "fine"] == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
async def test_after_a_crash_the_database_is_the_copy_again(
    url: str, file: Path, seed: int
) -> None:
    await crash_and_restore(url, file, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 110))
async def test_a_hundred_crashes_and_restores_are_the_copy_each_time(
    url: str, file: Path, seed: int
) -> None:
    await crash_and_restore(url, file, seed)
