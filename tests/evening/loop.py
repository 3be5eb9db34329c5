"""Virtual time and chance: one loop whose clock jumps, and one stream of chance a concern.

``install`` replaces what tells the time and what deals chance, for a process that plays evenings
and nothing else. It does so from outside and before the project is imported: the house has some
fifty places that read a clock or draw an id, and handing a seam to each of them would be code
in the product that only tests use. What is not told by a world answers as ever.
"""

from __future__ import annotations

# Whoever binds a clock for real threads is imported before the clocks are replaced.
import asyncio
import concurrent.futures  # noqa: F401
import contextvars
import datetime as datetimes
import heapq
import itertools
import logging  # noqa: F401
import multiprocessing  # noqa: F401
import os
import queue  # noqa: F401
import random
import ssl  # noqa: F401
import subprocess  # noqa: F401
import threading
import time
from asyncio import base_events, events
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

cpu_seconds = time.process_time
_real = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
_real_urandom = os.urandom
_RealDatetime = datetimes.datetime

wall_seconds = _real["perf_counter"]
"""The time of the machine itself, in seconds."""

BEGINS = 1_795_370_400.0
"""What the clock of the machine shows when an evening begins: 22 November 2026, 18:00 UTC."""

STEADY = 1000.0
"""What a steady clock shows then."""

STEP = 2e-6
"""The seconds that a step takes. Where time stood still, a wait of less than a microsecond would
come again for ever."""


class Mortal(Protocol):
    """A house, as the loop sees it."""

    dead: bool
    grave: list[object]
    """Handles and tasks that are never run again: what is collected would run its ``finally``."""

    def count_step(self) -> bool:
        """Count a step; whether the house lives to take it."""


running_house: contextvars.ContextVar[Mortal | None] = contextvars.ContextVar(
    "running_house", default=None
)
"""For which house something runs; nothing for people and platforms."""

concern: contextvars.ContextVar[str] = contextvars.ContextVar("concern", default="")
"""What is being handled, such as an update: ids that are drawn meanwhile are its own."""


class Stuck(Exception):
    """Nothing is ready and nothing is due: somebody waits for ever."""


class TooManySteps(Exception):
    """An evening that does not come to an end."""


class Task(asyncio.Task):
    """A task that knows its house, and whose place in a set is the same in every process."""

    numbers = itertools.count(1)

    def __init__(self, *args: Any, context: contextvars.Context | None = None, **named: Any):
        self.number = next(Task.numbers)
        # Python 3.11 does not tell the context of a task.
        known = context is not None
        self.house = context.get(running_house) if known else running_house.get()
        super().__init__(*args, context=context, name=f"task {self.number}", **named)

    def __hash__(self) -> int:
        return self.number


class Future(asyncio.Future):
    """A future with such a place in a set."""

    def __init__(self, *args: Any, **named: Any):
        self.number = next(Task.numbers)
        super().__init__(*args, **named)

    def __hash__(self) -> int:
        return self.number


class VirtualLoop(base_events.BaseEventLoop):
    """A loop without sockets, threads and signals, whose time jumps to what is due next."""

    def __init__(self, world: World):
        super().__init__()
        self._selector = None  # never asked
        self.world, self.now, self.steps = world, 0.0, 0
        self.set_task_factory(
            lambda loop, coro, context=None: Task(coro, loop=loop, context=context)
        )

    def time(self) -> float:
        return self.now

    def create_future(self) -> asyncio.Future[Any]:
        return Future(loop=self)

    def _write_to_self(self) -> None:
        """Nobody sleeps who would have to be woken."""

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: Any) -> Any:
        """Run what goes to a thread (``asyncio.to_thread`` too) in a later turn of the loop."""
        answer = self.create_future()

        def run() -> None:
            try:
                result = func(*args)
            except BaseException as wrong:
                if not answer.done():
                    answer.set_exception(wrong)
            else:
                if not answer.done():
                    answer.set_result(result)

        self.call_later(self.world.thread_takes(), run)
        return answer

    def _next_handle(self) -> asyncio.Handle:
        while self._scheduled and self._scheduled[0]._cancelled:
            heapq.heappop(self._scheduled)._scheduled = False
        if not self._ready:
            if not self._scheduled:
                raise Stuck
            self.now = max(self.now, self._scheduled[0]._when)
        while self._scheduled and self._scheduled[0]._when <= self.now:
            handle = heapq.heappop(self._scheduled)
            handle._scheduled = False
            self._ready.append(handle)
        return self._ready.popleft()

    def step(self) -> None:
        """Run one handle: the smallest thing that asyncio does without a pause."""
        handle = self._next_handle()
        if handle._cancelled:
            return
        house = handle._context.get(running_house)
        if house is not None and (house.dead or not house.count_step()):
            house.grave.append(handle)
            return
        self.steps += 1
        self.now += STEP
        if self.steps > self.world.most_steps:
            raise TooManySteps(self.steps)
        handle._run()

    def run_until_complete(self, future: Any) -> Any:
        task = asyncio.ensure_future(future, loop=self)
        before = events._get_running_loop()
        events._set_running_loop(self)
        self._thread_id = threading.get_ident()
        try:
            while not task.done():
                self.step()
        finally:
            self._thread_id = None
            events._set_running_loop(before)
        return task.result()


class World:
    """The time and the chance of one evening."""

    def __init__(self, seed: str, most_steps: int = 30_000_000):
        global _world
        self.seed, self.most_steps = seed, most_steps
        self.streams: dict[str, random.Random] = {}
        self.slowest_thread = 0.0
        """The most seconds that something takes which is done by a thread."""
        self.jumped = 0.0
        """By how many seconds the clock of the machine was put forward."""
        _world = self
        Task.numbers = itertools.count(1)
        random.seed(f"{seed}/library")
        self.loop = VirtualLoop(self)
        events.set_event_loop(self.loop)
        self.context = contextvars.copy_context()

    def lot(self, of: str) -> random.Random:
        """The chance of one concern, whatever is drawn for others."""
        if of not in self.streams:
            self.streams[of] = random.Random(f"{self.seed}/{of}")
        return self.streams[of]

    def thread_takes(self) -> float:
        return self.lot("threads").uniform(0.0, self.slowest_thread) if self.slowest_thread else 0.0

    def spawn(self, coro: Coroutine[Any, Any, Any], house: Mortal | None = None) -> Task:
        """Run *coro* for *house*, or outside all of them."""
        context = self.context.copy()
        context.run(running_house.set, house)
        return self.loop.create_task(coro, context=context)

    def close(self) -> None:
        global _world
        _world = None
        events.set_event_loop(None)


_world: World | None = None


def _clock(name: str, begins: float, *, jumps: bool = False) -> Callable[[], float]:
    real = _real[name]

    def told() -> float:
        if _world is None:
            return real()
        return begins + _world.loop.now + (_world.jumped if jumps else 0.0)

    return told


class _DatetimeKind(type):
    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, _RealDatetime)

    def __subclasscheck__(cls, one: type) -> bool:
        return issubclass(one, _RealDatetime)


class VirtualDatetime(_RealDatetime, metaclass=_DatetimeKind):
    """Makes real instants; only ``now`` is another one."""

    def __new__(cls, *args: Any, **named: Any) -> Any:
        return _RealDatetime.__new__(_RealDatetime, *args, **named)

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return _RealDatetime.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> Any:
        return _RealDatetime.fromtimestamp(time.time(), datetimes.UTC).replace(tzinfo=None)


def _urandom(count: int) -> bytes:
    if _world is None:
        return _real_urandom(count)
    # One stream for each update: where an act is left out, the ids of all others stay.
    return _world.lot(f"secrets/{concern.get()}").randbytes(count)


def install() -> None:
    """Replace what tells time and deals chance. The project must not be imported yet."""
    time.monotonic = _clock("monotonic", STEADY)
    time.perf_counter = _clock("perf_counter", STEADY)
    time.time = _clock("time", BEGINS, jumps=True)
    time.time_ns = lambda: round(time.time() * 1e9)
    datetimes.datetime = VirtualDatetime
    os.urandom = random._urandom = _urandom  # uuid4, SystemRandom and with it all of secrets
