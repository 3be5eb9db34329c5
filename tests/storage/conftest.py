"""Stores on real files, and rows to put into them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from inspect import signature
from pathlib import Path

import pytest

from storage import Store
from tests import postgres
from tests.databases import address_with_tables, file_with_tables


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the database under test."""
    return tmp_path / "ludoteca.db"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What asks for a store and not for its file runs on both databases.

    A module that is about files says so: ``FILES = True``.
    """
    about_files = getattr(metafunc.module, "FILES", False)
    asks_for_file = {"file", "other"} & set(signature(metafunc.function).parameters)
    if "backend" in metafunc.fixturenames and not about_files and not asks_for_file:
        metafunc.parametrize("backend", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> str:
    """Which database the test runs on."""
    name: str = getattr(request, "param", "sqlite")
    if name == "postgresql" and postgres.programs() is None:
        pytest.skip(postgres.ABSENT)
    return name


@pytest.fixture
def url(request: pytest.FixtureRequest, backend: str, file: Path) -> str:
    """The address of the database under test: that file, or one on a server.

    It is new; but whoever asks for an open ``store``, and not for its file, gets tables that were
    made before: to make them takes longer than most tests.
    """
    asks_for_file = "file" in signature(request.function).parameters
    has_tables = "store" in request.fixturenames and not asks_for_file
    if backend == "postgresql":
        like = address_with_tables() if has_tables else "template1"
        return postgres.database(str(file), like)
    if has_tables:
        file.write_bytes(file_with_tables())
    return f"sqlite+aiosqlite:///{file}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store, closed after the test."""
    store = await Store.open(url)
    yield store
    await store.close()
