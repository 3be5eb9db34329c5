"""Knockouts: seeds, who goes on, the match for third place, and the bracket as it stands. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.tournament.values import Entrant, Meeting, Round, Tournament


def seeds(entrants: tuple[Entrant, ...]) -> tuple[int, ...]:
    """The numbers of *entrants*, the best rated first; who entered first is ahead of equals."""
    return tuple(one.number for one in sorted(entrants, key=lambda one: (-one.rating, one.number)))


def bracket(size: int) -> tuple[int, ...]:
    """The seeds of a bracket of *size*, a power of two, from the top down: 1 8 4 5 2 7 3 6."""
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        both = 2 * len(order) + 1
        order = tuple(one for seed in order for one in (seed, both - seed))
    return order


@dataclass(frozen=True)
class Standoff:
    """How a meeting stands: its *winner* if it is decided, or whether a *decider* comes next.

    *seeded*: the decider was drawn too, and the winner is only the better seeded.
    """

    winner: int | None = None
    loser: int | None = None
    decider: bool = False
    seeded: bool = False


def standoff(tournament: Tournament, meeting: Meeting, number: int) -> Standoff | None:
    """How *meeting* of the round *number* stands; ``None`` while a game of it is played.

    After a drawn match one more game is played, the decider, with half the time; is that drawn
    too, the better seeded goes on. So does who is there, where the other did not come, or has left
    before it was decided.
    """
    if not meeting.is_played:
        return None
    first, second = meeting.entrants
    if meeting.last.is_forfeited:
        return _standoff(meeting, _came(tournament, meeting))
    length, games = tournament.rules.best_of, meeting.games
    points = tuple(sum(game.points_of(one) for game in games) for one in (first, second))
    left, ahead = 2 * max(0, length - len(games)), points[0] - points[1]
    if abs(ahead) > left:
        return _standoff(meeting, first if ahead > 0 else second)
    if not left and len(games) > length:
        return replace(_standoff(meeting, _better_seed(tournament, meeting.entrants)), seeded=True)
    left_in = {one: tournament.entrant(one).gone for one in meeting.entrants}
    there = [one for one, gone in left_in.items() if gone is None or gone > number]
    if len(there) < 2:
        return _standoff(meeting, there[0] if there else _better_seed(tournament, meeting.entrants))
    return Standoff(decider=not left)


def _standoff(meeting: Meeting, winner: int) -> Standoff:
    first, second = meeting.entrants
    return Standoff(winner, second if winner == first else first)


def _came(tournament: Tournament, meeting: Meeting) -> int:
    """Who came to the last game of *meeting*; the better seeded where nobody did."""
    game = meeting.last
    found = [one for one in game.seats if game.points_of(one)]
    return found[0] if len(found) == 1 else _better_seed(tournament, meeting.entrants)


def _better_seed(tournament: Tournament, pair: tuple[int, ...]) -> int:
    return min(pair, key=seeds(tournament.entrants).index)


def slots(tournament: Tournament) -> list[int | None]:
    """Who stands in each place of the bracket of the next round, from the top down.

    ``None`` is an empty place: who would meet it has a bye.
    """
    known = first_places(tournament)
    for one in tournament.rounds:
        won: dict[int, int | None] = {}
        for meeting in one.meetings:
            stands = standoff(tournament, meeting, one.number)
            if stands is not None and not meeting.third:
                won.update(dict.fromkeys(meeting.entrants, stands.winner))
        known = [won.get(a or b or 0, a or b) for a, b in _pairs(known)]
    return known


def first_places(tournament: Tournament) -> list[int | None]:
    """Who stands in each place of the bracket of the first round, from the top down."""
    order = seeds(tournament.entrants)
    size = 1 << max(1, (len(order) - 1).bit_length())
    return [order[seed - 1] if seed <= len(order) else None for seed in bracket(size)]


def semifinal_losers(tournament: Tournament) -> tuple[int, ...]:
    """Who lost the two semifinals, which the newest round was; fewer where there was a bye."""
    newest = tournament.rounds[-1]
    found = (standoff(tournament, meeting, newest.number) for meeting in newest.meetings)
    return tuple(one.loser for one in found if one is not None and one.loser is not None)


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
    meeting = next((m for m in one.meetings if first in m.entrants and not m.third), None)
    if meeting is None:
        return Tie(first, second)
    stands = standoff(tournament, meeting, one.number)
    over = [game for game in meeting.games if game.result is not None]
    points = tuple(sum(game.points_of(n) for game in over) for n in (first, second))
    winner = None if stands is None else stands.winner
    return Tie(first, second, (points[0], points[1]) if over else None, winner)
