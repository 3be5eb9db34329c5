"""Whether the database answers: said once when it no longer does, once when it does again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from storage.errors import DatabaseAway, DatabaseFull, StorageError

log = logging.getLogger(__name__)

SAID_ONCE = (DatabaseAway, DatabaseFull)
"""The errors that every user of the database meets while one fact lasts."""


class Availability:
    """What the users of a database have found when they last asked it.

    A user is named by what it does: ``transactions`` or ``processes``. One that met an error counts
    until its next success.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.waiting: dict[str, StorageError] = {}
        """Those who have not been answered since an error, each with the last one."""
        self._since = 0.0

    @property
    def is_reached(self) -> bool:
        """Whether nobody waits for the database to come back."""
        return not self.waiting

    def note_failure(self, user: str, wrong: StorageError) -> None:
        """Note that *user* has met *wrong*, which is said where it is the first."""
        if not self.waiting:
            self._since = self._clock()
            log.error("%s It is tried again and again; what comes of that is said once.", wrong)
        self.waiting[user] = wrong

    def note_answer(self, user: str, *, wrote: bool = True) -> None:
        """Note that *user* was answered. A full disk is over when somebody *wrote*."""
        wrong = self.waiting.get(user)
        if wrong is None or (isinstance(wrong, DatabaseFull) and not wrote):
            return
        del self.waiting[user]
        if not self.waiting:
            log.info("the database is back after %.0f s", self._clock() - self._since)


class SaidOnce(logging.Filter):
    """Leaves out lines whose reason ``Availability`` has told already."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether *record* tells anything new."""
        if record.name == __name__:
            return True
        arguments = record.args if isinstance(record.args, tuple) else ()
        raised = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        return not any(isinstance(one, SAID_ONCE) for one in (*arguments, raised))
