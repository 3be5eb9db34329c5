"""Medals: given in the transaction that ends a game, and told on its board.

The second participant of a change, after the ratings, by whose numbers some are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from cachetools import LRUCache

from bot.runtime.caches import remembering
from bot.service.club.medals_of_table import medals_by_seat
from bot.service.club.rating_rows import WHERE, entry_of, places_written, whole_milliseconds
from bot.service.place.places import Places
from bot.service.table.changes import Change, Participant
from bot.session.daily_calendar import streaks
from bot.session.exercise_catalogue import games_with_courses, steps_of_course
from bot.session.medals_of_a_game import earned, winner_of
from bot.session.rated import KNOWN_BY
from bot.session.table import ENDED, PLAYING
from bot.standing.medals import ALL, EXAM, ROW, STREAK, Deeds, Medal, by_deeds, by_number, in_a_row
from bot.standing.tallies import EVERYWHERE, Tally, score_of
from games.core.shelf import shelf
from storage.club import leaderboards, medals, ratings
from storage.person.people import barred_groups
from storage.records import MedalRow
from storage.school.puzzles import daily_tries_of, load_solver
from storage.store import Store, Transaction

CACHED_MEDALISTS: Final = 4096
"""Of how many people it is remembered what they have."""


@dataclass(frozen=True, kw_only=True)
class Medals(Participant):
    """Gives medals, each once."""

    only_over = True

    places: Places
    _given: LRUCache[int, frozenset[Medal]] = remembering(CACHED_MEDALISTS)
    """What people are known to have; they may have more, which is then given to nobody."""

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Give what the game that has just ended is worth."""
        before, table = change.before, change.table
        if before is None or before.status != PLAYING or table.status != ENDED:
            return
        wanted = await self._list_wanted(tx, change)
        if not wanted:
            return
        homes = await self.places.homes(tx, await ratings.shared_places(tx, table.code))
        at, data = whole_milliseconds(change.work.now), {WHERE: places_written(homes)}
        rows = [
            MedalRow(person, one.key, one.game, at, table.code, data)
            for person, found in wanted.items()
            for one in found
        ]
        given = await medals.give_medals(tx, rows)
        change.work.state = replace(table, medals=medals_by_seat(table, given))

    def after_commit(self, change: Change) -> None:
        """Remember what is on disk."""
        for seat, found in change.table.medals.items():
            person = change.table.players[seat].person
            if person is not None and person in self._given:
                self._given[person] |= frozenset(found)

    async def _load(self, tx: Transaction, person: int) -> frozenset[Medal]:
        known = self._given.get(person)
        if known is None:
            rows = await medals.medals_of(tx, person=person)
            known = self._given[person] = frozenset(Medal(row.key, row.pool) for row in rows)
        return known

    async def _list_wanted(self, tx: Transaction, change: Change) -> Mapping[int, Sequence[Medal]]:
        """By person, what they may have earned and are not known to have."""
        table, found = change.table, dict[int, list[Medal]]()
        for person, tally in change.tallies.items():
            found[person] = list(by_number(table.game.key, tally))
        seat = winner_of(table)
        winner = None if seat is None else table.players[seat].person
        if winner is not None:
            mine = found.setdefault(winner, [])
            mine += earned(table, await self._load(tx, winner))
            if winner in change.tallies:
                mine += await self._by_wins(tx, table.game.key, winner, change.tallies[winner])
        wanted = {
            person: new
            for person, all_ in found.items()
            if all_ and (new := [one for one in all_ if one not in await self._load(tx, person)])
        }
        seated = {one.person or one.left or 0 for one in table.players} - {0}
        if winner not in wanted or table.rated or len(seated) < 2:
            return wanted  # what counts was asked at its start
        return {} if await barred_groups(tx, seated, KNOWN_BY) else wanted

    async def _by_wins(
        self, tx: Transaction, pool: str, person: int, tally: Tally
    ) -> Sequence[Medal]:
        """What a rated win of *person* in *pool* may complete."""
        found: list[Medal] = []
        if tally.won == 1:
            rows = await leaderboards.tallies_of_person(tx, person)
            won = {r.pool for r in rows if (r.platform, r.place) == EVERYWHERE and r.won}
            found += [Medal(ALL)] if won >= shelf().keys() else []
        if tally.won >= ROW and Medal(STREAK, pool) not in await self._load(tx, person):
            same = await ratings.same_people(tx, (person,))
            results = [
                score_of(one.places, next(n for n, p in enumerate(one.people) if p in same))
                for one in map(entry_of, await leaderboards.newest_games(tx, same, ROW, pool))
            ]
            found += in_a_row(pool, results)
        return found


WELL_MENDED: Final = 7
"""A mistake that is put again only after so many days is mended."""


async def load_deeds(tx: Transaction, person: int, now: datetime) -> Deeds:
    """What *person* has done besides rated games."""
    done = await medals.solved_exercises(tx, person)
    mended = await medals.count_mended(tx, person, WELL_MENDED)
    row = await load_solver(tx, person, "")
    courses = tuple(
        game.key
        for game in games_with_courses()
        if {(game.key, one.lesson.key) for one in steps_of_course(game.key)} <= set(done)
    )
    solved_days = {one.day for one in await daily_tries_of(tx, person) if one.on_day}
    streak, _ = streaks(solved_days, now.toordinal())
    solved, days = sum(not step for _, step in done), 0 if row is None else row.longest
    return Deeds(solved, days, streak, courses, mended)


async def load_passed_exams(store: Store, person: int) -> frozenset[str]:
    """The games of whose course *person* has passed the exam."""
    rows = await store.read(medals.medals_of, person=person)
    return frozenset(row.pool for row in rows if row.key == EXAM)


async def give_for_deeds(store: Store, person: int, now: datetime) -> None:
    """Give *person* what their deeds are worth, each once. Raises ``StorageError``."""
    async with store.reading() as tx:
        given = {(row.key, row.pool) for row in await medals.medals_of(tx, person=person)}
        found = by_deeds(await load_deeds(tx, person, now))
    new = [one for one in found if (one.key, one.game) not in given]
    if new:
        at = whole_milliseconds(now)
        rows = [MedalRow(person, one.key, one.game, at, None, {}) for one in new]
        await store.write(medals.give_medals, rows)
