"""Ratings: what a game's end, a link of accounts or a correction writes, in its transaction.

The first participant of a change, since the board of an ended game says what it changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.port import Where
from bot.service.clock import Clock
from bot.service.club.rating_rows import (
    change_row,
    entry_of,
    entry_row,
    is_listed,
    rating_of,
    shift_of,
    shifts_by_seat,
    tally_of,
    tally_row,
    whole_milliseconds,
)
from bot.service.place.places import Places
from bot.service.table.changes import Change, Participant, Update
from bot.session import preferences
from bot.session.preferences import Personal
from bot.session.rated import KNOWN_BY, MOST_GAMES, WITHIN, placed_people
from bot.session.table import CLOSED, ENDED, OPEN
from bot.session.unit_of_work import UnitOfWork
from bot.standing.journal import (
    JournalEntry,
    Kind,
    Shift,
    correction_shifts,
    game_shifts,
    link_shifts,
)
from bot.standing.rating import Rating
from bot.standing.tallies import (
    EVERYWHERE,
    Tally,
    opponents_of,
    places_of,
    score_of,
    tallies,
)
from storage.club import ratings
from storage.club.leaderboards import changes_by
from storage.club.place_id_change import move_standing
from storage.person import people
from storage.records import (
    PersonRow,
    RatingEntryRow,
    RatingRow,
    TallyRow,
)
from storage.store import Store, Transaction


@dataclass(frozen=True, kw_only=True)
class Ratings(Participant):
    """Writes what counts for ratings."""

    only_over = True
    prepares = (OPEN, ENDED, CLOSED)

    store: Store
    clock: Clock
    places: Places

    async def prepare(self, update: Update, work: UnitOfWork) -> None:
        """Tell *work* which of the people who may play now may not play for the ratings."""
        table = work.table
        if not (table.rated or table.casual):
            return
        those = (*table.people(), *filter(None, [update.person]))
        async with self.store.reading() as tx:
            work.often = await ratings.frequent_pairs(tx, those, work.now - WITHIN, MOST_GAMES)
            work.barred = await people.barred_groups(tx, those, KNOWN_BY)

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Count the game that has ended, and take out what a claim has opened again (R1)."""
        before, table = change.before, change.table
        if before is None or not table.rated:
            return
        if table.uncounted is not None:
            if before.uncounted is None:
                await self._uncount(tx, change)
            return  # what was taken out stays so, however a claim ends it again
        again = before.status == ENDED and table.outcome != before.outcome
        if before.status == ENDED and not again:
            return
        shifts: tuple[Shift, ...] = ()
        if again:
            counted = await ratings.counted_entry(tx, table.code)
            if counted is not None:
                await self.take_out(tx, counted, None, change.work.now)
        if table.status == ENDED:
            shifts = await self._count(tx, change)
        if again or shifts:
            change.work.state = replace(table, shifts=shifts_by_seat(table, shifts))

    async def _uncount(self, tx: Transaction, change: Change) -> None:
        """Take out the game of a table, as somebody wants who manages its place."""
        table, counted = change.table, await ratings.counted_entry(tx, change.table.code)
        if counted is not None and table.uncounted is not None:
            await self.take_out(tx, counted, table.uncounted.person, change.work.now)
        change.work.state = replace(table, shifts={})

    async def _count(self, tx: Transaction, change: Change) -> tuple[Shift, ...]:
        """Count the game that has just ended; what that changed, by present ids."""
        table, now = change.table, change.work.now
        placed = placed_people(table)
        locked_people = await ratings.lock_people(tx, {person for person, _ in placed})
        people = [locked_people[one] for one, _ in placed if one in locked_people]
        if len(placed) < 2 or len({row.id for row in people}) < len(placed):
            return ()  # two of them have become one person
        ids = tuple(row.id for row in people)
        locked = await ratings.lock_ratings(tx, [table.game.key], ids)
        # Not together with the locks: it would see tallies of before it waited for them.
        shared, known = await ratings.load_counted(tx, table.code, table.game.key, ids)
        entry = JournalEntry(
            number=0,
            kind=Kind.GAME,
            at=whole_milliseconds(now),
            pool=table.game.key,
            people=ids,
            places=tuple(place for _, place in placed),
            table=table.code,
            where=await self.places.homes(tx, shared),
        )
        entry = replace(entry, number=(await ratings.add_entry(tx, entry_row(entry))).number)
        shifts = game_shifts(entry, {one: rating_of(row) for (_, one), row in locked.items()})
        rows = tallied(entry, people, shifts, known)
        await ratings.put_tallies(tx, rows)
        change.tallies = {
            row.person: tally_of(row) for row in rows if (row.platform, row.place) == EVERYWHERE
        }
        elsewhere = bool(known.keys() - {(row.platform, row.place, row.person) for row in rows})
        changed = [change_row(one, entry.at) for one in shifts]
        await ratings.put_changes(tx, changed, repeated=elsewhere)
        return shifts

    async def take_out(
        self, tx: Transaction, counted: RatingEntryRow, by: int | None, now: datetime
    ) -> tuple[Shift, ...]:
        """Let the game *counted* count no more, as the person *by* wants; what that changed.

        What was built on it stays.
        """
        undone = [shift_of(row) for row in await changes_by(tx, (counted.number,))]
        known = await ratings.lock_people(tx, [one.person for one in undone])
        undone = [replace(one, person=known[one.person].id) for one in undone]
        people = {one.person for one in undone}
        locked = await ratings.lock_ratings(tx, [counted.pool], people)
        entry = JournalEntry(
            number=0,
            kind=Kind.CORRECTION,
            at=whole_milliseconds(now),
            pool=counted.pool,
            people=tuple(sorted(people)),
            of=counted.number,
            by=by,
            table=counted.game or "",
        )
        entry = replace(entry, number=(await ratings.add_entry(tx, entry_row(entry))).number)
        have = {one: rating_of(row) for (_, one), row in locked.items()}
        shifts = correction_shifts(entry, have, undone, counted.at)
        await ratings.put_changes(tx, [change_row(one, entry.at) for one in shifts])
        await recount(tx, counted.pool, people)
        return shifts

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """The place *old* has become *new*: what counts there goes along."""
        twice = await move_standing(tx, old.platform, old.place, new.place)
        for pool in sorted(twice):
            await recount(tx, pool, twice[pool])

    async def show(self, person: int, personal: Personal) -> None:
        """Let others see *person* on ladders as far as that person has chosen."""
        here, everywhere = (is_listed(one, personal, "?") for one in (("?", "?"), EVERYWHERE))
        await self.store.write(ratings.set_listed, person, here=here, everywhere=everywhere)

    async def prepare_join(self, tx: Transaction, kept: int, other: int) -> None:
        """Let nothing be counted for the two before they are one person: comes before ``join``."""
        await ratings.lock_people(tx, (kept, other), joining=True)

    async def join(self, tx: Transaction, kept: int, other: int) -> None:
        """Let *other*, who is *kept* from now on, have one rating with them.

        What both have played against each other counts no more.
        """
        pools, met = await ratings.pools_of(tx, (kept, other)), dict[str, set[int]]()
        locked: dict[tuple[str, int], RatingRow] = {}
        for pool in pools:
            games = await ratings.games_of_people(tx, pool, await _all_ids(tx, (kept,)))
            ids = {kept, *(one for game in games for one in game.people)}
            met[pool] = {row.id for row in (await ratings.lock_people(tx, ids)).values()}
            locked |= await ratings.lock_ratings(tx, [pool], met[pool] | {other})
        known = {
            pool: (played(rating_of(locked[pool, kept])), played(rating_of(locked[pool, other])))
            for pool in pools
        }
        if not any(one is not None for both in known.values() for one in both):
            return
        now = whole_milliseconds(self.clock.now())
        entry = JournalEntry(number=0, kind=Kind.LINK, at=now, people=(kept, other))
        entry = replace(entry, number=(await ratings.add_entry(tx, entry_row(entry))).number)
        await ratings.delete_ratings(tx, other)
        shifts = link_shifts(entry, known)
        await ratings.put_changes(tx, [change_row(one, entry.at) for one in shifts])
        for pool in pools:
            await recount(tx, pool, met[pool])


def tallied(
    entry: JournalEntry,
    people: Sequence[PersonRow],
    shifts: Sequence[Shift],
    known: Mapping[tuple[str, str, int], TallyRow],
) -> list[TallyRow]:
    """The tallies *known* of *people*, with the game of *entry* that made these *shifts*."""
    rows = []
    for index, (row, shift) in enumerate(zip(people, shifts, strict=True)):
        result, met = score_of(entry.places, index), opponents_of(entry.people, index)
        personal = preferences.read(Personal, row.settings)
        for where in places_of(entry):
            before = known.get((*where, row.id))
            after = (Tally() if before is None else tally_of(before)).plus(result, met, entry.at)
            listed = is_listed(where, personal, row.name)
            rows.append(tally_row(entry.pool, where, row.id, after, shift.after, listed=listed))
    return rows


def played(rating: Rating) -> Rating | None:
    """*rating*, ``None`` where nobody has played for it."""
    return None if rating.last is None else rating


async def recount(tx: Transaction, pool: str, persons: set[int]) -> None:
    """Count the tallies of *persons* in *pool* anew, from the games that count."""
    same = await _all_ids(tx, persons)
    games = [entry_of(row) for row in await ratings.games_of_people(tx, pool, same)]
    known = await ratings.lock_people(tx, {one for game in games for one in game.people} | persons)
    found = tallies(games, lambda one: known[one].id if one in known else one)
    for person in sorted(persons):
        await ratings.delete_tallies(tx, pool, person)
        have = {row.pool: rating_of(row) for row in await ratings.load_ratings(tx, person)}
        personal, rows = preferences.read(Personal, known[person].settings), []
        for (_, where, one), tally in found.items():
            if one == person:
                listed = is_listed(where, personal, known[person].name)
                rating = have.get(pool, Rating())
                rows.append(tally_row(pool, where, person, tally, rating, listed=listed))
        await ratings.put_tallies(tx, rows)


async def _all_ids(tx: Transaction, persons: Sequence[int] | set[int]) -> tuple[int, ...]:
    return tuple(await ratings.same_people(tx, persons))
