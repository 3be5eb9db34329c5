"""Addresses of databases, as ``DATABASE_URL`` has them, and the files that they name."""

from __future__ import annotations

from pathlib import Path

DEFAULT_DATABASE = "sqlite+aiosqlite:///ludoteca.db"
"""The database where ``DATABASE_URL`` is not set."""

IN_MEMORY = "sqlite+aiosqlite:///:memory:"
"""A database that leaves no file behind."""


def database_file(url: str) -> Path | None:
    """The file of the database at *url*; ``None`` of one in memory or on a server."""
    kind, _, file = url.partition(":///")
    name = file.partition("?")[0]
    return Path(name) if kind.startswith("sqlite") and name not in ("", ":memory:") else None


def folder_of(url: str) -> Path:
    """The folder of the database at *url*; the present one for a database on a server."""
    file = database_file(url)
    return Path() if file is None else file.parent
