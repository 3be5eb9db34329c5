"""The cards and markers of Niya, and the marks and signs around them, as sprites.

Each colour of cards has an emblem, which draws the skeleton of its letter, and a pattern
besides its tone; red markers bear a rhombus and R, yellow ones a sun and A.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from games.niya.board import BY_CODE, Card
from render.kit import (
    EDGES,
    TOKENS,
    Box,
    Canvas,
    Palette,
    Sprite,
    canvas_sprite,
    drawn_sprite,
    geometry,
    marks,
    mix,
    plain,
)
from render.kit.materials import Texture, cast, felt, material_palette
from render.kit.poster_ground import PosterInks
from render.kit.themes import by_theme

Shape: TypeAlias = tuple[tuple[int, int], ...]
"""Columns and rows of squares, counted from the first of them."""

CARD = (114, 144)
"""Width and height of a card; a marker is a card laid on its side."""

COLOUR_CHIP, INDEX_CHIP = 184, 116
"""The widths of the two chips in the rule strip."""

MARKERS = ("ruby", "sun")
"""The colours of the markers by seat."""

_INKS: Mapping[str, tuple[str, str, str, str]] = {
    "M": ("#9645BE", "#7429A0", "#3C1155", "#8436AC"),
    "O": ("#1A2D78", "#3A54AE", "#0B1640", "#1A2D78"),
    "L": ("#5FBBEA", "#3A9BD3", "#0F4F78", "#1F72A8"),
    "V": ("#2C8C3C", "#1D6A2C", "#0F4019", "#267834"),
    "R": ("#6C0D0B", "#A8332F", "#3A0706", "#6C0D0B"),
    "Y": ("#FFD84A", "#DDA51A", "#5A4300", "#876200"),
}
INKS: Mapping[str, Mapping[str, tuple[str, str, str, str]]] = {
    "light": _INKS,
    "dark": _INKS,
    "contrast": {
        "M": ("#AE5CDB", "#8338AF", "#3A0E55", "#64198C"),
        "O": ("#20389B", "#4E69CC", "#0A1440", "#14246B"),
        "L": ("#7CCBF2", "#3A9BD3", "#0A3F63", "#0F5585"),
        "V": ("#2F9440", "#1A6428", "#0A3813", "#175A24"),
        "R": ("#640C0A", "#B03A34", "#3D0807", "#6A0D0B"),
        "Y": ("#FFE04F", "#D69A00", "#463400", "#6B4E00"),
    },
    "safe": {
        "M": ("#A8439B", "#7F2A75", "#4A1244", "#96358A"),
        "O": ("#12235F", "#34509E", "#081238", "#12235F"),
        "L": ("#7CCBF5", "#3A9BD3", "#0F4F78", "#1F72A8"),
        "V": ("#3FA35A", "#23713A", "#0F3D1C", "#1F6B35"),
        "R": ("#8C2D0B", "#662006", "#3A1203", "#7A2709"),
        "Y": ("#F5E14A", "#C9A81E", "#4F4200", "#766000"),
    },
}
"""Face, pattern, darkest tone and band of each colour of cards: a ladder of lightness."""

_GROUNDS = by_theme(
    {
        "table": ("#DCD3C2", "#34302B", "#000000"),
        "slot": ("#CBBFA9", "#4A443D", "#7A7A7A"),
        "shadow": ("#B4A992", "#12100E", "#000000"),
        "card": ("#FFFDF8", "#EDE6D8", "#FFFFFF"),
        "edge": ("#26221D", "#0E0C0B", "#000000"),
        "plate": ("#26221D", "#4A443D", "#3A3A3A"),
    }
)
_PAINTS = {"ruby": "#D2302A", "garnet": "#A81F1A", "sun": "#FFD23F"}
_SAFE_PAINTS = {"ruby": "#A93500", "garnet": "#8A2B00", "sun": "#F5E14A"}
_DIM = {"white": 0.04, "band": 0.04, "deep": 0.1}
"""How far the writing on a card that may not be taken fades into the table."""
_FADE = 0.34
"""The same for the rest of the card."""


_TEXTURES = {"table": Texture((-0.05, 0.12), felt())}


@cache
def palette(theme: str) -> Palette:
    """The colours of *theme*; a ``~`` ends the name of a tone of cards not to be taken."""
    own = {**_GROUNDS[plain(theme)], **(_SAFE_PAINTS if theme == "safe" else _PAINTS)}
    cards = {"white": "#FFFFFF", "card": own["card"], "edge": own["edge"]}
    for colour, inks in INKS[plain(theme)].items():
        for part, ink in zip(("face", "weave", "deep", "band"), inks, strict=True):
            cards[f"{colour}.{part}"] = ink
    dim = {
        f"{name}~": mix(ink, own["table"], _DIM.get(name.rpartition(".")[2], _FADE))
        for name, ink in cards.items()
    }
    field = {"field": mix(own["table"], TOKENS[plain(theme)]["blue"], 0.35)}
    flats = {**TOKENS[plain(theme)], **own, **cards, **dim, **field}
    return material_palette(theme, flats, _edges(), _TEXTURES, {"shadow": "table"})


def _edges() -> Mapping[str, str]:
    edges = defaultdict(str, EDGES)
    for shade in ("", "~"):
        for c in _INKS:
            tones = [f"{c}.{part}{shade}" for part in ("face", "weave", "deep", "band")]
            face, weave, deep, band = tones
            edges[f"white{shade}"] += f" {deep} {band}"
            edges[face] += f" {weave} {deep} {band}"
            edges[weave] += f" {deep} {band}"
            edges[f"card{shade}"] += f" {face} {weave} {band}"
        edges[f"edge{shade}"] += f" card{shade} table shadow"
    edges["shadow"] += " table paper"
    edges["table"] += " paper blue line slot field"
    edges["edge"] += " paper blue field pale sun ruby"
    edges["card"] += " ruby garnet sun line blue"
    edges["line"] += " sun paper bar ruby card pale"
    edges["gold"] += " bar line table"
    edges["white"] += " plate blue field table"
    edges["bar"] += " plate " + " ".join(f"{c}.{part}" for c in _INKS for part in ("face", "weave"))
    return edges


# Drawing, in the coordinates of a canvas.


def _emblem_shape(canvas: Canvas, code: str, x: float, y: float, r: float, ink: str) -> None:
    """M twin peaks, O a ring, L a corner, V a wedge, R a pennant, Y a fork."""
    match code:
        case "M":
            peaks = [(-1, 0.8), (-0.55, -0.85), (0, 0.05), (0.55, -0.85), (1, 0.8)]
            canvas.polygon(geometry.transformed(peaks, x, y, r), ink)
        case "O":
            canvas.disc(x, y, r * 0.95, None, ink, r * 0.52)
        case "L":
            canvas.box((x - r * 0.85, y - r * 0.9, x - r * 0.1, y + r * 0.85), ink)
            canvas.box((x - r * 0.85, y + r * 0.15, x + r * 0.85, y + r * 0.85), ink)
        case "V":
            canvas.polygon(geometry.transformed([(-1, -0.8), (1, -0.8), (0, 0.95)], x, y, r), ink)
        case "R":
            pennant = [(-0.75, -1), (1, -0.4), (-0.2, 0.2), (-0.2, 1), (-0.75, 1)]
            canvas.polygon(geometry.transformed(pennant, x, y, r), ink)
        case "Y":
            arm = [(-1, -0.95), (-0.4, -0.95), (0, -0.35)]
            fork = [*arm, (0.4, -0.95), (1, -0.95), (0.28, 0.15)]
            foot = [(0.28, 1), (-0.28, 1), (-0.28, 0.15)]
            canvas.polygon(geometry.transformed([*fork, *foot], x, y, r), ink)


def _weave(canvas: Canvas, code: str, box: Box, scale: float, shade: str) -> None:
    """The pattern of a colour, over its face: zigzag, dots, grid, diagonals, bars or diamonds."""
    left, top, right, bottom = box
    wide, high, ink = right - left, bottom - top, f"{code}.weave{shade}"
    canvas.box(box, f"{code}.face{shade}")
    match code:
        case "M":
            step = 18 * scale
            for row in range(-1, math.ceil(high / step) + 1):
                turns = range(math.ceil(wide / step) + 3)
                at = [(left + step * (i - 0.5), top + step * (row + 0.75 * (i % 2))) for i in turns]
                canvas.line(at, ink, 5.5 * scale)
        case "O" | "Y":
            step, diamond = 17 * scale, [(0, -1), (1, 0), (0, 1), (-1, 0)]
            for row in range(math.ceil(high / step) + 1):
                for column in range(math.ceil(wide / step) + 1):
                    x, y = left + step * (column + 0.5 * (row % 2)), top + step * row
                    if code == "O":
                        canvas.disc(x, y, 4.6 * scale, ink)
                    else:
                        canvas.polygon(geometry.transformed(diamond, x, y, 7 * scale), ink)
        case "L" | "R":
            step = 19 * scale
            for i in range(math.ceil(max(wide, high) / step)):
                along = step * (i + 0.5)
                canvas.line([(left, top + along), (right, top + along)], ink, 4.5 * scale)
                if code == "L":
                    canvas.line([(left + along, top), (left + along, bottom)], ink, 4.5 * scale)
        case "V":
            step = 19 * scale
            for i in range(math.ceil((wide + high) / step) + 1):
                start = left + step * i - high
                canvas.line([(start, bottom), (start + high, top)], ink, 6 * scale)


def _card(
    canvas: Canvas, x: float, y: float, card: Card, letter: str, scale: float = 1.0, shade: str = ""
) -> None:
    """A card about (x, y) with the *letter* of its colour; *shade* ``~`` fades it."""
    half, tall = round(CARD[0] * scale / 2), round(CARD[1] * scale / 2)
    left, top, right, bottom = x - half, y - tall, x + half, y + tall
    canvas.box((left, top, right, bottom), f"card{shade}", f"edge{shade}", 2, 10 * scale)
    rim = round(6 * scale)
    left, top, right, bottom = left + rim, top + rim, right - rim, bottom - rim
    inside = geometry.rounded(
        [(left, top), (right, top), (right, bottom), (left, bottom)], 7 * scale
    )
    band = top + 44 * scale
    white, code = f"white{shade}", card.colour
    with canvas.within(inside):
        _weave(canvas, code, (left, top, right, bottom), scale, shade)
        canvas.box((left - 1, top - 1, right + 1, band), f"{code}.band{shade}")
    _emblem_shape(canvas, code, left + 27 * scale, top + 24 * scale, 17 * scale, white)
    canvas.text(right - 25 * scale, top + 24 * scale, letter, 38 * scale, white)
    canvas.text(
        x,
        (band + bottom) / 2 - scale,
        str(card.index),
        84 * scale,
        white,
        stroke=5 * scale,
        stroke_colour=f"{code}.deep{shade}",
    )


def _piece(canvas: Canvas, x: float, y: float, seat: int, letter: str, scale: float = 1.0) -> None:
    half, tall = round(CARD[1] * scale / 2), round(CARD[0] * scale / 2)
    box = (x - half, y - tall, x + half, y + tall)
    canvas.box(box, "card", "edge", 2 if scale > 0.6 else 1.5, 10 * scale)
    canvas.box(marks.grown(box, -6 * scale), MARKERS[seat], radius=6 * scale)
    if seat == 0:
        rhombus = [(-66, 0), (0, -48), (66, 0), (0, 48)]
        canvas.polygon(geometry.transformed(rhombus, x, y, scale), "card")
        canvas.text(x, y, letter, max(27, 56 * scale), "garnet")
        return
    for ray in range(12):
        tip = geometry.polar(x, y, 51 * scale, 30 * ray)
        foot = [geometry.polar(x, y, 43 * scale, 30 * ray + side) for side in (-9.2, 9.2)]
        canvas.polygon([tip, *foot], "line")
    canvas.disc(x, y, 39 * scale, "line")
    canvas.text(x, y - scale, letter, max(27, 48 * scale), "sun")


def _shadow(canvas: Canvas, x: float, y: float, wide: float, tall: float, radius: float) -> None:
    half, high = wide / 2, tall / 2

    def fallen(right: float, low: float, ink: str) -> None:
        middle, level = x + right, y + low
        canvas.box((middle - half, level - high, middle + half, level + high), ink, radius=radius)

    cast(canvas.palette, fallen, "shadow", 4)


# On a poster and on paper, with nothing around it; a poster has no letter of any language.

WHOLE_CARD: Box = (-58, -73, 58, 73)
WHOLE_MARKER: Box = (-73, -58, 73, 58)


def poster_card(canvas: Canvas, card: Card, letter: str = "") -> None:
    """A card as it lies on a poster, or with its *letter* on paper."""
    _card(canvas, 0, 0, card, letter)


def poster_marker(canvas: Canvas, seat: int, letter: str = "") -> None:
    """A marker as it lies on a poster, or with its *letter* on paper."""
    _piece(canvas, 0, 0, seat, letter)


# What is under way, with nothing around it.


@canvas_sprite(palette, (-60, -72, 60, 76))
def flying(canvas: Canvas, card: Card, letter: str) -> None:
    """A card on its way to the pile."""
    _shadow(canvas, 0, 3, 100, 126, 9)
    _card(canvas, 0, 0, card, letter, 0.88)


@canvas_sprite(palette, (-80, -66, 80, 70))
def falling(canvas: Canvas, seat: int, letter: str) -> None:
    """A marker on its way to the table."""
    _shadow(canvas, 0, 3, CARD[1], CARD[0], 10)
    _piece(canvas, 0, 0, seat, letter)


# The cells of the table, each with the table around it; their origin is the middle.

_CELL: Box = (-94, -81, 94, 77)


@canvas_sprite(palette, _CELL, "table")
def slot(canvas: Canvas) -> None:
    """A place where no card has been dealt yet."""
    canvas.box((-57, -72, 57, 72), None, "slot", 3, 10)


@canvas_sprite(palette, _CELL, "table")
def draw_dimmed(canvas: Canvas, card: Card, letter: str) -> None:
    """A card that may not be taken now."""
    _shadow(canvas, 0, 0, 100, 126, 9)
    _card(canvas, 0, 0, card, letter, 0.88, "~")


@canvas_sprite(palette, _CELL, "table")
def resting(canvas: Canvas, card: Card, letter: str) -> None:
    """A card in a picture that does not show which ones may be taken."""
    _shadow(canvas, 0, 0, 100, 126, 9)
    _card(canvas, 0, 0, card, letter, 0.88)


@canvas_sprite(palette, _CELL, "table")
def takeable(canvas: Canvas, card: Card, letter: str, *, lettered: bool) -> None:
    """A card that may be taken, with its code in a lozenge if it is a *lettered* target."""
    _shadow(canvas, 0, -1, 122, 152, 15)
    if canvas.palette.night:
        canvas.box((-65, -81, 65, 75), "white", radius=17)
        canvas.box((-62, -78, 62, 72), "blue", radius=14)
    else:
        canvas.box((-62, -81, 62, 73), "blue", radius=15)
    _card(canvas, 0, -4, card, letter)
    if lettered:
        marks.lozenge(canvas, 60, 53, f"{letter}{card.index}")


@canvas_sprite(palette, _CELL, "table")
def draw_chosen(canvas: Canvas, card: Card, letter: str, seat: int, own: str) -> None:
    """The card that *seat* is about to take, and its marker already coming up under it."""
    canvas.box((-84, -81, 84, 77), "field", radius=14)
    _piece(canvas, 0, 15, seat, own)
    canvas.box((-57, -81, 57, 57), "white", radius=16)
    canvas.box((-54, -78, 54, 54), "blue", radius=14)
    _card(canvas, 0, -13, card, letter, 0.86)
    marks.lozenge(canvas, 54, 52, f"{letter}{card.index}", face="blue", rim="white", ink="white")


@canvas_sprite(palette, _CELL, "table")
def marker(canvas: Canvas, seat: int, letter: str) -> None:
    """A marker on the table."""
    _shadow(canvas, 0, 0, CARD[1], CARD[0], 10)
    _piece(canvas, 0, 0, seat, letter)


@canvas_sprite(palette, _CELL, "table")
def last_marker(canvas: Canvas, seat: int, letter: str) -> None:
    """The marker put down last, in amber."""
    marks.last_move(canvas, (-86, -71, 86, 71), 20)
    _shadow(canvas, 0, 0, CARD[1], CARD[0], 10)
    _piece(canvas, 0, 0, seat, letter)


@canvas_sprite(palette, _CELL, "table")
def beaten_marker(canvas: Canvas, seat: int, letter: str) -> None:
    """A marker outside the pattern that won: it stands back a little."""
    _shadow(canvas, 0, 0, CARD[1] * 0.9, CARD[0] * 0.9, 9)
    _piece(canvas, 0, 0, seat, letter, 0.9)


@canvas_sprite(palette, _CELL, "table")
def winning_marker(canvas: Canvas, seat: int, letter: str) -> None:
    """A marker of the pattern that won, framed in gold."""
    marks.victory(canvas, (-84, -69, 84, 69), 18, "pale")
    _piece(canvas, 0, 0, seat, letter)


@drawn_sprite
def victory(theme: str, shape: Shape, letter: str) -> Sprite:
    """The gold bar through the squares of *shape*, from the first one's middle."""
    at = [(188 * column, 158 * row) for column, row in shape]
    way = [at[0], at[1], at[3], at[2], at[0]] if shape[-1] == (1, 1) else at
    (left, top), (right, bottom) = at[0], at[-1]
    left, right = min(left, at[-1][0]), max(right, at[0][0])
    canvas = Canvas(palette(theme), (left - 36, top - 36, right + 36, bottom + 36))
    canvas.line(way, "line", 28)
    canvas.line(way, "gold", 17)
    for x, y in at:
        canvas.disc(x, y, 34, "gold", "line", 5)
        canvas.text(x, y, letter, 40, "line")
    return canvas.sprite()


# What stands around the table; origins are middles unless said otherwise.


@canvas_sprite(palette, (-73, -90, 73, 91), "paper")
def discard(canvas: Canvas, card: Card, letter: str, *, last: bool) -> None:
    """The card taken last, larger than those on the table, in amber while it is the last move."""
    if last:
        canvas.box((-73, -90, 73, 90), "line", radius=18)
        canvas.box((-71, -88, 71, 88), "amber", radius=16)
        canvas.box((-66, -84, 66, 84), "line", radius=12)
    else:
        _shadow(canvas, 0, 0, CARD[0] * 1.14, CARD[1] * 1.14, 11)
    _card(canvas, 0, 0, card, letter, 1.14)


@canvas_sprite(palette, (-73, -90, 73, 91), "paper")
def no_discard(canvas: Canvas) -> None:
    """The empty place of the discards before the first turn."""
    canvas.box((-65, -82, 65, 82), None, "hair", 3, 11)


@canvas_sprite(palette, (0, -39, COLOUR_CHIP, 39), "bar")
def colour_chip(canvas: Canvas, colour: str, letter: str) -> None:
    """The colour to match; its origin is the middle of its left side."""
    corners = [(0, -39), (COLOUR_CHIP, -39), (COLOUR_CHIP, 39), (0, 39)]
    with canvas.within(geometry.rounded(corners, 12)):
        _weave(canvas, colour, (0, -39, COLOUR_CHIP, 39), 1.0, "")
    canvas.box((12, -28, 172, 28), f"{colour}.band", radius=6)
    _emblem_shape(canvas, colour, 59, 0, 22, "white")
    canvas.text(125, 0, letter, 52, "white")


@canvas_sprite(palette, (0, -39, INDEX_CHIP, 39), "bar")
def index_chip(canvas: Canvas, index: int) -> None:
    """The index to match; its origin is the middle of its left side."""
    canvas.box((0, -39, INDEX_CHIP, 39), "plate", radius=10)
    canvas.text(58, 0, str(index), 64, "white")


@canvas_sprite(palette, (-40, -40, 40, 40), "bar")
def border_sign(canvas: Canvas) -> None:
    """The table in small, its border filled: where the game may begin (N5)."""
    for square in range(16):
        column, row = square % 4, square // 4
        box = (column * 20 - 39, row * 20 - 39, column * 20 - 21, row * 20 - 21)
        inner = {column, row} <= {1, 2}
        canvas.box(box, None if inner else "blue", "hair" if inner else None, 2, 4)


@canvas_sprite(palette, (-288, -37, 288, 37), "bar")
def gold_strip(canvas: Canvas) -> None:
    """The rule strip of a game that is won."""
    canvas.box((-288, -37, 288, 37), "gold", "line", 4, 10)


@canvas_sprite(palette, (-36, -30, 36, 30), "bar")
def emblem(canvas: Canvas, seat: int, letter: str) -> None:
    """The marker before a player's name."""
    _piece(canvas, 0, 0, seat, letter, 0.46)


@canvas_sprite(palette, (-19, -16, 19, 16), "bar")
def reserve(canvas: Canvas, seat: int) -> None:
    """One marker still in hand."""
    canvas.box((-17, -13, 17, 13), MARKERS[seat], "edge", 2, 5)
    if seat == 0:
        canvas.polygon([(-12, 0), (0, -9), (12, 0), (0, 9)], "card")
    else:
        canvas.disc(0, 0, 8, "line")


TABLE: Box = (24, 98, 776, 746)
POSTER_BOARD = TABLE
POSTER_GROUND = "plate"
POSTER_INKS = PosterInks("#532075", "#351049", "#632E86", "#E2C8F5")


def poster_pattern(canvas: Canvas, box: Box) -> None:
    """The zigzag of a card."""
    for y in range(int(box[1]) + 8, int(box[3]) + 48, 48):
        across = range(int(box[0]) - 26, int(box[2]) + 52, 26)
        canvas.line([(x, y + n % 2 * 20) for n, x in enumerate(across)], "pattern", 5)


_PLACES = (("M2", 86, 372, -13), ("L2", 192, 352, -2), ("L4", 298, 366, 10))
POSTER_PIECES = (
    (WHOLE_CARD, poster_card, [(BY_CODE[code], *place, 128) for code, *place in _PLACES]),
    (WHOLE_MARKER, poster_marker, [(1, 404, 402, 8, 152)]),
)
"""Three cards, each going on from the one before, and the marker of the sun."""

PODIUM = WHOLE_MARKER, poster_marker, {"red": (0,), "yellow": (1,)}
"""The marker of each side."""
