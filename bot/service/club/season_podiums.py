"""The leagues of the seasons of places, and which podiums were posted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.port import Where
from bot.service.clock import Clock
from bot.service.club.rating_rows import entry_of, list_names
from bot.service.place.places import Places
from bot.session.preferences import PlaceRules
from bot.standing.seasons import (
    Contestant,
    Divisions,
    Season,
    contestants,
    last_ended,
    next_divisions,
    next_month,
    places_in,
    standings_of,
)
from bot.standing.view_models import League, LeagueLine
from storage import bot_settings
from storage.club import leaderboards
from storage.club.place_id_change import move_setting
from storage.person.people import load_names
from storage.store import Store, Transaction

SEASON: Final = "season"
"""The rule of a place that says how long its seasons last."""

MOST_SEASONS: Final = 24
"""From so many seasons ago on divisions are followed up; else those of the last one begin anew."""


@dataclass(frozen=True)
class DueSeason:
    """A *season* of the place *home* that is over and not noted; *rules* are the place's."""

    home: Where
    rules: PlaceRules
    season: Season


@dataclass(frozen=True, kw_only=True)
class Seasons:
    """Which podiums are due, and how leagues stand. Raises ``StorageError``."""

    store: Store
    clock: Clock
    places: Places

    def next_end(self) -> float:
        """In how many seconds a season may end."""
        now = self.clock.now()
        return (next_month(now) - now).total_seconds()

    async def due(self) -> Sequence[DueSeason]:
        """The places whose last season is over and has not been posted."""
        found = []
        for where, rules in await self.places.with_rule(SEASON):
            season = self.last(rules)
            if season is not None and await self.load_owed(where) != season.key:
                found.append(DueSeason(where, rules, season))
        return found

    def last(self, rules: PlaceRules) -> Season | None:
        """The last season that is over in a place with these *rules*, if it has seasons."""
        return None if rules.season is None else last_ended(rules.season, self.clock.now())

    async def begin(self, home: Where, rules: PlaceRules) -> None:
        """Post nothing of what was over before the place had seasons."""
        if (season := self.last(rules)) is not None:
            await self.store.write(bot_settings.put_setting, _key(home), season.key)

    async def load_owed(self, home: Where) -> str | None:
        """The key of the last season of a place whose podium is owed, or was."""
        return await self.store.read(bot_settings.load_setting, _key(home))

    async def note(self, tx: Transaction, home: Where, season: Season) -> None:
        """Note that the podium of *season* is owed, and from which divisions others follow."""
        divisions = await self._load_divisions(tx, home, season)
        written = json.dumps({"season": season.key, "divisions": divisions})
        await bot_settings.put_setting(tx, _divisions_key(home), written)
        await bot_settings.put_setting(tx, _key(home), season.key)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """The place *old* has become *new*: what was posted there need not be posted again."""
        await move_setting(tx, _key(old), _key(new))
        await move_setting(tx, _divisions_key(old), _divisions_key(new))

    async def current(self, home: Where, rules: PlaceRules, reader: int) -> League | None:
        """How the season that is on stands in *home*, if its *rules* have seasons."""
        ended = self.last(rules)
        return None if ended is None else await self.league(home, ended.next, reader)

    async def league(self, home: Where, season: Season, reader: int = 0) -> League:
        """How everybody in *home* whom others see stands in *season*, or stood at its end."""
        async with self.store.reading() as tx:
            played = await self._load_contestants(tx, home, season)
            divisions = standings_of(await self._load_divisions(tx, home, season), played)
            persons = [one.person for each in divisions for one in each]
            names = await list_names(tx, (home.platform, home.place), persons)
        found, mine = list[list[LeagueLine]](), len(divisions) - 1
        for number, each in enumerate(divisions):
            seen = [one for one in each if one.person in names]
            places = places_in(seen)
            found.append([LeagueLine(places.get(c.person), names[c.person], c) for c in seen])
            mine = number if any(one.person == reader for one in each) else mine
        return League(season, found, mine)

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
    async def _load_contestants(
        tx: Transaction, home: Where, season: Season
    ) -> Mapping[int, Contestant]:
        at = (home.platform, home.place)
        rows = await leaderboards.games_between(tx, season.begin, season.end, home.place)
        games = [one for one in map(entry_of, rows) if at in one.where]
        names = await load_names(tx, sorted({one for game in games for one in game.people}))
        return contestants(games, lambda one: names[one].person if one in names else one)


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


def _key(home: Where) -> str:
    return f"season:{home.platform}:{home.place}"


def _divisions_key(home: Where) -> str:
    return f"league:{home.platform}:{home.place}"
