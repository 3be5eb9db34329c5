"""A process killed at any moment leaves whole clicks, and every click it answered."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from storage import Store, check_database, inbox
from storage.table import games, views
from tests.storage.rows import add_game, add_view, later

FILES = True

ROOT = Path(__file__).resolve().parents[2]
STATEMENTS = 6  # of a click: begin, settle, advance, events, owe, commit


def child(url: str, statement: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.storage.children", url, str(statement)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


async def prepared(url: str) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await add_game(tx)
        await add_view(tx)
    await store.close()


async def whole_clicks(url: str) -> int:
    """The version that is stored; checks that all that belongs to it is there, and no more."""
    assert [f for f in await check_database(url) if f.level != "fine"] == []
    store = await Store.open(url)
    async with store.transaction() as tx:
        row = await games.load_game(tx, "k7")
        assert row is not None
        assert [event.number for event in await games.load_events(tx, "k7")] == [
            *range(1, row.version + 1)
        ]
        assert [view.owed for view in await views.views_of_game(tx, "k7")] == [row.version]
        if row.version > 1:  # its update is done
            assert not await inbox.finish_update(tx, "telegram", str(row.version - 2), later(0))
        assert await inbox.finish_update(tx, "telegram", str(row.version), later(0))
    await store.close()
    return row.version


@pytest.mark.sampled
@pytest.mark.parametrize("statement", range(STATEMENTS, 2 * STATEMENTS))
async def test_killed_before_a_statement_of_the_second_click_the_first_one_stands_alone(
    url: str, statement: int
) -> None:
    await prepared(url)
    process = child(url, statement)
    answered, _ = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    assert answered.split() == ["3"]
    assert await whole_clicks(url) == 3


@pytest.mark.slow
async def test_killed_right_after_the_commit_the_click_stands(url: str) -> None:
    await prepared(url)
    process = child(url, 2 * STATEMENTS)
    answered, _ = process.communicate(timeout=30)
    assert answered.split() == ["3", "5"]
    assert await whole_clicks(url) == 5


async def killed_at_any_time(url: str, seconds: float) -> None:
    await prepared(url)
    process = child(url, -1)
    assert process.stdout is not None
    process.stdout.readline()
    await asyncio.sleep(seconds)
    process.kill()
    answered, _ = process.communicate(timeout=30)
    complete = [line for line in answered.splitlines(keepends=True) if line.endswith("\n")]
    last = int(complete[-1]) if complete else 3
    assert last <= await whole_clicks(url) <= last + 2


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
async def test_killed_at_any_time_no_answered_click_is_lost(url: str, seed: int) -> None:
    await killed_at_any_time(url, random.Random(seed).uniform(0.0, 0.3))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
async def test_f1_f2_two_hundred_kills_lose_nothing_and_leave_nothing_half(
    url: str, seed: int
) -> None:
    await killed_at_any_time(url, random.Random(seed).uniform(0.0, 0.2))
