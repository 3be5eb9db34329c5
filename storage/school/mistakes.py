"""Positions of finished games that people have kept to try again at growing distances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import func, select

from storage import schema
from storage.person import people
from storage.records import JSON, MistakeRow
from storage.schema import Transaction

_mistake = schema.mistake
_ROWS = select(*schema.columns_of(_mistake, MistakeRow))


async def put_mistake(tx: Transaction, row: MistakeRow) -> None:
    """Keeps a position, if it is not kept; one that is put never is put from the day of *row* on.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    await schema.add_new(tx, _mistake, [row])
    if row.due is not None:
        mine = (_mistake.c.person == row.person, _mistake.c.code == row.code)
        await tx.execute(
            _mistake.update().where(*mine, _mistake.c.due.is_(None)).values(due=row.due)
        )


async def load_mistake(tx: Transaction, person: int, code: str) -> MistakeRow | None:
    """The position that *person* has kept by this code; ``None`` where there is none."""
    return await schema.fetch_one(tx, MistakeRow, _ROWS.filter_by(person=person, code=code))


async def mistakes_due(tx: Transaction, person: int, day: int) -> Sequence[MistakeRow]:
    """What is to be put to *person* on the *day* with this ordinal, the longest due first."""
    due = (_mistake.c.person == person, _mistake.c.due <= day, _mistake.c.last < day)
    ordered = _ROWS.where(*due).order_by(_mistake.c.due, _mistake.c.at, _mistake.c.code)
    return await schema.fetch_all(tx, MistakeRow, ordered)


async def answered_on(tx: Transaction, person: int, day: int) -> int:
    """How many positions *person* has answered on the *day* with this ordinal."""
    asked = select(func.count()).where(_mistake.c.person == person, _mistake.c.last == day)
    return int((await tx.execute(asked)).scalar_one())


async def next_day(tx: Transaction, person: int, day: int) -> int | None:
    """The first day after *day* on which something is put to *person*; ``None`` for none."""
    later = (_mistake.c.person == person, _mistake.c.due > day)
    found: int | None = (
        await tx.execute(select(func.min(_mistake.c.due)).where(*later))
    ).scalar_one()
    return found


async def schedule_mistake(tx: Transaction, row: MistakeRow) -> bool:
    """Stores when a position is put again, after an answer on the day ``row.last``.

    False where another answer of that day was first, or it is put no more.
    """
    waits = (_mistake.c.due.is_not(None), _mistake.c.last < row.last)
    known = {"stability": row.stability, "difficulty": row.difficulty}
    change = _mistake.update().filter_by(person=row.person, code=row.code).where(*waits)
    changed = change.values(due=row.due, last=row.last, **known).returning(_mistake.c.code)
    return (await tx.execute(changed)).first() is not None


async def set_lesson(tx: Transaction, person: int, code: str, lesson: Mapping[str, JSON]) -> None:
    """Replaces what a kept position asks for."""
    mine = (_mistake.c.person == person, _mistake.c.code == code)
    await tx.execute(_mistake.update().where(*mine).values(lesson=dict(lesson)))


async def cancel_mistake(tx: Transaction, person: int, code: str) -> None:
    """Puts a position no more; it can still be tried from its message."""
    await tx.execute(_mistake.update().filter_by(person=person, code=code).values(due=None))


async def forget_tried(tx: Transaction, person: int, before: datetime) -> None:
    """Deletes the positions of *person* that are put no more and were kept *before* an instant."""
    old = (_mistake.c.person == person, _mistake.c.due.is_(None), _mistake.c.at < before)
    await tx.execute(_mistake.delete().where(*old))
