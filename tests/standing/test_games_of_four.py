"""Games of four are told by places everywhere, and no second place is a defeat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.presenters.club.ladder_and_profile_screens import (
    LadderView,
    StandingScreens,
)
from bot.presenters.club.standing_pictures import rank_card, ranking_of_ladder
from bot.presenters.table.status import strength_text
from bot.standing.tallies import places_taken
from tests.fakes import FakeClock, desk
from tests.standing.simulated import Hall
from tests.standing.test_ladder import asker, top


@pytest.fixture
async def hall(tmp_path):
    """Four have played Parchís three times, and each time they came in one after the other."""
    async with desk(tmp_path, clock=FakeClock()) as at:
        found = Hall(at)
        four = [one.id for one in await found.invite(4)]
        for _ in range(3):
            await found.end(await found.seat("parchis", four), [[one] for one in four])
        yield found


async def profile(hall: Hall, who: int) -> str:
    return (await hall.at.call(asker(who), "profile")).screen.alt


async def test_a_profile_tells_places_and_whom_one_stood_above_and_below(hall):
    second = await profile(hall, 1)
    assert "Puestos, de 1.º a 4.º: 0–3–0–0." in second
    assert "derrotas" not in second
    assert "Quien más le gana: Person 0 (3)." in second, "the last is nobody’s fear"
    assert "A quien más gana" not in second, "two are beaten equally often"
    assert "Rival más habitual" not in second
    third = await profile(hall, 2)
    assert "A quien más gana: Person 3 (3)." in third
    assert "Quien más le gana" not in third
    assert "3 victorias seguidas." in await profile(hall, 0)
    assert "seguidas" not in await profile(hall, 3)


async def test_the_rank_card_has_the_last_five_by_places_or_letters_and_the_place_of_how_many(hall):
    services, where = hall.at.facade.services, hall.at.where
    ana, bo = [one.id for one in hall.people[:2]]
    for winner, loser in ((ana, bo), (bo, ana), (bo, ana)):
        await hall.end(await hall.seat("niya", (winner, loser)), [[winner], [loser]])
    await hall.end(await hall.seat("niya", (ana, bo)), [[ana, bo]])
    found = await services.ladders.person(bo, where, where)
    assert {one.game: one.form for one in found.games} == {"parchis": "222", "niya": "lwwd"}
    ladder = await services.ladders.ladder("parchis", where, bo, 0)
    card = rank_card(StandingScreens("es", b""), "Person 1", found, ladder)
    assert card.place == ("2.º", "de 4")
    assert card.where == "parchis"
    assert [row.form for row in card.rows] == [one.form for one in found.games]
    assert card.letters == "GTP"
    assert rank_card(StandingScreens("es", b""), "Person 1", found).place == ("", "")


async def test_versus_is_who_stood_above(hall):
    card = await hall.at.call(asker(1), "versus", person=asker(3))
    said = "Parchís: por delante, a la par y por detrás, 3–0–0."
    assert card.screen.lines[0].startswith(said)
    assert (
        (await hall.at.call(asker(3), "versus", person=asker(1)))
        .screen.lines[0]
        .startswith(said.replace("3–0–0", "0–0–3"))
    )


async def test_the_ladder_tells_places_in_words_and_numbers_all_in_its_picture(hall):
    lines = (await top(hall, game="parchis")).screen.alt.splitlines()
    assert [line.partition("a 4.º: ")[2][:7] for line in lines] == [
        "3–0–0–0",
        "0–3–0–0",
        "0–0–3–0",
        "0–0–0–3",
    ]
    services = hall.at.facade.services
    found = await services.ladders.ladder("parchis", hall.at.where, 1, 0)
    shown = ranking_of_ladder(StandingScreens("en", b""), LadderView("parchis"), found)
    assert [row.place for row in shown.rows] == [1, 2, 3, 4]
    assert [row.figure for row in shown.rows] == [
        strength_text(line.rating) for line in found.lines
    ]
    assert [row.own for row in shown.rows] == [True, False, False, False]
    screen = StandingScreens("en", b"").ladder(LadderView("parchis"), replace(found, lines=()))
    assert "Nobody" not in screen.lines[-1], "the reader has"


def test_games_of_two_alone_have_no_places():
    assert places_taken([((1, 2), 0), ((1, 2), 1)]) == ()
    assert places_taken([((1, 2), 1), ((1, 1, 3), 2)]) == (0, 1, 1)
    assert places_taken([]) == ()
