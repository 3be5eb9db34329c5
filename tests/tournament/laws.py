"""The laws of every tournament, asked of one that was played to its end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from bot.tournament.pairing import cycle_length
from bot.tournament.standings import standings
from bot.tournament.values import Tournament, TournamentFormat
from tests.tournament.second_count import second_count


def check(tournament: Tournament) -> None:
    {
        TournamentFormat.SWISS: swiss,
        TournamentFormat.ROBIN: robin,
        TournamentFormat.KNOCKOUT: knockout,
        TournamentFormat.TABLES: tables,
        TournamentFormat.ARENA: arena,
    }[tournament.rules.format](tournament)
    everywhere(tournament)


def everywhere(tournament: Tournament) -> None:
    """Nobody sits twice in a round; every game is over; a second count finds the same standings."""
    for one in tournament.rounds:
        there = [n for meeting in one.meetings for n in meeting.entrants] + [*one.byes, *one.halves]
        assert len(there) == len(set(there)), f"round {one.number}"
        assert one.is_played
    codes = [game.code for _, _, game in tournament.games() if game.code]
    assert len(codes) == len(set(codes))
    lines = standings(tournament)
    assert sorted(line.entrant for line in lines) == [one.number for one in tournament.entrants]
    assert [(line.entrant, line.points, line.tie_breaks) for line in lines] == second_count(
        tournament
    )


def met(tournament: Tournament) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair)
        for _, meeting, _ in tournament.games()
        if not meeting.last.is_forfeited
        for pair in combinations(meeting.entrants, 2)
    )


def sides(tournament: Tournament, number: int) -> list[int]:
    return [
        game.seats.index(number)
        for _, _, game in tournament.games()
        if number in game.seats and not game.is_forfeited
    ]


def swiss(tournament: Tournament) -> None:
    """Nobody meets twice, nobody has two byes, and sides are even within two, never thrice."""
    assert all(many == 1 for many in met(tournament).values())
    byes = Counter(number for one in tournament.rounds for number in one.byes)
    assert all(many == 1 for many in byes.values())
    for one in tournament.entrants:
        had = sides(tournament, one.number)
        # A topscorer may break this in the last round (C.04.3, A.7).
        assert abs(had.count(0) - had.count(1)) <= (2 if len(had) < tournament.length else 3)
    if tournament.why == "done":
        assert tournament.number == tournament.length or len(tournament.present) < 2


def robin(tournament: Tournament) -> None:
    """Everybody met everybody, once or twice, and had both sides about as often."""
    times = 2 if tournament.rules.double else 1
    if tournament.why != "done" or tournament.number < tournament.length:
        assert len(tournament.present) < 2
        return
    found = Counter(frozenset(meeting.entrants) for _, meeting, _ in tournament.games())
    count = len(tournament.entrants)
    assert found == {frozenset(p): times for p in combinations(range(1, count + 1), 2)}
    assert tournament.number == times * cycle_length(count)
    for number in range(1, count + 1):
        had = [
            game.seats.index(number) for _, _, game in tournament.games() if number in game.seats
        ]
        assert abs(had.count(0) - had.count(1)) <= 1


def knockout(tournament: Tournament) -> None:
    """Who lost is out, but for the match for third place; one is left."""
    out: set[int] = set()
    for one in tournament.rounds:
        for meeting in one.meetings:
            assert meeting.third == bool(out & set(meeting.entrants))
        winners = {line.entrant for line in standings(tournament) if line.place == 1}
        out |= (
            {n for m in one.meetings for n in m.entrants} - winners - _later(tournament, one.number)
        )
    assert len([line for line in standings(tournament) if line.place == 1]) == 1
    assert tournament.number == (len(tournament.entrants) - 1).bit_length()
    final = tournament.rounds[-1].meetings
    assert sum(not meeting.third for meeting in final) == 1
    assert len(final) == 2 or tournament.number < 2


def _later(tournament: Tournament, number: int) -> set[int]:
    """Who is in the bracket after the round *number*."""
    return {
        n
        for one in tournament.rounds[number:]
        for meeting in one.meetings
        if not meeting.third
        for n in meeting.entrants
    }


def tables(tournament: Tournament) -> None:
    """Tables of four, three where it does not come out even; byes go round."""
    for one in tournament.rounds:
        assert {len(meeting.entrants) for meeting in one.meetings} <= {3, 4}
        assert len(one.byes) <= 1
    byes = Counter(number for one in tournament.rounds for number in one.byes)
    assert all(many <= 2 for many in byes.values())


def arena(tournament: Tournament) -> None:
    """The first side is always theirs who have had it less often; two in a row only if need be."""
    balance = Counter[int]()
    for one in tournament.rounds:
        for meeting in one.meetings:
            first, second = meeting.entrants
            assert balance[first] <= balance[second]
        for meeting in one.meetings:
            first, second = meeting.entrants
            balance[first] += 1
            balance[second] -= 1
