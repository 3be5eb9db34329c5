"""What can happen in a tournament, a value for each kind, and how it is kept. Pure.

Events name persons by their ids and entrants by their numbers. *by* is the person who did what
only a manager may.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final, TypeAlias

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from bot.tournament.values import How, Rules

FORMAT: Final = 1
"""The version of the form in which events are kept."""


class _Kept:
    """Reads each field as its very type, and none beside."""

    __pydantic_config__: ClassVar = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True)
class TournamentOpened(_Kept):
    """The tournament was opened by the person *host*."""

    rules: Rules
    host: int


@dataclass(frozen=True)
class Entered(_Kept):
    """A person entered, or came back; *rating* is what they have, as it is shown."""

    person: int
    rating: int


@dataclass(frozen=True)
class Withdrew(_Kept):
    """An entrant left, was put out by the person *by*, or did not come too often."""

    entrant: int
    by: int | None = None
    absent: bool = False


@dataclass(frozen=True)
class TournamentStarted(_Kept):
    """The tournament began."""


@dataclass(frozen=True)
class PairedGame(_Kept):
    """A game of a round at the table *code*, with its entrants in the order of their seats.

    A game that nobody has to play has no code, and its half *points* at once. *third* marks the
    match for third place.
    """

    code: str
    seats: tuple[int, ...]
    points: tuple[int, ...] = ()
    third: bool = False


@dataclass(frozen=True)
class Paired(_Kept):
    """The round *number* was paired."""

    number: int
    games: tuple[PairedGame, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Extended(_Kept):
    """One more game, at the table *code*, of the meeting *meeting*, from 0, of the newest round."""

    meeting: int
    code: str
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Told(_Kept):
    """A game was over; *absent* are the entrants who did not come to it."""

    code: str
    how: How
    points: tuple[int, ...]
    absent: tuple[int, ...] = ()
    by: int | None = None


@dataclass(frozen=True)
class Corrected(_Kept):
    """The result of a game was corrected by the person *by*, or by the rules of the game."""

    code: str
    points: tuple[int, ...]
    by: int | None = None


@dataclass(frozen=True)
class Abandoned(_Kept):
    """The table of a game was closed by hand, without a result: a person must judge."""

    code: str


@dataclass(frozen=True)
class Halted(_Kept):
    """No further round begins until it is resumed."""

    by: int


@dataclass(frozen=True)
class TournamentResumed(_Kept):
    """Rounds begin again."""

    by: int


@dataclass(frozen=True)
class TournamentEnded(_Kept):
    """The tournament is over, and *why*: ``done``, ``unpairable``, ``few`` or ``early``."""

    why: str
    by: int | None = None


Event: TypeAlias = (
    TournamentOpened
    | Entered
    | Withdrew
    | TournamentStarted
    | Paired
    | Extended
    | Told
    | Corrected
    | Abandoned
    | Halted
    | TournamentResumed
    | TournamentEnded
)


@dataclass(frozen=True)
class Recorded:
    """Event *number* of a tournament, from 1, at an instant, also by the *steady* clock."""

    number: int
    at: datetime
    event: Event
    steady: datetime


class UnreadableRecord(ValueError):
    """An event is not one that this release can read; its words say why."""


_KINDS: Final[Mapping[str, type[Event]]] = {
    "open": TournamentOpened,
    "enter": Entered,
    "withdraw": Withdrew,
    "start": TournamentStarted,
    "pair": Paired,
    "extend": Extended,
    "result": Told,
    "correct": Corrected,
    "abandon": Abandoned,
    "halt": Halted,
    "resume": TournamentResumed,
    "end": TournamentEnded,
}
"""What storage calls each kind."""

EVENT_KINDS: Final = frozenset(_KINDS)
"""The kinds of events that are kept."""

_NAMES: Final = {event: kind for kind, event in _KINDS.items()}
_FORMS: Final = {kind: TypeAdapter[Event](event) for kind, event in _KINDS.items()}


def encode_event(event: Event) -> tuple[str, Mapping[str, Any]]:
    """The kind and the data of *event* as they are kept."""
    kind = _NAMES[type(event)]
    data = _FORMS[kind].dump_python(event, mode="json", exclude_defaults=True)
    return kind, {"v": FORMAT, **data}


def decode_event(kind: str, data: object) -> Event:
    """The event that was kept; raises ``UnreadableRecord``, and nothing else."""
    if kind not in _KINDS or not isinstance(data, Mapping):
        raise UnreadableRecord(f"{kind!r}: no event is called so, or its data are no object")
    fields = dict(data)
    version = fields.pop("v", None)
    if type(version) is not int or version > FORMAT:
        raise UnreadableRecord(f"{kind}: its format {version!r} is none up to {FORMAT}")
    try:
        return _FORMS[kind].validate_json(to_json(fields))
    except (ValidationError, ValueError) as wrong:
        raise UnreadableRecord(f"{kind}: {wrong}") from wrong
