"""What can happen at a table, a value for each kind, and how storage keeps it. Pure.

Events name persons by their ids alone: what a person is called now stands in one place, and a
person who is forgotten is gone from every table. ``text`` of a move is its notation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar, assert_never

from games.core import Outcome, Seat
from storage.records import JSON, EventRow

FORMAT: Final = 1
"""The version of the form in which events are kept; release 0.1 wrote none."""

T = TypeVar("T", bool, int, str)


class OfferKind(StrEnum):
    """What may be offered to the other side, or asked of it."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"


@dataclass(frozen=True)
class Opened:
    """A table was opened by the person *host*; *rules* is the version of the game's rules."""

    game: str
    rules: int
    options: Mapping[str, str]
    begins: str
    host: int
    seats: int
    commitment: str


@dataclass(frozen=True)
class Sat:
    """A person sat down or was *invited* to, or a computer of *level* got the chair."""

    seat: Seat
    person: int | None
    level: int | None
    side: str | None
    invited: bool = False


@dataclass(frozen=True)
class Stood:
    """Who sat there stood up before the game began."""

    seat: Seat


@dataclass(frozen=True)
class Worded:
    """A player's own words for the draws."""

    seat: Seat
    words: str


@dataclass(frozen=True)
class Started:
    """The game began: the *chairs* in turn order and their sides, a *lot* of cases and case."""

    chairs: tuple[int, ...]
    sides: tuple[str, ...]
    first: Seat
    lot: tuple[int, int] | None = None


@dataclass(frozen=True)
class Moved:
    """A player moved; *forced* where the rules left no choice and the move played itself."""

    seat: Seat
    text: str
    forced: bool = False


@dataclass(frozen=True)
class Drawn:
    """Chance moved by the draw of this number, from 0."""

    text: str
    draw: int


@dataclass(frozen=True)
class Said:
    """A player said what concerns the game out of turn."""

    seat: Seat
    text: str


@dataclass(frozen=True)
class Offered:
    """A player offered a draw or a rematch, or asked to take a move back."""

    seat: Seat
    kind: OfferKind


@dataclass(frozen=True)
class Answered:
    """An offer was taken or refused."""

    seat: Seat
    kind: OfferKind
    accepted: bool


@dataclass(frozen=True)
class Undone:
    """All but the first *kept* entries of the log were taken back, as *seat* had asked."""

    seat: Seat
    kept: int


@dataclass(frozen=True)
class Left:
    """A player left a game that goes on: a computer of *level* plays for him."""

    seat: Seat
    level: int


@dataclass(frozen=True)
class Ended:
    """The game was over, by its own rules or because the players wanted so."""

    outcome: Outcome
    by_rule: bool


@dataclass(frozen=True)
class Revealed:
    """The secret of the draws was published."""

    secret: bytes


@dataclass(frozen=True)
class Rematched:
    """The rematch began, at the table *child*."""

    child: str


@dataclass(frozen=True)
class Closed:
    """The table was closed, and *why*; *seat* is whoever did, None for the clock."""

    seat: Seat | None
    why: str


Event: TypeAlias = (
    Opened | Sat | Stood | Worded | Started | Moved | Drawn | Said | Offered | Answered | Undone
) | (Left | Ended | Revealed | Rematched | Closed)


@dataclass(frozen=True)
class Written:
    """An event with its number at the table, from 1, and the instant at which it happened."""

    number: int
    at: datetime
    event: Event


class UnreadableEvent(ValueError):
    """The event of this *number* is not one that this release can read, and *why*."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number}: {why}")
        self.number = number
        self.why = why


def encode(written: Written) -> EventRow:
    """The row that storage keeps."""
    kind, seat, text, data = _columns(written.event)
    return EventRow(written.number, written.at, kind, seat, text, {"v": FORMAT, **data})


def _columns(  # noqa: C901 - one case a kind
    event: Event,
) -> tuple[str, Seat | None, str, dict[str, JSON]]:
    match event:
        case Opened(game, rules, options, begins, host, seats, commitment):
            opened: dict[str, JSON] = {"game": game, "rules": rules, "options": dict(options)}
            opened |= {"begins": begins, "host": host, "seats": seats, "commitment": commitment}
            return "open", None, "", opened
        case Sat(seat, person, level, side, invited):
            sat: dict[str, JSON] = {"person": person, "level": level, "side": side}
            return "sit", seat, "", {**sat, "invited": invited}
        case Stood(seat):
            return "stand", seat, "", {}
        case Worded(seat, words):
            return "words", seat, words, {}
        case Started(chairs, sides, first, lot):
            started: dict[str, JSON] = {"chairs": chairs, "sides": sides, "first": first}
            return "start", None, "", {**started, "lot": lot}
        case Moved(seat, text, forced):
            return "move", seat, text, {"forced": True} if forced else {}
        case Drawn(text, draw):
            return "draw", None, text, {"draw": draw}
        case Said(seat, text):
            return "aside", seat, text, {}
        case Offered(seat, offer):
            return "offer", seat, offer, {}
        case Answered(seat, offer, accepted):
            return "answer", seat, offer, {"accepted": accepted}
        case Undone(seat, kept):
            return "undo", seat, "", {"to": kept}
        case Left(seat, level):
            return "leave", seat, "", {"level": level}
        case Ended(outcome, by_rule):
            places = [sorted(place) for place in outcome.places]
            return "end", None, outcome.reason, {"places": places, "rule": by_rule}
        case Revealed(secret):
            return "reveal", None, secret.hex(), {}
        case Rematched(child):
            return "rematch", None, child, {}
        case Closed(closer, why):
            return "close", closer, why, {}
        case other:
            assert_never(other)


def decode(row: EventRow) -> Written:
    """The event that storage kept; raises ``UnreadableEvent``, and nothing else."""
    try:
        read = _READ.get(row.kind)
        if read is None:
            raise ValueError("no event is called so")
        return Written(row.number, row.at, read(_Fields(row)))
    except ValueError as wrong:
        raise UnreadableEvent(row.number, f"{row.kind}: {wrong}") from wrong


class _Fields:
    """The columns of a row, read by name and type; raises ``ValueError`` that says the name."""

    def __init__(self, row: EventRow) -> None:
        if not isinstance(row.data, Mapping):
            raise ValueError("its data are not an object")
        self._data, self._row = row.data, row
        if self.one("v", int) > FORMAT:
            raise ValueError(f"its format is newer than {FORMAT}")

    @property
    def seat(self) -> Seat:
        return _typed("seat", self._row.seat, int)

    @property
    def closer(self) -> Seat | None:
        return None if self._row.seat is None else self.seat

    @property
    def text(self) -> str:
        return _typed("text", self._row.text, str)

    def one(self, key: str, kind: type[T]) -> T:
        return _typed(key, self._data.get(key), kind)

    def maybe(self, key: str, kind: type[T]) -> T | None:
        value = self._data.get(key)
        return None if value is None else _typed(key, value, kind)

    def many(self, key: str, kind: type[T]) -> tuple[T, ...]:
        return tuple(_typed(key, value, kind) for value in _listed(key, self._data.get(key)))

    def options(self) -> dict[str, str]:
        options = self._data.get("options")
        if not isinstance(options, Mapping):
            raise ValueError(f"options is {options!r}, not an object")
        return {key: _typed(key, value, str) for key, value in options.items()}

    def lot(self) -> tuple[int, int] | None:
        if self._data.get("lot") is None:
            return None
        cases, case = self.many("lot", int)
        return cases, case

    def outcome(self) -> Outcome:
        places = (_listed("places", one) for one in _listed("places", self._data.get("places")))
        seats = (frozenset(_typed("places", seat, int) for seat in place) for place in places)
        return Outcome(self.text, tuple(seats))


def _typed(key: str, value: object, kind: type[T]) -> T:
    # A bool is an int to isinstance, and must not pass for one here.
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        raise ValueError(f"{key} is {value!r}, not {kind.__name__}")
    return value


def _listed(key: str, value: JSON) -> Sequence[JSON]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key} is {value!r}, not a list")
    return value


_READ: Final[Mapping[str, Callable[[_Fields], Event]]] = {
    "open": lambda row: Opened(
        game=row.one("game", str),
        rules=row.one("rules", int),
        options=row.options(),
        begins=row.one("begins", str),
        host=row.one("host", int),
        seats=row.one("seats", int),
        commitment=row.one("commitment", str),
    ),
    "sit": lambda row: Sat(
        seat=row.seat,
        person=row.maybe("person", int),
        level=row.maybe("level", int),
        side=row.maybe("side", str),
        invited=row.one("invited", bool),
    ),
    "stand": lambda row: Stood(row.seat),
    "words": lambda row: Worded(row.seat, row.text),
    "start": lambda row: Started(
        row.many("chairs", int), row.many("sides", str), row.one("first", int), row.lot()
    ),
    "move": lambda row: Moved(row.seat, row.text, forced=row.maybe("forced", bool) or False),
    "draw": lambda row: Drawn(row.text, row.one("draw", int)),
    "aside": lambda row: Said(row.seat, row.text),
    "offer": lambda row: Offered(row.seat, OfferKind(row.text)),
    "answer": lambda row: Answered(row.seat, OfferKind(row.text), row.one("accepted", bool)),
    "undo": lambda row: Undone(row.seat, row.one("to", int)),
    "leave": lambda row: Left(row.seat, row.one("level", int)),
    "end": lambda row: Ended(row.outcome(), row.one("rule", bool)),
    "reveal": lambda row: Revealed(bytes.fromhex(row.text)),
    "rematch": lambda row: Rematched(row.text),
    "close": lambda row: Closed(row.closer, row.text),
}
