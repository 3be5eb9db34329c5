"""A thousand tables in one house, ten of which cannot be read: everything else goes on."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app.doctor import examine
from bot.port import Command
from bot.service.table.changes import Update
from bot.session import play
from bot.session.unit_of_work import UnitOfWork
from storage.errors import DatabaseUnavailable
from storage.table import deadlines, games
from tests.bot.many_tables import change, copied
from tests.command_line import Ludoteca
from tests.databases import of_files
from tests.fakes import Desk, desk, person

pytestmark = of_files

NEREA, BRUNO = person("Nerea"), person("Bruno")

DAMAGE = (
    "UPDATE event SET text = 'ZZ' WHERE game = '{}' AND number = 6",
    "UPDATE event SET kind = 'sing' WHERE game = '{}' AND number = 4",
    "UPDATE event SET data = '{{' WHERE game = '{}' AND number = 6",
    "UPDATE event SET data = '[1]' WHERE game = '{}' AND number = 2",
    "UPDATE event SET data = json_set(data, '$.options.x', '1') WHERE game = '{}' AND number = 1",
    "UPDATE event SET data = json_set(data, '$.rules', 99) WHERE game = '{}' AND number = 1",
    "UPDATE event SET data = json_set(data, '$.game', 'go') WHERE game = '{}' AND number = 1",
    "DELETE FROM event WHERE game = '{}' AND number = 7",
    "DELETE FROM event WHERE game = '{}' AND number > 9",
    "UPDATE event SET text = CAST(x'ff4d32' AS TEXT) WHERE game = '{}' AND number = 8",
)


async def begun(at: Desk) -> str:
    """A table of Niya between Nerea and Bruno."""
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    message = list(at.chat.messages.values())[-1]
    await at.press(BRUNO, message, "Aceptar")
    return message.screen.table


async def crowded(
    folder: Path, tables: int, damage: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """A house of so many tables, some damaged: the codes of the sound, and of the broken.

    Sixteen stand in the group, the broken among them.
    """
    async with desk(folder) as at:
        code = await begun(at)
    shown = copied(folder, code, range(15), views=True)
    hidden = copied(folder, code, range(15, tables - 1), views=False)
    broken = list(shown[: len(damage)])
    change(folder, *(one.format(code) for one, code in zip(damage, broken, strict=True)))
    return [code, *shown[len(damage) :], *hidden], broken


async def moved(at: Desk, code: str, update: str) -> None:
    """The first legal move at a table, by whoever is to move."""

    def decide(work: UnitOfWork) -> None:
        (seat,) = work.table.actors()
        play.play_moves(work, seat, work.table.present.legal_moves(seat)[:1])

    await at.facade.services.changes.change(Update("test", update), code, decide)


@pytest.mark.slow
async def test_of_a_thousand_tables_ten_cannot_be_read_and_the_others_play(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sound, broken = await crowded(tmp_path, 1000, DAMAGE)
    # One is due and one waits for a computer, or so the columns say.
    change(tmp_path, f"UPDATE game SET computer = 1 WHERE code = '{broken[0]}'")
    change(
        tmp_path,
        f"INSERT INTO deadline (game, kind, version, at) VALUES ('{broken[1]}', 'set-up', 3, 0)",
        f"UPDATE view SET shown = 0 WHERE subject = '{broken[2]}'",
    )
    async with desk(tmp_path) as at:
        await at.settle()
        await at.facade.process_duties.deadlines.expire()
        await at.settle()
        for number, code in enumerate(sound):
            await moved(at, code, str(number))
        await at.settle()
        for code in sound[:20]:
            assert (await at.facade.services.tables.get(code)).log
        told = (await at.call(NEREA, "games")).said
        assert len(told.splitlines()) == 20 + 1, "twenty, and that there are more"

        call = Command("u", at.where, NEREA, "move", {})
        table = await at.facade.services.tables.get(sound[0])
        names = {table.players[seat].name for seat in table.actors()}
        (mover,) = (who for who in (NEREA, BRUNO) if who.name in names)
        assert await at.facade.requests.suggest(
            Command("u", at.where, mover, "move", {}), "move", ""
        )
        assert len(await at.facade.requests.suggest(call, "table", "")) == 25
        for code in broken:
            addressed = Command(f"u{code}", at.where, NEREA, "board", {"table": code})
            answer = await at.facade.requests.call(addressed)
            assert (answer.good, answer.said[:40]) == (
                False,
                f"La mesa {code} no se puede leer ahora mismo. Qu"[:40],
            )
            typed = Command("u", at.where, NEREA, "move", {"table": code})
            assert await at.facade.requests.suggest(typed, "move", "") == ()
        page = await at.facade.boards.on_page(at.where)
        unreadable = [one.table for one in page if one.headline == "Esta mesa no se puede leer"]
        assert sorted(unreadable) == sorted(broken)
        assert len(page) == 16

        await at.settle()
        listed = (await at.call(NEREA, "games")).said
        async with at.facade.store.reading() as tx:
            aside = await games.games_set_aside(tx)
        assert sorted(row.game for row in aside) == sorted(broken)
        assert all(row.why for row in aside)
        assert "Traceback" not in listed
    named = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    for code in broken:
        assert any(code in one and "event" in one for one in named)
    findings = await examine(f"sqlite+aiosqlite:///{tmp_path}/games.db")
    tables = [one.text for one in findings if one.check == "table"]
    assert sorted(one.split()[1] for one in tables) == sorted(broken)


def test_the_doctor_ends_with_status_1_where_a_table_cannot_be_read(
    tmp_path: Path, ludoteca: Ludoteca
) -> None:
    _, broken = asyncio.run(crowded(tmp_path, 20, DAMAGE))
    asked = ludoteca(tmp_path, "doctor", DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/games.db")
    assert asked.returncode == 1
    assert "Traceback" not in asked.stderr
    for code in broken:
        assert f"Table {code} cannot be read at event" in asked.stdout


@pytest.mark.slow
async def test_a_broken_table_is_shown_as_such_in_lists_and_others_are_meant(
    tmp_path: Path,
) -> None:
    sound, broken = await crowded(tmp_path, 16, DAMAGE[:1])
    async with desk(tmp_path) as at:
        for code in broken:
            await at.call(NEREA, "board", table=code)
        listed = (await at.call(NEREA, "games")).said
        assert f"{broken[0]} · esta mesa no se puede leer" in listed
        call = Command("u", at.where, NEREA, "board", {})
        shown = await at.facade.requests.suggest(call, "table", broken[0])
        assert [one.label for one in shown] == [
            f"{broken[0]} · Esta mesa no se puede leer · Nerea, Bruno"
        ]
        assert len(sound) == 15


@pytest.mark.slow
async def test_a_table_comes_back_when_a_later_release_can_read_it(tmp_path: Path) -> None:
    sound, broken = await crowded(tmp_path, 20, DAMAGE[:2])
    async with desk(tmp_path) as at:
        for code in broken:
            await at.call(NEREA, "board", table=code)
    change(tmp_path, f"DELETE FROM event WHERE game = '{broken[1]}'")
    columns = "number, at, kind, seat, text, data"
    change(
        tmp_path,
        f"INSERT INTO event (game, {columns}) "
        f"SELECT '{broken[1]}', {columns} FROM event WHERE game = '{sound[0]}'",
    )
    async with desk(tmp_path) as at:
        await at.settle()
        async with at.facade.store.reading() as tx:
            assert [row.game for row in await games.games_set_aside(tx)] == broken[:1]
            (line,) = await games.load_game_lines(tx, broken[1:])
        assert line.to_move
        await moved(at, broken[1], "m")


async def test_deadlines_are_met_after_any_fault(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr("bot.service.table.deadlines.RETRY_SECONDS", 0.01)
    failing = [ZeroDivisionError("ours"), DatabaseUnavailable("The disk is full.")]
    async with desk(tmp_path) as at:
        rounds = []

        async def expire() -> None:
            rounds.append(1)
            if failing:
                raise failing.pop()

        deadlines = at.facade.process_duties.deadlines
        monkeypatch.setattr(deadlines, "expire", expire)
        deadlines.alarm.look(at.facade.services.clock.steady())
        while len(rounds) < 3:
            await asyncio.sleep(0.01)
    assert "ZeroDivisionError" in caplog.text
    assert "The disk is full." in caplog.text


async def test_a_deadline_that_cannot_be_met_keeps_no_other_from_being_met(
    tmp_path: Path, caplog
) -> None:
    async with desk(tmp_path) as at:
        first, second = [], []
        for codes in (first, second):
            await at.call(NEREA, "play", game="niya")
            codes.append(list(at.chat.messages.values())[-1].screen.table)
        facade = at.facade
        changes, clock = facade.services.changes, facade.services.clock
        change_ = changes.change

        async def change_or_fail(origin, code, decide):
            if code == first[0]:
                raise ZeroDivisionError("ours")
            return await change_(origin, code, decide)

        changes.change = change_or_fail
        clock.steady = lambda now=clock.steady: now() + timedelta(days=2)
        await facade.process_duties.deadlines.expire()
        assert (await facade.services.tables.get(second[0])).status == "closed"
        assert (await facade.services.tables.get(first[0])).status == "open"
        async with at.facade.store.reading() as tx:
            assert [row.game for row in await deadlines.due_deadlines(tx, clock.steady())] == first
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.sampled
@pytest.mark.parametrize("wrong", [DatabaseUnavailable("The disk is full."), ValueError("ours")])
async def test_a_computer_whose_move_could_not_be_stored_plays_it_later(
    tmp_path: Path, wrong: Exception, caplog
) -> None:
    async with desk(tmp_path) as at:
        services = at.facade.services
        services.computers.retries = (0.01,)
        stored, failures = services.changes._write, [wrong] * 3

        async def store_or_fail(change):
            if change.update.platform == "computer" and failures:
                raise failures.pop()
            return await stored(change)

        services.changes._write = store_or_fail
        await at.call(NEREA, "play", game="niya", opponent="ordenador", side="red", begins="yellow")
        table = await services.tables.get(list(at.chat.messages.values())[-1].screen.table)
        assert failures == []
        assert not table.computers_to_move()
        assert [entry.seat for entry in table.log if entry.seat >= 0] == [1]
    # Not the text: another handler may have written the traceback in its own way before.
    raised = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert wrong in raised or str(wrong) in caplog.text


async def test_the_repr_of_a_running_bot_does_not_list_all_its_tables(tmp_path: Path) -> None:
    """asyncio asks for it where a task returns the bot, which took a minute in a long life."""
    async with desk(tmp_path) as at:
        assert len(repr(at.facade)) < 200
