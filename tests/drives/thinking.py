"""F13: workers that hang, die or starve while eight tables think.

``python -m tests.drives.thinking hangs`` (or ``crashes``, ``starved``, ``well``). Eight games
against strong computers are played at once by somebody who moves at random, while workers are
stopped or killed one after the other, or both cores are kept busy by others. Counted are tables
at which nothing happens any more, moves that nobody thought about and nobody was told of, and
processes that are left behind. ``--quick`` measures how soon Niya is answered meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bot.port import Asker, Command, Where
from bot.service.computers.pool import Thinkers
from games.core.shelf import find_game
from tests.fakes import Desk, desk, person

TABLES = 8
GAMES = ("shogi", "cirya", "storilljudhjorrayc")
PATIENCE = 1_500.0
"""After how many seconds without an answer a table counts as dead: on a host that is starved eight
tables wait for one another, and the pool gives each worker minutes.
"""

BUSY = "while True: pass"
"""What keeps a core busy."""


class Silent(logging.Handler):
    """Counts what is logged where a move was found without a thought."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        for sign in ("the first legal move is played", "found at a glance", "did not answer"):
            self.seen[sign] += sign in line


@dataclass
class Played:
    """What came of the games: answers, and how long each took."""

    took: list[float] = field(default_factory=list)
    dead: int = 0
    hurried: int = 0
    told: int = 0


def workers() -> list[psutil.Process]:
    """The workers that are alive."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if "bot.service.computers.worker" in child.cmdline():
                found.append(child)
    return found


async def answered(at: Desk, code: str, who: Asker) -> float:
    """How long it took until *who* could move again, or the game was over."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        table = await at.facade.services.tables.get(code)
        if table.status != "playing":
            break
        if any(table.players[seat].person is not None for seat in table.actors()):
            break
        await asyncio.sleep(0.02)
    else:
        raise TimeoutError(code)
    return time.monotonic() - began


async def play(
    at: Desk, game: str, level: int, number: int, until: asyncio.Event, found: Played
) -> None:
    """Play one game after the other of *game* against *level*, until told to stop."""
    who, where, rng = person(f"P{number}"), Where("fake", f"g{number}"), random.Random(number)
    while not until.is_set():
        values = {"opponent": "computer", "level": str(level)}
        if game == "storilljudhjorrayc":
            values["options"] = "setup=fixed"
        answer = await at.facade.call(_call(where, who, "play", game=game, **values))
        assert answer.good, answer.said
        code = await _opened(at, who)
        await _one(at, code, where, who, rng, until, found)
        table = await at.facade.services.tables.get(code)
        if table.status == "playing":
            await at.facade.call(_call(where, who, "resign", table=code))


async def _opened(at: Desk, who: Asker) -> str:
    """The code of the game that *who* plays."""
    services = at.facade.services
    row = await services.people.of(who)
    lines = await services.tables.listed(("playing",), person=row.id)
    return max(lines, key=lambda line: line.touched).code


async def _one(
    at: Desk,
    code: str,
    where: Where,
    who: Asker,
    rng: random.Random,
    until: asyncio.Event,
    found: Played,
) -> None:
    while not until.is_set():
        try:
            took = await answered(at, code, who)
        except TimeoutError:
            found.dead += 1
            return
        table = await at.facade.services.tables.get(code)
        found.hurried += sum(one.hurried for one in table.recent)
        if table.status != "playing":
            return
        if table.log:
            found.took.append(took)
        (seat,) = table.actors()
        move = rng.choice(table.present.legal_moves(seat))
        text = table.game.notation.written(table.present, move)
        await at.facade.call(_call(where, who, "move", move=text, table=code))


_UPDATES = iter(range(1, 1 << 30))


def _call(where: Where, who: Asker, name: str, **values: str) -> Command:
    return Command(f"d{next(_UPDATES)}", where, who, name, values, {})


async def hurt(how: str, count: int) -> None:
    """Stop or kill a worker that works, *count* times."""
    sent = signal.SIGSTOP if how == "hangs" else signal.SIGKILL
    for _ in range(count):
        while True:
            alive = [w for w in workers() if _works(w)]
            if alive:
                break
            await asyncio.sleep(0.1)
        with suppress(psutil.Error, ProcessLookupError):
            random.choice(alive).send_signal(sent)
        await asyncio.sleep(0.5)


def _works(worker: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return worker.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)
    return False


@asynccontextmanager
async def starved() -> AsyncIterator[None]:
    """Both cores and more are kept busy by somebody else, who does not give way."""
    count = 2 * (os.cpu_count() or 1)
    busy = [await asyncio.create_subprocess_exec(sys.executable, "-c", BUSY) for _ in range(count)]
    for one in busy:
        psutil.Process(one.pid).nice(0)
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            await one.wait()


async def drive(how: str, count: int, seconds: float, *, quick: bool) -> bool:
    """Play at eight tables while things go wrong; whether all is well, which is told too."""
    silent, found, niya = Silent(), Played(), Played()
    logging.getLogger("bot").addHandler(silent)
    logging.getLogger("bot").propagate = False
    thinkers = Thinkers()
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder), thinkers) as at:
            until = asyncio.Event()
            players = [
                asyncio.create_task(play(at, game, find_game(game).levels, n, until, found))
                for n in range(TABLES)
                for game in (GAMES[n % len(GAMES)],)
            ]
            if quick:
                players.append(asyncio.create_task(play(at, "niya", 3, 99, until, niya)))
            await thinkers.warm()
            if how in ("hangs", "crashes"):
                await hurt(how, count)
            elif how == "starved":
                async with starved():
                    while len(found.took) < count and any(not one.done() for one in players):
                        await asyncio.sleep(0.2)
            began = time.monotonic()
            while quick and len(niya.took) < count and time.monotonic() - began < seconds:
                await asyncio.sleep(0.2)
            until.set()
            await asyncio.gather(*players)
    await asyncio.sleep(0.5)
    stray = [one.pid for one in workers()]
    told = f"{how}: {len(found.took)} answers, {found.dead} dead tables, {len(stray)} stray, "
    told += f"{silent.seen['the first legal move is played']} silent first moves, "
    told += f"{silent.seen['did not answer']} asked again, "
    told += f"{silent.seen['found at a glance']} found at a glance"
    print(told)
    for name, played in (("strong", found), ("Niya", niya)):
        if played.took:
            took = sorted(played.took)
            print(
                f"  {name}: median {took[len(took) // 2]:.2f} s, "
                f"p99 {took[99 * len(took) // 100]:.2f} s of {len(took)}"
            )
    return not (found.dead or niya.dead or stray or silent.seen["the first legal move is played"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("how", choices=("hangs", "crashes", "starved", "well"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=200.0)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    well = asyncio.run(drive(asked.how, asked.count, asked.seconds, quick=asked.quick))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
