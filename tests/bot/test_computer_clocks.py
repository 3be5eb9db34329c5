"""Computers with a clock: what they think counts, they hurry, and their flag may fall."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.port import Command
from bot.presenters.table.composer import Composer
from bot.presenters.table.status import clock_faces
from bot.presenters.table.viewers import Viewer
from bot.session.game_clock import GameClock
from bot.session.table import ENDED, OPEN, PLAYING, Table
from bot.session.time_controls import read_control
from tests.bot.test_setup import ALONE, NEREA, begun, tables
from tests.fakes import UPDATES, Desk
from tests.slow_thinking import Thoughtful, thoughtful


async def thinking(at: Desk, monkeypatch: pytest.MonkeyPatch, **values: str) -> Thoughtful:
    """A computer that begins a game of shogi against Nerea, and has been asked for its move."""
    thinks = thoughtful(at.facade, monkeypatch)
    wish = {"game": "shogi", "opponent": "ordenador", "side": "gote", "timed": "on", **values}
    called = Command(f"u{next(UPDATES)}", at.where, NEREA, "play", wish)
    await at.facade.requests.call(called)
    while not (thinks.asked and at.chat.messages):
        await asyncio.sleep(0.01)
    return thinks


async def only(at: Desk) -> Table:
    (table,) = await tables(at)
    return table


async def test_what_a_computer_thinks_is_charged_and_shown(at, clock, monkeypatch):
    thinks = await thinking(at, monkeypatch, clock="5m")
    clock.wait(timedelta(seconds=10))
    thinks.speaks.set()
    await at.settle()
    table = await only(at)
    assert table.clock.left == (290_000, 300_000)
    shown = Composer(table, Viewer(language="es"), b"key")
    assert [face.left for face in clock_faces(shown)] == [290_000, 300_000]
    assert any("4 min 50 s" in line for line in shown.board().lines)


async def test_where_it_was_not_chosen_no_computer_is_charged(at, clock, monkeypatch):
    thinks = await thinking(at, monkeypatch, clock="5m", timed="off")
    clock.wait(timedelta(seconds=400))
    await at.facade.process_duties.deadlines.expire()
    thinks.speaks.set()
    await at.settle()
    table = await only(at)
    assert (table.status, table.clock.left) == (PLAYING, (300_000, 300_000))
    faces = clock_faces(Composer(table, Viewer(language="es"), b"key"))
    assert [face.left for face in faces] == [-1, 300_000]


async def test_the_flag_of_a_computer_falls_and_a_rematch_has_the_same_clock(
    at, clock, monkeypatch
):
    thinks = await thinking(at, monkeypatch, clock="5m")
    clock.wait(timedelta(seconds=303))
    await at.facade.process_duties.deadlines.expire()
    thinks.speaks.set()
    await at.settle()
    table = await only(at)
    assert (table.status, table.outcome.reason, table.outcome.winner) == (ENDED, "time", 1)
    await at.call(NEREA, "rematch", table=table.code)
    ended = await at.facade.services.tables.get(table.code)
    assert (await at.facade.services.tables.get(ended.child)).computer_clock


async def test_a_move_that_comes_after_the_flag_is_too_late(at, clock, monkeypatch):
    thinks = await thinking(at, monkeypatch, clock="5m")
    clock.wait(timedelta(seconds=301))
    thinks.speaks.set()
    await at.settle()
    table = await only(at)
    assert (table.status, table.outcome.reason, table.log) == (ENDED, "time", ())


async def test_who_is_short_of_time_is_asked_to_be_quick(at, monkeypatch):
    thinks = await thinking(at, monkeypatch, clock="10s/partida")
    assert thinks.asked[0]["seconds"] == 0.25
    thinks.speaks.set()
    await at.settle()


@pytest.mark.parametrize(
    ("control", "left", "seconds"),
    [
        ("5m", 300_000, 7.5),
        ("5m", 2_000, 0.05),
        ("5m+5s", 0, 2.5),
        ("15m+30s", 0, 15),
        ("1m", 0, 30),
    ],
)
def test_a_computer_shares_its_time_among_the_moves_to_come(control, left, seconds):
    read = read_control(control)
    clock = GameClock(read, (left,) * 2, (read.periods,) * 2, (0, 0), (None, None))
    assert clock.pace(0) == seconds


async def test_it_is_chosen_on_the_sheet_and_said_there_and_on_the_open_table(at):
    sheet = await begun(at, ALONE, clock="5m")
    await sheet.press("Niya")
    await sheet.press("Reglas de la casa")
    await sheet.press("Reloj del ordenador: no")
    await sheet.press("Listo")
    assert "El ordenador juega con el mismo reloj." in sheet.screen.lines
    await sheet.press("Empezar")
    assert (await only(at)).computer_clock
    await at.call(NEREA, "play", game="niya", clock="5m", timed="on")
    open_one = next(one for one in await tables(at) if one.status == OPEN)
    lines = at.chat.board(open_one.code).screen.lines
    assert "El ordenador juega con el mismo reloj." in lines
