"""The sea of Cirya: its sati, the golden route of a londë, and the marks of choosing."""

from __future__ import annotations

from games.cirya.move_types import EAST, NORTH, SOUTH, WAYS, WEST
from render.cirya.pieces import STUDY, outline, palette
from render.kit import Canvas, Sprite, canvas_sprite, drawn_sprite, fonts, geometry, marks
from render.kit.geometry import Point
from render.kit.player_bars import WIDEST

_RIPPLE = outline((0, 0), ((6, -9), (14, -9), (20, 0)), ((26, -9), (34, -9), (40, 0)))


def draw_water(canvas: Canvas, at: Point, wide: int, shade: str, mark: str = "") -> None:
    """A sat of *shade*, its top left corner *at*."""
    (left, top), k = at, wide / STUDY
    box = (left + 1.5, top + 1.5, left + wide - 1.5, top + wide - 1.5)
    if mark == "last":
        marks.last_move(canvas, box, 6, shade, 3.5)
    else:
        canvas.box(box, "field" if mark == "chosen" else shade, radius=6)
    if mark != "chosen":
        for x, y in ((16, 38), (78, 104)):
            canvas.line(geometry.transformed(_RIPPLE, left + x * k, top + y * k, k), "wave", 4 * k)


@canvas_sprite(palette, lambda wide, *_: (0, 0, wide, wide), "frame")
def sat(canvas: Canvas, wide: int, shade: str, mark: str = "") -> None:
    """A sat of *shade* (``sea`` or ``swell``), plain, ``chosen`` or of the ``last`` move."""
    draw_water(canvas, (0, 0), wide, shade, mark)


@canvas_sprite(palette, lambda wide, *_: (0, 0, wide, wide), "frame")
def route(canvas: Canvas, wide: int, shade: str, ways: str) -> None:
    """A sat with the golden route of a londë, which leaves it by two *ways*."""
    draw_water(canvas, (0, 0), wide, shade)
    half, k = wide / 2, wide / STUDY
    first, second = (_side(way, half) for way in ways)
    curve = geometry.bezier(first, (half, half), (half, half), second, 24)
    # The route goes on over the border.
    way = [geometry.along(curve[1], curve[0], 40), *curve, geometry.along(curve[-2], curve[-1], 40)]
    for broad, colour in ((62, "line"), (54, "gold"), (28, "shine")):
        canvas.line(way, colour, broad * k)
    for dash in geometry.dashes(curve, 12 * k, 12 * k):
        canvas.line(dash, "white", 7 * k)


def _side(way: str, half: float) -> Point:
    """The middle of the side of a sat that lies to *way*."""
    across, down = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}[way]
    return (half + across * half, half + down * half)


@canvas_sprite(palette, (-26, -26, 26, 26))
def haven(canvas: Canvas) -> None:
    """The white star where a londë meets the shore."""
    canvas.polygon(geometry.star(0, 0, 23, 11), "line")
    canvas.polygon(geometry.star(0, 0, 16.5, 7.8), "white")


@canvas_sprite(palette, lambda wide, _: (-4, -4, wide + 4, wide + 4))
def frame(canvas: Canvas, wide: int, broad: int) -> None:
    """The blue frame of a sat that is chosen or may be reached."""
    inner = (1.0, 1.0, wide - 1.0, wide - 1.0)
    canvas.box(inner, None, "white", broad + 4, 8)
    canvas.box(marks.grown(inner, -1.5), None, "blue", broad, 7)


@canvas_sprite(palette, (-20, -20, 20, 20))
def buoy(canvas: Canvas, wide: int) -> None:
    """The blue ring on an empty sat that may be chosen."""
    canvas.disc(0, 0, wide * 0.11, "white")
    canvas.disc(0, 0, wide * 0.085, "blue")
    canvas.disc(0, 0, wide * 0.04, "white")


@canvas_sprite(palette, (-34, -34, 34, 34))
def chevron(canvas: Canvas, way: str, colour: str, radius: int) -> None:
    """A triangle on a border that a move crosses."""
    turn = 90.0 * WAYS.index(way)
    tip = [
        geometry.polar(0, 0, radius * far, turn + angle)
        for far, angle in ((1, 0), (1.15, 120), (1.15, -120))
    ]
    canvas.polygon(tip, None, "white" if colour == "blue" else "line", radius * 0.6)
    canvas.polygon(tip, colour)


@canvas_sprite(palette, lambda radius: geometry.around([(0, 0)], radius + 8))
def burst(canvas: Canvas, radius: int) -> None:
    """The red burst on a tampa that a hallacirya can crush."""
    canvas.polygon(geometry.star(0, 0, radius + 5, radius * 0.55 + 4, 8), "white")
    canvas.polygon(geometry.star(0, 0, radius, radius * 0.5, 8), "red")
    canvas.polygon(geometry.star(0, 0, radius * 0.5, radius * 0.26, 8), "white")


@drawn_sprite
def tag(theme: str, text: str, room: int = WIDEST) -> Sprite:
    """A word behind a player's name: what was announced, or how the game was won."""
    wide = min(room, round(fonts.width(text, 27)) + 28)
    canvas = Canvas(palette(theme), (0, -22, wide, 22), "bar")
    canvas.box((0, -21, wide, 21), "gold", "line", 3, 10)
    canvas.text(wide / 2, 0, text, 27, "line", "mc", room=wide - 14)
    return canvas.sprite()
