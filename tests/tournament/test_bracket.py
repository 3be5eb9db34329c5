"""The bracket: every round of it, those that are still to come too."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.tournament import organizer
from bot.tournament.knockout import bracket_ties, semifinal_losers, slots
from bot.tournament.standings import standings
from bot.tournament.values import How, Rules, TournamentFormat
from tests.tournament.simulated import Hall, opened, pair, played

RULES = Rules("niya", TournamentFormat.KNOCKOUT, "5m+5s")


def begun(count: int) -> Hall:
    hall = opened(RULES, count, 1)
    organizer.begin(hall.work)
    pair(hall)
    return hall


def tell(hall: Hall, points: tuple[int, int]) -> None:
    game = next(game for _, _, game in hall.now.games() if game.result is None)
    organizer.tell(hall.work, game.code, How.PLAYED, points)


def test_before_a_game_is_over_the_rounds_to_come_are_empty():
    found = bracket_ties(begun(8).now)
    assert [len(ties) for ties in found] == [4, 2, 1]
    assert all(tie.points is None and tie.winner is None for tie in found[0])
    assert all(tie.first is None and tie.second is None for ties in found[1:] for tie in ties)


def test_who_has_won_stands_in_the_next_round_while_the_others_play():
    hall = begun(8)
    first = hall.now.rounds[0].meetings[0].entrants
    tell(hall, (2, 0))
    found = bracket_ties(hall.now)
    assert (found[0][0].points, found[0][0].winner) == ((2, 0), first[0])
    assert (found[1][0].first, found[1][0].second) == (first[0], None)


def test_who_has_a_bye_goes_on_without_points():
    hall = begun(5)
    found = bracket_ties(hall.now)
    byes = [tie for tie in found[0] if tie.bye]
    assert len(byes) == 3
    for tie in byes:
        assert tie.points is None
        assert tie.winner in (tie.first, tie.second)
        assert tie.winner in {one for after in found[1] for one in (after.first, after.second)}


@pytest.mark.parametrize(("points", "lost"), [((2, 0), 1), ((1, 1), 0)])
def test_a_bye_and_a_draw_have_no_loser(points, lost):
    hall = begun(5)
    assert semifinal_losers(hall.now) == ()
    tell(hall, points)
    assert len(semifinal_losers(hall.now)) == lost
    assert None not in semifinal_losers(hall.now)


def test_a_bracket_that_has_not_begun_shows_byes_as_well():
    hall = opened(RULES, 6, 1)
    found = bracket_ties(hall.now)
    assert sum(tie.bye for tie in found[0]) == 2
    assert [len(ties) for ties in found] == [4, 2, 1]


@pytest.mark.parametrize("count", [4, 7, 12, 24])
@pytest.mark.parametrize("seed", range(3))
def test_the_last_winner_is_the_first_of_the_standings(count, seed):
    tournament = played(opened(RULES, count, seed))
    found = bracket_ties(tournament)
    assert [len(ties) for ties in found] == [2**n for n in reversed(range(len(tournament.rounds)))]
    best = standings(tournament)[0].entrant
    assert found[-1][0].winner == best
    assert slots(tournament) == [best]
    for before, after in pairwise(found):
        assert [tie.winner for tie in before] == [
            one for tie in after for one in (tie.first, tie.second)
        ]
