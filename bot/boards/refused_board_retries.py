"""Boards that a platform refused for what they say: each is tried again, now and then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.port import ChatError, Where
from storage.records import ViewRow

log = logging.getLogger(__name__)

REFUSED = (60.0, 240.0, 1500.0, 3600.0)
"""Seconds between the attempts to show such a board: after 1, 5 and 30 minutes, then hourly."""


@dataclass
class RefusedBoards:
    """Remembers what was refused, and has it shown by *start* in its time.

    A change of its table shows a board at once, as ever.
    """

    start: Callable[[int], None]
    _views: dict[int, tuple[ViewRow, int]] = field(default_factory=dict)
    """The views, and how often each was refused in a row."""

    def later(self, view: ViewRow, wrong: ChatError) -> None:
        """Show *view* later: its board was refused, which is *wrong*."""
        _, count = self._views.get(view.id, (view, 0))
        self._views[view.id] = view, count + 1
        wait = REFUSED[min(count, len(REFUSED) - 1)]
        log.warning("view %d is not shown: %s; again in %g s", view.id, wrong, wait)
        asyncio.get_running_loop().call_later(wait, self.start, view.id)

    def forget(self, view_id: int) -> None:
        """Forget a view that was shown, or is gone."""
        self._views.pop(view_id, None)

    def try_at(self, where: Where) -> None:
        """Try what was refused in *where* now: somebody acts there."""
        for view, _ in tuple(self._views.values()):
            if (view.platform, view.place) == where.key:
                self.start(view.id)
