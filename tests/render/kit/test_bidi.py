"""Lines in two directions: names stand where a shaping library puts them."""

from __future__ import annotations

import itertools

import pytest

from render.kit import fonts
from render.kit.bidi import isolated, leads_from_the_right, visual_order

NAMES = (
    "Alexandros",
    "محمد",
    "דוד",
    "Núria 7",
    "علي 42",
    "Ana (محمد)",
    "שרה-3",
    "حسن Al",
    "3 אבי",
    "مها ٣٤",
)
PAIRS = [*itertools.product(NAMES, NAMES)]
ALIKE = str.maketrans("()", "||", "\u2068\u2069")
"""Brackets are turned where they are drawn; isolates have no shape."""


def shown(text: str) -> str:
    """The letters of *text* from left to right."""
    return "".join(part[::-1] if turned else part for part, turned in visual_order(text))


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_names_stand_in_a_line_as_a_shaping_library_orders_them(first, second):
    bidi = pytest.importorskip("bidi")
    for line in (
        f"{isolated(first)} · {isolated(second)}",
        f"23/26 · {isolated(first)}: come a {isolated(second)}, +20",
        f"{first} {second}",
    ):
        wanted = bidi.get_display(line).translate(ALIKE)
        assert shown(line).translate(ALIKE) == wanted


def test_the_names_of_a_draw_keep_their_order_and_their_dot():
    parts = visual_order(f"{isolated('محمد')} · {isolated('Alexandros')}")
    assert "".join(part for part, _ in parts) == "محمد · Alexandros"
    assert [turned for _, turned in parts] == [True, False, False]


def test_an_isolated_name_does_not_turn_its_line():
    assert leads_from_the_right("محمد: cirya en c5")
    assert not leads_from_the_right(f"{isolated('محمد')}: cirya en c5")


def test_isolates_have_no_ink_and_no_width():
    assert fonts.width(isolated("Ana"), 30) == fonts.width("Ana", 30)
    assert "".join(part for part, _ in fonts.runs(isolated("Ana"), 30)) == "Ana"
