"""Deals solved by an independent program: the value of every first card under both rulings.

A dozen deals stand in ``tests/data/niya`` and run always. All 250 are gone through with ::

    pytest -m slow tests/games/test_niya_truth.py

where the tables of ../shared/truth are at hand.
"""

from pathlib import Path

import pytest

from games.core.search import perft
from games.niya.computer import values
from tests.games.niya_tables import dealt

SAMPLE = Path(__file__).parents[1] / "data" / "niya" / "solved.tsv"
OURS = str.maketrans("ABCD", "MOLV")


def rows(text):
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def signs(deal, full_board):
    """The value of each first card, in the order of the squares."""
    return [value.sign for value in values(dealt(deal, full_board=full_board)).values()]


def checked(deal, as_draw, as_block):
    assert signs(deal, "draw") == as_draw
    assert signs(deal, "block") == as_block


@pytest.mark.sampled(2)
@pytest.mark.parametrize("row", rows(SAMPLE.read_text("utf-8")), ids=lambda row: row[0])
def test_a_dozen_solved_deals(row):
    deal, as_draw, as_block, _ = row
    checked(deal, [int(n) for n in as_draw.split()], [int(n) for n in as_block.split()])


@pytest.mark.slow
@pytest.mark.parametrize("row", [r for r in rows(SAMPLE.read_text("utf-8")) if r[3] != "-"])
def test_sequences_of_eight_plies(row):
    assert perft(dealt(row[0]), 8) == int(row[3])


def by_square(text):
    """The values of a table's column ``0:1,1:0,…``."""
    return [int(one.split(":")[1]) for one in text.split(",") if one]


@pytest.mark.slow
@pytest.mark.truth
def test_all_250_solved_deals(truth):
    table = rows((truth / "niya" / "solved.tsv").read_text("utf-8"))
    assert len(table) == 250
    for _, deal, as_draw, draw, as_block, block, *_ in table:
        checked(deal.translate(OURS), by_square(draw), by_square(block))
        assert max(by_square(draw)) == int(as_draw)
        assert max(by_square(block)) == int(as_block)


@pytest.mark.slow
@pytest.mark.truth
def test_every_counted_tree(truth):
    counted = [
        row for row in rows((truth / "niya" / "solved.tsv").read_text("utf-8")) if "," in row[6]
    ]
    assert len(counted) == 15
    for row in counted:
        position = dealt(row[1].translate(OURS))
        expected = [int(n) for n in row[6].split(",")]
        assert [perft(position, depth) for depth in range(1, 7)] == expected[:6]
