"""Ladders and profiles: what of ratings is shown, and to whom."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from cachetools import TTLCache

from bot.port import Where
from bot.runtime.caches import remembering
from bot.service.clock import Clock
from bot.service.club.medals import load_deeds
from bot.service.club.rating_rows import (
    WHERE,
    entry_of,
    list_names,
    places_read,
    rating_of,
    tally_of,
)
from bot.service.person.people import People
from bot.service.place.places import Places
from bot.standing.journal import JournalEntry, Place
from bot.standing.medals import NOTHING, Medal, next_goal
from bot.standing.rating import CAREFUL, Rating
from bot.standing.tallies import DRAWN, EVERYWHERE, LOST, WON, Tally, places_taken, score_of
from bot.standing.view_models import (
    GameStanding,
    GivenMedal,
    Ladder,
    LadderLine,
    Meetings,
    PersonStanding,
)
from games.core.shelf import find_game, shelf
from storage.club import leaderboards, medals, ratings
from storage.person.people import load_names
from storage.records import RatingRow, TallyRow
from storage.store import Store, Transaction

PAGE: Final = 10
"""How many people stand on one page of a ladder."""

LATELY: Final = timedelta(days=90)
"""Who has not played for so long stands below the line of a ladder."""

MONTH: Final = timedelta(days=30)

COURSE: Final = 200
"""How many changes of a rating its curve has at most."""

GAMES: Final = 1000
"""Of how many games of somebody opponents and streaks are told at most."""


FORM: Final = 5
"""How many of the last results are shown."""

RARITY: Final = "rarity"
RARITY_KEPT: Final = 600.0
"""The seconds for which it is remembered who has which medal."""

PLAYED_KEPT: Final = 60.0
"""The seconds for which it is remembered what a place has played most."""

HOLDERS, NAMED = 8, 3
"""How many of those who have a medal are looked at, and how many are named."""


@dataclass(frozen=True, kw_only=True)
class Ladders:
    """Reads ladders, profiles and meetings."""

    store: Store
    clock: Clock
    places: Places
    people: People
    _rarity: TTLCache[str, tuple[Mapping[tuple[str, str], medals.Rarity], int]] = remembering(
        1, RARITY_KEPT
    )

    _played: TTLCache[Place, Sequence[str]] = remembering(1024, PLAYED_KEPT)

    async def _place_of(self, where: Where | None) -> Place:
        """The place whose ladder is that of *where*; for None all places together."""
        if where is None:
            return EVERYWHERE
        home = await self.places.home(where)
        return home.platform, home.place

    async def ladder(
        self, game: str, at: Where | None, reader: int, page: int, *, month: bool = False
    ) -> Ladder:
        """A page of the ladder of *game*, by default the one played most, in the place of *at*.

        For None in all places; of this *month* only, if that is asked.
        """
        where = await self._place_of(at)
        now = self.clock.now()
        since = now - LATELY
        if month:
            since = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        async with self.store.reading() as tx:
            games = await self._list_games(tx, where)
            game = game or games[0]
            key = leaderboards.LadderKey(game, *where, since, CAREFUL, brief=month)
            above, all_ = await leaderboards.count_rows(tx, key)
            pages = max(1, -(-all_ // PAGE))
            page = min(max(page, 0), pages - 1)
            rows = await leaderboards.ladder_rows(tx, key, page * PAGE, PAGE)
            mine = await leaderboards.own_row(tx, key, reader)
            people = {row.tally.person for row in rows} | {reader}
            before = await leaderboards.ratings_before(tx, game, people, now - MONTH)
            names = await load_names(tx, (reader,))
            taken = {one: await self._load_places(tx, game, one, where) for one in people}
            numbers = dict(await self._number(tx, key, page * PAGE + 1, [r.tally for r in rows]))
            if mine is not None:
                numbers |= await self._number(tx, key, 1, (mine,))
        named = {row.tally.person: row.name for row in rows}
        named |= {one: names[one].name for one in names}

        def line(row: TallyRow) -> LadderLine:
            rating, old = Rating(row.mu, row.sigma, row.last), before.get(row.person)
            change = None
            if old is not None:
                change = rating.strength - Rating(old.mu, old.sigma).strength
            resting = row.last if row.last < since else None
            number, name = numbers.get(row.person), named.get(row.person, "")
            places = taken[row.person]
            tally = tally_of(row)
            return LadderLine(number, row.person, name, rating, change, tally, places, resting)

        own = None if mine is None or (month and mine.last < since) else line(mine)
        return Ladder(game, games, [line(row.tally) for row in rows], own, page, pages, above)

    async def _list_games(self, tx: Transaction, where: Place) -> Sequence[str]:
        """All games, those played most in the place first."""
        if where not in self._played:
            played = await leaderboards.played_most(tx, *where)
            self._played[where] = tuple(dict.fromkeys((*played, *shelf())))
        return [one for one in self._played[where] if one in shelf()]

    @staticmethod
    async def _number(
        tx: Transaction, key: leaderboards.LadderKey, first: int, rows: Sequence[TallyRow]
    ) -> Mapping[int, int]:
        """The places of those of *rows* who stand above the line, counted from *first* on.

        Who is equally strong shares one.
        """
        found, place, before = dict[int, int](), 0, -math.inf
        for n, row in enumerate(rows, first):
            if row.last >= key.since and row.listed:
                strength = key.strength_of(row)
                if not found:
                    place = 1 + await leaderboards.count_better(tx, key, row)
                elif strength != before:
                    place = n
                found[row.person], before = place, strength
        return found

    @staticmethod
    async def _load_places(
        tx: Transaction, pool: str, person: int, where: Place
    ) -> tuple[int, ...]:
        """The places that *person* has taken in *where*, in a game for more than two."""
        if max(find_game(pool).rules.seats) < 3:
            return ()
        same = await ratings.same_people(tx, (person,))
        games = map(entry_of, await leaderboards.newest_games(tx, same, GAMES, pool))
        return places_taken(_results(games, same, where))

    async def profile(self, person: int, at: Where | None) -> Sequence[GameStanding]:
        """How *person* stands in each game they have played in the place of *at*, or anywhere."""
        where = await self._place_of(at)
        async with self.store.reading() as tx:
            rows = await leaderboards.tallies_of_person(tx, person)
            own = {row.pool: row for row in await ratings.load_ratings(tx, person)}
            same = await ratings.same_people(tx, (person,))
            return [
                await self._standing(tx, row, own[row.pool], where, same)
                for row in rows
                if (row.platform, row.place) == where and row.pool in own
            ]

    async def _standing(
        self,
        tx: Transaction,
        row: TallyRow,
        rating: RatingRow,
        where: Place,
        same: Mapping[int, int],
    ) -> GameStanding:
        course = await leaderboards.course_of(tx, row.pool, same, COURSE)
        games = map(entry_of, await leaderboards.newest_games(tx, same, GAMES, row.pool))
        here = [one for one in games if where == EVERYWHERE or where in one.where]
        met, above, below = Counter[int](), Counter[int](), Counter[int]()
        for entry in here:
            mine = entry.places[_index(entry, same)]
            for one, place in zip(entry.people, entry.places, strict=True):
                met[one] += one not in same
                above[one] += place > mine
                below[one] += place < mine
        names = await load_names(tx, sorted(met))

        def most(of: Counter[int]) -> tuple[str, int] | None:
            people = Counter[tuple[int, str]]()
            for one, number in of.items():
                if one in names and names[one].name:
                    people[names[one].person, names[one].name] += number
            ((_, name), many), (_, next_) = (*people.most_common(2), *[((0, ""), 0)] * 2)[:2]
            return (name, many) if many > max(next_, 1) else None

        results = _results(here, same, where)
        return GameStanding(
            row.pool,
            rating_of(rating),
            Tally(row.won, row.drawn, row.lost, row.opponents, row.last),
            places_taken(results),
            [Rating(one.mu, one.sigma).shown for one in course],
            _streak(results),
            most(met),
            most(above),
            most(below),
            "".join(map(_sign, results[-FORM:])),
        )

    async def person(
        self, person: int, at: Where | None, asked: Where | None = None
    ) -> PersonStanding:
        """All of *person* in the place of *at*, or anywhere; *asked* is where it is told.

        Others who have a medal are named as far as they are seen there.
        """
        here, told = await self._place_of(at), await self._place_of(asked)
        now, games = self.clock.now(), await self.profile(person, at)
        async with self.store.reading() as tx:
            if RARITY not in self._rarity:
                self._rarity[RARITY] = await medals.count_holders(tx, HOLDERS)
            rarity, club = self._rarity[RARITY]
            rows = [
                row
                for row in await medals.medals_of(tx, person=person)
                if here in (EVERYWHERE, *places_read(row.data.get(WHERE)))
            ]
            held = {one for (key, pool), of in rarity.items() for one, _ in of.holders}
            names = await list_names(tx, told, sorted(held - {person}))
            deeds = NOTHING if at is not None else await load_deeds(tx, person, now)
        found = []
        for row in rows:
            of = rarity.get((row.key, row.pool), medals.Rarity(1, ()))
            others = [
                names[one]
                for one, data in of.holders
                if one in names and (told == EVERYWHERE or told in places_read(data.get(WHERE)))
            ]
            share = of.many / max(club, of.many)
            found.append(GivenMedal(Medal(row.key, row.pool), row.at, share, others[:NAMED]))
        played = {one.game: one.tally.games for one in games}
        goal = next_goal(deeds, played, [one.medal for one in found]) if at is None else None
        return PersonStanding(games, found, deeds, goal)

    async def list_met(self, person: int, many: int) -> Sequence[tuple[int, str]]:
        """The first few people whom *person* has met in rated games, by id and name."""
        async with self.store.reading() as tx:
            rows = await leaderboards.tallies_of_person(tx, person)
            ids = list(dict.fromkeys(one for row in rows for one in row.opponents))
            names = await load_names(tx, ids)
        known = {names[one].person: names[one].name for one in ids if one in names}
        return [(one, name) for one, name in known.items() if name and one != person][:many]

    async def list_played(self, person: int, many: int) -> Sequence[JournalEntry]:
        """The last games of *person* that count, in all pools, the last one first."""
        async with self.store.reading() as tx:
            same = await ratings.same_people(tx, (person,))
            return [*map(entry_of, (await leaderboards.newest_games(tx, same, many))[::-1])]

    async def met_in(self, person: int, at: Place, many: int) -> Sequence[tuple[int, str]]:
        """Whom *person* has met in rated games of the place *at*, the last one first."""
        async with self.store.reading() as tx:
            same = await ratings.same_people(tx, (person,))
            games = map(entry_of, (await leaderboards.newest_games(tx, same, GAMES))[::-1])
            met = dict.fromkeys(
                one for game in games if at in game.where for one in game.people if one not in same
            )
            names = await load_names(tx, tuple(met))
        known = {names[one].person: names[one].name for one in met if one in names}
        return [(one, name) for one, name in known.items() if name][:many]

    async def games_of_two(
        self, person: int, other: int, at: Place, many: int
    ) -> Sequence[tuple[JournalEntry, tuple[int, int]]]:
        """The last games of two in the place *at* that count, and the place of each of both."""
        async with self.store.reading() as tx:
            mine = await ratings.same_people(tx, (person,))
            theirs = await ratings.same_people(tx, (other,))
            rows = await leaderboards.newest_games(tx, mine, GAMES, others=theirs)
        return [
            (game, (game.places[_index(game, mine)], game.places[_index(game, theirs)]))
            for game in map(entry_of, rows[::-1])
            if at in game.where
        ][:many]

    async def meetings(self, me: int, other: int) -> Sequence[Meetings]:
        """What *me* and *other* have played against each other, by game."""
        found = []
        async with self.store.reading() as tx:
            mine = {row.pool: rating_of(row) for row in await ratings.load_ratings(tx, me)}
            theirs = {row.pool: rating_of(row) for row in await ratings.load_ratings(tx, other)}
            same = await ratings.same_people(tx, (me,))
            rival = await ratings.same_people(tx, (other,))
            for pool in sorted(mine.keys() & theirs.keys()):
                games = map(entry_of, await leaderboards.newest_games(tx, same, GAMES, pool))
                tally, seats = _between(games, same, rival)
                if tally.games:
                    found.append(Meetings(pool, mine[pool], theirs[pool], tally, seats))
        return found


def _index(entry: JournalEntry, same: Mapping[int, int]) -> int:
    """Where in *entry* the person stands whose ids are *same*."""
    return next(n for n, one in enumerate(entry.people) if one in same)


def _results(
    games: Iterable[JournalEntry], same: Mapping[int, int], where: Place
) -> list[tuple[tuple[int, ...], int]]:
    """The places of each of *games* in *where*, and the index of the person of *same*."""
    here = (one for one in games if where == EVERYWHERE or where in one.where)
    return [(one.places, _index(one, same)) for one in here]


def _sign(result: tuple[tuple[int, ...], int]) -> str:
    """A result as its sign: the place among more than two, or the letter of ``GameStanding``."""
    places, index = result
    return str(places[index]) if len(places) > 2 else score_of(places, index)[0]


def _streak(results: Sequence[tuple[tuple[int, ...], int]]) -> int:
    """How many of the last *results* were won, or lost with a minus, one after the other.

    Where more than two have played, only the first has won, and nobody has lost.
    """
    last, count = "", 0
    for places, index in reversed(results):
        one = score_of(places, index)
        if one == DRAWN or (one == LOST and len(places) > 2) or last not in ("", one):
            break
        last, count = one, count + 1
    return count if last == WON else -count


def _between(
    games: Iterable[JournalEntry], same: Mapping[int, int], rival: Mapping[int, int]
) -> tuple[Tally, int]:
    """How often the person of *same* stood above, beside and below the one of *rival*.

    And how many played in the largest of these games.
    """
    tally, seats = Tally(), 0
    for entry in games:
        index = _index(entry, same)
        other = next((n for n, one in enumerate(entry.people) if one in rival), None)
        if other is None:
            continue
        mine, theirs = entry.places[index], entry.places[other]
        result = DRAWN if mine == theirs else WON if mine < theirs else LOST
        tally, seats = tally.plus(result, (), entry.at), max(seats, len(entry.people))
    return tally, seats
