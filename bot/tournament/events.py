"""What can happen in a tournament, a value for each kind, and how it is kept. Pure.

Events name persons by their ids and entrants by their numbers. *by* is the person who did what
only a manager may.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from bot.tournament.values import How, Rules
from storage.records import EventCodec, KeptEvent


class TournamentOpened(KeptEvent, kind="open"):
    """The tournament was opened by the person *host*."""

    rules: Rules
    host: int


class Entered(KeptEvent, kind="enter"):
    """A person entered, or came back; *rating* is what they have, as it is shown."""

    person: int
    rating: int


class Withdrew(KeptEvent, kind="withdraw"):
    """An entrant left, was put out by the person *by*, or did not come too often."""

    entrant: int
    by: int | None = None
    absent: bool = False


class TournamentStarted(KeptEvent, kind="start"):
    """The tournament began."""


class PairedGame(KeptEvent):
    """A game of a round at the table *code*, with its entrants in the order of their seats.

    A game that nobody has to play has no code, and its half *points* at once. *third* marks the
    match for third place.
    """

    code: str
    seats: tuple[int, ...]
    points: tuple[int, ...] = ()
    third: bool = False


class Paired(KeptEvent, kind="pair"):
    """The round *number* was paired."""

    number: int
    games: tuple[PairedGame, ...]
    byes: tuple[int, ...] = ()


class Extended(KeptEvent, kind="extend"):
    """One more game, at the table *code*, of the meeting *meeting*, from 0, of the newest round."""

    meeting: int
    code: str
    seats: tuple[int, ...]


class Told(KeptEvent, kind="result"):
    """A game was over; *absent* are the entrants who did not come to it."""

    code: str
    how: How
    points: tuple[int, ...]
    absent: tuple[int, ...] = ()
    by: int | None = None


class Corrected(KeptEvent, kind="correct"):
    """The result of a game was corrected by the person *by*, or by the rules of the game."""

    code: str
    points: tuple[int, ...]
    by: int | None = None


class Abandoned(KeptEvent, kind="abandon"):
    """The table of a game was closed by hand, without a result: a person must judge."""

    code: str


class Halted(KeptEvent, kind="halt"):
    """No further round begins until it is resumed."""

    by: int


class TournamentResumed(KeptEvent, kind="resume"):
    """Rounds begin again."""

    by: int


class TournamentEnded(KeptEvent, kind="end"):
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


TOURNAMENT_EVENTS: Final = EventCodec[Event](Event)
