"""Cirya against the slow generator of ``cirya_reference``, on two thousand random positions."""

from __future__ import annotations

import random

import pytest

from games.cirya import GAME
from games.cirya.formats.ptn import result
from games.cirya.rules import Cirya
from tests.games.cirya_reference import Slow

POSITIONS = 2_000


def slow(position: Cirya) -> Slow:
    customs = position.customs
    limit = customs.size if customs.carry_limit else None
    return Slow.read(GAME.notation.text(position), customs.hallaciryar, customs.swapped, limit)


def lively(position: Cirya, rng: random.Random, liveliness: float) -> Cirya:
    """A random ply, a move with the chance *liveliness*: lively games grow tall nossi."""
    moves = position.legal_moves(position.board.mover)
    shifts = [move for move in moves if hasattr(move, "drops")]
    return position.after(rng.choice(shifts if shifts and rng.random() < liveliness else moves))


@pytest.mark.slow
def test_two_thousand_positions_have_the_same_plies_results_and_texts():
    rng = random.Random(30)
    compared = plies = 0
    ends: dict[str, int] = {}
    while compared < POSITIONS:
        wishes = {option.key: rng.choice(option.values) for option in GAME.rules.options}
        position = GAME.start(GAME.setting({**wishes, "repetition": "none"}))
        liveliness = rng.choice((0.2, 0.5, 0.8))
        for _ in range(rng.randrange(10, 160)):
            if position.end:
                break
            position = lively(position, rng, liveliness)
            if rng.random() < 0.7 and not position.end:
                continue
            compared += 1
            plies += compare(position)
            ends[result(position.end)] = ends.get(result(position.end), 0) + 1
    assert plies > 90_000
    assert set(ends) == {"", "R-0", "0-R", "F-0", "0-F", "1/2-1/2"}


def compare(position: Cirya) -> int:
    other = slow(position)
    assert other.tps() == GAME.notation.text(position)
    assert other.result() == result(position.end)
    if position.end:
        return 0
    moves = position.legal_moves(position.board.mover)
    theirs = other.moves()
    ours = {GAME.notation.written(position, move): move for move in moves}
    assert len(ours) == len(moves)
    assert ours.keys() == theirs.keys()
    for text in random.Random(len(ours)).sample(sorted(ours), min(12, len(ours))):
        following = position.after(ours[text])
        assert GAME.notation.text(following) == theirs[text].tps()
        assert result(following.end) == theirs[text].result()
    return len(moves)


@pytest.mark.slow
def test_every_ply_of_many_games_gives_the_position_that_the_slow_generator_gives():
    rng = random.Random(21)
    for _ in range(30):
        wishes = {option.key: rng.choice(option.values) for option in GAME.rules.options}
        position = GAME.start(GAME.setting({**wishes, "repetition": "none"}))
        for _ in range(40):
            if position.end:
                break
            theirs = slow(position).moves()
            for move in position.legal_moves(position.board.mover):
                following = position.after(move)
                assert (
                    GAME.notation.text(following)
                    == theirs[GAME.notation.written(position, move)].tps()
                )
                assert (
                    result(following.end) == theirs[GAME.notation.written(position, move)].result()
                )
            position = lively(position, rng, 0.6)
