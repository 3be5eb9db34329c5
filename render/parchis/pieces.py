"""The pieces of Parchís, its squares and marks, ready to be put down.

Colour is never alone: the four colours are the four suits of the Spanish pack. Yellow is
oros and round, blue espadas and a diamond, red copas and a cup, green bastos and a block;
pieces, empty places, corridor squares, salidas and plates all bear that outline.
"""

from __future__ import annotations

from functools import cache

from games.parchis.board import LETTERS
from render.kit import EDGES, TOKENS, Canvas, Palette, Sprite, drawn, mix, shapes
from render.kit.fonts import width as text_width
from render.parchis.board import (
    CASA,
    CASA_RADIUS,
    CASAS,
    HOMES,
    METAS,
    SQUARES,
    Point,
    Square,
)
from render.parchis.suits import suit

ON_THE_ROAD, IN_META, AT_HOME = 34, 32, 50
"""How large a piece is where it stands, in pixels."""

DIE = 84

_OWN = {
    "light": {
        "cell": "#FFFDF7",
        "grid": "#8B8071",
        "seguro": "#DCD2C0",
        "number": "#4A433B",
        "shut": "#26221D",
        "shut.ink": "#F4EFE6",
        "disc": "#FBF7EE",
        "shadow": "#CFC6B8",
        "shade": "#726F6C",
        "die": "#FFFFFF",
        "pips": "#26221D",
    },
    "dark": {
        "cell": "#D9D1C3",
        "grid": "#6F665A",
        "seguro": "#B3A996",
        "number": "#3A342D",
        "shut": "#1B1815",
        "shut.ink": "#F2EDE4",
        "disc": "#2B2825",
        "shadow": "#100F0E",
        "shade": "#0E0D0C",
        "die": "#F6F1E8",
        "pips": "#1E1C1A",
    },
}
_FACES = {
    "light": ("#F5C11E", "#1F5FAE", "#CE3A30", "#318A4C"),
    "dark": ("#E2AE14", "#2159A0", "#B8342B", "#2F7D47"),
}
_DEEPS = {
    "light": ("#C98F00", "#153F78", "#8F211A", "#23653A"),
    "dark": ("#B07C00", "#12376A", "#7D1C16", "#1E5732"),
}
_CORRIDORS = {
    "light": ("#FBE391", "#A9CBEE", "#F2B1A8", "#B2DDB4"),
    "dark": ("#E3C868", "#86AAD0", "#D48D84", "#8ABB8E"),
}
FIGURE_INKS = ("line", "white", "white", "white")
"""The ink of the figure on a piece, by colour."""


@cache
def palette(theme: str) -> Palette:
    """The colours of *theme*; those of a colour end in its letter, such as ``face.A``."""
    own, tokens = _OWN[theme], TOKENS[theme]
    flats = {**tokens, **own}
    for colour, letter in enumerate(LETTERS):
        face, deep = _FACES[theme][colour], _DEEPS[theme][colour]
        corridor = _CORRIDORS[theme][colour]
        flats[f"face.{letter}"] = face
        flats[f"deep.{letter}"] = deep
        flats[f"corridor.{letter}"] = corridor
        flats[f"sign.{letter}"] = mix(corridor, deep, 0.4)
        flats[f"empty.{letter}"] = mix(face, own["disc"], 0.72)
        flats[f"rim.{letter}"] = mix(face, own["disc"], 0.35)
    for ground in ("cell", "seguro"):
        flats[f"{ground}.last"] = mix(own[ground], tokens["amber"], 0.28)
    flats["target"] = mix(own["cell"], tokens["blue"], 0.24)
    return Palette(flats, _edges())


def _edges() -> dict[str, str]:
    edges = {
        **EDGES,
        "grid": "cell seguro",
        "number": "cell seguro cell.last seguro.last target",
        "shut": "shut.ink grid white",
        "line": "cell disc shade paper " + EDGES["line"],
        "amber": "cell cell.last seguro shut " + EDGES["amber"],
        "blue": "cell target paper disc " + EDGES["blue"],
        "red": "cell disc " + EDGES["red"],
        "die": "pips line",
        "disc": "shadow",
        "shadow": "paper",
        "shade": "cell disc",
        "gold": "ink",
        "ink": "bar " + EDGES["ink"],
    }
    for colour, letter in enumerate(LETTERS):
        edges[f"face.{letter}"] = f"line {FIGURE_INKS[colour]} shut.ink disc"
        edges[f"corridor.{letter}"] = f"grid sign.{letter} line"
        edges[f"empty.{letter}"] = f"rim.{letter}"
        edges[f"rim.{letter}"] = "disc"
        edges[f"deep.{letter}"] = "disc cell"
    return edges


# Drawing, in the coordinates of a canvas.


def outline(colour: int, size: float) -> list[Point]:
    """The outline of a piece of *colour* about (0, 0), some *size* pixels across."""
    half = size / 2
    match colour:
        case 0:
            return shapes.circle(0, 0, half)
        case 1:
            half *= 1.13
            corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)]
            return shapes.rounded(corners, size * 0.17)
        case 2:
            top, foot = half * 1.08, half * 0.5
            up, down = -half * 0.92, half * 0.98
            return shapes.rounded([(-top, up), (top, up), (foot, down), (-foot, down)], size * 0.15)
        case _:
            half *= 0.91
            block = [(-half, -half), (half, -half), (half, half), (-half, half)]
            return shapes.rounded(block, size * 0.16)


def _draw_piece(
    canvas: Canvas, colour: int, number: int, size: int, rim: str = "line", *, shaded: bool = True
) -> None:
    letter = LETTERS[colour]
    breadth = 2.4 if size < 45 else 3
    if shaded:
        canvas.polygon(shapes.moved(outline(colour, size), 0, 2.5), "shade")
    canvas.polygon(outline(colour, size), rim)
    canvas.polygon(outline(colour, size - 2 * breadth), f"face.{letter}")
    up = size * 0.045 if colour == 2 else 0
    px = size * (0.72 if colour == 1 else 0.76)
    canvas.text(0, -up, str(number + 1), px, FIGURE_INKS[colour])


def _ground(square: Square) -> str:
    if square.kind == "salida":
        return f"face.{LETTERS[square.colour]}"
    if square.kind == "corridor":
        return f"corridor.{LETTERS[square.colour]}"
    return "seguro" if square.kind == "seguro" else "cell"


def draw_square(canvas: Canvas, place: int, fill: str = "", ink: str = "") -> None:
    """The square *place* with its number; *fill* and *ink* where they are not its own."""
    square = SQUARES[place]
    canvas.polygon(square.outline, fill or _ground(square), "grid", 1.8)
    if square.number:
        own = FIGURE_INKS[square.colour] if square.kind == "salida" else "number"
        canvas.text(*square.number, str(place), 21, ink or own)


def draw_sign(canvas: Canvas, place: int) -> None:
    """What an empty square bears: the ring of a seguro, the outline of a colour."""
    square = SQUARES[place]
    x, y = square.alone
    letter = LETTERS[square.colour]
    if square.kind == "seguro":
        canvas.disc(x, y, 13, "cell", "grid", 3.2)
    elif square.kind == "salida":
        canvas.disc(x, y, 13.5, "cell", "line", 2.6)
        canvas.polygon(shapes.moved(outline(square.colour, 15), x, y), f"deep.{letter}")
    elif square.kind == "corridor":
        canvas.polygon(shapes.moved(outline(square.colour, 17), x, y), f"sign.{letter}")
        canvas.polygon(shapes.moved(outline(square.colour, 10.5), x, y), f"corridor.{letter}")


def draw_casa(canvas: Canvas, colour: int) -> None:
    """The corner of *colour* with its disc and four empty places."""
    x, y = CASAS[colour]
    letter, side = LETTERS[colour], CASA / 2
    box = (x - side, y - side, x + side, y + side)
    canvas.box(box, f"face.{letter}", "line", 2.6)
    canvas.disc(x, y, CASA_RADIUS, "disc", "line", 3)
    for spot in HOMES[colour]:
        canvas.polygon(shapes.moved(outline(colour, 46), *spot), f"rim.{letter}")
        canvas.polygon(shapes.moved(outline(colour, 40), *spot), f"empty.{letter}")


def draw_meta(canvas: Canvas, colour: int) -> None:
    """The triangle of *colour*."""
    canvas.polygon(METAS[colour], f"face.{LETTERS[colour]}", "line", 2.2)


# Sprites of squares: their origin is the origin of the picture.


def _over(theme: str, place: int, room: int = 4) -> Canvas:
    left, top, right, bottom = SQUARES[place].box
    box = (left - room, top - room, right + room, bottom + room)
    return Canvas(palette(theme), box)


@cache
def bare(theme: str, place: int) -> Sprite:
    """A square without its sign, for two pieces to stand on."""
    canvas = _over(theme, place)
    draw_square(canvas, place)
    return canvas.sprite()


@cache
def barrier(theme: str, place: int) -> Sprite:
    """A square on which two pieces bar the road, with the bar that joins them."""
    canvas = _over(theme, place)
    draw_square(canvas, place, "shut", "shut.ink")
    canvas.line(SQUARES[place].pair, "shut.ink", 12)
    return canvas.sprite()


@cache
def framed(theme: str, place: int, ink: str, breadth: float, *, tinted: bool = True) -> Sprite:
    """A frame inside a square: amber for the last move, blue or red for a target.

    *tinted* fills it too, except on salidas and in corridors, which keep their colour.
    """
    square = SQUARES[place]
    canvas = _over(theme, place)
    if tinted and square.kind in ("plain", "seguro"):
        draw_square(canvas, place, f"{_ground(square)}.last" if ink == "amber" else "target")
        if ink == "amber":
            draw_sign(canvas, place)
    with canvas.within(square.outline):
        canvas.polygon(square.outline, None, ink, 2 * breadth)
    return canvas.sprite()


@drawn(palette, (310, 380, 490, 560))
def framed_meta(canvas: Canvas, colour: int, ink: str) -> None:
    """A frame inside the meta of *colour*."""
    with canvas.within(METAS[colour]):
        canvas.polygon(METAS[colour], None, ink, 9)


@drawn(palette, (-34, -34, 34, 34))
def red_ring(canvas: Canvas) -> None:
    """Around a piece that has just been sent home."""
    canvas.disc(0, 0, 33, None, "red", 5)


# Sprites with their origin in the middle.


@cache
def piece(theme: str, colour: int, number: int, size: int, rim: str = "line") -> Sprite:
    """A piece; *rim* is ``shut.ink`` in a barrier, ``blue`` where it may be moved."""
    canvas = Canvas(palette(theme), (-size, -size, size, size))
    if rim == "blue":
        canvas.polygon(outline(colour, size + 18), "blue")
        canvas.polygon(outline(colour, size + 5), "white")
        _draw_piece(canvas, colour, number, size, shaded=False)
    else:
        _draw_piece(canvas, colour, number, size, rim, shaded=rim == "line")
    return canvas.sprite()


_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
}


@cache
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
    canvas.box((-half, -half, half, half), "line", radius=radius)
    inner = half - rim
    canvas.box((-inner, -inner, inner, inner), "die", radius=radius - rim)
    if not eyes:
        canvas.text(0, 0, "?", size * 0.62, "pips")
    for x, y in _PIPS.get(eyes, []):
        canvas.disc(x * size * 0.255, y * size * 0.255, size * 0.095, "pips")
    return canvas.sprite()


@cache
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


@drawn(palette, (-46, -46, 46, 46))
def medal(canvas: Canvas, place: int) -> None:
    """The place of a colour that has all its pieces in meta; gold for the first."""
    canvas.disc(0, 0, 44, "gold" if place == 1 else "cell", "line", 4)
    canvas.text(0, 0, str(place), 56, "line")


@cache
def emblem(theme: str, colour: int) -> Sprite:
    """The suit of *colour* in the middle of its casa."""
    canvas = Canvas(palette(theme), (-52, -52, 52, 52))
    ink = "deep" if theme == "light" else "face"
    suit(canvas, colour, 88, f"{ink}.{LETTERS[colour]}", "disc")
    return canvas.sprite()


@cache
def tag(theme: str, letter: str, *, captures: bool) -> Sprite:
    """The letter of a target; red and with a cross where it captures."""
    canvas = Canvas(palette(theme), (-20, -19, 20, 19))
    if not captures:
        half = max(16.0, text_width(letter, 27) / 2 + 7)
        canvas.box((-half, -17, half, 17), "blue", radius=9)
        canvas.box((-half + 3.5, -13.5, half - 3.5, 13.5), "white", radius=6)
        canvas.text(0, 0, letter, 27, "line")
        return canvas.sprite()
    canvas.box((-18, -17, 18, 17), "red", radius=9)
    canvas.box((-14.5, -13.5, 14.5, 13.5), "white", radius=6)
    canvas.text(-6, 0, letter, 27, "line")
    for slope in (1, -1):
        canvas.line(((2.8, 1 - 4.2 * slope), (11.2, 1 + 4.2 * slope)), "red", 3.4)
    return canvas.sprite()


# The plates.


@cache
def badge(theme: str, colour: int, ground: str, ink: str) -> Sprite:
    """The outline of *colour* with its letter, before a player's name."""
    canvas = Canvas(palette(theme), (-26, -26, 26, 26), ground)
    canvas.polygon(outline(colour, 44), ink if ground != "bar" else "line")
    canvas.polygon(outline(colour, 38), f"face.{LETTERS[colour]}")
    canvas.text(0, -2 if colour == 2 else 0, LETTERS[colour], 27, FIGURE_INKS[colour])
    return canvas.sprite()


@cache
def pip(theme: str, colour: int, ground: str, ink: str, *, full: bool) -> Sprite:
    """One piece of a plate: in meta or not yet."""
    canvas = Canvas(palette(theme), (-12, -12, 12, 12), ground)
    canvas.polygon(outline(colour, 21), ink if full else "soft")
    canvas.polygon(outline(colour, 16), f"face.{LETTERS[colour]}" if full else ground)
    return canvas.sprite()
