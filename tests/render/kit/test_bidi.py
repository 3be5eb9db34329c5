"""Lines in two directions: names stand where the Unicode Bidirectional Algorithm puts them."""

from __future__ import annotations

import pytest

from render.kit import fonts
from render.kit.fonts import isolated, visual_order

MUHAMMAD, DAVID, DIGITS = "محمد", "דוד", "٣٤"


def read(text: str) -> list[str]:
    """The runs of *text* from left to right, each as it is read, without their blanks."""
    return [part.strip() for part, _ in fonts.runs(text, 30)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"{MUHAMMAD} Ana", ["Ana", MUHAMMAD]),
        (f"Ana {MUHAMMAD}", ["Ana", MUHAMMAD]),
        (f"{MUHAMMAD} 42", ["42", MUHAMMAD]),
        (f"{MUHAMMAD} {DIGITS}", [DIGITS, MUHAMMAD]),
        (f"{DAVID}-3", ["3-", DAVID]),
        (f"3 {DAVID}", [DAVID, "3"]),
        (f"{MUHAMMAD} {DAVID}", [DAVID, MUHAMMAD]),
        (f"23 · {isolated(MUHAMMAD)}: come a {isolated(DAVID)}, +20",
         ["23 ·", MUHAMMAD, ": come a", DAVID, ", +20"]),
    ],
)  # fmt: skip
def test_names_stand_in_a_line_where_the_algorithm_puts_them(text, parts):
    assert read(text) == parts


def test_brackets_and_what_ends_a_name_from_the_right_are_turned():
    assert read(f"Ana ({MUHAMMAD})") == ["Ana (", MUHAMMAD, ")"]
    assert read(f"{MUHAMMAD} (Ana)") == ["(Ana)", MUHAMMAD]
    assert read(f"{MUHAMMAD} «{DAVID}»!?") == ["?!«", DAVID, "»", MUHAMMAD]


def test_marks_stay_with_their_letters():
    pointed = "דָּוִד"
    assert read(f"Ana {pointed}") == ["Ana", pointed]


def test_the_names_of_a_draw_keep_their_order_and_their_dot():
    assert read(f"{isolated(MUHAMMAD)} · {isolated('Alexandros')}") == [MUHAMMAD, "· Alexandros"]


def test_an_isolated_name_does_not_turn_its_line():
    assert read(f"{MUHAMMAD}: cirya en c5") == ["cirya en c5 :", MUHAMMAD]
    assert read(f"{isolated(MUHAMMAD)}: cirya en c5") == [MUHAMMAD, ": cirya en c5"]


def test_isolates_have_no_ink_and_no_width():
    assert fonts.width(isolated("Ana"), 30) == fonts.width("Ana", 30)
    assert visual_order(isolated("Ana")) == "Ana"
