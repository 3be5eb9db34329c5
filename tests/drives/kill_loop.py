"""Children that work on one database and are killed by SIGKILL at instants drawn by lot.

A child tells by a byte when it is about to do what a kill should meet. Each has a *slot*, the
lowest that is free: its chat is named after it, and what stands in the chat of a slot that nobody
has is kept by no process. And it has a *serial*, which no other child of the run has: ids made of
the number of its process would come back, since such numbers do.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

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
    within *longest* seconds after it has told. *look* is called after ``EVERY`` kills, when all are
    dead, with how many there were.
    """

    work: Callable[[int, int, int], Awaitable[None]]
    look: Callable[[int], None]
    processes: int
    longest: float
    rng: random.Random
    _children: dict[int, Child] = field(default_factory=dict)
    _begun: int = 0

    def run(self, kills: int) -> None:
        """Kill so often; raises ``RuntimeError`` for a child that ends or hangs by itself."""
        try:
            for number in range(1, kills + 1):
                self._kill_one()
                if number % EVERY == 0 or number == kills:
                    self._end()
                    self.look(number)
        finally:
            self._end()

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
