"""The ratings folded anew from their journal: compared with what is stored, or put in its place."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from bot.service.club.rating_rows import (
    change_row,
    entry_of,
    is_listed,
    rating_of,
    shift_of,
    tally_of,
    tally_row,
)
from bot.session import preferences
from bot.session.preferences import Personal
from bot.standing.journal import JournalEntry, Reckoning, Shift
from bot.standing.rating import Rating
from bot.standing.tallies import Tally, tallies
from storage.club import ratings
from storage.records import RatingRow
from storage.store import Transaction

NEAR = 1e-6
"""By how much a number may differ from the one reckoned anew."""


@dataclass(frozen=True)
class Difference:
    """A row of *table* that is not what the journal makes of it: *why*, of which *key*."""

    table: str
    key: tuple[object, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.table} {'/'.join(map(str, self.key))}: {self.why}"


def _same(one: Rating, other: Rating) -> bool:
    return (
        math.isclose(one.mu, other.mu, rel_tol=0, abs_tol=NEAR)
        and math.isclose(one.sigma, other.sigma, rel_tol=0, abs_tol=NEAR)
        and one.last == other.last
    )


@dataclass
class RatingCheck:
    """What the journal makes of everything, compared with what is stored, for *pool* or all."""

    pool: str = ""
    reckoning: Reckoning = field(default_factory=Reckoning)
    found: list[Difference] = field(default_factory=list)
    entries: int = 0

    def _of_pool(self, pool: str) -> bool:
        return not self.pool or pool == self.pool

    async def run(self, tx: Transaction) -> Sequence[Difference]:
        """Every difference; nothing is changed."""
        after = 0
        while rows := await ratings.journal(tx, after):
            stored: dict[tuple[int, int, str], Shift] = {
                (row.entry, row.person, row.pool): shift_of(row)
                for row in await ratings.changes_between(tx, rows[0].number, rows[-1].number)
            }
            for row in rows:
                self.entries += self._of_pool(row.pool)
                for shift in self.reckoning.take(entry_of(row)):
                    self._compare_shift(shift, stored)
            for key, shift in stored.items():
                if self._of_pool(shift.pool):
                    self.found.append(Difference("rating_change", key, "no entry makes it"))
            after = rows[-1].number
        await self._ratings(tx)
        await self._tallies(tx)
        return self.found

    def _compare_shift(self, shift: Shift, stored: dict[tuple[int, int, str], Shift]) -> None:
        key = (shift.entry, shift.person, shift.pool)
        found = stored.pop(key, None)
        if not self._of_pool(shift.pool):
            return
        if found is None:
            self.found.append(Difference("rating_change", key, "it is missing"))
        elif not (_same(found.before, shift.before) and _same(found.after, shift.after)):
            said = f"it says {_shift_text(found)}, and the journal {_shift_text(shift)}"
            self.found.append(Difference("rating_change", key, said))

    async def _ratings(self, tx: Transaction) -> None:
        want = dict(self.reckoning.ratings)
        for row in await ratings.all_ratings(tx):
            key, have = (row.pool, row.person), rating_of(row)
            reckoned = want.pop(key, Rating())
            if self._of_pool(row.pool) and not _same(have, reckoned):
                said = f"it is {have.mu:.6f} ± {have.sigma:.6f}, and by the journal "
                said += f"{reckoned.mu:.6f} ± {reckoned.sigma:.6f}"
                self.found.append(Difference("rating", key, said))
        self.found += [
            Difference("rating", key, "it is missing") for key in want if self._of_pool(key[0])
        ]

    async def _tallies(self, tx: Transaction) -> None:
        counted = tallies(self.reckoning.games.values(), self.reckoning.person)
        want = {(pool, *where, person): one for (pool, where, person), one in counted.items()}
        for row in await ratings.all_tallies(tx):
            key = (row.pool, row.platform, row.place, row.person)
            reckoned = want.pop(key, Tally())
            rating = self.reckoning.ratings.get((row.pool, row.person), Rating())
            sound = tally_of(row) == reckoned and row.met == len(reckoned.opponents)
            near = _same(Rating(row.mu, row.sigma, rating.last), rating)
            if self._of_pool(row.pool) and not (sound and near):
                self.found.append(Difference("tally", key, "it is not what the games make"))
        self.found += [
            Difference("tally", key, "it is missing") for key in want if self._of_pool(key[0])
        ]


def _shift_text(shift: Shift) -> str:
    return f"{shift.before.mu:.6f} to {shift.after.mu:.6f} ± {shift.after.sigma:.6f}"


async def rebuild(tx: Transaction) -> int:
    """Reckon everything anew from the journal; the number of its entries.

    Raises ``UnknownFormula``.
    """
    entries = [entry async for entry in read_journal(tx)]
    await ratings.clear(tx)
    reckoning = Reckoning()
    for entry in entries:
        await ratings.add_changes(tx, [change_row(one, entry.at) for one in reckoning.take(entry)])
    rated = sorted(reckoning.ratings.items())
    rows = [RatingRow(*whose, one.mu, one.sigma, one.last) for whose, one in rated]
    await ratings.put_ratings(tx, rows)
    await _put_tallies(tx, reckoning)
    return len(entries)


async def _put_tallies(tx: Transaction, reckoning: Reckoning) -> None:
    counted = tallies(reckoning.games.values(), reckoning.person)
    people = await ratings.load_people(tx, sorted({person for _, _, person in counted}))
    rows = []
    for (pool, where, person), tally in counted.items():
        rating = reckoning.ratings.get((pool, person), Rating())
        row = people.get(person)
        listed = row is not None and is_listed(
            where, preferences.read(Personal, row.settings), row.name
        )
        rows.append(tally_row(pool, where, person, tally, rating, listed=listed))
    for first in range(0, len(rows), ratings.PORTION):
        await ratings.put_tallies(tx, rows[first : first + ratings.PORTION])


async def read_journal(tx: Transaction) -> AsyncIterator[JournalEntry]:
    """Every entry, in their order."""
    after = 0
    while rows := await ratings.journal(tx, after):
        for row in rows:
            yield entry_of(row)
        after = rows[-1].number
