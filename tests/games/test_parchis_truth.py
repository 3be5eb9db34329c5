"""The board against the tables in ../shared/truth, and against a sample without them."""

import json
from itertools import pairwise

import pytest

from games.parchis import board


@pytest.fixture
def table(truth):
    return json.loads((truth / "parchis" / "board.json").read_text("utf-8"))


@pytest.mark.truth
def test_every_route_is_the_one_of_the_table(table):
    for colour, name in enumerate(table["order"]):
        assert list(board.ROUTES[colour]) == table["routes"][name]
        assert len(board.ROUTES[colour]) == table["route_len_including_home"][name]


@pytest.mark.truth
def test_circuit_salidas_safe_squares_and_corridors_are_those_of_the_table(table):
    assert table["circuit"] == board.CIRCUIT
    assert sorted(board.SAFE) == table["safe"]
    assert table["corridor_len"] == board.META - board.LAST - 1
    for colour, name in enumerate(table["order"]):
        assert board.SALIDAS[colour] == table["starts"][name]
        assert board.ROUTES[colour][board.SALIDA] == table["starts"][name]
        last = table["last_common_square_before_corridor"][name]
        assert board.ROUTES[colour][board.LAST] == last
        assert board.ROUTES[colour][board.META] == table["goal_id"][name]


@pytest.mark.parametrize(
    ("colour", "salida", "last", "corridor", "meta"),
    [(0, 5, 68, 69, 76), (1, 22, 17, 77, 84), (2, 39, 34, 85, 92), (3, 56, 51, 93, 100)],
)
def test_where_each_colour_comes_out_turns_in_and_ends(colour, salida, last, corridor, meta):
    route = board.ROUTES[colour]
    assert (route[1], route[64], route[65], route[72]) == (salida, last, corridor, meta)
    assert len(set(route)) == 73


def test_the_road_goes_up_by_one_and_from_68_to_1():
    for route in board.ROUTES:
        circuit = route[1:65]
        for square, following in pairwise(circuit):
            assert following == square % 68 + 1


def test_twelve_squares_are_safe():
    assert sorted(board.SAFE) == [5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68]
