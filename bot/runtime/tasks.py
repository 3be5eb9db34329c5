"""Background tasks that never fail in silence and can be awaited."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

log = logging.getLogger(__name__)


async def wait_until_set(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for *event*, at most so many *seconds*; whether it is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


@dataclass
class Tasks:
    """Tasks of one owner. *expected* failures are logged in a line, others with a traceback."""

    expected: tuple[type[Exception], ...] = ()
    _running: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Run *work* in the background; what it raises is logged."""

        async def guarded() -> None:
            try:
                await work
            except self.expected as wrong:
                log.warning("%s", wrong)
            except Exception:
                log.exception("%s failed", work)

        def ended(task: asyncio.Task[None]) -> None:
            self._running.discard(task)
            # A task that was cancelled before its start has not awaited its work.
            work.close()

        task = asyncio.create_task(guarded())
        self._running.add(task)
        task.add_done_callback(ended)

    def busy(self) -> frozenset[asyncio.Task[None]]:
        """The tasks that run."""
        return frozenset(self._running)

    async def settle(self) -> None:
        """Wait until no task runs, those started meanwhile included."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self, patience: float = 0.0) -> None:
        """Give the tasks *patience* seconds to end, then cancel them."""
        if patience and self._running:
            await asyncio.wait(self._running, timeout=patience)
        while self._running:  # what ends may have started something else
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)
