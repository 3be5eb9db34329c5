"""A game and what belongs to it: its events, seats, talk and deadlines, and its line in a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from storage.records.values import JSON, Status


@dataclass(frozen=True, slots=True)
class GameRow:
    """A table: *version* is the number of its last event.

    *secret* is the 32-byte secret of its draws until it is published, *parent* the code of the
    game this one is the rematch of. *to_move* are the seats that may move now, None where only
    the events know; *computer* says whether one of them is a computer's. *match* is the match of
    which it is a game, as ``bot.session.match`` writes it, nothing where it is none.
    """

    code: str
    game: str
    status: Status
    version: int
    created: datetime
    touched: datetime
    secret: bytes | None
    parent: str | None
    to_move: tuple[int, ...] | None = ()
    computer: bool = False
    match: str = ""
    rated: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands after its last event: what lists and the start of the bot go by.

    *rated* says that it has begun, and counts for the ratings unless it is closed.
    """

    status: Status
    to_move: tuple[int, ...] = ()
    computer: bool = False
    match: str = ""
    rated: bool = False


@dataclass(frozen=True, slots=True)
class FaultRow:
    """Why a game is set aside: its *event* (None for the whole) cannot be read, and *why*."""

    game: str
    event: int | None
    why: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EventRow:
    """One thing that happened at a table or in a tournament, never changed; numbers begin at 1.

    *data* is an object. A tournament's has neither *seat* nor *text*. *at* is the time of the
    machine's clock, *steady* that of the clock that is never set, by which durations are counted;
    None for events of releases up to 0.2.
    """

    number: int
    at: datetime
    kind: str
    seat: int | None
    text: str
    data: JSON
    steady: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where: a *person*, or a computer of some *level*; *place* is the rank from 1."""

    seat: int
    person: int | None
    level: int | None
    side: str
    place: int | None


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat in a list: the *name* of its *person*, or the *level* of its computer."""

    seat: int
    person: int | None
    name: str
    level: int | None
    side: str


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list, from its columns alone.

    *to_move* is None where only the events know; *fault* says why it is set aside, if it is.
    """

    code: str
    game: str
    status: Status
    touched: datetime
    to_move: tuple[int, ...] | None
    match: str
    seats: tuple[SeatLine, ...]
    fault: FaultRow | None

    def seat_of(self, person: int) -> int | None:
        """The seat of *person*, the first if there are several."""
        return next((one.seat for one in self.seats if one.person == person), None)

    def moves(self, person: int) -> bool:
        """Whether *person* is known to be to move."""
        to_move = self.to_move or ()
        return any(one.person == person and one.seat in to_move for one in self.seats)


@dataclass(frozen=True, slots=True)
class TalkRow:
    """What a *person* said over a game: the name of a *preset*, or a *text* of their own.

    *seat* is their seat at that time, None for a spectator.
    """

    id: int
    game: str
    person: int
    seat: int | None
    preset: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CommentRow:
    """What a *person* has written on a game after *number* entries of its log, for themselves.

    *moves* is a branch from there, each move by its steps (``a,b;c,d``).
    """

    person: int
    game: str
    number: int
    text: str
    moves: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """An instant at which a table must be looked at, if its *version* is still the same.

    *person* is the one whose time runs, if any.
    """

    game: str
    kind: str
    version: int
    at: datetime
    person: int | None = None
