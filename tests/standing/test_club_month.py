"""A month of a club of forty, with 426 rated games: every view beside a reckoning of its own."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from openskill.models import PlackettLuce

from bot.presenters.club.season_podium import PodiumCard
from bot.session.preferences import PlaceRules
from bot.standing.seasons import last_ended
from bot.standing.view_models import League
from games.core.shelf import shelf
from tests.fakes import desk
from tests.standing.simulated import Hall

PEOPLE, GAMES = 40, 426
MODEL = PlackettLuce()


@dataclass
class Notebook:
    """What somebody with a pencil knows: each game as its order of shared places."""

    games: list[tuple[str, datetime, list[list[int]]]] = field(default_factory=list)
    known: dict[tuple[str, int], tuple[float, float, datetime]] = field(default_factory=dict)

    def note(self, game: str, at: datetime, ranked: list[list[int]]) -> None:
        self.games.append((game, at, ranked))
        people = [(n, one) for n, place in enumerate(ranked) for one in place]
        teams = []
        for _, one in people:
            mu, sigma, last = self.known.get((game, one), (25.0, 25 / 3, at))
            days = (at - last) / timedelta(days=1)
            sigma = min(math.sqrt(sigma**2 + 0.0514 * days), 25 / 3)
            teams.append([MODEL.rating(mu=mu, sigma=sigma)])
        rated = MODEL.rate(teams, ranks=[float(n) for n, _ in people])
        for (_, one), (new,) in zip(people, rated, strict=True):
            self.known[game, one] = (new.mu, new.sigma, at)

    def strengths(self, game: str) -> dict[int, float]:
        return {p: mu - 1.5 * s for (g, p), (mu, s, _) in self.known.items() if g == game}

    def places(self, game: str, one: int) -> tuple[int, ...]:
        """How often *one* came in first, second …, in a game that has more than two players."""
        found = Counter[int]()
        for of, _, ranked in self.games:
            before = 0
            for place in ranked if of == game else ():
                found[before + 1] += one in place
                before += len(place)
        return tuple(found[n + 1] for n in range(4))

    def against(self, game: str, one: int, other: int) -> tuple[int, int, int]:
        """How often *one* stood above, beside and below *other*."""
        found = [0, 0, 0]
        for of, _, ranked in self.games:
            here = {p: n for n, place in enumerate(ranked) for p in place}
            if of == game and one in here and other in here:
                found[1 + (here[one] > here[other]) - (here[one] < here[other])] += 1
        return found[0], found[1], found[2]

    def league(self) -> dict[int, tuple[int, int, int]]:
        """Points, games that gave some, and people met, by person."""
        points, games, met = Counter[int](), Counter[int](), defaultdict[int, set[int]](set)
        times = Counter[tuple[int, int]]()
        for _, _, ranked in self.games:
            here = {p: n for n, place in enumerate(ranked) for p in place}
            some = set[int]()
            for one, other in combinations(sorted(here), 2):
                times[one, other] += 1
                if times[one, other] > 4:
                    continue
                some |= {one, other}
                met[one].add(other)
                met[other].add(one)
                if here[one] == here[other]:
                    points.update((one, other))
                else:
                    points[min((one, other), key=here.__getitem__)] += 2
            points.update(some)
            games.update(some)
        return {one: (points[one], games[one], len(met[one])) for one in games}


async def play_month(hall: Hall, clock, games: int) -> Notebook:
    """December: Niya most, then Parchís by four, Cirya, Storilljuðjorrayc and Shogi."""
    rng, book = random.Random(59), Notebook()
    people = [one.id for one in await hall.invite(PEOPLE)]
    worth = {one: rng.gauss(0, 300) for one in people}
    eager = [rng.paretovariate(1.2) for _ in people]
    hall.hush()
    clock.set(datetime(2026, 12, 1, 1, tzinfo=UTC) - clock.shown)
    kinds = rng.choices(sorted(shelf()), [67, 178, 93, 41, 47], k=games)
    for game in kinds:
        clock.wait(timedelta(days=30) / games)
        seats = 4 if game == "parchis" else 2
        seated = list(dict.fromkeys(rng.choices(people, eager, k=60)))[:seats]
        order = sorted(seated, key=lambda one: -rng.gauss(worth[one], 200))
        ranked = [order] if seats == 2 and rng.random() < 0.1 else [[one] for one in order]
        await hall.end(await hall.seat(game, seated), ranked)
        now = hall.at.facade.services.clock.now()
        book.note(game, now.replace(microsecond=now.microsecond // 1000 * 1000), ranked)
    return book


async def check_ladders(hall: Hall, book: Notebook) -> None:
    """Everybody who has ended a game is numbered, by the careful figure, the same for equals."""
    ladders, where = hall.at.facade.services.ladders, hall.at.where
    counts = Counter(game for game, _, _ in book.games)
    for game in shelf():
        first = await ladders.ladder(game, where, hall.people[0].id, 0)
        assert list(first.games) == [one for one, _ in counts.most_common()]
        pages = [await ladders.ladder(game, where, 0, page) for page in range(first.pages)]
        lines = [line for page in pages for line in page.lines]
        mine = book.strengths(game)
        assert {line.person for line in lines} == mine.keys()
        assert first.above == len(mine)
        for line in lines:
            better = sum(other > mine[line.person] + 1e-9 for other in mine.values())
            assert line.number == better + 1
            assert line.rating.strength == round(1500 + 24 * (mine[line.person] - 25))
            if game == "parchis":
                assert line.places == book.places(game, line.person)
        assert [line.rating.strength for line in lines] == sorted(
            (line.rating.strength for line in lines), reverse=True
        )


async def check_people(hall: Hall, book: Notebook) -> None:
    """Profiles and versus tell places of four, and name only who is the one."""
    ladders, where = hall.at.facade.services.ladders, hall.at.where
    for me in hall.people[::3]:
        for one in await ladders.profile(me.id, where):
            against = {
                other.name: book.against(one.game, me.id, other.id)
                for other in hall.people
                if other.id != me.id
            }
            assert one.places == (book.places(one.game, me.id) if one.game == "parchis" else ())
            for told, which in ((one.often, (0, 1, 2)), (one.beaten, (0,)), (one.feared, (2,))):
                counted = {name: sum(got[n] for n in which) for name, got in against.items()}
                best = max(counted.values())
                names = [name for name, many in counted.items() if many == best]
                assert told == ((names[0], best) if len(names) == 1 and best > 1 else None)
            if one.game == "parchis":
                assert one.streak >= 0
        for other in hall.people[1::7]:
            for met in await ladders.meetings(me.id, other.id) if other is not me else ():
                tally = met.tally
                want = book.against(met.game, me.id, other.id)
                assert (tally.won, tally.drawn, tally.lost) == want


async def check_league(hall: Hall, book: Notebook, clock) -> None:
    """Points are as reckoned, and a step has its games, its people, and nobody of equal points."""
    services, where = hall.at.facade.services, hall.at.where
    rules = PlaceRules(season=True)
    await services.places.choose(where, lambda _: rules)
    want = book.league()
    now = await services.seasons.current(where, rules, 0)
    (only,) = now.divisions
    got = {one.did.person: (one.did.points, one.did.games, len(one.did.met)) for one in only}
    assert got == want
    clock.set(datetime(2027, 1, 1, 1, tzinfo=UTC) - clock.shown)
    ended = await services.seasons.league(where, last_ended(clock.shown))
    (steps,) = ended.podiums
    able = sorted((p for p, games, met in want.values() if games >= 4 and met >= 2), reverse=True)
    for step in steps:
        points, games, met = want[step.did.person]
        assert (games >= 4, met >= 2) == (True, True)
        assert step.place == 1 + sum(other > points for other in able)
    assert len(steps) == sum(1 + sum(o > p for o in able) <= 3 for p in able)
    next_ = await services.seasons.current(where, rules, 0)
    assert sum(map(len, next_.divisions)) == len(want)
    assert all(6 <= len(one) <= 11 for one in next_.divisions)
    assert PodiumCard("es", b"", ended).screen().alt.startswith("Liga: 1 ")
    check_picture(next_, now)


def check_picture(*leagues: League) -> None:
    """A league of many is shown by its first and its reader, who rises or falls at most by one."""
    for league in leagues:
        for mine, lines in enumerate(league.divisions):
            for reader in (line.did.person for line in lines):
                drawn = PodiumCard("es", b"", replace(league, mine=mine)).ranking(reader)
                assert len(drawn.rows) + len(drawn.apart) <= 11
                assert sum(row.own for row in (*drawn.rows, *drawn.apart)) == 1
                zones = [row.zone for row in (*drawn.rows, *drawn.apart)]
                assert (zones.count(1), zones.count(-1)) <= (1, 1)
                assert mine or 1 not in zones
                assert mine < len(league.divisions) - 1 or -1 not in zones


async def month_holds(tmp_path, clock, games: int) -> None:
    async with desk(tmp_path, clock=clock) as at:
        hall = Hall(at)
        book = await play_month(hall, clock, games)
        await check_ladders(hall, book)
        await check_people(hall, book)
        await check_league(hall, book, clock)


@pytest.mark.slow
async def test_a_month_of_forty_people_and_426_games(tmp_path, clock):
    await month_holds(tmp_path, clock, GAMES)


async def test_a_week_of_the_same(tmp_path, clock):
    await month_holds(tmp_path, clock, 60)
