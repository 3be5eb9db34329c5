"""A table that cannot be read or played again says which one it is, which event, and why."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from bot.facade import open_facade
from bot.service.computers.pool import Thinkers
from bot.session.table import BrokenTable
from storage.errors import UnreadableRow
from storage.store import Store
from storage.table import games
from tests.databases import of_files
from tests.fakes import desk, person

pytestmark = of_files

NEREA, BRUNO = person("Nerea"), person("Bruno")


async def damaged(tmp_path, *changes: str) -> BrokenTable:
    """What is raised by the only table of a house, after SQL has changed it."""
    async with desk(tmp_path) as at:
        await at.call(NEREA, "play", game="niya", opponent=BRUNO)
        (message,) = at.chat.messages.values()
        await at.press(BRUNO, message, "Aceptar")
    (file,) = tmp_path.glob("*.db")
    with closing(sqlite3.connect(file)) as connection:
        for change in changes:
            connection.execute(change)
        connection.commit()
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    facade = await open_facade(store, Thinkers(), "es")
    with pytest.raises(BrokenTable) as broken:
        await facade.services.tables.get(message.screen.table)
    await store.close()
    assert broken.value.code == message.screen.table
    return broken.value


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("change", "number", "why"),
    [
        ("UPDATE event SET kind = 'sing' WHERE number = 4", 4, "sing"),
        ("UPDATE event SET text = 'ZZ' WHERE number = 6", 6, "ZZ"),
        ("UPDATE event SET data = '{' WHERE number = 6", 6, "data"),
        ("UPDATE event SET data = '[1]' WHERE number = 2", 2, "object"),
        ("UPDATE event SET data = '{\"v\": 1}' WHERE number = 1", 1, "game"),
        ("UPDATE event SET data = json_set(data, '$.game', 'go') WHERE number = 1", 1, "go"),
        ("UPDATE event SET data = json_set(data, '$.rules', 99) WHERE number = 1", 1, "99"),
        ("UPDATE event SET data = json_set(data, '$.options.x', '1') WHERE number = 1", 1, "x"),
        (
            "UPDATE event SET data = replace(data, 'yellow', 'yello7') WHERE data LIKE '%sides%'",
            5,
            "yello7",
        ),
        ("UPDATE event SET data = json_set(data, '$.side', 'pink') WHERE number = 2", 2, "pink"),
        ("DELETE FROM event WHERE number = 7", 7, "8"),
        ("DELETE FROM event WHERE number = 1", 1, "2"),
        ("DELETE FROM event WHERE number > 9", 10, "missing"),
        ("DELETE FROM event", None, "no events"),
    ],
)
async def test_a_damaged_event_is_named(tmp_path, change, number, why):
    broken = await damaged(tmp_path, change)
    assert broken.event == number
    assert why in broken.why
    assert broken.code in str(broken)


async def test_an_event_before_or_behind_a_damaged_one_can_still_be_read(tmp_path):
    broken = await damaged(tmp_path, "UPDATE event SET data = '{' WHERE number = 6")
    (file,) = tmp_path.glob("*.db")
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    async with store.reading() as tx:
        with pytest.raises(UnreadableRow) as refused:
            await games.load_events(tx, broken.code)
        behind = await games.load_events(tx, broken.code, after=6)
    await store.close()
    assert refused.value.number == 6
    assert [row.number for row in behind][:2] == [7, 8]
