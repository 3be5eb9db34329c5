"""How full PostgreSQL's queue of NOTIFY is, which all databases of a server share.

It holds 8 GB, and grows while any connection that listens is in a transaction. A transaction that
tells something to a full queue fails (https://www.postgresql.org/docs/current/sql-notify.html).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Final

from sqlalchemy import text

log = logging.getLogger(__name__)

USAGE: Final = text("SELECT pg_notification_queue_usage()")

CROWDED: Final = 0.5
"""The part of the queue from which on transactions tell nothing."""


class NewsQueue:
    """What was seen of the queue; others who see the same do so within a *term* of seconds."""

    def __init__(self, term: float, clock: Callable[[], float] = monotonic) -> None:
        self._term = term
        self._clock = clock
        self._silent_until = 0.0
        self.usage = 0.0
        """The part that is filled, between 0 and 1."""

    @property
    def is_crowded(self) -> bool:
        """Whether nothing may be told."""
        return self.usage >= CROWDED

    @property
    def is_silent(self) -> bool:
        """Whether others may have told nothing of what they did, then or within a term."""
        return self._clock() < self._silent_until

    def look(self, usage: float) -> None:
        """Note how full it is, and say so where that changes anything."""
        before, self.usage = self.is_crowded, usage
        if self.is_crowded:
            self._silent_until = self._clock() + self._term
        if self.is_crowded and not before:
            log.error(
                "The NOTIFY queue of the server is filled to %.0f %%: a connection that listens "
                "has been in a transaction for long. End it (docs/operate, LudotecaNewsQueue); "
                "until then the other processes see changes a second later.",
                100 * usage,
            )
        elif before and not self.is_crowded:
            log.info("the NOTIFY queue of the server has room again")
