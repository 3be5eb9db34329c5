"""How much one guest may ask in a short while."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Bucket:
    """Holds *size* tokens and wins *rate* a second back; each thing asked costs one."""

    size: float
    rate: float
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.size, self.clock()

    def take(self) -> bool:
        """Take a token, if there is one."""
        now = self.clock()
        self._left = min(self.size, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
