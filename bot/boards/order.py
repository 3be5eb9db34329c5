"""Which of the boards that one change owes is shown first: that of whoever waits for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

BEHIND = 0.05
"""For how many seconds at most the others wait for the first."""


@dataclass
class Order:
    """Keeps views that wait for another one, all by their ids."""

    _first: dict[int, asyncio.Event] = field(default_factory=dict)
    _behind: dict[int, asyncio.Event] = field(default_factory=dict)

    def line_up(self, views: Sequence[int]) -> None:
        """Let the others of *views* wait for the first of them."""
        for other in views[1:]:
            self._behind[other] = self._first.setdefault(views[0], asyncio.Event())

    async def turn(self, view: int) -> None:
        """Wait until *view* may go."""
        first = self._behind.pop(view, None)
        if first is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEHIND):
                    await first.wait()

    def went(self, view: int) -> None:
        """Let go on who waits for *view*."""
        first = self._first.pop(view, None)
        if first is not None:
            first.set()
