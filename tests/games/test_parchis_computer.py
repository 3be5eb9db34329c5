"""The computer player of Parchís: what it sees, and that more levels play better."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from games.core import CHANCE
from games.parchis import GAME
from games.parchis.computer.evaluation import danger, lead
from tests.games import parchis_random_positions
from tests.games.parchis_tools import at, moves, play


@dataclass
class Patience:
    """A budget of *asks*; endless by default."""

    asks: float = float("inf")

    def is_spent(self) -> bool:
        self.asks -= 1
        return self.asks < 0


def chosen(text: str, level: int, below=lambda n: 0, budget=None, **options: str) -> str:
    position = at(text, **options)
    (seat,) = position.actors()
    choice = GAME.computer.choose(position, seat, level, budget or Patience(), below)
    return GAME.notation.written(position, choice.move)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_level_captures_far_from_home(level):
    assert chosen("A=27,40,0,0 R=63,0,0,0 A d2 0 - -", level) == "A1>33xR1"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_level_puts_a_piece_in_where_little_else_beckons(level):
    assert chosen("A=68,10,0,0 R=0,0,0,0 A d4 0 - -", level) == "A1>meta"


@pytest.mark.parametrize("level", [2, 3])
def test_better_levels_flee_from_danger(level):
    # Yellow's far piece on 49 is nine squares ahead of red's; the seguro 51 shelters it.
    assert chosen("A=45,2,0,0 R=2,0,0,0 A d2 0 - -", level) == "A1>51"


@pytest.mark.parametrize("level", [2, 3])
def test_better_levels_keep_a_barrier_that_holds_somebody_up(level):
    assert chosen("A=31,31,20,0 R=61,62,63,0 A d2 0 - -", level) == "A3>26"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_same_position_gets_the_same_answer(level):
    rng = random.Random(7)
    for _ in range(20):
        options, text = parchis_random_positions.strewn(rng)
        position = GAME.notation.read(text, options)
        for seat in position.actors() - {CHANCE}:
            answers = {
                GAME.computer.choose(position, seat, level, Patience(), lambda n: n // 2)
                for _ in range(3)
            }
            assert len(answers) == 1


@pytest.mark.sampled
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_level_answers_legal_moves_with_an_opinion(level):
    rng = random.Random(level)
    for _ in range(150):
        options, text = parchis_random_positions.strewn(rng)
        position = GAME.notation.read(text, options)
        for seat in position.actors() - {CHANCE}:
            choice = GAME.computer.choose(position, seat, level, Patience(), rng.randrange)
            assert choice.move in position.legal_moves(seat)
            assert -1 <= choice.value <= 1
            assert choice.line[0] == GAME.notation.written(position, choice.move)


@pytest.mark.parametrize("level", [2, 3])
def test_a_spent_budget_still_gets_an_answer(level):
    text = "A=27,40,10,20 R=63,0,0,0 A d2 0 - -"
    assert chosen(text, level, budget=Patience(0)) in moves(at(text))


def test_the_easy_level_errs_now_and_then():
    rng = random.Random(1)
    text = "A=45,2,0,0 R=2,0,0,0 A d2 0 - -"
    answers = {chosen(text, 1, below=rng.randrange) for _ in range(40)}
    assert answers == {"A1>51", "A2>8"}


def test_danger_is_the_chance_of_the_dice_that_hit():
    # Red on 40 (index 2) with pieces at home; yellow three squares ahead on 43.
    assert danger(at("A=39,0,0,0 R=2,0,0,0 A ! 0 - -"), 0, 43) == pytest.approx(1 / 6)
    # Five squares ahead: the five must bring a piece out.
    assert danger(at("A=41,0,0,0 R=2,0,0,0 A ! 0 - -"), 0, 45) == 0
    # Eight ahead: a six and a two.
    assert danger(at("A=44,0,0,0 R=2,0,0,0 A ! 0 - -"), 0, 48) == pytest.approx(1 / 36)
    # A yellow barrier between.
    assert danger(at("A=39,38,38,0 R=2,0,0,0 A ! 0 - -"), 0, 43) == 0


def test_the_lead_is_of_one_over_the_average_of_the_others():
    even = at("A=10,0,0,0 R=10,0,0,0 A ! 0 - -")
    assert lead(even, 0) == -lead(even, 1) == pytest.approx(0)
    ahead = at("A=66,0,0,0 R=10,0,0,0 A ! 0 - -")
    assert lead(ahead, 0) > 40 > -40 > lead(ahead, 1)


def wins(level: int, other: int, games: int) -> int:
    """How many of *games* games of two *level* wins against *other*, in turns at each seat."""
    won = 0
    for number in range(games):
        rng = random.Random(number // 2)
        mine = number % 2
        position = GAME.start(GAME.setting())
        while position.actors():
            (seat,) = position.actors()
            options = position.legal_moves(seat)
            if seat == CHANCE or len(options) == 1:
                move = rng.choice(options)
            else:
                strength = level if seat == mine else other
                move = GAME.computer.choose(
                    position, seat, strength, Patience(), rng.randrange
                ).move
            position = position.after(move)
        won += position.outcome().winner == mine
    return won


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
def test_each_level_beats_the_one_below(level):
    assert wins(level, level - 1, 40) >= 23


def test_a_computer_presses_the_die_and_takes_what_is_forced():
    assert chosen("A=1,0,0,0 R=0,0,0,0 A ! 0 - -", 3) == "tirar"
    position = play(at("A=1,0,0,0 R=0,0,0,0 A ! 0 - -"), "tirar", "d3")
    assert chosen(GAME.notation.text(position), 3) == "A1>8"
