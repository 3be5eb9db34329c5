"""How the rows of tables become records, and records rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import Column, Executable, Row, Select, Table, exists
from sqlalchemy.dialects.postgresql import Insert, insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.column_types import DamagedCell
from storage.errors import UnreadableRow
from storage.records import EventRow

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Transaction: TypeAlias = AsyncConnection
"""What ``Store.transaction`` and ``reading`` give to the functions of ``storage``."""

Given: TypeAlias = Mapping[str, Any] | None
"""Values by the names of parameters, or of columns."""

T = TypeVar("T")
R = TypeVar("R", bound="DataclassInstance")


def columns_of(table: Table, record: type) -> tuple[Column[Any], ...]:
    """The columns of *table* that a dataclass has fields for, in the order of the fields."""
    return tuple(table.c[field.name] for field in fields(record))


def values_of(row: DataclassInstance) -> dict[str, Any]:
    """The fields of a dataclass by their names."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


async def fetch_one(
    tx: Transaction, record: Callable[..., T], asked: Select[Any], given: Given = None
) -> T | None:
    """The only row of a query as a *record*; None if there is none."""
    row = (await tx.execute(asked, given)).one_or_none()
    return None if row is None else record(*row)


async def fetch_all(
    tx: Transaction, record: Callable[..., T], asked: Executable, given: Given = None
) -> tuple[T, ...]:
    """Every row of a statement as a *record*."""
    return tuple(record(*row) for row in await tx.execute(asked, given))


def read_events(found: Iterable[Row[*tuple[Any, ...]]], after: int) -> tuple[EventRow, ...]:
    """Every row of an event beyond *after*.

    Raises ``UnreadableRow`` for the first that has a cell which cannot be valid.
    """
    rows = []
    for place, row in enumerate(found, after + 1):
        damaged = next((cell for cell in row if type(cell) is DamagedCell), None)
        if damaged is not None:
            number = row.number if type(row.number) is int else place
            raise UnreadableRow(number, f"its {damaged.column} is damaged: {damaged.why}")
        rows.append(EventRow(*row))
    return tuple(rows)


async def add_numbered(tx: Transaction, table: Table, row: R) -> R:
    """Adds a row whose first column the database numbers; the row with its number."""
    number, *_ = fields(row)
    values = values_of(row)
    del values[number.name]
    added = await tx.execute(insert(table).returning(table.c[number.name]), values)
    return replace(row, **{number.name: added.scalar_one()})


async def add_new(
    tx: Transaction, table: Table, rows: Sequence[DataclassInstance]
) -> Sequence[tuple[Any, ...]]:
    """Adds the rows whose primary key is not there yet; the keys of those that were added."""
    if not rows:
        return ()
    adding = insert(table).on_conflict_do_nothing(index_elements=table.primary_key)
    given = [values_of(row) for row in rows]
    return [tuple(key) for key in await tx.execute(adding.returning(*table.primary_key), given)]


async def upsert(
    tx: Transaction, table: Table, changed: Mapping[str, Any], defaults: Given = None
) -> None:
    """Changes the row of the same primary key, or adds it with *defaults*."""
    await tx.execute(upserting(table, tuple(changed)), {**(defaults or {}), **changed})


@cache
def upserting(table: Table, changed: tuple[str, ...]) -> Insert:
    """The statement that adds a row, or changes these columns of the one that is there."""
    adding = insert(table)
    new = {name: adding.excluded[name] for name in changed}
    return adding.on_conflict_do_update(index_elements=table.primary_key, set_=new)


async def replace_id(
    tx: Transaction, table: Table, name: str, old: object, new: object, **of: object
) -> Sequence[Row[*tuple[Any, ...]]]:
    """Lets the rows that have *old* in the column *name* have *new*, of those with *of* alone.

    One of which there is the same with *new* goes instead; answers the keys of those.
    """
    other, moving = table.alias(), {name: old, **of}
    gone: Sequence[Row[*tuple[Any, ...]]] = ()
    if table.c[name].primary_key:
        rest = (other.c[one.name] == one for one in table.primary_key if one.name != name)
        twice = exists().where(other.c[name] == new, *rest)
        dropping = table.delete().filter_by(**moving).where(twice)
        gone = (await tx.execute(dropping.returning(*table.primary_key))).all()
    await tx.execute(table.update().filter_by(**moving).values({name: new}))
    return gone
