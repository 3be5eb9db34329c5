"""What came of an evening with switches: who pressed what, and which states there were."""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

FLIP = 3.5
"""Seconds around the flip of a switch in which it may have been on or off for a press."""

LATE = 3.0
"""Seconds within which everybody is to hear something."""


@dataclass(frozen=True)
class Pressed:
    """Something that somebody did: a *kind* of press or line, in *place*, *at* an instant."""

    kind: str
    place: Any
    at: float
    handle: Any


@dataclass
class Silence:
    """A time in which a place lets nothing be said; ``None`` of *until* lasts still."""

    place: Any
    since: float
    until: float | None = None

    def covers(self, one: Pressed) -> bool:
        """Whether *one* may have met it."""
        ended = self.until is not None and one.at > self.until + FLIP
        return self.place == one.place and one.at > self.since - FLIP and not ended


@dataclass
class Report:
    """Everything that was done in an evening, and the lines that tell of it."""

    title: str
    done: list[Pressed] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    switched: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    """Presses that the client did not let through: nothing came to us."""
    lines: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def note(self, kind: str, place: Any, handle: Any) -> None:
        """Note that *handle* came of something done just now."""
        self.done.append(Pressed(kind, place, time.monotonic(), handle))

    def silenced(self, one: Pressed) -> bool:
        return any(silence.covers(one) for silence in self.silences)

    def judge(self, answered: Any) -> None:
        """Count what was done; *answered* tells the seconds of an answer, ``None`` for none."""
        waits = [(one, answered(one.handle)) for one in self.done]
        unheard = [one for one, wait in waits if wait is None]
        excused = [one for one in unheard if self.silenced(one)]
        known = sorted(wait for _, wait in waits if wait is not None)
        kinds = dict(Counter(one.kind for one in self.done).most_common())
        left = len(unheard) - len(excused)
        late = sum(wait > LATE for wait in known)
        middle = statistics.median(known or [0.0])
        high = known[int(0.95 * (len(known) - 1))] if known else 0.0
        most = known[-1] if known else 0.0
        self.lines += [
            f"presses and lines | {len(self.done)}: {kinds}; {self.refused} the client refused",
            f"unanswered / over {LATE:g} s | {left} / {late}; in states in which nothing can be "
            f"said {len(excused)}; p50 {middle:.2f}, p95 {high:.2f}, max {most:.2f} s",
        ]
        if left:
            first = [f"{one.kind} in {one.place}" for one in unheard if one not in excused][:5]
            self.wrong.append(f"{left} unanswered: {first}")

    def boards(self, looked: int, stale: list[str], double: list[str]) -> None:
        """Note what the tables show at rest."""
        right = looked - len(stale)
        self.lines.append(
            f"boards at the end | {right} of {looked} are the newest; stale {stale or 0}; "
            f"tables with two live boards {double or 0}"
        )
        self.wrong += [f"stale at rest: {stale}"] if stale else []
        self.wrong += [f"two live boards: {double}"] if double else []

    def told(self) -> str:
        """All of it, a line each."""
        load = "machine | load average {:.1f} {:.1f} {:.1f}".format(*os.getloadavg())
        states = f"states | {sum(self.switched.values())}: {dict(self.switched.most_common())}"
        wrong = [f"WRONG {one}" for one in self.wrong] or ["nothing is wrong"]
        return "\n".join((self.title, *self.lines, states, load, *wrong))
