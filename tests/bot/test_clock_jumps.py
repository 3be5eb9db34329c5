"""A clock that is set is no time that passes (F12)."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.port import Answer
from bot.service import heartbeat
from bot.service.clock import SteadyClock
from storage import Store, bot_settings, inbox
from storage.table import deadlines
from tests.bot.test_out_of_turn import returning, silent_game
from tests.databases import database_in
from tests.fakes import Desk, FakeClock, desk, person

pytestmark = pytest.mark.sampled(2)

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
YEAR = 365 * DAY


async def newest(at: Desk) -> str:
    return list(at.chat.messages.values())[-1].screen.table


async def opened(at: Desk) -> tuple[str, str, str]:
    """An invitation, a challenge, and a hidden set-up: the tables that wait for a deadline."""
    await at.call(NEREA, "play", game="niya")
    invitation = await newest(at)
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    challenge = await newest(at)
    await at.call(NEREA, "play", game="storill")
    set_up = await newest(at)
    await at.call(BRUNO, "join", table=set_up)
    return invitation, challenge, set_up


async def waiting(at: Desk, codes: tuple[str, str, str]) -> list[bool]:
    """Which of the three still wait, once the house has looked at its deadlines."""
    await at.facade.process_duties.deadlines.expire()
    await at.settle()
    *invited, set_up = [await at.facade.services.tables.get(code) for code in codes]
    return [*(table.status == "open" for table in invited), len(set_up.actors()) == 2]


@pytest.mark.parametrize(
    ("restarts", "jumps"), [(False, 25), (True, 5), pytest.param(True, 25, marks=pytest.mark.slow)]
)
async def test_f12_jumps_of_a_day_or_a_year_end_nothing_too_early_or_too_late(
    tmp_path: Path, restarts: bool, jumps: int
) -> None:
    chance, clock = random.Random(12), FakeClock()
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(desk(tmp_path, clock=clock))
        codes = await opened(at)
        for _ in range(jumps):
            if restarts:
                await stack.aclose()
            clock.set(chance.choice([-1, 1]) * chance.choice([DAY, YEAR]))
            if restarts:
                at = await stack.enter_async_context(desk(tmp_path, clock=clock))
            clock.wait(50 * MINUTE / jumps)
            assert await waiting(at, codes) == [True, True, True]
            async with at.facade.store.transaction() as tx:
                await at.facade.services.heartbeat.alive(tx)
        clock.wait(11 * MINUTE)
        assert await waiting(at, codes) == [False, True, True]
        clock.wait(timedelta(hours=22, minutes=58))
        assert await waiting(at, codes) == [False, True, True]
        clock.wait(2 * MINUTE)
        assert await waiting(at, codes) == [False, False, False]


async def test_a_deadline_set_while_the_clock_is_wrong_is_right(tmp_path: Path) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        clock.set(YEAR)
        codes = await opened(at)
        clock.set(-YEAR)
        clock.wait(59 * MINUTE)
        assert await waiting(at, codes) == [True, True, True]
        clock.wait(2 * MINUTE)
        assert await waiting(at, codes) == [False, True, True]


@pytest.mark.slow
async def test_an_update_is_remembered_as_done_whatever_the_clock_is_set_to(tmp_path: Path) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        await at.facade.store.write(
            inbox.finish_update, "fake", "u1", at.facade.services.clock.steady()
        )
    for jump in (YEAR, -YEAR, DAY, -DAY):
        clock.set(jump)
        async with desk(tmp_path, clock=clock) as at:
            async with at.facade.store.transaction() as tx:
                await at.facade.services.heartbeat.alive(tx)
            assert await at.facade.store.read(inbox.is_update_done, "fake", "u1")
            clock.wait(MINUTE)
    async with desk(tmp_path, clock=clock) as at:
        clock.wait(heartbeat.INBOX_KEPT + MINUTE)
        async with at.facade.store.transaction() as tx:
            await at.facade.services.heartbeat.alive(tx)
        assert not await at.facade.store.read(inbox.is_update_done, "fake", "u1")


@pytest.mark.slow
async def test_the_time_of_the_machine_being_down_is_given_back(tmp_path: Path) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        codes = await opened(at)
    clock.wait(DAY)
    async with desk(tmp_path, clock=clock) as at:
        clock.wait(59 * MINUTE)
        assert await waiting(at, codes) == [True, True, True]
        async with at.facade.store.reading() as tx:
            due = await deadlines.due_deadlines(tx, at.facade.services.clock.steady() + 2 * MINUTE)
        assert [row.game for row in due] == [codes[0]]


@pytest.mark.parametrize("ahead", [None, 4 * DAY, 10 * YEAR])
async def test_a_time_of_the_last_run_that_is_damaged_ends_no_game(
    tmp_path: Path, ahead: timedelta | None
) -> None:
    """It cannot be read, or is that much *ahead*."""
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        codes = await opened(at)
        lived = at.facade.services.clock.steady()
        kept = "no instant" if ahead is None else (lived + ahead).isoformat()
        await at.facade.store.write(inbox.finish_update, "fake", "last", lived)
    store = await Store.open(database_in(tmp_path))
    await store.write(bot_settings.put_setting, heartbeat.ALIVE, kept)
    if ahead is None:
        await store.write(inbox.finish_update, "fake", "damaged", lived + 400 * DAY)
    await store.close()
    clock.wait(MINUTE if ahead else DAY)
    async with desk(tmp_path, clock=clock) as at:
        assert at.facade.services.clock.steady() - lived < MINUTE
        assert await waiting(at, codes) == [True, True, True]


JUMPS = [(jump, restarts) for jump in (DAY, -DAY, YEAR, -YEAR) for restarts in (False, True)]


@asynccontextmanager
async def jumping(folder: Path) -> AsyncIterator[Callable[..., Awaitable[Desk]]]:
    """A house whose clock is set by each *jump*, while it runs or while it is down."""
    clock = FakeClock()
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(desk(folder, clock=clock))

        async def after(
            wait: timedelta = timedelta(), jump: timedelta = timedelta(), restarts: bool = False
        ) -> Desk:
            nonlocal at
            clock.wait(wait)
            if restarts:
                async with at.facade.store.transaction() as tx:
                    await at.facade.services.heartbeat.alive(tx)
                await stack.aclose()
            clock.set(jump)
            if restarts:
                at = await stack.enter_async_context(desk(folder, clock=clock))
            return at

        yield after


@pytest.mark.sampled
@pytest.mark.parametrize(("jump", "restarts"), JUMPS)
async def test_a_week_without_a_move_is_a_week_whatever_the_clock_is_set_to(
    tmp_path: Path, jump: timedelta, restarts: bool
) -> None:
    async with jumping(tmp_path) as after:
        at = await after()
        await at.call(NEREA, "play", game="niya")
        code = await newest(at)
        await at.call(BRUNO, "join", table=code)
        at = await after(DAY, jump, restarts)
        assert not (await at.call(EVA, "close", table=code)).good
        at = await after(5 * DAY + 23 * HOUR)
        assert not (await at.call(EVA, "close", table=code)).good
        at = await after(2 * HOUR)
        assert (await at.surely(EVA, "close", table=code)).good


@pytest.mark.parametrize(("jump", "restarts"), JUMPS)
async def test_r1_the_day_of_the_claim_is_a_day_whatever_the_clock_is_set_to(
    tmp_path: Path, jump: timedelta, restarts: bool
) -> None:
    async with jumping(tmp_path) as after:
        at = await after()
        early, late = await claim(at), await claim(at)
        at = await after(HOUR, jump, restarts)
        at = await after(22 * HOUR)
        assert (await early(at)).good
        at = await after(2 * HOUR)
        assert not (await late(at)).good


async def claim(at: Desk) -> Callable[[Desk], Awaitable[Answer]]:
    """A game that ended in a londë nobody announced; and the press that claims it."""
    code = await silent_game(at)
    board, back = at.chat.board(code), returning(at, code).code
    return lambda at: at.press(BRUNO, board, code=back)


@pytest.mark.sampled
@pytest.mark.parametrize(("jump", "restarts"), JUMPS)
async def test_a_place_is_left_alone_as_long_as_it_asked_whatever_the_clock_is_set_to(
    tmp_path: Path, jump: timedelta, restarts: bool
) -> None:
    async with jumping(tmp_path) as after:
        at = await after()
        await at.call(NEREA, "play", game="niya")
        at.facade.services.delivery.pacing.limiter(at.where).pause(600.0)
        await at.settle()
        at = await after(MINUTE, jump, restarts)
        at = await after(restarts=True)
        assert 530 < at.facade.services.delivery.pacing.limiter(at.where).wait() < 545
        await after(10 * MINUTE)
        at = await after(restarts=True)
        assert at.facade.services.delivery.pacing.limiter(at.where).wait() == 0


async def test_what_a_release_before_kept_is_late_by_its_own_time(tmp_path: Path) -> None:
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        early, late = await claim(at), await claim(at)
        async with at.facade.store.transaction() as tx:
            await tx.exec_driver_sql("UPDATE event SET steady = NULL")
    async with desk(tmp_path, clock=clock) as at:
        clock.wait(23 * HOUR)
        assert (await early(at)).good
        clock.wait(2 * HOUR)
        assert not (await late(at)).good


def test_a_jump_is_told_once_and_small_corrections_never() -> None:
    clock = FakeClock()
    steady = SteadyClock(lambda: clock.shown, lambda: clock.passed)
    clock.wait(DAY)
    clock.set(timedelta(seconds=20))
    assert steady.jump() is None
    clock.set(-YEAR)
    assert steady.jump() == timedelta(seconds=20) - YEAR
    assert steady.jump() is None
    clock.set(YEAR)
    assert steady.jump() == YEAR
