"""What a long run measures of a bot, and whether its memory is flat."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from tests.live_bot import asked

MEGABYTE = 2**20

FLAT = 0.05
"""The part of its mean by which memory may rise along the second half of a run."""


@dataclass(frozen=True)
class Sample:
    """A bot at one instant: sizes in bytes, times in seconds."""

    at: float
    bot: int
    """Resident memory of the process that serves the page."""
    workers: int
    """The same of its children: those that think, and those that watch over them."""
    processes: int
    descriptors: int
    threads: int
    metrics: int
    """Lines of ``/metrics``, 0 where it did not answer."""
    database: int
    journal: int
    log: int
    seconds: float
    """Of a processor, in all, by the process that serves the page."""

    def line(self) -> str:
        """All of it, for whoever reads along."""
        sizes = (
            f"{name} {getattr(self, name) / MEGABYTE:.1f}"
            for name in ("bot", "workers", "database", "journal", "log")
        )
        counts = (
            f"{name} {getattr(self, name)}"
            for name in ("processes", "descriptors", "threads", "metrics")
        )
        told = ", ".join((*sizes, *counts))
        return f"{self.at:6.0f} s: {told}, processor {self.seconds:.0f} s"


def sample(pid: int, at: float, metrics: int, database: Path, log: Path) -> Sample:
    """The bot of process *pid* now, whose ``/metrics`` are on the port *metrics* (Linux)."""
    children = list(_descendants(pid))
    _, page = asked(metrics, "/metrics")
    return Sample(
        at=at,
        bot=_resident(pid),
        workers=sum(_resident(child) for child in children),
        processes=1 + len(children),
        descriptors=len(os.listdir(f"/proc/{pid}/fd")),
        threads=len(os.listdir(f"/proc/{pid}/task")),
        metrics=page.count("\n"),
        database=_size(database),
        journal=_size(database.with_name(f"{database.name}-wal")),
        log=_size(log),
        seconds=_processor(pid),
    )


def _descendants(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from _descendants(int(child))


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):  # a worker that has just ended
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _processor(pid: int) -> float:
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def second_half(samples: Sequence[Sample]) -> list[Sample]:
    """The samples of the second half of the time."""
    middle = (samples[0].at + samples[-1].at) / 2
    return [one for one in samples if one.at >= middle]


def rise(times: Sequence[float], values: Sequence[float]) -> float:
    """By what part of their mean *values* rise from the first of *times* to the last.

    Along the straight line through them (least squares), so that one sample, high or low by
    chance, does not decide. 0 for fewer than two.
    """
    if len(times) < 2 or not any(values):
        return 0.0
    slope = statistics.linear_regression(times, values).slope
    return slope * (times[-1] - times[0]) / statistics.fmean(values)


def risen(samples: Sequence[Sample], what: str) -> float:
    """By what part of its mean *what* (a field of samples) rises along *samples*."""
    return rise([one.at for one in samples], [getattr(one, what) for one in samples])


def ranges(samples: Iterable[Sample]) -> str:
    """The least and the most of every field."""
    kept = list(samples)
    told = []
    for field in fields(Sample):
        if field.name in ("at", "seconds"):
            continue
        values = [getattr(one, field.name) for one in kept]
        if max(values) > MEGABYTE:
            told.append(
                f"{field.name} {min(values) / MEGABYTE:.1f}-{max(values) / MEGABYTE:.1f} MB"
            )
        else:
            told.append(f"{field.name} {min(values)}-{max(values)}")
    return ", ".join(told)
