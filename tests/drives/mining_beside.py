"""Whether mining makes presses slower: ``python -m tests.drives.mining_beside``.

A process on an emulated Discord is pressed at through games of Niya at several tables, in blocks
with and without a worker beside it that mines finished games without a rest; in the house it rests
nine times as long as it works. Between the blocks the worker is stopped and let go on. The presses
without it are told in two halves, every other block: their difference is chance. The status is 1
where the p99 with the worker is more than ``MOST`` times that without. Needs
``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from bot.service.computers.process import Worker
from bot.service.computers.worker import Task
from bot.service.puzzle_miner import COMMAND, GRACE, SECONDS
from games.core.shelf import find_game
from tests.drives.bench import Bench, bench
from tests.drives.findings import below
from tests.drives.kill_points import FOLDER
from tests.drives.mining import finished
from tests.drives.stage import EMULATORS, emulators

MOST = 1.1
"""How many times as long the p99 with the worker may be as that without: more is no chance."""

TABLES, BLOCK = 16, 8
"""At how many tables is played at once, and after how many presses the worker stops or goes on."""

REST = 0.03
"""Seconds between two presses: what is done after a board belongs to no other press."""

MINED = ("cirya", "storilljudhjorrayc", "shogi", "niya")
"""Whose games the worker mines, by turns."""

NODES = 100
"""Positions a move of those games."""


def question(key: str) -> dict[str, Any]:
    """What the house asks the worker about a finished game."""
    course = finished(find_game(key), (1, 2), "beside", NODES)
    setting = course.setting
    return {
        "game": key,
        "task": Task.MINE,
        "sides": setting.sides,
        "options": dict(setting.options),
        "first": setting.first,
        "log": [[one.seat, one.text, one.aside, one.draw] for one in course.log],
        "seat": 0,
        "seed": key,
        "seconds": SECONDS,
    }


@asynccontextmanager
async def mining() -> AsyncIterator[psutil.Process]:
    """A worker that mines game after game until the end of the block."""
    questions = [question(key) for key in MINED]
    worker = await Worker.hired(COMMAND)

    async def mine() -> None:
        for number in itertools.count():
            asked = questions[number % len(questions)]
            await worker.ask({**asked, "seed": f"{number}"}, SECONDS + GRACE)

    busy = asyncio.create_task(mine())
    try:
        yield psutil.Process(worker.process.pid)
        if busy.done():
            busy.result()
    finally:
        busy.cancel()
        with suppress(asyncio.CancelledError):
            await busy
        await worker.kill()


@dataclass
class Pressed:
    """Seconds that presses took *alone* and *beside* the worker.

    *worked* and *lasted* are the CPU seconds of the worker and how long it was let go on.
    """

    alone: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    worked: float = 0.0
    lasted: float = 0.0

    @property
    def ratio(self) -> float:
        """How many times as long the p99 is with the worker."""
        return below(self.beside, 0.99) / below(self.alone, 0.99)

    def lines(self) -> Iterator[str]:
        """What was found, in a few lines."""
        alone, beside = _told(self.alone), _told(self.beside)
        yield f"without: {alone}; with: {beside}; p99 {self.ratio:.2f} times"
        halves = (
            [one for number, one in enumerate(self.alone) if number // BLOCK % 2 == half]
            for half in (0, 1)
        )
        yield f"halves of those without: {'; '.join(map(_told, halves))}"
        yield f"let go on, the worker had {self.worked / self.lasted:.0%} of a processor"


async def pressed(at: Bench, presses: int, seconds: float, found: Pressed) -> None:
    """Press so many times without the worker and as often with it, for so many *seconds* at most.

    The first block of each only warms up.
    """
    tables = [await at.open() for _ in range(TABLES)]
    turns = itertools.cycle(range(TABLES))
    until = time.monotonic() + seconds
    async with mining() as worker:
        for number in range(-2, 2 * -(-presses // BLOCK)):
            mines = number % 2 == 1
            if not mines and time.monotonic() > until:
                break
            worker.send_signal(signal.SIGCONT if mines else signal.SIGSTOP)
            began, before = time.monotonic(), _cpu(worker)
            times = [await _press(at, tables, next(turns)) for _ in range(BLOCK)]
            if number < 0:
                continue
            (found.beside if mines else found.alone).extend(times)
            if mines:
                found.worked += _cpu(worker) - before
                found.lasted += time.monotonic() - began


async def _press(at: Bench, tables: list[Any], table: int) -> float:
    """Seconds from a press at one of the *tables* to the next board; then a rest."""
    if at.over(tables[table]):
        tables[table] = await at.open()
        await at.nothing_owed(5.0)
    took = await at.move(tables[table])
    await asyncio.sleep(REST)
    return took


def _cpu(process: psutil.Process) -> float:
    return float(sum(process.cpu_times()[:2]))


def _told(values: list[float]) -> str:
    middle, tail = median(values) * 1000, below(values, 0.99) * 1000
    return f"median {middle:.1f}, p99 {tail:.1f} ms of {len(values)}"


async def drive(presses: int, seconds: float) -> bool:
    """Press and tell; whether the worker made nothing slower and nothing went wrong."""
    found = Pressed()
    with tempfile.TemporaryDirectory() as folder:
        async with bench(Path(folder), env={FOLDER: ""}, human_delay=0.0) as at:
            await pressed(at, presses, seconds, found)
            faults = at.faults()
    for line in (*faults, *found.lines()):
        print(line)
    return not faults and found.ratio <= MOST


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser(prog="python -m tests.drives.mining_beside")
    parser.add_argument("--presses", type=int, default=1_500, help="with the worker, and without")
    parser.add_argument("--seconds", type=float, default=300.0, help="no longer than this")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is measured.")
        return
    sys.exit(not asyncio.run(drive(asked.presses, asked.seconds)))


if __name__ == "__main__":
    main()
