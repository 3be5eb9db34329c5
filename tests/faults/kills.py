"""Kills a playing process again and again, and adds up what its successor finds."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.killed_player import POINTS

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Tally:
    """What was found after all kills."""

    kills: int = 0
    stale: int = 0
    lost: int = 0
    doubled: int = 0
    unsettled: int = 0
    duplicates: int = 0
    slowest: float = 0.0
    points: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        """Whether nothing at all was lost, doubled, stale or posted twice."""
        return not (self.stale or self.lost or self.doubled or self.unsettled or self.duplicates)

    def add(self, found: dict) -> None:
        """Add one successor's findings."""
        self.stale += found["stale"]
        self.lost += found["lost"]
        self.doubled += found["doubled"]
        self.unsettled += not found["settled"]
        self.duplicates = max(self.duplicates, found["messages"] - found["tables"])
        self.slowest = max(self.slowest, found["seconds"])


def killed(folder: Path, kills: int, points: tuple[str, ...] = POINTS, seed: int = 1) -> Tally:
    """Kill *kills* processes at *points* in turn, all on one database in *folder*."""
    rng = random.Random(seed)
    tally = Tally()
    attempts = 0
    while tally.kills < kills and attempts < 3 * kills + 10:
        attempts += 1
        point = points[tally.kills % len(points)]
        status, found = _run(folder, rng.getrandbits(30), point)
        tally.add(found)
        if status == -signal.SIGKILL:
            tally.kills += 1
            tally.points[point] += 1
    _, found = _run(folder, 0, "none")
    tally.add(found)
    return tally


def _run(folder: Path, seed: int, point: str) -> tuple[int, dict]:
    command = [sys.executable, "-m", "tests.faults.killed_player", str(folder), str(seed), point]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    if not lines or done.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the player ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.returncode, json.loads(lines[0])
