"""The die of Parchís is a checkable draw of six equal cases (games.core.chance)."""

from collections import Counter

from games.core import CHANCE
from games.core.chance import draw
from games.parchis import GAME
from tests.games.parchis_tools import fresh

DRAWS = 120_000
CHI_SQUARE_0_001 = 20.515
"""The value that chi-square with five degrees of freedom passes once in a thousand times."""


def test_120_000_draws_of_six_are_even():
    secret = bytes(range(32))
    counts = Counter(draw(secret, "DICE", "hola", number, 6) for number in range(DRAWS))
    expected = DRAWS / 6
    chi_square = sum((counts[case] - expected) ** 2 / expected for case in range(6))
    assert sum(counts.values()) == DRAWS
    assert chi_square < CHI_SQUARE_0_001


def test_the_case_of_a_draw_is_the_die_less_one():
    position = fresh()
    assert [GAME.notation.written(position, move) for move in position.legal_moves(CHANCE)] == [
        f"d{case + 1}" for case in range(6)
    ]
    assert GAME.rules.begins == ("rolls",)
