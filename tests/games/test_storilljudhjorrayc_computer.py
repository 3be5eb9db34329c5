"""The computer player of Storilljuðjorrayc: legal, repeatable, and worth its level."""

from __future__ import annotations

import random

import pytest

from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.computer import LEVELS, STRENGTHS, evaluation, glance
from games.storilljudhjorrayc.computer.bitboard import ground, search_field_of
from games.storilljudhjorrayc.computer.evaluation import WORTH
from games.storilljudhjorrayc.computer.search_adapter import THREAT, BattleTree
from games.storilljudhjorrayc.move_types import Preset, Ready
from tests.games.storill_helpers import battle, play
from tests.tools.arena.match import Match, pair


class Few:
    """A budget of so many looks."""

    def __init__(self, looks: int = 500) -> None:
        self.left = looks

    def is_spent(self) -> bool:
        self.left -= 1
        return self.left < 0


class Spent:
    """A budget that has run out from the start."""

    def is_spent(self) -> bool:
        return True


def chosen(position, level: int, seed: int = 0, budget=None):
    (seat,) = position.actors()
    return GAME.computer.choose(
        position, seat, level, budget or Few(), random.Random(seed).randrange
    )


def written(position, level: int, seed: int = 0, looks: int = 500) -> str:
    return GAME.notation.written(position, chosen(position, level, seed, Few(looks)).move)


def start():
    return GAME.start(GAME.setting({"setup": "fixed"}))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("plies", [4, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_its_move_is_legal_and_the_same_again(level, plies):
    rng = random.Random(level)
    position = start()
    for _ in range(plies):
        if not position.actors():
            break
        choice = chosen(position, level, seed=3)
        (seat,) = position.actors()
        assert choice.move in position.legal_moves(seat)
        assert choice == chosen(position, level, seed=3)
        assert -1 <= choice.value <= 1
        assert choice.line[0] == GAME.notation.written(position, choice.move)
        position = position.after(rng.choice(position.legal_moves(seat)))


@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_every_level_takes_a_win(level):
    for seed in range(5):
        position = battle("A:m2 T1:a2 KD:o1", "KM:a3 T1:o2 T2:o3 JM:o4")
        choice = chosen(position, level, seed)
        assert GAME.notation.written(position, choice.move) == "T1 a2xa3"
        assert choice.exact
        assert choice.value == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_no_level_shoots_its_own_last_royal(level):
    for seed in range(5):
        position = battle("A:a2 KD:a1 T1:n3", "A:i2 KM:a4 T3:a3")
        assert written(position, level, seed) != "KD a1x"


@pytest.mark.parametrize("level", range(3, LEVELS + 1))
def test_the_better_levels_move_a_royal_out_of_danger(level):
    # The flank on a1 would take the king along the radius.
    position = battle("A:a3 T5:o2", "A:i2 KM:h2 PÞ:a1")

    def loses(seed):
        following = position.after(chosen(position, level, seed).move)
        return any(following.after(reply).outcome() for reply in following.legal_moves(1))

    # One that may overlook something does so now and then.
    seeds = range(5 if STRENGTHS[level - 1].blind else 1)
    assert sum(map(loses, seeds)) <= len(seeds) // 2


def test_the_top_level_does_not_take_what_is_covered_at_too_high_a_price():
    # The ambush takes the flank on k1 only to be taken by its neighbour: better, the archer
    # takes three units at no risk.
    position = battle("A:m2 KM:n2 KÞ:b1 W:~", "A:i2 KM:h2 PÞ:k1 JM:k2 T1:b2 T2:b3 JD:b4")
    assert written(position, LEVELS) == "KÞ b1x"


@pytest.mark.slow
def test_it_does_not_pass_while_there_is_something_to_do():
    for level in range(1, LEVELS + 1):
        for seed in range(6):
            assert written(battle("A:a2 T1:c2", "A:i2 T1:k2"), level, seed) != "--"


def test_when_time_is_up_it_still_answers():
    for level in range(1, LEVELS + 1):
        choice = chosen(start(), level, budget=Spent())
        assert choice.move in start().legal_moves(0)


@pytest.mark.slow
def test_different_draws_give_different_games():
    for level in range(1, LEVELS + 1):
        assert len({written(start(), level, seed, 3_000) for seed in range(16)}) >= 3


def test_it_arranges_by_lot_and_is_ready_after_two_choices_at_most():
    arranged = set()
    for seed in range(40):
        rng = random.Random(seed)
        position = GAME.start(GAME.setting())
        for _ in range(2):
            if 1 not in position.actors():
                break
            choice = GAME.computer.choose(position, 1, 2, Few(), rng.randrange)
            assert isinstance(choice.move, Preset | Ready)
            assert choice.move in position.legal_moves(1)
            position = position.after(choice.move)
        assert position.actors() == {0}
        arranged.add(position.stage.lines[1])
    assert len(arranged) == 5


def test_it_can_arrange_from_its_own_view():
    position = GAME.start(GAME.setting()).seen_by(1)
    assert GAME.computer.choose(position, 1, 1, Few(), random.Random(0).randrange).move


def test_a_battle_that_stood_before_is_not_sought_again_by_who_is_ahead():
    # Green is far ahead: among many moves the king's step back is only one, and no reason for it.
    position = play(battle("A:a2 KM:b3 JM:c2 T1:d3", "A:i2 T1:k2"), "A a2-a3", "A i2-i3")
    assert written(position, LEVELS) != "A a3-a2"


def test_a_win_read_to_the_end_is_told_as_proved():
    position = battle("KM:a2 JM:c2 JÞ:o2 T1:b3 A:m2", "A:a4")
    choice = chosen(position, LEVELS, budget=Few(4_000))
    assert choice.value == 1
    assert choice.exact


@pytest.mark.slow
@pytest.mark.parametrize(("weak", "strong"), [(1, 3), (2, 4), (3, 5)])
def test_each_level_beats_the_one_two_below_by_far(weak, strong):
    match = Match("storilljudhjorrayc", str(strong), str(weak), {"setup": "fixed"}, seed="test")
    games = [one for number in range(6) for one in pair(match, number)]
    # One step is told by hundreds of games (docs/evidence): ten of them may say anything.
    assert sum(one.score for one in games) > 0.6 * len(games)


@pytest.mark.slow
def test_two_careful_players_do_not_wait_for_each_other_until_the_battle_is_drawn(monkeypatch):
    match = Match("storilljudhjorrayc", "14@600", "14@500", openings=2, plies=300, seed="p2")
    assert [one.reason for one in pair(match, 0)] == ["royals", "royals"]
    monkeypatch.setattr(evaluation, "BOLDEST", 0)
    # Without the pull that grows with every quiet ply they wait, in one game at least.
    assert "unfinished" in [one.reason for one in pair(match, 0)]


def test_what_the_other_side_could_take_counts_a_little_though_it_is_not_its_turn():
    enemy = "A:i2 KM:h2 T1:c3"

    def held(text: str) -> int:
        position = battle(text, enemy)
        tree = BattleTree(ground(position.stage.variant), 0, 0)
        return tree.worth(search_field_of(position.stage))

    safe, attacked = "A:a2 KM:p2 SD:e3", "A:a2 KM:p2 SD:d3"
    lost = glance(battle(safe, enemy), 0) - glance(battle(attacked, enemy), 0)
    assert held(safe) - held(attacked) - lost == WORTH["S"] * THREAT // 100


def test_who_lives_is_never_worth_less_than_captured():
    for text in ("A:a1 KM:b1 T1:h1", "A:a1 KM:b1 T1:~", "A:a1 KM:b1 W:~"):
        with_it = glance(battle(text, "A:i2 KM:h3"), 0)
        without = glance(battle("A:a1 KM:b1", "A:i2 KM:h3"), 0)
        assert with_it > without, text
