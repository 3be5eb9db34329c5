"""The standings: points, and the tie-breaks of FIDE's C.07 as of 1 March 2026. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.tournament.arena import arena_points, results_in_order
from bot.tournament.history import Played, histories
from bot.tournament.knockout import seeds, standoff
from bot.tournament.values import DRAW, WIN, Tournament, TournamentFormat


class TieBreak(StrEnum):
    """The tie-breaks, by the words of the catalogue."""

    CUT = "cut"
    """Buchholz without the weakest opponent."""
    BUCHHOLZ = "buchholz"
    BERGER = "berger"
    """Sonneborn-Berger."""
    DIRECT = "direct"
    WINS = "wins"
    FIRSTS = "firsts"


TIE_BREAKS: Final[Mapping[TournamentFormat, tuple[TieBreak, ...]]] = {
    TournamentFormat.SWISS: (
        *(TieBreak.CUT, TieBreak.BUCHHOLZ, TieBreak.BERGER),
        *(TieBreak.DIRECT, TieBreak.WINS),
    ),
    TournamentFormat.ROBIN: (TieBreak.BERGER, TieBreak.DIRECT, TieBreak.WINS),
    TournamentFormat.KNOCKOUT: (),
    TournamentFormat.TABLES: (TieBreak.FIRSTS,),
    TournamentFormat.ARENA: (TieBreak.WINS,),
}
"""What decides between people with the same points, the first first."""

SCALES: Final[Mapping[TieBreak, int]] = {
    TieBreak.CUT: 2,
    TieBreak.BUCHHOLZ: 2,
    TieBreak.BERGER: 4,
    TieBreak.DIRECT: 2,
    TieBreak.WINS: 1,
    TieBreak.FIRSTS: 1,
}
"""What the values of a tie-break are divided by to be points."""


@dataclass(frozen=True)
class Line:
    """How an entrant stands: the *place*, shared by equals, half *points*, *tie_breaks*, *games*.

    *tie_breaks* are in the units of ``SCALES`` and in the order of ``TIE_BREAKS``.
    """

    place: int
    entrant: int
    points: int
    tie_breaks: tuple[int, ...]
    games: int


def standings(tournament: Tournament) -> tuple[Line, ...]:
    """How everybody stands, the best first; equals by their numbers."""
    if tournament.rules.format is TournamentFormat.KNOCKOUT:
        return _knockout(tournament)
    points, reckon = _points(tournament), _Reckoning(tournament)
    keys: dict[int, tuple[int, ...]] = {one: (points[one],) for one in points}
    for tie_break in TIE_BREAKS[tournament.rules.format]:
        values = reckon.values(tie_break, keys)
        keys = {one: (*key, values[one]) for one, key in keys.items()}
    order = sorted(keys, key=lambda one: (*(-value for value in keys[one]), one))
    places, played = _places([keys[one] for one in order]), _games_over(tournament)
    return tuple(
        Line(place, one, keys[one][0], keys[one][1:], played[one])
        for place, one in zip(places, order, strict=True)
    )


def _places(values: Sequence[object]) -> list[int]:
    """The places of *values*, the best of which stand first; equal ones share theirs."""
    return [values.index(value) + 1 for value in values]


def _games_over(tournament: Tournament) -> Counter[int]:
    """By entrant, how many of their games are over."""
    over = (game for _, _, game in tournament.games() if game.result is not None)
    return Counter(number for game in over for number in game.seats)


def _points(tournament: Tournament) -> dict[int, int]:
    if tournament.rules.format is TournamentFormat.ARENA:
        return {one: arena_points(results) for one, results in results_in_order(tournament).items()}
    found = {one.number: 0 for one in tournament.entrants}
    # A bye of a round robin is a round in which one would have met nobody.
    bye = {TournamentFormat.ROBIN: 0, TournamentFormat.TABLES: 2 * WIN}.get(
        tournament.rules.format, WIN
    )
    for one in tournament.rounds:
        for number in one.byes:
            found[number] += bye
        for number in one.halves:
            found[number] += DRAW
    for _, _, game in tournament.games():
        for number in game.seats:
            found[number] += game.points_of(number)
    return found


class _Reckoning:
    """Reckons the tie-breaks of one tournament."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        two = tournament.rules.format in (TournamentFormat.SWISS, TournamentFormat.ROBIN)
        self._had: Mapping[int, Sequence[Played]] = histories(tournament) if two else {}
        self._own = {one: sum(p.points for p in had) for one, had in self._had.items()}
        self._adjusted = {one: self._own[one] + _trailing(had) for one, had in self._had.items()}

    def values(self, which: TieBreak, keys: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
        """The tie-break *which* of everybody, who so far stand as *keys* say."""
        if which is TieBreak.DIRECT:
            return self._direct(keys)
        of: Mapping[TieBreak, Callable[[int], int]] = {
            TieBreak.CUT: self._cut,
            TieBreak.BUCHHOLZ: lambda one: sum(self._contributions(one)),
            TieBreak.BERGER: self._berger,
            TieBreak.WINS: self._wins,
            TieBreak.FIRSTS: self._firsts,
        }
        return {one: of[which](one) for one in keys}

    def _contributions(self, one: int) -> list[int]:
        """What each round of *one* adds to their Buchholz."""
        return [self._worth(one, had) for had in self._had[one] if not had.pending]

    def _worth(self, one: int, had: Played) -> int:
        """A round without a game is one against a dummy with as many points as oneself (16.4).

        It has at most those of the opponent who did not come, else half a point a round.
        """
        if self._tournament.rules.format is TournamentFormat.ROBIN:
            return 0 if had.opponent is None else self._own[had.opponent]
        if had.opponent is None:
            return min(self._own[one], DRAW * len(self._tournament.rounds))
        known = self._adjusted[had.opponent]
        return known if had.was_met else min(self._own[one], known)

    def _cut(self, one: int) -> int:
        """Buchholz without its least part; a round that was missed is the first to go."""
        found = self._contributions(one)
        missed = [self._worth(one, had) for had in self._had[one] if had.has_missed]
        return sum(found) - (min(missed or found) if found else 0)

    def _berger(self, one: int) -> int:
        """Sonneborn-Berger: the points of each opponent times what was won from them."""
        return sum(self._worth(one, had) * had.points for had in self._had[one] if not had.pending)

    def _wins(self, one: int) -> int:
        if self._had:
            return sum(had.points == WIN for had in self._had[one])
        return sum(points == WIN for points in results_in_order(self._tournament)[one])

    def _firsts(self, one: int) -> int:
        """How often *one* was first at a table, alone or with others."""
        return sum(
            game.result is not None and game.points_of(one) == max(game.result.points) > 0
            for _, _, game in self._tournament.games()
            if one in game.seats
        )

    def _direct(self, keys: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
        """The points among those who stand equal, where all of them have met."""
        equal: dict[tuple[int, ...], list[int]] = {}
        for one, key in keys.items():
            equal.setdefault(key, []).append(one)
        return {one: found for same in equal.values() for one, found in self._among(same).items()}

    def _among(self, together: Sequence[int]) -> dict[int, int]:
        """The points of *together* from one another; nothing where two of them have not met."""
        games = {
            one: [had for had in self._had[one] if had.was_met and had.opponent in together]
            for one in together
        }
        if any(len({had.opponent for had in games[one]}) < len(together) - 1 for one in together):
            return dict.fromkeys(together, 0)
        return {one: sum(had.points for had in games[one]) for one in together}


def _trailing(rounds: Sequence[Played]) -> int:
    """What is added for the rounds that somebody missed at the end.

    One without an opponent was asked for and counts as a draw (16.3.2), a forfeit as nothing.
    """
    count = 0
    for had in reversed(rounds):
        if not had.has_missed:
            break
        count += DRAW - had.points if had.opponent is None else 0
    return count


def _knockout(tournament: Tournament) -> tuple[Line, ...]:
    """By how far each came; who went out in the same round share their place."""
    order = seeds(tournament.entrants)
    reached = dict.fromkeys(order, 0)
    for one in tournament.rounds:
        for number in one.byes:
            reached[number] = 2 * one.number
        for meeting in one.meetings:
            stands = standoff(tournament, meeting, one.number)
            for number in meeting.entrants:
                # The match for third place is worth less than the final beside it.
                reached[number] = 2 * one.number - (2 if meeting.third else 0)
            if stands is not None and stands.winner is not None:
                reached[stands.winner] += 1
    ranked = sorted(order, key=lambda one: (-reached[one], order.index(one)))
    places, played = _places([reached[one] for one in ranked]), _games_over(tournament)
    return tuple(
        Line(place, one, 2 * reached[one], (), played[one])
        for place, one in zip(places, ranked, strict=True)
    )
