"""Flags fall by themselves, games are claimed, presses count by when they arrived (H16, F12)."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.port import Asker, Command
from bot.session.table import ENDED, PLAYING, Table
from storage.table import deadlines, games
from tests.fakes import UPDATES, Desk, FakeClock, Message, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


def board(at: Desk) -> Message:
    return at.chat.board(list(at.chat.messages.values())[-1].screen.table)


async def table_of(at: Desk) -> Table:
    return await at.facade.services.tables.get(board(at).screen.table)


async def playing(at: Desk, control: str, game: str = "shogi") -> tuple[Asker, Asker]:
    """A game with a clock that has just begun; who is to move, and the other."""
    await at.call(NEREA, "play", game=game, opponent=BRUNO, clock=control)
    await at.press(BRUNO, board(at), "Aceptar")
    return await turn(at)


async def turn(at: Desk) -> tuple[Asker, Asker]:
    table = await table_of(at)
    (seat,) = table.actors()
    return (NEREA, BRUNO) if table.players[seat].name == "Nerea" else (BRUNO, NEREA)


async def moved(at: Desk, who: Asker, sent: float | None = None) -> None:
    """*who* moves, as his platform says so many seconds ago."""
    table = await table_of(at)
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    await at.call(who, "move", move=move, table=table.code)


async def after(at: Desk, clock: FakeClock, **gap: float) -> None:
    """Let time pass, and let happen what then is due."""
    clock.wait(timedelta(**gap))
    await at.facade.process_duties.deadlines.expire()
    at.facade.services.notifications.look_now()
    await at.settle()


async def flags(at) -> list[tuple[object, ...]]:
    async with at.facade.store.reading() as tx:
        found = await tx.execute(text("SELECT game, kind FROM event WHERE kind = 'flag'"))
        return [tuple(row) for row in found]


# ---------------------------------------------------------------- falling


async def test_a_flag_falls_by_itself_and_everybody_is_told(at, clock):
    _, other = await playing(at, "15m+30s")
    await after(at, clock, minutes=15, seconds=30)
    assert (await table_of(at)).status == PLAYING
    await after(at, clock, seconds=4)
    table = await table_of(at)
    assert table.status == ENDED
    shown = board(at).screen.headline
    assert shown.endswith("se le ha acabado el tiempo.")
    assert f"Gana {other.name}" in shown
    over = [ping for ping in at.chat.pings if "ha terminado" in ping.text]
    assert sorted(name for ping in over for name in ping.called) == ["Bruno", "Nerea"]


async def test_the_house_wakes_for_a_flag_by_itself(tmp_path):
    async with desk(tmp_path) as at:
        await playing(at, "5s")
        async with asyncio.timeout(30):
            while (await table_of(at)).status == PLAYING:
                await asyncio.sleep(0.05)
        assert await at.facade.store.read(deadlines.deadlines_of_game, board(at).screen.table) == ()


async def test_the_board_says_who_has_how_much_left_and_counts_down(at, clock):
    mover, other = await playing(at, "5m+5s")
    clock.wait(timedelta(seconds=65))
    await moved(at, mover)
    await at.settle()
    screen = board(at).screen
    assert f"{mover.name} 4 min" in "\n".join(screen.lines)
    assert screen.countdown is not None
    assert screen.countdown.until == clock.shown + timedelta(minutes=5)
    assert screen.countdown.said.endswith(f"A {other.name} se le acaba el tiempo")


@pytest.mark.parametrize(("passed", "ago", "counts"), [(62, 2.5, True), (64, 30, False)])
async def test_a_press_made_in_time_counts_where_it_comes_three_seconds_late_at_most(
    at, clock, passed, ago, counts
):
    mover, other = await playing(at, "1m")
    table = await table_of(at)
    move = table.game.notation.written(table.present, table.present.legal_moves(0)[0])
    clock.wait(timedelta(seconds=passed))

    call = Command(
        f"u{next(UPDATES)}", at.where, mover, "move", {"move": move, "table": table.code}
    )
    sent = clock.shown - timedelta(seconds=ago)
    assert (await at.facade.requests.call(replace(call, sent=sent))).good is counts
    if counts:
        assert (await turn(at))[0] == other
    else:
        assert (await table_of(at)).status == ENDED


@pytest.mark.parametrize("order", ["press first", "deadline first"])
@pytest.mark.parametrize(("arrives", "counts"), [(60.0, True), (60.001, False)])
async def test_at_the_instant_of_the_flag_the_arrival_alone_decides(
    at, clock, tmp_path, order, arrives, counts
):
    """A press that waits for its turn while the deadline is met ends the same way."""
    mover, _ = await playing(at, "1m")
    table = await table_of(at)
    move = table.game.notation.written(table.present, table.present.legal_moves(0)[0])
    clock.wait(timedelta(seconds=arrives))
    gate, guarded = asyncio.Event(), at.facade.services.dispatcher.call

    async def held(call):
        await gate.wait()
        return await guarded(call)

    object.__setattr__(at.facade.services.dispatcher, "call", held)

    call = Command("late", at.where, mover, "move", {"move": move, "table": table.code})
    press = asyncio.create_task(at.facade.requests.call(call))
    await asyncio.sleep(0)
    clock.wait(timedelta(seconds=5))
    expiring = asyncio.create_task(at.facade.process_duties.deadlines.expire())
    await asyncio.sleep(0.01 if order == "deadline first" else 0)
    gate.set()
    assert (await press).good is counts
    await expiring
    await at.settle()
    assert (await table_of(at)).status == (PLAYING if counts else ENDED)
    assert len(await flags(at)) == (0 if counts else 1)


# ---------------------------------------------------------------- claims


@pytest.mark.slow
async def test_who_is_days_late_is_called_first_and_then_the_other_may_claim(at, clock):
    mover, other = await playing(at, "3d")
    await moved(at, mover)
    mover, other = other, mover
    await after(at, clock, days=3, seconds=1)
    texts = {ping.called: ping.text for ping in at.chat.pings}
    assert "se te ha acabado el tiempo" in texts[(mover.name,)]
    assert "puedes reclamar" in texts[(other.name,)]
    shown = board(at)
    assert not (await at.press(mover, shown, "Reclamar la partida")).good
    assert not (await at.press(EVA, shown, "Reclamar la partida")).good
    assert (await at.press(other, shown, "Dar un día más")).good
    await after(at, clock, hours=23)
    assert "Reclamar la partida" not in board(at).labels
    await after(at, clock, hours=2)
    assert (await at.press(other, board(at), "Reclamar la partida")).good
    assert f"Gana {other.name}" in board(at).screen.headline


async def test_against_a_computer_a_long_flag_falls_too(at, clock):
    await at.call(NEREA, "play", game="niya", opponent="ordenador", clock="1d")
    await at.settle()
    await after(at, clock, days=1, seconds=10)
    assert (await table_of(at)).status == ENDED


# ---------------------------------------------------------------- time that is no time


@pytest.mark.parametrize("down", [timedelta(days=3), timedelta(seconds=40)])
async def test_f12_the_time_we_were_down_is_given_back(tmp_path, down):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        await playing(at, "1m")
        code = board(at).screen.table
        clock.wait(timedelta(seconds=50))
        async with at.facade.store.transaction() as tx:
            await at.facade.services.heartbeat.alive(tx)
    clock.wait(down)
    clock.set(100 * (down - timedelta(seconds=40)))
    async with desk(tmp_path, clock=clock) as at:
        await at.settle()
        # The board that stood while we were away tells anew when the time ends.
        (shown,) = at.chat.messages.values()
        assert shown.screen.countdown is not None
        assert shown.screen.countdown.until == clock.shown + timedelta(seconds=10)
        await after(at, clock, seconds=9)
        assert (await at.facade.services.tables.get(code)).status == PLAYING
        await after(at, clock, seconds=5)
        assert (await at.facade.services.tables.get(code)).status == ENDED


async def test_a_rematch_has_the_same_clock(at, clock):
    await playing(at, "5m+5s")
    await after(at, clock, minutes=6)
    for who in (NEREA, BRUNO):
        await at.press(who, board(at), "Revancha")
    table = await table_of(at)
    assert (table.status, table.control) == (PLAYING, "5m+5s")
    assert table.clock is not None
    assert table.clock.left == (300_000, 300_000)


async def test_a_table_without_a_clock_has_no_deadline_but_for_reminders(at, clock):
    await playing(at, "")
    found = await at.facade.store.read(deadlines.deadlines_of_game, board(at).screen.table)
    assert [row.kind for row in found] == ["reminder"]


@pytest.mark.sampled
@pytest.mark.parametrize("instant", ["before", "between"])
async def test_a_kill_between_flag_and_board_leaves_one_flag_one_end_and_one_call(
    tmp_path, instant
):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        await playing(at, "1m")
        code = board(at).screen.table
        async with at.facade.store.transaction() as tx:
            await at.facade.services.heartbeat.alive(tx)
        clock.wait(timedelta(seconds=64))
        at.chat.pings.clear()
        if instant == "between":
            at.facade.services.notifications.look_now = lambda: None
        async with at.facade.store.transaction() as tx:
            await at.facade.services.heartbeat.alive(tx)
        if instant == "between":
            at.facade.services.delivery.show_owed = lambda views: None
            with contextlib.suppress(Exception):
                await at.facade.process_duties.deadlines.expire()
        events = await at.facade.store.read(games.load_events, code)
        assert sum(row.kind == "flag" for row in events) == (instant == "between")
    async with desk(tmp_path, clock=clock) as at:
        await after(at, clock, seconds=1)
        await after(at, clock, seconds=10)
        assert (await at.facade.services.tables.get(code)).status == ENDED
        assert len(await flags(at)) == 1
        events = await at.facade.store.read(games.load_events, code)
        assert sum(row.kind == "end" for row in events) == 1
        called = [name for ping in at.chat.pings for name in ping.called]
        assert sorted(called) == ["Bruno", "Nerea"]


# ---------------------------------------------------------------- in words


async def test_whoever_asks_for_words_hears_what_is_left_at_that_moment(at, clock):
    mover, other = await playing(at, "9h+1m")
    clock.wait(timedelta(minutes=30))
    for said in (
        (await at.press(other, board(at), "En palabras")).said,
        (await at.call(other, "board", form="texto", table=board(at).screen.table)).said,
    ):
        assert f"{mover.name} 8 h 30 min" in said
        assert f"{other.name} 9 h" in said
        assert f"⏳ A {mover.name} se le acaba el tiempo en 8 h 31 min." in said


async def test_words_tell_of_days_for_a_move(at, clock):
    mover, other = await playing(at, "3d")
    clock.wait(timedelta(hours=30))
    said = (await at.press(other, board(at), "En palabras")).said
    assert f"⏳ A {mover.name} se le acaba el tiempo en 1 día 18 h." in said
