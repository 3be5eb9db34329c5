"""Which cells of the database cannot be valid: what ``ludoteca doctor`` and the log name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    Connection,
    Label,
    Row,
    Table,
    exists,
    literal,
    select,
    tuple_,
    type_coerce,
)
from sqlalchemy.types import NullType

from storage.column_types import HIGHEST, CellError, GuardedType
from storage.schema import metadata, person

Judge: TypeAlias = Callable[[Mapping[str, Any]], str]
"""Says of a row why one of its values cannot be valid; nothing where it can be."""

Judges: TypeAlias = Mapping[tuple[str, str], Judge]
"""The judges of what no type knows, by table and column."""

HIDDEN: Final = frozenset(
    {
        *(("game", "secret"), ("setting", "value"), ("view", "token"), ("link", "code")),
        *(
            ("inbox", "payload"),
            ("talk", "text"),
            ("comment", "text"),
            ("event", "text"),
            ("event", "data"),
        ),
    }
)
"""The columns whose values are shown to nobody: secrets, and what people wrote."""

LOOSE: Final = (("person", "same_as"), ("deadline", "person"))
"""The columns that name a person, although no database looks after that."""

LONGEST_VALUE: Final = 40
"""The most letters that are shown of a value."""

MOST_CELLS: Final = 100
"""The most cells of one table that are named; a page of a broken disk may hold many more."""


PORTION: Final = 1000
"""How many rows are looked at between transactions of others."""


@dataclass(frozen=True, slots=True)
class CellFault:
    """A cell whose *value* cannot be valid, and *why*; *key* is that of its row."""

    table: str
    key: tuple[object, ...]
    column: str
    why: str
    value: object

    @property
    def place(self) -> str:
        """The table, row and column in words."""
        key = "/".join(map(str, self.key))
        return f"table {self.table}, row {_short(key)}, column {self.column}"

    def __str__(self) -> str:
        shown = "" if (self.table, self.column) in HIDDEN else f": {_short(repr(self.value))}"
        return f"{self.place}: {self.why}{shown}"


def find_damaged_cells(connection: Connection, judges: Judges) -> Iterator[CellFault]:
    """The cells that cannot be valid, of all *tables* unless some are named."""
    for table in metadata.sorted_tables:
        yield from islice(_of_table(connection, table, judges), MOST_CELLS)


def find_damaged_after(
    connection: Connection, table: Table, last: Sequence[object]
) -> tuple[list[CellFault], Sequence[object]]:
    """The cells that cannot be valid in the next ``PORTION`` rows of *table*, by its key.

    *last* is the key of the row before them, empty for none. Answers the key of the last row too,
    empty where there is no further one.
    """
    keys = [type_coerce(column, NullType()) for column in table.primary_key]
    asked = select(*_raw(table)).order_by(*keys).limit(PORTION)
    if last:
        asked = asked.where(tuple_(*keys) > tuple_(*(literal(one, NullType()) for one in last)))
    rows = connection.execute(asked).all()
    found = [cell for row in rows for cell in _of_row(table, row, {})]
    return found, _key(table, rows[-1]) if len(rows) == PORTION else ()


def _raw(table: Table) -> list[Label[Any]]:
    return [type_coerce(column, NullType()).label(column.name) for column in table.columns]


def _key(table: Table, row: Row[*tuple[Any, ...]]) -> tuple[object, ...]:
    return tuple(row._mapping[column.name] for column in table.primary_key)


def _of_table(connection: Connection, table: Table, judges: Judges) -> Iterator[CellFault]:
    for row in connection.execute(select(*_raw(table))):
        yield from _of_row(table, row, judges)
    yield from _orphans(connection, table)


def _of_row(table: Table, row: Row[*tuple[Any, ...]], judges: Judges) -> Iterator[CellFault]:
    values, wrong = {}, {}
    for column, cell in zip(table.columns, row, strict=True):
        try:
            values[column.name] = _check(column.type, cell, nullable=bool(column.nullable))
        except CellError as error:
            wrong[column.name] = str(error)
    for (of, name), judge in judges.items():
        if of == table.name and name not in wrong and (why := _judge(judge, values)):
            wrong[name] = why
    key = _key(table, row)
    for name, why in wrong.items():
        yield CellFault(table.name, key, name, why, row._mapping[name])


def _check(kind: object, cell: Any, *, nullable: bool) -> object:
    if cell is None:
        if nullable:
            return None
        raise CellError("it is empty")
    if isinstance(cell, str):
        try:
            cell.encode()
        except UnicodeEncodeError:
            raise CellError("it is no UTF-8") from None
    if isinstance(kind, GuardedType):
        return kind.check(cell)
    if type(cell) is not int or not 0 <= cell <= HIGHEST**2:
        raise CellError("it is no number of a row")
    return cell


def _judge(judge: Judge, values: Mapping[str, Any]) -> str:
    try:
        return judge(values)
    except KeyError:  # it asks for a value that is wrong itself
        return ""
    except Exception as wrong:  # whatever a reader raises over what it cannot read
        return f"it cannot be read ({type(wrong).__name__})"


def _orphans(connection: Connection, table: Table) -> Iterator[CellFault]:
    """The cells that name a row which is not there."""
    named = [(key.parent, key.column) for key in table.foreign_keys]
    named += [(table.c[own], person.c.id) for of, own in LOOSE if of == table.name]
    for own, meant in sorted(named, key=lambda pair: pair[0].name):
        there = exists().where(meant.table.alias().c[meant.name] == own)
        cells = (*table.primary_key, own)
        asked = select(*(type_coerce(one, NullType()).label(None) for one in cells))
        for *row, value in connection.execute(asked.where(own.is_not(None), ~there)):
            why = f"there is no such row of {meant.table.name}"
            yield CellFault(table.name, tuple(row), own.name, why, value)


def _short(text: str) -> str:
    clean = "".join(one if one.isprintable() else "?" for one in text)
    return clean if len(clean) <= LONGEST_VALUE else f"{clean[: LONGEST_VALUE - 1]}…"
