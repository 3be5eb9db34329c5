"""The units of Storilljuðjorrayc and the marks of what they do, as sprites.

Green units are round, pale, with dark letters; purple ones have eight corners and white
letters. King and warmaster bear gold; an abandoned guard is faded, its ring broken in four.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from games.storilljudhjorrayc.geometry import FOREST, Place
from games.storilljudhjorrayc.units import ROYALS, SIDES, Label
from render.kit import Canvas, Sprite, canvas_sprite, drawn_sprite, geometry, marks
from render.kit.geometry import Box, Point, Points
from render.kit.poster_ground import PosterInks
from render.storilljudhjorrayc.board import between, edge_point, palette, point

DISC = 25
"""The radius of a unit on the board."""

SMALL = 22
"""The radius of units in a crowded forest."""

TAKEN = 22
"""The radius of captured units in the bars."""

LETTER, LETTERS = 34, 27
"""The size of one letter and of two: they stand no lower on small discs, only closer."""

LARGE = 1.1
"""How high two letters are on a disc larger than those of the board, in its radius.

A button shows the disc 22 pixels wide: there its label must fill two thirds.
"""


def _shape(x: float, y: float, radius: float, seat: int) -> Points:
    if seat == 0:
        return geometry.circle(x, y, radius)
    return geometry.regular(x, y, radius * 1.07, 8, 22.5)


def _write(canvas: Canvas, x: float, y: float, label: Label, r: float, ink: str) -> None:
    one = len(label) == 1
    room = 2 * (r - (7.5 if label in ROYALS else 5.5)) * 0.86
    two = LETTERS if r <= DISC else LARGE * r
    single = LETTER if r <= DISC else 2 * LARGE * r / 1.5
    canvas.text(x, y, label, min(single, 1.36 * r) if one else two, ink, room=room)


def _unit(
    canvas: Canvas, x: float, y: float, seat: int, label: Label, r: float, faded: bool = False
) -> None:
    side = "gp"[seat]
    face = f"{side}.face"

    def layer(radius: float, colour: str) -> None:
        canvas.polygon(_shape(x, y, radius, seat), colour)

    if label in ROYALS:
        for radius, colour in ((1.8, "line"), (0.2, "gold"), (-4.6, "line"), (-6, face)):
            layer(r + radius, colour)
    else:
        rim = 4.8 if seat == 0 else 4.2
        for radius, colour in ((1, f"{side}.edge"), (-2, f"{side}.ring"), (-rim, face)):
            layer(r + radius, colour)
    if faded:
        layer(r - 3.2, f"{side}.faded")
        for quarter in range(4):
            middle = 45 + 90 * quarter
            gap = [(r + 3, -17), (r + 3, 17), (r - 5.5, 20), (r - 5.5, -20)]
            canvas.polygon([geometry.polar(x, y, d, middle + turn) for d, turn in gap], "white")
    _write(canvas, x, y, label, r, f"{side}.ink")


WHOLE = (-48, -48, 48, 48)
"""The extent of a unit on a poster."""


def poster_unit(canvas: Canvas, seat: int, label: Label) -> None:
    """A unit as it stands on a poster."""
    _unit(canvas, 0, 0, seat, label, 44)


@canvas_sprite(
    palette, lambda _, __, radius=DISC, *___, **____: geometry.around([(0, 0)], radius + 6)
)
def unit(canvas: Canvas, seat: int, label: Label, radius: int = DISC, faded: bool = False) -> None:
    """A unit; its origin is its middle."""
    _unit(canvas, 0, 0, seat, label, radius, faded)


@canvas_sprite(palette, lambda _, radius: geometry.around([(0, 0)], radius + 8))
def shadow(canvas: Canvas, seat: int, radius: int) -> None:
    """The shape with which a unit shades what lies under it."""
    canvas.polygon(_shape(2.5 if canvas.palette.soft_light else 0, 4, radius + 0.5, seat), "line")


@canvas_sprite(palette, (-44, -44, 44, 44))
def ghost(canvas: Canvas, seat: int, label: Label, starred: bool) -> None:
    """A unit that has just been captured: pale, its rim broken; *starred* in a burst."""
    side = "gp"[seat]
    if starred:
        canvas.polygon(geometry.star(0, 0, 41, 28, 10), "white")
        canvas.polygon(geometry.star(0, 0, 37, 24, 10), "red")
    r = DISC - 2
    canvas.polygon(_shape(0, 0, r, seat), f"{side}.ghost")
    for part in range(12):
        canvas.line(geometry.arc(0, 0, r - 1, 30 * part, 30 * part + 16), f"{side}.dash", 3)
    _write(canvas, 0, 0, label, r, f"{side}.dash")


@canvas_sprite(palette, (-44, -44, 44, 44))
def burst(canvas: Canvas) -> None:
    """The star round a unit that has just broken out upon another."""
    canvas.polygon(geometry.star(0, 0, 42, 29, 10), "white")
    canvas.polygon(geometry.star(0, 0, 38, 25, 10), "red")


def _way(here: Place, there: Place) -> Points:
    if here == FOREST:
        return [edge_point(there), point(there)]
    return [point(here), edge_point(here)] if there == FOREST else between(here, there)


@drawn_sprite
def stretch(theme: str, here: Place, there: Place, *, last: bool, first: bool) -> Sprite:
    """The stretch of an arrow between neighbours; the *last* has the head, the *first* a dot."""
    way = _way(here, there)
    start = way[0]
    if last and there != FOREST:
        way = geometry.cut_back(way, DISC + 1)
    canvas = Canvas(palette(theme), geometry.around(way, 20))
    if first:
        canvas.disc(*start, 9, "line")
        canvas.disc(*start, 7, "amber")
    if last:
        marks.arrow(canvas, way, 10, 22)
    else:
        canvas.line(way, "line", 14)
        canvas.line(way, "amber", 10)
    return canvas.sprite()


@canvas_sprite(palette, lambda *ends: geometry.around(_way(*ends)[:: len(_way(*ends)) - 1], 12))
def shot(canvas: Canvas, here: Place, there: Place) -> None:
    """The stretch of a shot between neighbours, with chevrons that tell its direction."""
    start, *_, end = _way(here, there)
    canvas.line([start, end], "line", 13)
    canvas.line([start, end], "amber", 8)
    for part in (0.25, 0.6, 0.95):
        x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
        degrees = _bearing(start, end)
        wing = [geometry.polar(x, y, 9, degrees + turn) for turn in (-135, 135)]
        canvas.line([wing[0], (x, y), wing[1]], "line", 3)


def _bearing(start: Point, end: Point) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return math.degrees(math.atan2(dx, -dy))


def _middle(here: Place, there: Place) -> Point:
    return (point(here)[0] + point(there)[0]) / 2, (point(here)[1] + point(there)[1]) / 2


@canvas_sprite(palette, lambda here, there: geometry.around([_middle(here, there)], 26))
def exchange(canvas: Canvas, here: Place, there: Place) -> None:
    """Two heads back to back between units that have changed places (G7)."""
    (x, y), degrees = _middle(here, there), _bearing(point(here), point(there))
    for turn in (0, 180):
        points = geometry.transformed([(0, -19), (11, -4), (-11, -4)], x, y, 1, degrees + turn)
        canvas.polygon(points, "amber", "line", 3)
        canvas.polygon(points, "amber")


@canvas_sprite(palette, (-37, -37, 37, 37))
def ring(canvas: Canvas) -> None:
    """The ring round a unit that is chosen."""
    canvas.disc(0, 0, DISC + 9, None, "white", 10)
    canvas.disc(0, 0, DISC + 7, None, "blue", 6)


@canvas_sprite(palette, (-33, -33, 33, 33))
def open_to_choice(canvas: Canvas) -> None:
    """The thin ring round a unit that may be chosen."""
    night = canvas.palette.night
    canvas.disc(0, 0, DISC + 6, None, "white" if night else "blue", 6)
    canvas.disc(0, 0, DISC + (4.5 if night else 6), None, "blue", 4.5)


@canvas_sprite(palette, (-40, -40, 40, 40))
def winning(canvas: Canvas) -> None:
    """The gold ring round the unit that has won."""
    canvas.disc(0, 0, DISC + 11, None, "line", 12)
    canvas.disc(0, 0, DISC + 9, None, "gold", 7)


@canvas_sprite(palette, (-24, -66, 24, -28))
def crown(canvas: Canvas) -> None:
    """The crown above the unit that has won; the origin is the middle of the unit."""
    points = [(-20, -58), (-10, -47), (0, -62), (10, -47), (20, -58), (16, -34), (-16, -34)]
    canvas.polygon(points, "gold", "line", 3)
    canvas.polygon(points, "gold")
    for x, y in ((-20, -58), (0, -62), (20, -58)):
        canvas.disc(x, y, 3.5, "gold", "line", 1.6)


@canvas_sprite(palette, (-40, -40, 40, 40))
def danger(canvas: Canvas) -> None:
    """The double red ring round a unit that would fall."""
    marks.danger(canvas, 0, 0, DISC + 8)


@canvas_sprite(palette, (-28, -30, 28, 24))
def warning(canvas: Canvas) -> None:
    """The warning beside an own unit that would fall to a salvo (G9)."""
    canvas.polygon([(0, -27), (25, 18), (-25, 18)], "white")
    canvas.polygon([(0, -19), (19, 14), (-19, 14)], "red")
    canvas.text(0, 4, "!", 27, "white")


@canvas_sprite(palette, (-40, -26, 40, 26))
def target(canvas: Canvas, text: str) -> None:
    """The lozenge on a place to go to, which bears its name."""
    marks.lozenge(canvas, 0, 0, text, 27)


@canvas_sprite(palette, (-26, -26, 26, 26))
def forest_target(canvas: Canvas) -> None:
    """The lozenge of the way into the forest: a tree."""
    canvas.box((-21, -21, 21, 21), "white", "blue", 3.5, 9)
    for low, wide, top in ((8, 13, -9), (-2, 10, -16)):
        canvas.polygon([(-wide, low), (wide, low), (0, top)], "tree")
    canvas.box((-2.5, 8, 2.5, 15), "trunk")


@canvas_sprite(palette, (-24, -24, 24, 24))
def free(canvas: Canvas) -> None:
    """The mark of an empty space in the own set-up zone."""
    for part in range(8):
        canvas.line(geometry.arc(0, 0, 19, 45 * part, 45 * part + 24), "cl", 3.5)


@canvas_sprite(palette, (-26, -26, 26, 26), "bar")
def emblem(canvas: Canvas, seat: int) -> None:
    """The sign of a side: a leaf for green, a chevron for purple."""
    side = "gp"[seat]
    canvas.polygon(_shape(0, 0, 23, seat), f"{side}.edge")
    canvas.polygon(_shape(0, 0, 20, seat), f"{side}.face")
    if seat == 0:
        leaf = [
            *geometry.bezier((0, -15), (14, -10), (14, 8), (0, 15)),
            *geometry.bezier((0, 15), (-14, 8), (-14, -10), (0, -15)),
        ]
        canvas.polygon(leaf, "g.edge")
        canvas.line([(0, -9), (0, 12)], "g.face", 2.5)
    else:
        canvas.polygon([(-13, 4), (0, -13), (13, 4), (13, 13), (0, -3), (-13, 13)], "p.ink")


@canvas_sprite(palette, (-48, -20, 48, 20), "bar")
def uses(canvas: Canvas, left: int) -> None:
    """How often an ambush may still capture: three pips, *left* of them full (Z12)."""
    canvas.text(-27, 0, "W", 27, "soft", "mc")
    for pip in range(3):
        canvas.disc(17 * pip, 0, 7, "soft")
        if pip >= left:
            canvas.disc(17 * pip, 0, 4.2, "bar")


@canvas_sprite(palette, (-25, -26, 25, 26), "bar")
def draw_captured(canvas: Canvas, seat: int, label: Label) -> None:
    """A captured unit in the bar of its captor."""
    _unit(canvas, 0, 0, seat, label, TAKEN)


@drawn_sprite
def captured_plate(theme: str, seat: int, labels: Sequence[Label], columns: int) -> Sprite:
    """Many captured units: rows of their labels in the loser's colours."""
    side, left, low = "gp"[seat], -(42 * columns + 12) / 2, 13 * -(-len(labels) // columns) + 2
    canvas = Canvas(palette(theme), (left, -low - 1, -left, low + 1), "bar")
    canvas.box((left, -low, -left, low), f"{side}.face", f"{side}.edge", 2, 8)
    for number, name in enumerate(labels):
        row, column = divmod(number, columns)
        x, y = left + 27 + 42 * column, 15 - low + 26 * row
        if name in ROYALS:
            canvas.box((x - 20, y - 13, x + 20, y + 13), "gold", radius=5)
        canvas.text(x, y, name, 27, "line" if name in ROYALS else f"{side}.ink", room=35)
    return canvas.sprite()


@canvas_sprite(palette, (0, -18, 32, 18), "bar")
def setup_finished_tick(canvas: Canvas) -> None:
    """The tick behind the name of a player whose set-up is finished."""
    canvas.line([(5, 0), (13, 9), (28, -10)], "ink", 6)


POSTER_BOARD = (24, 76, 776, 866)
POSTER_GROUND = "forest"
POSTER_INKS = PosterInks("#2F5F3B", "#1B4026", "#3B6D47", "#CDECC5")

_STANDING = (
    (1, "T1", 70, 352, 0, 96),
    (1, "JM", 152, 410, 0, 96),
    (0, "SD", 250, 336, 0, 96),
    (0, "T3", 352, 414, 0, 96),
    (0, "A", 262, 420, 0, 116),
    (1, "KM", 158, 300, 0, 104),
)
"""Army, label, middle, turn and width, the rearmost first."""


def poster_pattern(canvas: Canvas, box: Box) -> None:
    """The rings and the radii of the board."""
    x, y = box[0] + (box[2] - box[0]) * 0.35, box[1] + (box[3] - box[1]) * 0.8
    far = box[2] - box[0] + box[3] - box[1]
    for radius in range(60, int(far), 66):
        canvas.disc(x, y, radius, None, "pattern", 4)
    for turn in range(11, 371, 45):
        canvas.line([geometry.polar(x, y, r, turn) for r in (60, far)], "pattern", 3)


POSTER_PIECES = ((WHOLE, poster_unit, _STANDING),)
"""Units of both armies about a king."""

PODIUM = WHOLE, poster_unit, {side: (seat, "A") for seat, side in enumerate(SIDES)}
"""The king of each side."""
