"""Places that shut us out and threads that are closed: when one board is tried there again."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import accumulate

import pytest

from bot.boards.closed_places import KNOCK, TRIAL_SECONDS
from bot.boards.delivery import LEFT
from bot.port import PlaceShut, Shown, ThreadShut, Where
from storage import bot_settings
from storage.table import views as stored
from tests.bot.notification_helpers import after, heard, moved, playing
from tests.fakes import Desk, FakeChat, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
TOPIC = Where("fake", "group", "7")


class Guarded(FakeChat):
    """A chat with places that are shut, and threads that take nothing new."""

    def __init__(self) -> None:
        super().__init__()
        self.why: PlaceShut | ThreadShut | None = None
        self.tried: list[str | None] = []
        """The messages of the boards that were refused."""

    async def show(self, target, screen, picture) -> Shown:
        new = target.message is None
        if isinstance(self.why, PlaceShut) or (isinstance(self.why, ThreadShut) and new):
            self.tried.append(target.message)
            raise self.why
        return await super().show(target, screen, picture)

    async def ping(self, *args):
        if isinstance(self.why, ThreadShut):
            raise self.why
        return await super().ping(*args)


@pytest.fixture
async def at(tmp_path, monkeypatch, clock):
    monkeypatch.setattr("tests.fakes.FakeChat", Guarded)
    async with desk(tmp_path, clock=clock) as opened:
        opened.facade.services.delivery.closed_places.clock = lambda: clock.passed
        yield opened


async def tables(at: Desk, count: int = 3, where: Where | None = None) -> list[str]:
    """The codes of tables of Nerea against Bruno that stand in one place."""
    codes = []
    for _ in range(count):
        await at.call(NEREA, "play", where, game="niya")
        codes.append(list(at.chat.messages.values())[-1].screen.table)
        await at.call(BRUNO, "join", where, table=codes[-1])
    return codes


async def resigned(at: Desk, codes: list[str]) -> None:
    """End the tables from a private chat."""
    for code in codes:
        await at.surely(NEREA, "resign", Where("fake", "nerea", private=True), table=code)


def shown_over(at: Desk, codes: list[str]) -> int:
    return sum(at.chat.board(code, at.where).screen.over for code in codes)


def test_trials_that_nobody_asks_for_come_after_1_5_and_30_minutes_and_then_hourly():
    first_day = [seconds / 60 for seconds in accumulate(TRIAL_SECONDS[:-1])]
    assert first_day == [1, 5, 30, *range(90, 31 + 60 * 24, 60)]


async def test_of_three_boards_one_is_refused_and_two_wait(at):
    codes = await tables(at)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    assert len(at.chat.tried) == 1
    assert shown_over(at, codes) == 0


@pytest.mark.slow
async def test_the_trial_is_one_board_and_brings_the_others(at):
    codes = await tables(at)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    at.facade.services.delivery.closed_places.clock = lambda: KNOCK + 1
    await at.facade.services.delivery.closed_places.knock(at.where)
    await at.settle()
    assert len(at.chat.tried) == 2
    at.chat.why = None
    at.facade.services.delivery.closed_places.clock = lambda: 3 * KNOCK
    await at.facade.services.delivery.closed_places.knock(at.where)
    await at.settle()
    assert shown_over(at, codes) == 3


@pytest.mark.slow
async def test_a_press_has_its_own_board_tried(at):
    codes = await tables(at)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    pressed = at.chat.board(codes[0]).id
    at.facade.services.delivery.closed_places.clock = lambda: KNOCK + 1
    await at.facade.services.delivery.closed_places.knock(at.where, pressed)
    await at.settle()
    assert at.chat.tried[-1] == pressed


async def test_a_storm_of_presses_costs_one_trial(at):
    codes = await tables(at, 1)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    for _ in range(20):
        await at.facade.services.delivery.closed_places.knock(at.where)
        await at.settle()
    assert len(at.chat.tried) == 1


async def test_who_presses_while_a_trial_is_on_its_way_has_it_tried_once_more(at, monkeypatch):
    monkeypatch.setattr("bot.boards.closed_places.KNOCK", 0.3)
    codes = await tables(at, 1)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    closed = at.facade.services.delivery.closed_places
    closed.clock = asyncio.get_running_loop().time
    under_way, decided = asyncio.Event(), asyncio.Event()

    async def refuse_late(*_):
        under_way.set()
        await decided.wait()
        raise PlaceShut("no rights")

    with monkeypatch.context() as patch:
        patch.setattr(at.chat, "show", refuse_late)
        await closed.knock(at.where)
        await under_way.wait()
    at.chat.why = None  # it is open from now on, and the trial was before
    await closed.knock(at.where)
    decided.set()
    async with asyncio.timeout(5):
        while not shown_over(at, codes):
            await asyncio.sleep(0.05)


async def test_where_the_platform_will_tell_a_line_counts_and_no_press(at):
    codes = await tables(at, 1)
    at.chat.why = PlaceShut("kicked", announced=True)
    await resigned(at, codes)
    at.facade.services.delivery.closed_places.clock = lambda: 1000.0
    await at.facade.services.delivery.closed_places.knock(at.where, at.chat.board(codes[0]).id)
    await at.settle()
    assert len(at.chat.tried) == 1
    at.chat.why = None
    await at.facade.services.delivery.closed_places.knock(at.where)
    await at.settle()
    assert shown_over(at, codes) == 1


@pytest.mark.slow
async def test_nobody_comes_and_it_is_tried_in_its_time(at):
    codes = await tables(at)
    at.facade.services.delivery.closed_places.tries = (0.01,)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    async with asyncio.timeout(60):
        while len(at.chat.tried) < 3:
            await asyncio.sleep(0.005)
        at.chat.why = None
        while shown_over(at, codes) < 3:
            await asyncio.sleep(0.005)
    assert shown_over(at, codes) == len(codes)


async def test_boards_that_waited_over_a_restart_are_tried(at):
    codes = await tables(at, 1)
    at.chat.why = PlaceShut("no rights")
    await resigned(at, codes)
    reopening = at.facade.services.delivery.closed_places
    reopening.close()
    reopening._shut.clear()
    reopening._closed, reopening.tries, at.chat.why = False, (0.0,), None
    await at.facade.services.delivery.wake_all()
    async with asyncio.timeout(60):
        while not shown_over(at, codes):
            await asyncio.sleep(0.005)
    assert shown_over(at, codes) == len(codes)


async def test_a_closed_thread_takes_edits_and_the_rest_of_the_place_takes_everything(at):
    (code,) = await tables(at, 1, TOPIC)
    at.chat.why = ThreadShut("closed")
    await at.call(EVA, "play", TOPIC, game="niya")
    assert at.chat.tried == [None]
    await at.surely(NEREA, "resign", TOPIC, table=code)
    assert at.chat.board(code).screen.over
    at.chat.why = None
    await at.call(EVA, "play", game="cirya")
    assert "Cirya" in next(reversed(at.chat.messages.values())).screen.title
    assert at.chat.tried == [None]


async def test_a_board_that_tries_a_closed_thread_further_down_is_changed_where_it_is_then(at):
    (code,) = await tables(at, 1, TOPIC)
    delivery, shut = at.facade.services.delivery, ThreadShut("closed")
    await delivery.closed_places.refuse(TOPIC, shut)
    (view,) = await at.facade.store.read(stored.views_of_game, code)
    assert not await delivery._goes_on(view, shut), "refused twice, it waits"
    delivery.closed_places.clock = lambda: 1000.0
    await delivery.closed_places.knock(TOPIC)
    assert await delivery._goes_on(view, shut), "what was tried further down goes on where it is"
    assert not await delivery._goes_on(view, shut)


async def test_a_thread_that_is_open_again_gets_what_waited(at):
    at.chat.why = ThreadShut("closed")
    await at.call(EVA, "play", TOPIC, game="niya")
    assert not at.chat.messages
    at.chat.why = None
    await at.facade.services.delivery.closed_places.reopen(TOPIC, inner=True)
    await at.settle()
    assert len(at.chat.messages) == 1


async def test_a_call_into_a_closed_thread_waits_until_it_is_open(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    at.chat.why = ThreadShut("closed")
    await moved(at, mover)
    assert heard(at) == []
    at.chat.why = None
    await at.facade.services.delivery.closed_places.reopen(at.where, inner=True)
    await at.settle()
    assert [ping.called for ping in at.chat.pings] == [(other.name,)]


async def test_a_call_that_a_place_refuses_which_is_shut_again_is_made_when_it_is_open(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    at.chat.refusing = [PlaceShut("no rights")]
    await moved(at, mover)
    assert heard(at) == []
    closed_places = at.facade.services.delivery.closed_places
    await closed_places.refuse(at.where, PlaceShut("no rights"))
    await closed_places.reopen(at.where)
    await at.settle()
    assert [ping.called for ping in at.chat.pings] == [(other.name,)]


async def test_a_call_answered_where_nothing_can_be_removed_goes_when_it_is_open(
    at, clock, monkeypatch
):
    _, mover, other = await playing(at)
    await after(at, clock, seconds=31)
    at.chat.pings.clear()
    await moved(at, mover)
    (call,) = at.chat.pings
    with monkeypatch.context() as shut:

        async def remove(where, message):
            raise PlaceShut("no rights")

        shut.setattr(at.chat, "remove", remove)
        await moved(at, other)
    assert call.id not in at.chat.removed
    closed_places = at.facade.services.delivery.closed_places
    await closed_places.refuse(at.where, PlaceShut("no rights"))
    await closed_places.reopen(at.where)
    await at.settle()
    assert at.chat.removed.count(call.id) == 1


@pytest.mark.parametrize("days", [0, 3])
async def test_what_could_not_be_removed_before_a_stop_is_removed_after_it_for_some_days(
    tmp_path, clock, monkeypatch, days
):
    async with desk(tmp_path, clock=clock) as before:

        async def remove(where, message):
            raise PlaceShut("no token")

        monkeypatch.setattr(before.chat, "remove", remove)
        await before.facade.services.delivery.take_away(before.where, "m1")
    clock.wait(timedelta(days=days))
    async with desk(tmp_path, clock=clock) as after_stop:
        await after_stop.settle()
        store = after_stop.facade.store
        async with asyncio.timeout(20):
            while await store.read(bot_settings.list_settings, LEFT):
                await asyncio.sleep(0.005)
        assert after_stop.chat.removed == ["m1"] * (days == 0)
