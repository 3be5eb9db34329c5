"""How chances come true by who plays: curves, whose they are, how they are fitted further."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from math import exp, log

import pytest

from bot.presenters.school.analysis import odds_line
from bot.service.computers.chances import shipped_curve
from bot.standing.rating import Rating
from games.core.advice import Weighed
from games.core.computer import Curve
from games.core.shelf import shelf
from storage.club.ratings import put_ratings
from storage.records import RatingRow
from tests.fakes import desk, person

ANA = person("Ana")


@pytest.mark.parametrize("true", [0.4, 1.0, 2.0])
def test_a_curve_is_found_by_one_game_after_the_other(true):
    lot, curve = random.Random(61), Curve(games=20)
    for _ in range(4_000):
        said = lot.uniform(0.05, 0.95)
        came = 1 / (1 + exp(-true * log(said / (1 - said))))
        curve = curve.after_game(said, float(lot.random() < came))
    assert curve.steepness == pytest.approx(true, rel=0.2)
    assert curve.games == 4_020


def test_nobody_is_surer_than_what_is_overlooked_and_both_sides_make_one():
    curve = Curve(0.6, 0.08)
    assert (curve.chance(1.0), curve.chance(0.0)) == pytest.approx((0.92, 0.08))
    assert curve.chance(0.5) == pytest.approx(0.5)
    assert curve.chance(0.8) + curve.chance(0.2) == pytest.approx(1.0)
    assert Curve().value(-0.3) == pytest.approx(-0.3)


def test_what_is_proved_is_no_opinion_and_stays():
    told = Weighed(3, 0, 1.0, -1.0, "c3")
    assert told.with_curve(Curve(0.5, 0.1)).lost == pytest.approx(1.6)
    proved = Weighed(3, 0, 1.0, -1.0, "c3", exact=True)
    assert proved.with_curve(Curve(0.5, 0.1)) == proved


def test_every_shipped_curve_is_of_a_level_and_the_weaker_the_flatter():
    for game in shelf().values():
        levels = range(1, game.computer.levels + 1)
        slopes = [shipped_curve(game.key, level).chance(0.9) for level in levels]
        assert slopes == sorted(slopes), game.key
        assert [shipped_curve(game.key, level).level for level in levels] == [*levels]


def test_how_sure_it_is_follows_from_the_games():
    for shares, games, sure in (((0.5, 0.5), 100, 10), ((0.1, 0.9), 900, 2)):
        how = dict(odds_line(shares, games).args)["how"]
        assert (how.key, dict(how.args)["sure"]) == ("house.odds.counted", sure)
    assert dict(odds_line((0.5, 0.5), 0).args)["how"].key == "house.odds.opinion"


async def test_the_weaker_side_decides_and_who_has_no_rating_is_a_beginner(tmp_path):
    async with desk(tmp_path) as at:
        chances = at.facade.services.chances
        await at.call(ANA, "play", game="shogi", opponent="ordenador", level="9")
        code = list(at.chat.messages.values())[-1].screen.table
        table = await at.facade.services.tables.get(code)
        assert await chances.curve(table) == shipped_curve("shogi", 1)
        assert await chances.curve(table, 9) == shipped_curve("shogi", 9)
        (ana,) = (one.person for one in table.players if one.person is not None)
        strong = Rating(mu=60.0, sigma=2.0)
        row = RatingRow("shogi", ana, strong.mu, strong.sigma, datetime(2026, 11, 1, tzinfo=UTC))
        await at.facade.store.write(put_ratings, (row,))
        assert strong.level > 5
        assert await chances.curve(table) == shipped_curve("shogi", min(strong.level, 9))


def test_a_newcomer_is_of_the_first_level_and_two_hundred_points_are_one():
    assert Rating().level == 1
    assert Rating(mu=25.0 + 25.0, sigma=25.0 / 3).level == 4
    assert Rating(mu=0.0).level == 1
