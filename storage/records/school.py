"""What somebody has tried of courses and puzzles, and how hard those are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from storage.records.values import JSON


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """What a *person* has tried at the *exercise* of this code, last *at* this instant.

    *step* is its name in the course of its *game*, "" for a puzzle; *state* are the right moves so
    far, *wrong* counts legal ones that were not, *solved* is when it was.
    """

    person: int
    exercise: str
    game: str
    step: str
    state: int
    wrong: int
    at: datetime
    solved: datetime | None = None


@dataclass(frozen=True, slots=True)
class SolverRow:
    """How a *person* does with the puzzles of a game, the *pool*, or of all games where it is "".

    *mu*, *sigma* and *last* are the rating; *streak* and *longest* count days in a row with a
    solved puzzle, *day* is the ordinal of the last one.
    """

    person: int
    pool: str
    mu: float
    sigma: float
    last: datetime | None
    streak: int
    longest: int
    day: int


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """How hard the puzzle of this *code* is, and how many people have *tried* and *solved* it."""

    code: str
    game: str
    mu: float
    sigma: float
    last: datetime | None
    tried: int
    solved: int


@dataclass(frozen=True, slots=True)
class MistakeRow:
    """A position of a finished game that a *person* has kept *at* this instant, by its *code*.

    *lesson* is it as JSON. It is put again on the day *due*, an ordinal, ``None`` for never, and
    was answered *last* on that day, 0 for never. *stability* in days and *difficulty* from 1 to 10
    are what FSRS knows of it.
    """

    person: int
    code: str
    game: str
    lesson: Mapping[str, JSON]
    at: datetime
    due: int | None
    last: int = 0
    stability: float | None = None
    difficulty: float | None = None


@dataclass(frozen=True, slots=True)
class HousePuzzleRow:
    """A puzzle of the house by its *code*, with the *lesson* as JSON, *added* then.

    *origin* is "shipped", "added" or "mined"; a shipped one is there for its verdict alone. It was
    proved last *at* this instant under these *rules* of its game: *fault* says why it is put no
    more, "" where it holds.
    """

    code: str
    game: str
    lesson: Mapping[str, JSON]
    origin: str
    added: datetime
    rules: int
    at: datetime
    fault: str = ""


@dataclass(frozen=True, slots=True)
class DailyRow:
    """The daily *puzzle* of a place, by its code: posted, or left out where that is "", *at* then.

    *day* is its ordinal; *idle* counts the days in a row before it that nobody cared for.
    """

    platform: str
    place: str
    day: int
    puzzle: str
    idle: int
    at: datetime
