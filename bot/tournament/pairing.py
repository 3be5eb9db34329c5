"""The next round of a tournament, whatever its format. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.tournament.arena import free_pairs
from bot.tournament.knockout import semifinal_losers, slots
from bot.tournament.multiplayer_groups import groups, meetings_of, seated, sizes
from bot.tournament.robin import Pair, round_pairs
from bot.tournament.standings import standings
from bot.tournament.values import ENTRANTS, Tournament, TournamentFormat


@dataclass(frozen=True)
class Pairing:
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


def next_pairing(tournament: Tournament, swiss: Sequence[Pair] = ()) -> Pairing | None:
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
            return Pairing(tuple(found)) if found else None


def _swiss(pairs: Sequence[Pair]) -> Pairing | None:
    met = tuple(pair for pair in pairs if all(pair))
    byes = tuple(max(pair) for pair in pairs if not all(pair))
    return Pairing(met, byes) if met else None


def _robin(tournament: Tournament) -> Pairing:
    count = len(tournament.entrants)
    found = round_pairs(count, tournament.number + 1, double=tournament.rules.double)
    met = tuple(pair for pair in found if max(pair) <= count)
    return Pairing(met, tuple(min(pair) for pair in found if max(pair) > count))


def _knockout(tournament: Tournament) -> Pairing:
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
    return Pairing((*met, losers) if third is not None else tuple(met), tuple(byes), third)


def _tables(tournament: Tournament) -> Pairing | None:
    number = tournament.number + 1
    there = {one.number for one in tournament.entrants if one.plays_in(number)}
    lines = [line for line in standings(tournament) if line.entrant in there]
    order = [line.entrant for line in lines]
    if not sizes(len(order)):
        return None
    byes = _over(tournament, order)
    order = [one for one in order if one not in byes]
    games = [game.seats for _, _, game in tournament.games()]
    found = groups(order, {line.entrant: line.points for line in lines}, meetings_of(games))
    sat = Counter((one, seat) for game in games for seat, one in enumerate(game))
    return Pairing(tuple(seated(table, sat) for table in found), byes)


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
