"""Seasons: the podium is posted once at the end, in the channel chosen, and calls nobody."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from statistics import mean

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
from bot.session.preferences import PlaceRules, read, stored
from bot.standing.journal import JournalEntry, Kind
from bot.standing.seasons import (
    PAIR_GAMES,
    Contestant,
    Divisions,
    contestants,
    last_ended,
    next_divisions,
    places_in,
    standings_of,
)
from storage import bot_settings
from storage.store import Store
from tests import postgres
from tests.fakes import Desk, FakeChat, Message, desk
from tests.standing.simulated import Hall
from tests.standing.test_ladder import PNG, pressed, top
from tests.standing.test_moderation import MARTA, page


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
    ("now", "key"),
    [
        ("2026-12-01T00:00", "2026-11"),
        ("2026-11-30T23:59", "2026-10"),
        ("2027-01-15T10:00", "2026-12"),
    ],
)
def test_a_season_is_a_month_of_the_calendar(now, key):
    season = last_ended(instant(now))
    assert season.key == key
    assert season.begin < season.end <= instant(now) < season.next.end


@pytest.mark.parametrize("kept", ["month", "quarter", True])
def test_whoever_chose_how_long_a_season_lasts_has_leagues(kept):
    assert read(PlaceRules, {"season": kept}).season
    assert stored(PlaceRules(season=True)) == {"season": True}


# ------------------------------------------------------------------------------ the league


def game(*order: int, day: int = 1, places: tuple[int, ...] = ()) -> JournalEntry:
    """A game in which these people came in one after the other, or on these *places*."""
    at = datetime(2026, 11, day, tzinfo=UTC)
    return JournalEntry(0, Kind.GAME, at, "niya", order, places or tuple(range(1, len(order) + 1)))


def played_by(games: list[JournalEntry]) -> dict[int, Contestant]:
    return dict(contestants(games, lambda one: one))


def test_points_are_for_what_is_done_from_the_first_game_on():
    found = played_by([game(1, 2)])
    assert (found[1].points, found[2].points) == (3, 1)
    drawn = played_by([game(1, 2, places=(1, 1))])
    assert (drawn[1].points, drawn[2].points) == (2, 2)
    four = played_by([game(1, 2, 3, 4)])
    assert [four[one].points for one in (1, 2, 3, 4)] == [7, 5, 3, 1]
    assert not four[1].may_stand


def test_the_same_two_are_capped_and_others_go_on():
    many = played_by([game(1, 2)] * 25)
    assert (many[1].points, many[1].games) == (3 * PAIR_GAMES, PAIR_GAMES)
    assert not many[1].may_stand, "one opponent is no league"
    more = played_by([game(1, 2)] * 25 + [game(1, 2, 3)])
    assert more[1].points == 3 * PAIR_GAMES + 3, "the third is new"
    assert more[1].may_stand


def test_who_became_one_person_got_no_points_of_themselves():
    assert contestants([game(1, 2)], lambda _: 1) == {}


def test_the_same_points_share_a_place_and_no_name_decides():
    able = [Contestant(n, points, 4, frozenset({7, 8})) for n, points in ((1, 9), (2, 9), (3, 5))]
    few = Contestant(4, 30, 3, frozenset({7, 8}))
    assert places_in([few, *able]) == {1: 1, 2: 1, 3: 3}
    assert (
        Contestant(1, 9, 4, frozenset({7}), instant("2026-11-02")).order
        > Contestant(2, 9, 4, frozenset({7}), instant("2026-11-01")).order
    ), "who had the points first is ahead"


def test_one_goes_up_and_one_goes_down_and_who_is_away_begins_below_again():
    everybody = tuple(range(24))
    start = (everybody[:8], everybody[8:16], everybody[16:])
    played = {n: Contestant(n, 100 - n, 4, frozenset({97, 98})) for n in everybody}
    assert next_divisions(start, played) == (  # in the order in which they stood
        (0, 1, 2, 3, 4, 5, 6, 8),
        (7, 9, 10, 11, 12, 13, 14, 16),
        (15, 17, 18, 19, 20, 21, 22, 23),
    )
    away = {n: one for n, one in played.items() if n != 3}
    assert 3 not in [n for each in next_divisions(start, away) for n in each]
    back = standings_of(next_divisions(start, away), played)
    assert 3 in [one.person for one in back[-1]]
    lazy = played | {8: Contestant(8, 92, 3, frozenset({97, 98}))}
    assert 8 in next_divisions(start, lazy)[1], "too few games to go up"


@pytest.mark.parametrize(
    ("people", "sizes"),
    [(0, []), (11, [11]), (12, [6, 6]), (15, [8, 7]), (16, [8, 8]), (40, [8] * 5)],
)
def test_divisions_have_about_eight_and_fewer_than_twelve_people_are_one(people, sizes):
    played = {n: Contestant(n, n + 1, 4, frozenset({97, 98})) for n in range(people)}
    assert [len(one) for one in next_divisions((), played)] == sizes


def months(count: int, seed: int) -> list[tuple[Divisions, Divisions]]:
    """The divisions before and after each of some months of forty people with 426 games.

    Each is away every sixteenth month.
    """
    rng, found, now = random.Random(seed), list[tuple[Divisions, Divisions]](), ()
    worth = [rng.gauss(0, 300) for _ in range(40)]
    eager = [rng.paretovariate(1.5) for _ in range(40)]
    for _ in range(count):
        games, here = [], [one * (rng.random() > 0.06) for one in eager]
        for number in range(426):
            seats = 4 if number % 5 == 0 else 2
            drawn = list(dict.fromkeys(rng.choices(range(40), here, k=4 * seats)))[:seats]
            if len(drawn) == seats:
                order = sorted(drawn, key=lambda one: -rng.gauss(worth[one], 200))
                games.append(game(*order))
        after = next_divisions(now, played_by(games))
        found.append((now, after))
        now = after
    return found


def test_in_twenty_months_a_fifth_of_the_people_change_their_division():
    for seed in range(4):
        shares = []
        for before, after in months(21, seed)[1:]:
            old, new = ({p: n for n, each in enumerate(d) for p in each} for d in (before, after))
            both = old.keys() & new.keys()
            shares.append(sum(old[one] != new[one] for one in both) / len(both))
        assert 0.15 <= mean(shares) <= 0.25, (seed, mean(shares))


# ------------------------------------------------------------------------------ posted


async def chosen(hall: Hall, label: str = "cada mes") -> None:
    card = hall.at.card(await page(hall))
    every = [option for row in card.screen.choices for option in row.options]
    (option,) = [one for one in every if one.label == label]
    assert isinstance(await hall.at.press(MARTA, card, code=option.code), MenuAnswer)


async def played(hall: Hall, count: int = 3) -> list[int]:
    people = [one.id for one in await hall.invite(count)]
    for n, better in enumerate([*people, *people]):
        n %= count
        for worse in people[n + 1 :]:
            await hall.end(await hall.seat("niya", (better, worse)), [[better], [worse]])
    await hall.at.settle()
    return people


async def test_the_podium_is_posted_once_at_the_end_and_nobody_is_called(hall, clock):
    await chosen(hall)
    await played(hall, 4)
    await look(hall.at)
    assert podiums(hall.at.chat) == [], "the season is not over"
    calls = len(hall.at.chat.pings)
    clock.set(timedelta(days=9))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert card.screen.headline == "El podio · noviembre de 2026"
    assert card.screen.alt.startswith("Liga: 1 Person 0, 18 puntos (6 partidas), 2 Person 1, ")
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
    assert card.screen.alt == (
        "Liga: 1 Person 0, 12 puntos (4 partidas), 2 Person 1, 8 puntos (4 partidas), "
        "3 Person 2, 4 puntos (4 partidas)."
    )
    assert ana


async def test_equal_points_share_a_step_and_few_games_have_none(hall, clock):
    await chosen(hall)
    ana, bo, cy, di = [one.id for one in await hall.invite(4)]
    for one, other in ((ana, cy), (ana, bo), (bo, cy), (bo, ana), (cy, bo), (cy, ana)):
        await hall.end(await hall.seat("niya", (one, other)), [[one], [other]])
    await hall.end(await hall.seat("shogi", (di, ana)), [[di], [ana]])
    await hall.at.settle()
    clock.set(timedelta(days=12))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert "Person 3" not in card.screen.alt, "one game"
    words = card.screen.alt
    assert "1 Person 0, 9 puntos" in words
    assert "2 Person 1, 8 puntos" in words
    assert "2 Person 2, 8 puntos" in words


async def test_the_league_stands_on_a_key_of_the_ladder_from_the_first_game_on(hall, clock):
    await chosen(hall)
    await played(hall, 3)
    ladder = await top(hall, who=1)
    card = await pressed(hall, ladder, "Liga", who=1)
    assert card.screen.headline == "Liga · noviembre de 2026"
    assert card.picture.startswith(PNG)
    assert card.screen.alt.splitlines()[0] == "1 Person 0, 12 puntos (4 partidas)"
    assert "contra 2 personas" in card.screen.lines[0]
    clock.set(timedelta(days=12))
    await look(hall.at)
    empty = await pressed(hall, await top(hall, who=1), "Liga", who=1)
    assert empty.screen.headline == "Liga · diciembre de 2026"


async def test_divisions_are_those_that_were_noted_and_damage_begins_anew(hall, clock):
    await chosen(hall)
    people = await played(hall, 4)
    services, at = hall.at.facade.services, hall.at.where
    clock.set(timedelta(days=9))
    await look(hall.at)
    note = await hall.at.facade.store.read(
        bot_settings.load_setting, f"league:{at.platform}:{at.place}"
    )
    assert json.loads(note) == {"season": "2026-11", "divisions": []}
    two = json.dumps({"season": "2026-12", "divisions": [people[2:], people[:2]]})
    await hall.at.facade.store.write(
        bot_settings.put_setting, f"league:{at.platform}:{at.place}", two
    )
    await hall.end(await hall.seat("niya", people[:2]), [[people[0]], [people[1]]])
    found = await services.seasons.current(at, PlaceRules(season=True), people[1])
    assert [[one.name for one in each] for each in found.divisions] == [
        ["Person 2", "Person 3"],
        ["Person 0", "Person 1"],
    ]
    assert found.mine == 1
    await hall.at.facade.store.write(
        bot_settings.put_setting, f"league:{at.platform}:{at.place}", "{junk"
    )
    assert (
        len((await services.seasons.current(at, PlaceRules(season=True), people[1])).divisions) == 1
    )


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
    await people.choose(ana, off_ladders=True)
    await hall.at.facade.operator.forget(bo)
    clock.set(timedelta(days=12))
    await look(hall.at)
    (card,) = podiums(hall.at.chat)
    assert card.screen.alt.startswith("Liga: 1 Person 2")
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
    assert card.screen.alt.startswith("Liga: 1 Person 1")
    assert "Person 0" not in card.screen.alt


async def test_a_place_with_channels_posts_in_the_one_chosen(hall, clock):
    services = hall.at.facade.services
    home = Where("fake", "server")
    rules = PlaceRules(season=True, podium="hall")
    await services.places.choose(home, lambda _: rules)
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
        await services.places.choose(hall.at.where, season=True)
        await services.seasons.begin(hall.at.where)
        await played(hall)
        for facade in facades:
            facade.services.clock.now = lambda: clock.shown + timedelta(days=12)
        for facade in (*facades, *facades):
            await facade.process_duties.podiums.look()
        assert len(podiums(chat)) == 1
    finally:
        for facade in facades:
            await facade.stop()
