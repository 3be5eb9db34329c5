"""The full numbers: ``python -m tests.faults [--share 0.1]``."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.clicks import repeated, simultaneous, stale
from tests.faults.flags import between
from tests.faults.kills import killed
from tests.faults.rematches import inside


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full numbers")
    share = parser.parse_args().share
    failed = False

    def said(name: str, good: bool, text: str, began: float) -> None:
        nonlocal failed
        failed |= not good
        mark = "ok  " if good else "FAIL"
        print(f"{mark} {name}: {text} ({time.monotonic() - began:.0f} s)", flush=True)

    for name, points in (
        ("F1 killed after the commit", ("after-commit", "before-send")),
        ("F2 killed before the commit", ("received", "before-commit")),
        ("F4 killed after sending", ("after-send",)),
    ):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            tally = killed(Path(folder), max(1, round(200 * share)), points)
        text = (
            f"{tally.kills} kills, {tally.stale} stale boards, {tally.lost} lost, "
            f"{tally.doubled} doubled, {tally.duplicates} duplicates, "
            f"slowest recovery {tally.slowest:.2f} s"
        )
        said(name, tally.clean, text, began)

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = inside(Path(folder), max(1, round(200 * share)))
    text = (
        f"{found.kills} kills, {found.boardless} tables without a board, "
        f"{found.children} second children, {found.lost} consents lost"
    )
    said("B6 killed inside a rematch", found.clean, text, began)

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        fallen = between(Path(folder), max(1, round(200 * share)))
    text = (
        f"{fallen.kills} kills, {fallen.tables} flags, {fallen.standing} not fallen, "
        f"{fallen.doubled} doubled, {fallen.uncalled} not called, {fallen.stale} stale boards"
    )
    said("F12 killed between flag and display", fallen.clean, text, began)

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        sent, double = asyncio.run(repeated(Path(folder), max(1, round(2000 * share))))
    said("F3 delivered one to five times", not double, f"{sent} updates, {double} double", began)

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        rounds = max(1, round(200 * share))
        wrong = asyncio.run(simultaneous(Path(folder), rounds))
    said("F5 eight clicks at once", not wrong, f"{rounds} rounds, {wrong} wrong", began)

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        clicks = max(1, round(1000 * share))
        applied, slowest = asyncio.run(stale(Path(folder), clicks))
    text = f"{clicks} stale clicks, {applied} applied, slowest answer {slowest * 1000:.0f} ms"
    said("F6 old buttons after a restart", not applied and slowest < 3, text, began)
    sys.exit(failed)


if __name__ == "__main__":
    main()
