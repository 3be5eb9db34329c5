"""``python -m tests.tools.shuffle SEED[-SEED] …``: tests under other orders of the event loop.

What follows the seeds is handed to pytest. Each test has a loop that wakes the tasks whose waiting
is over in an order drawn from the seed and its name. It holds some back for a while, and so it does
with what threads and the database answer. What was true before an ``await`` often is no more behind
it then. A failure says how it is repeated; where real time or a thread takes part, it may need
several runs.

Tasks begin in the order in which they are made, and callbacks keep theirs: libraries rely on that.
``--late`` keeps the order of tasks, too, and delays only what comes from outside.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from asyncio import Handle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextvars import Context
from random import Random
from typing import Any

import pytest

from tests import statements_in_the_loop

OFTEN = 0.25
"""How many of the callbacks that may be held back are."""

LONGEST = 60
"""For how many turns of the loop one is held back at most, if others are ready meanwhile."""

WAKENING = ("task_wakeup", "__wakeup")
"""What a callback is called that wakes a task."""

ANSWERS = (statements_in_the_loop._give, statements_in_the_loop._refuse)


class ShuffledLoop(asyncio.SelectorEventLoop):
    """A loop whose tasks go on in an order drawn from *chance*; if *late*, only answers wait."""

    def __init__(self, chance: Random, *, late: bool = False) -> None:
        super().__init__()
        self._chance, self._late = chance, late
        self._ready: deque[Handle]
        self._held: list[tuple[int, Handle]] = []
        """What is held back, and until which turn."""
        self._turns = 0
        self._answers: set[Handle] = set()
        """What threads have to say."""

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        """Call *callback*, which a thread asks for, in some later turn."""
        handle = super().call_soon_threadsafe(callback, *args, context=context)
        self._answers.add(handle)
        return handle

    def _may_wait(self, handle: Handle) -> bool:
        call: Any = handle._callback  # type: ignore[attr-defined]
        if call in ANSWERS or handle in self._answers:
            self._answers.discard(handle)
            return True
        return not self._late and getattr(call, "__name__", "") in WAKENING

    def _run_once(self) -> None:
        self._turns += 1
        moved: list[Handle] = []
        for _ in range(len(self._ready)):  # a thread may add to it meanwhile
            handle = self._ready.popleft()
            if not self._may_wait(handle):
                self._ready.append(handle)
            elif self._chance.random() < OFTEN:
                self._held.append((self._turns + self._chance.randint(1, LONGEST), handle))
            else:
                moved.append(handle)
        if self._held and not (self._ready or moved):
            self._turns = max(self._turns, min(turn for turn, _ in self._held))
        moved += [handle for turn, handle in self._held if turn <= self._turns]
        self._held = [one for one in self._held if one[0] > self._turns]
        if not self._late:
            self._chance.shuffle(moved)
        # Behind the others: what else is done with an answer is done before a task reads it.
        self._ready.extend(moved)
        super()._run_once()  # type: ignore[misc]


class Shuffle(asyncio.DefaultEventLoopPolicy):
    """The policy, and plugin, under which each test has a loop of its own order."""

    def __init__(self, seed: str, *, late: bool) -> None:
        super().__init__()
        self.seed, self.late, self.test = seed, late, ""

    def new_event_loop(self) -> ShuffledLoop:
        """A loop for the test that runs."""
        return ShuffledLoop(Random(f"{self.seed} {self.test}"), late=self.late)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note which test runs."""
        self.test = item.nodeid
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Say how a failure is repeated."""
        report = yield
        if report.failed:
            late = "--late " if self.late else ""
            again = f"python -m tests.tools.shuffle {self.seed} {late}{item.nodeid!r}"
            report.sections.append(("shuffled", again))
        return report


def pytest_addoption(parser: pytest.Parser) -> None:
    """The seed of a run."""
    parser.addoption("--shuffle", metavar="SEED", help="run tasks in an order drawn from SEED")
    parser.addoption("--late", action="store_true", help="delay only what comes from outside")


def pytest_configure(config: pytest.Config) -> None:
    """Shuffle what runs from now on."""
    if config.getoption("--shuffle"):
        policy = Shuffle(config.getoption("--shuffle"), late=config.getoption("--late"))
        asyncio.set_event_loop_policy(policy)
        config.pluginmanager.register(policy)


def seeds(said: str) -> Iterable[int]:
    """The seeds of ``7`` or ``7-9``."""
    first, _, last = said.partition("-")
    return range(int(first), int(last or first) + 1)


def main(arguments: Sequence[str]) -> int:
    """Run pytest under each seed; how many runs failed."""
    failed = 0
    for seed in seeds(arguments[0]):
        print(f"── seed {seed}", flush=True)
        command = (sys.executable, "-m", "pytest", "-p", __spec__.name, "--shuffle", str(seed))
        surroundings = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run([*command, *arguments[1:]], env=surroundings)
        failed += done.returncode not in (0, pytest.ExitCode.NO_TESTS_COLLECTED)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
