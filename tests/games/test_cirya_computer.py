"""Cirya's computer player."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.cirya import GAME
from games.cirya.computer import LEVELS as TOP
from games.cirya.computer import MISSED, choose
from games.cirya.computer.evaluation import TURN, Hope, nearest, worth
from games.cirya.move_types import Said
from games.cirya.rules import Cirya, one_move_away
from games.core import ChosenMove, laws
from tests.games.cirya_positions import at, play
from tests.games.random_walks import random_setting, walk
from tests.tools.arena.match import Match, pair

LEVELS = range(1, TOP + 1)


class Few:
    """A budget of so many boards."""

    def __init__(self, questions: int = 300) -> None:
        self.left = questions

    def is_spent(self) -> bool:
        self.left -= 1
        return self.left < 0


class Always:
    def is_spent(self) -> bool:
        return True


def chosen(position: Cirya, level: int, seed: int = 1, budget=None) -> ChosenMove:
    below = random.Random(seed).randrange
    return choose(position, position.board.mover, level, budget or Few(), below)


def plain(choice: ChosenMove):
    return replace(choice.move, said=Said.NOTHING)


@pytest.mark.parametrize("level", [level for level in LEVELS if level not in MISSED])
@pytest.mark.parametrize(
    "tps",
    [
        "x5/x5/x5/2,x,2,x2/1,1,1,1,x 1 9",
        "x5/x5/x5/x,2,x,2S,1/1,1,1,1,2 1 9",
        "x5/x5/x5/x,2,x,2S,1C/1,1,1,1,2S 1 9",
        "x5/22222,x4/x5/1,1S,1,x2/1,x4 2 9",
    ],
)
def test_a_londe_in_one_is_taken_by_placement_by_move_and_by_crushing(tps, level):
    position = at(tps)
    end = position.after(chosen(position, level).move).outcome()
    assert (end.reason, end.winner) == ("londe", position.board.mover)


@pytest.mark.parametrize("level", MISSED)
def test_the_lowest_levels_miss_a_londe_in_one_now_and_then(level):
    position = at("x5/x5/x5/2,x,2,x2/1,1,1,1,x 1 9")

    def ended(drawn: int) -> bool:
        move = choose(position, 0, level, Few(), lambda n: min(drawn, n - 1)).move
        return position.after(move).outcome() is not None

    assert not ended(MISSED[level] - 1)
    assert ended(MISSED[level])


@pytest.mark.slow
@pytest.mark.parametrize("level", [4, 5, 6])
def test_a_londe_in_one_is_stopped_where_that_can_be(level):
    rng = random.Random(7)
    stopped = 0
    while stopped < 8:
        *_, (position, _) = walk(GAME, GAME.setting(), rng, rng.randrange(12, 40))
        if position.end or one_move_away(position.board, position.board.mover):
            continue
        seat = position.board.mover
        following = [position.after(move) for move in position.legal_moves(seat)]
        safe = [p for p in following if not p.end and not one_move_away(p.board, 1 - seat)]
        if one_move_away(position.board, 1 - seat) and safe:
            after = position.after(chosen(position, level).move)
            assert after.end is None
            assert not one_move_away(after.board, 1 - seat)
            stopped += 1


def test_the_top_level_finds_the_double_threat():
    # b3 threatens both a3 … e3 by c3 and b1 … b5 by b5: no reply stops both.
    position = at("x2,2,x2/x,1,x,2,x/1,x2,1,1/2,1,x,2,2/x,1,x3 1 9")
    choice = chosen(position, TOP, budget=Few(20_000))
    assert GAME.notation.written(position, choice.move) == "b3'"
    assert choice.value == 1.0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("mode", "word"), [("aracirya", Said.LONDE), ("nutacirya", Said.NOTHING)])
def test_c20_the_computer_announces_in_aracirya_and_only_there(level, mode, word):
    rng = random.Random(3)
    threats = quiet = 0
    while not threats or not quiet:
        *_, (position, _) = walk(GAME, GAME.setting({"mode": mode}), rng, 20)
        if position.end or one_move_away(position.board, position.board.mover):
            continue
        move = chosen(position, level).move
        after = position.after(move)
        if not after.end and one_move_away(after.board, position.board.mover):
            threats += 1
            assert move.said is word
        else:
            quiet += 1
            assert move.said is Said.NOTHING


@pytest.mark.sampled(2)
@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_a_legal_ply_with_its_line(level):
    rng = random.Random(11)
    for _ in range(12):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, rng.randrange(30))
        if position.end:
            continue
        choice = chosen(position, level)
        assert plain(choice) in position.legal_moves(position.board.mover)
        assert -1 <= choice.value <= 1
        assert choice.line[0] == GAME.notation.written(position, plain(choice))
        assert 1 <= len(choice.line) <= 8
        play(" ".join(choice.line), position)


def eight_plies(level: int, seed: int) -> str:
    position = play("")
    below = random.Random(seed).randrange
    for _ in range(8):
        move = choose(position, position.board.mover, level, Few(), below).move
        position = position.after(move)
    return GAME.notation.text(position)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_draws_give_the_same_plies_and_others_vary(level):
    assert eight_plies(level, 5) == eight_plies(level, 5)
    assert len({eight_plies(level, seed) for seed in range(4)}) > 2


@pytest.mark.parametrize("level", LEVELS)
def test_a_spent_budget_still_gives_a_legal_ply(level):
    position = play("e5 a1 c3 c4")
    assert plain(chosen(position, level, budget=Always())) in position.legal_moves(0)


@pytest.mark.parametrize("level", LEVELS)
def test_c5_in_the_opening_it_places_in_a_corner(level):
    for moves in ("", "a1"):
        position = play(moves)
        assert GAME.notation.written(position, chosen(position, level).move) in {
            "a1",
            "a5",
            "e1",
            "e5",
        }
        assert chosen(position, level).move in position.legal_moves(position.board.mover)


def test_the_nearest_londe_is_counted_in_sati_that_lack():
    board = at("x5/x5/x5/x5/1,1,1,x2 1 9").board
    assert nearest(board.shape, board.route(0), board.empty) == Hope(2, 0)
    board = at("x5/x5/x5/x5/1,1,1,1,x 1 9").board
    sat = board.shape.names.index
    # Not only e1: d2 with e2 lacks two, but b1 … d1 reach no other shore.
    assert nearest(board.shape, board.route(0), board.empty) == Hope(1, 1 << sat("e1"))
    board = at("2,2,2,2,2S/x5/x5/x5/1,1,1,1,2 1 9").board
    assert nearest(board.shape, board.route(0), board.empty).missing == 2


def test_worth_is_the_other_side_s_loss_but_for_the_turn():
    rng = random.Random(2)
    for _ in range(20):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, 30)
        board = position.board
        assert worth(board) - TURN == TURN - worth(board._replace(mover=1 - board.mover))


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
def test_the_lower_levels_overlook_now_and_then_what_the_upper_ones_stop(level):
    rng = random.Random(7)
    stopped = overlooked = 0
    while not (stopped and overlooked):
        assert stopped + overlooked < 80
        *_, (position, _) = walk(GAME, GAME.setting(), rng, rng.randrange(12, 40))
        if position.end or one_move_away(position.board, position.board.mover):
            continue
        if not one_move_away(position.board, 1 - position.board.mover):
            continue
        seat = position.board.mover
        after = position.after(chosen(position, level, seed=rng.randrange(99)).move)
        if after.end is None and not one_move_away(after.board, 1 - seat):
            stopped += 1
        else:
            overlooked += 1


@pytest.mark.slow
@pytest.mark.parametrize(("weak", "strong"), [(1, 3), (2, 4), (3, 5)])
def test_each_level_beats_the_one_two_below_by_far(weak, strong):
    match = Match("cirya", str(strong), str(weak), seed="test")
    games = [one for number in range(6) for one in pair(match, number)]
    # One step is told by hundreds of games (docs/evidence): ten of them may say anything.
    assert sum(one.score for one in games) > 0.6 * len(games)


def test_the_word_that_a_computer_says_with_its_move_is_legal():
    laws.the_computer_plays_legal_moves(GAME, random.Random(2029).randrange)  # C19, in Aracirya
