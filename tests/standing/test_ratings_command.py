"""``ludoteca ratings``: what it tells, what it finds, and what it reckons anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from storage.store import Store
from tests.command_line import ludoteca
from tests.databases import database_in
from tests.fakes import FakeClock, desk
from tests.standing.simulated import Hall

__all__ = ["ludoteca"]


def play(folder: Path, *, rated: bool = True) -> None:
    """Two games of Niya that Person 1 wins."""

    async def played() -> None:
        async with desk(folder, clock=FakeClock()) as at:
            hall = Hall(at)
            ana, bo = [one.id for one in await hall.invite(2)]
            for _ in range(2):
                await hall.end(await hall.seat("niya", (ana, bo), rated=rated), [[bo], [ana]])

    asyncio.run(played())


def change(folder: Path, statement: str) -> None:
    async def changed() -> None:
        store = await Store.open(database_in(folder))
        async with store.transaction() as tx:
            await tx.execute(text(statement))
        await store.close()

    asyncio.run(changed())


@pytest.fixture
def ratings(ludoteca, tmp_path):
    """The command on the database of the test."""
    return lambda *asked: ludoteca(tmp_path, "ratings", *asked, DATABASE_URL=database_in(tmp_path))


def test_it_tells_who_has_which_rating(ratings, tmp_path):
    play(tmp_path)
    done = ratings()
    first, second = done.stdout.splitlines()
    assert done.returncode == 0
    assert first.startswith("niya")
    assert first.endswith("Person 1")
    assert second.endswith("Person 0")
    assert "? ± " in first
    assert ratings("shogi").stdout == ""


@pytest.mark.slow
def test_a_check_of_sound_rows_finds_nothing_and_one_of_changed_rows_ends_with_1(ratings, tmp_path):
    play(tmp_path)
    done = ratings("--check")
    assert (done.returncode, done.stdout) == (0, "0 differences, 2 entries\n")
    change(tmp_path, "update rating_change set mu = mu + 0.001 where entry = 1 and person = 1")
    done = ratings("--check")
    assert done.returncode == 1
    assert done.stdout.startswith("rating_change 1/1/niya: it says ")
    assert ratings("--check", "shogi").returncode == 0
    assert ratings("--rebuild").returncode == 0
    assert ratings("--check").returncode == 0


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--rebuild", "--check"], "--check changes nothing and --rebuild does; say one of them."),
        (["--rebuild", "niya"], "--rebuild writes all games anew; leave GAME out."),
    ],
)
def test_what_cannot_be_done_gets_one_sentence(ratings, tmp_path, asked, said):
    play(tmp_path)
    done = ratings(*asked)
    assert (done.returncode, done.stderr) == (2, f"{said}\n")


@pytest.mark.slow
def test_nothing_is_reckoned_anew_while_a_bot_runs(ratings, tmp_path):
    play(tmp_path)

    async def beside() -> int:
        async with desk(tmp_path):
            done = await asyncio.to_thread(ratings, "--rebuild")
            return done.returncode

    assert asyncio.run(beside()) != 0
    assert ratings("--check").returncode == 0
