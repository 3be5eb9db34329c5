"""Which database a test runs on: a file in its folder, or one of the run's own PostgreSQL.

``LUDOTECA_TEST_DATABASE=postgresql`` puts every test that names its database here on the latter.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from storage.store import Store
from tests import postgres

ON_POSTGRESQL = os.environ.get("LUDOTECA_TEST_DATABASE") == "postgresql"


def database_in(folder: Path) -> str:
    """The address of the database that belongs to *folder*, the same at every call."""
    if ON_POSTGRESQL:
        return postgres.database(str(folder), like=address_with_tables())
    file = folder / "games.db"
    if folder.is_dir() and not file.exists():
        file.write_bytes(file_with_tables())
    return f"sqlite+aiosqlite:///{file}"


def copied(folder: Path, new: Path) -> None:
    """A copy of *folder* as *new*, with the database that belongs to it, which nobody uses."""
    shutil.copytree(folder, new)
    if ON_POSTGRESQL:
        postgres.database(str(new), like=database_in(folder))


@cache
def address_with_tables() -> str:
    """A database that nobody has used: to copy it takes less time than to make the tables."""
    address = postgres.database("with tables")
    _make_tables(address)
    return address


@cache
def file_with_tables() -> bytes:
    """The bytes of such a file: a third of the time of a short test went into making tables."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.db"
        _make_tables(f"sqlite+aiosqlite:///{file}")
        return file.read_bytes()


def _make_tables(address: str) -> None:
    async def made() -> None:
        await (await Store.open(address)).close()

    with ThreadPoolExecutor(1) as beside:  # the test has a loop of its own
        beside.submit(asyncio.run, made()).result()


of_files = pytest.mark.skipif(ON_POSTGRESQL, reason="it is about the bytes of a file")
"""Marks a test that looks into the file itself."""
