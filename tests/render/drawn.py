"""What a page draws of a scene, put together here, and how like it is to the painted picture."""

from __future__ import annotations

import random
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageChops

from games.core.shelf import shelf
from render.kit import painter
from render.kit.painters import bars_of
from render.kit.sprite_placements import Filled, Scenery, scenery_of
from render.scene import Scene
from tests.games.random_walks import random_setting, walk
from tests.render.pictures import asked, dressed

SAME = 48
"""Two pixels are alike whose brightness differs by less than so much, of 255.

The picture blends a shadow by its palette and the page by its transparency: on a dark line that is
seen in a row of pixels. A shape that is missing differs by more.
"""

GOLD = 8
"""How far the frame of who has won reaches beyond a bar."""

TILE = 40
"""The side of a tile, in pixels: about as large as the smallest pieces."""


def walked(game: str, seed: int, plies: int = 60) -> Scene:
    """What the player to move sees of *game* after at most so many random moves, and may choose."""
    rng, rules = random.Random(seed), shelf()[game]
    setting = random_setting(rules, rng)
    *_, (position, _) = walk(rules, setting, rng, rng.randrange(plies))
    seat = min(position.actors(), default=0)
    seen = position.seen_by(seat if seat >= 0 else 0)
    names = tuple(f"Ana {n}" for n in range(len(setting.sides)))
    return dressed(Scene(game, seen, names))


def to_choose(scene: Scene) -> Scene:
    """*scene* with what may be chosen there, if anything may."""
    actors = [seat for seat in scene.seen.actors() if seat >= 0]
    return asked(scene, min(actors)) if actors else scene


def composed(scenery: Scenery) -> Image.Image:
    """What a page draws of *scenery*."""
    whole = Image.new("RGBA", (scenery.width, scenery.height))
    for part in scenery.parts:
        if isinstance(part, Filled):
            sides = (part.x, part.y, part.x + part.width, part.y + part.height)
            whole.paste(part.colour, sides)
            continue
        cutout = scenery.cutouts[part.name]
        image = _decoded(cutout.data)
        assert image.size == (cutout.width, cutout.height)
        layer = Image.new("RGBA", image.size)
        layer.paste(whole, (-part.x, -part.y))
        whole.paste(Image.alpha_composite(layer, image), (part.x, part.y))
    return whole.convert("RGB")


@lru_cache(4096)
def _decoded(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGBA")


class Likeness(NamedTuple):
    """The share of pixels that are alike: of the whole picture, and of the tile least alike."""

    whole: float
    tile: float


def likeness(scene: Scene, drawn: Image.Image | None = None) -> Likeness:
    """How like *drawn*, or else what is composed here, is to *scene* as painted, without bars."""
    painted = painter(scene.game).paint(scene).convert("RGB")
    drawn = composed(scenery_of(scene)) if drawn is None else drawn.copy()
    assert drawn.size == painted.size
    for bar in bars_of(scene):
        left, top = round(bar.x * painted.width) - GOLD, round(bar.y * painted.height) - GOLD
        wide, high = round(bar.w * painted.width), round(bar.h * painted.height)
        for picture in (painted, drawn):
            picture.paste("black", (left, top, left + wide + 2 * GOLD, top + high + 2 * GOLD))
    apart = ImageChops.difference(painted, drawn).convert("L").point(_judged)
    tiles = apart.reduce(TILE).getextrema()[1]
    return Likeness(
        1 - sum(apart.histogram()[128:]) / (apart.width * apart.height), 1 - tiles / 255
    )


_judged = [0] * SAME + [255] * (256 - SAME)
