"""The laws of each format, by tournaments that are played by lot with restless people."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.tournament import organizer, swiss
from bot.tournament.standings import standings
from bot.tournament.trf import starting_order
from bot.tournament.values import How, Rules, TournamentFormat
from tests.tournament import laws
from tests.tournament.simulated import opened, pair, played

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
    for (report, order), one in zip(hall.reports, tournament.rounds, strict=False):
        pairs = [tuple((0, *order)[n] for n in pair) for pair in swiss.pairs(report)]
        assert [m.entrants for m in one.meetings] == [pair for pair in pairs if all(pair)]
        assert list(one.byes) == [max(pair) for pair in pairs if not all(pair)]


@pytest.mark.parametrize("seed", range(12))
def test_the_two_strongest_do_not_meet_in_the_first_round_and_the_halves_meet(seed):
    """C.04.2: starting numbers go by rating; the first half meets the second in order."""
    hall = opened(Rules("niya", TournamentFormat.SWISS, "5+3", rounds=3), 16, seed)
    organizer.begin(hall.work)
    pair(hall)
    order = starting_order(hall.now)
    ratings = [hall.now.entrant(number).rating for number in order]
    assert ratings == sorted(ratings, reverse=True)
    halves = {frozenset(both) for both in zip(order[:8], order[8:], strict=True)}
    assert {frozenset(meeting.entrants) for meeting in hall.now.rounds[0].meetings} == halves


def test_who_comes_late_is_slotted_in_by_rating():
    hall = opened(Rules("niya", TournamentFormat.SWISS, "5+3", rounds=5), 8, 1)
    organizer.begin(hall.work)
    pair(hall)
    organizer.enter(hall.work, 1000, 3000)
    assert starting_order(hall.now)[0] == hall.now.entrant_of(1000).number == 9


def test_a_forfeit_at_the_end_counts_as_nothing():
    """C.07, 16.3.2 and 16.4.1: four people, three rounds; the fourth does not come to the last."""
    hall = opened(Rules("niya", TournamentFormat.SWISS, "5+3", rounds=3), 4, 3)
    organizer.begin(hall.work)
    for number in range(3):
        pair(hall)
        for meeting in hall.now.rounds[-1].meetings:
            game = meeting.last
            absent = (4,) if number == 2 and 4 in game.seats else ()
            points = tuple(0 if one == max(game.seats) else 2 for one in game.seats)
            how = How.FORFEIT if absent else How.PLAYED
            organizer.tell(hall.work, game.code, how, points, absent)
    lines = {line.entrant: line for line in standings(hall.now)}
    # Everybody has met everybody, and the smaller number has always won: 3, 2, 1, 0 points.
    assert [lines[n].points for n in (1, 2, 3, 4)] == [6, 4, 2, 0]
    own = {1: 6, 2: 4, 3: 2, 4: 0}
    for n in (1, 2, 3):
        assert lines[n].tie_breaks[1] == sum(own.values()) - own[n]
