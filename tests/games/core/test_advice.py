"""What every decision of a game was worth, shown on the toy game with fixed opinions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from games.core import CHANCE, ChosenMove, Computer, Entry
from games.core.advice import Weighed, chances, hint, weighing
from tests import toy
from tests.toy import Take, Toy

START = Toy(hidden=(1, 2), heap=4)
SURE = 2
"""Up to how many counters the player's opinion is a proof."""


@dataclass
class Opinions:
    """Takes all it can, and thinks the less of a position the more counters there are."""

    budgets: list[object] = field(default_factory=list)

    def __call__(self, position, seat, level, budget, below):
        self.budgets.append(budget)
        best = position.legal_moves(seat)[-1]
        return ChosenMove(best, 0.5 - position.heap / 10, exact=position.heap <= SURE)


def entries(*texts: str) -> list[Entry]:
    """Rolls and takes in turn, by the seats whose they are."""
    seats = (CHANCE, 0, CHANCE, 1)
    return [Entry(seats[n % 4], text) for n, text in enumerate(texts)]


def judged(*texts: str) -> list[Weighed]:
    opinions = Opinions()
    game = replace(toy.GAME, computer=Computer(opinions))
    log = entries(*texts)
    found = list(weighing(game, START, log, lambda parts: ("a share of", parts), max))
    assert set(opinions.budgets) <= {("a share of", len(found) + 1)}
    return found


def test_a_decision_is_worth_what_follows_it_to_the_other_side():
    first, second = judged("d1", "take1", "d1", "take1")
    assert (first.number, first.seat, first.best) == (1, 0, "take2")
    assert (first.before, first.after) == (pytest.approx(0.1), pytest.approx(-0.2))
    assert first.lost == pytest.approx(0.3)
    assert (second.number, second.seat, second.best) == (3, 1, "take2")


def test_a_decision_is_told_as_soon_as_the_one_after_it_is_looked_at():
    opinions = Opinions()
    game = replace(toy.GAME, computer=Computer(opinions))
    log = entries("d1", "take1", "d1", "take1")
    told = weighing(game, START, log, lambda parts: parts, max)
    assert not opinions.budgets
    next(told)
    assert len(opinions.budgets) == 2
    assert [one.number for one in told] == [3]


def test_who_plays_what_the_house_would_play_gives_nothing_away():
    # The last counter is taken without a choice, and is no decision.
    first, second = judged("d1", "take2", "d1", "take1", "d1", "take1")
    assert (first.after, first.lost) == (first.before, 0.0)
    assert second.after < second.before


def test_what_is_proved_on_both_sides_alone_is_exact():
    first, second = judged("d1", "take1", "d6", "take3")
    assert not first.exact
    assert not second.exact  # three counters: an opinion
    (_, second) = judged("d1", "take2", "d1", "take2")
    assert second.exact


def test_the_last_decision_is_worth_how_the_game_ended():
    log = ("d1", "take2", "d1", "take1", "d1", "take1")
    second = judged(*log)[1]
    assert (second.seat, second.after) == (1, -1.0)


def test_where_somebody_gave_up_the_last_position_is_judged():
    (only,) = judged("d1", "take1", "d1")
    assert only.after == pytest.approx(-0.2)
    assert not only.exact


def test_chances_are_the_opinion_of_whoever_is_to_move():
    game, position = replace(toy.GAME, computer=Computer(Opinions())), replace(START, die=1)
    for mover, expected in ((0, (0.55, 0.45)), (1, (0.45, 0.55))):
        shares, played_out = chances(game, replace(position, turn=mover), "all", max, 1)
        assert (shares, played_out) == (pytest.approx(expected), 0)


def test_a_hint_is_what_the_game_advises_and_else_what_its_player_would_play():
    position, known = replace(START, die=1), ChosenMove(Take(1), 1.0, exact=True)
    game = replace(toy.GAME, computer=Computer(Opinions()))
    knowing = replace(toy.GAME, computer=Computer(Opinions(), advise=lambda *_: known))
    unsure = replace(toy.GAME, computer=Computer(Opinions(), advise=lambda *_: None))
    assert hint(game, position, 0, "all", max).move == Take(2)
    assert hint(knowing, position, 0, "all", max) == known
    assert hint(unsure, position, 0, "all", max).move == Take(2)
