"""When something starts, as people type it: «domingo 18:00», “in 2 h”, “2026-12-01 18:00”. Pure.

Words of every language are understood at once; of days and months they are those of CLDR.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Final

from babel.dates import get_day_names, get_month_names

from bot.texts import LANGUAGES, language
from games.core import RuleError, phrase

FARTHEST: Final = timedelta(days=60)
"""How far ahead something may start."""

_UNITS: Final = {
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
    "weeks": timedelta(weeks=1),
}
_WEEK, _NOON = 7, 12
_SHOWN: Final = 32
"""How much is repeated of what nobody could read."""

_ISO: Final = re.compile(r"\b(\d{4}-\d{2}-\d{2})(?:t| |$)")
_CLOCK: Final = re.compile(r"\b([01]?\d|2[0-3])(?:[:.]([0-5]\d)(?: ?h)?| ?h ?([0-5]\d)?)(?![\d:])")
_BARE: Final = re.compile(r"<at> ([01]?\d|2[0-3])()()(?![\d:.])")
_HALVES: Final = re.compile(r"\b(0?[1-9]|1[0-2])(?:[:.]([0-5]\d))? ?<(am|pm)>")
_LENGTH: Final = re.compile(r"(\d{1,4}) ?([a-z]+)")
_OF_MONTH: Final = re.compile(
    r"(?<!\d)(?:(\d{1,2}) <(\d+)>|<(\d+)> (\d{1,2}))(?: (\d{4}))?(?![\d:.])"
)


class BadStart(RuleError):
    """What was typed is no time at which something can start."""


def read_start(text: str, now: datetime, zone: tzinfo) -> datetime:
    """The instant that *text* says, in UTC; a day and an hour are those of *zone*.

    Raises ``BadStart`` with a sentence: for what nobody can read, and for what is over or too far.
    """
    said = _plain(text)
    at = _after_a_while(said, now) or _at_a_time(said, now.astimezone(zone))
    if at is None:
        day = (now.astimezone(zone) + timedelta(days=_WEEK)).date()
        raise BadStart(phrase("tournament.start.bad", text=text.strip()[:_SHOWN], day=str(day)))
    if at <= now:
        raise BadStart(phrase("tournament.start.over"))
    if at > now + FARTHEST:
        raise BadStart(phrase("tournament.start.far", n=FARTHEST.days))
    return at.astimezone(UTC)


def _plain(text: str) -> str:
    """*text* in small letters without accents, its words apart by one blank."""
    parts = unicodedata.normalize("NFD", text.casefold())
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    return " ".join(re.sub(r"[,;!¡<>]|(?<=[a-z])\.", " ", bare).split())


def _after_a_while(said: str, now: datetime) -> datetime | None:
    """“in 2 h”, «dentro de 1 h 30 min», “2h”: so long after *now*."""
    words = _without(said, "in")
    found = _LENGTH.findall(words)
    if not found or _LENGTH.sub("", words).strip():
        return None
    lengths = [_UNITS.get(_meaning(word), timedelta()) * int(count) for count, word in found]
    return now + sum(lengths, timedelta()) if all(lengths) else None


def _at_a_time(said: str, here: datetime) -> datetime | None:
    """“tomorrow 20:30”, «el domingo a las 6 de la tarde»: the next such time after *here*."""
    # *said* with signs for the words that mean the same in every language.
    for sign in ("am", "pm", "at", "today", "tomorrow"):
        for word in _words(sign):
            said = re.sub(rf"(?<![a-z<]){re.escape(word)}(?![a-z>])", f" <{sign}> ", said)
    of = "|".join(map(re.escape, _words("of")))
    for name, month in _months().items():
        said = re.sub(
            rf"(?<![a-z<])(?:(?:{of}) )?{name}(?: (?:{of}))?(?![a-z])", f"<{month}>", said
        )
    said = " ".join(said.split())
    day, rest = _day(said, here.date())
    hour, rest = _hour(rest)
    if hour is None or _without(rest.replace("<at>", ""), "joins"):
        return None
    if day is not None and day[1]:
        return _on(day[0], hour, here)
    at = _on(here.date() if day is None else day[0], hour, here)
    if at <= here:
        at = _on(at.date() + timedelta(days=1 if day is None else _WEEK), hour, here)
    return at


def _on(day: date, hour: time, here: datetime) -> datetime:
    return datetime.combine(day, hour, here.tzinfo)


def _day(said: str, today: date) -> tuple[tuple[date, bool] | None, str]:
    """The day in *said*, and whether it is that very one; and all other words."""
    if found := _ISO.search(said):
        try:
            return (date.fromisoformat(found[1]), True), said[: found.start()] + said[found.end() :]
        except ValueError:
            return None, said
    if found := _OF_MONTH.search(said):
        number, month = int(found[1] or found[4]), int(found[2] or found[3])
        named = _date(number, month, int(found[5]) if found[5] else None, today)
        if named is not None:
            return (named, True), said[: found.start()] + said[found.end() :]
        return None, said
    for word in said.split():
        rest = " ".join(one for one in said.split() if one != word)
        if word in ("<today>", "<tomorrow>"):
            return (today + timedelta(days=int(word == "<tomorrow>")), True), rest
        if word in (weekdays := _weekdays()):
            return (today + timedelta(days=(weekdays[word] - today.weekday()) % _WEEK), False), rest
    return None, said


def _date(number: int, month: int, year: int | None, today: date) -> date | None:
    """The day *number* of *month*: of *year*, or the next one; ``None`` where there is none."""
    try:
        found = date(today.year if year is None else year, month, number)
        if year is None and found < today:
            found = date(today.year + 1, month, number)
    except ValueError:
        return None
    return found


def _hour(said: str) -> tuple[time | None, str]:
    """The time of day in *said*, and all other words."""
    if found := _HALVES.search(said):
        hour = int(found[1]) % _NOON + (_NOON if found[3] == "pm" else 0)
        return time(hour, int(found[2] or 0)), said[: found.start()] + said[found.end() :]
    if found := _CLOCK.search(said) or _BARE.search(said):
        minute = int(found[2] or found[3] or 0)
        return time(int(found[1]), minute), said[: found.start()] + said[found.end() :]
    return None, said


def _without(said: str, key: str) -> str:
    """*said* without the words that *key* lists."""
    return " ".join(one for one in said.split() if one not in _words(key))


def _meaning(word: str) -> str:
    """The unit that *word* names, ``""`` for none."""
    return next((unit for unit in _UNITS if word in _words(unit)), "")


@cache
def _words(key: str) -> tuple[str, ...]:
    """The words for *key* in all languages, the longest first; a hyphen stands for a blank."""
    said = (language(code).say(phrase(f"tournament.start.words.{key}")) for code in LANGUAGES)
    words = {_plain(word.replace("-", " ")) for line in said for word in line.split()}
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


@cache
def _weekdays() -> Mapping[str, int]:
    """The days of the week, from 0 for Monday, by their names."""
    return _names(get_day_names)


@cache
def _months() -> Mapping[str, int]:
    """The months, from 1, by their names; a day of the week goes before a month."""
    found = _names(get_month_names)
    return {name: month for name, month in found.items() if name not in _weekdays()}


def _names(read: Callable[..., Mapping[int, str]]) -> Mapping[str, int]:
    found: dict[str, set[int]] = {}
    for code in LANGUAGES:
        for width in ("wide", "abbreviated"):
            for number, name in read(width, "format", code.replace("-", "_")).items():
                found.setdefault(_plain(name), set()).add(number)
    # What means one day here and another one there is read as neither.
    return {name: min(of) for name, of in found.items() if len(of) == 1}
