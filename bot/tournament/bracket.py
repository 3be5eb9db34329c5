"""The bracket of a knockout as it stands: who meets whom in every round, also to come. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.tournament.knockout import first_places, standoff
from bot.tournament.values import Meeting, Round, Tournament


@dataclass(frozen=True)
class Tie:
    """A match of the bracket: *first* meets *second*, each ``None`` while nobody knows them.

    *points* are the half points of both so far, nothing before a game is over; *bye* says that
    *first* or *second* goes on without a match.
    """

    first: int | None
    second: int | None
    points: tuple[int, int] | None = None
    winner: int | None = None
    bye: bool = False


def bracket_ties(tournament: Tournament) -> list[list[Tie]]:
    """The ties of each round from the top down, the first round first; its final stands last."""
    known, found = first_places(tournament), list[list[Tie]]()
    for one in tournament.rounds:
        found.append([_tie(tournament, one, a, b) for a, b in _pairs(known)])
        known = [tie.winner for tie in found[-1]]
    byes = not tournament.rounds
    while len(known) > 1:
        ties = [Tie(a, b, bye=byes and None in (a, b)) for a, b in _pairs(known)]
        found.append(ties)
        known = [(one.first or one.second) if one.bye else None for one in ties]
        byes = False
    return found


def _pairs(places: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    return list(zip(places[::2], places[1::2], strict=True))


def _tie(tournament: Tournament, one: Round, first: int | None, second: int | None) -> Tie:
    if first is None or second is None:
        return Tie(first, second, winner=first or second, bye=True)
    meeting = _meeting(one, first)
    if meeting is None:
        return Tie(first, second)
    stands = standoff(tournament, meeting, one.number)
    over = [game for game in meeting.games if game.result is not None]
    points = tuple(sum(game.points_of(n) for game in over) for n in (first, second))
    return Tie(
        first,
        second,
        (points[0], points[1]) if over else None,
        None if stands is None else stands.winner,
    )


def _meeting(one: Round, entrant: int) -> Meeting | None:
    return next((m for m in one.meetings if entrant in m.entrants and not m.third), None)
