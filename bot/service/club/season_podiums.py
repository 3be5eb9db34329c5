"""The leagues of the seasons of places, and which podiums and weeks were posted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Final

from bot.port import Where
from bot.service.clock import Clock
from bot.service.club.rating_rows import WHERE, entry_of, list_names, places_read, shift_of
from bot.service.place.places import Places
from bot.session.preferences import PlaceRules, zone_of
from bot.standing.journal import JournalEntry, Place, Shift
from bot.standing.medals import Medal
from bot.standing.seasons import (
    Contestants,
    Divisions,
    Season,
    contestants,
    last_ended,
    next_divisions,
    places_in,
    standings_of,
)
from bot.standing.view_models import ClubWeek, GivenMedal, League, LeagueLine, Upset
from storage import bot_settings
from storage.club import leaderboards, medals
from storage.club.place_id_change import move_setting
from storage.person.people import load_names
from storage.store import Store, Transaction

SEASON, WEEKLY = "season", "weekly"
"""The rules of a place that say whether it has a league, and wants to be told of each week."""

NAMED: Final = 3
"""How many are told who gained most, or were given a medal."""

SURPRISE: Final = 50
"""By how much the winner's rating must be lower for an upset."""

MOST_SEASONS: Final = 24
"""From so many seasons ago on divisions are followed up; else those of the last one begin anew."""


@dataclass(frozen=True)
class DueSeason:
    """A *season* of the place *home*, or a week, that is over and not noted; *rules* are its."""

    home: Where
    rules: PlaceRules
    season: Season

    @property
    def is_week(self) -> bool:
        """Whether it is a week."""
        return self.season.end - self.season.begin < timedelta(days=27)

    @property
    def rule(self) -> str:
        """By which rule it is posted."""
        return WEEKLY if self.is_week else SEASON

    @property
    def key(self) -> str:
        """How it is noted: ``2026-10``, or the day on which a week was over."""
        return f"{self.season.end:%Y-%m-%d}" if self.is_week else self.season.key


@dataclass(frozen=True, kw_only=True)
class Seasons:
    """Which podiums are due, and how leagues stand. Raises ``StorageError``."""

    store: Store
    clock: Clock
    places: Places

    async def due(self) -> Sequence[DueSeason]:
        """What is over and has not been posted in the places that want it."""
        wanted = dict((*await self.places.with_rule(SEASON), *await self.places.with_rule(WEEKLY)))
        over = [one for home, rules in wanted.items() for one in self.over(home, rules)]
        return [one for one in over if await self.load_owed(one.home, one.rule) != one.key]

    def over(self, home: Where, rules: PlaceRules) -> Sequence[DueSeason]:
        """The last season and the last week that are over in a place, as its *rules* want them."""
        now = self.clock.now()
        here = now.astimezone(zone_of(rules.day_zone)) - timedelta(hours=rules.day_hour)
        end = here.replace(hour=0, minute=0, second=0, microsecond=0)
        end -= timedelta(days=end.weekday())
        week = [Season(end - timedelta(days=7), end)] if rules.weekly else []
        month = [last_ended(now)] if rules.season else []
        return [DueSeason(home, rules, one) for one in (*month, *week)]

    async def begin(self, home: Where) -> None:
        """Post nothing of what was over before the place had seasons."""
        over = last_ended(self.clock.now()).key
        await self.store.write(bot_settings.put_setting, _key(home, SEASON), over)

    async def load_owed(self, home: Where, rule: str = SEASON) -> str | None:
        """The key of the last of them that is owed in a place by this *rule*, or was."""
        return await self.store.read(bot_settings.load_setting, _key(home, rule))

    async def note(self, tx: Transaction, due: DueSeason) -> None:
        """Note that it is owed, and from which divisions others follow."""
        if not due.is_week:
            divisions = await self._load_divisions(tx, due.home, due.season)
            written = json.dumps({"season": due.key, "divisions": divisions})
            await bot_settings.put_setting(tx, _divisions_key(due.home), written)
        await bot_settings.put_setting(tx, _key(due.home, due.rule), due.key)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """The place *old* has become *new*: what was posted there need not be posted again."""
        for rule in (SEASON, WEEKLY):
            await move_setting(tx, _key(old, rule), _key(new, rule))
        await move_setting(tx, _divisions_key(old), _divisions_key(new))

    async def current(self, home: Where, rules: PlaceRules, reader: int) -> League | None:
        """How the season that is on stands in *home*, if its *rules* have seasons."""
        now = last_ended(self.clock.now()).next
        return await self.league(home, now, reader) if rules.season else None

    async def league(self, home: Where, season: Season, reader: int = 0) -> League:
        """How everybody in *home* whom others see stands in *season*, or stood at its end."""
        async with self.store.reading() as tx:
            played = await self._load_contestants(tx, home, season)
            divisions = standings_of(await self._load_divisions(tx, home, season), played)
            persons = [one.person for each in divisions for one in each]
            names = await list_names(tx, home.key, persons)
        found, mine = list[list[LeagueLine]](), len(divisions) - 1
        for number, each in enumerate(divisions):
            seen = [one for one in each if one.person in names]
            places = places_in(seen)
            found.append([LeagueLine(places.get(c.person), names[c.person], c) for c in seen])
            mine = number if any(one.person == reader for one in each) else mine
        return League(season, found, mine)

    async def load_week(self, due: DueSeason) -> ClubWeek:
        """What happened in the week that is *due*, of people whom others see there."""
        at, week = (due.home.platform, due.home.place), due.season
        async with self.store.reading() as tx:
            games = await self._load_games(tx, due.home, week)
            changes = await leaderboards.changes_by(tx, [one.number for one in games])
            given = await self._list_given(tx, at, week)
            people = [*(row.person for row in changes), *(person for person, _ in given)]
            known = await load_names(tx, people)
            now = {one: known[one].person for one in known}
            seen = await list_names(tx, at, sorted(now.values()))
        names = {one: seen[same] for one, same in now.items() if same in seen}
        shifts = [shift_of(row) for row in changes if row.person in names]
        gained = Counter[int]()
        for one in shifts:
            gained[now[one.person]] += one.points
        rose = [(seen[one], points) for one, points in gained.most_common(NAMED) if points > 0]
        won = [(names[person], medal) for person, medal in given if person in names][:NAMED]
        codes = [game.table for game in reversed(games)]
        return ClubWeek(week.end.date(), codes, _upset(games, shifts, names), rose, won)

    @staticmethod
    async def _list_given(
        tx: Transaction, at: Place, week: Season
    ) -> Sequence[tuple[int, GivenMedal]]:
        """The medals given in *week* for games in the place *at*, the last first, by person."""
        rarity, club = await medals.count_holders(tx, 1)
        return [
            (row.person, GivenMedal(Medal(row.key, row.pool), row.at, of.many / club))
            for row in await medals.medals_between(tx, week.begin, week.end)
            if at in places_read(row.data.get(WHERE)) and (of := rarity.get((row.key, row.pool)))
        ]

    async def _load_divisions(self, tx: Transaction, home: Where, season: Season) -> Divisions:
        """The divisions at the beginning of *season*, from the last ones that were noted."""
        noted, divisions = _read(await bot_settings.load_setting(tx, _divisions_key(home)))
        names = await load_names(tx, [one for each in divisions for one in each])
        divisions = tuple(
            tuple(dict.fromkeys(names[one].person for one in each if one in names))
            for each in divisions
        )
        past = [season]
        while past[-1].key != noted and len(past) <= MOST_SEASONS:
            past.append(past[-1].before)
        if past[-1].key != noted:
            past, divisions = past[:2], ()
        for one in reversed(past[1:]):
            divisions = next_divisions(divisions, await self._load_contestants(tx, home, one))
        return divisions

    @staticmethod
    async def _load_games(tx: Transaction, home: Where, season: Season) -> list[JournalEntry]:
        rows = await leaderboards.games_between(tx, season.begin, season.end, home.place)
        return [one for one in map(entry_of, rows) if home.key in one.where]

    @staticmethod
    async def _load_contestants(tx: Transaction, home: Where, season: Season) -> Contestants:
        games = await Seasons._load_games(tx, home, season)
        names = await load_names(tx, sorted({one for game in games for one in game.people}))
        return contestants(games, lambda one: names[one].person if one in names else one)


def _upset(
    games: Sequence[JournalEntry], shifts: Sequence[Shift], names: Mapping[int, str]
) -> Upset | None:
    """The game that somebody won alone against who was stronger by most."""
    had = {(one.entry, one.person): one.before.shown for one in shifts}
    found = [
        (theirs - mine, Upset(game.pool, (names[winner], names[other]), (mine, theirs)))
        for game in games
        if game.places.count(1) == 1
        for winner, other in product([game.people[game.places.index(1)]], game.people)
        if (mine := had.get((game.number, winner))) is not None
        if (theirs := had.get((game.number, other))) is not None
    ]
    gap, upset = max(found, key=lambda one: one[0], default=(0, None))
    return upset if gap >= SURPRISE else None


def _read(said: str | None) -> tuple[str, Divisions]:
    """The season that was noted, and its divisions; nothing where that is damaged."""
    try:
        match json.loads(said or ""):
            case {"season": str(season), "divisions": [*all_]}:
                each = (one if isinstance(one, list) else () for one in all_)
                return season, tuple(tuple(n for n in one if type(n) is int) for one in each)
    except ValueError:
        pass
    return "", ()


def _key(home: Where, rule: str) -> str:
    return f"{rule}:{home.platform}:{home.place}"


def _divisions_key(home: Where) -> str:
    return f"league:{home.platform}:{home.place}"
