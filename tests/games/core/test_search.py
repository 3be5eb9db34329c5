"""The search that the games share, shown on Nim."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from games.core import Position, won_by
from games.core.search import FIRST, PROVED, WIN, Found, NodeBudget, Search, order_near_best, perft
from games.core.search_types import Devices, Strength
from tests.toy import Toy


@dataclass(frozen=True)
class Nim(Position[int]):
    """Take one to three counters; whoever takes the last wins."""

    heap: int
    turn: int = 0

    def actors(self):
        return frozenset({self.turn}) if self.heap else frozenset()

    def legal_moves(self, seat):
        return range(1, min(3, self.heap) + 1) if seat in self.actors() else ()

    def after(self, move):
        return Nim(self.heap - move, 1 - self.turn)

    def outcome(self):
        return None if self.heap else won_by(1 - self.turn, "last")

    def notation(self, move):
        return str(move)

    def text(self):
        return f"{self.heap} {self.turn}"


class Endless:
    def is_spent(self):
        return False


class Done:
    def is_spent(self):
        return True


class NimTree:
    """Nim as the search sees it: a board is the heap."""

    def key(self, board):
        return board

    def ended(self, board):
        return None if board else -WIN

    def stuck(self, board):
        return -WIN

    def worth(self, board):
        return 0

    def is_pressed(self, board):
        return False

    def moves(self, board):
        return [n for n in (1, 2, 3) if n <= board]

    def promises(self, board, moves, praise):
        return [praise.get(move, 0) for move in moves]

    def trace(self, board, move):
        return move

    def quiet(self, board, move):
        return True

    def obscurity(self, board, move):
        return 100

    def captures(self, board, needed):
        return ()

    def after(self, board, move):
        return board - move

    def passed(self, board):
        return board


def searched(heap, strength=None, budget=None, devices=None, **known) -> Found:
    below = random.Random(1).randrange
    strength = strength or Strength(nodes=10_000)
    search = Search(NimTree(), devices or Devices(), strength, budget or Endless(), below, **known)
    return search.think(heap, NimTree().moves(heap))


@pytest.mark.parametrize("heap", range(1, 14))
@pytest.mark.parametrize("devices", [Devices(), Devices(exchanges=False), Devices(late=1)])
def test_the_search_solves_nim_whatever_its_devices(heap, devices):
    found = searched(heap, devices=devices)
    value, move = found.ranked[0]
    assert (value > PROVED) == (heap % 4 != 0)
    if heap % 4:
        assert move == heap % 4
    assert found.line[0] == move
    assert len(found.ranked) == len(NimTree().moves(heap))


def test_the_quickest_win_and_the_slowest_loss_are_preferred():
    assert searched(3).ranked[0] == (WIN - 1, 3)
    assert searched(5).ranked[0][0] == WIN - 3
    assert searched(4).ranked[0][0] == -WIN + 2


def test_a_spent_budget_still_answers_with_every_move_seen_once():
    found = searched(9, budget=Done())
    assert found.depth == 1
    assert sorted(move for _, move in found.ranked) == [1, 2, 3]


def test_who_looks_less_far_does_not_see_the_end():
    assert abs(searched(9, Strength(nodes=10_000, plies=2)).ranked[0][0]) < PROVED


def test_what_is_overlooked_is_never_reckoned_with():
    # One's own next move is always seen; of what follows nothing is.
    assert searched(5, Strength(nodes=10_000, blind=100)).ranked[0][0] == 0
    assert searched(3, Strength(nodes=10_000, blind=100)).ranked[0] == (WIN - 1, 3)


def test_a_board_of_the_past_is_a_draw_and_worth_the_contempt():
    assert {m: v for v, m in searched(4, past={3, 2, 1}, contempt=7).ranked} == {
        1: -7,
        2: -7,
        3: -7,
    }


class Quarrel(NimTree):
    """Nobody is content, and there is always something to take."""

    made = 0

    def worth(self, board):
        return -1

    def captures(self, board, needed):
        return (1, 2, 3)

    def after(self, board, move):
        self.made += 1
        return board + move


def test_exchanges_without_an_end_are_given_up():
    tree = Quarrel()
    below = random.Random(1).randrange
    search = Search(tree, Devices(), Strength(nodes=100), Endless(), below)
    found = search.think(9, (1, 2, 3))
    assert len(found.ranked) == 3
    assert tree.made < 2 * FIRST


def test_a_choice_within_the_slack_is_drawn_and_a_sure_win_is_not():
    ranked = ((10, 1), (8, 2), (1, 3))
    found = Found(ranked, (1,), 1)
    drawn = {order_near_best(found, 5, random.Random(n).randrange)[0] for n in range(40)}
    assert drawn == {(10, 1), (8, 2)}
    sure = Found(((WIN - 1, 1), (WIN - 3, 2)), (1,), 1)
    assert {order_near_best(sure, 5, random.Random(n).randrange)[0] for n in range(9)} == {
        (WIN - 1, 1)
    }


def test_a_node_bound_is_spent_after_so_many_looks():
    bound = NodeBudget(Endless(), 3)
    assert [bound.is_spent() for _ in range(5)] == [False, False, False, True, True]


def test_perft_counts_draws_as_moves():
    assert perft(Toy(hidden=(1, 2), die=None), 1) == 6
    assert perft(Toy(hidden=(1, 2), die=None), 2) == 6 * 2 + 1
    assert perft(Nim(9), 0) == 1
