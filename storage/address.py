"""Which database an address means."""

from __future__ import annotations

from importlib.util import find_spec

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from storage.backend import Backend
from storage.errors import UnsupportedDatabase
from storage.file import SqliteBackend
from storage.postgresql import PostgresBackend
from storage.sqlite import located


def backend_at(url: str) -> Backend:
    """The database at *url*; raises ``UnsupportedDatabase`` for what is neither of our two.

    The message never repeats the address, which may hold a password.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        return SqliteBackend(located(url))  # which says what it cannot read
    if parsed.get_backend_name() != "postgresql":
        return SqliteBackend(located(url))
    if not parsed.database:
        raise UnsupportedDatabase(
            "The database address names no database; use an address like "
            "postgresql+asyncpg://user:password@host/ludoteca."
        )
    if find_spec("asyncpg") is None:
        raise UnsupportedDatabase(
            "The driver of PostgreSQL is not installed; install ludoteca[postgresql]."
        )
    return PostgresBackend(parsed.set(drivername="postgresql+asyncpg"))
