"""Cubo, rule by rule: each test is named after its rule."""

from __future__ import annotations

import pytest
from ludoteca_cubo import GAME
from ludoteca_cubo.board import CELLS, LINES, NAMES, NUMBERS
from ludoteca_cubo.rules import Cube

from games.core import IllegalMove, Unreadable, read_move


class _Patient:
    """A budget that is never spent."""

    def is_spent(self) -> bool:
        return False


def cube(*cells: str, fall: bool = False) -> Cube:
    """The cube after stones were put into *cells*, in turn."""
    position = Cube(fall=fall)
    for name in cells:
        assert NUMBERS[name] in position.legal_moves(position.turn)
        position = position.after(NUMBERS[name])
    return position


def test_1_the_board_is_a_cube_of_64_cells_with_76_lines():
    # 48 along the edges, 24 across the faces, 4 from corner to corner.
    assert len(CELLS) == 64
    assert len(LINES) == len(set(map(frozenset, LINES))) == 76


def test_2_a_stone_goes_into_any_empty_cell():
    assert len(cube().legal_moves(0)) == 64
    assert NUMBERS["b32"] not in cube("b32").legal_moves(1)
    with pytest.raises(IllegalMove) as refused:
        read_move(GAME, cube("b32"), 1, "b32")
    assert refused.value.refusal.rule == "2"


def test_3_where_stones_fall_each_needs_something_below_it():
    assert len(cube(fall=True).legal_moves(0)) == 16
    assert NUMBERS["b32"] in cube("b31", fall=True).legal_moves(1)
    with pytest.raises(IllegalMove) as refused:
        read_move(GAME, cube(fall=True), 0, "b32")
    assert refused.value.refusal.rule == "3"
    assert read_move(GAME, cube("b31", fall=True), 1, "b3") == NUMBERS["b32"]


@pytest.mark.parametrize("line", LINES, ids=lambda line: "-".join(NAMES[cell] for cell in line))
def test_4_every_line_of_four_wins(line):
    stones = "".join("x" if cell in line else "." for cell in CELLS)
    end = Cube(stones, turn=1).outcome()
    assert end is not None
    assert (end.winner, end.reason) == (0, "line")
    assert not Cube(stones, turn=1).actors()


def test_5_a_full_cube_without_a_line_is_a_draw():
    full = Cube("oooxoxxoxooooooxxxoxxoxxoxoxooxoxoxoooxooxxoxxoxxoxoxxoxxxoooxxx")
    assert not full.line()
    end = full.outcome()
    assert end is not None
    assert (end.winner, end.reason) == (None, "full")


@pytest.mark.parametrize("text", ["", "x 0", f"{'.' * 63} 0", f"{'.' * 64} 2", f"{'.' * 64} 0 x"])
def test_a_text_that_is_no_cube_is_refused(text):
    with pytest.raises(Unreadable):
        GAME.notation.read(text, {})


def test_a_stone_that_hovers_is_refused_where_stones_fall():
    with pytest.raises(Unreadable):
        GAME.notation.read(f"{'.' * 63}x 1 fall", {})


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_level_completes_its_line(level):
    position = cube("a11", "d44", "b11", "d34", "c11", "d24")
    choice = GAME.computer.choose(position, 0, level, _Patient(), lambda n: 0)
    assert choice.move == NUMBERS["d11"]


@pytest.mark.parametrize("level", [2, 3])
def test_the_upper_levels_close_the_line_of_the_other(level):
    position = cube("a11", "d44", "b11", "a22", "c11")
    choice = GAME.computer.choose(position, 1, level, _Patient(), lambda n: 0)
    assert choice.move == NUMBERS["d11"]
