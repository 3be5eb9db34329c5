"""Work that is done beside everything else: it never fails in silence, and can be waited for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

log = logging.getLogger(__name__)


@dataclass
class Tasks:
    """Tasks of one owner; *expected* failures are told in a line, others with their traceback."""

    expected: tuple[type[Exception], ...] = ()
    _running: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work* beside everything else; what it raises is logged, never lost."""

        async def guarded() -> None:
            try:
                await work
            except self.expected as wrong:
                log.warning("%s", wrong)
            except Exception:
                log.exception("%s failed", work)

        def ended(task: asyncio.Task[None]) -> None:
            self._running.discard(task)
            # A task cancelled before it began has left its work unawaited.
            work.close()

        task = asyncio.create_task(guarded())
        self._running.add(task)
        task.add_done_callback(ended)

    def busy(self) -> frozenset[asyncio.Task[None]]:
        """What is under way."""
        return frozenset(self._running)

    async def settled(self) -> None:
        """Wait until nothing is under way, nor anything that was started meanwhile."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self, patience: float = 0.0) -> None:
        """Give what is under way *patience* seconds to end, then cancel it."""
        if patience and self._running:
            await asyncio.wait(self._running, timeout=patience)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
