"""Copies every row of one database into another, between file and server in either direction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam, func, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.damaged_cell_scan import find_damaged_cells
from storage.database import file_lock
from storage.errors import CorruptDatabase, UnsupportedDatabase
from storage.schema import metadata, setting
from storage.store import Store, backend_at
from storage.upgrade import ACCEPTS

PORTION = 1000
"""Rows that are held in memory at a time."""

Row = Mapping[str, Any]


async def transfer_database(source: str, target: str) -> dict[str, int]:
    """Copies the database at *source* into the empty one at *target*; answers its rows by table.

    Every row is read again on both sides and compared before anything is kept. The source is
    brought to this release and otherwise stays as it is; no bot may run on either. Raises
    ``UnsupportedDatabase`` where the target has rows or is the source, ``CorruptDatabase`` where a
    row cannot be read or comes out differently, ``DatabaseUnavailable`` where the source is a file
    that is not there, and what ``Store.open`` raises.
    """
    backend_at(source).refuse_absent()
    async with (
        await Store.open(source) as giving,
        await Store.open(target) as taking,
        giving.reading() as old,
        taking.transaction() as new,
    ):
        for cell in await old.run_sync(lambda one: [*find_damaged_cells(one, {})]):
            raise CorruptDatabase(
                f"A row of {cell.table} cannot be read ({cell.place}: {cell.why}); "
                "ludoteca doctor tells which others cannot."
            )
        moved = await _move(old, new)
        for table in metadata.sorted_tables:
            if (column := table.autoincrement_column) is not None:
                last = await old.run_sync(giving.backend.last_id, column)
                await new.run_sync(taking.backend.set_last_id, column, last)
        return moved


async def _move(old: AsyncConnection, new: AsyncConnection) -> dict[str, int]:
    for table in metadata.sorted_tables:
        if await _count(new, table):
            raise UnsupportedDatabase(
                "The database to move to has rows already; name an empty one."
            )
    moved = {}
    for table in metadata.sorted_tables:
        await _copy(old, new, table)
        moved[table.name] = await _compare(old, new, table)
    return moved


async def _copy(old: AsyncConnection, new: AsyncConnection, table: Table) -> None:
    """Adds the rows of *table*; references within it are set when all are there."""
    inward = [key.parent.name for key in table.foreign_keys if key.column.table is table]
    pointing: list[dict[str, Any]] = []
    async for portion in _portions(old, table):
        pointing += (
            {f"of_{name}": row[name] for name in (*_key(table), *inward)}
            for row in portion
            if any(row[name] is not None for name in inward)
        )
        bare = dict.fromkeys(inward)
        await new.execute(insert(table), [{**row, **bare} for row in portion])
    if pointing:
        where = [table.c[name] == bindparam(f"of_{name}") for name in _key(table)]
        values: dict[str, Any] = {name: bindparam(f"of_{name}") for name in inward}
        await new.execute(update(table).where(*where).values(values), pointing)


async def _compare(old: AsyncConnection, new: AsyncConnection, table: Table) -> int:
    names = _key(table)
    count = 0
    async for portion in _portions(old, table):
        wanted = {tuple(row[name] for name in names): row for row in portion}
        key = tuple_(*(table.c[name] for name in names))
        rows = (await new.execute(select(table).where(key.in_(list(wanted))))).mappings()
        if {tuple(row[name] for name in names): dict(row) for row in rows} != wanted:
            raise _different(table)
        count += len(portion)
    if await _count(new, table) != count:
        raise _different(table)
    return count


async def _portions(tx: AsyncConnection, table: Table) -> AsyncIterator[Sequence[Row]]:
    found = await tx.stream(select(table).where(*_ours(table)))
    async for portion in found.mappings().partitions(PORTION):
        yield [dict(row) for row in portion]


async def _count(tx: AsyncConnection, table: Table) -> int:
    asked = select(func.count()).select_from(table).where(*_ours(table))
    return int((await tx.execute(asked)).scalar_one())


def _ours(table: Table) -> tuple[ColumnElement[bool], ...]:
    """The condition of copied rows: a lease belongs to its file, a schema to its database."""
    return (setting.c.key.not_in((file_lock.KEY, ACCEPTS)),) if table is setting else ()


def _key(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.primary_key)


def _different(table: Table) -> CorruptDatabase:
    return CorruptDatabase(
        f"Rows of {table.name} came out differently, so nothing was moved; report this with the "
        "output of ludoteca doctor."
    )
