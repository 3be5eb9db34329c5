"""The pieces of Parchís, its squares and marks, as sprites.

Colour is never alone: the four colours are the four suits of the Spanish pack. Yellow is
oros and round, blue espadas and a diamond, red copas and a cup, green bastos and a block;
pieces, empty places, corridor squares, salidas and plates all bear that outline.
"""

from __future__ import annotations

from games.parchis.board import CIRCUIT, LETTERS, SIDES
from render.kit import (
    Box,
    Canvas,
    Sprite,
    canvas_sprite,
    drawn_sprite,
    geometry,
    marks,
)
from render.kit.fonts import width as text_width
from render.kit.materials import cast
from render.kit.poster_ground import PosterInks, shapes_pattern
from render.parchis.colours import palette
from render.parchis.layout import CASA, CASA_RADIUS, CASAS, HOMES, METAS, SQUARES, Point, Square


def suit(canvas: Canvas, colour: int, size: float, ink: str, gap: str) -> None:
    """The suit of *colour* about the origin, some *size* pixels high; *gap* is its ground."""
    (_coin, _sword, _cup, _club)[colour](canvas, size / 100, ink, gap)


def _coin(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    canvas.disc(0, 0, 46 * scale, ink)
    canvas.disc(0, 0, 36 * scale, None, gap, 5 * scale)
    canvas.polygon(geometry.star(0, 0, 26 * scale, 13 * scale, 8), gap)
    canvas.disc(0, 0, 6 * scale, ink)


def _sword(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    blade = [(0, -52), (11, -38), (11, 18), (-11, 18), (-11, -38)]
    canvas.polygon(geometry.transformed(blade, 0, 0, scale), ink)
    canvas.box((-1.8 * scale, -38 * scale, 1.8 * scale, 16 * scale), gap)
    canvas.box((-32 * scale, 16 * scale, 32 * scale, 27 * scale), ink, radius=5 * scale)
    canvas.box((-6 * scale, 24 * scale, 6 * scale, 42 * scale), ink)
    canvas.disc(0, 45 * scale, 9 * scale, ink)


def _cup(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    bowl = [(-38, -46), (38, -46), (34, -10), (16, 8), (-16, 8), (-34, -10)]
    canvas.polygon(geometry.transformed(geometry.rounded(bowl, 14), 0, 0, scale), ink)
    rim = [(-30, -32), (30, -32), (29, -25), (-29, -25)]
    canvas.polygon(geometry.transformed(rim, 0, 0, scale), gap)
    canvas.box((-7 * scale, 4 * scale, 7 * scale, 32 * scale), ink)
    canvas.box((-13 * scale, 12 * scale, 13 * scale, 20 * scale), ink, radius=4 * scale)
    foot = [(-28, 46), (28, 46), (20, 30), (-20, 30)]
    canvas.polygon(geometry.transformed(geometry.rounded(foot, 5), 0, 0, scale), ink)


def _club(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    # A cudgel held aslant: a grip with a knob, a heavy round head, and the knots of cut branches.
    def aslant(points: geometry.Points) -> list[geometry.Point]:
        return geometry.transformed(points, 0, 0, scale, 38)

    right = [(8, 54), (12, 20), (19, -12), (24, -38), (20, -54), (8, -60)]
    canvas.polygon(
        aslant(geometry.rounded([*right, *((-x, y) for x, y in reversed(right))], 6)), ink
    )
    ((x, y),) = aslant([(0, 50)])
    canvas.disc(x, y, 11 * scale, ink)
    for base, tip in (((8, -4), (26, -14)), ((-10, -26), (-30, -36)), ((-4, 14), (-20, 5))):
        canvas.line(aslant([base, tip]), ink, 18 * scale)
        canvas.disc(*aslant([tip])[0], 4.5 * scale, gap)
    for grain in ([(7, -46), (5, -28)], [(-5, -8), (-3, 26)]):
        canvas.line(aslant(grain), gap, 4.5 * scale)


ON_THE_ROAD, IN_META, AT_HOME = 34, 34, 50
"""The size of a piece by where it stands, in pixels."""

DIE = 84


# Drawing, in the coordinates of a canvas.


def outline(colour: int, size: float) -> list[Point]:
    """The outline of a piece of *colour* about (0, 0), some *size* pixels across."""
    half = size / 2
    match colour:
        case 0:
            return geometry.circle(0, 0, half)
        case 1:
            half *= 1.17
            corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)]
            return geometry.rounded(corners, size * 0.17)
        case 2:
            top, foot = half * 1.08, half * 0.5
            up, down = -half * 0.92, half * 0.98
            return geometry.rounded(
                [(-top, up), (top, up), (foot, down), (-foot, down)], size * 0.15
            )
        case _:
            half *= 0.91
            block = [(-half, -half), (half, -half), (half, half), (-half, half)]
            return geometry.rounded(block, size * 0.16)


def _draw_piece(
    canvas: Canvas,
    colour: int,
    number: int | None,
    size: int,
    rim: str = "rim",
    *,
    shaded: bool = True,
) -> None:
    letter = LETTERS[colour]
    breadth = 2.4 if size < 45 else 3
    if shaded:

        def fallen(right: float, low: float, ink: str) -> None:
            canvas.polygon(geometry.transformed(outline(colour, size), right, low), ink)

        cast(canvas.palette, fallen, "shade", 2.5)
    canvas.polygon(outline(colour, size), rim)
    canvas.polygon(outline(colour, size - 2 * breadth), f"face.{letter}")
    if number is None:
        return
    up = size * 0.045 if colour == 2 else 0
    canvas.text(0, -up, str(number + 1), size * (0.8 if size < 45 else 0.74), f"figure.{letter}")


WHOLE = (-30, -30, 30, 30)
"""The extents of a piece and of the die on a poster."""


def poster_piece(canvas: Canvas, colour: int, number: int | None) -> None:
    """A piece as it stands on a poster."""
    _draw_piece(canvas, colour, number, 44, shaded=False)


def poster_die(canvas: Canvas) -> None:
    """The die with five eyes on a poster."""
    _draw_die(canvas, 5, 54)


def _ground(square: Square) -> str:
    if square.kind == "salida":
        return f"face.{LETTERS[square.colour]}"
    if square.kind == "corridor":
        return f"corridor.{LETTERS[square.colour]}"
    return "seguro" if square.kind == "seguro" else "cell"


def draw_square(canvas: Canvas, place: int, lies: int, fill: str = "", ink: str = "") -> None:
    """The square *place*, drawn where *lies* is; *fill* and *ink* where they are not its own."""
    square, there = SQUARES[place], SQUARES[lies]
    canvas.polygon(there.outline, fill or _ground(square), "grid", 1.8)
    _number(canvas, place, lies, ink)


def _number(canvas: Canvas, place: int, lies: int, ink: str = "", rim: float = 0) -> None:
    square, at = SQUARES[place], SQUARES[lies].number
    if at:
        own = f"figure.{LETTERS[square.colour]}" if square.kind == "salida" else "number"
        canvas.text(*at, str(place), 27, ink or own, "mm", rim, _ground(square), room=25)


def draw_sign(canvas: Canvas, place: int, lies: int) -> None:
    """What an empty square bears: the ring of a seguro, the outline of a colour."""
    square = SQUARES[place]
    x, y = SQUARES[lies].alone
    letter = LETTERS[square.colour]
    if square.kind == "seguro":
        canvas.disc(x, y, 13, "cell", "grid", 3.2)
    elif square.kind == "salida":
        canvas.disc(x, y, 14, "cell", "rim", 2.6)
        canvas.polygon(geometry.transformed(outline(square.colour, 16), x, y), f"deep.{letter}")
        canvas.polygon(_onward(lies), f"deep.{letter}")
    elif square.kind == "corridor":
        canvas.polygon(geometry.transformed(outline(square.colour, 19), x, y), f"deep.{letter}")
        canvas.polygon(geometry.transformed(outline(square.colour, 11), x, y), f"corridor.{letter}")


def _onward(lies: int) -> list[Point]:
    """The arrow head beside the sign of the salida shown at *lies*: there the way goes on."""
    here, there = SQUARES[lies].alone, SQUARES[lies % CIRCUIT + 1].alone
    middle = geometry.along(here, SQUARES[lies].pair[0], 30)
    tip = (middle[0] + (there[0] - here[0]) * 0.22, middle[1] + (there[1] - here[1]) * 0.22)
    back = geometry.along(tip, (tip[0] + here[0] - there[0], tip[1] + here[1] - there[1]), 16)
    return geometry.arrow_head([back, tip], 16, 20)


def draw_casa(canvas: Canvas, colour: int, lies: int) -> None:
    """The corner of *colour*, drawn where that of *lies* is, with its disc and four places."""
    x, y = CASAS[lies]
    letter, side = LETTERS[colour], CASA / 2
    canvas.box((x - side, y - side, x + side, y + side), f"face.{letter}", "line", 2.6)
    canvas.disc(x, y, CASA_RADIUS, "disc", "line", 3)
    for spot in HOMES[lies]:
        canvas.polygon(geometry.transformed(outline(colour, 46), *spot), f"rim.{letter}")
        canvas.polygon(geometry.transformed(outline(colour, 40), *spot), f"empty.{letter}")


def draw_meta(canvas: Canvas, colour: int, lies: int) -> None:
    """The triangle of *colour*, drawn where that of *lies* is."""
    canvas.polygon(METAS[lies], f"face.{LETTERS[colour]}", "line", 2.2)


# Sprites of squares: their origin is the origin of the picture.


def _over(_place: int, lies: int, *_: object) -> Box:
    return marks.grown(SQUARES[lies].box, 4)


@canvas_sprite(palette, _over)
def bare(canvas: Canvas, place: int, lies: int) -> None:
    """A square without its sign, for two pieces to stand on."""
    draw_square(canvas, place, lies)


@canvas_sprite(palette, _over)
def barrier(canvas: Canvas, place: int, lies: int) -> None:
    """A square on which two pieces bar the road, with the bar that joins them."""
    draw_square(canvas, place, lies, "shut", "shut.ink")
    canvas.line(SQUARES[lies].pair, "shut.ink", 12)


@canvas_sprite(palette, _over)
def framed(canvas: Canvas, place: int, lies: int, ink: str, breadth: float) -> None:
    """A frame inside a square: amber for the last move, blue or red for a target."""
    outline = SQUARES[lies].outline
    around = "line" if ink == "amber" else "white"
    with canvas.within(outline):
        canvas.polygon(outline, None, around, 2 * breadth + 8)
        canvas.polygon(outline, None, ink, 2 * breadth + 4)
        if ink == "amber":
            canvas.polygon(outline, None, around, 4)
        _number(canvas, place, lies, rim=3)


@canvas_sprite(palette, (310, 380, 490, 560))
def framed_meta(canvas: Canvas, lies: int, ink: str) -> None:
    """A frame inside the meta that lies where *lies* has its own."""
    with canvas.within(METAS[lies]):
        canvas.polygon(METAS[lies], None, "white", 13)
        canvas.polygon(METAS[lies], None, ink, 9)


@canvas_sprite(palette, (-14, -14, 14, 14))
def spark(canvas: Canvas) -> None:
    """One of the stars among which the pieces of the winner dance in their meta."""
    canvas.polygon(geometry.star(0, 0, 12, 5), "line", "line", 3)
    canvas.polygon(geometry.star(0, 0, 12, 5), "gold")


@canvas_sprite(palette, (-37, -37, 37, 37))
def red_ring(canvas: Canvas) -> None:
    """Around a piece that has just been sent home."""
    canvas.disc(0, 0, 36, None, "white", 11)
    canvas.disc(0, 0, 34, None, "red", 6)


# Sprites with their origin in the middle.


@canvas_sprite(palette, lambda _, __, size, *___: (-size, -size, size, size))
def piece(canvas: Canvas, colour: int, number: int, size: int, rim: str = "rim") -> None:
    """A piece; *rim* is ``shut.ink`` in a barrier, ``blue`` if it may be moved."""
    if rim == "blue":
        if canvas.palette.night:
            canvas.polygon(outline(colour, size + 23), "white")
        canvas.polygon(outline(colour, size + 18), "blue")
        canvas.polygon(outline(colour, size + 5), "white")
        _draw_piece(canvas, colour, number, size, shaded=False)
    else:
        _draw_piece(canvas, colour, number, size, rim, shaded=rim == "rim")


_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
}


def _draw_die(canvas: Canvas, eyes: int, size: int) -> None:
    half, radius = size / 2, size * 0.2
    rim = 4 if size > 40 else 2
    canvas.box((-half, -half, half, half), "line", radius=radius)
    inner = half - rim
    canvas.box((-inner, -inner, inner, inner), "die", radius=radius - rim)
    if not eyes:
        canvas.text(0, 0, "?", size * 0.62, "pips")
    for x, y in geometry.transformed(_PIPS.get(eyes, []), 0, 0, size * 0.255):
        canvas.disc(x, y, size * 0.095, "pips")


@drawn_sprite
def die(theme: str, eyes: int, size: int = DIE, *, asked: bool = False) -> Sprite:
    """A die with *eyes*, 0 while it is still to be rolled; *asked* rings it in blue."""
    half, radius = size / 2, size * 0.2
    rim = 4 if size > 40 else 2
    canvas = Canvas(palette(theme), (-half - 10, -half - 10, half + 10, half + 14))
    if asked:
        canvas.box((-half - 9, -half - 9, half + 9, half + 9), "blue", radius=radius + 8)
        canvas.box((-half - 3, -half - 3, half + 3, half + 3), "white", radius=radius + 2)
    else:
        canvas.box((-half, -half + rim, half, half + rim), "shadow", radius=radius)
    _draw_die(canvas, eyes, size)
    return canvas.sprite()


@drawn_sprite
def bonus(theme: str, count: int) -> Sprite:
    """The pill with the squares to count."""
    text = f"+{count}"
    half = text_width(text, 44) / 2 + 14
    canvas = Canvas(palette(theme), (-half - 1, -34, half + 1, 38))
    canvas.box((-half, -30, half, 34), "line", radius=32)
    canvas.box((-half, -32, half, 32), "line", radius=32)
    canvas.box((-half + 3.5, -28.5, half - 3.5, 28.5), "gold", radius=28)
    canvas.text(0, 0, text, 44, "line")
    return canvas.sprite()


@canvas_sprite(palette, (-CASA_RADIUS, -CASA_RADIUS, CASA_RADIUS, CASA_RADIUS))
def medal(canvas: Canvas, place: int) -> None:
    """The place of a colour that has all its pieces in meta; gold for the first."""
    if place == 1:
        for inset, colour, breadth in ((0, "line", 3), (3, "gold", 7), (10, "line", 2)):
            canvas.disc(0, 0, CASA_RADIUS - inset, None, colour, breadth)
    canvas.disc(0, 0, 44, "gold" if place == 1 else "die", "line", 4)
    canvas.text(0, 0, str(place), 56, "line")


@canvas_sprite(palette, (-52, -52, 52, 52))
def emblem(canvas: Canvas, colour: int) -> None:
    """The suit of *colour* in the middle of its casa."""
    suit(canvas, colour, 88, f"deep.{LETTERS[colour]}", "disc")


@canvas_sprite(palette, (-20, -19, 20, 19))
def tag(canvas: Canvas, letter: str, *, captures: bool) -> None:
    """The letter of a target; red and with a cross if it captures."""
    if not captures:
        half = max(16.0, text_width(letter, 27) / 2 + 7)
        canvas.box((-half, -17, half, 17), "blue", radius=9)
        canvas.box((-half + 3.5, -13.5, half - 3.5, 13.5), "white", radius=6)
        canvas.text(0, 0, letter, 27, "line")
        return
    canvas.box((-18, -17, 18, 17), "red", radius=9)
    canvas.box((-14.5, -13.5, 14.5, 13.5), "white", radius=6)
    canvas.text(-6, 0, letter, 27, "line")
    for slope in (1, -1):
        canvas.line(((2.8, 1 - 4.2 * slope), (11.2, 1 + 4.2 * slope)), "red", 3.4)


@canvas_sprite(palette, (-26, -26, 26, 26), "bar")
def badge(canvas: Canvas, colour: int, letter: str) -> None:
    """The outline of *colour* with the *letter* that stands for it, before a player's name."""
    canvas.polygon(outline(colour, 44), "rim")
    canvas.polygon(outline(colour, 38), f"face.{LETTERS[colour]}")
    canvas.text(0, -2 if colour == 2 else 0, letter, 27, f"figure.{LETTERS[colour]}")


@canvas_sprite(palette, (-12, -12, 12, 12), "bar")
def pip(canvas: Canvas, colour: int, *, full: bool) -> None:
    """One piece of a plate: in meta or not yet."""
    canvas.polygon(outline(colour, 21), "ink" if full else "soft")
    canvas.polygon(outline(colour, 16), f"face.{LETTERS[colour]}" if full else "bar")


POSTER_BOARD = (0, 76, 800, 864)
POSTER_GROUND = "line"
POSTER_INKS = PosterInks("#A52A22", "#74160F", "#AE342B", "#FFDF75")

_STANDING = (
    *((3, 0, 72, 346, -8, 122), (1, 1, 178, 330, 4, 122)),
    *((2, 2, 272, 356, -5, 122), (0, 3, 354, 404, 6, 122)),
)
"""Colour, number, middle and turn, the rearmost first."""


def poster_pattern(canvas: Canvas, box: Box) -> None:
    """The shapes of the four colours."""
    shapes_pattern(canvas, box, 76, 15)


POSTER_PIECES = (WHOLE, poster_piece, _STANDING), (WHOLE, poster_die, ((206, 420, 14, 112),))
"""The four colours, and the die with five eyes, which brings a piece out."""

PODIUM = WHOLE, poster_piece, {side: (colour, None) for colour, side in enumerate(SIDES)}
"""A piece of each side, without a number."""
