"""Problems of Parchís: posed where one move is clearly the best, proved by games played out."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import partial

import pytest

from bot.session.puzzle_mining import proof_fault
from games.core.school import opening, puzzles
from games.core.search import EndlessBudget
from games.parchis import GAME
from games.parchis.computer import problems, winner_of_playout
from games.parchis.computer.problems import Luck

NEVER = EndlessBudget()
PAIRS = re.compile(r"(\d+):")


def read(text: str):
    return GAME.notation.read(text, GAME.chosen({}))


def posed(text: str, seed: int = 1):
    position = read(text)
    return GAME.computer.pose(position, position.turn, NEVER, random.Random(seed).randrange)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [1, 2])
def test_the_best_move_is_posed_whatever_the_luck_of_its_proof(seed):
    late = max(puzzles(GAME), key=lambda one: one.position.count("72"))
    assert dict(posed(late.position, seed).answers) == dict(late.answers)


def test_what_a_beginner_always_finds_is_no_problem():
    taking = "A=20,72,60,1 R=58,72,66,30 A d4 0 - -"
    position = read(taking)
    (first, value), (_, next_best) = sorted(
        GAME.computer.weigh(position, 0, NEVER), key=lambda one: -one[1]
    )[:2]
    assert first.taken
    assert value - next_best > problems.CLEAR
    assert abs(value) < problems.DECIDED
    assert posed(taking) is None


def test_moves_as_good_as_each_other_are_no_problem(monkeypatch):
    monkeypatch.setattr(problems, "CLEAR", -1.0)  # whatever the opinion of them is
    assert posed("A=67,66,72,72 R=66,67,72,72 A d1 0 - -") is None


def test_nobody_s_next_roll_hangs_on_what_others_have_rolled():
    one, other = Luck(7, 2), Luck(7, 2)
    for _ in range(5):
        one.dice[1](6)
        one.tastes(25)
    assert [one.dice[0](6) for _ in range(9)] == [other.dice[0](6) for _ in range(9)]


def test_the_same_luck_has_the_same_winner():
    known = opening(GAME, puzzles(GAME)[0])

    def winner(seed):
        luck = Luck(seed, 2)
        like = partial(problems._prefer, luck.tastes)
        return winner_of_playout(known.position, luck.dice, like)

    won = [[winner(seed) for seed in range(12)] for _ in range(2)]
    assert won[0] == won[1]
    assert set(won[0]) <= {0, 1}


def test_a_proof_is_checked_by_the_same_luck_and_told_where_it_comes_out_otherwise():
    short = min(puzzles(GAME), key=lambda one: sum(map(int, PAIRS.findall(one.proof))))
    assert short.proof
    assert proof_fault(GAME, short, seed=99) == ""
    seed, lead = short.proof.split(" ", 1)
    assert "its proof comes out as" in proof_fault(GAME, replace(short, proof=f"{seed} 9{lead}"), 1)
