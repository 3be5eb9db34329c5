"""Ratings beyond what CI plays: whole seasons reckoned twice, and whether ratings find strength.

    python -m tests.drives.ratings season 1000 --seasons 10
    python -m tests.drives.ratings converge

*season* plays so many rated games of two, three and four on a real store, with draws, absences,
links and games taken out, and compares every rating with a second reckoning that knows the records
and openskill alone (nothing is shown, and nobody called); then 100 rows are changed by hand, one
after the other, and each must be found. *converge* lets 60 players whose Elo is drawn by lot play
50 games each at random, ten times for each spread, and tells how rating and Elo go together.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from bot.service.rating_check import Audit
from bot.standing.rating import Rating, after_game
from storage import ratings
from tests.fakes import FakeClock, desk
from tests.standing.season import play_season
from tests.standing.second_reckoning import Known, reckon
from tests.standing.simulated import Hall

PLAYERS, EACH, SEEDS = 60, 50, 10
START = datetime(2026, 1, 1, tzinfo=UTC)

FORGERIES = (
    "update rating_change set mu = mu + 0.00001 where rowid = :row",
    "update rating_change set sigma_before = sigma_before + 0.00001 where rowid = :row",
    "update rating set sigma = sigma + 0.00001 where rowid = :row",
    "update tally set won = won + 1 where rowid = :row",
)
TABLES = ("rating_change", "rating_change", "rating", "tally")


async def season(count: int, seed: int, forged: int) -> bool:
    """Whether *count* games agree with the second reckoning, and *forged* rows are seen."""
    with tempfile.TemporaryDirectory() as folder:
        clock = FakeClock()
        async with desk(Path(folder), clock=clock) as at:
            hall = Hall(at)
            hall.hush()
            await hall.invite(40)
            began = time.process_time()
            steps = await play_season(hall, count, clock, seed)
            spent = time.process_time() - began
            reckoned = dict(reckon(steps))
            store, wrong = at.facade.services.store, 0
            async with store.reading() as tx:
                for row in await ratings.all_ratings(tx):
                    want = reckoned.pop((row.pool, row.person), Known())
                    wrong += max(abs(row.mu - want.mu), abs(row.sigma - want.sigma)) > 1e-6
                own = len(await Audit().run(tx))
            wrong += len(reckoned)
            kinds = [type(one).__name__ for one in steps]
            told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
            print(f"seed {seed}: {told}; {wrong} differences, check {own}; {spent:.0f} s CPU")
            missed = await _forged(store, random.Random(seed), forged)
            print(f"of {forged} rows changed by hand {missed} were not found", flush=True)
    return wrong == own == missed == 0


async def _forged(store, rng: random.Random, count: int) -> int:
    """How many of *count* rows that were changed by hand the check does not find."""
    missed = 0
    for number in range(count):
        statement, table = FORGERIES[number % 4], TABLES[number % 4]
        try:
            async with store.transaction() as tx:
                rows = (await tx.execute(text(f"select rowid from {table}"))).scalars().all()
                await tx.execute(text(statement), {"row": rng.choice(rows)})
                missed += not await Audit().run(tx)
                raise _Undone
        except _Undone:
            continue
    return missed


class _Undone(Exception):
    """A transaction is to leave nothing behind."""


def converged(spread: float, seed: int) -> tuple[float, float]:
    """The correlation of rating and Elo after everybody's games, and the slope of the line."""
    rng = random.Random(seed)
    elo = [rng.gauss(1500, spread) for _ in range(PLAYERS)]
    known = [Rating() for _ in range(PLAYERS)]
    at = START
    for _ in range(EACH):
        order = list(range(PLAYERS))
        rng.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=True):
            at += timedelta(minutes=5)
            chance = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
            places = (1, 2) if rng.random() < chance else (2, 1)
            known[one], known[other] = after_game((known[one], known[other]), places, at)
    shown = [one.shown for one in known]
    correlation = statistics.correlation(elo, shown)
    slope, _ = statistics.linear_regression(elo, shown)
    return correlation, slope


def converge() -> bool:
    """Whether the medians of the usual spread are as they must be; the others are told only."""
    good = True
    for spread in (150, 300, 400):
        found = [converged(spread, seed) for seed in range(SEEDS)]
        correlation = statistics.median(one for one, _ in found)
        slope = statistics.median(one for _, one in found)
        print(f"Elo ±{spread}: correlation {correlation:.3f}, slope {slope:.2f} (medians of ten)")
        if spread == 300:
            good = correlation >= 0.96 and 0.85 <= slope <= 1.1
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    played = commands.add_parser("season")
    played.add_argument("count", type=int)
    played.add_argument("--seed", type=int, default=38)
    played.add_argument(
        "--seasons", type=int, default=1, help="so many, with one seed after another"
    )
    played.add_argument("--forged", type=int, default=100, help="how many rows are changed by hand")
    commands.add_parser("converge")
    asked = parser.parse_args()
    if asked.what == "converge":
        return 0 if converge() else 1
    good = True
    for seed in range(asked.seed, asked.seed + asked.seasons):
        good &= asyncio.run(season(asked.count, seed, asked.forged))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
