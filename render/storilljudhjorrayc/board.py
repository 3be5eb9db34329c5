"""The round board of Storilljuðjorrayc: where spaces lie, its colours, and its ground.

Everything is drawn with north at the top. From green's side the board is turned half
round: each space is then shown where the one opposite it would lie (``turned``).
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from games.storilljudhjorrayc.geometry import (
    FOCUS,
    FOREST,
    RADII,
    SPACES,
    TANGENTIAL,
    Place,
    Space,
    circuit_of,
    named,
    sector_of,
    sectors,
)
from render.kit import (
    EDGES,
    TOKENS,
    Canvas,
    Palette,
    canvas_sprite,
    geometry,
    mix,
    plain,
)
from render.kit.materials import Texture, cloth, current, material_palette
from render.kit.themes import by_theme

if TYPE_CHECKING:
    from render.kit.geometry import Point, Points

CENTRE = (400, 472)
HALF = 388
"""Half the side of the square of forest."""

RINGS = (354.0, 301.5, 249.0, 196.5, 144.0, 92.0, 40.0)
"""The radii between which the circuits lie, the outermost first."""

STANDING = {5: 120.0, 6: 69.0}
"""How far from the centre units stand where the middle of the circuit leaves too little room."""

OUTSIDE = RINGS[0] + 31
"""How far from the centre the forest's own marks lie."""

_BOARDS = by_theme(
    {
        "forest": ("#557F51", "#2C4A33", "#0F3A1C"),
        "tree": ("#2F5A3A", "#3A6A47", "#2C7A42"),
        "leaf": ("#447A4C", "#4B8058", "#49A862"),
        "trunk": ("#5A4630", "#1A140F", "#000000"),
        "c1": ("#E0CC90", "#5B5134", "#2E2E2E"),
        "c2": ("#D0B978", "#4B4229", "#1C1C1C"),
        "cl": ("#8C7638", "#8F8256", "#A6A6A6"),
        "f1": ("#AFCBD6", "#3A535D", "#0F3B4D"),
        "f2": ("#98BAC8", "#2F454E", "#0A2C3B"),
        "fl": ("#4F7A8C", "#6D8E9A", "#8FC4D8"),
        "hole": ("#F4EFE6", "#1E1C1A", "#000000"),
        "rim": ("#2E4D33", "#0E1A12", "#000000"),
        "letter": ("#FFFFFF", "#F2EDE4", "#FFFFFF"),
        "veil": ("#5F6F54", "#3A4436", "#202A20"),
        "hatch": ("#6C7C61", "#465142", "#2E3C2E"),
    }
)
UNITS = by_theme(
    {
        "g.face": ("#F0FAE2", "#F0FAE2", "#FFFFFF", "#F2FBF4"),
        "g.ring": ("#4FA04A", "#4FA04A", "#3FB950", "#16A884"),
        "g.edge": ("#1F5B2A", "#1F5B2A", "#000000", "#005A46"),
        "g.ink": ("#123D1A", "#123D1A", "#00300C", "#003D30"),
        "p.face": ("#5A2387", "#5A2387", "#4A0F80"),
        "p.ring": ("#C9A2EE", "#C9A2EE", "#FFFFFF"),
        "p.edge": ("#2C0C49", "#2C0C49", "#000000"),
        "p.ink": ("#FFFFFF", "#FFFFFF", "#FFFFFF"),
    }
)
"""Green units are pale, purple ones dark, in every theme."""
GROUNDS = ("c1", "c2", "f1", "f2")
SHADE_SHARE = 2
"""In sixths: how strongly a shadow tints what lies under it."""

_FADE = "#8C8A86"

MOST_COLOURS = 144
"""How many colours: with more of them the many edges of this board weigh more than can be seen."""


_TEXTURES = {
    "forest": Texture((-0.08,), cloth()),
    "f1": Texture((0.10, -0.04), current(144, 36)),
    "f2": Texture((0.10, -0.04), current(144, 36)),
}


@cache
def palette(theme: str) -> Palette:
    """The colours of *theme*, with the tints of what is marked, fallen, faded or in shadow."""
    look = plain(theme)
    shared, own = TOKENS[plain(theme)], _BOARDS[look]
    grounds = (*GROUNDS, "forest")
    tints = {f"shade.{name}": mix(own[name], shared["line"], 1 / 3) for name in grounds}
    tints["shade"] = mix(shared["paper"], "#000000", 0.18)
    for side in "gp":
        face, edge = UNITS[look][f"{side}.face"], UNITS[look][f"{side}.edge"]
        tints[f"{side}.faded"] = mix(face, _FADE, 0.62)
        tints[f"{side}.ghost"] = mix(face, "#FFFFFF", 0.5 if side == "g" else 0.72)
        tints[f"{side}.dash"] = mix(edge, "#FFFFFF", 0.2)
    flats = {**shared, **own, **UNITS[look], **tints}
    return material_palette(theme, flats, _edges(), _TEXTURES, {}, MOST_COLOURS)


def _edges() -> dict[str, str]:
    grounds = "c1 c2 f1 f2 forest"
    return {
        **EDGES,
        "rim": "c1 c2 f1 f2 forest hole",
        "cl": "c1 c2",
        "fl": "f1 f2 hole",
        "tree": "forest leaf",
        "leaf": "forest",
        "trunk": "forest",
        "letter": "forest",
        "forest": "paper shade",
        "veil": "hatch cl rim letter",
        "g.edge": f"{grounds} g.ring g.faded bar",
        "g.ring": "g.face",
        "g.ink": "g.face g.faded",
        "p.edge": f"{grounds} p.ring p.faded bar",
        "p.ring": "p.face",
        "p.ink": "p.face p.faded",
        "g.dash": "g.ghost",
        "p.dash": "p.ghost",
        "line": f"{EDGES['line']} {grounds} g.face p.face",
        "white": f"{grounds} hair",
        "red": f"{EDGES['red']} c1 c2",
        "ink": f"{EDGES['ink']} c1 c2 f1 f2 hole",
        "blue": f"{EDGES['blue']} {grounds}",
        "gold": f"{EDGES['gold']} {grounds}",
    }


def turned(place: Place, turn: bool) -> Place:
    """The space where *place* is shown: itself, or with *turn* the one opposite."""
    if place == FOREST or not turn:
        return place
    circuit = circuit_of(place)
    return named(circuit, sector_of(place) + sectors(circuit) // 2)


def direction(space: Space) -> float:
    """The direction of *space* from the centre, in degrees clockwise from north."""
    return (sector_of(space) + 0.5) * (360 / sectors(circuit_of(space)))


def point(space: Space) -> Point:
    """Where a unit stands on *space*."""
    circuit = circuit_of(space)
    radius = STANDING.get(circuit, (RINGS[circuit - 1] + RINGS[circuit]) / 2)
    return geometry.polar(*CENTRE, radius, direction(space))


def edge_point(space: Space) -> Point:
    """The place in the forest outside *space* that is nearer to a corner, where there is room."""
    start = sector_of(space) * 22.5
    beside = [geometry.polar(*CENTRE, OUTSIDE, degrees) for degrees in (start, start + 22.5)]
    return min(beside, key=lambda at: max(abs(at[0] - CENTRE[0]), abs(at[1] - CENTRE[1])))


def between(here: Space, there: Space) -> Points:
    """The way from *here* to its neighbour *there*: along the circuit a curve, else straight."""
    circuit = circuit_of(here)
    start, end = direction(here), direction(there)
    if circuit != circuit_of(there) or there not in TANGENTIAL[here]:
        return [point(here), point(there)]
    radius = math.dist(point(here), CENTRE)
    return geometry.arc(*CENTRE, radius, start, start + (end - start + 180) % 360 - 180)


def outline(space: Space, inset: float = 0.0) -> Points:
    """The edge of *space*, drawn in by *inset* pixels."""
    circuit = circuit_of(space)
    step = 360 / sectors(circuit)
    start = sector_of(space) * step
    inner, outer = RINGS[circuit] + inset, RINGS[circuit - 1] - inset
    near, far = (math.degrees(inset / radius) for radius in (inner, outer))
    return [
        *geometry.arc(*CENTRE, outer, start + far, start + step - far),
        *geometry.arc(*CENTRE, inner, start + step - near, start + near),
    ]


@canvas_sprite(palette, (0, CENTRE[1] - HALF, 800, CENTRE[1] + HALF + 4), "paper")
def ground(canvas: Canvas, turn: bool) -> None:
    """Forest, clearing and focus with the letters of the radii; *turn* as green sees it."""
    x, y = CENTRE
    canvas.box((x - HALF, y - HALF + 4, x + HALF, y + HALF + 4), "shade", radius=16)
    draw_ground(canvas, turn)


def draw_ground(canvas: Canvas, turn: bool = False) -> None:
    """Forest, clearing and focus in a square twice ``HALF`` wide about ``CENTRE``."""
    x, y = CENTRE
    canvas.box((x - HALF, y - HALF, x + HALF, y + HALF), "forest", radius=16)
    canvas.disc(x, y + 3, RINGS[0] + 5, "rim")
    canvas.disc(x, y, RINGS[0] + 4, "rim")
    for space in SPACES:
        # Pairs of radii alternate, so that the two radii of a focus space can be counted.
        pair = sector_of(space) if space in FOCUS else sector_of(space) // 2
        canvas.polygon(outline(space), ("f" if space in FOCUS else "c") + "12"[pair % 2])
    for space in SPACES:
        _lines(canvas, space)
    canvas.disc(x, y, RINGS[4] + 6, None, "rim", 6)
    _centre(canvas)
    for sector, letter in enumerate(RADII):
        degrees = 11.25 + 22.5 * sector + (180 if turn else 0)
        canvas.text(*geometry.polar(x, y, RINGS[0] + 20, degrees), letter, 28, "letter")


def _lines(canvas: Canvas, space: Space) -> None:
    circuit = circuit_of(space)
    step = 360 / sectors(circuit)
    start = sector_of(space) * step
    colour = "fl" if space in FOCUS else "cl"
    inner, outer = RINGS[circuit], RINGS[circuit - 1]
    ends = [geometry.polar(*CENTRE, radius, start) for radius in (inner, outer)]
    canvas.line(ends, colour, 3 if start % 45 == 0 else 2)
    if circuit not in (1, 5):
        canvas.line(geometry.arc(*CENTRE, outer, start, start + step), colour, 2.5)


def _centre(canvas: Canvas) -> None:
    x, y = CENTRE
    canvas.disc(x, y, RINGS[6], "rim")
    canvas.disc(x, y, RINGS[6] - 4, "hole")
    for sector in range(1, 9):
        degrees = 45.0 * sector - 22.5
        canvas.line([geometry.polar(x, y, radius, degrees) for radius in (12, 25)], "fl", 4)


@canvas_sprite(
    palette, (CENTRE[0] - 20, CENTRE[1] - RINGS[0], CENTRE[0] + 20, CENTRE[1] + RINGS[0])
)
def numbers(canvas: Canvas, south: bool) -> None:
    """The numbers of the circuits along the meridian, up from the centre or, *south*, down."""
    draw_numbers(canvas, south)


def draw_numbers(canvas: Canvas, south: bool = False) -> None:
    """The numbers of the circuits in a column about ``CENTRE``."""
    x, y = CENTRE
    down = 1 if south else -1
    for circuit in range(1, 6):
        high = y + down * (RINGS[circuit - 1] + RINGS[circuit]) / 2
        if circuit <= 3:
            canvas.disc(x, high, 15, "hole")
        canvas.text(x, high, str(circuit), 27, "ink")
    canvas.disc(x, y + down * 26, 13, "hole")
    canvas.text(x, y + down * 25, "6", 27, "ink")


TREES = (
    *((372, 372), (372, 322), (322, 372), (372, 264), (264, 372)),
    *((372, 206), (206, 372), (290, 322)),
)
"""Where trees grow in each corner, from the centre."""


def trees() -> tuple[tuple[int, int, bool], ...]:
    """The foot of each tree, and whether it is a fir; none reaches over the forest's edge."""
    x, y = CENTRE
    found = []
    for number, (dx, dy) in enumerate(TREES):
        for across, down in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            left = min(max(x + dx * across, x - HALF + 18), x + HALF - 18)
            top = min(max(y + dy * down + 8, y - HALF + 36), y + HALF - 14)
            found.append((left, top, number % 3 != 1))
    return tuple(sorted(found, key=lambda tree: tree[1]))


@canvas_sprite(palette, (-16, -32, 16, 12))
def tree(canvas: Canvas, fir: bool) -> None:
    """A tree; its origin is the foot of its crown."""
    draw_tree(canvas, (0, 0), fir)


def draw_tree(canvas: Canvas, foot: Point, fir: bool) -> None:
    """A tree, the *foot* of its crown at this point."""
    (x, y), s = foot, 0.92

    def part(points: Points, ink: str) -> None:
        canvas.polygon(geometry.transformed(points, x, y, s), ink)

    part([(-3, 0), (3, 0), (3, 9), (-3, 9)], "trunk")
    if fir:
        for low, wide, top in ((2, 15, -20), (-11, 11, -30)):
            part([(-wide, low), (wide, low), (0, top)], "tree")
            part([(0, low), (wide, low), (0, top)], "leaf")
    else:
        canvas.disc(x, y - 11 * s, 13 * s, "tree")
        canvas.disc(x + 3 * s, y - 13 * s, 9 * s, "leaf")


@canvas_sprite(palette, lambda space, _: geometry.around(outline(space, 5), 8))
def framed(canvas: Canvas, space: Space, colour: str) -> None:
    """A frame of *colour* with ink on both sides along the edge of *space*."""
    _put_rim(canvas, outline(space, 5), colour)


def _put_rim(canvas: Canvas, points: Points, colour: str) -> None:
    canvas.polygon(points, None, "white" if colour == "blue" else "line", 11)
    canvas.polygon(points, None, colour, 5)


def _sweep_outline(sector: int) -> Points:
    start, inner, outer = sector * 22.5, RINGS[4] + 4, RINGS[1] - 2
    return [
        *geometry.arc(*CENTRE, outer, start + 0.6, start + 21.9),
        *geometry.arc(*CENTRE, inner, start + 21.5, start + 1),
    ]


def _hatch(canvas: Canvas, points: Points, room: int, step: int, ink: str, breadth: float) -> None:
    """Slanting lines of *ink*, *step* pixels apart, within *points*."""
    left, top, right, bottom = geometry.around(points, room)
    with canvas.within(points):
        for x in range(int(left - bottom + top), int(right), step):
            canvas.line([(x, bottom), (x + bottom - top, top)], ink, breadth)


@canvas_sprite(palette, lambda sector: geometry.around(_sweep_outline(sector), 6))
def beam(canvas: Canvas, sector: int) -> None:
    """The outline of what an archer sweeps: circuits 2 to 4 of the radius *sector* (G9)."""
    points = _sweep_outline(sector)
    _hatch(canvas, points, 6, 14, "red", 4.5)
    if canvas.palette.night:
        canvas.polygon(points, None, "white", 10)
    canvas.polygon(points, None, "red", 6)


@canvas_sprite(palette, lambda north, _: geometry.around(_zone(north), 8))
def zone(canvas: Canvas, north: bool, colour: str) -> None:
    """The border of a set-up zone, the upper or the lower one (G12)."""
    _put_rim(canvas, _zone(north), colour)


@canvas_sprite(palette, lambda north: geometry.around(_zone(north), 8))
def veil(canvas: Canvas, north: bool) -> None:
    """What hides the other side's set-up: a blind before its zone, the same whatever is behind."""
    canvas.polygon(_zone(north), "veil")
    _hatch(canvas, _zone(north), 8, 22, "hatch", 7)
    canvas.polygon(_zone(north), None, "rim", 5)


def _zone(north: bool) -> Points:
    start, inner, outer = (0 if north else 180) - 67.5, RINGS[3] + 2, RINGS[0] - 2
    return [
        *geometry.arc(*CENTRE, outer, start, start + 135),
        *geometry.arc(*CENTRE, inner, start + 135, start),
    ]
