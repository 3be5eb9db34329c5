"""An older database in the place of ours: the boards in chats are mended without a press."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from bot.facade import open_facade
from bot.service.computers.pool import Thinkers
from storage import restore_backup, write_backup
from storage.store import Store
from tests import postgres
from tests.chats.fleets import process, until
from tests.databases import database_in, of_files
from tests.fakes import Desk, FakeChat, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")


async def moved(at: Desk, code: str) -> None:
    """Whoever is to move makes the first legal move."""
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == "Nerea" else BRUNO
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    answer = await at.call(who, "move", table=code, move=move)
    assert answer.good, answer.said


async def opened(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


@of_files
async def test_after_a_restore_every_living_board_is_shown_once_as_it_is_now(tmp_path):
    address, copy = database_in(tmp_path), tmp_path / "copy.db"
    async with desk(tmp_path) as at:
        code = await opened(at)
        await moved(at, code)
        await write_backup(address, copy)
        before = at.chat.board(code)
        await moved(at, code)
        assert at.chat.board(code).screen.version > before.screen.version
    await restore_backup(address, copy)
    async with desk(tmp_path) as at:
        await at.settle()
        (shown,) = at.chat.messages.values()
        assert (shown.id, shown.screen.version) == (before.id, before.screen.version)
        assert at.chat.calls == 1
    async with desk(tmp_path) as at:
        await at.settle()
        assert at.chat.calls == 0


@pytest.mark.slow
@of_files
async def test_a_copy_by_hand_is_another_file_as_well_and_a_start_on_the_same_owes_nothing(
    tmp_path,
):
    async with desk(tmp_path) as at:
        await opened(at)
    async with desk(tmp_path) as at:
        await at.settle()
        assert not at.chat.messages
    shutil.copy(tmp_path / "games.db", tmp_path / "kept.db")
    (tmp_path / "kept.db").replace(tmp_path / "games.db")
    async with desk(tmp_path) as at:
        await at.settle()
        assert len(at.chat.messages) == 1


@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
@pytest.mark.slow
async def test_after_a_failover_to_another_timeline_every_living_board_is_shown_once(tmp_path):
    chat, address = FakeChat(), postgres.database(str(tmp_path))
    async with process(address, chat) as one:
        at = Desk(one.facade, chat)
        code = await opened(at)
        before = at.chat.board(code)
        postgres.restart(timeline=True)
        await until(lambda: chat.board(code).edits > before.edits)
        await at.settle()
        assert chat.board(code).edits == before.edits + 1
        await asyncio.sleep(1.0)  # the tests' server commits some tenths of a second later
        connection = one.facade.fleet._connection
        postgres.restart()
        await until(lambda: one.facade.fleet._connection not in (None, connection))
        await asyncio.sleep(1.0)
        await at.settle()
        assert chat.board(code).edits == before.edits + 1, "the timeline is the same"


async def test_a_new_database_owes_nothing(tmp_path):
    store = await Store.open(database_in(tmp_path))
    facade = await open_facade(store, Thinkers(seconds=0.5), "es")
    chat = FakeChat()
    await facade.start([chat])
    await facade.settled()
    await facade.stop()
    assert chat.calls == 0
