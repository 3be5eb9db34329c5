"""Statements of SQLite are run by the loop of a test, not by a thread beside it.

A trip to the thread and back takes two turns of the machine's scheduler, and several workers share
a core: a quarter of the time of tests that have a database. What such a test can see stays: the
answer comes in a later turn of the loop, and a task that is cancelled before has its statement
run all the same. Tests of the driver, and of files that others hold, keep the thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any

import aiosqlite

from storage import sqlite_driver
from storage.sqlite_driver import DirectConnection

IN_A_THREAD = sqlite_driver.connect
"""How the product connects."""


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
    """Let the stores that are opened from now on have *threads*, or none."""
    sqlite_driver.connect = IN_A_THREAD if threads else in_the_loop
