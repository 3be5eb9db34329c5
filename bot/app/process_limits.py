"""The limits of the process: open files, and repeated lines of the log."""

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
"""For how many kinds of lines the time of the last one is remembered."""

DESCRIPTORS = 65_536
"""The most open files that we ask for; some systems take no larger number."""


def raise_descriptors() -> None:
    """Raise the soft limit of open files to the hard one, up to ``DESCRIPTORS``."""
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
    """Passes each kind of line once a second, with the number of those left out.

    A kind is the beginning of the first line; sockets and addresses come later.
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
