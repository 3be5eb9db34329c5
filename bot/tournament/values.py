"""A tournament as a value: who has entered, who met whom, and what came of it. Pure.

Points are half points, so that they are whole numbers: a won game of two has 2 of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

WIN, DRAW, LOSS = 2, 1, 0
"""The half points of a game of two."""

SMALLEST_TABLE, LARGEST_TABLE = 3, 4
"""How many sit at a table of the format ``TournamentFormat.TABLES``."""


class TournamentFormat(StrEnum):
    """How people are brought together, by the words that events keep."""

    SWISS = "swiss"
    ROBIN = "robin"
    KNOCKOUT = "knockout"
    TABLES = "tables"
    ARENA = "arena"


ENTRANTS: Final[Mapping[TournamentFormat, tuple[int, int]]] = {
    TournamentFormat.SWISS: (4, 200),
    TournamentFormat.ROBIN: (3, 16),
    TournamentFormat.KNOCKOUT: (4, 64),
    TournamentFormat.TABLES: (6, 120),
    TournamentFormat.ARENA: (4, 200),
}
"""The fewest and the most entrants of each format."""


class How(StrEnum):
    """How a result came about, by the words that events keep."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Somebody did not come, or had left."""
    ADJUDICATED = "adjudicated"
    """The manager decided, or the time of the round was over."""


class Phase(StrEnum):
    """How far a tournament is, by the words that storage keeps."""

    OPEN = "open"
    RUNNING = "running"
    ENDED = "ended"


@dataclass(frozen=True)
class Address:
    """Where an entrant plays, in the plain values of a place."""

    platform: str
    place: str
    thread: str | None = None
    private: bool = False


NOWHERE: Final = Address("", "")
"""Where somebody plays of whom it is not known."""


@dataclass(frozen=True)
class Entrant:
    """The entrant *number*, from 1 on; they are first paired for the round *since*.

    *rating* is what they had when they entered, as it is shown. *gone* is the last round for
    which they were there, ``None`` while they are. *absences* counts the games to which they did
    not come. *bye* is the round for which they asked for half a point in place of a game, 0 for
    none.
    """

    number: int
    person: int
    rating: int
    since: int = 1
    gone: int | None = None
    absences: int = 0
    bye: int = 0
    at: Address = NOWHERE
    """From where they play, which no event says: a private chat is named like its person."""

    def plays_in(self, number: int) -> bool:
        """Whether they are there for the round *number*."""
        there = self.since <= number and (self.gone is None or number <= self.gone)
        return there and number != self.bye


@dataclass(frozen=True)
class Result:
    """The half *points* of a game, in the order of its seats, and *how* they came about."""

    how: How
    points: tuple[int, ...]


@dataclass(frozen=True)
class TournamentGame:
    """A game of a meeting: the entrants in the order of their seats, at the table *code*.

    *code* is "" where nobody had to play. *order* is the number of the event that told the result.
    *closed*: its table was closed without one, so that a person must judge.
    """

    code: str
    seats: tuple[int, ...]
    result: Result | None = None
    order: int = 0
    closed: bool = False

    def points_of(self, entrant: int) -> int:
        """The half points of *entrant*; 0 before the game is over."""
        return 0 if self.result is None else self.result.points[self.seats.index(entrant)]

    @property
    def is_forfeited(self) -> bool:
        """Whether somebody did not play."""
        return self.result is not None and self.result.how is How.FORFEIT


@dataclass(frozen=True)
class Meeting:
    """Entrants who are brought together in a round, and their games so far.

    The first game has the seats as they were paired. *third* marks the match for third place.
    """

    games: tuple[TournamentGame, ...]
    third: bool = False

    @property
    def entrants(self) -> tuple[int, ...]:
        """Who meets, in the order of the seats of the first game."""
        return self.games[0].seats

    @property
    def last(self) -> TournamentGame:
        """The newest game."""
        return self.games[-1]

    @property
    def is_played(self) -> bool:
        """Whether no game waits for its result."""
        return self.last.result is not None


@dataclass(frozen=True)
class Round:
    """The round *number*, from 1 on: its meetings, and the *byes* of those without an opponent.

    *halves* asked for half a point instead. *began* is a steady instant. *over* is when its last
    game was over, ``None`` before.
    """

    number: int
    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()
    began: datetime | None = None
    over: datetime | None = None
    halves: tuple[int, ...] = ()

    @property
    def is_played(self) -> bool:
        """Whether no game of it waits for its result."""
        return all(meeting.is_played for meeting in self.meetings)


class ActKind(StrEnum):
    """What a manager may do, by the words of the catalogue."""

    REMOVED = "removed"
    JUDGED = "judged"
    CORRECTED = "corrected"
    HALTED = "halted"
    RESUMED = "resumed"
    ENDED = "ended"


@dataclass(frozen=True)
class ManagerAct:
    """What the person *by* did as its manager, and the entrants *whom* it concerns."""

    kind: ActKind
    by: int
    whom: tuple[int, ...] = ()


ACTS: Final = 3
"""How many acts of managers are told: the newest."""


@dataclass(frozen=True)
class Rules:
    """What a tournament is played under; its manager chose it.

    *options* and *begins* are those of the game, *clock* the time control as a table keeps it.
    *rounds* is 0 where the format says it; *double* lets all meet twice; *best_of* is the length of
    a match of the knockout; *minutes* how long an arena lasts. *most* limits the entrants. *pause*
    are the minutes between two rounds. *starts* is ``now``, ``full`` or a steady instant in ISO.
    *afar* lets people of other places enter by the code. *days* is how long a round may last, 0 for
    as long as its clocks let it. *threads* gives each table a thread, or with *by_round*
    each round.
    """

    game: str
    format: TournamentFormat
    clock: str
    options: Mapping[str, str] = field(default_factory=dict)
    rated: bool = False
    rounds: int = 0
    double: bool = False
    best_of: int = 1
    minutes: int = 0
    most: int = 0
    pause: int = 1
    starts: str = "now"
    threads: bool = False
    by_round: bool = False
    afar: bool = False
    days: int = 0

    @property
    def start_at(self) -> datetime | None:
        """The instant at which it starts by itself, if one is set."""
        return None if self.starts in ("now", "full") else datetime.fromisoformat(self.starts)

    @property
    def capacity(self) -> int:
        """The most entrants it takes."""
        most = ENTRANTS[self.format][1]
        return min(self.most or most, most)


@dataclass(frozen=True)
class Tournament:
    """A tournament; *version* is the number of its last event.

    *host* is the person who opened it, at the instant *created* by the machine's clock, which is
    *opened* by the steady one. *why* says why it ended, *paused* that no round begins. *started* is
    a steady instant.
    """

    code: str
    rules: Rules
    host: int
    version: int
    created: datetime
    opened: datetime
    phase: Phase = Phase.OPEN
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    started: datetime | None = None
    paused: bool = False
    why: str = ""
    acts: tuple[ManagerAct, ...] = ()
    """What managers did last: they can do nothing silently."""
    at: Address = NOWHERE
    """Where it was opened, which no event says either."""

    def entrant(self, number: int) -> Entrant:
        """The entrant *number*."""
        return self.entrants[number - 1]

    def entrant_of(self, person: int) -> Entrant | None:
        """The entrant who is *person*, if they have entered; also where they have left since."""
        return next((one for one in self.entrants if one.person == person), None)

    def number_of(self, person: int) -> int | None:
        """The number of *person* among the entrants, if they have entered."""
        mine = self.entrant_of(person)
        return None if mine is None else mine.number

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants who have not left."""
        return tuple(one for one in self.entrants if one.gone is None)

    @property
    def number(self) -> int:
        """The number of the newest round; 0 before the first."""
        return len(self.rounds)

    @property
    def running(self) -> bool:
        """Whether games of it may be played."""
        return self.phase is Phase.RUNNING

    def games(self) -> Iterator[tuple[Round, Meeting, TournamentGame]]:
        """Every game, in the order of rounds and boards."""
        for one in self.rounds:
            for meeting in one.meetings:
                yield from ((one, meeting, game) for game in meeting.games)

    def find_game(self, code: str) -> TournamentGame | None:
        """The game at the table *code*."""
        return next((game for _, _, game in self.games() if game.code == code), None)

    def game_of(self, number: int) -> TournamentGame | None:
        """The game that the entrant *number* has to play now, if there is one."""
        waiting = (
            game for _, _, game in self.games() if number in game.seats and game.result is None
        )
        return next(waiting, None)

    @property
    def length(self) -> int:
        """How many rounds there will be; 0 where nobody can say it."""
        count = len(self.entrants)
        match self.rules.format:
            case TournamentFormat.ROBIN:
                return max(0, (count - 1 + count % 2) * (2 if self.rules.double else 1))
            case TournamentFormat.KNOCKOUT:
                return max(1, (count - 1).bit_length())
            case TournamentFormat.ARENA:
                return 0
        return self.rules.rounds

    def takes_entry_of(self, person: int) -> bool:
        """Whether *person* may enter now, and has not."""
        mine = self.entrant_of(person)
        if self.phase is not Phase.OPEN and not (self.running and self.takes_late_entries):
            return False
        return mine is None or mine.gone is not None

    @property
    def takes_late_entries(self) -> bool:
        """Whether somebody may still enter although it runs: until half of its rounds."""
        if self.rules.format in (TournamentFormat.ROBIN, TournamentFormat.KNOCKOUT):
            return False
        if self.rules.format is TournamentFormat.ARENA:
            return True
        return 2 * self.number <= self.length
