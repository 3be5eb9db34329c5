"""Games to watch from anywhere: by choice of everybody who plays and of the place."""

from __future__ import annotations

import pytest

from bot.port import Asker, Where
from tests.bot.notification_helpers import BRUNO, EVA, NEREA, board
from tests.bot.test_open_tables import choose
from tests.fakes import Desk

SEEN = {"seen_everywhere": True}
PAGE = Where("web", "a page", private=True)


async def played(at: Desk, where: Where | None = None, game: str = "niya") -> str:
    """A game between Nerea and Bruno, who may be seen in all places, as may *where*."""
    for who in (NEREA, BRUNO):
        await choose(at, who, **SEEN)
    await at.facade.services.places.choose(where or at.where, strangers=True)
    await at.call(NEREA, "play", where, game=game)
    code = board(at).screen.table
    await at.call(BRUNO, "join", where, table=code)
    return code


async def watched(at: Desk, who: Asker = EVA, spoken: str = "es") -> list[tuple[str, str, str]]:
    await at.facade.services.people.of(who)
    found = await at.facade.pages.lobby.elsewhere(who, PAGE, spoken)
    assert not any(one.open or one.mine or one.here for one in found)
    return [(one.table, one.game, one.who) for one in found]


async def test_a_game_of_people_who_may_be_seen_is_found_from_anywhere(at):
    code = await played(at)
    assert await watched(at) == [(code, "niya", "Nerea, Bruno")]
    assert await watched(at, NEREA) == [], "they play there"


async def test_whoever_has_never_been_here_finds_none(at):
    await played(at)
    assert await at.facade.pages.lobby.elsewhere(EVA, PAGE, "es") == ()


@pytest.mark.parametrize("chosen", [{"seen_everywhere": False}, {"off_ladders": True}])
async def test_one_player_who_may_not_be_seen_hides_the_game(at, chosen):
    await played(at)
    await choose(at, BRUNO, **chosen)
    assert await watched(at) == []


async def test_a_place_that_plays_by_itself_hides_its_games(at):
    await played(at)
    await at.facade.services.places.choose(at.where, strangers=False)
    assert await watched(at) == []


async def test_refusals_hold_in_both_directions(at):
    code = await played(at)
    eva, bruno = await choose(at, EVA), await choose(at, BRUNO)
    for who, whom in ((EVA, bruno), (BRUNO, eva)):
        await choose(at, who, refused=(whom,))
        assert await watched(at) == []
        await choose(at, who, refused=())
    assert [one for one, _, _ in await watched(at)] == [code]


async def test_whoever_is_kept_out_of_the_place_finds_none_of_its_games(at):
    await played(at)
    await at.facade.services.people.of(EVA)
    home = await at.facade.services.places.home(at.where)
    bars = at.facade.services.bars
    await bars.put([(EVA.platform, EVA.external)], (home.platform, home.place), None)
    assert await watched(at) == []


async def test_open_and_finished_tables_are_not_to_be_watched(at):
    code = await played(at)
    await at.call(NEREA, "play", game="cirya")
    assert [one for one, _, _ in await watched(at)] == [code]
    await at.surely(BRUNO, "resign", table=code)
    assert await watched(at) == []


async def test_of_a_hidden_set_up_whoever_watches_sees_no_piece(at):
    code = await played(at, game="storilljudhjorrayc")
    assert [one for one, _, _ in await watched(at)] == [code]
    home = Where("fake", EVA.external, private=True)
    await at.call(EVA, "board", home, table=code)
    (seen,) = [one for one in at.chat.messages.values() if one.where == home]
    assert seen.screen.alt == board(at).screen.alt


async def test_free_seats_among_strangers_are_found_where_all_want_that(at):
    await at.facade.services.places.choose(at.where, strangers=True)
    await choose(at, NEREA, strangers=True)
    await at.call(NEREA, "play", game="niya")
    code = board(at).screen.table
    await choose(at, EVA)
    assert await at.facade.pages.lobby.elsewhere(EVA, PAGE, "es") == ()
    await choose(at, EVA, strangers=True)
    (free,) = await at.facade.pages.lobby.elsewhere(EVA, PAGE, "es")
    assert (free.table, free.who, free.open, free.mine) == (code, "Nerea", True, False)
