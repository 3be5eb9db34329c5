"""What the process spares: descriptors for whoever needs them, and lines of the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from cachetools import LRUCache

try:
    import resource
except ImportError:  # pragma: no cover - Windows knows no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

KINDS = 256
"""Of how many kinds of lines we remember when they were written last."""

DESCRIPTORS = 65_536
"""More open files than this we never need, and some systems take no larger number."""


def raise_descriptors() -> None:
    """Let the process have as many open files as the hard limit allows."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as wrong:
        log.warning("the limit of open files stays at %d: %s", soft, wrong)


@dataclass
class OneASecond(logging.Filter):
    """Lets each kind of line through once a second, and says how many were left out.

    A kind is the beginning of the first line: what follows names sockets and addresses.
    """

    clock: Callable[[], float] = monotonic
    _written: LRUCache[str, float] = field(default_factory=lambda: LRUCache(KINDS))
    _left_out: LRUCache[str, int] = field(default_factory=lambda: LRUCache(KINDS))

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether *record* is written."""
        said = record.getMessage()
        kind = said.partition("\n")[0][:60]
        now = self.clock()
        if now < self._written.get(kind, now - 1) + 1:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._written[kind] = now
        more = self._left_out.pop(kind, 0)
        if more:
            record.msg, record.args = f"{said} (and {more} more like this)", ()
        return True
