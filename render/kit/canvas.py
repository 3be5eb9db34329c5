"""The drawing board: shapes and letters in flat colours, drawn large and brought down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from math import ceil, floor
from typing import Concatenate, ParamSpec

from PIL import Image

from render.kit.drawing import (
    Begin,
    Disc,
    Drawing,
    End,
    Lettering,
    Line,
    Polygon,
    Rounded,
    Stroke,
)
from render.kit.palettes import Palette
from render.kit.shapes import Box, Points
from render.kit.sprites import Sprite, prepared
from render.kit.store import STORE, key_of, packed, plain, unpacked

Given = ParamSpec("Given")


class Larder:
    """How much the sprites weigh that are kept, so that all are forgotten beyond *most* bytes.

    A bot that serves every theme would keep several hundred megabytes otherwise. What is wanted
    again comes from the file of sprites within a fraction of a millisecond.
    """

    def __init__(self, most: int) -> None:
        self.most, self.weight = most, 0
        self._forgetting: list[Callable[[], None]] = []

    def keeps(self, forget: Callable[[], None]) -> None:
        """Have *forget* called when there is too much."""
        self._forgetting.append(forget)

    def put(self, sprite: Sprite) -> None:
        """Note that *sprite* is kept from now on."""
        self.weight += sprite.weight
        if self.weight > self.most:
            self.forget()

    def forget(self) -> None:
        """Keep nothing any more of what was drawn."""
        self.weight = 0
        for forget in self._forgetting:
            forget()


LARDER = Larder(128 * 1024 * 1024)
"""What this process keeps of sprites that were drawn once."""


class Canvas:
    """A place to draw one sprite on, once.

    *box* is the room there is, in pixels of the picture, in any coordinates that suit:
    the point (0, 0) becomes the origin of the sprite. Without *ground* the sprite is
    transparent where nothing is drawn. Colours are the names of the palette's flats.

    What is drawn is noted first, and drawn only where the sprite is not kept already. *passing*
    is for what must not be kept from one start to the next, such as names.
    """

    def __init__(
        self, palette: Palette, box: Box, ground: str | None = None, *, passing: bool = False
    ) -> None:
        self.palette = palette
        self.left, self.top = floor(box[0]), floor(box[1])
        self.right, self.bottom = ceil(box[2]), ceil(box[3])
        self._ground, self._passing = ground, passing
        self._strokes: list[Stroke] = []

    def polygon(
        self, points: Points, fill: str | None = None, line: str | None = None, width: float = 0
    ) -> None:
        """A polygon; its outline is centred on its edges and has round corners."""
        self._check(fill, line)
        self._strokes.append(Polygon(plain(points), fill, line, width))

    def line(self, points: Points, colour: str, width: float) -> None:
        """A way along *points* with round joints and ends."""
        self._check(colour)
        self._strokes.append(Line(plain(points), colour, width))

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
    ) -> None:
        """A disc; its outline lies inside *radius*."""
        self._check(fill, line)
        self._strokes.append(Disc(x, y, radius, fill, line, width))

    def box(
        self,
        box: Box,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
        radius: float = 0,
    ) -> None:
        """A rectangle with corners of *radius*; its outline lies inside."""
        self._check(fill, line)
        self._strokes.append(Rounded(box, fill, line, width, radius))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        px: float,
        colour: str,
        anchor: str = "mm",
        stroke: float = 0,
        stroke_colour: str | None = None,
        turn: int = 0,
        room: float = 10_000,
    ) -> None:
        """*text* set at *px*, turned clockwise by *turn* (a multiple of 90 degrees).

        Wider than *room*, its letters are made narrower, and no lower.

        *anchor* says what lies at (x, y): of the width the left end, middle or right end
        of the ink (``l m r``), of the height the middle of the ink, the middle of a
        capital letter or the baseline (``m c s``).
        """
        self._check(colour, stroke_colour)
        spot = (x, y)
        self._strokes.append(
            Lettering(spot, text, px, colour, anchor, stroke, stroke_colour, turn, room)
        )

    @contextmanager
    def within(self, outline: Points) -> Iterator[None]:
        """Draw only inside the polygon *outline* for a while."""
        self._strokes.append(Begin(plain(outline)))
        yield
        self._strokes.append(End())

    def image(self) -> Image.Image:
        """What was drawn, brought down to the size at which it is shown, in RGBA."""
        size = (self.left, self.top, self.right, self.bottom)
        drawing = Drawing(self.palette, size, self._ground)
        for stroke in self._strokes:
            drawing.draw(stroke)
        return drawing.image()

    def sprite(self) -> Sprite:
        """What was drawn, as a sprite in the palette."""
        if self._passing or not STORE.keeps:
            return self._prepared()
        size = (self.left, self.top, self.right, self.bottom)
        key = key_of(self.palette.key, size, self._ground, self._strokes)
        data = STORE.get(key)
        sprite = unpacked(data) if data is not None else None
        if sprite is None:
            sprite = self._prepared()
            STORE.put(key, packed(sprite))
        return sprite

    def _check(self, *colours: str | None) -> None:
        """Raise ``KeyError`` for a colour that the palette has not."""
        for colour in colours:
            if colour:
                self.palette.index(colour)

    def _prepared(self) -> Sprite:
        return prepared(self.image(), self.palette, self.left, self.top)


def kept(make: Callable[Given, Sprite]) -> Callable[Given, Sprite]:
    """Let the sprite that *make* answers be kept, as long as there is room for it."""

    @wraps(make)
    def made(*args: Given.args, **named: Given.kwargs) -> Sprite:
        found = make(*args, **named)
        LARDER.put(found)
        return found

    once = cache(made)
    LARDER.keeps(once.cache_clear)
    keeping: Callable[..., Sprite] = once
    return keeping


def drawn(
    palette: Callable[[str], Palette], box: Box, ground: str | None = None
) -> Callable[
    [Callable[Concatenate[Canvas, Given], None]], Callable[Concatenate[str, Given], Sprite]
]:
    """Let what draws on a canvas of *box* be called by theme instead, and answer the sprite.

    What was drawn once is kept.
    """

    def made(
        draw: Callable[Concatenate[Canvas, Given], None],
    ) -> Callable[Concatenate[str, Given], Sprite]:
        @wraps(draw)
        def sprite(theme: str, /, *args: Given.args, **named: Given.kwargs) -> Sprite:
            canvas = Canvas(palette(theme), box, ground)
            draw(canvas, *args, **named)
            return canvas.sprite()

        return kept(sprite)

    return made
