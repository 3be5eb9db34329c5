"""What comes while something else is awaited is neither lost nor done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from bot.port import Command, Pace, Where
from bot.runtime.rate_limiter import Limiter, Rank
from bot.service.table.changes import RemoteChange
from storage.table import deadlines, notifications, views
from tests.bot.notification_helpers import (
    BRUNO,
    EVA,
    NEREA,
    after,
    board,
    called,
    moved,
    playing,
)

ALONE = Where("fake", "eva-alone", private=True)


# ---------------------------------------------------------------- boards


async def test_two_who_have_a_board_posted_at_once_leave_one(at):
    shown, _, _ = await playing(at)
    code, posting = shown.screen.table, at.facade.services.views
    table, row = await posting.tables.get(code), await posting.at(at.where, shown.id)
    fresh = replace(row, id=0, message=None, posted=None, shown=0, digest="")
    await asyncio.gather(posting.post(table, fresh), posting.post(table, fresh))
    await at.settle()
    (left,) = await at.facade.store.read(views.views_of_game, code)
    standing = {one.id for one in at.chat.messages.values() if one.screen.table == code}
    assert standing - set(at.chat.removed) == {left.message}


async def test_a_board_after_a_computer_s_move_comes_as_soon_as_its_player_waits_for_it(
    at, monkeypatch
):
    at.chat.limit = Pace(18, 60.0)
    await at.call(NEREA, "play", game="niya", level="1", side="rojo", begins="rojo")
    ranks, turn = [], Limiter.turn

    async def note_rank(self, rank=Rank.PLAYS, key=None):
        ranks.append(rank)
        return await turn(self, rank, key)

    monkeypatch.setattr("bot.boards.delivery.TOGETHER", 30.0)
    monkeypatch.setattr(Limiter, "turn", note_rank)
    shown = board(at)
    await at.press(NEREA, shown, code=shown.moves[0].code)
    assert ranks == [Rank.TURN]
    assert board(at).edits == shown.edits + 1


# ---------------------------------------------------------------- calls


async def eva_is_away(at, clock) -> str:
    """A game in which Nerea is to move and Eva, who plays from her private chat, is away."""
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    return code


async def test_a_call_of_another_process_is_made_whose_board_came_while_it_was_read(
    at, clock, monkeypatch
):
    code = await eva_is_away(at, clock)
    calls, came, read = at.facade.services.notifications, asyncio.Event(), at.facade.store.read

    async def read_late(work, *given, **named):
        found = await read(work, *given, **named)
        if work is notifications.notifications_of_game:
            await came.wait()
        return found

    def hear(change):
        calls.hear(RemoteChange(code, change.table.version, None, None, ()))

    monkeypatch.setattr(calls, "after_commit", hear)
    monkeypatch.setattr(at.facade.store, "read", read_late)
    calls.renderer.when_shown(lambda _: came.set() if at.chat.board(code, ALONE).edits else None)
    await moved(at, NEREA, at.where)
    assert called(at) == ["Eva"]


async def test_a_place_that_opens_while_its_calls_are_weighed_is_called_in(at, clock, monkeypatch):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    await at.call(EVA, "join", ALONE, table=board(at).screen.table)
    await moved(at, NEREA, at.where)
    closed, asked = at.facade.services.closed_places, []

    async def is_shut(where):
        asked.append(where)
        if len(asked) > 1:
            return False
        for listener in closed._listeners:
            listener()
        return True

    monkeypatch.setattr(closed, "is_shut", is_shut)
    await after(at, clock, seconds=31)
    assert called(at) == ["Eva"]


# ---------------------------------------------------------------- deadlines


async def test_a_deadline_that_is_set_while_the_last_ones_are_met_is_waited_for(
    at, clock, monkeypatch
):
    services = at.facade.services
    alarm, store = services.alarm, at.facade.store
    await at.call(NEREA, "play", game="niya")
    first = await store.read(deadlines.next_deadline, clock.shown)
    await until(lambda: alarm.following == first)
    next_due, looks = services.deadlines.tournaments.next_due, []

    async def open_table():
        looks.append(clock.shown)
        if len(looks) == 1:
            call = Command("late", at.where, BRUNO, "play", {"game": "niya"})
            await at.facade.requests.call(call)
        return await next_due()

    monkeypatch.setattr(services.deadlines.tournaments, "next_due", open_table)
    clock.wait(timedelta(hours=1, seconds=1))
    alarm.look_again()
    second = clock.shown + timedelta(hours=1)
    await until(lambda: alarm.following == second)


async def until(reached: Callable[[], bool]) -> None:
    """Wait until something is *reached*."""
    async with asyncio.timeout(10):
        while not reached():
            await asyncio.sleep(0.01)


# ---------------------------------------------------------------- places


async def test_what_is_told_once_in_a_place_is_told_once_to_two_who_come_at_once(at):
    places = at.facade.boards.places
    first = await asyncio.gather(*(places.first_time(at.where, "greeted") for _ in range(2)))
    assert sorted(first) == [False, True]
