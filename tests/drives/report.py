"""What a drive has found: figures, times, what may not be, and the status that it ends with."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeVar

MOST_TOLD = 8
"""How many breaches are told in full."""

Plan = TypeVar("Plan")


@dataclass
class Report:
    """What a drive has found; *breaches* are sentences on what may not be.

    >>> report = Report()
    >>> report.forbid(0, "moves lost")
    >>> report.took("a press", 0.12)
    >>> print(report)
    ok   0 moves lost; a press median 120, p99 120, worst 120 ms of 1
    >>> report.forbid(2, "moves lost")
    >>> print(report)
    FAIL 2 moves lost; a press median 120, p99 120, worst 120 ms of 1
         2 moves lost
    """

    counts: Counter[str] = field(default_factory=Counter)
    times: dict[str, list[float]] = field(default_factory=dict)
    """In seconds, by what has taken so long."""
    breaches: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """Whatever else is told."""

    def forbid(self, count: int, what: str) -> None:
        """Count something that may not be even once."""
        self.counts[what] += count
        if count:
            self.breaches.append(f"{count} {what}")

    def took(self, what: str, seconds: float) -> None:
        """Note that something took so long."""
        self.times.setdefault(what, []).append(seconds)

    def cell(self, name: str, wrong: Sequence[str]) -> None:
        """Note what is *wrong* in a cell of a matrix, and tell it at once."""
        self.counts["cells"] += 1
        self.counts["wrong ones"] += bool(wrong)
        for one in wrong:
            self.breaches.append(f"{name}: {one}")
            print(f"WRONG {name}: {one}", flush=True)
        if self.counts["cells"] % 25 == 0:
            print(f"{dict(self.counts)} so far", flush=True)

    def __iadd__(self, more: Self) -> Self:
        self.counts.update(more.counts)
        for what, seconds in more.times.items():
            self.times.setdefault(what, []).extend(seconds)
        self.breaches += more.breaches
        self.lines += more.lines
        return self

    def __str__(self) -> str:
        figures = [f"{count} {what}" for what, count in self.counts.items()]
        figures += [f"{what} {spread(seconds)}" for what, seconds in self.times.items()]
        told = [*self.lines, *self.breaches[:MOST_TOLD]]
        mark = "FAIL" if self.breaches else "ok  "
        return "\n     ".join([f"{mark} {'; '.join(figures)}", *told])

    def conclude(self) -> int:
        """Print it; the status of the program."""
        print(self, flush=True)
        return 1 if self.breaches else 0

    def append_to(self, file: Path) -> None:
        """Write it down as a line of *file*, after whatever line was cut off there."""
        told = file.read_bytes() if file.exists() else b""
        cut_off = bool(told) and not told.endswith(b"\n")
        with file.open("a") as lines:
            lines.write("\n" * cut_off + json.dumps(vars(self)) + "\n")

    @classmethod
    def read_from(cls, file: Path) -> list[Self]:
        """The reports that are lines of *file*; a line that was cut off says nothing."""
        found = []
        for line in file.read_text().splitlines() if file.exists() else ():
            try:
                told = json.loads(line)
            except ValueError:
                continue
            found.append(cls(**{**told, "counts": Counter(told["counts"])}))
        return found


def below(values: Sequence[float], part: float) -> float:
    """The value below which the *part* of all *values* lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def spread(seconds: Sequence[float]) -> str:
    """Median, 99th percentile and worst, in milliseconds."""
    if not seconds:
        return "never"
    told = (statistics.median(seconds), below(seconds, 0.99), max(seconds))
    middle, most, worst = (f"{1000 * one:.{1 if one < 0.1 else 0}f}" for one in told)
    return f"median {middle}, p99 {most}, worst {worst} ms of {len(seconds)}"


def portion(plans: Sequence[Plan], part: str) -> Sequence[Plan]:
    """The *part* of *plans*: ``2/4`` is the second of four.

    >>> portion([1, 2, 3, 4, 5], "2/2")
    [2, 4]
    """
    number, parts = map(int, part.split("/"))
    return plans[number - 1 :: parts]
