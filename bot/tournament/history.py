"""What each entrant has had in each round, however the format brought it about. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.tournament.values import (
    DRAW,
    WIN,
    How,
    Round,
    Tournament,
    TournamentFormat,
    TournamentGame,
)


@dataclass(frozen=True)
class Played:
    """What an entrant had in a round: the *opponent*, the *seat*, the half *points* and *how*.

    *opponent* is ``None`` for a round without one: *points* tell a bye from an absence. *pending*
    is a game that is not over yet.
    """

    opponent: int | None = None
    seat: int = 0
    points: int = 0
    how: How = How.FORFEIT
    pending: bool = False

    @property
    def was_met(self) -> bool:
        """Whether a game was really played, or judged."""
        return self.opponent is not None and not self.pending and self.how is not How.FORFEIT

    @property
    def has_missed(self) -> bool:
        """Whether the entrant could have played and was not there, or had asked not to."""
        return not self.pending and not self.was_met and self.points < WIN


def histories(tournament: Tournament) -> Mapping[int, Sequence[Played]]:
    """By entrant, what they had in every round; for formats in which two meet once a round."""
    found: dict[int, list[Played]] = {one.number: [] for one in tournament.entrants}
    for one in tournament.rounds:
        had = _round(one, tournament.rules.format)
        for number, rounds in found.items():
            rounds.append(had.get(number, Played()))
    return found


def _round(one: Round, form: TournamentFormat) -> dict[int, Played]:
    # A bye of a round robin is a round in which one would have met nobody.
    bye = Played(points=0 if form is TournamentFormat.ROBIN else WIN)
    found = {**dict.fromkeys(one.byes, bye), **dict.fromkeys(one.halves, Played(points=DRAW))}
    for meeting in one.meetings:
        game = meeting.last
        if len(game.seats) == 2:
            found |= _both(game)
    return found


def _both(game: TournamentGame) -> dict[int, Played]:
    first, second = game.seats
    if game.result is None:
        return {first: Played(second, 0, pending=True), second: Played(first, 1, pending=True)}
    how, (mine, theirs) = game.result.how, game.result.points
    return {first: Played(second, 0, mine, how), second: Played(first, 1, theirs, how)}
