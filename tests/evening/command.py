"""The command of the evenings."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from pathlib import Path

from tests.evening import house, wire
from tests.evening.evening import Evening, draw
from tests.evening.loop import cpu_seconds


def main() -> None:
    """Play what is asked for; the status is 1 where a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.evening")
    parser.add_argument("seed")
    parser.add_argument("--to", type=int, default=0, help="all seeds up to this one")
    parser.add_argument("--tell", action="store_true")
    parser.add_argument("--minutes", type=float, default=6.0)
    asked = parser.parse_args()
    wire.install()
    house.install()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    began = cpu_seconds()
    presses = 0
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        first = int(asked.seed)
        for seed in range(first, max(first, asked.to) + 1):
            plan = draw(str(seed), asked.minutes)
            evening = Evening(plan, Path(folder) / f"e{seed}", asked.tell)
            kept = evening.play()
            presses += int(evening.figures.get("presses", 0))
            print(
                seed,
                plan.platforms,
                evening.story.digest(),
                {k: round(v, 2) for k, v in evening.figures.items()},
                dict(kept.moments),
                len(kept.breaches),
            )
            for name, why in kept.breaches[:5]:
                print("   BROKEN", name, why)
    cpu = cpu_seconds() - began
    each = 1000 * cpu / max(1, presses)
    print(f"{presses} presses, {cpu:.1f} CPU s, {each:.1f} ms a press")
    sys.stdout.flush()
    os._exit(0)  # the dead are not woken by their collector
