"""The values of ``bot.standing`` as the rows that storage keeps, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.session import preferences
from bot.session.preferences import Personal
from bot.session.table import ENDED, Table
from bot.standing.journal import JournalEntry, Kind, Place, Shift
from bot.standing.rating import Rating
from bot.standing.tallies import EVERYWHERE, Tally
from storage.club import ratings
from storage.person.bars import banned_people
from storage.person.people import load_names
from storage.records import (
    EPOCH,
    JSON,
    MILLISECOND,
    PersonName,
    RatingChangeRow,
    RatingEntryRow,
    RatingRow,
    TallyRow,
)
from storage.store import Transaction

WHERE, BY = "where", "by"
"""What else an entry may say: the places in which a game counts, and who took it out."""


def entry_row(entry: JournalEntry) -> RatingEntryRow:
    """*entry* as it is stored."""
    data: dict[str, JSON] = {}
    if entry.where:
        data[WHERE] = places_written(entry.where)
    if entry.by is not None:
        data[BY] = entry.by
    return RatingEntryRow(
        number=entry.number,
        kind=entry.kind,
        pool=entry.pool,
        at=entry.at,
        game=entry.table or None,
        formula=entry.formula,
        people=entry.people,
        places=entry.places,
        of=entry.of,
        data=data,
    )


def entry_of(row: RatingEntryRow) -> JournalEntry:
    """The entry of *row*; raises ``ValueError`` where its kind is unknown."""
    by = row.data.get(BY)
    return JournalEntry(
        number=row.number,
        kind=Kind(row.kind),
        at=row.at,
        pool=row.pool,
        people=row.people,
        places=row.places,
        table=row.game or "",
        where=places_read(row.data.get(WHERE)),
        of=row.of,
        by=by if isinstance(by, int) else None,
        formula=row.formula,
    )


def places_written(places: Sequence[Place]) -> JSON:
    """*places* as storage keeps them."""
    return [list(place) for place in places]


def places_read(said: JSON) -> tuple[Place, ...]:
    """The places that storage keeps as *said*."""
    found = []
    for one in said if isinstance(said, list) else ():
        match one:
            case [str(platform), str(place)]:
                found.append((platform, place))
    return tuple(found)


def whole_milliseconds(at: datetime) -> datetime:
    """*at* as storage keeps it."""
    return EPOCH + (at - EPOCH) // MILLISECOND * MILLISECOND


def is_game(kind: str) -> bool:
    """Whether an entry of this *kind*, as storage has it, is a game."""
    return kind == Kind.GAME


def change_row(shift: Shift, at: datetime) -> RatingChangeRow:
    """*shift*, made by an entry of the instant *at*, as it is stored."""
    before, after = shift.before, shift.after
    return RatingChangeRow(
        *(shift.entry, shift.person, shift.pool, at),
        *(before.mu, before.sigma, before.last),
        *(after.mu, after.sigma, after.last),
    )


def shift_of(row: RatingChangeRow) -> Shift:
    """The shift of *row*."""
    before = Rating(row.mu_before, row.sigma_before, row.last_before)
    return Shift(row.entry, row.pool, row.person, before, Rating(row.mu, row.sigma, row.last))


def rating_of(row: RatingRow) -> Rating:
    """The rating of *row*."""
    return Rating(row.mu, row.sigma, row.last)


def tally_of(row: TallyRow) -> Tally:
    """The tally of *row*."""
    return Tally(row.won, row.drawn, row.lost, row.opponents, row.last)


def tally_row(
    pool: str, where: Place, person: int, tally: Tally, rating: Rating, *, listed: bool
) -> TallyRow:
    """The *tally* of *person* as it is stored; raises ``ValueError`` for one without a game."""
    if tally.last is None:
        raise ValueError("a tally without a game")
    return TallyRow(
        *(pool, *where, person, tally.won, tally.drawn, tally.lost),
        opponents=tally.opponents,
        met=len(tally.opponents),
        last=tally.last,
        mu=rating.mu,
        sigma=rating.sigma,
        listed=listed,
    )


def is_listed(where: Place, personal: Personal, name: str) -> bool:
    """Whether others see a person of this *name*, "" for a forgotten one, on a ladder."""
    chosen = personal.seen_everywhere if where == EVERYWHERE else True
    return bool(name) and chosen and not personal.off_ladders


async def list_names(tx: Transaction, at: Place, persons: Sequence[int]) -> Mapping[int, str]:
    """The names of those of *persons* whom others see on the ladders of *at*."""
    people, banned = await ratings.load_people(tx, persons), await banned_people(tx)
    read = preferences.read
    return {
        one.id: one.name
        for one in people.values()
        if one.id not in banned and is_listed(at, read(Personal, one.settings), one.name)
    }


def shifts_by_seat(table: Table, shifts: Sequence[Shift]) -> Mapping[int, Shift]:
    """The *shifts* by the seats of *table*, at which people sit or sat before they left."""
    by_person = {one.person: one for one in shifts}
    seated = enumerate(player.person or player.left or 0 for player in table.players)
    return {seat: by_person[one] for seat, one in seated if one in by_person}


async def load_shifts(tx: Transaction, table: Table) -> Mapping[int, Shift]:
    """What the game that ended at *table* has changed, by seat; nothing where it does not count."""
    if not table.rated or table.status != ENDED:
        return {}
    shifts = [shift_of(row) for row in await ratings.changes_of_game(tx, table.code)]
    people = {one.person for one in shifts}
    seated = {player.person or player.left or 0 for player in table.players}
    names = await load_names(tx, sorted(people | seated))
    now = {one: names[one].person for one in people | seated if one in names}
    known = {one: PersonName(same, "") for one, same in now.items()}
    present = [replace(one, person=now.get(one.person, one.person)) for one in shifts]
    return shifts_by_seat(table.called(known), present)


def shown_rating(rows: Sequence[RatingRow], pool: str) -> int:
    """What somebody with these *rows* has in *pool*, as it is shown."""
    return {row.pool: rating_of(row) for row in rows}.get(pool, Rating()).shown
