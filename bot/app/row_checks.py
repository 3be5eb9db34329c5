"""What the columns may say beyond their types: ``ludoteca doctor`` asks each row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

from pydantic import TypeAdapter

from bot.chats.web.doors.house_invitations import INVITATIONS, read_invitations
from bot.chats.web.operator_page import CHATS
from bot.chats.web.person.guests import read_guest, read_host
from bot.chats.web.person.push import read_key
from bot.facade import (
    ALIVE,
    ALIVE_AT,
    ANNOUNCEMENT,
    ORIGINS,
    PROGRAM,
    ROLE_CALLED,
    DeadlineKind,
    is_game,
    read_announcement,
    read_instant,
    read_milliseconds,
    read_names,
    read_program,
)
from bot.facade.composition import BUTTON_KEY, read_button_key
from bot.facade.front_door import LOBBY
from bot.facade.table_talk import PRESETS
from bot.session.draft import TableDraft, TournamentDraft
from bot.session.match import read_match
from bot.session.preferences import Personal, PlaceRules, unreadable
from bot.texts import spoken
from bot.tournament.events import TOURNAMENT_EVENTS
from games.core.school import read_lesson
from games.core.shelf import shelf
from render.kit import THEMES
from storage import Judges
from storage.column_types import read_json
from storage.person.people import PASSING

PLATFORMS: Final = (*CHATS, PROGRAM)
"""The platforms of people and places."""

_Row = Mapping[str, Any]

_READERS: Mapping[str, Callable[[str], object]] = {
    BUTTON_KEY: read_button_key,
    ALIVE: read_instant,
    ALIVE_AT: read_milliseconds,
    LOBBY: read_names,
    ANNOUNCEMENT: read_announcement,
    "web:push": read_key,
    "discord-command-ids": TypeAdapter(dict[str, int]).validate_json,
    INVITATIONS: read_invitations,
    "telegram-no-pictures": read_names,
    "telegram-ephemeral": TypeAdapter(list[dict[str, Any]]).validate_json,
    "telegram-card-places": TypeAdapter(list[tuple[str, str, str, str | None, str]]).validate_json,
    "telegram-fleeting": TypeAdapter(
        list[tuple[str, str, float, str] | tuple[str, str, str]]
    ).validate_json,
}
"""The readers of settings by key."""

_READERS_OF_MANY: Mapping[str, Callable[[str, str], object]] = {
    "web:guest:": read_guest,
    ROLE_CALLED: lambda _, value: read_instant(value),
    "web:links:": lambda _, value: read_names(value),
    f"{PROGRAM}:guest:": read_program,
    f"web{PASSING}": lambda _, value: read_host(value),
    "calls-": lambda _, value: TypeAdapter(list[float]).validate_json(value),
    "posting-": lambda _, value: TypeAdapter(dict[str, Any]).validate_json(value),
}
"""The readers of settings by the beginning of their keys, whose end they are given as well."""


def _one_of(column: str, words: Collection[object]) -> Callable[[_Row], str]:
    def judge(row: _Row) -> str:
        return "" if row[column] in words else f"it is none of {', '.join(map(str, words))}"

    return judge


def _language(row: _Row) -> str:
    code = row["language"]
    return "" if code is None or spoken(code) == code else "it is no language of ours"


def _chooser(kind: type[Personal | PlaceRules]) -> Callable[[_Row], str]:
    def judge(row: _Row) -> str:
        unread = unreadable(kind, row["settings"])
        return f"what it says of {', '.join(sorted(unread))} cannot be read" if unread else ""

    return judge


def _setting(row: _Row) -> str:
    key, reader = row["key"], _READERS.get(row["key"])
    for begin, of_many in _READERS_OF_MANY.items():
        if key.startswith(begin):
            reader = partial(of_many, key.removeprefix(begin))
    if reader is not None:
        try:
            reader(row["value"])
        except Exception as wrong:  # whose words may hold the value
            return f"it cannot be read ({type(wrong).__name__})"
    return ""


def _draft(row: _Row) -> str:
    data = row["data"]
    read = TableDraft.read(data) or TournamentDraft.read(data)
    return "it is no sheet" if read is None else ""


def _payload(row: _Row) -> str:
    payload = row["payload"]
    return "it is no update" if payload and not isinstance(read_json(payload), dict) else ""


def _entry(row: _Row) -> str:
    if is_game(row["kind"]) and not len(row["people"]) == len(row["places"]) >= 2:
        return "its people and places are not equally many, two or more"
    return ""


def _tournament_event(row: _Row) -> str:
    if row["kind"] in TOURNAMENT_EVENTS.kinds:  # of no other is known what its data ought to be
        TOURNAMENT_EVENTS.read(row["kind"], row["data"], {})
    return ""


def _readable(read: Callable[..., object], *columns: str) -> Callable[[_Row], str]:
    def judge(row: _Row) -> str:
        read(*(row[column] for column in columns))
        return ""

    return judge


_lesson = _readable(read_lesson, "game", "lesson")


def _itself(column: str, key: str) -> Callable[[_Row], str]:
    return lambda row: "it is the row itself" if row[column] == row[key] else ""


def _ended(row: _Row) -> str:
    early = row["ended"] is not None and row["ended"] < row["began"]
    return "it is before the beginning" if early else ""


JUDGES: Judges = {
    **{
        (table, "platform"): _one_of("platform", PLATFORMS)
        for table in (
            *("identity", "view", "place", "presence", "draft", "outage", "alert", "daily"),
            *("tournament", "entrant"),
        )
    },
    ("call", "platform"): _one_of("platform", (None, *PLATFORMS)),
    ("inbox", "payload"): _payload,
    ("inbox", "platform"): _one_of("platform", (*PLATFORMS, *sorted(ORIGINS))),
    **{(table, "language"): _language for table in ("person", "place", "view")},
    ("person", "settings"): _chooser(Personal),
    ("person", "same_as"): _itself("same_as", "id"),
    ("place", "settings"): _chooser(PlaceRules),
    **{
        (table, "game"): lambda row: "" if row["game"] in shelf() else "no game is called so"
        for table in ("game", "alert", "house_puzzle", "mistake", "attempt")
    },
    **{(table, "lesson"): _lesson for table in ("house_puzzle", "mistake")},
    ("game", "match"): _readable(read_match, "match"),
    ("game", "parent"): _itself("parent", "code"),
    ("view", "theme"): _one_of("theme", tuple(THEMES)),
    ("deadline", "kind"): _one_of("kind", tuple(map(str, DeadlineKind))),
    ("draft", "data"): _draft,
    ("rating_entry", "places"): _entry,
    ("tally", "platform"): _one_of("platform", ("", *PLATFORMS)),
    ("tournament_event", "kind"): _one_of("kind", sorted(TOURNAMENT_EVENTS.kinds)),
    ("tournament_event", "data"): _tournament_event,
    ("talk", "preset"): _one_of("preset", ("", *PRESETS)),
    ("setting", "value"): _setting,
    ("outage", "ended"): _ended,
}
