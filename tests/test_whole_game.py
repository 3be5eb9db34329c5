"""The law of a whole life: every game is opened, joined, played out, disputed and begun again."""

import pytest

from games.core.shelf import shelf
from tests.whole_game import whole_life

LONG = "parchis"
"""The game of hundreds of moves: in every run it is given up after some of them."""

CASES = [
    pytest.param(
        key, seats, marks=() if seats == min(game.rules.seats) and key != LONG else pytest.mark.slow
    )
    for key, game in shelf().items()
    for seats in sorted({min(game.rules.seats), max(game.rules.seats)})
]


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "seats"), CASES)
async def test_a_whole_life_of_a_table(tmp_path, key, seats):
    assert await whole_life(tmp_path, shelf()[key], seats) > 0


@pytest.mark.slow
async def test_a_life_whose_game_is_given_up(tmp_path):
    game = shelf()[LONG]
    assert await whole_life(tmp_path, game, min(game.rules.seats), most=60) == 60
