"""What a fault did to a platform, as one line of figures."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from dataclasses import dataclass, field

SLOWEST = 3.0
"""Seconds after which Discord's people read that the interaction failed (F6, F7)."""


@dataclass(frozen=True)
class Dose:
    """The *share* of a fault's full numbers, and the *portion* by whose number chance differs."""

    share: float = 1.0
    portion: int = 0

    def of(self, full: int, least: int) -> int:
        """So many of *full*, never fewer than *least*."""
        return max(least, round(full * self.share))

    def rng(self, own: int) -> random.Random:
        """The chance of a drive whose *own* number is this, another one in every portion."""
        return random.Random(own + 1000 * self.portion)


@dataclass
class Findings:
    """How many of *what* there were, and of everything that may not be how much there was.

    *also* are further figures, *wrong* sentences on what else may not be, and *slowest* is the
    longest that a first answer may take, in seconds.
    """

    count: int
    what: str
    lost: int = 0
    doubled: int = 0
    stale: int = 0
    duplicates: int = 0
    violations: int = 0
    unanswered: int = 0
    latencies: list[float] = field(default_factory=list)
    also: Counter[str] = field(default_factory=Counter)
    longest: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    slowest: float = SLOWEST

    @property
    def good(self) -> bool:
        """Whether nothing was that may not be."""
        counted = (self.lost, self.doubled, self.stale, self.duplicates, self.violations)
        late = max(self.latencies, default=0.0) >= self.slowest
        return not (any(counted) or self.unanswered or self.wrong or late)

    def took(self, what: str, seconds: float) -> None:
        """Note that *what* took *seconds*; the longest is told."""
        self.longest[what] = max(self.longest.get(what, 0.0), seconds)

    def line(self) -> str:
        """All the figures."""
        parts = [
            f"{self.count} {self.what}: lost {self.lost}, doubled {self.doubled}, "
            f"stale {self.stale}, duplicates {self.duplicates}, violations {self.violations}, "
            f"unanswered {self.unanswered}",
            f"first answers {told(self.latencies)}",
        ]
        parts += [f"{count} {what}" for what, count in self.also.items()]
        parts += [f"{what} at most {seconds:.1f} s" for what, seconds in self.longest.items()]
        return "; ".join(parts + self.wrong[:4])


def below(values: list[float], part: float) -> float:
    """The value below which the *part* of all *values* lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def told(values: list[float]) -> str:
    """Median, 99th percentile and worst in milliseconds."""
    if not values:
        return "none"
    return (
        f"median {statistics.median(values) * 1000:.0f}, p99 {below(values, 0.99) * 1000:.0f}, "
        f"worst {max(values) * 1000:.0f} ms of {len(values)}"
    )
