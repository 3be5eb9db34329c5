"""Games that people have opened from files, each kept for whoever opened it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from storage import schema
from storage.person import people
from storage.records import OpenedFileRow
from storage.schema import Transaction

KEPT_FILES = 20
"""How many opened files are kept for one person, the newest."""

_opened = schema.opened_file
_ROWS = select(*schema.columns_of(_opened, OpenedFileRow))


async def add_opened_file(tx: Transaction, row: OpenedFileRow) -> None:
    """Keeps an opened file, in place of the oldest ones of its person where those are too many.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    await schema.upsert(tx, _opened, schema.values_of(row))
    mine = select(_opened.c.code).where(_opened.c.person == row.person)
    newest = mine.order_by(_opened.c.at.desc(), _opened.c.code).offset(KEPT_FILES)
    old = tuple((await tx.execute(newest)).scalars())
    await tx.execute(
        _opened.delete().where(_opened.c.person == row.person, _opened.c.code.in_(old))
    )


async def load_opened_file(tx: Transaction, person: int, code: str) -> OpenedFileRow | None:
    """The file that *person* has opened by this code; ``None`` where it is not kept."""
    return await schema.fetch_one(tx, OpenedFileRow, _ROWS.filter_by(person=person, code=code))


async def prune_opened_files(tx: Transaction, before: datetime) -> None:
    """Deletes what was opened earlier than *before*."""
    await tx.execute(_opened.delete().where(_opened.c.at < before))
