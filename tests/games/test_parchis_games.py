"""Whole games of Parchís between computers: they all end, and nobody is favoured."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from games.core import CHANCE, Entry, read_move, replay, settle
from games.core.chance import public_draws
from games.parchis import GAME
from games.parchis.moves import Stage
from tests.games import parchis_random_positions
from tests.games.test_parchis_computer import Patience

PLIES = 20_000
"""More than any game takes: whoever comes here is locked."""


@dataclass
class Tally:
    """What some games showed."""

    lengths: list[int] = field(default_factory=list)
    rolls: Counter = field(default_factory=Counter)
    wins: Counter = field(default_factory=Counter)

    def report(self) -> str:
        rolls = self.rolls.total()
        lengths = sorted(self.lengths)
        shares = {kind: f"{count / rolls:.1%}" for kind, count in sorted(self.rolls.items())}
        wins = sorted(self.wins.items())
        return (
            f"\n{len(lengths)} games; rolls a game: shortest {lengths[0]}, "
            f"median {lengths[len(lengths) // 2]}, mean {sum(lengths) / len(lengths):.0f}, "
            f"longest {lengths[-1]}; of the rolls {shares}; wins by seat {wins}"
        )


def tallied(games: int, seats: int, seed: int) -> Tally:
    tally = Tally()
    for number in range(games):
        rng = random.Random(seed * 1_000_003 + number)
        position = GAME.start(GAME.setting({}, seats))
        rolls = 0
        for _ in range(PLIES):
            if not position.actors():
                break
            (seat,) = position.actors()
            moves = position.legal_moves(seat)
            if position.stage is Stage.DIE:
                rolls += 1
                tally.rolls[_kind(position.forced(seat), moves, position)] += 1
            if seat == CHANCE or len(moves) == 1:
                position = position.after(rng.choice(moves))
            else:
                choice = GAME.computer.choose(position, seat, 1, Patience(), rng.randrange)
                position = position.after(choice.move)
        outcome = position.outcome()
        assert outcome is not None
        assert sum(map(len, outcome.places)) == seats
        tally.lengths.append(rolls)
        tally.wins[outcome.winner] += 1
    return tally


def _kind(forced, moves, position) -> str:
    if forced is None:
        return "choice"
    return "nothing" if GAME.notation.written(position, forced) == "--" else "forced"


@pytest.mark.slow
def test_1000_games_of_four_computers_end(capsys):
    tally = tallied(1000, seats=4, seed=1)
    with capsys.disabled():
        print(tally.report())
    # Wins by seat: chi-square with three degrees of freedom, once in a thousand times 16.27.
    assert sum((tally.wins[seat] - 250) ** 2 / 250 for seat in range(4)) < 16.27
    assert 0.4 < tally.rolls["choice"] / tally.rolls.total() < 0.9


@pytest.mark.sampled
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_end_with_every_seat_placed(seats):
    tally = tallied(6, seats, seed=seats)
    assert len(tally.lengths) == 6
    assert min(tally.lengths) > 50


@pytest.mark.slow
def test_random_games_end_under_every_option():
    rng = random.Random(9)
    for _ in range(12):
        options = parchis_random_positions.random_options(rng)
        sides = parchis_random_positions.random_sides(rng)
        position = GAME.start(replace(GAME.setting(options, len(sides)), sides=sides))
        start, log = position, []
        for _ in range(PLIES):
            if not position.actors():
                break
            (seat,) = position.actors()
            move = rng.choice(position.legal_moves(seat))
            log.append(Entry(seat, GAME.notation.written(position, move)))
            position = position.after(move)
        assert position.outcome() is not None
        assert replay(GAME, start, log) == position
        assert GAME.notation.read(GAME.notation.text(position), options) == position


def test_the_demo_is_legal_on_the_public_draws():
    position, drawn = settle(GAME, GAME.start(GAME.setting()), public_draws())
    number = len(drawn)
    for text in GAME.demo:
        (seat,) = position.actors()
        position = position.after(read_move(GAME, position, seat, text))
        position, drawn = settle(GAME, position, public_draws(number))
        number += len(drawn)
    assert GAME.notation.text(position) == "A=34,3,0,0 R=38,38,13,1 R d4 0 - -"
