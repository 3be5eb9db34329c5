"""The computer player of shogi: legal, reproducible, and but for two levels no mate is missed."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from bot.texts import OURS, language
from games.core import phrase, read_move
from games.core.search import Found, order_near_best
from games.shogi import GAME
from games.shogi.board import HANDS, SQUARES, TURN, BoardPlay, after, captures, king_square, moves
from games.shogi.computer import LEVELS, STYLES, weights
from games.shogi.computer.evaluation import evaluate, parts_of
from games.shogi.computer.mates import MateSearch, checks, mate_in_one
from games.shogi.computer.openings import named_openings
from games.shogi.computer.search_adapter import BoardTree
from games.shogi.pieces import GOTE, IN_HAND, SENTE, kind_of, owner_of
from games.shogi.sfen import SQUARE_NAMES, usi
from tests.games.random_walks import random_setting, walk
from tests.games.shogi_boards import at, begun, ending, legal, played
from tests.tools.arena.match import Match, pair


class Patient:
    """A budget that never ends."""

    def is_spent(self) -> bool:
        return False


class Hasty:
    """A budget that has ended before it begins."""

    def is_spent(self) -> bool:
        return True


def chosen(position, level: int, budget=None, seed: int = 0):
    below = random.Random(seed).randrange
    return GAME.computer.choose(position, position.turn, level, budget or Patient(), below)


def positions(count: int, seed: int, plies: int = 140):
    """Positions of random games that are not over."""
    rng = random.Random(seed)

    def endless():
        while True:
            *_, (position, _) = walk(GAME, GAME.setting(), rng, rng.randrange(10, plies))
            if position.outcome() is None:
                yield position

    return islice(endless(), count)


@pytest.mark.sampled
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_move_is_legal_under_every_option(level):
    rng = random.Random(level)
    for _ in range(8):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, rng.randrange(120))
        if position.outcome() is None:
            choice = chosen(position, level)
            assert choice.move in position.legal_moves(position.turn)
            assert -1 <= choice.value <= 1
            assert choice.line[0] == GAME.notation.written(position, choice.move)


def test_the_answer_is_reproducible():
    for position in positions(3, seed=4):
        assert chosen(position, 2, seed=7) == chosen(position, 2, seed=7)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_an_answer_comes_even_when_the_budget_is_spent(level):
    *_, position = positions(level, seed=5)
    assert chosen(position, level, Hasty()).move in position.legal_moves(position.turn)


@pytest.mark.parametrize("level", range(3, LEVELS + 1))
def test_a_mate_in_one_is_played(level):
    position = at("4k4/9/4P4/9/9/9/9/9/4K4 b GR 1")
    choice = chosen(position, level, Hasty())
    assert ending(position.after(choice.move)) == ("mate", 0)
    assert choice.value == 1.0
    assert choice.exact


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
def test_the_lowest_levels_miss_a_mate_in_one_now_and_then(level):
    position = at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")

    def mated(drawn: int) -> bool:
        move = GAME.computer.choose(position, 0, level, Patient(), lambda n: min(drawn, n - 1)).move
        return position.after(move).outcome() is not None

    missed = STYLES[level - 1].missed
    assert not mated(missed - 1)
    assert mated(missed)


@pytest.mark.slow
@pytest.mark.parametrize("among", [250, pytest.param(700, marks=pytest.mark.slow)])
def test_no_mate_in_one_is_missed(among):
    mates = [p for p in positions(among, seed=6, plies=200) if mate_in_one(p.board)]
    assert len(mates) > among // 90
    for position in mates:
        assert ending(position.after(chosen(position, 3, Hasty()).move))[0] == "mate"


@pytest.mark.slow
def test_from_the_fifth_level_no_mate_in_one_is_allowed_that_can_be_helped():
    def dangers(position) -> int:
        return sum(mate_in_one(after(position.board, m)) is not None for m in moves(position.board))

    drawn = positions(5000, seed=7, plies=200)
    endangered = [*islice((p for p in drawn if 0 < dangers(p) < len(moves(p.board))), 15)]
    assert len(endangered) == 15
    for position in endangered:
        following = position.after(chosen(position, 5, Hasty()).move)
        assert following.outcome() or mate_in_one(following.board) is None


@pytest.mark.slow
def test_a_hanging_rook_is_taken_and_an_attacked_one_saved():
    for level in range(8, LEVELS + 1):
        free_rook = at("4k4/9/9/4r4/9/9/9/4R4/3K5 b - 1")
        assert GAME.notation.written(free_rook, chosen(free_rook, level).move) in ("5h5d", "5h5d+")
    attacked = at("4k4/9/9/9/4pp3/4pR3/9/9/3K5 b 2P 1")
    best = chosen(attacked, LEVELS).move
    assert GAME.notation.written(attacked, best).startswith("4f")


@pytest.mark.slow
def test_the_top_level_takes_no_piece_that_costs_a_rook():
    guarded = at("4k4/9/6g2/6p2/9/9/9/6R2/4K4 b - 1")
    for seed in range(10):
        move = chosen(guarded, LEVELS, seed=seed).move
        assert not GAME.notation.written(guarded, move).startswith("3h3d")


def test_the_top_level_finds_a_mate_of_nine_plies():
    problem = at("9/7R1/8P/6SGP/8k/9/9/9/9 b r2b3g3s4n4l16p 1")
    assert MateSearch(Patient()).solve(problem.board, 3) == []
    choice = chosen(problem, LEVELS)
    assert choice.exact
    assert choice.value == 1.0


def test_it_plays_by_the_piece_that_was_touched():
    position = begun(illegal="same_piece")
    touched = position.after(GAME.notation.penalty(position, 0, "2h2b"))
    for level in range(1, LEVELS + 1):
        assert GAME.notation.written(touched, chosen(touched, level, Hasty()).move).startswith("2h")


def test_h9_where_kings_may_be_taken_it_takes_one_and_moves_when_mated():
    exposed = at("4k4/9/9/9/9/9/9/4R4/4K4 b - 1", king_capture="yes")
    assert ending(exposed.after(chosen(exposed, 1).move)) == ("king-captured", 0)
    mated = played(at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", king_capture="yes"), "G*5b")
    assert GAME.notation.written(mated, chosen(mated, LEVELS, Hasty()).move) in legal(mated)


def test_h12_it_does_not_repeat_into_a_lost_perpetual_check():
    position = at("4k4/9/5+R3/9/9/9/9/9/8K b - 1")
    position = played(position, "4c5c 5a4a 5c4c 4a5a 4c5c 5a4a 5c4c 4a5a 4c5c 5a4a 5c4c")
    assert position.turn == 1
    assert chosen(position, 4).value > 0, "5a repeats, and sente loses"
    assert GAME.notation.written(position, chosen(position, 4).move) == "4a5a"


@pytest.mark.slow
def test_the_stronger_level_wins():
    rng = random.Random(2)
    position = begun()
    while position.outcome() is None and position.ply < 200:
        level = 1 if position.turn == 0 else 4
        below = rng.randrange
        choice = GAME.computer.choose(position, position.turn, level, Patient(), below)
        position = position.after(choice.move)
    assert ending(position) == ("mate", 1)


def test_the_evaluation_is_the_same_for_both_sides():
    def turned(board: bytes) -> bytes:
        pieces = bytes(piece and piece ^ 16 for piece in reversed(board[:SQUARES]))
        hands = bytearray(board[SQUARES + 8 :] + board[SQUARES : SQUARES + 8])
        hands[0], hands[8] = 1 - board[TURN], 0
        return pieces + bytes(hands)

    for position in positions(40, seed=8):
        assert evaluate(position.board) == evaluate(turned(position.board))
    assert abs(evaluate(begun().board)) == 0


def reckoned(board: bytes) -> int:
    """The points of sente over gote, piece by piece, without any table."""
    points = 0
    for seat, sign in ((SENTE, 1), (GOTE, -1)):
        turned = range(SQUARES) if seat == SENTE else range(SQUARES - 1, -1, -1)
        kings = [turned[king_square(board, one)] for one in (seat, 1 - seat)]
        for square, piece in enumerate(board[:SQUARES]):
            if not piece or owner_of(piece) != seat:
                continue
            kind, there = kind_of(piece), turned[square]
            places, *near = parts_of(weights.STANDING[kind])
            points += sign * (weights.ON_BOARD[kind] + places[there])
            for part, king in zip(near, kings, strict=False):
                down = max(-4, min(4, there // 9 - king // 9))
                points += sign * part[5 * (down + 4) + min(4, abs(there % 9 - king % 9))]
        for kind in IN_HAND:
            count, each = board[HANDS[seat] + kind], weights.EACH_IN_HAND[kind]
            points += sign * sum(each[min(n, len(each) - 1)] for n in range(count))
            for part, king in zip(parts_of(weights.HELD[kind]), kings, strict=True):
                points += sign * min(count, 3) * (part[king // 9] + part[9 + king % 9])
    return points


def test_the_evaluation_is_the_sum_of_its_figures():
    chance = random.Random("figures")
    for _ in range(30):
        position = begun()
        for _ in range(chance.randrange(100)):
            if position.outcome() is None:
                position = position.after(chance.choice(position.legal_moves(position.turn)))
        board = position.board
        assert reckoned(board) == (evaluate(board) if position.turn == SENTE else -evaluate(board))


def test_captures_are_the_legal_moves_that_take():
    for position in positions(60, seed=9):
        board = position.board
        assert set(captures(board)) == {
            m for m in moves(board) if board[m.target] and not hasattr(m, "kind")
        }


def test_checks_are_the_legal_moves_that_check():
    for position in positions(60, seed=10):
        checking = {
            play
            for play in position.legal_moves(position.turn)
            if any(n.key == "shogi.notice.check" for n in GAME.speech.notices(position.after(play)))
            or (position.after(play).outcome() and ending(position.after(play))[0] == "mate")
        }
        assert {play for play, _ in checks(position.board)} == checking


def test_the_mate_search_says_no_where_there_is_none():
    assert MateSearch(Patient()).solve(begun().board, 3) == []
    assert MateSearch(Patient()).solve(at("4k4/9/9/9/9/9/9/9/4K4 b G 1").board, 5) == []
    assert MateSearch(Hasty()).solve(at("4k4/9/4P4/9/9/9/9/9/4K4 b GR 1").board, 5) == []


def test_the_first_level_overlooks_now_and_then_what_costs_a_rook():
    guarded = at("4k4/9/6g2/6p2/9/9/9/6R2/4K4 b - 1")
    taken = [
        GAME.notation.written(guarded, chosen(guarded, 1, seed=seed).move).startswith("3h3d")
        for seed in range(30)
    ]
    assert 0 < sum(taken) < 20


def test_every_line_of_an_opening_is_legal_and_has_the_name_it_is_known_by():
    for one in named_openings():
        position, names = GAME.start(), []
        for n, text in enumerate(one.line):
            position = position.after(read_move(GAME, position, position.turn, text))
            names.append(GAME.asking.opening(GAME.start(), one.line[: n + 1]))
        asked = phrase(f"shogi.opening.{one.name}")
        assert names[len(one.known_by) - 1] == names[-1] == asked
        assert asked not in names[: len(one.known_by) - 1]
        for code in OURS:
            assert asked.key in language(code).templates
    given_up = GAME.start(GAME.setting({"handicap": "bishop"}))
    assert GAME.asking.opening(given_up, one.line) is None


def test_an_opening_is_the_same_in_whatever_order_it_is_played():
    moves_of = ["3g3f", "8c8d", "6i7h", "3c3d", "2g2f", "4a3b"]
    assert GAME.asking.opening(GAME.start(), moves_of) is None
    gokigen = ["2g2f", "5c5d", "7g7f", "8b5b", "2f2e", "3c3d"]
    assert GAME.asking.opening(GAME.start(), gokigen) == phrase("shogi.opening.gokigen")


def test_the_careful_levels_play_openings_that_have_names_and_beginners_do_not():
    def begun_by(level, seed):
        position = GAME.start()
        for _ in range(6):
            move = chosen(position, level, seed=seed).move
            position = position.after(move)
        return [usi(one.play) for one in position.past if one.play is not None][::-1]

    lines = [one.line[:6] for one in named_openings()]
    assert all(begun_by(12, seed) in lines for seed in range(8))
    assert begun_by(1, 1) not in lines


def test_low_levels_see_captures_and_their_plan_before_retreats_and_long_ways():
    here = at("4k4/9/9/4p4/4G4/9/9/9/R3K4 b - 1")
    tree = BoardTree()

    def hidden(text):
        return tree.obscurity(here.board, read_move(GAME, here, 0, text))

    assert hidden("5e5d") < hidden("5e4d") < hidden("9i9b")
    assert hidden("5e5f") > hidden("5e4d")
    planning = BoardTree(SQUARE_NAMES.index("5e"))
    assert planning.obscurity(here.board, read_move(GAME, here, 0, "5e4d")) < hidden("5e4d")


def test_of_moves_about_as_good_the_one_is_played_that_errs_least():
    plays = moves(begun().board)[:3]
    found = Found(((40, plays[0]), (30, plays[1]), (20, plays[2])), (plays[0],), 1)

    def played_with(*errors: int) -> BoardPlay:
        drawn = iter(errors)
        return order_near_best(found, 50, lambda _: next(drawn))[0][1]

    assert played_with(0, 0, 0) == plays[0]
    assert played_with(45, 5, 10) == plays[1]
    assert played_with(45, 30, 5) == plays[2]


@pytest.mark.slow
@pytest.mark.parametrize(("weak", "strong"), [(1, 3), (2, 4), (3, 5)])
def test_each_level_beats_the_one_two_below_by_far(weak, strong):
    match = Match("shogi", str(strong), str(weak), openings=6, seed="test")
    games = [one for number in range(5) for one in pair(match, number)]
    # One step is told by hundreds of games (docs/evidence): ten of them may say anything.
    assert sum(one.score for one in games) > 0.6 * len(games)
