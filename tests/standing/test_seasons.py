"""Seasons: the podium is posted once at the end, in the channel chosen, and calls nobody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.facade import Thinkers, open_facade
from bot.port import (
    BlockedByFilter,
    ChatError,
    Home,
    Later,
    MenuAnswer,
    PlaceShut,
    PlaceStanding,
    Where,
)
from bot.session.preferences import Personal, PlaceRules
from bot.standing.rating import Rating
from bot.standing.seasons import Contestant, SeasonKind, last_ended, next_month, podium
from bot.standing.tallies import Tally
from storage.store import Store
from tests import postgres
from tests.fakes import Desk, FakeChat, Message, desk
from tests.standing.simulated import Hall
from tests.standing.test_ladder import PNG, surely_known
from tests.standing.test_moderation import MARTA, page

MONTH, QUARTER = SeasonKind.MONTH, SeasonKind.QUARTER


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
async def hall(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        at.chat.standings[MARTA.external, at.where.place] = PlaceStanding(manages=True)
        yield Hall(at)


async def look(at: Desk) -> None:
    await at.facade.process_duties.podiums.look()
    await at.settle()


def podiums(chat: FakeChat) -> list[Message]:
    return [one for one in chat.messages.values() if "podio" in one.screen.headline]


# ------------------------------------------------------------------------------ the calendar


@pytest.mark.parametrize(
    ("kind", "now", "key"),
    [
        (MONTH, "2026-12-01T00:00", "2026-11"),
        (MONTH, "2026-11-30T23:59", "2026-10"),
        (MONTH, "2027-01-15T10:00", "2026-12"),
        (QUARTER, "2027-01-01T00:00", "2026-Q4"),
        (QUARTER, "2026-12-31T23:59", "2026-Q3"),
        (QUARTER, "2026-05-02T00:00", "2026-Q1"),
    ],
)
def test_a_season_is_a_month_or_a_quarter_of_the_calendar(kind, now, key):
    season = last_ended(kind, instant(now))
    assert season.key == key
    assert season.begin < season.end <= instant(now) < next_month(instant(now))


def test_who_has_played_enough_comes_before_who_has_not_and_nobody_stands_alone():
    sure, known = Rating(25.0, 2.0), Tally(won=3, opponents=(1, 2))
    few = Contestant("few", Rating(40.0, 2.0), Tally(won=9, opponents=(1,)))
    new = Contestant("new", Rating(39.0, 8.0), known)
    one, two = Contestant("one", sure, known), Contestant("two", Rating(24.0, 2.0), known)
    assert [c.name for c in podium([two, new, few, one])] == ["one", "two", "few"]
    assert podium([one]) == ()


# ------------------------------------------------------------------------------ posted


async def chosen(hall: Hall, label: str = "cada mes") -> None:
    card = hall.at.card(await page(hall))
    (row,) = [one for one in card.screen.choices if one.label.startswith("Temporadas")]
    (option,) = [one for one in row.options if one.label == label]
    assert isinstance(await hall.at.press(MARTA, card, code=option.code), MenuAnswer)


async def played(hall: Hall, count: int = 3) -> list[int]:
    people = [one.id for one in await hall.invite(count)]
    for n, better in enumerate(people):
        for worse in people[n + 1 :]:
            await hall.end(await hall.seat("niya", (better, worse)), [[better], [worse]])
    await hall.at.settle()
    return people


async def test_the_podium_is_posted_once_at_the_end_and_nobody_is_called(hall, clock):
    await chosen(hall)
    await played(hall, 4)
    await surely_known(hall)
    await look(hall.at)
    assert podiums(hall.at.chat) == [], "the season is not over"
    calls = len(hall.at.chat.pings)
    clock.set(timedelta(days=9))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert card.screen.headline == "El podio · noviembre de 2026"
    assert card.screen.alt.startswith("Niya: 1 Person 0, ")
    assert "Person 3" not in card.screen.alt, "three steps"
    assert card.screen.silent
    assert card.picture.startswith(PNG)
    assert card.where == hall.at.where
    assert len(hall.at.chat.pings) == calls
    clock.wait(timedelta(days=20))
    await look(hall.at)
    assert len(podiums(hall.at.chat)) == 1


@pytest.mark.slow
async def test_what_was_won_after_the_end_does_not_count_although_we_were_down(hall, clock):
    await chosen(hall)
    ana, bo, cy = await played(hall)
    clock.set(timedelta(days=12))
    for _ in range(4):
        await hall.end(await hall.seat("niya", (cy, bo)), [[cy], [bo]])
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    names = [card.screen.alt.index(f"Person {n}") for n in range(3)]
    assert names == sorted(names)
    assert "Person 0, 1" in card.screen.alt
    assert "(2–0–0)" in card.screen.alt
    assert "(0–0–2)" in card.screen.alt
    assert ana


@pytest.mark.slow
async def test_seasons_that_were_over_before_they_were_wanted_are_not_posted(hall, clock):
    await played(hall)
    clock.set(timedelta(days=12))
    await chosen(hall)
    await look(hall.at)
    assert podiums(hall.at.chat) == []
    assert await hall.at.facade.services.seasons.due() == []


@pytest.mark.slow
async def test_who_is_on_no_ladder_or_forgotten_stands_on_no_podium(hall, clock):
    await chosen(hall)
    ana, bo, _, _ = await played(hall, 4)
    people = hall.at.facade.services.people
    await people.choose(ana, Personal(off_ladders=True))
    await hall.at.facade.operator.forget(bo)
    clock.set(timedelta(days=12))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert card.screen.alt.startswith("Niya: 1 Person 2")
    assert "Person 0" not in card.screen.alt


async def test_nothing_is_posted_where_nobody_played(hall, clock):
    await chosen(hall)
    clock.set(timedelta(days=12))
    await look(hall.at)
    assert podiums(hall.at.chat) == []
    assert await hall.at.facade.services.seasons.due() == []


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [Later(0.01), PlaceShut("gone"), ChatError("down")])
async def test_what_a_platform_does_not_take_just_now_is_tried_again(hall, clock, wrong):
    await chosen(hall)
    await played(hall)
    clock.set(timedelta(days=12))
    hall.at.facade.services.delivery.retries = (0.01,)
    hall.at.chat.failures.append(wrong)
    await look(hall.at)
    await hall.at.facade.services.delivery.closed_places.reopen(hall.at.where)
    await hall.at.settle()
    assert len(podiums(hall.at.chat)) == 1


async def test_a_podium_that_a_filter_refuses_comes_without_names(hall, clock):
    await chosen(hall)
    await played(hall)
    clock.set(timedelta(days=12))
    hall.at.chat.failures.append(BlockedByFilter("a name"))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert "Person" not in card.screen.alt


async def test_who_is_banned_stands_on_no_podium(hall, clock):
    await chosen(hall)
    await played(hall, 4)
    await hall.at.facade.operator.ban("fake", "id-0")
    clock.set(timedelta(days=12))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert card.screen.alt.startswith("Niya: 1 Person 1")
    assert "Person 0" not in card.screen.alt


async def test_a_place_with_channels_posts_in_the_one_chosen(hall, clock):
    services = hall.at.facade.services
    home = Where("fake", "server")
    rules = PlaceRules(season=MONTH, podium="hall")
    await services.places.choose(home, rules)
    channel = Where("fake", "group", home=Home("server", "es", "group"))
    await services.places.settle(channel)
    await played(hall)
    clock.set(timedelta(days=12))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert card.where.place == "hall"


# ------------------------------------------------------------------------------ processes


@pytest.mark.slow
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
async def test_two_processes_post_it_once(tmp_path, clock):
    url = postgres.database(str(tmp_path))
    chat, facades = FakeChat(), []
    try:
        for _ in range(2):
            facade = await open_facade(await Store.open(url, shared=True), Thinkers(), "es")
            facade.services.clock.now = lambda: clock.shown
            facades.append(facade)
            await facade.start([chat])
        hall = Hall(Desk(facades[0], chat))
        services = facades[0].services
        await services.places.choose(hall.at.where, PlaceRules(season=MONTH))
        await services.seasons.begin(hall.at.where, PlaceRules(season=MONTH))
        await played(hall)
        for facade in facades:
            facade.services.clock.now = lambda: clock.shown + timedelta(days=12)
        for facade in (*facades, *facades):
            await facade.process_duties.podiums.look()
        assert len(podiums(chat)) == 1
    finally:
        for facade in facades:
            await facade.stop()
