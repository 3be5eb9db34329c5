"""Reminders, quiet hours, holidays, outages: who is told that time runs out, who gets it back."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from bot.port import Answer, Asker, Where
from bot.session.preferences import Personal
from tests.bot.test_flags import after, board, moved, playing, table_of, turn
from tests.fakes import Desk, FakeClock, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


def reminded(at: Desk) -> list[str]:
    """Who was told that time runs out or that others wait, one after the other."""
    words = ("se te acaba el tiempo", "te queda la mitad", "que te toca", "te esperan")
    return [
        name for ping in at.chat.pings if any(w in ping.text for w in words) for name in ping.called
    ]


async def away(at: Desk, who: Asker, days: str = "") -> Answer:
    return await at.call(who, "holidays", days=days, whispered="yes")


async def test_a_reminder_comes_at_half_and_at_a_tenth_of_the_days_for_a_move(at, clock):
    mover, _ = await playing(at, "3d")
    await after(at, clock, hours=35, minutes=59)
    assert reminded(at) == []
    await after(at, clock, minutes=2)
    assert reminded(at) == [mover.name]
    await after(at, clock, hours=28, minutes=40)
    assert reminded(at) == [mover.name]
    await after(at, clock, minutes=10)
    assert reminded(at) == [mover.name] * 2
    await after(at, clock, hours=6)
    assert reminded(at) == [mover.name] * 2


async def test_who_has_moved_is_not_reminded(at, clock):
    mover, other = await playing(at, "1d")
    await after(at, clock, hours=11)
    await moved(at, mover)
    await after(at, clock, hours=11, minutes=59)
    assert reminded(at) == []
    await after(at, clock, minutes=2)
    assert reminded(at) == [other.name]


async def test_short_clocks_remind_nobody(at, clock):
    await playing(at, "9h")
    await after(at, clock, hours=8, minutes=59)
    assert reminded(at) == []


async def test_without_a_clock_one_is_reminded_after_a_day_and_after_three(at, clock):
    mover, _ = await playing(at, "")
    await after(at, clock, hours=23, minutes=59)
    assert reminded(at) == []
    await after(at, clock, minutes=2)
    assert reminded(at) == [mover.name]
    await after(at, clock, hours=47, minutes=50)
    assert reminded(at) == [mover.name]
    await after(at, clock, minutes=20)
    assert reminded(at) == [mover.name] * 2
    for _ in range(6):
        await after(at, clock, days=1)
    assert reminded(at) == [mover.name] * 2


async def test_without_a_clock_a_move_begins_the_days_anew(at, clock):
    mover, other = await playing(at, "")
    await after(at, clock, hours=20)
    await moved(at, mover)
    await after(at, clock, hours=5)
    assert reminded(at) == []
    await after(at, clock, hours=19, minutes=1)
    assert reminded(at) == [other.name]


async def test_nobody_is_reminded_in_his_quiet_hours(at, clock):
    mover, _ = await playing(at, "3d")
    midnight = Personal(quiet=(0, 8), zone="UTC")
    await at.facade.services.people.choose(
        (await table_of(at)).players[0].person or 0, lambda _: midnight
    )
    await at.facade.services.people.choose(
        (await table_of(at)).players[1].person or 0, lambda _: midnight
    )
    await after(at, clock, hours=36, minutes=1)
    assert reminded(at) == [], "it is midnight"
    await after(at, clock, hours=7, minutes=50)
    assert reminded(at) == []
    await after(at, clock, minutes=15)
    assert reminded(at) == [mover.name]


async def test_in_the_quiet_hours_too_where_time_would_run_out_in_them(at, clock):
    mover, _ = await playing(at, "1d")
    quiet = Personal(quiet=(9, 13), zone="UTC")
    for player in (await table_of(at)).players:
        await at.facade.services.people.choose(player.person or 0, lambda _: quiet)
    await after(at, clock, hours=12, minutes=1)
    assert reminded(at) == [mover.name]
    await after(at, clock, hours=9, minutes=40)
    assert reminded(at) == [mover.name] * 2, "time is over at noon, and quiet till one"


async def test_one_message_tells_of_every_table_and_none_follows_within_an_hour(at, clock):
    await playing(at, "1d")
    for _ in range(4):
        clock.wait(timedelta(minutes=7))
        await playing(at, "1d", "niya")
    tables = {m.screen.table for m in at.chat.messages.values() if m.screen.table != "0000"}
    assert len(tables) == 5
    told: list[tuple[float, str]] = []
    for _ in range(25):
        before = len(reminded(at))
        await after(at, clock, minutes=59)
        told += [(clock.passed, name) for name in reminded(at)[before:]]
    for name in ("Nerea", "Bruno"):
        times = [time for time, who in told if who == name]
        assert all(b - a >= 3600 for a, b in pairwise(times)), times
    assert any("También en" in ping.text for ping in at.chat.pings)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_happens_at_many_tables_nobody_is_reminded_twice_within_an_hour(
    at, clock, seed
):
    chance = random.Random(seed)
    people = {one.name: one for one in (NEREA, BRUNO, EVA)}
    for control in ("1d", "1d", "2d", "3d", "20h/move", "", ""):
        clock.wait(timedelta(minutes=chance.randrange(90)))
        host, guest = chance.sample(list(people.values()), 2)
        await at.call(host, "play", game="niya", opponent=guest, clock=control)
        await at.press(guest, board(at), "Aceptar")
    tables = {m.screen.table for m in at.chat.messages.values() if m.screen.table != "0000"}
    told: list[tuple[float, str]] = []
    while clock.passed < 4 * 86400:
        if chance.random() < 0.05:
            table = await at.facade.services.tables.get(chance.choice(sorted(tables)))
            for seat in table.actors():
                move = table.game.notation.written(
                    table.present, table.present.legal_moves(seat)[0]
                )
                await at.call(people[table.players[seat].name], "move", move=move, table=table.code)
        before = len(reminded(at))
        await after(at, clock, minutes=chance.choice((3, 20, 41, 59)))
        told += [(clock.passed, name) for name in reminded(at)[before:]]
    assert len(told) > 10
    for name in people:
        times = [time for time, who in told if who == name]
        assert all(b - a >= 3600 for a, b in pairwise(times)), times


async def test_a_kill_reminds_nobody_twice(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        await playing(at, "3d")
        await after(at, clock, hours=36, minutes=1)
        assert len(reminded(at)) == 1
        async with at.facade.store.transaction() as tx:
            await at.facade.services.heartbeat.alive(tx)
    async with desk(tmp_path, clock=clock) as at:
        await after(at, clock, hours=2)
        assert reminded(at) == []


@pytest.mark.slow
async def test_a_call_that_is_on_its_way_when_the_house_stops_is_made_once(tmp_path):
    clock, called, under_way = FakeClock(), [], asyncio.Event()
    async with desk(tmp_path, clock=clock) as at:
        await playing(at, "3d")
        ping = at.chat.ping

        async def slowly(*args):
            under_way.set()
            await asyncio.sleep(0.05)
            called.append(args[1].people)
            return await ping(*args)

        at.chat.ping = slowly
        clock.wait(timedelta(hours=36, minutes=1))
        async with at.facade.store.transaction() as tx:
            await at.facade.services.heartbeat.alive(tx)
        await at.facade.process_duties.deadlines.expire()
        at.facade.services.notifications.look_now()
        await under_way.wait()
    assert len(called) == 1
    async with desk(tmp_path, clock=clock) as at:
        await after(at, clock, hours=2)
        assert reminded(at) == []


# ---------------------------------------------------------------- time given back


async def test_the_sheet_of_holidays_is_true_at_home_and_away(at):
    """English told somebody who was not away what holds «until then»."""
    who = replace(NEREA, language="en")
    rule = "While you are on holiday, your clock is stopped in games of an hour or more a move."
    home = (await at.call(who, "holidays", whispered="yes")).screen
    assert home.headline.endswith("You aren’t on holiday.")
    gone = (await away(at, who, "7")).screen
    assert "You are on holiday" in gone.headline
    for days, shown in ((30, home), (23, gone)):
        assert shown.lines == (f"{rule} You have {days} days left this year.",)


@pytest.mark.slow
async def test_holidays_stop_the_days_for_a_move(at, clock):
    mover, _ = await playing(at, "3d")
    await after(at, clock, days=1)
    assert (await away(at, mover, "7")).good
    await at.settle()
    screen = board(at).screen
    assert any(
        f"{mover.name} está de vacaciones hasta el 30 de noviembre" in one for one in screen.lines
    )
    assert screen.countdown is not None
    assert screen.countdown.until == clock.shown + timedelta(days=9)
    await after(at, clock, days=2, hours=1)
    await after(at, clock, days=4, hours=23)
    assert not (await table_of(at)).clock.late
    await after(at, clock, days=1, hours=23)
    assert not (await table_of(at)).clock.late
    await after(at, clock, hours=2)
    assert (await table_of(at)).clock.late


@pytest.mark.slow
async def test_who_comes_back_early_is_charged_from_then_on(at, clock):
    mover, _ = await playing(at, "3d")
    assert (await away(at, mover, "14")).good
    await after(at, clock, days=1)
    assert (await away(at, mover, "0")).good
    await at.settle()
    assert not any("vacaciones" in line for line in board(at).screen.lines)
    await after(at, clock, days=2, hours=23)
    assert not (await table_of(at)).clock.late
    await after(at, clock, hours=2)
    assert (await table_of(at)).clock.late


@pytest.mark.slow
async def test_no_reminder_comes_in_holidays(at, clock):
    mover, _ = await playing(at, "3d")
    assert (await away(at, mover, "7")).good
    for _ in range(8):
        await after(at, clock, days=1)
        assert reminded(at) == []
    await after(at, clock, hours=13)
    assert reminded(at) == [mover.name]


async def test_holidays_change_nothing_for_a_bank(at, clock):
    mover, _ = await playing(at, "2h")
    assert (await away(at, mover, "7")).good
    await after(at, clock, hours=2, seconds=1)
    assert (await table_of(at)).clock.late


async def test_holidays_are_fourteen_days_at_a_time_and_thirty_a_year(at, clock):
    assert not (await away(at, NEREA, "15")).good
    assert not (await away(at, NEREA, "x")).good
    for days in ("14", "14"):
        assert (await away(at, NEREA, days)).good
        clock.wait(timedelta(days=15))
    assert not (await away(at, NEREA, "3")).good
    assert (await away(at, NEREA, "2")).good
    assert (await away(at, NEREA, "0")).good
    assert "quedan 2 días" in at.card(await away(at, NEREA)).screen.lines[0]
    clock.wait(timedelta(days=365))
    assert (await away(at, NEREA, "14")).good


@pytest.mark.slow
async def test_a_shut_place_stops_the_clock_of_who_plays_there(at, clock):
    await playing(at, "1m")
    await after(at, clock, seconds=30)
    await at.facade.boards.places.shut(at.where)
    version = (await table_of(at)).version
    for _ in range(5):
        await after(at, clock, hours=1)
    assert (await table_of(at)).status == "playing"
    assert (await table_of(at)).version == version, "looking at a clock is no event"
    await at.facade.boards.places.let_in(at.where)
    await after(at, clock, seconds=29)
    mover, other = await turn(at)
    await moved(at, mover)
    assert (await turn(at)) == (other, mover)
    table = await table_of(at)
    assert table.clock.spent[-1] == 59_000


async def test_who_shuts_the_bot_out_of_his_own_chat_goes_on_being_charged(at, clock):
    home = Where("fake", "nerea", private=True)
    await at.call(NEREA, "play", game="niya", opponent="ordenador", clock="1m", where=home)
    await at.settle()
    (code,) = {message.screen.table for message in at.chat.messages.values()}
    await after(at, clock, seconds=30)
    await at.facade.boards.places.shut(home)
    await after(at, clock, seconds=40)
    assert (await at.facade.services.tables.get(code)).status == "ended"


async def test_the_other_one_is_charged_who_plays_from_elsewhere(at, clock):
    mover, _ = await playing(at, "1m")
    table, elsewhere = await table_of(at), Where("fake", "elsewhere")
    await at.call(mover, "board", table=table.code, where=elsewhere)
    async with at.facade.store.transaction() as tx:
        person = table.players[min(table.actors())].person or 0
        await at.facade.services.presence.sit(tx, table.code, person, elsewhere)
    await at.facade.boards.places.shut(at.where)
    await after(at, clock, minutes=2)
    assert (await table_of(at)).status == "ended"


async def test_a_platform_that_is_down_stops_the_clock_too(at, clock, monkeypatch):
    await playing(at, "1m")
    await after(at, clock, seconds=20)
    monkeypatch.setattr(at.chat, "is_connected", lambda: False)
    for _ in range(20):
        await at.facade.services.outages.look(at.facade.services.delivery.ownership.connected())
        await after(at, clock, seconds=10)
    monkeypatch.setattr(at.chat, "is_connected", lambda: True)
    await at.facade.services.outages.look(at.facade.services.delivery.ownership.connected())
    assert (await table_of(at)).status == "playing"
    await after(at, clock, seconds=39)
    assert (await table_of(at)).status == "playing"
    await after(at, clock, seconds=25)
    assert (await table_of(at)).status == "ended"


@pytest.mark.slow
async def test_a_flag_that_waited_for_a_platform_falls_at_its_instant_once_that_is_up(
    at, clock, monkeypatch
):
    await playing(at, "1m")
    await after(at, clock, seconds=50)
    await at.facade.services.outages.look(at.facade.services.delivery.ownership.connected())
    monkeypatch.setattr(at.chat, "is_connected", lambda: False)
    for _ in range(7):
        await after(at, clock, seconds=5)
        await at.facade.services.outages.look(at.facade.services.delivery.ownership.connected())
    monkeypatch.setattr(at.chat, "is_connected", lambda: True)
    await at.facade.services.outages.look(at.facade.services.delivery.ownership.connected())
    await after(at, clock, seconds=9)
    assert (await table_of(at)).status == "playing"
    # A press that was made in time may arrive three seconds late.
    await after(at, clock, seconds=5)
    assert (await table_of(at)).status == "ended"
