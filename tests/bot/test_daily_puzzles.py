"""The daily puzzle of a place: once a day, in time, silently, and no longer than anybody cares."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from bot.notify.daily import NIGHT, PATIENCE, due_day, puzzle_of_day
from bot.port import Card, PlaceShut, PlaceStanding, Where
from bot.session.exercises import exercises, puzzles_of
from bot.session.preferences import PlaceRules
from games.core.shelf import shelf
from render.kit import Gallery
from storage import daily, places
from tests.fakes import FakeClock, Message, desk, person

ANA = person("Ana")
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NIYA = PlaceRules(daily="niya")
SHIPPED = {key: puzzles_of(key) for key in shelf() if puzzles_of(key)}
WANTS = PlaceRules(daily="all", day_hour=18, day_zone="America/Lima", day_place="group")


@pytest.fixture
async def at(tmp_path, monkeypatch):
    monkeypatch.setattr(Gallery, "picture", lambda self, scene: b"painted")
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as house:
        house.clock = clock
        house.daily = house.facade.leases.daily
        await house.facade.services.places.choose(house.where, WANTS)
        yield house


def posted(house) -> list:
    return [m for m in house.chat.messages.values() if "Problema del día" in m.screen.headline]


@pytest.mark.parametrize(
    ("hours", "due"),
    [
        (0, None),  # noon in UTC is seven in the morning in Lima
        (10, None),
        (11, True),
        (15.9, True),
        (16, False),  # eleven at night
        (24, None),  # the next day has its own hour
    ],
)
def test_it_is_due_from_its_hour_on_by_the_zone_of_the_place_and_not_at_night(hours, due):
    found = due_day(WANTS, NOON + timedelta(hours=hours), 0)
    assert (None if found is None else found[1]) == due


def test_what_is_more_than_six_hours_late_is_left_out():
    early = PlaceRules(daily="all", day_hour=8)
    day = NOON.replace(hour=8)
    assert due_day(early, day + timedelta(hours=6), 0) == (NOON.toordinal(), True)
    assert due_day(early, day + timedelta(hours=6, minutes=1), 0) == (NOON.toordinal(), False)


@pytest.mark.parametrize("days", [3, pytest.param(60, marks=pytest.mark.slow)])
async def test_day_by_day_with_downtimes_clock_jumps_and_two_lookers(at, days):
    lot, seen = random.Random(39), []
    for _ in range(days * 24):
        step = timedelta(hours=1)
        if lot.random() < 0.01:
            step = timedelta(hours=lot.choice([3, 9, 30]))  # down, all of it
        if lot.random() < 0.005:
            step = -timedelta(hours=lot.choice([1, 5]))  # somebody sets the clock back
        at.clock.shown += step
        before = len(posted(at))
        await asyncio.gather(at.daily.post_due(), at.daily.post_due())
        fresh = posted(at)[before:]
        here = at.clock.shown.astimezone(ZoneInfo("America/Lima"))
        for message in fresh:
            seen.append(here.toordinal())
            assert 18 <= here.hour < NIGHT
            assert message.screen.silent
            answer = await at.press(ANA, message, "Resolver")
            assert isinstance(answer, Card)
    assert len(seen) == len(set(seen))
    assert len(seen) >= days * 2 // 3 - 1


async def test_no_two_days_in_a_row_have_the_same_puzzle(at):
    days = range(NOON.toordinal(), NOON.toordinal() + 30)
    found = [puzzle_of_day(WANTS, "group", day, SHIPPED).code for day in days]
    assert all(one != other for one, other in pairwise(found))
    only = [puzzle_of_day(NIYA, "group", day, SHIPPED).game.key for day in days]
    assert set(only) == {"niya"}


async def test_after_a_week_without_a_press_it_says_so_and_stops(at):
    for day in range(12):
        at.clock.shown = NOON + timedelta(days=day, hours=11)
        await at.daily.post_due()
    assert len(posted(at)) == PATIENCE
    stopped = list(at.chat.messages.values())[-1].screen
    assert "una semana" in stopped.headline
    assert stopped.silent
    assert (await at.facade.services.places.rules(at.where)).daily == ""


async def test_it_is_solved_in_private_and_rated_like_any_other(at):
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.post_due()
    (message,) = posted(at)
    answer = await at.press(ANA, message, "Resolver")
    assert isinstance(answer, Card)
    code = answer.screen.headline.rpartition(" ")[2].lower()
    row = await at.facade.store.read(daily.load_daily, "fake", "group")
    assert row.puzzle == code
    assert code in exercises()
    assert await at.facade.store.read(daily.attempts_since, code, NOON) == 1


async def test_a_place_that_shuts_us_out_gets_none_and_the_others_do(at):
    other = Where("fake", "other")
    rules = PlaceRules(daily="niya", day_zone="America/Lima", day_place="other")
    await at.facade.services.places.choose(other, rules)
    at.chat.failures.append(PlaceShut())
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.post_due()
    assert len(posted(at)) == 1


async def test_a_place_that_wants_none_has_none(at):
    await at.facade.services.places.choose(at.where, PlaceRules())
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.post_due()
    assert posted(at) == []


async def test_a_group_with_a_new_id_gets_no_second_one(at):
    at.clock.shown = NOON + timedelta(hours=11)
    await at.daily.post_due()
    await at.facade.store.write(places.rename_place, "fake", "group", "supergroup")
    at.facade.services.places.forget_all()
    await at.daily.post_due()
    assert len(posted(at)) == 1


async def test_whoever_manages_the_place_asks_for_it_where_it_is_to_stand(at):
    await at.facade.services.places.choose(at.where, PlaceRules())
    at.chat.standings[ANA.external, "group"] = PlaceStanding(manages=True)
    shown = await at.call(ANA, "settings", whispered="yes")
    place = Message("c", at.where, shown.screen, None, card=True)
    shown = await at.press(ANA, place, "Ajustes de este sitio »")
    assert "Problema del día" in {one.label for one in shown.screen.choices}
    choice = next(one for one in shown.screen.choices if one.label == "Problema del día")
    every = next(one for one in choice.options if "cada día" in one.label)
    card = Message("c", at.where, shown.screen, None, card=True)
    await at.press(ANA, card, code=every.code)
    rules = await at.facade.services.places.rules(at.where)
    assert (rules.daily, rules.day_place) == ("all", "group")
