"""The pieces of shogi in three sets, and the marks of its board, as sprites.

Sides differ by direction, by tone and by their emblem; a promoted piece is red, has another
sign and a thick foot. Nothing is told by colour alone.
"""

from __future__ import annotations

from PIL import Image

from games.shogi.piece_and_move_names import NAMES, kanji
from games.shogi.pieces import (
    DRAGON,
    GOTE,
    KINDS,
    KING,
    KNIGHT,
    PAWN,
    SENTE,
    SLIDES,
    STEPS,
    Kind,
    Piece,
    Way,
    base_of,
    is_promoted,
    kind_of,
    owner_of,
    piece_of,
)
from games.shogi.rules import SIDES
from games.shogi.sfen import LETTERS
from render.kit import Box, Canvas, Sprite, canvas_sprite, drawn_sprite, fonts, marks
from render.kit.geometry import Point
from render.kit.materials import cast
from render.kit.player_bars import WIDEST
from render.kit.poster_ground import PosterInks
from render.kit.sprites import quantised
from render.shogi.colours import keyline, palette

CELL = (78, 80)
"""Width and height of a square."""

ONE, TWO, WESTERN, STARTER = "", "two", "western", "starter"
SETS = (ONE, TWO, WESTERN, STARTER)
"""H24: the sets: one character, two, or letters with the ways of each piece.

The letters of the western set are those of notations, those of the starter set the initials in
the reader's language: it is written with them behind a colon, the pawn's first.
"""


def starter(initials: str) -> str:
    """The starter set with the *initials* of the kinds from the pawn to the king."""
    return f"{STARTER}:{initials}" if len(initials) == KING else WESTERN


def shows_ways(style: str) -> bool:
    """Whether the pieces of a set show how they go."""
    return style == WESTERN or style.startswith(STARTER)


def _letter(style: str, kind: Kind) -> str:
    initials = style.partition(":")[2]
    return initials[kind - 1] if initials else LETTERS[kind]


_SIZES = dict(zip(KINDS, (0.89, 0.92, 0.92, 0.95, 0.95, 0.98, 0.98, 1.0), strict=False))
"""The size of each kind from the pawn to the king."""
_IN_HAND = 0.78


# Drawing, in the coordinates of a canvas.


def pentagon(x: float, y: float, wide: float, high: float, down: bool = False) -> list[Point]:
    """The outline of a piece, its point upwards or *down*."""
    way = -1 if down else 1
    points = [(0.0, -0.5), (0.36, -0.30), (0.5, 0.5), (-0.5, 0.5), (-0.36, -0.30)]
    return [(x + px * wide, y + way * py * high) for px, py in points]


def _body(
    canvas: Canvas,
    x: float,
    y: float,
    piece: Piece,
    scale: float,
    down: bool,
    shade: str,
    deep: float,
) -> None:
    """The wood of a piece with its shadow and its foot, *deep* if it is promoted."""
    side = SIDES[owner_of(piece)]
    promoted = is_promoted(piece)
    way = -1 if down else 1
    wide, high = 69 * scale, 74 * scale

    def fallen(right: float, low: float, ink: str) -> None:
        canvas.polygon(pentagon(x + right, y + low, wide, high, down), ink, ink, 2.4 * scale)

    cast(canvas.palette, fallen, shade, 3.5 * scale)
    outline = pentagon(x, y, wide, high, down)
    canvas.polygon(outline, side)
    foot = (deep if promoted else 8) * scale
    low, inner = y + way * high / 2, y + way * (high / 2 - foot)
    narrow = wide / 2 - foot * 0.14 * wide / (0.8 * high)
    canvas.polygon(
        [(x - wide / 2, low), (x + wide / 2, low), (x + narrow, inner), (x - narrow, inner)],
        f"{side}.red" if promoted else f"{side}.foot",
    )
    canvas.polygon(outline, None, f"{side}.edge", 2.6 * max(scale, 0.8))


def _sign(
    canvas: Canvas, x: float, y: float, piece: Piece, scale: float, down: bool, style: str
) -> None:
    side = SIDES[owner_of(piece)]
    ink = f"{side}.red" if is_promoted(piece) else f"{side}.ink"
    way, turn = (-1, 180) if down else (1, 0)
    promoted = is_promoted(piece)
    if shows_ways(style):
        kind = kind_of(piece)
        _western(canvas, x, y, kind, scale, way, ink, _letter(style, base_of(kind)))
    elif style == TWO:
        name = "王将" if piece == piece_of(KING, GOTE) else NAMES[kind_of(piece)]
        px = (27 if promoted else 29.5) * scale
        for sign, down_by in zip(name, (-17, 10) if promoted else (-14, 16), strict=True):
            canvas.text(x, y + way * down_by * scale, sign, px, ink, turn=turn)
    else:
        size, high = (46, -1.0) if promoted else (49, 1.5)
        canvas.text(x, y + way * high * scale, kanji(piece), size * scale, ink, turn=turn)


_AT: dict[Way, Point] = {
    (0, -1): (0, -27),
    (0, 1): (0, 26),
    (-1, 0): (-25, 4),
    (1, 0): (25, 4),
    (-1, -1): (-19, -16),
    (1, -1): (19, -16),
    (-1, 1): (-26, 25),
    (1, 1): (26, 25),
}
_AT_PROMOTED: dict[Way, Point] = {**_AT, (0, 1): (0, 22), (-1, 1): (-24, 21), (1, 1): (24, 21)}
"""Where the western set marks each way; promoted pieces leave room for the foot."""


def _western(
    canvas: Canvas, x: float, y: float, kind: Kind, scale: float, way: int, ink: str, letter: str
) -> None:
    """The *letter*, upright on both sides, and a mark for each way: a dot steps, a tip slides."""
    promoted = kind > KING
    places = _AT_PROMOTED if promoted else _AT
    high = -1 if promoted else 7 if kind == KNIGHT else 3
    if kind == KNIGHT:
        for side in (-1, 1):
            jump = [(x, y - way * 13 * scale), (x + side * 9 * scale, y - way * 26 * scale)]
            canvas.line(jump, ink, 3.6 * scale)
            canvas.disc(*jump[1], 5 * scale, ink)
    else:
        for step in STEPS[kind]:
            px, py = places[step]
            canvas.disc(x + px * scale, y + way * py * scale, 5 * scale, ink)
    for slide in SLIDES.get(kind, ()):
        px, py = places[slide]
        length = (slide[0] ** 2 + slide[1] ** 2) ** 0.5
        ux, uy = slide[0] / length, slide[1] / length
        tip = [
            (px + ux * 7, py + uy * 7),
            (px - ux * 4 - uy * 7.5, py - uy * 4 + ux * 7.5),
            (px - ux * 4 + uy * 7.5, py - uy * 4 - ux * 7.5),
        ]
        canvas.polygon([(x + a * scale, y + way * b * scale) for a, b in tip], ink)
    px = (33 if promoted else 38) * scale
    canvas.text(x, y + way * high * scale, f"+{letter}" if promoted else letter, px, ink, room=34)


def _draw(
    canvas: Canvas,
    x: float,
    y: float,
    piece: Piece,
    style: str,
    down: bool,
    scale: float = 1.0,
    shade: str = "shade",
) -> None:
    size = scale * _SIZES[base_of(kind_of(piece))]
    if shows_ways(style):
        size = scale * (0.93 if base_of(kind_of(piece)) == PAWN else 1.0)
    # The western marks need the room of a part of the foot.
    _body(canvas, x, y, piece, size, down, shade, 9 if shows_ways(style) else 13)
    _sign(canvas, x, y, piece, size, down, style)


# On a poster, and on paper.

WHOLE: Box = (-38, -41, 38, 44)


def poster_piece(canvas: Canvas, piece: Piece) -> None:
    """A piece as it stands on a poster."""
    _draw(canvas, 0, 0, piece, ONE, down=False)


# Sprites. The origin of what stands on the board is the middle of its square.

_SQUARE: Box = (-CELL[0] / 2, -CELL[1] / 2, CELL[0] / 2, CELL[1] / 2)


@canvas_sprite(palette, (-42, -44, 42, 46))
def standing(canvas: Canvas, piece: Piece, style: str, *, down: bool) -> None:
    """A piece for any ground."""
    _draw(canvas, 0, -1, piece, style, down)


TOPPLED = 68
"""By how many degrees a mated king has fallen over."""


@drawn_sprite
def toppled(theme: str, piece: Piece, style: str, *, down: bool) -> Sprite:
    """The mated king: it lies on its side."""
    canvas = Canvas(palette(theme), (-46, -46, 46, 46))
    _draw(canvas, 0, -1, piece, style, down)
    fallen = canvas.image().rotate(-TOPPLED, Image.Resampling.BICUBIC)
    return quantised(fallen, palette(theme), -46, -46)


@canvas_sprite(palette, _SQUARE, "cell")
def last(canvas: Canvas) -> None:
    """The square that a piece has just come to."""
    marks.last_move(canvas, _SQUARE, 6)


@canvas_sprite(palette, _SQUARE, "cell")
def draw_left(canvas: Canvas, *, down: bool) -> None:
    """The square that a piece has just left, with its hollow outline."""
    marks.last_move(canvas, _SQUARE, 6)
    canvas.polygon(pentagon(0, 0, 36, 40, down), None, "line", 8)
    canvas.polygon(pentagon(0, 0, 36, 40, down), None, "amber", 4)


@canvas_sprite(palette, _SQUARE, "cell")
def winning(canvas: Canvas) -> None:
    """The square of the piece that has won, in gold, with a star in each corner."""
    marks.victory(canvas, _SQUARE, 8, "gold")
    for x in (-27, 27):
        for y in (-28, 28):
            marks.victory_star(canvas, x, y, 8, 0)


@canvas_sprite(palette, _SQUARE)
def free(canvas: Canvas) -> None:
    """The corners about a piece that may be chosen."""
    marks.free(canvas, _SQUARE, keyline(canvas))


@canvas_sprite(palette, _SQUARE, "cell")
def draw_chosen(canvas: Canvas) -> None:
    """The square of the piece that is being played."""
    _frame(canvas, "chosen", 8)


@canvas_sprite(palette, _SQUARE, "cell")
def draw_aimed(canvas: Canvas) -> None:
    """The square of a piece that may be captured."""
    _frame(canvas, "aimed", 7)


def _frame(canvas: Canvas, field: str, radius: int) -> None:
    white = keyline(canvas)
    marks.chosen_frame(canvas, marks.grown(_SQUARE, -4 if white else 0), radius, field, white)


@canvas_sprite(palette, _SQUARE, "cell")
def check(canvas: Canvas) -> None:
    """The square of a king in check, in a double ring that leaves the squares around alone."""
    canvas.box(_SQUARE, "white", radius=9)
    canvas.box(_SQUARE, None, "red", 5, 9)
    canvas.box(marks.grown(_SQUARE, -8), "danger", "red", 4, 6)


@canvas_sprite(palette, (-33, -33, 33, 33))
def target(canvas: Canvas, name: str) -> None:
    """An empty square that the piece may go to, with its *name* as on the buttons."""
    if keyline(canvas):
        canvas.disc(0, 0, 31, "white")
    canvas.disc(0, 0, 28, "blue")
    marks.lozenge(canvas, 0, 0, name, 27)


@canvas_sprite(palette, _SQUARE)
def prey(canvas: Canvas, name: str) -> None:
    """The name of a square on which a piece may be captured, at its lower right."""
    half, high = marks.lozenge_size(name, 27)
    marks.lozenge(canvas, _SQUARE[2] - half - 1, _SQUARE[3] - high - 1, name, 27)


@canvas_sprite(palette, (-15, -15, 15, 15))
def dot(canvas: Canvas) -> None:
    """A square that the piece may go to, without its name."""
    canvas.disc(0, 0, 13, "white")
    canvas.disc(0, 0, 11, "blue")


# What stands in the bars; the origin is the middle.


@canvas_sprite(palette, (-22, -24, 22, 24), "bar")
def emblem(canvas: Canvas, seat: int, *, down: bool) -> None:
    """The sign of a side: a filled pentagon for sente, a hollow one for gote."""
    outline = pentagon(0, 0, 34, 40, down)
    canvas.polygon(outline, "ink" if seat == SENTE else "bar", "ink", 3 if seat == SENTE else 4)


@drawn_sprite
def held(
    theme: str,
    piece: Piece,
    style: str,
    count: int,
    *,
    down: bool,
    crowded: bool,
    picked: bool,
    free: bool = False,
) -> Sprite:
    """A piece in hand, its *count* on it if *crowded*; *picked* to drop, or *free* to be."""
    room = held_room(count, crowded=crowded)
    canvas = Canvas(palette(theme), (-room / 2, -30, room / 2, 30), "bar")
    x = -room / 2 + 29
    if picked:
        canvas.box((-room / 2, -30, room / 2, 30), "picked", "blue", 5, 10)
    elif free:
        marks.free(canvas, (x - 31, -32, x + 31, 32), keyline(canvas), 14)
    # Two characters one over the other would be too low in a hand.
    _draw(canvas, x, -1, piece, ONE if style == TWO else style, down, _IN_HAND, "bar.shade")
    text = str(count)
    if count > 1 and crowded:
        wide = max(26, fonts.width(text, 27) + 8)
        canvas.box((x + 30 - wide, 0, x + 30, 30), "ink", "bar", 2, 8)
        canvas.text(x + 30 - wide / 2, 15, text, 27, "paper")
    elif count > 1:
        canvas.text(x + 30, 0, text, 27, "ink", "lc")
    return canvas.sprite()


def held_room(count: int, *, crowded: bool) -> int:
    """The width that a kind of pieces takes in a bar."""
    if crowded:
        return 59
    return 61 if count < 2 else 66 + round(fonts.width(str(count), 27))


@drawn_sprite
def tag(theme: str, words: str, room: int = WIDEST, *, danger: bool) -> Sprite:
    """A word behind a name: check, or how the game ended; its origin is at the left."""
    wide = min(room, fonts.width(words, 27) + 20)
    canvas = Canvas(palette(theme), (0, -20, wide, 20), "bar")
    canvas.box((0, -20, wide, 20), "red" if danger else "ink", radius=10)
    canvas.text(wide / 2, 0, words, 27, "white" if danger else "bar", room=wide - 12)
    return canvas.sprite()


POSTER_BOARD = (24, 98, 776, 858)
POSTER_GROUND = "frame"
POSTER_INKS = PosterInks("#7C4C1A", "#54320D", "#885723", "#FBE6BC")

_STANDING = (
    (piece_of(DRAGON, GOTE), 96, 366, -12, 150),
    (piece_of(PAWN, GOTE), 346, 386, 12, 136),
    (piece_of(KING, SENTE), 222, 352, 0, 186),
)
"""Kind, owner, middle, turn and width, the rearmost first."""


def poster_pattern(canvas: Canvas, box: Box) -> None:
    """The lines of a board."""
    for y in range(int(box[1]) + 30, int(box[3]), 62):
        canvas.line([(box[0], y), (box[2], y)], "pattern", 3)
    for x in range(int(box[0]) + 20, int(box[2]), 60):
        canvas.line([(x, box[1]), (x, box[3])], "pattern", 3)


POSTER_PIECES = ((WHOLE, poster_piece, _STANDING),)
"""Three pieces of the set that everybody knows."""

PODIUM = WHOLE, poster_piece, {side: (piece_of(KING, seat),) for seat, side in enumerate(SIDES)}
"""The king of each side."""
