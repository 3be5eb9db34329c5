"""The hours of his day in which somebody wants to be left alone. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.session.preferences import Personal


def quiet_for(chosen: Personal, now: datetime) -> float:
    """For how many seconds from *now* on nobody is to call; 0 outside the quiet hours.

    They are hours of his time zone, whatever it does in spring and autumn, and of UTC where he has
    named none.
    """
    if chosen.quiet is None or chosen.quiet[0] == chosen.quiet[1]:
        return 0.0
    begin, end = chosen.quiet
    here = now.astimezone(_zone(chosen.zone))
    until_begin, until_end = (hour - here.hour for hour in (begin, end))
    quiet = until_begin <= 0 < until_end if begin < end else until_begin <= 0 or until_end > 0
    if not quiet:
        return 0.0
    day = here if until_end > 0 else here + timedelta(days=1)
    over = day.replace(hour=end, minute=0, second=0, microsecond=0)
    # Compared in UTC: between two instants of one zone Python counts hands of the clock, not time.
    return (over.astimezone(UTC) - now.astimezone(UTC)).total_seconds()


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
