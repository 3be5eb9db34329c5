"""The house's own puzzles, and the shipped ones that are put no more."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import HousePuzzleRow

_puzzle = schema.house_puzzle
_COLUMNS = schema.columns_of(_puzzle, HousePuzzleRow)


async def house_puzzles(tx: AsyncConnection) -> Sequence[HousePuzzleRow]:
    """Every puzzle of the house, the first kept before the others."""
    asked = select(*_COLUMNS).order_by(_puzzle.c.added, _puzzle.c.code)
    return await schema.fetch_all(tx, HousePuzzleRow, asked)


async def verdict_stamp(tx: AsyncConnection) -> tuple[object, ...]:
    """A value that is another one once a puzzle is kept, or judged otherwise than before."""
    faulty = func.count().filter(_puzzle.c.fault != "")
    asked = select(func.count(), func.max(_puzzle.c.at), func.sum(_puzzle.c.rules), faulty)
    return tuple((await tx.execute(asked)).one())


async def add_puzzles(tx: AsyncConnection, rows: Sequence[HousePuzzleRow]) -> int:
    """Keeps the puzzles that are not kept yet; answers how many."""
    found = 0
    for row in rows:
        adding = insert(_puzzle).values(schema.values_of(row))
        adding = adding.on_conflict_do_nothing(index_elements=_puzzle.primary_key)
        found += (await tx.execute(adding.returning(_puzzle.c.code))).first() is not None
    return found


async def judge_puzzle(tx: AsyncConnection, row: HousePuzzleRow) -> None:
    """Stores whether a puzzle holds under the rules of *row*; one that ships is kept with it."""
    verdict = {"rules": row.rules, "fault": row.fault, "at": row.at}
    known = schema.values_of(row)
    defaults = {name: value for name, value in known.items() if name not in verdict}
    adding = insert(_puzzle).values({**defaults, **verdict})
    await tx.execute(adding.on_conflict_do_update(index_elements=_puzzle.primary_key, set_=verdict))
