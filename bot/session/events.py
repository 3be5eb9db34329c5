"""What can happen at a table, a value for each kind, and how storage keeps it. Pure.

Events name persons by their ids alone: what a person is called now stands in one place, and a
person who is forgotten is gone from every table. ``text`` of a move is its notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Final, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from games.core import Outcome, Seat
from storage.records import JSON, EventRow

FORMAT: Final = 1
"""The version of the form in which events are kept; release 0.1 wrote none."""


class _Kept:
    """Reads each field as its very type, and none beside."""

    __pydantic_config__: ClassVar = ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="hex", val_json_bytes="hex"
    )


class OfferKind(StrEnum):
    """What may be offered to the other side, or asked of it."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"
    PAUSE = "pause"


class Absence(StrEnum):
    """Why nobody can call a player where they play."""

    LEFT = "left"
    """They left the place or were put out of it, or their account was deleted."""
    BLOCKED = "blocked"
    """Their private chat takes nothing from us any more."""


@dataclass(frozen=True)
class Opened(_Kept):
    """A table was opened by the person *host*; *rules* is the version of the game's rules.

    *hints* says that players may ask for hints. *rated* says that the game will count for the
    ratings; *casual* is why it will not where that was wished, a word of ``Casual``.
    *clock* is the time control as ``Control.text`` writes it, *match* the match as ``Match.text``
    does, its earlier games by chair; nothing where there is none. *tournament* is the code of the
    tournament of which it is a game.
    """

    game: str
    rules: int
    options: Mapping[str, str]
    begins: str
    host: int
    seats: int
    commitment: str
    hints: bool = False
    clock: str = ""
    match: str = ""
    rated: bool = False
    casual: str = ""
    tournament: str = ""


@dataclass(frozen=True)
class Sat(_Kept):
    """A person sat down or was *invited* to, or a computer of *level* got the chair."""

    seat: Seat
    person: int | None
    level: int | None
    side: str | None
    invited: bool = False


@dataclass(frozen=True)
class Stood(_Kept):
    """A player stood up before the game began."""

    seat: Seat


@dataclass(frozen=True)
class Worded(_Kept):
    """A player's own words for the draws."""

    seat: Seat
    words: str


@dataclass(frozen=True)
class Started(_Kept):
    """The game began: the *chairs* in turn order and their sides, a *lot* of cases and case.

    *rated* says that it counts for the ratings; *casual* is why it does not, a word of ``Casual``,
    where the table was opened to count.
    """

    chairs: tuple[int, ...]
    sides: tuple[str, ...]
    first: Seat
    lot: tuple[int, int] | None = None
    rated: bool = False
    casual: str = ""


@dataclass(frozen=True)
class Moved(_Kept):
    """A player moved; *forced* where the rules left no choice and the move played itself.

    *uncounted* are the milliseconds of the turn that the clock does not charge: since the move
    arrived, and while the player could not be reached.
    """

    seat: Seat
    text: str
    forced: bool = False
    hurried: bool = False
    uncounted: int = 0


@dataclass(frozen=True)
class Drawn(_Kept):
    """Chance moved by the draw of this number, from 0."""

    text: str
    draw: int


@dataclass(frozen=True)
class SaidAside(_Kept):
    """A player said what concerns the game out of turn."""

    seat: Seat
    text: str


@dataclass(frozen=True)
class Judged(_Kept):
    """A verdict on the claim of *seat*; *line* shows it, apart from the log: it might be a hint."""

    seat: Seat
    text: str
    line: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offered(_Kept):
    """A player offered a draw or a rematch, or asked to take a move back."""

    seat: Seat
    kind: OfferKind


@dataclass(frozen=True)
class Answered(_Kept):
    """An offer was taken or refused."""

    seat: Seat
    kind: OfferKind
    accepted: bool


@dataclass(frozen=True)
class Undone(_Kept):
    """All but the first *kept* entries of the log were taken back, as *seat* had asked."""

    seat: Seat
    kept: Annotated[int, Field(alias="to")]


@dataclass(frozen=True)
class Left(_Kept):
    """A player left a game that goes on: a computer of *level* plays in their place.

    *absent*: they had not come to it.
    """

    seat: Seat
    level: int
    absent: bool = False


@dataclass(frozen=True)
class Missed(_Kept):
    """A player cannot be called any more, and *why*: they left, or take nothing from us."""

    seat: Seat
    why: Absence


@dataclass(frozen=True)
class Returned(_Kept):
    """A player who was missed is back."""

    seat: Seat


@dataclass(frozen=True)
class Ended(_Kept):
    """The game was over, by its own rules or because the players wanted so."""

    reason: str
    places: tuple[frozenset[Seat], ...]
    by_rule: Annotated[bool, Field(alias="rule")]

    @property
    def outcome(self) -> Outcome:
        """How it ended, with the places of all seats."""
        return Outcome(self.reason, self.places)


@dataclass(frozen=True)
class Revealed(_Kept):
    """The secret of the draws was published."""

    secret: bytes


@dataclass(frozen=True)
class Rematched(_Kept):
    """The rematch began, at the table *child*."""

    child: str


@dataclass(frozen=True)
class Closed(_Kept):
    """The table was closed, and *why*: by *seat*, by a *person* without one, or by the clock."""

    why: str
    seat: Seat | None = None
    person: int | None = None


@dataclass(frozen=True)
class GivenBack(_Kept):
    """*time*, in milliseconds, of a player's turn does not count: they could not be reached."""

    seat: Seat
    time: int


@dataclass(frozen=True)
class Overstepped(_Kept):
    """A player's time was over: they may move on until another one claims the game."""

    seat: Seat


@dataclass(frozen=True)
class Granted(_Kept):
    """A player gave more time to another one, *to*, whose time had run out."""

    seat: Seat
    to: Seat


@dataclass(frozen=True)
class Flagged(_Kept):
    """A player's flag fell: they have lost."""

    seat: Seat


@dataclass(frozen=True)
class Paused(_Kept):
    """All clocks were stopped, as *seat* had asked and the others agreed."""

    seat: Seat


@dataclass(frozen=True)
class Resumed(_Kept):
    """The clocks went on, as *seat* wanted."""

    seat: Seat


@dataclass(frozen=True)
class Uncounted(_Kept):
    """The game was taken out of the ratings, as the person *by* wanted, who manages its place."""

    by: int


@dataclass(frozen=True)
class Ruled(_Kept):
    """The person *by*, who manages its tournament, gave the game its result.

    *points* are the half points of the seats.
    """

    by: int
    points: tuple[int, ...]


Managing: TypeAlias = Uncounted | Ruled
"""What managers decide about a game that is over."""

Seating: TypeAlias = Sat | Stood | Worded | Left
"""Who sits in which chair, with which words."""

Playing: TypeAlias = Moved | Drawn | SaidAside | Judged | Undone
"""What changes the log."""

Agreeing: TypeAlias = Offered | Answered | Rematched | Paused | Resumed
"""What players offer each other, and what comes of it."""

Timing: TypeAlias = GivenBack | Overstepped | Granted | Flagged
"""What concerns nothing but the clock."""

Missing: TypeAlias = Missed | Returned
"""Who is there."""

Event: TypeAlias = (
    Opened
    | Seating
    | Started
    | Playing
    | Agreeing
    | Timing
    | Missing
    | Ended
    | Revealed
    | Closed
    | Managing
)


@dataclass(frozen=True)
class Written:
    """Event *number* of a table, from 1, at an instant by the machine's and the *steady* clock."""

    number: int
    at: datetime
    event: Event
    steady: datetime | None = None


class UnreadableEvent(ValueError):
    """The event of this *number* is not one that this release can read, and *why*."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number}: {why}")
        self.number = number
        self.why = why


_KINDS: Final[Mapping[str, tuple[type[Event], str]]] = {
    "open": (Opened, ""),
    "sit": (Sat, ""),
    "stand": (Stood, ""),
    "words": (Worded, "words"),
    "start": (Started, ""),
    "move": (Moved, "text"),
    "draw": (Drawn, "text"),
    "aside": (SaidAside, "text"),
    "verdict": (Judged, "text"),
    "offer": (Offered, "kind"),
    "answer": (Answered, "kind"),
    "undo": (Undone, ""),
    "leave": (Left, ""),
    "miss": (Missed, "why"),
    "return": (Returned, ""),
    "end": (Ended, "reason"),
    "reveal": (Revealed, "secret"),
    "rematch": (Rematched, "child"),
    "close": (Closed, "why"),
    "give-back": (GivenBack, ""),
    "overstep": (Overstepped, ""),
    "grant": (Granted, ""),
    "flag": (Flagged, ""),
    "pause": (Paused, ""),
    "resume": (Resumed, ""),
    "uncount": (Uncounted, ""),
    "rule": (Ruled, ""),
}
"""What storage calls each kind, and which of its fields stands in the column of the text."""

_NAMES: Final = {event: kind for kind, (event, _) in _KINDS.items()}
_FORMS: Final = {kind: TypeAdapter[Event](event) for kind, (event, _) in _KINDS.items()}


def encode(written: Written) -> EventRow:
    """The row that storage keeps."""
    kind = _NAMES[type(written.event)]
    form, (_, column) = _FORMS[kind], _KINDS[kind]
    data = form.dump_python(written.event, mode="json", by_alias=True, exclude_defaults=True)
    seat, text = data.pop("seat", None), data.pop(column, "")
    kept = {"v": FORMAT, **data}
    return EventRow(written.number, written.at, kind, seat, text, kept, written.steady)


def decode(row: EventRow) -> Written:
    """The event that storage kept; raises ``UnreadableEvent``, and nothing else."""
    try:
        return Written(row.number, row.at, _read(row), row.steady)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_context=False)[0]
        said = f"{'.'.join(map(str, first['loc']))} is {first['input']!r}: {first['msg']}"
        raise UnreadableEvent(row.number, f"{row.kind}: {said}") from wrong
    except ValueError as wrong:
        raise UnreadableEvent(row.number, f"{row.kind}: {wrong}") from wrong


def _read(row: EventRow) -> Event:
    if row.kind not in _KINDS:
        raise ValueError("no event is called so")
    if not isinstance(row.data, Mapping) or not isinstance(row.text, str):
        raise ValueError("its data are no object, or its text is none")
    columns: dict[str, JSON] = {**row.data, _KINDS[row.kind][1]: row.text}
    if row.seat is not None:
        columns["seat"] = row.seat
    columns.pop("", None)
    version = columns.pop("v", None)
    if type(version) is not int:
        raise ValueError(f"v is {version!r}, not a number")
    if version > FORMAT:
        raise ValueError(f"its format is newer than {FORMAT}")
    # As JSON: only there a strict reader takes a list for a tuple and a word for what it names.
    return _FORMS[row.kind].validate_json(to_json(columns))
