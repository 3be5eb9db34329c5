"""Stores on real files, and rows to put into them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the database under test."""
    return tmp_path / "ludoteca.db"


@pytest.fixture
def url(file: Path) -> str:
    """The address of that file."""
    return f"sqlite+aiosqlite:///{file}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store, closed after the test."""
    store = await Store.open(url)
    yield store
    await store.close()
