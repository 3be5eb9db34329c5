"""When people are left alone: on their holidays and in their quiet hours. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.session.preferences import Personal
from bot.session.time_controls import DAY
from bot.session.unit_of_work import Refused
from games.core import phrase

LONGEST = 14
"""The most days of one holiday."""

A_YEAR = 30
"""How many days of a year."""

YEAR = 365 * DAY


def away_until(chosen: Personal, now: int) -> int | None:
    """The end of the holiday that a person has at the instant *now*, if any."""
    return next((end for start, end in chosen.holidays if start <= now < end), None)


def left(chosen: Personal, now: int) -> int:
    """The whole days of holiday that a person has left of the year up to *now*."""
    since = now - YEAR
    taken = sum(max(0, end - max(start, since)) for start, end in chosen.holidays)
    return max(0, A_YEAR - -(-taken // DAY))


def gone(chosen: Personal, days: int, now: int) -> Personal:
    """The same on holiday for *days* from *now* on; raises ``Refused`` for too many."""
    here = back(chosen, now)
    if not 1 <= days <= LONGEST:
        raise Refused(phrase("clock.holidays.longest", n=LONGEST))
    if days > left(here, now):
        raise Refused(phrase("clock.holidays.no-more", n=left(here, now)))
    kept = tuple(span for span in here.holidays if span[1] > now - YEAR)
    return replace(here, holidays=(*kept, (now, now + days * DAY)))


def back(chosen: Personal, now: int) -> Personal:
    """The same returned *now*: days that are not over are not taken."""
    spans = ((start, min(end, now)) for start, end in chosen.holidays)
    return replace(chosen, holidays=tuple(span for span in spans if span[1] > span[0]))


def quiet_for(chosen: Personal, now: datetime) -> float:
    """The seconds from *now* to the end of the quiet hours in the person's zone; 0 outside them."""
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
