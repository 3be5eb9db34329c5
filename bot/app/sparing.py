"""What the process spares: descriptors for whoever needs them, and lines of the log."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from bot.pace import Limiters

try:
    import resource
except ImportError:  # pragma: no cover - Windows knows no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

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

    limiters: Limiters[str] = field(default_factory=Limiters)
    _left_out: dict[str, int] = field(default_factory=dict)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether *record* is written."""
        said = record.getMessage()
        kind = said.partition("\n")[0][:60]
        if not self.limiters.at(kind, ((1, 1.0),)).take():
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        more = self._left_out.pop(kind, 0)
        if more:
            record.msg, record.args = f"{said} (and {more} more like this)", ()
        return True
