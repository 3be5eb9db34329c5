"""The faults far beyond their numbers, in portions: hours that may be cut off and taken up again.

A portion is half of a fault's full numbers, each with a chance of its own; rows with kills have
six portions, which is three times their numbers, the cheap ones twenty. Every finished portion is
a line of a file, as JSON. What stands there is not driven again, but for what failed.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.drives.findings import Dose, Findings
from tests.drives.stage import ROOT

SHARE = 0.5
"""Of the full numbers, in one portion."""

DYING = frozenset({"F1", "F2", "F4", "F14"})
"""The rows in which processes die."""

Drive = Callable[[str, str, Dose], Findings]
"""Drives a row on a platform, and tells what came of it."""


@dataclass(frozen=True)
class Portion:
    """One portion of a row; *wrong* are sentences on what may not be."""

    row: str
    platform: str
    portion: int
    share: float
    count: int
    what: str
    lost: int
    doubled: int
    stale: int
    duplicates: int
    violations: int
    unanswered: int
    worst_ms: int
    also: dict[str, int]
    wrong: list[str]
    good: bool
    seconds: int
    commit: str
    ended: str
    failed_before: int = 0

    @property
    def key(self) -> tuple[str, str, int]:
        """Which portion it is."""
        return self.row, self.platform, self.portion


def portions(row: str) -> int:
    """How many portions a row has."""
    return round((3 if row in DYING else 10) / SHARE)


def planned(rows: Iterable[str], platforms: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """All portions: the first one of every row on every platform, then the second ones …"""
    rows, platforms = tuple(rows), tuple(platforms)
    for number in range(max(map(portions, rows))):
        for platform in platforms:
            yield from ((row, platform, number) for row in rows if number < portions(row))


def told(file: Path) -> dict[tuple[str, str, int], Portion]:
    """The portions that *file* tells of, the last word on each; a line cut off says nothing."""
    known: dict[tuple[str, str, int], Portion] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            one = Portion(**json.loads(line))
        except (ValueError, TypeError):
            continue
        before = known.get(one.key)
        if before is not None:
            one = replace(one, failed_before=before.failed_before + (not before.good))
        known[one.key] = one
    return known


def campaign(file: Path, rows: Iterable[str], platforms: Iterable[str], drive: Drive) -> bool:
    """Drive what *file* does not tell of yet, a line for each; whether all was well.

    What has failed before is driven again after the new portions of the same number.
    """
    rows, platforms = tuple(rows), tuple(platforms)
    known = told(file)
    wanted = [key for key in planned(rows, platforms) if key not in known or not known[key].good]
    for row, platform, number in sorted(wanted, key=lambda key: (key[2], key in known)):
        began = time.monotonic()
        found = drive(platform, row, Dose(SHARE, number))
        one = _portion(row, platform, number, found, time.monotonic() - began)
        _append(file, json.dumps(asdict(one), ensure_ascii=False))
    return all(told(file)[key].good for key in planned(rows, platforms))


def _append(file: Path, line: str) -> None:
    cut_off = file.exists() and not file.read_bytes().endswith((b"\n",))
    with file.open("a") as lines:
        lines.write("\n" * cut_off + line + "\n")


def _portion(row: str, platform: str, number: int, found: Findings, seconds: float) -> Portion:
    return Portion(
        row=row,
        platform=platform,
        portion=number,
        share=SHARE,
        count=found.count,
        what=found.what,
        lost=found.lost,
        doubled=found.doubled,
        stale=found.stale,
        duplicates=found.duplicates,
        violations=found.violations,
        unanswered=found.unanswered,
        worst_ms=round(1000 * max(found.latencies, default=0.0)),
        also=dict(found.also),
        wrong=found.wrong,
        good=found.good,
        seconds=round(seconds),
        commit=_commit(),
        ended=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )


def _commit() -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]  # no commit outside of a checkout
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def table(file: Path, names: dict[str, str], platforms: int) -> str:
    """All that *file* tells of as a table in Markdown; *names* are those of the rows."""
    known = sorted(told(file).values(), key=lambda one: (int(one.row[1:]), one.key))
    rows = dict.fromkeys((one.row, one.platform) for one in known)
    failed = sum(one.failed_before + (not one.good) for one in known)
    commits = ", ".join(sorted({one.commit for one in known if one.commit}))
    return "\n".join(
        (
            "| | what | on | how many | × | lost | doubled | stale | unanswered | worst answer |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *(
                _line(*row, names[row[0]], [one for one in known if one.key[:2] == row])
                for row in rows
            ),
            "",
            f"{len(known)} of {platforms * sum(map(portions, names))} portions in "
            f"{sum(one.seconds for one in known) / 3600:.1f} h, {failed} of them failed "
            f"({commits}).",
        )
    )


def _line(row: str, platform: str, name: str, those: list[Portion]) -> str:
    doubled = sum(one.doubled + one.duplicates for one in those)
    cells = (
        row,
        name,
        platform,
        f"{sum(one.count for one in those):,} {those[0].what}",
        f"{sum(one.share for one in those):g}",
        sum(one.lost for one in those),
        doubled,
        sum(one.stale for one in those),
        sum(one.unanswered for one in those),
        f"{max(one.worst_ms for one in those)} ms",
    )
    return f"| {' | '.join(map(str, cells))} |"
