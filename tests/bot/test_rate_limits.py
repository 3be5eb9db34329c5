"""How much a person and a place may ask for, by a clock that is set by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.boards.pacing import rank_of
from bot.port import Asker, Command, Pace, Upload, Where
from bot.runtime.rate_limiter import Rank
from bot.service import request_rate_limits
from bot.service.request_rate_limits import LimitVerdict
from bot.session.table import ENDED, OPEN
from games.core.record import Entry
from storage.table import views as stored
from tests.bot.test_quotas import begun
from tests.fakes import UPDATES, Desk, desk, person

EVA, NEREA, BRUNO = person("Eva"), person("Nerea"), person("Bruno")
HOME = Where("fake", "home", private=True)


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def unhurried():
    """The limits as they are."""


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as opened:
        opened.facade.requests.limits.clock = Clock()
        yield opened


async def asked(at: Desk, who: Asker, times: int, where: Where | None = None, **how) -> int:
    """How many of so many things asked at one moment are taken."""
    where = where or at.where
    verdicts = [await at.facade.requests.limits.judge(who, where, **how) for _ in range(times)]
    return verdicts.count(LimitVerdict.TAKEN)


async def test_a_passer_by_asks_ten_things_at_once_and_then_one_a_second(at):
    assert await asked(at, EVA, 100) == 10
    at.facade.requests.limits.clock.now += 9.5
    assert await asked(at, EVA, 100) == 0
    at.facade.requests.limits.clock.now += 0.5
    assert await asked(at, EVA, 100) == 10


async def test_a_player_does_twenty_things_at_once_and_then_three_a_second(at):
    await begun(at)
    assert await asked(at, NEREA, 100) == 20
    at.facade.requests.limits.clock.now += 20 / 3
    assert await asked(at, NEREA, 100) == 20
    assert await asked(at, BRUNO, 1) == 1, "everybody has a limit of his own"


async def test_who_is_too_fast_hears_it_once_a_minute_and_then_nothing(at):
    await asked(at, EVA, 10)
    verdicts = [await at.facade.requests.limits.judge(EVA, at.where) for _ in range(50)]
    assert verdicts == [LimitVerdict.REFUSED] + [LimitVerdict.DROPPED] * 49
    at.facade.requests.limits.clock.now += 61
    assert await asked(at, EVA, 11) == 10


async def test_a_place_takes_sixty_things_a_minute_of_those_who_do_not_play_there(at):
    await begun(at)
    taken = [await asked(at, person(f"P{n}"), 7) for n in range(20)]
    assert sum(taken) == 60
    assert await asked(at, NEREA, 5) == 5, "who plays is not held up by them"
    assert await asked(at, NEREA, 1, opens=True) == 0, "but opens no table besides"
    elsewhere = Where("fake", "another")
    assert await asked(at, person("P19"), 3, elsewhere) == 3
    at.facade.requests.limits.clock.now += 60
    assert await asked(at, person("P19"), 3) == 3


async def test_one_alone_takes_half_of_what_a_place_takes_and_leaves_the_rest_to_others(at):
    await begun(at)
    clock, eva = at.facade.requests.limits.clock, 0
    for _ in range(6):
        eva += await asked(at, EVA, 20)
        clock.now += 9.9
    assert eva == 30
    assert await asked(at, NEREA, 3, opens=True) == 3, "tables can still be opened there"
    assert await asked(at, person("Otra"), 7) == 7


async def test_who_plays_elsewhere_is_a_passer_by_here(at):
    await begun(at)
    assert await asked(at, NEREA, 100, Where("fake", "another")) == 10


async def test_a_private_place_has_no_limit_but_that_of_its_person(at):
    await begun(at)
    for _ in range(4):
        assert await asked(at, NEREA, 100, HOME) == 20
        at.facade.requests.limits.clock.now += 10


async def test_who_sits_down_has_the_limit_of_a_player_soon(at):
    assert await asked(at, NEREA, 5) == 5
    await begun(at)
    at.facade.requests.limits.clock.now += request_rate_limits.KNOWN_FOR[False] + 1
    assert await asked(at, NEREA, 100) == 20


async def test_judging_stores_nothing(at):
    stranger = person("Nobody")
    await asked(at, stranger, 30)
    assert await at.facade.services.people.find(stranger) is None


async def test_completion_has_a_limit_of_its_own_and_then_finds_nothing(at):
    call = Command("", at.where, EVA, "play")
    found = [bool(await at.facade.requests.suggest(call, "game", "")) for _ in range(70)]
    assert found == [True] * 60 + [False] * 10
    assert await asked(at, EVA, 3) == 3


async def test_a_new_invitation_goes_before_lookers(at):
    await at.call(EVA, "play", game="niya")
    (message,) = at.chat.messages.values()
    opened = await at.facade.services.tables.get(message.screen.table)
    (view,) = await at.facade.services.store.read(stored.views_of_game, opened.code)
    assert opened.status == OPEN
    assert rank_of(view, opened) is Rank.BOARD
    assert rank_of(replace(view, message=None), opened) is Rank.ALONE
    assert rank_of(view, None) is Rank.BOARD


async def test_so_does_the_first_board_of_a_game_that_begins_at_once(at):
    await at.call(EVA, "play", game="niya", opponent="ordenador")
    (message,) = at.chat.messages.values()
    begun_at_once = await at.facade.services.tables.get(message.screen.table)
    (view,) = await at.facade.services.store.read(stored.views_of_game, begun_at_once.code)
    first = replace(begun_at_once, log=())
    assert rank_of(replace(view, message=None), first) is Rank.ALONE
    assert rank_of(view, first) is not Rank.ALONE


async def test_a_board_for_which_the_next_player_waits_goes_first(at):
    code = await begun(at)
    table = await at.facade.services.tables.get(code)
    (view,) = await at.facade.services.store.read(stored.views_of_game, code)
    assert rank_of(replace(view, shown=0), table) is Rank.TURN
    assert rank_of(replace(view, shown=table.version), table) is Rank.BOARD
    (seat,) = table.actors()
    goes_on = replace(table, log=(*table.log, Entry(seat, "half of a turn")))
    assert rank_of(replace(view, shown=0), goes_on) is Rank.PLAYS
    assert rank_of(view, replace(table, status=ENDED)) is Rank.PLAYS


async def test_boards_of_several_tables_take_what_nobody_else_asks_for(at):
    at.chat.limit, pacing = Pace(18, 60), at.facade.services.delivery.pacing
    table = await at.facade.services.tables.get(await begun(at))
    for one in (table, replace(table, code="OTHER1")):
        pacing.note_game(one, at.where)
    (view,) = await at.facade.services.store.read(stored.views_of_game, table.code)
    limiter = pacing.limiter(at.where)
    limiter._done.clear()
    limiter._done.extend(limiter.clock() - 59.0 + 3.4 * n for n in range(17))
    limiter._spread_from = limiter._done[-1]
    assert not pacing.must_wait(view, table)
    assert limiter.wait(Rank.LOOKS) > 0
    limiter.note(Rank.TURN)
    assert pacing.must_wait(view, table)


async def test_only_where_a_game_is_played_is_anything_kept_from_lookers(at):
    at.chat.limit, pacing = Pace(18, 60), at.facade.services.delivery.pacing
    code = await begun(at)
    table = await at.facade.services.tables.get(code)
    there, home = Where("fake", "another"), HOME
    for where in (there, home):
        for _ in range(14):
            pacing.limiter(where).note()
        pacing.note_game(replace(table, status=OPEN), where)
        pacing.note_game(None, where)
        assert pacing.limiter(where).wait(Rank.LOOKS) == 0
        pacing.note_game(table, where)
    assert pacing.limiter(there).wait(Rank.LOOKS) > 0
    assert pacing.limiter(home).wait(Rank.LOOKS) == 0
    assert pacing.limiter(at.where).wait(Rank.LOOKS) == 0
    for _ in range(14):
        pacing.limiter(at.where).note()
    assert pacing.limiter(at.where).wait(Rank.LOOKS) > 0, "its board was shown"


def test_the_limits_are_those_that_are_promised():
    assert (request_rate_limits.SEATED, request_rate_limits.OTHERS) == (
        ((20, 20 / 3),),
        ((10, 10.0),),
    )
    assert (request_rate_limits.PLACE, request_rate_limits.SHARE) == (((60, 60.0),), ((30, 60.0),))


async def test_the_house_looks_at_a_few_files_at_a_time_whoever_sends_them(at):
    assert await taken_files(at, range(12)) == 6


async def test_one_person_may_send_five_files_in_a_row_and_leaves_a_turn_to_others(at):
    assert await taken_files(at, [0] * 12) == 5
    assert await taken_files(at, [1]) == 1


async def taken_files(at, senders):
    """How many files the house looks at, if these people send one after the other."""
    group, said = Where("fake", "group"), []
    at.facade.requests.limits.clock = lambda: 0.0
    for number in senders:
        sent = Upload("export.zip", 9, f"F{number}")
        asker = Asker("fake", f"manager-{number}", "M", "en")
        call = Command(f"file{next(UPDATES)}", group, asker, "import", upload=sent)
        said.append((await at.facade.requests.call(call)).said)
    return [one.startswith("Not so fast") for one in said].count(False)


async def test_who_is_refused_because_of_others_hears_so_each_time(at):
    """Who pressed in a place that others had filled was told once a minute, and then nothing."""
    for n in range(20):
        await asked(at, person(f"P{n}"), 7)
    judge, clock = at.facade.requests.limits.judge, at.facade.requests.limits.clock
    verdicts = [await judge(EVA, at.where) for _ in range(5)]
    assert verdicts == [LimitVerdict.REFUSED] * 5
    for _ in range(30):
        await judge(EVA, at.where)
    assert await judge(EVA, at.where) is LimitVerdict.DROPPED, "she is too fast herself now"
    clock.now += 60
    assert await judge(EVA, at.where) is LimitVerdict.TAKEN
