"""What is shown of ratings: a ladder, a profile, and the games of two people. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.standing.medals import NOTHING, Deeds, Goal, Medal
from bot.standing.rating import Rating
from bot.standing.seasons import STEPS, Contestant, Season
from bot.standing.tallies import Tally


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of a ladder: the *number* is the place, None for who has none.

    *change* is that of the strength within 30 days, None for who had none then. *resting* is when
    somebody below the line has played last; *places* is how often they took each place, where
    the game has more than two players.
    """

    number: int | None
    person: int
    name: str
    rating: Rating
    change: int | None
    tally: Tally
    places: tuple[int, ...] = ()
    resting: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ladder:
    """A page of a ladder; *page* counts from 0, *pages* is how many there are.

    *games* are all, those played most here first; *mine* is the line of the reader, if they have
    played here; *above* is how many have a place.
    """

    game: str
    games: Sequence[str]
    lines: Sequence[LadderLine]
    mine: LadderLine | None
    page: int
    pages: int
    above: int


@dataclass(frozen=True, slots=True)
class GameStanding:
    """How somebody stands in one game: rating, what they have won, and the *course* so far.

    *streak* is how many games in a row they have won, or lost where it is below 0. *often* is whom
    they met most, *beaten* above whom they stood most, *feared* who stood above them most, each
    with a number, and None where nobody is the one. *places* are as in a ``LadderLine``.
    """

    game: str
    rating: Rating
    tally: Tally
    places: tuple[int, ...]
    course: Sequence[int]
    streak: int
    often: tuple[str, int] | None
    beaten: tuple[str, int] | None
    feared: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often one of two people stood above the other in one game, as the first sees it.

    *seats* is how many played in the largest of these games.
    """

    game: str
    mine: Rating
    theirs: Rating
    tally: Tally
    seats: int


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """Somebody in a division: their *place*, ``None`` for who has not played enough for one."""

    place: int | None
    name: str
    did: Contestant


@dataclass(frozen=True, slots=True)
class League:
    """The *divisions* of a place in a *season*, the highest first; *mine* is the reader's."""

    season: Season
    divisions: Sequence[Sequence[LeagueLine]]
    mine: int = 0

    @property
    def podiums(self) -> Sequence[Sequence[LeagueLine]]:
        """The steps of each division; nobody stands alone."""
        found = [[one for one in each if one.place] for each in self.divisions]
        return [
            [one for one in each if (one.place or 0) <= STEPS] if len(each) > 1 else []
            for each in found
        ]


@dataclass(frozen=True, slots=True)
class GivenMedal:
    """A *medal*, when it was given, what *share* of the club has it, and some *others* who do."""

    medal: Medal
    at: datetime
    share: float
    others: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Upset:
    """That somebody won a game of *pool* against a stronger person, with both ratings."""

    pool: str
    names: tuple[str, str]
    ratings: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClubWeek:
    """What happened in a place in the seven days up to the day *end*.

    *tables* are the rated games by their codes, the last first; *climbers* who gained most points,
    *medals* the last given, each with who was given it.
    """

    end: date
    tables: Sequence[str] = ()
    upset: Upset | None = None
    climbers: Sequence[tuple[str, int]] = ()
    medals: Sequence[tuple[str, GivenMedal]] = ()


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """All that a profile tells of somebody; *deeds* of who shows everything."""

    games: Sequence[GameStanding] = ()
    medals: Sequence[GivenMedal] = ()
    deeds: Deeds = NOTHING
    goal: Goal | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.games or self.medals) and self.deeds == NOTHING
