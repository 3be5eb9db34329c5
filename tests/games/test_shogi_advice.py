"""The mate that a hint tells of: every claim is checked by the rules alone."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.core import read_move
from games.shogi import GAME
from games.shogi.computer import HINT_PLIES, mate
from games.shogi.rules import Shogi
from tests.games.random_walks import walk
from tests.games.shogi_boards import at


class Plenty:
    """A budget that never ends."""

    def is_spent(self) -> bool:
        return False


def positions(count: int, seed: int) -> Iterator[Shogi]:
    """Positions of random games that are not over."""
    rng = random.Random(seed)
    while count:
        *_, (position, _) = walk(GAME, GAME.setting(), rng, rng.randrange(20, 160))
        if position.outcome() is None:
            count -= 1
            yield position


def holds(position: Shogi, seat: int, line: tuple[str, ...]) -> bool:
    """Whether the mate of *line* stands against every answer: by the rules, claim after claim."""
    after = position.after(read_move(GAME, position, seat, line[0]))
    end = after.outcome()
    if end is not None:
        return end.winner == seat and end.reason == "mate"
    for move in after.legal_moves(after.turn):
        then = after.after(move)
        claim = None if then.outcome() else mate(then, seat, Plenty())
        if claim is None or len(claim.line) > len(line) - 2:
            return False
        if not holds(then, seat, claim.line):
            return False
    return True


def claimed(count: int, seed: int) -> int:
    """How many of *count* positions a mate is claimed in, each claim being checked."""
    found = 0
    for position in positions(count, seed):
        choice = mate(position, position.turn, Plenty())
        if choice is not None:
            found += 1
            assert choice.exact
            assert holds(position, position.turn, choice.line), GAME.notation.text(position)
    return found


def test_no_mate_is_claimed_that_is_none():
    assert claimed(15, seed=1) < 15


@pytest.mark.slow
def test_no_mate_is_claimed_that_is_none_in_five_hundred_positions():
    assert 0 < claimed(500, seed=2) < 500


def test_a_mate_beyond_what_the_levels_look_for_is_told_with_its_line():
    problem = at("9/7R1/8P/6SGP/8k/9/9/9/9 b r2b3g3s4n4l16p 1")
    choice = mate(problem, 0, Plenty())
    assert len(choice.line) == 9 < HINT_PLIES
    for text in choice.line:
        problem = problem.after(read_move(GAME, problem, problem.turn, text))
    assert problem.outcome().reason == "mate"


def test_where_there_is_none_the_computer_is_asked():
    assert mate(at("4k4/9/9/9/9/9/9/9/4K4 b G 1"), 0, Plenty()) is None
