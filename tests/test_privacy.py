"""The page on privacy is true: every column with something of a person in it is named there."""

from __future__ import annotations

import logging
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.port import ChatError, Home, Where
from bot.service import heartbeat
from storage import inbox, schema
from tests.databases import of_files
from tests.drives.erasures import STAYS, emptied
from tests.fakes import Desk, FakeClock, desk, person

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "privacy.md").read_text(encoding="utf-8")
NAMED = {
    name
    for row in re.findall(r"^\| (`.*?) \|", PAGE, flags=re.MULTILINE)
    for name in re.findall(r"`(\w+\.\w+)`", row)
}
OF_NOBODY = {
    *(f"game.{column.name}" for column in schema.game.columns),
    *("seat.game", "seat.seat", "seat.level", "seat.over_at"),
    *("event.game", "event.number", "event.kind"),
    *("fault.game", "fault.event", "fault.at"),
    *("view.id", "view.kind", "view.subject", "view.platform", "view.shown", "view.owed"),
    *("view.posted", "view.digest", "view.over_at"),
    "inbox.id",
    *(f"deadline.{one.name}" for one in schema.deadline.columns if one.name != "person"),
    "outage.id",
    *(f"puzzle.{column.name}" for column in schema.puzzle.columns),
    *(f"house_puzzle.{column.name}" for column in schema.house_puzzle.columns),
    *(f"daily.{column.name}" for column in schema.daily.columns),
    *("process.number", "process.until", "lease.name", "lease.holder"),
}
NEREA = replace(person("Canaria"), language="es", handle="canariahandle")
BRUNO = person("Kanarienvogel")
ROOM = Where("fake", "canary-room", home=Home("server-1"))
SAID = ("Canaria", NEREA.external, "canariahandle", "Kanarienvogel", BRUNO.external)
SAID += ("canary-room", "trinos")


def test_what_stays_of_who_was_forgotten_is_what_the_drive_lets_stay() -> None:
    stays = PAGE.partition("**What stays.**")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+\.\w+)`", stays))
    # Updates of others are gone after a day, and none waits in the drive.
    assert named - {"inbox.payload"} == set().union(*STAYS.values())


def test_each_column_is_named_on_the_page_or_is_of_nobody() -> None:
    there = {str(column) for table in schema.metadata.tables.values() for column in table.columns}
    assert there == NAMED | OF_NOBODY
    assert set() == NAMED & OF_NOBODY


@of_files
async def test_whoever_stood_in_every_table_stands_in_none_after_it(tmp_path: Path) -> None:
    assert await emptied(tmp_path) == []


async def played(at: Desk) -> None:
    """A game in which each of the two does all that leaves something of him behind."""
    await at.call(NEREA, "language", ROOM, language="es")
    await at.call(NEREA, "play", ROOM, game="storill", opponent=BRUNO)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(NEREA, "words", ROOM, text="trinos", table=code)
    await at.call(BRUNO, "join", ROOM, table=code)
    for someone in (NEREA, BRUNO):
        alone = Where("fake", f"{someone.external}-alone", private=True)
        await at.call(someone, "board", alone, table=code)
        await at.call(someone, "move", alone, move="ready", table=code)
    await at.surely(NEREA, "resign", ROOM, table=code)
    at.chat.failures = [ChatError("the platform stumbled")]
    await at.call(BRUNO, "board", ROOM, table=code)
    await at.call(BRUNO, "move", ROOM, move="trinos", table=code)


def columns_with(file: Path, words: tuple[str, ...]) -> set[str]:
    """The columns of the database in which one of the *words* stands."""
    found = set()
    with closing(sqlite3.connect(file)) as connection:
        for table in schema.metadata.tables.values():
            for row in connection.execute(f"SELECT * FROM {table.name}"):
                for column, value in zip(table.columns, row, strict=True):
                    if any(word in str(value) for word in words):
                        found.add(str(column))
    return found


@of_files
async def test_what_two_players_leave_behind_stands_only_in_columns_on_the_page(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as at:
        await played(at)
        await at.settle()
    found = columns_with(tmp_path / "games.db", SAID)
    assert {"person.name", "identity.external", "event.text", "place.place"} <= found
    assert found <= NAMED


async def test_the_log_names_nobody_and_says_nothing_that_was_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        async with desk(tmp_path) as at:
            await played(at)
            await at.settle()
            logging.getLogger("bot").info("the end")
    lines = [record.getMessage() for record in caplog.records]
    assert lines[-1] == "the end"
    assert [line for line in lines if any(word in line for word in SAID)] == []


@of_files
@pytest.mark.parametrize("aside", [False, True])
async def test_what_an_update_says_goes_after_a_day_whatever_became_of_it(
    tmp_path: Path, aside: bool
) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        now, store = at.facade.services.clock.steady, at.facade.store
        await store.write(inbox.receive_update, "fake", "u1", "canary", now())
        if aside:
            await store.write(inbox.set_update_aside, "fake", "u1", now())
        for gap, kept in ((timedelta(hours=23), True), (timedelta(hours=2), False)):
            clock.wait(gap)
            async with store.transaction() as tx:
                await at.facade.services.heartbeat.alive(tx)
            # What is written is read beside the bot, which has folded nothing into its file yet.
            assert ("inbox.payload" in columns_with(tmp_path / "games.db", ("canary",))) == kept
        assert await store.read(inbox.pending_updates, "fake") == ()
        assert not await store.write(inbox.receive_update, "fake", "u1", "canary", now())
    assert timedelta(days=1) == heartbeat.PAYLOAD_KEPT
