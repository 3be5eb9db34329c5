"""The podiums of the seasons of places, and which of them were posted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.port import Where
from bot.service.clock import Clock
from bot.service.club.rating_rows import entry_of, is_listed
from bot.service.place.places import Places
from bot.session import preferences
from bot.session.preferences import Personal, PlaceRules
from bot.standing.journal import JournalEntry, Place
from bot.standing.rating import Rating
from bot.standing.seasons import Contestant, Season, last_ended, next_month, podium
from bot.standing.tallies import Tally, tallies
from games.core.shelf import shelf
from storage import bot_settings
from storage.club import leaderboards, ratings
from storage.club.place_id_change import move_setting
from storage.person.bars import banned_people
from storage.person.people import load_names
from storage.store import Store, Transaction

SEASON: Final = "season"
"""The rule of a place that says how long its seasons last."""


@dataclass(frozen=True)
class DueSeason:
    """A *season* of the place *home* that is over and not noted; *rules* are the place's."""

    home: Where
    rules: PlaceRules
    season: Season


@dataclass(frozen=True, kw_only=True)
class Seasons:
    """Which podiums are due, and what stands on them. Raises ``StorageError``."""

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
        """Note that the podium of *season* is owed."""
        await bot_settings.put_setting(tx, _key(home), season.key)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """The place *old* has become *new*: what was posted there need not be posted again."""
        await move_setting(tx, _key(old), _key(new))

    async def podiums(self, home: Where, season: Season) -> Mapping[str, Sequence[Contestant]]:
        """The podium of each game that was played in *season* by two or more, by shelf."""
        at, found = (home.platform, home.place), dict[str, Sequence[Contestant]]()
        async with self.store.reading() as tx:
            rows = await leaderboards.games_between(tx, season.begin, season.end, home.place)
            games = [one for one in map(entry_of, rows) if at in one.where]
            for pool in shelf():
                here = [one for one in games if one.pool == pool]
                if steps := podium(await self._contestants(tx, at, season, here)):
                    found[pool] = steps
        return found

    async def _contestants(
        self, tx: Transaction, at: Place, season: Season, games: Sequence[JournalEntry]
    ) -> Sequence[Contestant]:
        """Whoever has played *games* of one pool in the place *at*, and is seen by others."""
        ids = sorted({person for one in games for person in one.people})
        names = await load_names(tx, ids)
        now = {one: names[one].person for one in ids if one in names}
        counted = tallies(games, lambda one: now.get(one, one))
        mine = {who: tally for (_, where, who), tally in counted.items() if where == at}
        listed = await self._list_names(tx, at, sorted(mine))
        found = []
        for person, name in listed.items():
            same = [one for one, present in now.items() if present == person]
            rating = await _rating(tx, games[0].pool, same, season, mine[person])
            found.append(Contestant(name, rating, mine[person]))
        return found

    @staticmethod
    async def _list_names(tx: Transaction, at: Place, persons: Sequence[int]) -> Mapping[int, str]:
        """The names of those of *persons* whom others see on ladders."""
        people, banned = await ratings.load_people(tx, persons), await banned_people(tx)
        read = preferences.read
        return {
            one.id: one.name
            for one in people.values()
            if one.id not in banned and is_listed(at, read(Personal, one.settings), one.name)
        }


async def _rating(
    tx: Transaction, pool: str, ids: Sequence[int], season: Season, tally: Tally
) -> Rating:
    row = await leaderboards.change_before(tx, pool, ids, season.end)
    return Rating(last=tally.last) if row is None else Rating(row.mu, row.sigma, row.last)


def _key(home: Where) -> str:
    return f"season:{home.platform}:{home.place}"
