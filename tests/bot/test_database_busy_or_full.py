"""What players hear while the database takes nothing (F11)."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.databases import of_files
from tests.fakes import Desk, desk, person

NEREA = person("Nerea")


async def refused(at: Desk, language: str) -> str:
    """What everybody hears who asks for a table at the same time."""
    asker = replace(NEREA, language=language)
    answers = await asyncio.gather(*(at.call(asker, "play", game="niya") for _ in range(8)))
    assert not any(answer.good for answer in answers)
    (said,) = {answer.said for answer in answers}
    return said


@pytest.mark.sampled
@of_files
@pytest.mark.parametrize(("language", "word"), [("es", "ocupada"), ("en", "busy")])
async def test_f11_a_locked_database_is_said_to_be_busy(
    tmp_path: Path, language: str, word: str
) -> None:
    async with desk(tmp_path) as at:
        await at.call(NEREA, "language", language=language)
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert word in await refused(at, language)
            other.execute("ROLLBACK")
        assert (await at.call(NEREA, "play", game="niya")).good


@pytest.mark.sampled
@of_files
@pytest.mark.parametrize(("language", "word"), [("es", "disco"), ("en", "disk")])
async def test_f11_a_full_disk_is_said_to_be_full(tmp_path: Path, language: str, word: str) -> None:
    async with desk(tmp_path) as at:
        await at.call(NEREA, "language", language=language)
        async with at.facade.store.reading() as tx:
            await tx.execute(text("PRAGMA max_page_count=1"))
        for _ in range(100):  # the pages that it has are filled first
            if not (await at.call(NEREA, "play", game="niya")).good:
                break
        assert word in await refused(at, language)
