"""Children that work on one database and are killed by SIGKILL at instants drawn by lot.

A child tells by a byte when it is about to do what a kill should meet. Each has a *slot*, the
lowest that is free: its chat is named after it, and what stands in the chat of a slot that nobody
has is kept by no process. And it has a *serial*, which no other child of the run has: ids made of
the number of its process would come back, since such numbers do.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import select
import signal
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.app.runner import WAITED_FOR
from bot.facade import Facade, Thinkers, open_facade
from storage.store import Store
from tests import postgres
from tests.drives.report import Report
from tests.fakes import FakeChat

EVERY = 10
"""After how many kills it is looked at what is there."""

SILENCE = 300.0
"""A child that tells nothing for so many seconds hangs, and so would whoever waits for it."""


@dataclass(frozen=True)
class Child:
    """A child: its *process*, and the end of the pipe on which it tells."""

    process: int
    telling: int

    def wait(self) -> None:
        """Wait until it is about to do something."""
        if not select.select([self.telling], [], [], SILENCE)[0]:
            raise RuntimeError(f"a child has told nothing for {SILENCE:g} seconds")
        if not os.read(self.telling, 1):
            raise RuntimeError("a child has ended by itself")

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.telling)


@dataclass
class KillLoop:
    """So many *processes* of *work*, of which one after the other is killed.

    *work* takes a slot, a serial and the pipe on which it tells, and goes on for ever. A kill falls
    within *longest* seconds after it has told. After ``EVERY`` kills, when all are dead, *look*
    tells what is there.
    """

    work: Callable[[int, int, int], Awaitable[None]]
    look: Callable[[], Report]
    processes: int
    longest: float
    rng: random.Random
    _children: dict[int, Child] = field(default_factory=dict)
    _begun: int = 0

    def run(self, kills: int) -> Report:
        """What is there after so many; raises ``RuntimeError`` for a child that ends or hangs."""
        found, breaches = Report(), list[str]()
        try:
            for number in range(1, kills + 1):
                self._kill_one()
                if number % EVERY == 0 or number == kills:
                    self._end()
                    found = self.look()
                    found.counts["kills"] = number
                    breaches += found.breaches
                    print(found, flush=True)
        finally:
            self._end()
        found.breaches = breaches
        return found

    def _kill_one(self) -> None:
        for slot in range(self.processes):
            if slot not in self._children:
                self._children[slot] = self._begin(slot)
        victim = self.rng.randrange(self.processes)
        for _ in range(self.rng.randint(1, 4)):
            self._children[victim].wait()
        time.sleep(self.rng.random() * self.longest)
        self._children.pop(victim).kill()

    def _begin(self, slot: int) -> Child:
        self._begun += 1
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            try:
                asyncio.run(self.work(slot, self._begun, writing))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(writing)
        return Child(process, reading)

    def _end(self) -> None:
        while self._children:
            self._children.popitem()[1].kill()


async def begun_facade(url: str, slot: int, *, shared: bool) -> Facade:
    """The bot of the child in *slot*; its start waits for others as that of the bot does."""
    while True:
        try:
            store = await Store.open(url, shared=shared)
            facade = await open_facade(store, Thinkers(seconds=0.5), "es")
            await facade.start([FakeChat(platform=f"fake{slot}")])
        except WAITED_FOR:
            await asyncio.sleep(0.5)
        else:
            return facade


def drive_kills(
    about: str | None, killed: Callable[[str, int, int, random.Random], Report], seed: int
) -> int:
    """Drive what the command line asks for: *killed* takes an address, kills, processes, chance."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("kills", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=seed)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = f"sqlite+aiosqlite:///{folder}/games.db"
        url = postgres.database(folder) if asked.processes > 1 else file
        return killed(url, asked.kills, asked.processes, random.Random(asked.seed)).conclude()
