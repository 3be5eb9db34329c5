"""One memory of compiled statements for the engines of all tests of a process.

Every test opens its own database, and its engine compiled the same statements anew: a fifth of
the time of the tests that have one. SQLAlchemy takes a memory for several engines by the execution
option ``compiled_cache``; it tells statements apart by dialect, and each engine has one of its own.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from storage.database import postgresql, sqlite

COMPILED: dict[Any, Any] = {}


def share() -> None:
    """Let all engines that are made from now on remember what they compile together."""
    shared = partial(create_async_engine, execution_options={"compiled_cache": COMPILED})
    for backend, address in (
        (sqlite, "sqlite+aiosqlite://"),
        (postgresql, "postgresql+asyncpg://"),
    ):
        backend.create_async_engine = shared  # type: ignore[attr-defined]
        dialect = make_url(address).get_dialect()
        dialect.__eq__ = _of_one_kind  # type: ignore[method-assign]
        dialect.__hash__ = _hash_of_kind  # type: ignore[method-assign]


def _of_one_kind(one: object, other: object) -> bool:
    return type(one) is type(other)


def _hash_of_kind(one: object) -> int:
    return hash(type(one))
