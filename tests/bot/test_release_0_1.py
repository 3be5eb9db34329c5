"""A database of release 0.1 opens: the same tables, and nobody's name in what happened there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.facade import open_facade
from bot.presenters.table.record_and_draw_proof import record_of
from bot.service.computers.pool import Thinkers
from bot.service.table.tables import Tables
from bot.session.table import BrokenTable
from games.core import Record
from games.core.record_verification import verify
from games.core.shelf import shelf
from storage.person import people
from storage.store import Store
from tests.databases import of_files

pytestmark = of_files

RELEASES = Path(__file__).resolve().parents[1] / "data" / "storage"
SAID = json.loads((RELEASES / "0.1-house.json").read_text(encoding="utf-8"))["tables"]

CHALLENGE = """
UPDATE event SET data =
json_set(data, '$.person', NULL, '$.name', '{name}', '$.invited', json('true'))
WHERE kind = 'sit' AND game = '{code}' AND number = 2;
UPDATE seat SET person = NULL WHERE game = '{code}' AND seat = 0;
UPDATE view SET platform = '{platform}' WHERE game = '{code}';
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "games.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((RELEASES / "0.1-house.sql").read_text(encoding="utf-8"))
    return file


@asynccontextmanager
async def opened(file: Path, *changes: str) -> AsyncIterator[Tables]:
    """The tables of *file*, which had been changed before it was opened."""
    with closing(sqlite3.connect(file)) as connection:
        for change in changes:
            connection.executescript(change)
        connection.commit()
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    try:
        yield (await open_facade(store, Thinkers(), "es")).services.tables
    finally:
        await store.close()


def ask(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


async def test_every_table_of_0_1_is_what_it_was(file):
    async with opened(file) as tables:
        for code, said in SAID.items():
            table = await tables.get(code)
            folded = {
                "game": table.game.key,
                "status": table.status,
                "version": table.version,
                "names": {str(seat): name for seat, name in table.names().items()},
                "position": None
                if table.position is None
                else table.game.notation.text(table.position),
                "log": len(table.log),
                "offers": [f"{offer.kind} {offer.seat}" for offer in table.offers],
                "outcome": None if table.outcome is None else table.outcome.reason,
            }
            assert folded == said, code
    assert len(SAID) > 20


@pytest.mark.slow
async def test_every_game_that_ended_under_0_1_has_an_honest_record(file):
    """The file that 0.1 itself handed out, without the tags that came later, is not refuted."""
    kept = {"Table", "Date", "Commitment", "Words", "Draw0", "Secret", "Result"}
    keys = set()
    async with opened(file) as tables:
        for code, said in SAID.items():
            if said["status"] != "ended":
                continue
            table = await tables.get(code)
            record = record_of(table)
            tags = {key: value for key, value in record.tags.items() if key in kept}
            for one in (record, replace(record, tags=tags)):
                verdict = verify(Record.read(one.text()), table.game)
                assert not verdict.faults, (code, verdict.faults)
                assert verdict.honest == (one is record), "early records show too little"
            keys.add(table.game.key)
    assert keys == set(shelf())


async def test_no_name_is_left_in_the_events_of_0_1(file):
    names = [str(name) for (name,) in ask(file, "SELECT name FROM person")]
    assert any(name in str(ask(file, "SELECT data FROM event")) for name in names)
    async with opened(file):
        pass
    kept = ask(file, "SELECT text, data FROM event")
    assert [row for row in kept for name in names if name in str(row)] == []


async def test_who_was_challenged_by_name_gets_one_person_on_each_platform(file):
    codes = [code for code, said in SAID.items() if said["status"] == "open"][:3]
    named = zip(codes, ("@Maria", "@maria", "@maria"), ("fake", "fake", "other"), strict=True)
    changes = [CHALLENGE.format(code=c, name=n, platform=p) for c, n, p in named]
    async with opened(file, *changes) as tables:
        first, second, third = [await tables.get(code) for code in codes]
        async with tables.store.reading() as tx:
            found = [await people.find_person(tx, p, "@maria") for p in ("fake", "other")]
    assert first.players[0].invited
    assert [one.id for one in found if one] == [first.players[0].person, third.players[0].person]
    assert first.players[0].person == second.players[0].person != third.players[0].person
    assert first.players[0].name == "@Maria"
    assert ask(file, "SELECT * FROM event WHERE data LIKE '%maria%'") == []
    seats = ask(file, f"SELECT person FROM seat WHERE game = '{codes[0]}' AND seat = 0")
    assert seats == [(first.players[0].person,)]


@pytest.mark.slow
async def test_a_person_whom_no_row_knows_keeps_his_name(file):
    lost = "UPDATE event SET data = json_set(data, '$.person', 77, '$.name', 'Zoe') "
    (code,) = (code for code, said in SAID.items() if said["status"] == "open" if code[0] == "6")
    async with opened(file, f"{lost} WHERE game = '{code}' AND number = 2") as tables:
        assert (await tables.get(code)).players[0].name == "Zoe"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", ["data = '{'", "data = '[]'", "kind = 'sung'", "data = x'00'"])
async def test_what_cannot_be_read_stays_as_it_was_and_stops_nothing(file, damage):
    code, other = list(SAID)[:2]
    row = f"SELECT * FROM event WHERE game = '{code}' AND number = 2"
    spoiled = f"UPDATE event SET {damage} WHERE game = '{code}' AND number = 2"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(spoiled)
        connection.commit()
    before = ask(file, row)
    async with opened(file) as tables:
        with pytest.raises(BrokenTable) as broken:
            await tables.get(code)
        assert (await tables.get(other)).version == SAID[other]["version"]
    assert broken.value.event == 2
    assert [one[: len(old)] for one, old in zip(ask(file, row), before, strict=True)] == before
