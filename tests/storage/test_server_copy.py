"""A database of PostgreSQL is copied before its schema changes, by us or by its operator."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from storage import Store, bot_settings, upgrade
from storage.errors import NewerDatabase, UnsupportedDatabase
from tests import postgres
from tests.storage import later
from tests.storage.rows import one_sentence
from tests.storage.test_restoration import told

FILES = True

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)


@pytest.fixture
async def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of the release before this one, which does not bear the schema of ours."""
    url = postgres.database(str(tmp_path))
    store = await Store.open(url)
    await store.write(bot_settings.put_setting, "told", "monday")
    await store.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(upgrade, "MIGRATIONS", later.migrations(tmp_path / "next", ""))
    return url


async def test_the_copy_made_before_an_upgrade_is_the_way_back(
    older: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await told(older) == "monday"
    (copy,) = tmp_path.glob(f"*.schema-{later.NEWEST}.dump")
    assert copy.stat().st_mode & 0o077 == 0
    store = await Store.open(older)
    await store.write(bot_settings.put_setting, "told", "tuesday")
    await store.close()
    monkeypatch.setattr(upgrade, "MIGRATIONS", later.OURS)
    with pytest.raises(NewerDatabase):
        await Store.open(older)
    # The lines of docs/operate, "Going back", with the names of here.
    server, _, name = older.replace("+asyncpg", "").rpartition("/")
    page = (Path(__file__).resolve().parents[2] / "docs/operate/README.md").read_text()
    lines = page.partition("```sh postgresql\n")[2].partition("```")[0].splitlines()
    assert len(lines) == 3
    where = ["-h", "127.0.0.1", "-p", server.rpartition(":")[2], "-U", "ludoteca"]
    for line in lines:
        words = line.replace("NAME.schema-REVISION.dump", str(copy)).split()
        words = [
            name if word == "ludoteca" and words[i - 1] != "-O" else word
            for i, word in enumerate(words)
        ]
        subprocess.run([words[0], *where, *words[1:]], check=True, capture_output=True)
    assert await told(older) == "monday"


async def test_without_a_copy_nothing_is_upgraded_until_the_operator_says_he_has_one(
    older: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as bare:
        bare.setenv("PATH", str(tmp_path))
        with pytest.raises(UnsupportedDatabase) as refused:
            await Store.open(older)
        assert "upgrade --no-copy" in one_sentence(refused)
        assert not [*tmp_path.glob("*.dump*")]
        await (await Store.open(older, copied=True)).close()
    assert await told(older) == "monday"


async def test_the_reason_of_pg_dump_is_told_and_never_a_password(
    older: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "pg_dump"
    fake.write_text("#!/bin/sh\necho 'pg_dump: error: server version mismatch' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(UnsupportedDatabase) as refused:
        await Store.open(older.replace("ludoteca@", "ludoteca:s3cret@"))
    assert "server version mismatch" in one_sentence(refused)
    assert "s3cret" not in str(refused.value)
