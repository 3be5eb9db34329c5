"""How often something may be done."""

from __future__ import annotations

import asyncio

import pytest

from bot.chats.telegram.paced_messages import SENT
from bot.port import Pace
from bot.runtime.rate_limiter import AGED, WITHIN, Limiter, Limiters, Rank


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_place_is_kept_to_its_pace(clock):
    limiter = Limiter(Pace(2, 10).windows, clock)
    assert [limiter.take() for _ in range(3)] == [True, True, False]
    assert limiter.wait() == 10
    clock.now = 4
    assert limiter.wait() == 6
    clock.now = 10
    assert limiter.take()


def test_never_more_than_the_pace_comes_within_any_window(clock):
    """A bucket that fills again would let some through where its two minutes meet."""
    limiter, done = Limiter(((18, 60.0),), clock), []
    for tenth in range(2400):
        clock.now = tenth / 10
        if limiter.take():
            done.append(clock.now)
    assert max(sum(at <= one < at + 60 for one in done) for at in done) == 18


def test_a_burst_is_spread(clock):
    limiter = Limiter(Pace(10, 60, burst=2).windows, clock)
    for at in (0.0, 1.0, 5.0):
        clock.now = at
        assert limiter.take()
    assert limiter.wait() == 1
    clock.now = 6
    assert limiter.wait() == 0


def test_where_too_much_is_asked_for_nobody_waits_for_a_whole_minute(clock):
    """Who asks all the time waits for a few seconds where the last calls of a minute are spread."""
    waits = {}
    for spread in (0, 8):
        clock.now, waits[spread] = 0.0, []
        limiter, since = Limiter(Pace(18, 60, burst=4).windows, clock), 0.0
        limiter.enliven(4, spread, 6000.0)
        for tenth in range(6000):
            clock.now = tenth / 10
            if limiter.take():
                waits[spread].append(clock.now - since)
                since = clock.now
    assert max(waits[0]) > 35
    assert max(waits[8]) < 14
    assert len(waits[8]) >= len(waits[0]) - 14


async def test_a_player_who_has_waited_for_long_goes_first(clock):
    limiter, came = Limiter(((1, 0.05),)), []
    limiter.note()

    async def one(rank: Rank, key: str) -> None:
        await limiter.turn(rank)
        came.append(key)

    calls = [asyncio.create_task(one(Rank.PLAYS, "old")), asyncio.create_task(one(Rank.LOOKS, ""))]
    await asyncio.sleep(0)
    limiter._line[0].began -= 9.0
    limiter._line[1].began -= 9.0
    calls.append(asyncio.create_task(one(Rank.TURN, "board")))
    await asyncio.gather(*calls)
    assert came == ["old", "board", ""]


def test_a_pace_without_a_number_holds_nobody_up(clock):
    limiter = Limiter(Pace().windows, clock)
    assert all(limiter.take() for _ in range(1000))


def test_a_place_that_asks_for_patience_has_it_whatever_its_pace(clock):
    limiter = Limiter(clock=clock)
    limiter.pause(30)
    assert limiter.wait() == 30
    limiter.pause(5)
    assert limiter.wait() == 30
    clock.now = 30
    assert limiter.wait() == 0


def test_the_patience_asked_for_is_not_forgotten_when_many_places_are_written_to():
    limiters = Limiters[int](most=10)
    limiters.at(0, ()).pause(3600)
    for place in range(1, 100):
        limiters.at(place, ()).note()
    assert limiters.at(0, ()).wait() > 0


def test_places_at_rest_are_forgotten():
    limiters = Limiters[int](most=10)
    first = limiters.at(0, ())
    for place in range(1, 11):
        limiters.at(place, ())
    assert limiters.at(0, ()) is not first


def test_it_can_be_told_when_a_turn_comes(clock):
    limiter = Limiter(Pace(4, 60, burst=2).windows, clock)
    assert limiter.due() == limiter.due(2) == 0
    assert limiter.due(3) == 5
    assert limiter.due(5) == 60
    limiter.note()
    clock.now = 2
    assert (limiter.due(1), limiter.due(2), limiter.due(4)) == (0, 3, 58)
    limiter.pause(20)
    assert limiter.due() == 20
    assert limiter.due(0) == 0


def test_what_is_foretold_is_what_comes(clock):
    limiter, came = Limiter(Pace(18, 60, burst=4).windows, clock), []
    foretold = [round(limiter.due(n), 1) for n in range(1, 41)]
    for tenth in range(2000):
        clock.now = tenth / 10
        while len(came) < 40 and limiter.take():
            came.append(clock.now)
    assert came == foretold


@pytest.mark.parametrize("rank", [Rank.TURN, Rank.PLAYS, Rank.BOARD])
@pytest.mark.parametrize("calls", [4, 10, 14, 17])
def test_what_is_told_at_the_latest_holds_though_others_go_ahead(clock, rank, calls):
    """Others take what comes before it has the rank of a turn, and every other call after that."""
    limiter = Limiter(Pace(18, 60, burst=4).windows, clock)
    limiter.enliven(4, 12, 6000.0)
    for _ in range(calls):
        clock.now += 3.0
        limiter.note()
    began, latest, others = clock.now, limiter.latest(rank), True
    while True:
        if limiter.wait(rank) <= 0:
            others = not others or clock.now - began < AGED * (rank - Rank.TURN)
            if not others:
                break
            limiter.note()
        clock.now += 0.1
    assert clock.now - began <= latest + SENT


def test_a_call_of_a_lively_place_is_left_to_who_has_no_other_way(clock):
    limiter, waits = Limiter(Pace(18, 60, burst=4).windows, clock), []
    limiter.enliven(4, 12, 6000.0)
    for tenth in range(3000):
        clock.now = tenth / 10
        if limiter.wait(Rank.TURN) <= 0:
            limiter.note(Rank.TURN)
        waits.append(limiter.wait(Rank.ALONE) if clock.now > 30 else 0.0)
    assert max(waits) <= WITHIN + 0.1


async def test_callers_come_in_the_order_of_their_ranks():
    limiter, came = Limiter(((1, 0.01),)), []

    async def one(rank: Rank, number: int) -> None:
        await limiter.turn(rank)
        came.append((rank, number))

    asked = [(rank, number) for number in range(3) for rank in reversed(Rank)]
    await asyncio.gather(*(one(*which) for which in asked))
    assert came == [asked[0], *sorted(asked[1:])], "the first one found nobody before it"


async def test_a_caller_that_waits_is_overtaken_and_may_be_hurried(clock):
    limiter, came = Limiter(((1, 0.05),)), []
    limiter.note()

    async def one(rank: Rank, key: str) -> None:
        async with limiter.calling(rank, key):
            came.append(key)

    calls = [
        asyncio.create_task(one(rank, rank.name)) for rank in (Rank.BOARD, Rank.LOOKS, Rank.PLAYS)
    ]
    await asyncio.sleep(0)
    assert [limiter.ahead(rank) for rank in Rank] == [0, 0, 1, 2, 3]
    assert limiter.next_due(Rank.PLAYS) > limiter.due()
    limiter.hurry("LOOKS", Rank.TURN)
    limiter.hurry("BOARD", Rank.LOOKS)
    limiter.hurry("nobody", Rank.TURN)
    await asyncio.gather(*calls)
    assert came == ["LOOKS", "PLAYS", "BOARD"]


async def test_a_call_that_need_not_be_made_is_whose_who_waits():
    limiter = Limiter(((1, 60.0),))
    noted = await limiter.turn()
    waits = asyncio.create_task(limiter.turn())
    await asyncio.sleep(0)
    limiter.spare(noted)
    limiter.note_end(noted)
    async with asyncio.timeout(5):
        await waits
    assert limiter.wait() > 50.0


async def test_who_gives_up_waiting_lets_the_next_one_come():
    limiter = Limiter(((1, 0.05),))
    limiter.note()
    first, second = (asyncio.create_task(limiter.turn()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert limiter.ahead(Rank.LOOKS) == 0


def test_what_is_kept_for_players_is_left_alone_by_lookers_while_that_lasts(clock):
    limiter = Limiter(Pace(18, 60, burst=4).windows, clock)
    limiter.enliven(4, 0, 120.0)
    for number in range(18):
        clock.now = number * 2.0
        assert (limiter.wait(Rank.LOOKS) > 0) == (number >= 14), number
        assert limiter.wait(Rank.BOARD) == 0
        limiter.note()
    assert limiter.due(1, Rank.LOOKS) == limiter.due(5) > limiter.due()
    clock.now = 121.0
    for _ in range(4):
        assert limiter.wait(Rank.LOOKS) == 0
        limiter.note()


def test_answers_without_another_way_take_what_is_free_and_boards_take_all_else(clock):
    """Where nobody asks for them no call of a minute is kept, and none is lost."""
    limiter, boards, waits = Limiter(Pace(18, 60, burst=4).windows, clock), [], []
    limiter.enliven(4, 12, 6000.0)
    for tenth in range(6000):
        clock.now = tenth / 10
        if tenth % 600 == 300:
            waits.append(limiter.wait(Rank.ALONE))
        if limiter.wait(Rank.TURN) <= 0:
            limiter.note(Rank.TURN)
            boards.append(clock.now)
    counts = [sum(at <= one < at + 60 for one in boards) for at in boards if at < 540]
    assert max(counts) == 18
    assert sum(counts) / len(counts) > 17
    assert max(waits) < 5


def test_an_answer_without_another_way_delays_no_board_that_is_spread(clock):
    waits = []
    for answers in (0, 1):
        clock.now = 0.0
        limiter = Limiter(Pace(18, 60, burst=4).windows, clock)
        limiter.enliven(4, 8, 120.0)
        for number in range(12):
            clock.now = number * 3.0
            limiter.note()
        for _ in range(answers):
            clock.now += 2.5
            limiter.note(Rank.ALONE)
        waits.append(clock.now + limiter.wait(Rank.TURN) - 33.0)
    assert waits[0] < waits[1] < waits[0] + 2.0


def test_in_a_place_where_nobody_plays_a_looker_gets_all_there_is(clock):
    limiter, came = Limiter(Pace(18, 60, burst=4).windows, clock), 0
    for tenth in range(600):
        clock.now = tenth / 10
        if limiter.wait(Rank.LOOKS) <= 0:
            limiter.note()
            came += 1
    assert came == 18


async def test_turns_come_in_the_order_in_which_they_were_asked_for():
    limiter, came = Limiter(((1, 0.01),)), []

    async def one(number: int) -> None:
        await limiter.turn()
        came.append(number)

    await asyncio.gather(*(one(number) for number in range(12)))
    assert came == list(range(12))
    assert limiter.ahead(Rank.LOOKS) == 0


async def test_a_call_that_takes_long_counts_where_it_ends(clock):
    """A picture is painted and sent after its turn, and a platform counts what arrives."""
    limiter = Limiter(((3, 10.0),), clock)
    async with limiter.calling():
        clock.now = 4
    assert limiter.wait() == 0
    for _ in range(2):
        limiter.note()
    clock.now = 10
    assert limiter.wait() == 4
    clock.now = 14
    assert limiter.wait() == 0


async def test_a_call_that_fails_counts_too(clock):
    limiter = Limiter(((1, 10.0),), clock)

    async def failing() -> None:
        async with limiter.calling():
            clock.now = 3
            raise OSError("away")

    with pytest.raises(OSError, match="away"):
        await failing()
    assert limiter.wait() == 10
