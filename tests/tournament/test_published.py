"""Pairings and standings that others have published."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.tournament import swiss
from bot.tournament.standings import standings
from bot.tournament.trf import trf
from bot.tournament.values import (
    DRAW,
    LOSS,
    WIN,
    Entrant,
    How,
    Meeting,
    Phase,
    Result,
    Round,
    Rules,
    Tournament,
    TournamentFormat,
    TournamentGame,
)

DATA = Path(__file__).resolve().parents[1] / "data" / "tournament"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
POINTS = {"1": WIN, "=": DRAW, "0": LOSS, "+": WIN, "-": LOSS, "W": WIN, "L": LOSS}
TOKEN = re.compile(r"(\d+)([wb])([-+=01WL])")


class Published:
    """A tournament as it was published: what everybody had in each round, and the next pairs."""

    def __init__(self, name: str, rounds: int) -> None:
        lines = (DATA / name).read_text("utf-8").splitlines()
        *players, last = [line.split() for line in lines if not line.startswith("#")]
        self.ratings = [int(player[0]) for player in players]
        self.had = [[TOKEN.fullmatch(token).groups() for token in one[1:]] for one in players]
        self.following = [tuple(map(int, pair.split("-"))) for pair in last]
        self.rounds = rounds

    def pairs(self, number: int) -> list[tuple[int, int]]:
        """Who met whom in the round *number*, white first."""
        if number > len(self.had[0]):
            return self.following
        return [
            (one, int(opponent))
            for one, had in enumerate(self.had, 1)
            for opponent, colour, _ in [had[number - 1]]
            if colour == "w"
        ]

    def game(self, one: int, other: int, number: int) -> TournamentGame:
        first, second = self.had[one - 1][number - 1][2], self.had[other - 1][number - 1][2]
        how = How.FORFEIT if first in "+-" else How.PLAYED
        result = Result(how, (POINTS[first], POINTS[second]))
        return TournamentGame(f"{number}-{one}", (one, other), result, number)

    def after(self, number: int) -> Tournament:
        """The tournament after so many rounds."""
        return Tournament(
            "PUBLIC",
            Rules("shogi", TournamentFormat.SWISS, "5m", rounds=self.rounds),
            *(1, 1, NOW, NOW, Phase.RUNNING),
            tuple(Entrant(n, n, rating) for n, rating in enumerate(self.ratings, 1)),
            tuple(
                Round(n, tuple(Meeting((self.game(a, b, n),)) for a, b in self.pairs(n)))
                for n in range(1, number + 1)
            ),
            started=NOW,
        )


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", range(1, 16))
def test_our_reports_give_the_published_pairs(number):
    published = Published("dutch_60.txt", 15)
    # There the first player had the second colour in the first round.
    report = trf(published.after(number - 1), {}).replace("XXC white1", "XXC black1")
    assert set(swiss.pairs(report)) == set(published.pairs(number))


def report_before(number: int) -> tuple[str, set[tuple[int, int]]]:
    """The report of JaVaFo's tournament before round *number*, and the pairs of it; 0 is a bye.

    Byes of half a point, which our tournaments do not have, stand in it as they were.
    """
    lines = (DATA / "dutch_46.txt").read_text("utf-8").splitlines()
    players = [line.split() for line in lines if not line.startswith("#")]
    report, absent, pairs = ["XXC white1", "XXR 10"], [], set()
    for one, rating, *had in players:
        halves, tokens = 0, ""
        for token in had[: number - 1]:
            if token in "HZU":
                halves += {"H": 1, "Z": 0, "U": 2}[token]
                tokens += f"  0000 - {token}"
            else:
                opponent, colour, result = TOKEN.fullmatch(token).groups()
                halves += POINTS[result]
                tokens += f"  {opponent:>4} {colour} {result}"
        points = f"{halves // 2}.{5 * (halves % 2)}"
        report.append(f"001 {one:>4}{'':40}{rating:>4}{'':28}{points:>4} {one:>4}{tokens}")
        now = had[number - 1]
        if now == "U":
            pairs.add((int(one), 0))
        elif now in "HZ":
            absent.append(one)
        elif TOKEN.fullmatch(now)[2] == "w":
            pairs.add((int(one), int(TOKEN.fullmatch(now)[1])))
    if absent:
        report.append(f"XXZ {' '.join(absent)}")
    return "\n".join(report), pairs


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", range(1, 11))
def test_a_tournament_of_javafo_is_paired_as_it_was(number):
    report, published = report_before(number)
    found = set(swiss.pairs(report))
    if number == 1:
        # JaVaFo numbers anew who is there in the first round, and gives the colours by that.
        assert set(map(frozenset, found)) == set(map(frozenset, published))
    else:
        assert found == published


class Club(Published):
    """The club championship, with byes of half a point."""

    def __init__(self) -> None:
        lines = (DATA / "hamilton_2018.txt").read_text("utf-8").splitlines()
        self.players = [line.split() for line in lines if not line.startswith("#")]

    def tournament(self) -> Tournament:
        count = len(self.players)
        rounds = []
        for number in range(1, 7):
            games, byes, halves = [], [], []
            for one, had in enumerate(self.players, 1):
                token = had[number - 1] if number <= len(had) else ""
                if token == "U":
                    byes.append(one)
                elif token == "H":
                    halves.append(one)
                elif token and (found := TOKEN.fullmatch(token).groups())[1] == "w":
                    theirs = self.players[int(found[0]) - 1][number - 1]
                    assert TOKEN.fullmatch(theirs)[1] == str(one)
                    points = (POINTS[found[2]], POINTS[TOKEN.fullmatch(theirs)[3]])
                    assert sum(points) == WIN
                    result = Result(How.PLAYED, points)
                    seats = (one, int(found[0]))
                    games.append(TournamentGame(f"{number}-{one}", seats, result, number))
            meetings = tuple(Meeting((game,)) for game in games)
            rounds.append(Round(number, meetings, tuple(byes), halves=tuple(halves)))
        return Tournament(
            "PUBLIC",
            Rules("shogi", TournamentFormat.SWISS, "5m", rounds=6),
            *(1, 1, NOW, NOW, Phase.RUNNING),
            tuple(Entrant(n, n, 1500) for n in range(1, count + 1)),
            tuple(rounds),
            started=NOW,
        )


def test_the_tie_breaks_of_a_published_championship():
    lines = {line.entrant: line for line in standings(Club().tournament())}
    points = "5.5 5.5 4 4 4 4 4 3.5 3.5 3.5 3.5 3 3 3 3 3 2.5 2.5 2.5 2.5 2 2 2 2 2 1 1"
    assert [lines[n].points / 2 for n in range(1, 28)] == [float(one) for one in points.split()]
    # Published for the champion: Buchholz 22.5, without the lowest 20, Sonneborn-Berger 19.75. (The
    # second met people who missed rounds, whom FIDE has counted otherwise since 2024.)
    cut, buchholz, berger, _, wins = lines[1].tie_breaks
    assert (cut / 2, buchholz / 2, berger / 4, wins) == (20.0, 22.5, 19.75, 5)
