"""A schema changes in two steps: first so that the release before bears it, then without that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storage import (
    Store,
    bot_settings,
    restore_backup,
    transfer_database,
    upgrade,
    write_backup,
)
from storage.errors import NewerDatabase, SecondProcess
from storage.schema import setting
from tests import postgres
from tests.storage import later

FILES = True

Become = Callable[[str | None], None]


@pytest.fixture
def become(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Become:
    """Lets this process be of the next release, whose schema *accepts* ours or not; or of ours."""

    monkeypatch.chdir(tmp_path)  # where a server's database is copied to

    def be(accepts: str | None) -> None:
        folder = tmp_path / f"next {accepts}"
        found = later.OURS if accepts is None else later.migrations(folder, accepts)
        monkeypatch.setattr(upgrade, "MIGRATIONS", found)

    return be


async def opened(url: str, *, shared: bool = False) -> None:
    store = await Store.open(url, shared=shared)
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
        assert await bot_settings.load_setting(tx, "key") == "value"
    await store.close()


def addresses(folder: Path) -> list[str]:
    """A file, and a database on a server where there is one."""
    file = f"sqlite+aiosqlite:///{folder}/games.db"
    there = postgres.programs() is not None
    return [file, postgres.database(str(folder))] if there else [file]


async def test_a_process_goes_on_with_a_schema_one_step_newer_that_bears_it(
    tmp_path: Path, become: Become
) -> None:
    for url in addresses(tmp_path):
        become(None)
        await opened(url)
        become(later.BEARS)
        await opened(url)
        become(None)
        await opened(url)  # nothing was taken back: the next release goes on as well
        become(later.BEARS)
        await opened(url)


@pytest.mark.parametrize("road", ["made", "moved", "upgraded", "copied"])
async def test_by_whatever_road_a_database_came_to_the_next_schema_ours_goes_on_with_it(
    tmp_path: Path, become: Become, road: str
) -> None:
    other = f"sqlite+aiosqlite:///{tmp_path}/other.db"
    for url in addresses(tmp_path)[: 1 if road == "copied" else 2]:
        become(None if road == "upgraded" else later.BEARS)
        await opened(other if road in ("moved", "copied") else url)
        become(later.BEARS)
        if road == "moved":
            await transfer_database(other, url)
        elif road == "copied":
            await write_backup(other, tmp_path / "copy.db")
            await restore_backup(url, tmp_path / "copy.db")
        await opened(url)
        become(None)
        await opened(url)
        become(later.BEARS)
        await opened(url)


async def test_a_database_that_lacks_the_note_gets_it_at_the_next_start(
    tmp_path: Path, become: Become
) -> None:
    for url in addresses(tmp_path):
        become(later.BEARS)
        await opened(url)
        async with await Store.open(url) as store, store.transaction() as tx:
            await tx.execute(setting.delete().where(setting.c.key == upgrade.ACCEPTS))
        become(None)
        with pytest.raises(NewerDatabase):
            await opened(url)
        become(later.BEARS)
        await opened(url)
        become(None)
        await opened(url)


@pytest.mark.slow
async def test_a_process_refuses_a_newer_schema_that_does_not_bear_it(
    tmp_path: Path, become: Become
) -> None:
    for url in addresses(tmp_path):
        become(None)
        await opened(url)
        become("")
        await opened(url)
        become(None)
        with pytest.raises(NewerDatabase):
            await opened(url)


@pytest.mark.slow
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
async def test_the_next_release_starts_beside_ours_only_if_its_schema_bears_ours(
    tmp_path: Path, become: Become
) -> None:
    url = postgres.database(str(tmp_path))
    become(None)
    ours = await Store.open(url, shared=True)
    become("")
    with pytest.raises(SecondProcess) as refused:
        await opened(url, shared=True)
    assert "earlier release" in str(refused.value)
    become(later.BEARS)
    await opened(url, shared=True)
    async with ours.transaction() as tx:
        assert await bot_settings.load_setting(tx, "key") == "value"
    await ours.close()
    become(None)
    await opened(url, shared=True)
