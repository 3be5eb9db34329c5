"""The calendar of daily puzzles is only ever added to, and names what there is."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date, timedelta
from importlib import resources
from statistics import mean

import pytest

from bot.session.daily_calendar import FIRST_DAY, calendar, calendar_day, daily_exercise, number_of
from bot.session.exercise_catalogue import code_of, exercises, puzzles_of
from games.core.school import puzzles
from games.core.shelf import shelf
from tests.tools.draw_calendar import WEEK, apart, drawn

DRAWN = (
    # How many lines, its head among them, and the SHA-256 of them. From release 1.0 on a line here
    # never changes; before, the calendar may be drawn anew, and then the one line here with it.
    (421, "afc014ff12f39135082f5ef810b13cb3bbcdf0072905cd6928ea462290afb022"),
)

LINES = (
    resources.files("bot.session").joinpath("daily_calendar.txt").read_text("utf-8").splitlines()
)


@pytest.mark.parametrize(("many", "digest"), DRAWN)
def test_earlier_lines_of_the_calendar_stay(many, digest):
    first = "".join(f"{line}\n" for line in LINES[:many])
    assert hashlib.sha256(first.encode()).hexdigest() == digest


def test_all_lines_are_held():
    assert DRAWN[-1][0] == len(LINES)


def test_numbers_count_from_one_and_the_game_is_that_of_the_weekday():
    assert [one.number for one in calendar()] == list(range(1, len(calendar()) + 1))
    assert date.fromordinal(FIRST_DAY).weekday() == 0
    for one in calendar():
        assert one.game == WEEK[(one.number - 1) % 7]
        assert set(one.five) == set(shelf())
        assert exercises()[one.move].game.key == one.game


def test_it_is_drawn_for_more_than_a_year_in_whole_weeks():
    assert len(calendar()) >= 400
    assert len(calendar()) % 7 == 0
    assert calendar_day(FIRST_DAY + len(calendar())) == calendar()[0]
    assert number_of(FIRST_DAY) == 1


@pytest.mark.parametrize("game", list(shelf()))
def test_no_puzzle_comes_again_within_its_span_and_each_is_there(game):
    came = {}
    for one in calendar():
        codes = [one.five[game], *([one.move] if one.game == game else ())]
        assert len(set(codes)) == len(codes)
        for code in codes:
            assert one.number - came.get(code, -apart(game)) > apart(game)
            assert exercises()[code].game.key == game
        came.update(dict.fromkeys(codes, one.number))


@pytest.mark.parametrize("game", list(shelf()))
def test_the_five_are_easier_than_the_moves_of_days(game):
    mu = {code: one.lesson.mu for code, one in exercises().items()}
    five = [mu[one.five[game]] for one in calendar()]
    moves = [mu[one.move] for one in calendar() if one.game == game]
    assert mean(five) < mean(moves)


def test_what_is_added_to_the_stock_changes_no_day():
    put = {key: puzzles_of(key) for key in shelf()}
    days = range(FIRST_DAY, FIRST_DAY + 400)
    before = [daily_exercise("", day, put).code for day in days]
    niya = put["niya"][0]
    more = [replace(niya, code=f"new{n}") for n in range(40)]
    assert [
        daily_exercise("", day, {**put, "niya": (*more, *put["niya"])}).code for day in days
    ] == before


def test_a_drawn_day_stays_when_more_are_drawn():
    longer = drawn(list(LINES), len(LINES) + 60, 7)
    assert longer[: len(LINES)] == LINES
    assert len(longer) == len(LINES) + 61


def test_a_puzzle_keeps_its_name_when_it_is_graded_anew():
    for game in shelf().values():
        for one in puzzles(game):
            assert len(one.code) == 6
            assert code_of(game.key, replace(one, mu=1.5, theme="other")) == one.code


def test_the_year_ahead_is_known():
    assert date.fromordinal(FIRST_DAY) + timedelta(days=len(calendar())) > date(2027, 12, 1)
