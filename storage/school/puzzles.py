"""Puzzles: those of the house, how people do with each, and which day's a place had last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, case, func, not_, or_, select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT

from storage import schema
from storage.person import people
from storage.records import DailyRow, DailyTryRow, HousePuzzleRow, PuzzleRow, SolverRow
from storage.schema import Transaction

_house_puzzle = schema.house_puzzle
_HOUSE_PUZZLE = select(*schema.columns_of(_house_puzzle, HousePuzzleRow))


async def house_puzzles(tx: Transaction) -> Sequence[HousePuzzleRow]:
    """Every puzzle of the house, the first kept before the others."""
    asked = _HOUSE_PUZZLE.order_by(_house_puzzle.c.added, _house_puzzle.c.code)
    return await schema.fetch_all(tx, HousePuzzleRow, asked)


async def verdict_stamp(tx: Transaction) -> tuple[object, ...]:
    """A value that is another one once a puzzle is kept, or judged otherwise than before."""
    faulty = func.count().filter(_house_puzzle.c.fault != "")
    asked = select(
        func.count(), func.max(_house_puzzle.c.at), func.sum(_house_puzzle.c.rules), faulty
    )
    return tuple((await tx.execute(asked)).one())


async def add_puzzles(tx: Transaction, rows: Sequence[HousePuzzleRow]) -> int:
    """Keeps the puzzles that are not kept yet; answers how many."""
    return len(await schema.add_new(tx, _house_puzzle, rows))


DISLIKED = "people do not like it"
"""The fault of a puzzle that holds and is put no more: no proof brings it back."""


async def judge_puzzle(tx: Transaction, row: HousePuzzleRow) -> None:
    """Stores whether a puzzle holds under the rules of *row*; one that ships is kept with it."""
    adding, fault = insert(_house_puzzle).values(schema.values_of(row)), _house_puzzle.c.fault
    stays = case((fault == DISLIKED, fault), else_=row.fault)
    verdict = {"rules": row.rules, "fault": stays, "at": row.at}
    key = _house_puzzle.primary_key
    await tx.execute(adding.on_conflict_do_update(index_elements=key, set_=verdict))


_solver, _puzzle = schema.solver, schema.puzzle
_SOLVER = select(*schema.columns_of(_solver, SolverRow))
_PUZZLE = select(*schema.columns_of(_puzzle, PuzzleRow))


async def load_solver(tx: Transaction, person: int, pool: str) -> SolverRow | None:
    """How *person* does with the puzzles of *pool*; ``None`` where they never tried one."""
    return await schema.fetch_one(tx, SolverRow, _SOLVER.filter_by(person=person, pool=pool))


async def put_solver(tx: Transaction, row: SolverRow) -> None:
    """Stores how somebody does now. Raises ``ForgottenPerson``."""
    await people.check_known(tx, row.person)
    await schema.upsert(tx, _solver, schema.values_of(row))


async def load_puzzle(tx: Transaction, code: str) -> PuzzleRow | None:
    """How hard a puzzle has proved; ``None`` where nobody has tried it."""
    return await schema.fetch_one(tx, PuzzleRow, _PUZZLE.where(_puzzle.c.code == code))


async def puzzles_tried(tx: Transaction, game: str) -> Sequence[PuzzleRow]:
    """The puzzles of *game* that somebody has tried."""
    return await schema.fetch_all(tx, PuzzleRow, _PUZZLE.where(_puzzle.c.game == game))


async def put_puzzle(tx: Transaction, row: PuzzleRow) -> None:
    """Stores how hard a puzzle has proved by now."""
    await schema.upsert(tx, _puzzle, schema.values_of(row))


_daily = schema.daily
_DAILY = select(*schema.columns_of(_daily, DailyRow))


async def load_daily(tx: Transaction, platform: str, place: str) -> DailyRow | None:
    """What was posted last in a place; ``None`` where nothing ever was."""
    return await schema.fetch_one(tx, DailyRow, _DAILY.filter_by(platform=platform, place=place))


async def claim_day(tx: Transaction, row: DailyRow) -> bool:
    """Makes the day of *row* ours; False where it, or a later one, was taken before."""
    adding = insert(_daily).values(schema.values_of(row))
    later = adding.on_conflict_do_update(
        index_elements=_daily.primary_key, set_=schema.values_of(row), where=_daily.c.day < row.day
    ).returning(_daily.c.day)
    return (await tx.execute(later)).scalar() is not None


_daily_try, _person = schema.daily_try, schema.person
_TRY = schema.columns_of(_daily_try, DailyTryRow)
_AFTER_END = ("%s", "%g")
"""How the signs end of whoever has solved it or given it up: nothing counts after that."""


async def note_daily_try(tx: Transaction, row: DailyTryRow | None) -> None:
    """Adds the signs of *row*, if any, to what its person has tried at it, until that is over.

    The first place in which they opened it stays. Raises ``ForgottenPerson``.
    """
    if row is None:
        return
    await people.check_known(tx, row.person)
    adding = insert(_daily_try).values(schema.values_of(row))
    new, is_over = adding.excluded, or_(*map(_daily_try.c.signs.like, _AFTER_END))
    first = _daily_try.c.place == ""
    changed = {
        "platform": case((first, new.platform), else_=_daily_try.c.platform),
        "place": case((first, new.place), else_=_daily_try.c.place),
        "signs": case((is_over, _daily_try.c.signs), else_=_daily_try.c.signs + new.signs),
        "on_day": or_(_daily_try.c.on_day, and_(not_(is_over), new.on_day)),
        "named": or_(_daily_try.c.named, new.named),
    }
    key = _daily_try.primary_key
    await tx.execute(adding.on_conflict_do_update(index_elements=key, set_=changed))


NO_DAY = 0
"""Under it stands what somebody thinks of a puzzle, among what they have tried on days."""


async def put_opinion(tx: Transaction, person: int, puzzle: str, sign: str) -> Mapping[str, int]:
    """Stores what *person* thinks of a *puzzle*; how many say which sign of it.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, person)
    row = DailyTryRow(person, NO_DAY, puzzle, signs=sign)
    await schema.upsert(tx, _daily_try, schema.values_of(row))
    here = {"platform": "", "place": "", "day": NO_DAY, "exercise": puzzle}
    asked = select(_daily_try.c.signs, func.count()).filter_by(**here)
    return dict(map(tuple, await tx.execute(asked.group_by(_daily_try.c.signs))))


async def daily_tries_of(tx: Transaction, person: int) -> Sequence[DailyTryRow]:
    """What *person* has tried at the puzzles of days, the earliest day first."""
    asked = select(*_TRY).where(_daily_try.c.person == person).order_by(_daily_try.c.day)
    return await schema.fetch_all(tx, DailyTryRow, asked)


async def daily_tries_at(
    tx: Transaction, platform: str, place: str, day: int, exercise: str
) -> Sequence[tuple[DailyTryRow, str]]:
    """What those tried who opened the *exercise* of a *day* in a place, each with their name."""
    here = (_daily_try.c.platform == platform, _daily_try.c.place == place)
    that = (_daily_try.c.day == day, _daily_try.c.exercise == exercise)
    joined = select(*_TRY, _person.c.name).join(_person, _person.c.id == _daily_try.c.person)
    found = await tx.execute(joined.where(*here, *that).order_by(_daily_try.c.person))
    return tuple((DailyTryRow(*values), name) for *values, name in found)
