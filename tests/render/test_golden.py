"""One picture of every game by day and by night, 800 pixels wide, as it was looked at and approved.

After a change that was meant, look at the new pictures, and remake them by

    python -m tests.render.golden
"""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops, ImageStat

from games.core.shelf import shelf
from tests.render.golden import THEMES, file_of, picture


@pytest.mark.sampled(2)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", shelf())
def test_the_picture_is_the_golden_one(key: str, theme: str) -> None:
    """But for a few pixels at edges, which another FreeType may draw a shade apart."""
    with Image.open(file_of(key, theme)) as file:
        golden = file.convert("RGB")
    painted = picture(key, theme).convert("RGB")
    assert painted.size == golden.size
    difference = ImageChops.difference(painted, golden)
    assert sum(ImageStat.Stat(difference).mean) / 3 < 0.25, "look at it"
    strong = sum(difference.convert("L").histogram()[48:])
    assert strong < 0.001 * painted.width * painted.height, "look at it"


def test_the_golden_pictures_are_small() -> None:
    sizes = [file_of(key, theme).stat().st_size for key in shelf() for theme in THEMES]
    assert max(sizes) < 90_000
