"""Attempts at exercises: how far somebody is with each step of a course and each puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from storage import schema
from storage.person import people
from storage.records import AttemptRow
from storage.schema import Transaction

_attempt, _seat, _game = schema.attempt, schema.seat, schema.game
_COLUMNS = schema.columns_of(_attempt, AttemptRow)


async def attempts_of(tx: Transaction, person: int, /, **of: str) -> Sequence[AttemptRow]:
    """All that *person* has tried at the exercises with these columns, the latest first.

    Such as those of a *game*, or puzzles, whose *step* is "".
    """
    asked = select(*_COLUMNS).filter_by(person=person, **of)
    ordered = asked.order_by(_attempt.c.at.desc(), _attempt.c.exercise)
    return await schema.fetch_all(tx, AttemptRow, ordered)


async def latest_attempt(
    tx: Transaction, person: int, *, course: bool | None = None
) -> AttemptRow | None:
    """What *person* tried last: of a *course* or else of puzzles, of both where it is ``None``."""
    kind = () if course is None else ((_attempt.c.step != "") == course,)
    asked = select(*_COLUMNS).where(_attempt.c.person == person, *kind)
    latest = asked.order_by(_attempt.c.at.desc(), _attempt.c.exercise).limit(1)
    return await schema.fetch_one(tx, AttemptRow, latest)


async def is_newcomer(tx: Transaction, person: int, game: str, table: str) -> bool:
    """Whether *person* sits at no table of *game* but this one, and has begun no exercise of it."""
    sat = (
        select(_seat.c.game)
        .join(_game, _game.c.code == _seat.c.game)
        .where(_seat.c.person == person, _game.c.game == game, _game.c.code != table)
    )
    tried = select(_attempt.c.exercise).where(_attempt.c.person == person, _attempt.c.game == game)
    found = (await tx.execute(sat.limit(1))).first() or (await tx.execute(tried.limit(1))).first()
    return found is None


async def begin_attempt(tx: Transaction, row: AttemptRow) -> None:
    """Notes that the exercise is in front of the person; what was counted stays.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    known = {"person": row.person, "exercise": row.exercise, "at": row.at, "state": row.state}
    others = {"game": row.game, "step": row.step, "wrong": 0, "solved": None}
    await schema.upsert(tx, _attempt, known, others)


async def miss_attempt(tx: Transaction, person: int, exercise: str) -> bool:
    """Counts a wrong move, unless the exercise is solved; True for the first one."""
    mine = (_attempt.c.person == person, _attempt.c.exercise == exercise)
    change = _attempt.update().where(*mine, _attempt.c.solved.is_(None))
    counted = change.values(wrong=_attempt.c.wrong + 1).returning(_attempt.c.wrong)
    number: int | None = (await tx.execute(counted)).scalar()
    return number == 1


async def solve_attempt(tx: Transaction, person: int, exercise: str, at: datetime) -> int | None:
    """Notes that the exercise is solved, after how many wrong moves; ``None`` if it was before."""
    mine = (_attempt.c.person == person, _attempt.c.exercise == exercise)
    change = _attempt.update().where(*mine, _attempt.c.solved.is_(None))
    solved = change.values(solved=at, state=0).returning(_attempt.c.wrong)
    wrong: int | None = (await tx.execute(solved)).scalar()
    return wrong
