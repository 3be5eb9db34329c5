"""The page of a tournament as values: the bracket or the crosstable, and the standings. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.presenters.tournament.crosstable import CrosstableScreens
from bot.presenters.tournament.tournament import TournamentScreens, halves
from bot.tournament.knockout import Tie, bracket_ties
from bot.tournament.values import ENTRANTS, Phase, TournamentFormat
from render.crosstable import Crosstable
from render.standing import Table

MOST_ROWS = max(most for _, most in ENTRANTS.values())
"""How many rows a page shows: everybody."""


@dataclass(frozen=True)
class BracketSide:
    """One side of a match: a *name*, "" while nobody knows it, and the *points* so far."""

    name: str
    points: str = ""
    won: bool = False
    own: bool = False


@dataclass(frozen=True)
class BracketMatch:
    """A match of the bracket; of a *bye* only one side has a name."""

    sides: tuple[BracketSide, BracketSide]
    bye: bool = False


@dataclass(frozen=True)
class TournamentPage:
    """All that the page of a tournament shows, as it is at *version*.

    *bracket* has the matches of each round, and is empty where the format has none; *third* says
    how the match for third place stands. *cross* is ``None`` before the first round.
    """

    code: str
    version: int
    title: str
    bracket: Sequence[Sequence[BracketMatch]]
    third: str
    cross: Crosstable | None
    table: Table
    over: bool


def tournament_sheet(screens: TournamentScreens, own: int | None) -> TournamentPage:
    """The page of what *screens* are about, for the entrant *own*."""
    now = screens.tournament
    knockout = now.rules.format is TournamentFormat.KNOCKOUT and now.phase is not Phase.OPEN
    cross = CrosstableScreens(screens).table(own, count=MOST_ROWS) if now.rounds else None
    return TournamentPage(
        now.code,
        now.version,
        screens.title(),
        [[_match(screens, tie, own) for tie in ties] for ties in bracket_ties(now)]
        if knockout
        else (),
        next((screens.meeting(m) for one in now.rounds for m in one.meetings if m.third), ""),
        None if cross is None else replace(cross, title=screens.say("tournament.button.cross")),
        replace(screens.table(own, count=MOST_ROWS), title=screens.say("tournament.button.table")),
        now.phase is Phase.ENDED,
    )


def _match(screens: TournamentScreens, tie: Tie, own: int | None) -> BracketMatch:
    first, second = tie.points if tie.points is not None else (None, None)
    return BracketMatch(
        (
            _side(screens, tie, tie.first, first, own),
            _side(screens, tie, tie.second, second, own),
        ),
        tie.bye,
    )


def _side(
    screens: TournamentScreens, tie: Tie, entrant: int | None, points: int | None, own: int | None
) -> BracketSide:
    if entrant is None:
        return BracketSide("")
    return BracketSide(
        screens.name(entrant),
        "" if points is None else halves(points),
        won=tie.winner == entrant and not tie.bye,
        own=entrant == own,
    )
