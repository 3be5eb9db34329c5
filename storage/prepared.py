"""Statements that are made once and run with every press.

SQLAlchemy works out anew each time what a statement is in the words of the database, how its values
are written there and how its rows are read, and goes to the driver by way of a greenlet, a cursor
and a result. Here that is worked out at the first run. On a file what is left goes straight to the
driver, and several statements go there together (``storage.driver``); on a server each is run as it
always is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping
from operator import itemgetter
from typing import Any, Generic, TypeAlias, TypeVar

from sqlalchemy import Delete, Insert, Select, Update
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

from storage.driver import DriverConnection, Row, Statement

T = TypeVar("T")
Given: TypeAlias = Mapping[str, Any]
Statements: TypeAlias = Select[Any] | Insert | Update | Delete
Written = Callable[[Given], Any]
"""What writes one value of those that are given as the database keeps it."""


class Prepared(Generic[T]):
    """A *statement*, each row of whose answer makes a *record*.

    What is given to it has the same names at every run.
    """

    def __init__(self, statement: Statements, record: Callable[..., T]) -> None:
        self.statement = statement
        self._record = record
        self._words: _Words | None = None

    def asked(self, tx: AsyncConnection, given: Given) -> Answer[T]:
        """The answer, to be awaited; on a file what is asked meanwhile makes the way together."""
        driver, record = _driver_of(tx), self._record
        if driver is None:

            async def run() -> tuple[T, ...]:
                return tuple(record(*row) for row in await tx.execute(self.statement, given))

            return Answer(run)
        words = self._words or self._prepared(tx.dialect, given, many=False)
        statement = Statement("execute", words.text, words.values(given))
        driver.next_trip.append(statement)

        async def fetched() -> tuple[T, ...]:
            if statement.rows is None:
                await driver.gone()
            if statement.rows is None:
                raise RuntimeError("a transaction was over before its answer was awaited")
            return tuple(record(*words.read(row)) for row in statement.rows)

        return Answer(fetched)

    async def later(self, tx: AsyncConnection, *given: Given) -> None:
        """Run it once for each of *given*: nobody wants the answer, not even how many rows it met.

        On a file it goes with the next statement, or with COMMIT; what is wrong with it is raised
        there.
        """
        driver = _driver_of(tx)
        if driver is None:
            await tx.execute(self.statement, list(given))
            return
        words = self._words or self._prepared(tx.dialect, given[0], many=True)
        values = [words.values(one) for one in given]
        driver.next_trip.append(Statement("executemany", words.text, values))

    async def required(self, tx: AsyncConnection, given: Given, otherwise: Exception) -> None:
        """The same for one that must meet a row; where it meets none, *otherwise* is raised."""
        driver = _driver_of(tx)
        if driver is None:
            if not (await tx.execute(self.statement, given)).rowcount:
                raise otherwise
            return
        words = self._words or self._prepared(tx.dialect, given, many=False)
        statement = Statement("execute", words.text, words.values(given), otherwise)
        driver.next_trip.append(statement)

    def _prepared(self, dialect: Dialect, given: Given, *, many: bool) -> _Words:
        self._words = _Words(self.statement, dialect, tuple(given), many=many)
        return self._words


class Answer(Generic[T]):
    """The records that a statement answers, once they are awaited."""

    def __init__(self, answered: Callable[[], Awaitable[tuple[T, ...]]]) -> None:
        self._answered = answered

    def __await__(self) -> Generator[Any, None, tuple[T, ...]]:
        return self._answered().__await__()


class _Words:
    """A statement in the words of a file, and how its values and rows are written and read."""

    def __init__(
        self, statement: Statements, dialect: Dialect, names: tuple[str, ...], *, many: bool
    ) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=names, for_executemany=many)
        if compiled.post_compile_params or compiled.insert_prefetch or compiled.update_prefetch:
            raise ValueError(f"a statement that must be made anew each time: {compiled}")
        self.text = str(compiled)
        self._written = tuple(
            _written(compiled, name, dialect, names) for name in compiled.positiontup or ()
        )
        answered = statement.exported_columns
        self._read = tuple(_reading(column.type, dialect) for column in answered)

    def values(self, given: Given) -> tuple[Any, ...]:
        """What is *given*, in the order of the words and as the database keeps it."""
        return tuple([write(given) for write in self._written])

    def read(self, row: Row) -> list[Any]:
        """The values of a *row*."""
        return [
            value if read is None else read(value)
            for read, value in zip(self._read, row, strict=True)
        ]


def _written(compiled: SQLCompiler, name: str, dialect: Dialect, names: tuple[str, ...]) -> Written:
    parameter = compiled.binds[name]
    key, process = parameter.key, parameter.type.dialect_impl(dialect).bind_processor(dialect)
    if key not in names:
        always = parameter.effective_value
        value = always if process is None else process(always)
        return lambda _: value
    if process is None:
        return itemgetter(key)
    write = process
    return lambda given: write(given[key])


def _reading(kept: TypeEngine[Any], dialect: Dialect) -> Callable[[Any], Any] | None:
    return kept.dialect_impl(dialect).result_processor(dialect, None)


def _driver_of(tx: AsyncConnection) -> DriverConnection | None:
    """The driver of a file's connection, ``None`` for a server's."""
    connection = tx.sync_connection
    driver = None if connection is None else connection.connection.dbapi_connection
    return driver if isinstance(driver, DriverConnection) else None
