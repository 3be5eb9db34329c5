"""The computer player of Niya: held against plain search, and playing."""

from __future__ import annotations

import random

import pytest

from games.core import Entry
from games.core.advice import weighing
from games.niya import GAME
from games.niya.board import DECK
from games.niya.computer import HORIZON, choose, values
from games.niya.computer.solver import Deal, Value
from games.niya.computer.win_chances import GAMES, odds
from tests.games.niya_tables import dealt, late, plain, played, shuffled

WIN_AT_ONCE = "R,R,R,M4/A,A,O3,O4/A,L2,L3,L4/V1,V2,V3,V4 R M1"


class Plenty:
    def is_spent(self):
        return False


class Nothing:
    def is_spent(self):
        return True


class Counted:
    """A budget for so many questions whether it is spent."""

    def __init__(self, questions):
        self.left = questions

    def is_spent(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.sampled
@pytest.mark.parametrize("full_board", ["block", "draw"])
def test_values_equal_plain_search(full_board):
    rng = random.Random(41)
    for cards_left in (1, 2, 3, 4, 5, 6, 7, 8, 9) * 6:
        position = late(rng, full_board, cards_left)
        expected = {}
        for card in position.legal_moves(position.turn):
            value = plain(position.after(card), position.turn)
            expected[card] = Value(value.sign, value.plies + 1)
        assert values(position) == expected, GAME.notation.text(position)


@pytest.mark.parametrize("full_board", ["block", "draw"])
def test_a_horizon_shows_exactly_what_is_decided_within_it(full_board):
    rng = random.Random(42)
    for _ in range(40):
        position = late(rng, full_board, rng.randrange(3, 11))
        everything = values(position)
        for horizon in range(1, 6):
            near = {card: v for card, v in everything.items() if v.plies <= horizon}
            assert values(position, horizon) == near, GAME.notation.text(position)


def test_what_is_known_of_a_deal_stays_true_later_in_it():
    rng = random.Random(51)
    for full_board in ("block", "draw"):
        position = late(rng, full_board, 12)
        deal = Deal(position.cells, full_board)
        while not position.outcome():
            assert values(position, deal=deal) == values(position), GAME.notation.text(position)
            position = position.after(rng.choice(position.legal_moves(position.turn)))


def test_a_value_ranks_quick_wins_first_and_quick_losses_last():
    ranked = [Value(1, 1), Value(1, 9), Value(0, 5), Value(-1, 8), Value(-1, 2)]
    assert sorted(ranked, key=lambda value: -value.rank) == ranked


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_every_level_takes_a_win_on_the_table(level, seed):
    position = GAME.notation.read(WIN_AT_ONCE, {})
    choice = choose(position, 0, level, Plenty(), random.Random(seed).randrange)
    assert choice.move.code == "M4"
    assert (choice.value, choice.exact) == (1.0, True)


def hands_over(position, card):
    after = position.after(card)
    ends = (after.after(reply).outcome() for reply in after.legal_moves(after.turn))
    return after.outcome() is None and any(end and end.winner == after.turn for end in ends)


def careless(level, seeds, below=None):
    """How often *level* hands a win over where it need not."""
    rng = random.Random(43)
    chances = slips = 0
    for _ in range(seeds):
        position = late(rng, "block", rng.randrange(5, 10))
        risky = [hands_over(position, card) for card in position.legal_moves(position.turn)]
        if all(risky) or not any(risky):
            continue
        choice = choose(position, position.turn, level, Plenty(), below or rng.randrange)
        chances += 1
        slips += hands_over(position, choice.move)
    assert chances > seeds / 4
    return slips / chances


def test_level_1_hands_a_win_over_now_and_then():
    assert 0.05 < careless(1, 120) < 0.6


def test_level_1_looks_twice_when_its_draw_says_so():
    assert careless(1, 60, below=lambda n: n - 1) == 0


@pytest.mark.parametrize("level", [2, 3])
def test_levels_2_and_3_never_hand_a_win_over(level):
    assert careless(level, 80) == 0


@pytest.mark.parametrize("full_board", ["block", "draw"])
def test_level_3_gets_what_its_value_promises(full_board):
    rng = random.Random(44)
    for _ in range(6):
        position = late(rng, full_board, 13)
        solver = position.turn
        first = choose(position, solver, 3, Plenty(), rng.randrange)
        assert first.exact
        worst = first.value
        while not position.outcome():
            seat = position.turn
            level = 3 if seat == solver else 1
            choice = choose(position, seat, level, Plenty(), rng.randrange)
            if seat == solver:
                assert choice.value >= worst
                worst = choice.value
            position = position.after(choice.move)
        winner = position.outcome().winner
        assert (0 if winner is None else 1 if winner == solver else -1) >= first.value


def test_the_line_of_level_3_is_legal_and_as_long_as_promised():
    position = late(random.Random(45), "block", 12)
    choice = choose(position, position.turn, 3, Plenty(), lambda n: 0)
    assert values(position)[choice.move].plies == len(choice.line)
    end = played(" ".join(choice.line), position).outcome()
    assert (end.winner == position.turn) == (choice.value == 1)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_same_draws_give_the_same_choice(level):
    position = late(random.Random(46), "block", 12)
    a = choose(position, position.turn, level, Plenty(), random.Random(7).randrange)
    b = choose(position, position.turn, level, Plenty(), random.Random(7).randrange)
    assert a == b


def test_a_spent_budget_still_answers_with_a_legal_move_and_promises_nothing():
    position = shuffled(random.Random(47))
    choice = choose(position, position.turn, 3, Nothing(), lambda n: 0)
    assert choice.move in position.legal_moves(position.turn)
    assert (choice.value, choice.exact) == (0.0, False)


def test_a_budget_that_runs_out_leaves_moves_out():
    position = late(random.Random(48), "block", 12)
    moves = position.legal_moves(position.turn)
    assert list(values(position, budget=Counted(2))) == list(moves[:2])


def test_a_stronger_level_wins_more():
    rng = random.Random(49)
    won = {1: 0, 2: 0}
    for game in range(16):
        position = shuffled(rng)
        levels = (1, 2) if game % 2 else (2, 1)
        while not position.outcome():
            level = levels[position.turn]
            choice = choose(position, position.turn, level, Plenty(), rng.randrange)
            position = position.after(choice.move)
        won[levels[position.outcome().winner]] += 1
    assert won[2] > won[1]


def test_choosing_from_the_empty_table_knows_the_value_of_all_twelve():
    position = shuffled(random.Random(50))
    found = values(position)
    assert set(found) == {c for c in DECK if c in position.legal_moves(position.turn)}
    assert len(found) == 12


def check_reviews(lost_games: int, seed: int) -> None:
    """Play until so many games were thrown away, and see that each review names the very move."""
    rng = random.Random(seed)
    named = 0
    while named < lost_games:
        start = position = shuffled(rng)
        deal, log, lost = Deal(position.cells, position.full_board), [], {}
        while not position.outcome():
            seat = position.turn
            own, other = position.markers(seat), position.markers(1 - seat)
            signs = {
                card: deal.sign(own, other, 1 << position.square_of(card))
                for card in position.legal_moves(seat)
            }
            card = choose(position, seat, rng.choice((1, 2)), Plenty(), rng.randrange).move
            if max(signs.values()) >= 0 > signs[card]:
                lost[seat] = len(log)
            log.append(Entry(seat, card.code))
            position = position.after(card)
        loser = 1 - position.outcome().winner
        found = list(weighing(GAME, start, log, lambda _: Plenty(), rng.randrange))
        wrong = [one.number for one in found if one.seat == loser and one.before >= 0 > one.after]
        assert wrong[-1:] == ([lost[loser]] if loser in lost else [])
        assert all(one.exact for one in found)
        named += bool(wrong)


@pytest.mark.slow
def test_a_review_names_the_move_that_lost_the_game():
    check_reviews(5, seed=52)


@pytest.mark.slow
def test_reviews_name_the_losing_move_of_two_hundred_lost_games():
    check_reviews(200, seed=53)


def test_the_chances_are_those_of_people_and_not_of_best_play():
    position = dealt()
    shares, games = odds(position, Plenty(), random.Random(1).randrange)
    assert games == GAMES
    assert sum(shares) == pytest.approx(1.0)
    assert all(0.2 < share < 0.8 for share in shares), "the first card decides nothing among people"


def test_who_can_win_at_once_has_nearly_all_the_chances():
    text = "O2,V1,A,A/O3,O1,V2,A/R,R,M1,R/O4,V4,M3,L2 R M2"
    position = GAME.notation.read(text, GAME.chosen({}))
    shares, _ = odds(position, Plenty(), random.Random(1).randrange)
    assert shares[0] > 0.95


def test_who_sees_far_ahead_has_the_chances_of_those_who_do():
    position, below = dealt(), random.Random(1).randrange
    while not any(value.sign > 0 for value in values(position, HORIZON[2]).values()):
        (seat,) = position.actors()
        position = position.after(choose(position, seat, 3, Plenty(), below).move)
    (seat,) = position.actors()
    beginners, masters = (odds(position, Plenty(), below, level)[0][seat] for level in (1, 3))
    assert beginners < 0.9
    assert masters == 1.0
