"""The laws of each format, by tournaments that are played by lot with restless people."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.tournament import swiss
from bot.tournament.values import Rules, TournamentFormat
from tests.tournament import laws
from tests.tournament.simulated import opened, played

SEEDS = st.integers(0, 2**32)
PLAYED = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@pytest.mark.sampled
@pytest.mark.parametrize("restless", [True, False])
@PLAYED
@given(entrants=st.integers(4, 14), seed=SEEDS, data=st.data())
def test_swiss(entrants, seed, data, restless):
    rounds = data.draw(st.integers(1, min(7, entrants - 1)))
    hall = opened(Rules("niya", TournamentFormat.SWISS, "5+3", rounds=rounds), entrants, seed)
    tournament = played(hall, restless=restless)
    laws.check(tournament)
    assert len(hall.reports) >= tournament.number


@PLAYED
@given(entrants=st.integers(3, 16), seed=SEEDS, double=st.booleans())
def test_round_robin(entrants, seed, double):
    hall = opened(Rules("niya", TournamentFormat.ROBIN, "5+3", double=double), entrants, seed)
    laws.check(played(hall))


@PLAYED
@given(entrants=st.integers(4, 24), seed=SEEDS, best_of=st.sampled_from((1, 3)))
def test_knockout(entrants, seed, best_of):
    hall = opened(Rules("niya", TournamentFormat.KNOCKOUT, "5+3", best_of=best_of), entrants, seed)
    laws.check(played(hall))


@PLAYED
@given(entrants=st.integers(6, 24), seed=SEEDS, rounds=st.integers(1, 6))
def test_tables_of_three_and_four(entrants, seed, rounds):
    hall = opened(Rules("parchis", TournamentFormat.TABLES, "5+3", rounds=rounds), entrants, seed)
    laws.check(played(hall))


@PLAYED
@given(entrants=st.integers(4, 24), seed=SEEDS, minutes=st.integers(5, 60))
def test_arena(entrants, seed, minutes):
    hall = opened(Rules("niya", TournamentFormat.ARENA, "5+3", minutes=minutes), entrants, seed)
    laws.check(played(hall))


def test_each_swiss_round_is_the_one_that_its_report_gives():
    hall = opened(Rules("niya", TournamentFormat.SWISS, "5+3", rounds=7), 13, 40)
    tournament = played(hall)
    for report, one in zip(hall.reports, tournament.rounds, strict=False):
        pairs = swiss.pairs(report)
        assert [m.entrants for m in one.meetings] == [pair for pair in pairs if all(pair)]
        assert list(one.byes) == [max(pair) for pair in pairs if not all(pair)]
