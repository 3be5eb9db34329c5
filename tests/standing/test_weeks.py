"""The week of the club: one silent card on Mondays, where it is wanted and something happened."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.port import PlaceStanding
from bot.presenters.club import club_week
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import weight_of_turning
from bot.presenters.table.viewers import Viewer
from games.core.shelf import shelf
from render.kit.fonts import FSI, PDI
from tests.fakes import Message, desk
from tests.played import tables
from tests.standing.simulated import Hall
from tests.standing.test_ladder import PNG
from tests.standing.test_moderation import MARTA
from tests.standing.test_seasons import chosen, look

TITLE = "La semana del club"


@pytest.fixture
async def hall(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        at.chat.standings[MARTA.external, at.where.place] = PlaceStanding(manages=True)
        yield Hall(at)


def cards(hall: Hall) -> list[Message]:
    found = hall.at.chat.messages.values()
    return [one for one in found if one.screen.headline == TITLE]


async def switched_on(hall: Hall, clock) -> None:
    """Wanted since a Monday, whose hour is over."""
    clock.set(timedelta(days=1, hours=7))
    await chosen(hall, "cada lunes")
    await look(hall.at)
    assert cards(hall) == [], "nothing of what was before it was wanted"


async def test_the_week_is_told_once_on_monday_at_the_hour_of_the_place(hall, clock):
    await switched_on(hall, clock)
    ana, bo, cy = [one.id for one in await hall.invite(3)]
    for loser in (bo, cy, bo, cy):
        await hall.end(await hall.seat("niya", (ana, loser)), [[ana], [loser]])
    await hall.end(await hall.seat("niya", (bo, ana)), [[bo], [ana]])
    await hall.at.settle()
    calls = len(hall.at.chat.pings)
    clock.set(timedelta(days=6, hours=22))
    await look(hall.at)
    assert cards(hall) == [], "it is Monday, and not yet six"
    clock.set(timedelta(hours=1))
    await look(hall.at)
    (card,) = cards(hall)
    assert card.where == hall.at.where
    assert card.screen.silent
    assert card.picture.startswith(PNG)
    assert len(hall.at.chat.pings) == calls
    told = "".join(one for one in card.screen.alt if one not in (FSI, PDI))
    days, upset, rose, medals = told.splitlines()
    assert days == "23–29 nov · 5 partidas."
    assert (
        upset.removeprefix("La sorpresa: ") == "Person 1 ganó a Person 0, 1393 contra 1695 · Niya."
    )
    assert rose.startswith("Quién sube más: Person 0 (+")
    assert "Person 2" not in rose, "who fell"
    assert "Person 0 «Primera victoria»" in medals
    clock.set(timedelta(days=1))
    await look(hall.at)
    assert len(cards(hall)) == 1
    clock.set(timedelta(days=7))
    await look(hall.at)
    assert len(cards(hall)) == 1, "nothing happened"


async def test_the_next_tournament_stands_on_a_key(hall, clock):
    await switched_on(hall, clock)
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[ana], [bo]])
    answer = await hall.at.call(MARTA, "tournament")
    for label in ("Torneo de Shogi", "Abrir el torneo"):
        answer = await hall.at.press(MARTA, hall.at.card(answer), label)
    clock.set(timedelta(days=7))
    await look(hall.at)
    (card,) = cards(hall)
    assert [key.label for row in card.screen.rows for key in row][-1].startswith("Shogi · ")
    assert "Shogi · " in card.screen.alt.splitlines()[-1]


async def test_who_is_on_no_ladder_is_not_told_of(hall, clock):
    await switched_on(hall, clock)
    ana, bo = [one.id for one in await hall.invite(2)]
    await hall.end(await hall.seat("niya", (ana, bo)), [[ana], [bo]])
    await hall.at.facade.operator.forget(ana)
    clock.set(timedelta(days=7))
    await look(hall.at)
    (card,) = cards(hall)
    assert card.screen.alt == "23–29 nov · 1 partida."


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_finest_move_is_the_winner_s_own_and_weighs_most(key):
    games = [[*tables(shelf()[key], seed=seed, looks=5)][-1] for seed in (1, 2)]
    composers = [Composer(one, Viewer(None), bytes(32)) for one in games if one.outcome]
    found = club_week.finest_move(composers)
    weights = [weight_of_turning(one.table, club_week.reel_of(one.table)) for one in composers]
    if found is None:
        assert not any(weights)
        return
    best = composers[weights.index(max(weights))]
    winner = best.table.outcome.winner
    assert found.table == best.table.code
    assert found.who == best.names[winner]
    (last,) = found.scene.last
    assert last.seat == winner


def test_of_a_game_that_turned_on_its_last_move_the_end_is_shown():
    *_, table = tables(shelf()["cirya"], seed=1, looks=5)
    reel = club_week.reel_of(table)
    assert reel.turning == reel.moves[-1]
    found = club_week.finest_move([Composer(table, Viewer(None), bytes(32))])
    assert found.scene.seen == table.present.seen_by(None)
