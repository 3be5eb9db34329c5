"""What a person and a place have chosen, how storage keeps it, and when people are left alone.

A field is one row of the settings. What is stored and cannot be read, as of a later release, is as
if it had not been chosen; the rest counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Annotated, Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from bot.session.game_clock import Span
from bot.session.time_controls import DAY
from bot.session.unit_of_work import refuse_if
from bot.texts import spoken
from storage.records import JSON

LONGEST_HOLIDAY = 14
"""The most days of one holiday."""

A_YEAR = 30
"""How many days of a year."""

YEAR = 365 * DAY

EVERY_GAME = "all"
"""The value of the daily puzzle that takes each game in turn."""

Hour = Annotated[int, Field(ge=0, le=23)]


class NotificationChoice(StrEnum):
    """When a person wants to be notified."""

    ALWAYS = "always"
    AWAY = "away"
    TIME = "time"
    """Only where time runs out."""
    NEVER = "never"


class Openers(StrEnum):
    """Who may open tables in a place."""

    ALL = "all"
    ROLES = "roles"
    MANAGERS = "managers"


@dataclass(frozen=True)
class Personal:
    """What a person has chosen; ``None`` leaves it to the place.

    *quiet* are the hours of the day, from and to, 0 to 23, without notifications; *zone* is the
    IANA name of the time zone. *refuses* says that nobody may challenge them; *refused* are the
    ids of people who may not.
    """

    theme: str | None = None
    pieces: str | None = None
    material: bool | None = None
    """Whether boards look like wood, sea, felt and paper."""
    own_side: bool = True
    declines_starter: bool = False
    """Whether they have declined the newcomer's set of pieces."""
    calls: NotificationChoice = NotificationChoice.AWAY
    quiet: tuple[Hour, Hour] | None = None
    zone: str = ""
    hints: bool | None = None
    refuses: bool = False
    refused: tuple[int, ...] = ()
    strangers: bool = False
    """Whether they play with people of other places, who see their name beside an open table."""
    muted: tuple[int, ...] = ()
    """The ids of the people whose words over a table they do not read."""
    coached: tuple[str, ...] = ()
    """The games in which they answered the coach right, each as often as they did."""
    off_ladders: bool = False
    """Whether the person stands on no ladder."""
    seen_everywhere: bool = False
    """Whether people of other places may see what the person has played."""
    holidays: tuple[Span, ...] = ()
    """The spans of holiday, past and present, in milliseconds of the steady clock."""
    client: str = ""
    """The language that their chat program told last; nobody chooses it here."""
    speaks: str = ""
    """The language of what they wrote last, which counts until a program tells one."""


@dataclass(frozen=True)
class PlaceRules:
    """What those who manage a place have chosen for it.

    *roles* and *channels* are ids of the platform: who may open tables where *openers* asks for a
    role, and where alone tables may be opened, anywhere while there are none. *threads* says that
    each table gets a place of its own. *each* and *most* are
    how many tables may be open, of a person and in all, where not as many as usual.
    """

    theme: str | None = None
    pieces: str = "one"
    material: bool = False
    openers: Openers = Openers.ALL
    roles: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    threads: bool = False
    each: int | None = None
    most: int | None = None
    calls: bool = True
    hints: bool = False
    ladder: bool = True
    """Whether games between people count for the ratings here, unless they choose otherwise."""
    season: Annotated[bool, BeforeValidator(bool)] = False
    """Whether each month is played as a league, at whose end the podium is posted.

    Earlier releases kept how long a season lasts.
    """
    podium: str = ""
    """The channel in which that is done, where the place has channels."""
    seeking: str = ""
    """The id of the role that is called when a table waits for players."""
    strangers: bool = False
    """Whether open tables are shown to, and shown of, other places that want so too."""
    daily: str = ""
    """The game of the daily puzzle, by the first letters of its key; ``all`` for each in turn."""
    day_hour: int = 18
    """The hour at which the daily puzzle is posted, in the time zone *day_zone*."""
    day_zone: str = ""
    day_place: str = ""
    """The id of the channel in which it is posted."""
    day_minute: Annotated[int, Field(ge=0, le=59)] = 0
    weekly: bool = False
    """Whether the week of the club is posted on Mondays, where and when the daily puzzle is."""
    day_person: int | None = None
    day_language: str = ""
    """The person whom it reminds, where the place is their private chat."""


@dataclass(frozen=True)
class Look:
    """How boards look: the *theme*, the set of *pieces*, the side at the bottom, and the ground.

    The ground may be a *material*.

    *own_side* says that a board one person sees has their side at the bottom, *hints* that it tells
    what plays a part of the game for people.
    """

    theme: str = "light"
    pieces: str = "one"
    own_side: bool = True
    hints: bool = False
    material: bool = False


def look(
    usual: str,
    rules: PlaceRules,
    personal: Personal | None = None,
    players: Collection[Personal] = (),
) -> Look:
    """What is shown in a place of *rules*, to *personal* alone if given; *usual* is the theme.

    A shared board has the pieces that all its *players* have chosen, where they are the same.
    """
    theme = rules.theme or usual
    if personal is None:
        agreed = {one.pieces for one in players}
        chosen = agreed.pop() if len(agreed) == 1 else None
        return Look(theme, chosen or rules.pieces, hints=rules.hints, material=rules.material)
    hints = rules.hints if personal.hints is None else personal.hints
    pieces = personal.pieces or rules.pieces
    material = rules.material if personal.material is None else personal.material
    return Look(personal.theme or theme, pieces, personal.own_side, hints, material)


Chosen = TypeVar("Chosen", Personal, PlaceRules)

_ADAPTERS: Mapping[type, TypeAdapter[Any]] = {
    kind: TypeAdapter(kind) for kind in (Personal, PlaceRules)
}


def read(kind: type[Chosen], stored: Mapping[str, JSON]) -> Chosen:
    """What *stored* says that was chosen; the defaults where it says nothing that can be read."""
    unread = unreadable(kind, stored)
    rest = {name: value for name, value in stored.items() if name not in unread}
    adapter: TypeAdapter[Chosen] = _ADAPTERS[kind]
    return adapter.validate_python(rest)


def unreadable(kind: type[Personal | PlaceRules], stored: Mapping[str, JSON]) -> frozenset[str]:
    """The names of what *stored* says in a way that cannot be read."""
    try:
        _ADAPTERS[kind].validate_python(stored)
    except ValidationError as wrong:
        return frozenset(str(error["loc"][0]) for error in wrong.errors() if error["loc"])
    return frozenset()


def stored(chosen: Personal | PlaceRules) -> dict[str, JSON]:
    """*chosen* as storage keeps it: what differs from the defaults."""
    adapter = _ADAPTERS[type(chosen)]
    kept: dict[str, JSON] = adapter.dump_python(chosen, mode="json", exclude_defaults=True)
    return kept


def board_language(place: str | None, server: str | None, opener: str | None, default: str) -> str:
    """The language of the *place*, else by the locale of *server*, *opener* or *default*."""
    if place is not None and spoken(place):
        return _as_spoken(place, server, opener)
    return spoken(server) or spoken(opener) or default


def answer_language(chosen: str | None, client: str | None, place: str) -> str:
    """The language of an answer: *chosen*, else the *client*'s, else that of the *place*."""
    if chosen is not None and spoken(chosen):
        return _as_spoken(chosen, client)
    return spoken(client) or place


def _as_spoken(language: str, *locales: str | None) -> str:
    """The *language* as in Spain or as in America, by the first of the *locales* that speaks it."""
    known = (spoken(locale) for locale in locales)
    return next((code for code in known if code and code.startswith(language)), language)


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
    refuse_if(not 1 <= days <= LONGEST_HOLIDAY, "clock.holidays.longest", n=LONGEST_HOLIDAY)
    refuse_if(days > left(here, now), "clock.holidays.no-more", n=left(here, now))
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
    here = now.astimezone(zone_of(chosen.zone))
    until_begin, until_end = (hour - here.hour for hour in (begin, end))
    quiet = until_begin <= 0 < until_end if begin < end else until_begin <= 0 or until_end > 0
    if not quiet:
        return 0.0
    day = here if until_end > 0 else here + timedelta(days=1)
    over = day.replace(hour=end, minute=0, second=0, microsecond=0)
    # Compared in UTC: between two instants of one zone Python counts hands of the clock, not time.
    return (over.astimezone(UTC) - now.astimezone(UTC)).total_seconds()


def zone_of(name: str) -> tzinfo:
    """The time zone with this IANA name; UTC for none and for one that nobody knows."""
    with suppress(ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(name) if name else UTC
    return UTC
