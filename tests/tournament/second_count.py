"""The standings once more, counted in another way than the product does, with fractions.

What opponents are worth in a Swiss tournament is read from the letters of its report alone.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from bot.tournament.knockout import seeds, standoff
from bot.tournament.trf import starting_order, trf
from bot.tournament.values import How, Tournament, TournamentFormat

HALF = Fraction(1, 2)


def second_count(tournament: Tournament) -> list[tuple[int, int, tuple[int, ...]]]:
    """Entrant, half points and tie-breaks, the best first."""
    match tournament.rules.format:
        case TournamentFormat.SWISS | TournamentFormat.ROBIN:
            return _pairs(tournament)
        case TournamentFormat.TABLES:
            return _ordered({n: (p, (f,)) for n, (p, f) in _tables(tournament).items()})
        case TournamentFormat.ARENA:
            return _ordered({n: (p, (w,)) for n, (p, w) in _arena(tournament).items()})
    return _knockout(tournament)


def _ordered(found):
    rows = [(n, points, breaks) for n, (points, breaks) in found.items()]
    return sorted(rows, key=lambda row: (-row[1], tuple(-x for x in row[2]), row[0]))


def _grid(tournament):
    """By entrant and round: opponent or None, points as a fraction, whether it was played."""
    robin = tournament.rules.format is TournamentFormat.ROBIN
    rounds = len(tournament.rounds)
    grid = {one.number: [(None, Fraction(0), False)] * rounds for one in tournament.entrants}
    for index, one in enumerate(tournament.rounds):
        for number in one.byes:
            grid[number][index] = (None, Fraction(0 if robin else 1), False)
        for number in one.halves:
            grid[number][index] = (None, HALF, False)
        for meeting in one.meetings:
            game = meeting.last
            a, b = game.seats
            really = game.result.how is not How.FORFEIT
            grid[a][index] = (b, game.result.points[0] * HALF, really)
            grid[b][index] = (a, game.result.points[1] * HALF, really)
    return grid


def _swiss(tournament):
    """The same from the letters of the report, as an arbiter's program reads them (C.04, annex 2).

    A letter says what a round was: ``+`` and ``-`` a forfeit, ``U`` a bye, ``H`` one of half a
    point that was asked for, ``Z`` none.
    """
    order, rows = starting_order(tournament), {}
    for line in trf(tournament, {}).splitlines():
        if line.startswith("001"):
            cells = [line[at : at + 10] for at in range(89, len(line), 10)]
            rows[int(line[4:8])] = [(int(one[2:6]), one[9]) for one in cells]
    worths = {"1": 2, "W": 2, "+": 2, "U": 2, "=": 1, "D": 1, "H": 1}
    own = {n: sum(HALF * worths.get(letter, 0) for _, letter in row) for n, row in rows.items()}
    lifted = {}
    for n, row in rows.items():
        there = max((i for i, (_, letter) in enumerate(row) if letter not in "-ZH"), default=-1)
        lifted[n] = own[n] + HALF * sum(o == 0 and letter != "H" for o, letter in row[there + 1 :])
    found = {}
    for n, row in rows.items():
        dummy = min(own[n], HALF * len(row))
        worth = [
            dummy if not o else min(own[n], lifted[o]) if letter in "+-" else lifted[o]
            for o, letter in row
        ]
        found[order[n - 1]] = worth
    return found


def _pairs(tournament):
    robin = tournament.rules.format is TournamentFormat.ROBIN
    grid = _grid(tournament)
    swiss = {} if robin else _swiss(tournament)
    own = {n: sum((p for _, p, _ in row), Fraction(0)) for n, row in grid.items()}
    rows = {}
    for n, row in grid.items():
        worth = [own[o] if o else Fraction(0) for o, _, _ in row] if robin else swiss[n]
        berger = sum((w * p for w, (_, p, _) in zip(worth, row, strict=True)), Fraction(0))
        wins = sum(p == 1 for _, p, _ in row)
        missed = [w for w, (_, p, really) in zip(worth, row, strict=True) if not really and p < 1]
        buchholz = sum(worth, Fraction(0))
        cut = buchholz - (min(missed) if missed else min(worth, default=Fraction(0)))
        before = (berger * 4,) if robin else (cut * 2, buchholz * 2, berger * 4)
        rows[n] = [own[n] * 2, *before, wins]
    ordered = sorted(rows, key=lambda n: [-x for x in rows[n][:-1]])
    found = []
    for _, same in groupby(ordered, key=lambda n: rows[n][:-1]):
        group = set(same)
        inside = {n: [(o, p) for o, p, really in grid[n] if really and o in group] for n in group}
        complete = all({o for o, _ in inside[n]} == group - {n} for n in group)
        for n in group:
            direct = sum((p for _, p in inside[n]), Fraction(0)) * 2 if complete else 0
            points, *before, wins = rows[n]
            found.append((n, points, (*before, direct, wins)))
    return sorted(found, key=lambda row: (-row[1], tuple(-x for x in row[2]), row[0]))


def _tables(tournament):
    found = {one.number: [0, 0] for one in tournament.entrants}
    for one in tournament.rounds:
        for number in one.byes:
            found[number][0] += 4
        for meeting in one.meetings:
            points = dict(zip(meeting.entrants, meeting.last.result.points, strict=True))
            for number, got in points.items():
                found[number][0] += got
                found[number][1] += got == max(points.values())
    return found


def _arena(tournament):
    found = {}
    for one in tournament.entrants:
        games = sorted(
            (g for _, _, g in tournament.games() if one.number in g.seats), key=lambda g: g.order
        )
        got = [game.points_of(one.number) for game in games]
        points = 0
        for index, here in enumerate(got):
            hot = index >= 2 and got[index - 1] == got[index - 2] == 2
            points += here * 2 * (2 if hot else 1)
        found[one.number] = (points, got.count(2))
    return found


def _knockout(tournament):
    """Champion, runner-up, third and fourth, then by the round in which people went out."""
    order = seeds(tournament.entrants)
    last = {}
    for one in tournament.rounds:
        for meeting in one.meetings:
            for number in meeting.entrants:
                last[number] = (one.number - meeting.third, not meeting.third)
        for number in one.byes:
            last[number] = (one.number, True)
    won = {
        stands.winner
        for meeting in tournament.rounds[-1].meetings
        if (stands := standoff(tournament, meeting, tournament.number)) is not None
    }
    rows = sorted(order, key=lambda n: (-last[n][0], n not in won, order.index(n)))
    return [(n, 2 * (2 * last[n][0] + (n in won)), ()) for n in rows]
