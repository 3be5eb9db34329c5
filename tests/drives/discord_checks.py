"""What every drive through Discord checks and tells."""

from __future__ import annotations

import random
from typing import Any

from tests.drives.bench import Bench
from tests.drives.findings import Findings, below, told

SECOND = 1.0
"""Within this every interaction has its first answer."""


def judged(at: Bench, said: str, *, good: bool = True) -> tuple[bool, str]:
    """The verdict of a drive: what it saw, and what none may see."""
    first, faults = at.latencies(), at.faults()
    slow = below(first, 1.0) > SECOND
    said = f"{said}; first answers {told(first)}; unanswered {at.unanswered()}"
    if faults:
        said = f"{said}; {'; '.join(faults[:4])}"
    return good and not faults and not slow and not at.unanswered(), said


async def concluded(at: Bench, found: Findings, *, traced: bool = False) -> Findings:
    """Count what may not be, and end the process in order.

    *traced* says that a traceback in the log is in order.
    """
    found.latencies = found.latencies or at.latencies()
    found.violations = len(at.fake.violations)
    found.unanswered += at.unanswered()
    found.wrong += [one for one in at.faults() if not (traced and one.startswith("a traceback"))]
    status, _ = await at.bot.stop(timeout=30)
    if status != 0:
        found.wrong.append(f"the process ended with {status}")
    return found


def legal(at: Bench, message: Any) -> str:
    """A legal move as it is typed: what stands behind the dot of a button."""
    return random.Random(1).choice(at.moves(message))["label"].rpartition("· ")[2]
