"""What can happen at a table, a value for each kind, and how storage keeps it. Pure.

Events name persons by their ids alone: what a person is called now stands in one place, and a
person who is forgotten is gone from every table. ``text`` of a move is its notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from games.core import Outcome, Seat
from storage.records import EventCodec, KeptEvent


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


class Opened(KeptEvent, kind="open"):
    """A table was opened by the person *host*; *rules* is the version of the game's rules.

    *hints* says that players may ask for hints. *rated* says that the game will count for the
    ratings; *casual* is why it will not where that was wished, a word of ``Casual``.
    *clock* is the time control as ``Control.text`` writes it, *match* the match as ``Match.text``
    does, its earlier games by chair; nothing where there is none. *tournament* is the code of the
    tournament of which it is a game. *start* writes the position that it begins from, where that is
    not the usual one. *stand_in* is the level of the computers that sit down where nobody comes
    soon, and let people take their places; 0 for none. *computer_clock* says that the time of
    computers counts as people's does.
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
    start: str = ""
    stand_in: int = 0
    computer_clock: bool = False


class Sat(KeptEvent, kind="sit"):
    """A person sat down or was *invited* to, or a computer of *level* got the chair.

    In a game that is played the person takes the place of a computer.
    """

    seat: Seat
    person: int | None
    level: int | None
    side: str | None
    invited: bool = False


class Stood(KeptEvent, kind="stand"):
    """A player stood up before the game began."""

    seat: Seat


class Worded(KeptEvent, kind="words", text="words"):
    """A player's own words for the draws."""

    seat: Seat
    words: str


class Counted(KeptEvent, kind="count"):
    """Whether the game is to count was chosen anew; *rated* and *casual* are as in ``Opened``."""

    rated: bool = False
    casual: str = ""


class Started(KeptEvent, kind="start"):
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


class Moved(KeptEvent, kind="move", text="text"):
    """A player moved; *forced* where the rules left no choice and the move played itself.

    *uncounted* are the milliseconds of the turn that the clock does not charge: since the move
    arrived, and while the player could not be reached.
    """

    seat: Seat
    text: str
    forced: bool = False
    hurried: bool = False
    uncounted: int = 0


class Drawn(KeptEvent, kind="draw", text="text"):
    """Chance moved by the draw of this number, from 0."""

    text: str
    draw: int


class SaidAside(KeptEvent, kind="aside", text="text"):
    """A player said what concerns the game out of turn."""

    seat: Seat
    text: str


class Judged(KeptEvent, kind="verdict", text="text"):
    """A verdict on the claim of *seat*; *line* shows it, apart from the log: it might be a hint."""

    seat: Seat
    text: str
    line: tuple[str, ...] = ()


class Offered(KeptEvent, kind="offer", text="kind"):
    """A player offered a draw or a rematch, or asked to take a move back."""

    seat: Seat
    kind: OfferKind


class Answered(KeptEvent, kind="answer", text="kind"):
    """An offer was taken or refused."""

    seat: Seat
    kind: OfferKind
    accepted: bool


class Undone(KeptEvent, kind="undo"):
    """All but the first *kept* entries of the log were taken back, as *seat* had asked."""

    seat: Seat
    kept: Annotated[int, Field(alias="to")]


class Left(KeptEvent, kind="leave"):
    """A player left a game that goes on: a computer of *level* plays in their place.

    *absent*: they had not come to it.
    """

    seat: Seat
    level: int
    absent: bool = False


class Missed(KeptEvent, kind="miss", text="why"):
    """A player cannot be called any more, and *why*: they left, or take nothing from us."""

    seat: Seat
    why: Absence


class Returned(KeptEvent, kind="return"):
    """A player who was missed is back."""

    seat: Seat


class Ended(KeptEvent, kind="end", text="reason"):
    """The game was over, by its own rules or because the players wanted so."""

    reason: str
    places: tuple[frozenset[Seat], ...]
    by_rule: Annotated[bool, Field(alias="rule")]

    @property
    def outcome(self) -> Outcome:
        """How it ended, with the places of all seats."""
        return Outcome(self.reason, self.places)


class Revealed(KeptEvent, kind="reveal", text="secret"):
    """The secret of the draws was published."""

    secret: bytes


class Rematched(KeptEvent, kind="rematch", text="child"):
    """The rematch began, at the table *child*."""

    child: str


class Closed(KeptEvent, kind="close", text="why"):
    """The table was closed, and *why*: by *seat*, by a *person* without one, or by the clock."""

    why: str
    seat: Seat | None = None
    person: int | None = None


class GivenBack(KeptEvent, kind="give-back"):
    """*time*, in milliseconds, of a player's turn does not count: they could not be reached."""

    seat: Seat
    time: int


class Overstepped(KeptEvent, kind="overstep"):
    """A player's time was over: they may move on until another one claims the game."""

    seat: Seat


class Granted(KeptEvent, kind="grant"):
    """A player gave more time to another one, *to*, whose time had run out."""

    seat: Seat
    to: Seat


class Flagged(KeptEvent, kind="flag"):
    """A player's flag fell: they have lost."""

    seat: Seat


class Paused(KeptEvent, kind="pause"):
    """All clocks were stopped, as *seat* had asked and the others agreed."""

    seat: Seat


class Resumed(KeptEvent, kind="resume"):
    """The clocks went on, as *seat* wanted."""

    seat: Seat


class Uncounted(KeptEvent, kind="uncount"):
    """The game was taken out of the ratings, as the person *by* wanted, who manages its place."""

    by: int


class Ruled(KeptEvent, kind="rule"):
    """The person *by*, who manages its tournament, gave the game its result.

    *points* are the half points of the seats.
    """

    by: int
    points: tuple[int, ...]


Managing: TypeAlias = Uncounted | Ruled
"""What managers decide about a game that is over."""

Seating: TypeAlias = Sat | Stood | Worded | Left | Counted
"""Who sits in which chair, with which words, and what for."""

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


EVENTS: Final = EventCodec[Event](Event)
