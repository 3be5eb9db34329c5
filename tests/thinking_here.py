"""Computer players of tests find a move in a thread of the test's own process.

A worker imports the games anew: a third of a second for each test in which a computer plays.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from math import inf
from typing import Any

from bot.service.computers.pool import Thinkers
from bot.service.computers.process import Worker
from bot.service.computers.worker import Allowance, Along, Task, silent, think

SHORT = (Task.MOVE, Task.HINT, Task.RULING, Task.READ)
"""What is answered here. The rest takes long, and whoever has a worker may kill it."""

HIRED = Worker.hire
"""How the product starts a worker."""


class _Abandoned(Allowance):
    """An allowance that is used up as well once nobody waits for the answer any more."""

    abandoned = False

    def is_spent(self) -> bool:
        return self.abandoned or super().is_spent()


class _Here(Worker):
    """A worker whose process begins with the first question that takes long."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.worker: Worker | None = None

    async def ask(
        self, question: dict[str, Any], seconds: float, along: Along = silent
    ) -> dict[str, Any]:
        if question["task"] not in SHORT:
            self.worker = self.worker or await HIRED(self.command)
            return await self.worker.ask(question, seconds, along)
        began = time.process_time()
        budget = _Abandoned(began + question["seconds"], question.get("nodes", inf))
        try:
            answer = await asyncio.to_thread(think, question, budget)
        finally:
            budget.abandoned = True
        return {**answer, "took": time.process_time() - began}

    async def kill(self) -> None:
        if self.worker is not None:
            await self.worker.kill()


async def _hired(command: Sequence[str]) -> Worker:
    return _Here(command) if command == Thinkers.command else await HIRED(command)


def share(*, workers: bool) -> None:
    """Let computers think in *workers* from now on, or here."""
    Worker.hire = HIRED if workers else _hired  # type: ignore[method-assign, assignment]
