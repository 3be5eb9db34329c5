"""The doctor: each fault it is there to find, and no false alarm."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage import Finding, Store, check_database, inbox
from storage.person import people, personal_data
from storage.place import places
from storage.table import deadlines
from tests.storage.rows import NOON, add_game, add_view

FILES = True

CHECKS = [
    "integrity",
    "references",
    "schema",
    "events",
    "people",
    "deadlines",
    "owed",
    "suspended",
    "pending",
    "aside",
]


async def filled(url: str) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        await add_game(tx, "k7", version=3, person=ana.id)
        await add_game(tx, "k8", status="ended")
        await deadlines.set_deadline(tx, "k7", "clock", 3, NOON)
        await add_view(tx, "k7", place="1", owed=3)
        await add_view(tx, "k7", place="2", owed=3)
        await add_view(tx, "k7", place="3", owed=3)
        await places.put_place(tx, "telegram", "3", suspended=True)
        await inbox.receive_update(tx, "telegram", "7", None, NOON)
        await inbox.finish_update(tx, "telegram", "8", NOON)
    await store.close()


def spoil(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


async def found(url: str) -> dict[str, Finding]:
    return {finding.check: finding for finding in await check_database(url)}


async def test_a_healthy_database_is_fine_and_its_debts_are_counted(url: str) -> None:
    await filled(url)
    findings = await check_database(url)
    assert [finding.check for finding in findings] == CHECKS
    assert {finding.level for finding in findings} == {"fine"}
    told = {finding.check: finding.text for finding in findings}
    assert told["owed"].endswith(": 2.")
    assert told["suspended"].endswith(": 1.")
    assert told["pending"].endswith(": 1.")
    assert told["aside"].endswith(": 0.")


async def test_who_was_forgotten_or_joined_to_another_is_nothing_to_be_warned_of(url: str) -> None:
    await filled(url)
    store = await Store.open(url)
    async with store.transaction() as tx:
        ana = await people.ensure_person(tx, "telegram", "1", "Ana", NOON)
        again = await people.ensure_person(tx, "discord", "2", "Ana", NOON)
        bruno = await people.ensure_person(tx, "telegram", "3", "Bruno", NOON)
        await personal_data.join_people(tx, ana.id, again.id)
        await personal_data.erase_person_data(tx, bruno.id)
    await store.close()
    assert (await found(url))["people"].level == "fine"


async def test_the_doctor_works_beside_a_running_bot_and_does_not_wait_for_it(
    store: Store, url: str
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
        assert [finding.check for finding in await check_database(url)] == CHECKS


async def test_the_doctor_changes_nothing(url: str, file: Path) -> None:
    await filled(url)
    before = file.read_bytes()
    await check_database(url)
    assert file.read_bytes() == before


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("statement", "check", "level"),
    [
        ("DELETE FROM event WHERE game = 'k7' AND number = 3", "events", "error"),
        ("DELETE FROM event WHERE game = 'k7' AND number = 2", "events", "error"),
        ("DELETE FROM event WHERE game = 'k8'", "events", "error"),
        ("UPDATE game SET version = 4 WHERE code = 'k7'", "events", "error"),
        ("DELETE FROM game WHERE code = 'k8'", "references", "error"),
        ("UPDATE seat SET person = 99 WHERE seat = 0", "references", "error"),
        ("DELETE FROM identity", "people", "warning"),
        ("UPDATE game SET status = 'ended'", "deadlines", "warning"),
        ("UPDATE inbox SET state = 'aside'", "aside", "warning"),
    ],
)
async def test_the_doctor_finds_what_is_wrong_and_only_that(
    url: str, file: Path, statement: str, check: str, level: str
) -> None:
    await filled(url)
    spoil(file, statement)
    findings = await found(url)
    assert findings[check].level == level
    assert {name for name, finding in findings.items() if finding.level != "fine"} == {check}


async def test_the_doctor_finds_an_index_that_lies(url: str, file: Path) -> None:
    await filled(url)
    spoil(
        file,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE INDEX ix_game_status ON game (game)' "
        "WHERE name = 'ix_game_status'",
    )
    findings = await found(url)
    assert findings["integrity"].level == "error"
    assert "ix_game_status" in findings["integrity"].text


async def test_the_doctor_says_that_there_is_no_database_yet(url: str, file: Path) -> None:
    (finding,) = await check_database(url)
    assert (finding.check, finding.level) == ("file", "warning")
    assert str(file) in finding.text
    assert not file.exists()


async def test_the_doctor_says_that_a_file_is_no_database(url: str, file: Path) -> None:
    file.write_bytes(os.urandom(20_000))
    (finding,) = await check_database(url)
    assert (finding.check, finding.level) == ("file", "error")
    assert "ludoteca restore" in finding.text


async def test_the_doctor_says_that_a_database_is_newer(url: str, file: Path) -> None:
    await filled(url)
    spoil(file, "UPDATE alembic_version SET version_num = '0099'")
    (finding,) = await check_database(url)
    assert finding.level == "error"
    assert "0099" in finding.text


async def test_the_doctor_says_that_a_database_will_be_brought_up_to_date(
    url: str, file: Path
) -> None:
    file.touch()
    finding = (await found(url))["schema"]
    assert finding.level == "warning"
    assert "empty" in finding.text


async def test_the_doctor_refuses_other_databases_without_their_password() -> None:
    (finding,) = await check_database("postgresql+asyncpg://house:s3cret@db/ludoteca")
    assert finding.level == "error"
    assert "s3cret" not in finding.text
