"""Ladders and podiums as pictures: no column runs into another, however long what stands in it."""

from __future__ import annotations

import io

from PIL import Image

from render.standing import CHANGE, HEAD, HIGH, Podium, Row, Step, Table
from render.standing import podium_picture as podium
from render.standing import table_picture as ladder

LONG = "1104–222–998"
GAP = 8
"""The pixels that are free between two columns at least."""


def is_free(picture: bytes, top: int, left: int) -> bool:
    """Whether nothing stands in the row that begins at *top*, from *left* on for ``GAP``."""
    shown = Image.open(io.BytesIO(picture)).convert("RGB")
    part = shown.crop((left, top + 6, left + GAP, top + HIGH - 6))
    return len(part.getcolors() or ()) == 1


def test_how_many_games_were_won_does_not_touch_how_a_rating_changed():
    heads = ("Puntos", "30 días", "Balance")
    picture = ladder(Table("Clasificación", heads, (Row("1", "Ana", "2712?", "−1120", LONG),)))
    assert is_free(picture, HEAD, CHANGE + 2)


def test_nor_does_it_touch_a_rating_on_a_podium():
    picture = podium(Podium("El podio", (("Shogi", (Step("Ana", "2712?", LONG),)),)))
    shown = Image.open(io.BytesIO(picture))
    rows = range(0, shown.height - HIGH, 2)
    assert all(is_free(picture, top, CHANGE + 2) for top in rows if top > HEAD)


def test_the_name_of_a_tie_break_stands_whole_above_its_column():
    rows = (Row("1", "Ana", "3", "12.5", "4"),)
    heads = [("Points", said, "Games") for said in ("Buchholz", "Buchhols")]
    first, second = (ladder(Table("Swiss", one, rows)) for one in heads)
    assert first != second  # where it was cut, both said “Buch...”
