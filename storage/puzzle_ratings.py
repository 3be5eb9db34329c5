"""Puzzles: how somebody does with them, and how hard each has proved."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import people, schema
from storage.records import PuzzleRow, SolverRow

_solver, _puzzle = schema.solver, schema.puzzle
_SOLVER = schema.columns_of(_solver, SolverRow)
_PUZZLE = schema.columns_of(_puzzle, PuzzleRow)


async def load_solver(tx: AsyncConnection, person: int, pool: str) -> SolverRow | None:
    """How *person* does with the puzzles of *pool*; ``None`` where they never tried one."""
    mine = (_solver.c.person == person, _solver.c.pool == pool)
    return await schema.fetch_one(tx, SolverRow, select(*_SOLVER).where(*mine))


async def put_solver(tx: AsyncConnection, row: SolverRow) -> None:
    """Stores how somebody does now. Raises ``ForgottenPerson``."""
    await people.check_known(tx, row.person)
    await schema.upsert(tx, _solver, schema.values_of(row))


async def load_puzzle(tx: AsyncConnection, code: str) -> PuzzleRow | None:
    """How hard a puzzle has proved; ``None`` where nobody has tried it."""
    return await schema.fetch_one(tx, PuzzleRow, select(*_PUZZLE).where(_puzzle.c.code == code))


async def puzzles_tried(tx: AsyncConnection, game: str) -> Sequence[PuzzleRow]:
    """The puzzles of *game* that somebody has tried."""
    return await schema.fetch_all(tx, PuzzleRow, select(*_PUZZLE).where(_puzzle.c.game == game))


async def put_puzzle(tx: AsyncConnection, row: PuzzleRow) -> None:
    """Stores how hard a puzzle has proved by now."""
    await schema.upsert(tx, _puzzle, schema.values_of(row))
