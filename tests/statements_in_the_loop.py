"""Statements of SQLite are run by the loop of a test, not by a thread beside it.

A trip to the thread and back takes two turns of the machine's scheduler, and several workers share
a core: a quarter of the time of tests that have a database. What such a test can see stays: the
answer comes in a later turn of the loop, and a task that is cancelled before has its statement
run all the same. Tests of the driver, and of files that others hold, keep the thread.
"""

from __future__ import annotations

import asyncio
import importlib
from collections import deque
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any

import aiosqlite
from sqlalchemy import Connection, Transaction
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
)

from storage.database import sqlite_driver
from storage.database.sqlite_driver import DirectConnection

IN_A_THREAD = sqlite_driver.connect
"""How the product connects."""

STRAIGHT = {"execute", "begin", "__exit__"}
"""The code of SQLAlchemy that is run without a greenlet: what opens and closes waits for more."""

_engine: Any = importlib.import_module("sqlalchemy.ext.asyncio.engine")
_drivers: Any = importlib.import_module("sqlalchemy.connectors.asyncio")
_spawn, _await = _engine.greenlet_spawn, _drivers.await_
_ran: ContextVar[list[_Connection] | None] = ContextVar("_ran", default=None)
"""The connections that have run a statement, while code of SQLAlchemy runs without a greenlet."""


class _Connection(DirectConnection):
    """A connection whose statements are run where they are awaited."""

    def __await__(self) -> Generator[Any, None, aiosqlite.Connection]:
        return self._connect().__await__()

    async def _connect(self) -> aiosqlite.Connection:
        self._connection = self._open()
        return self

    async def _execute(self, fn: Callable[..., Any], *args: Any, **named: Any) -> Any:
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        if (ran := _ran.get()) is not None:
            ran.append(self)
            return fn(*args, **named)
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        try:
            loop.call_soon(_give, answer, fn(*args, **named))
        except Exception as wrong:
            loop.call_soon(_refuse, answer, wrong)
        return await answer

    def stop(self) -> asyncio.Future[Any] | None:
        self._running = False
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        return None


def _give(answer: asyncio.Future[Any], result: object) -> None:
    if not answer.done():
        answer.set_result(result)


def _refuse(answer: asyncio.Future[Any], wrong: Exception) -> None:
    if not answer.done():
        answer.set_exception(wrong)


async def in_the_loop(address: str) -> aiosqlite.Connection:
    """An open connection to *address* that has no thread."""
    return await _Connection(address)


def share(*, threads: bool) -> None:
    """Let the stores that are opened from now on have *threads*, or none.

    SQLAlchemy begins a greenlet for each statement, in which its code may wait for a driver. Nobody
    waits for one without a thread, which begins none.
    """
    sqlite_driver.connect = IN_A_THREAD if threads else in_the_loop
    _engine.greenlet_spawn, _drivers.await_ = _straight, _awaited
    AsyncAdapt_aiosqlite_connection._cursor_cls = _Cursor


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    """A cursor that runs its statement by a single call."""

    __slots__ = ()

    def execute(self, operation: Any, parameters: Any = None) -> Any:
        owner: Any = self._connection
        if (ran := _ran.get()) is None or not owner._connection:
            return super().execute(operation, parameters)
        ran.append(owner)
        cursor = self._cursor._direct  # type: ignore[attr-defined]
        cursor.execute(operation, () if parameters is None else parameters)
        if cursor.description:
            self._rows = deque(cursor.fetchall())
        return self


def _awaited(waited: Any) -> Any:
    """What a coroutine of the driver answers, which waits for nothing."""
    if _ran.get() is None:
        return _await(waited)
    try:
        waited.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError(f"{waited} waits")


async def _straight(call: Any, *args: Any, _require_await: bool = False, **named: Any) -> Any:
    """Run code of SQLAlchemy; the turns of the loop that its statements take come behind it."""
    if call.__name__ not in STRAIGHT or not _is_in_the_loop(call.__self__):
        return await _spawn(call, *args, **named)
    ran: list[_Connection] = []
    _ran.set(ran)
    try:
        return call(*args, **named)
    finally:
        _ran.set(None)
        for one in ran:
            turn = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(_give, turn, None)
            try:
                await turn
            except asyncio.CancelledError:
                one.running = True
                if isinstance(call.__self__, Connection):
                    await _spawn(call.__self__.invalidate)
                raise


def _is_in_the_loop(asked: Any) -> bool:
    """Whether *asked*, a connection of SQLAlchemy or a transaction on one, has no thread."""
    pooled = (asked.connection if isinstance(asked, Transaction) else asked)._dbapi_connection
    return pooled is not None and isinstance(pooled.driver_connection, _Connection)
