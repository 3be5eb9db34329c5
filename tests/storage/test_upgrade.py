"""The schema: from nothing, from an earlier release, from a later one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from storage import Store, schema, upgrade
from storage.errors import CorruptDatabase, NewerDatabase, UnsupportedDatabase
from tests.storage.releases import (
    ORIGINS,
    ask,
    differences,
    dumped,
    filled,
    filled_again,
    of_release,
)

FILES = True

NEWEST = upgrade.newest_revision()

REBUILD = '''
"""Rebuilds the table that all others refer to, as SQLite must for most changes."""
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "NEWEST"

def upgrade():
    with op.batch_alter_table("game", recreate="always") as batch:
        batch.add_column(sa.Column("note", sa.String))
'''
FAILS = '''
"""Goes wrong after it has changed something."""
from alembic import op

revision = "9002"
down_revision = "9001"

def upgrade():
    op.drop_table("setting")
    op.execute("UPDATE nowhere SET x = 1")
'''
STRANGE = '''
"""Takes away what this release needs."""
from alembic import op

revision = "9002"
down_revision = "9001"

def upgrade():
    op.drop_column("game", "match")
'''
ORPHANS = '''
"""Deletes games that events refer to."""
from alembic import op

revision = "9002"
down_revision = "9001"

def upgrade():
    op.execute("DELETE FROM game")
'''


@pytest.fixture
def later_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of revisions of a release after this one."""
    folder = tmp_path / "a later release 100%" / "migrations"
    shutil.copytree(upgrade.MIGRATIONS, folder)
    monkeypatch.setattr(upgrade, "MIGRATIONS", folder)
    add(folder, "9001", REBUILD.replace("NEWEST", NEWEST))
    return folder


def add(folder: Path, revision: str, script: str) -> None:
    (folder / "versions" / f"{revision}.py").write_text(script.lstrip())


async def test_an_empty_database_gets_the_tables_of_this_release(url: str) -> None:
    store = await Store.open(url)
    async with store.reading() as tx:
        assert await tx.run_sync(differences) == []
    await store.close()


@pytest.mark.sampled
@pytest.mark.parametrize("origin", ORIGINS)
async def test_the_migrations_make_the_very_tables_of_the_schema(
    url: str, file: Path, tmp_path: Path, origin: str
) -> None:
    store = await of_release(origin, url, file)
    async with store.reading() as tx:
        assert await tx.run_sync(differences) == []
        assert await tx.run_sync(upgrade.schema_differences) == []
    await store.close()
    direct = tmp_path / "direct.db"
    await (await Store.open(f"sqlite+aiosqlite:///{direct}")).close()
    query = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name"
    assert ask(file, query) == ask(direct, query)
    columns = """SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk
        FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1, 2"""
    assert ask(file, columns) == ask(direct, columns)
    indexes = "SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
    assert ask(file, indexes) == ask(direct, indexes)
    without_rowid = "SELECT name FROM pragma_table_list WHERE wr AND type = 'table' ORDER BY name"
    assert ask(file, without_rowid) == ask(direct, without_rowid) == [("event",)]
    partial = "SELECT sql FROM sqlite_master WHERE name = 'ix_view_behind'"
    assert "WHERE shown < owed" in str(ask(file, partial))
    assert "WHERE shown < owed" in str(ask(direct, partial))


def test_nothing_is_deleted_by_cascade() -> None:
    keys = [key for table in schema.metadata.sorted_tables for key in table.foreign_keys]
    assert len(keys) >= 7
    assert {key.ondelete for key in keys} == {None}


async def test_a_database_of_this_release_is_opened_without_a_copy(url: str, file: Path) -> None:
    await filled(url)
    await filled_again(url)
    assert [path.name for path in file.parent.glob("*.schema-*")] == []


async def test_a_migration_keeps_every_row_and_leaves_a_copy_of_before(
    url: str, file: Path, request: pytest.FixtureRequest
) -> None:
    await filled(url)
    before = dumped(file)
    request.getfixturevalue("later_release")
    await (await Store.open(url)).close()
    assert ask(file, "SELECT version_num FROM alembic_version") == [("9001",)]
    assert ask(file, "SELECT code, game, note FROM game") == [("k7", "niya", None)]
    assert ask(file, "SELECT count(*) FROM event") == [(3,)]
    assert ask(file, "SELECT count(*) FROM seat") == [(2,)]
    assert ask(file, "SELECT count(*) FROM view") == [(1,)]
    assert ask(file, "PRAGMA foreign_key_check") == []
    copy = file.with_name(f"{file.name}.schema-{NEWEST}")
    assert sorted(dumped(copy)) == sorted(before)
    assert copy.stat().st_mode & 0o077 == 0


async def test_foreign_keys_hold_again_after_a_migration(
    url: str, request: pytest.FixtureRequest
) -> None:
    await filled(url)
    request.getfixturevalue("later_release")
    store = await Store.open(url)
    async with store.reading() as tx:
        assert (await tx.exec_driver_sql("PRAGMA foreign_keys")).scalar_one() == 1
    await store.close()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("script", "error"),
    [(FAILS, OperationalError), (ORPHANS, CorruptDatabase), (STRANGE, UnsupportedDatabase)],
    ids=["fails", "orphans", "other tables"],
)
async def test_a_migration_that_fails_leaves_the_database_of_before(
    url: str,
    file: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    error: type[Exception],
) -> None:
    await filled(url)
    before = dumped(file)
    here = upgrade.MIGRATIONS
    add(request.getfixturevalue("later_release"), "9002", script)
    for _ in range(2):  # and the second try fares no worse
        with pytest.raises(error):
            await Store.open(url)
        assert dumped(file) == before
    monkeypatch.setattr(upgrade, "MIGRATIONS", here)
    await filled_again(url)


async def test_a_new_database_needs_no_copy_to_reach_a_later_release(
    url: str, file: Path, later_release: Path
) -> None:
    await (await Store.open(url)).close()
    assert ask(file, "SELECT version_num FROM alembic_version") == [("9001",)]
    assert [path.name for path in file.parent.glob("*.schema-*")] == []


@pytest.mark.parametrize("readonly", [False, True])
async def test_f15_a_newer_database_is_refused_and_left_alone(
    url: str, file: Path, readonly: bool
) -> None:
    await filled(url)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0099'")
    before = dumped(file)
    with pytest.raises(NewerDatabase) as refused:
        await Store.open(url, readonly=readonly)
    assert "0099" in str(refused.value)
    assert str(refused.value).endswith(".")
    assert dumped(file) == before
    assert [path.name for path in file.parent.glob("*.schema-*")] == []


async def test_a_readonly_store_does_not_migrate(
    url: str, file: Path, request: pytest.FixtureRequest
) -> None:
    await filled(url)
    request.getfixturevalue("later_release")
    with pytest.raises(UnsupportedDatabase, match="earlier release"):
        await Store.open(url, readonly=True)
    assert ask(file, "SELECT version_num FROM alembic_version") == [(NEWEST,)]
