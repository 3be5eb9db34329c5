"""What a record tells of the clock: its control, and how long each entry of the log took.

The tag ``Clock`` holds the control, such as ``9h+1m``; ``Spent`` the milliseconds of every entry
in order, with a dash where no clock ran.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core.record import Record

CLOCK = "Clock"
SPENT = "Spent"
"""The keys of the tags."""

_NONE = "-"


def spent_of(record: Record) -> tuple[int | None, ...]:
    """The milliseconds of every entry of the log of *record*, ``None`` where nothing is told."""
    words = record.tags.get(SPENT, "").split()
    times = [int(word) if word.isascii() and word.isdigit() else None for word in words]
    return tuple(times[n] if n < len(times) else None for n in range(len(record.log)))


def spent_tag(times: Sequence[int | None]) -> Mapping[str, str]:
    """The tag that tells *times*, none where nothing took any time."""
    if not any(times):
        return {}
    return {SPENT: " ".join(_NONE if time is None else str(time) for time in times)}


def timed(times: Mapping[int, int], length: int) -> Mapping[str, str]:
    """The tag of a log of *length* entries of which some took these *times*, by their numbers."""
    return spent_tag([times.get(number) for number in range(length)])
