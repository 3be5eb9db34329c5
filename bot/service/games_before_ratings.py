"""Games of before there were ratings, as entries of the journal."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.service.places import Places
from bot.service.tables import read_table
from bot.session.rated import placed_people, would_have_counted
from bot.session.table import BrokenTable, Table
from bot.standing.journal import JournalEntry, Kind
from storage import games, people, ratings
from storage.store import Transaction


async def past_games(tx: Transaction, places: Places, since: datetime) -> tuple[JournalEntry, ...]:
    """The games that ended from *since* on and would have counted, the first first.

    Those that the journal knows are left out. An entry that says so stands before them.
    """
    found = []
    for code, at in await ratings.uncounted_games(tx, since):
        row = await games.load_game(tx, code)
        if row is None:
            continue
        try:
            table = await read_table(tx, row)
        except BrokenTable:
            continue
        entry = await _entry(tx, table, at)
        if entry is not None:
            where = await places.homes(tx, await ratings.shared_places(tx, code))
            found.append(replace(entry, where=where))
    head = JournalEntry(number=0, kind=Kind.SINCE, at=since)
    return (head, *sorted(found, key=lambda one: one.at)) if found else ()


async def _entry(tx: Transaction, table: Table, at: datetime) -> JournalEntry | None:
    """The entry of the game that ended *at* that instant, if it would have counted."""
    if not would_have_counted(table):
        return None
    placed = placed_people(table)
    ids = [person for person, _ in placed]
    names = await people.load_names(tx, ids)
    present = tuple(names[one].person for one in ids if one in names)
    if len(set(present)) < len(ids):
        return None
    return JournalEntry(
        number=0,
        kind=Kind.GAME,
        at=at,
        pool=table.game.key,
        people=present,
        places=tuple(place for _, place in placed),
        table=table.code,
    )
