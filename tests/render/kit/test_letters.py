"""Letters set one by one are where the typeface puts them."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from render.kit.canvas import letters
from render.kit.fonts import fine


@pytest.mark.parametrize("px", [18, 24.5, 32])
@pytest.mark.parametrize("text", ["VY kA gj Qj fW", "jj", " ", "将棋 7½", "Ñandú j"])
def test_letters_set_one_by_one_are_those_of_the_whole_text(px, text):
    face = fine(px)
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    whole = Image.new("L", (right - left + 16, bottom - top + 16))
    origin = (8 - left, 8 - top)
    ImageDraw.Draw(whole).text(origin, text, fill=255, font=face, anchor="ls")
    sharp = whole.convert("1", dither=Image.Dither.NONE)
    box = sharp.getbbox() or (0, 0, 1, 1)
    mask, at_left, at_top = letters(text, px)
    assert mask.tobytes() == sharp.crop(box).tobytes()
    if sharp.getbbox():
        assert (at_left, at_top) == (box[0] - origin[0], box[1] - origin[1])
