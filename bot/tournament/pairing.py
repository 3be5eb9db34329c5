"""The next round of a tournament, whatever its format. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TypeAlias

from bot.tournament.arena import free_pairs
from bot.tournament.knockout import semifinal_losers, slots
from bot.tournament.standings import standings
from bot.tournament.values import (
    ENTRANTS,
    LARGEST_TABLE,
    SMALLEST_TABLE,
    Tournament,
    TournamentFormat,
)

Pair: TypeAlias = tuple[int, int]
"""Two numbers; the first has the first side."""


def berger(count: int, number: int) -> tuple[Pair, ...]:
    """The pairs of the round *number*, from 1 on, of *count* people, in the order of the tables.

    Of an odd *count* one pair holds the number ``count + 1``: the other of the two has a bye.
    """
    even = count + count % 2
    others = even - 1
    pivot = (number - 1) * (even // 2) % others + 1
    first = (pivot, even) if number % 2 else (even, pivot)

    def seat(shift: int) -> int:
        return (pivot + shift - 1) % others + 1

    return (first, *((seat(step), seat(-step)) for step in range(1, even // 2)))


def cycle_length(count: int) -> int:
    """How many rounds it takes until everybody has met everybody."""
    return count - 1 + count % 2


def round_pairs(count: int, number: int, *, double: bool = False) -> tuple[Pair, ...]:
    """The pairs of the round *number*; with *double* the second cycle has the sides changed.

    As the annex recommends, a double cycle has the last two rounds of its first half exchanged:
    nobody has one side three times in a row.
    """
    cycle = cycle_length(count)
    if not double:
        return berger(count, number)
    if number > cycle:
        return tuple((second, first) for first, second in berger(count, number - cycle))
    if cycle > 1 and number >= cycle - 1:
        number = 2 * cycle - 1 - number
    return berger(count, number)


Meetings: TypeAlias = Mapping[frozenset[int], int]
"""How often each two have sat at one table."""

PASSES = 8
"""How often everybody is looked at for a change of places, at most."""


def sizes(count: int) -> tuple[int, ...]:
    """How many sit at each table, as many fours as can be; those who are over have a bye."""
    threes = -count % LARGEST_TABLE
    fours = (count - SMALLEST_TABLE * threes) // LARGEST_TABLE
    if fours < 0:
        return (LARGEST_TABLE,) if count == LARGEST_TABLE + 1 else ()
    return (LARGEST_TABLE,) * fours + (SMALLEST_TABLE,) * threes


def place_points(places: Sequence[Sequence[int]], size: int) -> tuple[int, ...]:
    """The half points by seat of a table of *size*: 3, 2, 1 and 0 by place.

    *places* are the seats by place; those who share one share its points.
    """
    found, best = [0] * size, LARGEST_TABLE - 1
    for sharing in places:
        total = sum(best - n for n in range(len(sharing)))
        for seat in sharing:
            found[seat] = 2 * total // len(sharing)
        best -= len(sharing)
    return tuple(found)


def groups(ordered: Sequence[int], points: Mapping[int, int], met: Meetings) -> list[list[int]]:
    """The tables of *ordered*, the best first, who are as many as ``sizes`` seats.

    People of the same *points* change places until nobody can meet fewer again.
    """
    found: list[list[int]] = []
    waiting = list(ordered)
    for size in sizes(len(ordered)):
        found.append(waiting[:size])
        waiting = waiting[size:]
    for _ in range(PASSES):
        if not _improve(found, points, met):
            break
    return found


def _improve(tables: list[list[int]], points: Mapping[int, int], met: Meetings) -> bool:
    """Let two of the same points change places wherever fewer meet again then; whether any did."""
    changed = False
    for one, other in combinations(tables, 2):
        for n in range(len(one)):
            for m in range(len(other)):
                if points[one[n]] != points[other[m]]:
                    continue
                before = _again(one, met) + _again(other, met)
                one[n], other[m] = other[m], one[n]
                if _again(one, met) + _again(other, met) < before:
                    changed = True
                else:
                    one[n], other[m] = other[m], one[n]
    return changed


def _again(table: Sequence[int], met: Meetings) -> int:
    """How much of *table* was met before; whoever met twice counts for more."""
    return sum(met.get(frozenset(pair), 0) ** 2 for pair in combinations(table, 2))


def order_seats(table: Sequence[int], sat: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    """*table* in the order of its seats, so that everybody has each seat about as often.

    *sat* is how often an entrant has had a seat.
    """

    def repeated(order: tuple[int, ...]) -> int:
        return sum(sat.get((one, seat), 0) for seat, one in enumerate(order))

    return min(permutations(table), key=repeated)


@dataclass(frozen=True)
class RoundPairing:
    """Who meets in a round, in the order of their seats, and who has a bye.

    *third* is the number of the meeting that is the match for third place, if one is.
    """

    meetings: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    third: int | None = None


def is_last(tournament: Tournament) -> bool:
    """Whether no round follows the newest one, as far as the rules of the format say."""
    if not tournament.rounds:
        return False
    match tournament.rules.format:
        case TournamentFormat.KNOCKOUT:
            return sum(one is not None for one in slots(tournament)) < 2
        case TournamentFormat.ARENA:
            return False
    return tournament.number >= tournament.length or len(tournament.present) < 2


def next_pairing(tournament: Tournament, swiss: Sequence[Pair] = ()) -> RoundPairing | None:
    """The pairing of the round that follows; ``None`` where none can follow.

    For a Swiss tournament *swiss* are the pairs of the engine. People who have left are paired
    where the format's table says so; they lose without playing.
    """
    if is_last(tournament):
        return None
    match tournament.rules.format:
        case TournamentFormat.SWISS:
            return _swiss(swiss)
        case TournamentFormat.ROBIN:
            return _robin(tournament)
        case TournamentFormat.KNOCKOUT:
            return _knockout(tournament)
        case TournamentFormat.TABLES:
            return _tables(tournament)
        case TournamentFormat.ARENA:
            found = free_pairs(tournament)
            return RoundPairing(tuple(found)) if found else None


def _swiss(pairs: Sequence[Pair]) -> RoundPairing | None:
    met = tuple(pair for pair in pairs if all(pair))
    return RoundPairing(met, tuple(max(pair) for pair in pairs if not all(pair))) if met else None


def _robin(tournament: Tournament) -> RoundPairing:
    count = len(tournament.entrants)
    found = round_pairs(count, tournament.number + 1, double=tournament.rules.double)
    met = tuple(pair for pair in found if max(pair) <= count)
    return RoundPairing(met, tuple(min(pair) for pair in found if max(pair) > count))


def _knockout(tournament: Tournament) -> RoundPairing:
    places = slots(tournament)
    met: list[tuple[int, ...]] = []
    byes: list[int] = []
    for pair in zip(places[::2], places[1::2], strict=True):
        there = tuple(one for one in pair if one is not None)
        if len(there) == 2:
            met.append(there)
        else:
            byes += there
    losers = semifinal_losers(tournament) if tournament.rounds and len(places) == 2 else ()
    third = len(met) if len(losers) == 2 else None
    return RoundPairing((*met, losers) if third is not None else tuple(met), tuple(byes), third)


def _tables(tournament: Tournament) -> RoundPairing | None:
    number = tournament.number + 1
    there = {one.number for one in tournament.entrants if one.plays_in(number)}
    lines = [line for line in standings(tournament) if line.entrant in there]
    order = [line.entrant for line in lines]
    if not sizes(len(order)):
        return None
    byes = _over(tournament, order)
    order = [one for one in order if one not in byes]
    games = [game.seats for _, _, game in tournament.games()]
    met = Counter(frozenset(pair) for game in games for pair in combinations(game, 2))
    found = groups(order, {line.entrant: line.points for line in lines}, met)
    sat = Counter((one, seat) for game in games for seat, one in enumerate(game))
    return RoundPairing(tuple(order_seats(table, sat) for table in found), byes)


def _over(tournament: Tournament, order: Sequence[int]) -> tuple[int, ...]:
    """Who of *order* has no chair: the last of those who have had the fewest byes."""
    had = Counter(one for past in tournament.rounds for one in past.byes)
    count = len(order) - sum(sizes(len(order)))
    return tuple(sorted(order, key=lambda one: (had[one], -order.index(one)))[:count])


def fitting_formats(count: int, rounds: int) -> tuple[TournamentFormat, ...]:
    """The formats that *count* people can play, a Swiss one in so many *rounds*."""
    return tuple(
        form
        for form, (fewest, most) in ENTRANTS.items()
        if fewest <= count <= most and (form is not TournamentFormat.SWISS or rounds < count)
    )
