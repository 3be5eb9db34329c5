"""The fleets of Cirya: the palette, and the pieces as they lie or stand on the sea.

Kinds and fleets are told apart without colour: what lies is a disc on a five-pointed base, a
tampa is a battlemented wall, a hallacirya has a tall star for a sail; the swan's bases point
up, the eagle's down, and each bears its bird. Measures are pixels of a sat ``STUDY`` wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.cirya.move_types import Kind
from games.cirya.speech import SIDES
from render.kit import (
    DARK_THEMES,
    EDGES,
    TOKENS,
    Canvas,
    Palette,
    canvas_sprite,
    geometry,
    mix,
    plain,
)
from render.kit.geometry import Box, Point
from render.kit.materials import Texture, cast, current, material_palette
from render.kit.poster_ground import PosterInks
from render.kit.themes import by_theme

STUDY = 143
"""The width of a sat for which the measures below were found."""

LONE, STACKED = 58, 51
"""The radius of a piece on its own, and on a nossë beside its ladder."""

_SEAS = {
    "light": {"sea": "#7DB3BF", "swell": "#71A9B7", "wave": "#94C3CC", "frame": "#2F6473"},
    "dark": {"sea": "#35606E", "swell": "#2E5663", "wave": "#427180", "frame": "#173640"},
    "contrast": {"sea": "#1F5D73", "swell": "#195063", "wave": "#2F768F", "frame": "#000000"},
}
_SEAS["safe"] = _SEAS["light"]
_FLEETS = by_theme(
    {
        "swan.face": ("#FCF7E9", "#FCF7E9", "#FFFFFF"),
        "swan.base": ("#CFC3A4", "#CFC3A4", "#CFC3A4"),
        "swan.edge": ("#5E5138", "#5E5138", "#000000"),
        "swan.sign": ("#1F5A7A", "#1F5A7A", "#00406B"),
        "swan.sail": ("#5E9CB8", "#5E9CB8", "#5E9CB8"),
        "swan.stone": ("#A3B8BC", "#A3B8BC", "#A3B8BC"),
        "eagle.face": ("#241D3A", "#241D3A", "#000000"),
        "eagle.base": ("#54487E", "#54487E", "#40307C"),
        "eagle.edge": ("#0D0A1C", "#0D0A1C", "#000000"),
        "eagle.sign": ("#F0C75E", "#F0C75E", "#FFE04A"),
        "eagle.sail": ("#B98C2E", "#B98C2E", "#B98C2E"),
        "eagle.stone": ("#6A573F", "#6A573F", "#6A573F"),
        "eagle.rim": ("#A79ACF", "#A79ACF", "#FFFFFF"),
    }
)
_TEXTURES = {
    "sea": Texture((0.10, -0.04), current(144, 144)),
    "swell": Texture((0.10, -0.04), current(144, 144)),
}


@cache
def palette(theme: str) -> Palette:
    """The colours of *theme*."""
    seas, ink = _SEAS[plain(theme)], TOKENS[plain(theme)]["line"]
    own = {
        **seas,
        "deep": mix(seas["sea"], ink, 0.34),
        "trough": mix(seas["sea"], ink, 0.46 if plain(theme) not in DARK_THEMES else 0.62),
        "field": mix(seas["sea"], "#FFFFFF", 0.62),
        "shine": "#FFE27A",
        "shade": mix(TOKENS[plain(theme)]["paper"], ink, 0.18),
        **_FLEETS[plain(theme)],
    }
    waters = "sea swell field deep"
    edges = {
        **EDGES,
        "frame": "sea swell paper shade",
        "wave": "sea swell",
        "deep": "sea swell field",
        "trough": waters + " swan.edge eagle.rim",
        "swan.edge": f"{waters} swan.face swan.base bar gold shine",
        "swan.base": "swan.face",
        "swan.sign": "swan.face swan.edge",
        "swan.sail": "swan.face swan.sign",
        "swan.stone": "swan.face",
        "eagle.edge": f"{waters} eagle.rim eagle.base eagle.face bar gold shine",
        "eagle.rim": f"{waters} eagle.face eagle.base bar",
        "eagle.base": "eagle.face",
        "eagle.sign": "eagle.face eagle.edge eagle.rim",
        "eagle.sail": "eagle.face eagle.sign",
        "eagle.stone": "eagle.face",
        "amber": "pale line",
        "line": f"amber gold white blue {waters} bar",
        "blue": f"white {waters} bar",
        "white": f"{waters} blue",
        "red": f"white {waters}",
        "gold": "shine eagle.edge swan.edge bar",
        "shine": "white gold",
        "hair": "paper bar",
    }
    flats = {**TOKENS[plain(theme)], **own}
    return material_palette(theme, flats, edges, _TEXTURES, {"deep": "sea"})


def outline(start: Point, *parts: Point | tuple[Point, Point, Point]) -> list[Point]:
    """A closed outline: a point is a straight line, three are a curve."""
    points = [start]
    for part in parts:
        if len(part) == 2:
            points.append(part)
        else:
            points += geometry.bezier(points[-1], *part)[1:]
    return points


_SWAN = outline(
    (40, 4),
    ((36, 26), (14, 32), (-4, 31)),
    ((-24, 30), (-36, 20), (-34, 4)),
    ((-33, -6), (-23, -12), (-23, -21)),
    ((-23, -27), (-27, -28), (-31, -26)),
    (-46, -20),
    ((-45, -33), (-36, -42), (-25, -41)),
    ((-11, -39), (-8, -26), (-13, -14)),
    ((-16, -6), (-13, 1), (-4, 2)),
)
_SAIL = outline((2, -5), (2, -44), ((24, -37), (36, -22), (38, -4)))
_WING = outline(
    (0, 2),
    (-9, -12),
    ((-16, -28), (-32, -36), (-50, -36)),
    ((-50, -28), (-48, -24), (-44, -20)),
    (-47, -19),
    ((-45, -13), (-42, -9), (-38, -6)),
    (-40, -4),
    ((-36, 3), (-26, 10), (0, 18)),
)
_BARGE = outline(
    (-38, 14),
    ((-24, 24), (24, 24), (38, 14)),
    ((32, 36), (14, 42), (0, 42)),
    ((-14, 42), (-32, 36), (-38, 14)),
)
_HULL = outline(
    (-44, 0),
    ((-26, 12), (26, 12), (44, 0)),
    ((40, 22), (24, 30), (0, 30)),
    ((-24, 30), (-40, 22), (-44, 0)),
)
_NECK = outline(
    (-40, 14),
    ((-52, -6), (-44, -16), (-46, -24)),
    ((-47, -28), (-51, -27), (-54, -24)),
    (-66, -19),
    ((-63, -32), (-54, -39), (-45, -37)),
    ((-32, -34), (-33, -20), (-36, -10)),
    ((-37, -2), (-30, 4), (-22, 8)),
)
_TIP = outline(
    (-20, 16),
    ((-40, 14), (-60, 2), (-66, -26)),
    ((-58, -24), (-54, -20), (-50, -15)),
    (-48, -22),
    ((-42, -18), (-36, -10), (-30, 4)),
)


def _mirror(points: Sequence[Point]) -> list[Point]:
    return [(-x, y) for x, y in points]


def _both_sides(*right: Point) -> list[Point]:
    """The outline of which *right* is the right half, from the top of the axis downwards."""
    return [*right, *[(-x, y) for x, y in reversed(right) if x]]


_MAST = _both_sides((0, -118), (13, -66), (50, -60), (24, -24), (30, 6), (0, 2))
_WALL = [(0.22, -0.88), (0.22, -0.62), (0.62, -0.62), (0.62, -0.88), (1, -0.88), (1, 0.74)]
_BATTLEMENTS = _both_sides((0, -1.06), *_WALL)


def _emblem(canvas: Canvas, seat: int, x: float, y: float, scale: float) -> None:
    """A swan under sail, or an eagle with spread wings over its barge."""
    sign, sail = f"{SIDES[seat]}.sign", f"{SIDES[seat]}.sail"
    if seat == 0:
        canvas.polygon(geometry.transformed(_SAIL, x, y + 4 * scale, scale), sail)
        canvas.polygon(geometry.transformed(_SWAN, x, y + 4 * scale, scale), sign)
        return
    y -= 2 * scale
    canvas.polygon(geometry.transformed(_BARGE, x, y, scale), sail)
    for wing in (_WING, _mirror(_WING)):
        canvas.polygon(geometry.transformed(wing, x, y, scale), sign)
    canvas.polygon(geometry.transformed([(-8, -10), (8, -10), (0, 36)], x, y, scale), sign)
    canvas.disc(x, y - 17 * scale, 11 * scale, sign)
    canvas.polygon(geometry.transformed([(4, -26), (20, -15), (6, -10)], x, y, scale), sign)


def _outline(canvas: Canvas, seat: int, outline: Sequence[Point], fill: str, k: float) -> None:
    """A part of a piece in its edge; the eagle's has a pale rim, to hold on a dark sea."""
    points = list(outline)
    canvas.polygon(points, f"{SIDES[seat]}.edge", f"{SIDES[seat]}.edge", 7 * k)
    if seat == 1:
        canvas.polygon(points, "eagle.rim", "eagle.rim", 3 * k)
    canvas.polygon(points, fill)


def _lying(canvas: Canvas, seat: int, x: float, y: float, radius: float) -> None:
    """A cirya: a disc on a base of five points."""
    fleet, k = SIDES[seat], radius / LONE
    base = geometry.star(x, y, radius, radius * 0.74, turn=180 * seat)
    _outline(canvas, seat, base, f"{fleet}.base", k)
    canvas.disc(x, y, radius * 0.755, f"{fleet}.edge")
    canvas.disc(x, y, radius * 0.755 - 2.5 * k, f"{fleet}.face")
    _emblem(canvas, seat, x, y, radius * 0.0118)


def _standing(canvas: Canvas, seat: int, x: float, y: float, radius: float) -> None:
    """A tampa: a wall with battlements, courses of stone and a heavy foot."""
    fleet, r = SIDES[seat], radius * 0.94
    k = r / LONE
    _outline(canvas, seat, geometry.transformed(_BATTLEMENTS, x, y, r), f"{fleet}.face", k)
    top, foot = y - 0.56 * r, y + 0.46 * r
    course = (foot - top) / 3
    for row in range(3):
        level = top + course * row
        for side in (-1, 1):
            outer, inner = x + side * (r - 2 * k), x + side * r * 0.5
            canvas.line([(outer, level), (inner if row else x, level)], f"{fleet}.stone", 3.4 * k)
            joint = x + side * r * (0.64 if row % 2 else 0.78)
            canvas.line([(joint, level), (joint, level + course)], f"{fleet}.stone", 3.4 * k)
    canvas.box((x - r, foot, x + r, y + 0.74 * r), f"{fleet}.base")
    canvas.line([(x - r, foot), (x + r, foot)], f"{fleet}.edge", 3 * k)
    _emblem(canvas, seat, x, y + r * 0.02, r * 0.0088)


def _high(canvas: Canvas, seat: int, x: float, y: float, radius: float) -> None:
    """A hallacirya: a tall star for a sail, on a hull with a swan's neck or two wing tips."""
    fleet, r = SIDES[seat], radius * 0.93
    k = r / 56
    waterline = y + r * 0.62
    base = [
        (px, waterline + (py - waterline) * 0.46)
        for px, py in geometry.star(x, waterline, r * 1.1, r * 0.8, turn=180 * seat)
    ]
    canvas.polygon([(px, py + 6 * k) for px, py in base], f"{fleet}.edge", f"{fleet}.edge", 6 * k)
    _outline(canvas, seat, base, f"{fleet}.base", k)
    sail = geometry.transformed(_MAST, x, waterline - r * 0.1, k)
    _outline(canvas, seat, sail, f"{fleet}.face", k)
    canvas.polygon(sail[:6], f"{fleet}.base")
    parts = [geometry.transformed(_HULL, x, waterline - r * 0.26, k)]
    if seat == 0:
        parts.append(geometry.transformed(_NECK, x + 3 * k, waterline - r * 0.26, k * 0.86))
    else:
        parts += [
            geometry.transformed(tip, x, waterline - r * 0.24, k * 0.8)
            for tip in (_TIP, _mirror(_TIP))
        ]
    for part in parts:
        canvas.polygon(part, f"{fleet}.edge", f"{fleet}.edge", 6 * k)
        if seat == 1:
            canvas.polygon(part, "eagle.rim", "eagle.rim", 2.5 * k)
    for part in parts:
        canvas.polygon(part, f"{fleet}.sign")
    canvas.polygon(geometry.star(x, waterline - r * 0.8, r * 0.36, r * 0.16), f"{fleet}.edge")
    canvas.polygon(geometry.star(x, waterline - r * 0.8, r * 0.28, r * 0.125), "gold")


_DRAW = {Kind.CIRYA: _lying, Kind.TAMPA: _standing, Kind.HALLACIRYA: _high}

WHOLE = (-62, -78, 62, 60)
"""The extent of a piece on a poster."""


def poster_piece(canvas: Canvas, seat: int, kind: Kind) -> None:
    """A piece as it stands on a poster."""
    _DRAW[kind](canvas, seat, 0, 0, 48)


@canvas_sprite(palette, lambda _, __, r: (-1.3 * r, -1.6 * r, 1.3 * r, 1.3 * r))
def piece(canvas: Canvas, seat: int, kind: Kind, radius: int) -> None:
    """A piece and its shadow on the water; its origin is its middle."""
    depth = 5 * radius / LONE

    def fallen(right: float, low: float, ink: str) -> None:
        if kind is Kind.CIRYA:
            base = geometry.star(right, low, radius, radius * 0.74, turn=180 * seat)
            canvas.polygon(base, ink, ink, 7 * radius / LONE)
        else:
            foot = radius * (0.74 if kind is Kind.TAMPA else 0.66)
            box = (right - radius, foot - depth, right + radius, foot + depth + 1.4 * low)
            canvas.box(box, ink, radius=depth)

    cast(canvas.palette, fallen, "deep", depth if not canvas.palette.soft_light else 0.7 * depth)
    _DRAW[kind](canvas, seat, 0, 0, radius)


@canvas_sprite(palette, (-34, -30, 34, 30), "bar")
def emblem(canvas: Canvas, seat: int) -> None:
    """The cirya before a player's name."""
    _lying(canvas, seat, 0, -1, 26)


@canvas_sprite(palette, (-52, -30, 52, 30), "bar")
def in_reserve(canvas: Canvas, seat: int, kind: Kind, left: int) -> None:
    """How many pieces of *kind* a reserve still has; an empty one is an outline."""
    canvas.text(-9, 0, str(left), 32, "ink" if left else "soft", "rc")
    if not left:
        canvas.polygon(geometry.star(24, 0, 20, 14 if kind is Kind.CIRYA else 8), None, "hair", 3)
    elif kind is Kind.CIRYA:
        _lying(canvas, seat, 24, 0, 23)
    else:
        _high(canvas, seat, 24, 6, 21)


@canvas_sprite(palette, (-60, -40, 60, 34), "bar")
def for_choice(canvas: Canvas, seat: int, kind: Kind) -> None:
    """A piece of *kind* that may be placed, in the strip; its origin is its middle."""
    _DRAW[kind](canvas, seat, 0, 0, 31 if kind is Kind.HALLACIRYA else 34)


POSTER_BOARD = (48, 98, 778, 824)
POSTER_GROUND = "deep"
POSTER_INKS = PosterInks("#27606F", "#163F4B", "#34707F", "#C9E9EF")

_STANDING = (
    (0, Kind.TAMPA, 330, 384, 6, 140),
    (0, Kind.HALLACIRYA, 98, 356, -6, 176),
    (1, Kind.CIRYA, 220, 386, 8, 150),
)
"""Fleet, kind, middle, turn and width, the rearmost first."""


def poster_pattern(canvas: Canvas, box: Box) -> None:
    """Waves."""
    for row, y in enumerate(range(int(box[1]) + 20, int(box[3]) + 54, 54)):
        for x in range(int(box[0]) - 80 + row % 2 * 55, int(box[2]) + 80, 110):
            for crest in (x + 14, x + 42):
                canvas.line(geometry.arc(crest, y - 4, 14, 90, 270)[::4], "pattern", 4)


POSTER_PIECES = ((WHOLE, poster_piece, _STANDING),)
"""A tall ship, a wall and a disc."""

PODIUM = WHOLE, poster_piece, {side: (seat, Kind.CIRYA) for seat, side in enumerate(SIDES)}
"""A cirya of each side."""
