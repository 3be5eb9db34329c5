"""The fast generator held to the slow one, on positions from random games and from nowhere."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import islice

import pytest

from games.core import Unreadable
from games.shogi import GAME
from games.shogi.rules import Shogi
from tests.games.random_walks import walk
from tests.games.shogi_reference import Slow

SETTING = GAME.setting()
RECKLESS = GAME.setting({"king_capture": "yes"})


def from_games(rng: random.Random, setting=SETTING):
    """Positions of random games, a few from each."""
    while True:
        plies = list(walk(GAME, setting, rng, rng.randrange(20, 320)))
        for position, _ in rng.sample(plies, min(4, len(plies))):
            if position.outcome() is None:
                yield position


def from_nowhere(rng: random.Random):
    """Positions with some pieces of a set strewn over the board, the rest in hand or away."""
    while True:
        squares = rng.sample(range(81), 81)
        pieces = [*("R" * 2), *("B" * 2), *("GSNL" * 4), *("P" * 18)]
        board = {squares.pop(): "K", squares.pop(): "k"}
        hands = []
        for letter in rng.sample(pieces, rng.randrange(4, 39)):
            own = rng.choice((letter, letter.lower()))
            if rng.random() < 0.3:
                hands.append(own)
            else:
                promoted = letter != "G" and rng.random() < 0.4
                board[squares.pop()] = "+" + own if promoted else own
        text = "/".join(
            "".join(board.get(rank * 9 + file, "1") for file in range(9)) for rank in range(9)
        )
        held = "".join(hands) or "-"
        with suppress(Unreadable):
            yield GAME.notation.read(f"{text} {rng.choice('bw')} {held} 1", SETTING.options)


def agree(position: Shogi) -> bool:
    reckless = position.terms.king_capture
    fast = [GAME.notation.written(position, play) for play in position.legal_moves(position.turn)]
    assert len(fast) == len(set(fast))
    slow = Slow(GAME.notation.text(position))
    assert set(fast) == slow.legal(reckless), GAME.notation.text(position)
    if not fast:
        assert (position.outcome().reason == "mate") == slow.in_check(slow.sente)
    return bool(fast)


@pytest.mark.slow
@pytest.mark.parametrize("source", [from_games, from_nowhere])
def test_the_generators_agree_on_a_thousand_positions(source):
    positions = islice(source(random.Random(1)), 1000)
    assert sum(map(agree, positions)) > 900


def test_h9_they_agree_where_kings_may_be_taken():
    positions = islice(from_games(random.Random(2), RECKLESS), 300)
    assert sum(map(agree, positions)) == 300
