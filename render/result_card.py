"""The card of a finished game: who beat whom, the board where it turned, where to find us."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import segno
from PIL import Image

from render.club.club_canvas import BLACK, BOLD, LEAST, SEMIBOLD, WIDE, ClubCanvas
from render.kit.palettes import FLATS
from render.kit.poster_ground import poster_inks
from render.kit.posters import poster_parts

QUIET = 4
"""How many modules stay white around a code (ISO/IEC 18004, 9.1)."""


def qr_code(link: str, room: int) -> Image.Image:
    """The code of *link* in mode L, black on white, as large as whole pixels allow in *room*."""
    rows = [*segno.make(link, error="m", micro=False).matrix_iter(border=QUIET)]
    code = Image.new("L", (len(rows),) * 2)
    code.putdata([0 if dark else 255 for row in rows for dark in row])
    return code.resize((code.width * max(1, room // code.width),) * 2, Image.Resampling.NEAREST)


TALL: Final = (1080, 1920)
"""The size of a card for the stories of phones, which put signs of their own above and below."""


@dataclass(frozen=True)
class Standing:
    """One line of the podium: the *place* and the *name*; a *star* marks who won alone.

    *side* is what was played, as the game calls it, *figure* the rating and *change* its points.
    """

    place: int
    name: str
    star: bool = False
    side: str = ""
    figure: str = ""
    change: int = 0


@dataclass(frozen=True)
class Result:
    """The content of a card of *game*, which is *called* so.

    *said* is who beat whom, in up to two parts; *why* a sentence. *turning* says which move the
    board shows. *link* leads to us, *find* says so, *foot* is the day.
    """

    title: str
    podium: tuple[Standing, ...]
    said: tuple[str, str]
    foot: str
    called: str = ""
    why: str = ""
    turning: str = ""
    find: str = ""
    link: str = ""
    theme: str = "light"
    won: bool = True
    game: str = ""


def card(result: Result, board: Image.Image, *, tall: bool = False) -> Image.Image:
    """The card in mode P with the *board*, a picture of the game 800 wide; *tall* for stories."""
    size = TALL if tall else WIDE
    canvas = ClubCanvas(result.theme, size=size)
    wide, high = size
    canvas.ground(result.game, [(0, 0), (wide, 0), (wide, high), (0, high)], high * 2 // 5)
    (_put_tall if tall else _put_wide)(canvas, result, board_alone(result.game, board))
    return canvas.in_palette()


def film_card(result: Result, board: Image.Image, like: Image.Image) -> Image.Image:
    """The cover or the end of a film, as large as its picture *like* and in its palette."""
    # A film packs what is flat: no pattern, and one colour alone.
    canvas = ClubCanvas(result.theme, poster_inks(result.game).ground, like.size)
    wide, high = like.size
    low = high - 186 - 56 * len(result.podium)
    _put_story(canvas, result, board_alone(result.game, board), 106, 68, low)
    _put_standings(canvas, result, 60, low + 44, wide - 120, 1.1, 56)
    _put_door(canvas, result, 36, high - 158, wide - 72, 1.1)
    small = canvas.image().convert("RGB").quantize(palette=like, dither=Image.Dither.NONE)
    small.putpalette(like.getpalette("RGB") or [])
    small.info.update({key: told for key, told in like.info.items() if key == FLATS})
    return small


def board_alone(game: str, picture: Image.Image) -> Image.Image:
    """The board of a *picture* of *game* 800 wide, without what stands around it."""
    parts = poster_parts(game)
    return picture if parts is None else picture.crop(parts.POSTER_BOARD)


def _put_wide(canvas: ClubCanvas, result: Result, board: Image.Image) -> None:
    accent, four = poster_inks(result.game).accent, len(result.podium) > 2
    (left, top), (right, _), _ = canvas.board(board, (470, 62, 1072, 680))
    canvas.tag((left + right) / 2, top - 26, result.turning, anchor="m")
    x, room = 36, left - 76
    canvas.words(x, 42, result.called, 38, accent, BOLD, room=room)
    y = canvas.headline(x, 104, result.said[0], 62, room, 1 + (not four))
    y = canvas.lines(x, y - 2, result.said[1], 38, room, "white", BOLD, 2)
    canvas.words(x, y, f"«{result.title}»", 40, "title", BOLD, room=room)
    step = 52 if four else 60
    _put_standings(canvas, result, x, y + 54, room, 1, step)
    y += 54 + step * len(result.podium)
    if y < 500:
        canvas.lines(x, y + 4, result.why, 36, room, "white", most=2)
    _put_door(canvas, result, x, 566, room, 1)


def _put_story(
    canvas: ClubCanvas, result: Result, board: Image.Image, y: float, px: float, low: float
) -> float:
    """Who beat whom from *y* on, *px* large, then the *board* down to *low* at most; its end."""
    wide = canvas.size[0]
    middle, room, accent = wide / 2, wide - 0.9 * px, poster_inks(result.game).accent
    canvas.words(middle, y - 0.9 * px, result.called, 0.6 * px, accent, BOLD, "m", room)
    y = canvas.headline(middle, y, result.said[0], px, room, 1, "m")
    canvas.words(middle, y - 0.07 * px, result.said[1], 0.55 * px, "white", BOLD, "m", room, 0.6)
    y += 0.66 * px * bool(result.said[1])
    if result.title:
        canvas.words(middle, y, f"«{result.title}»", 0.62 * px, "title", BOLD, "m", room, 0.6)
        y += 1.04 * px
    (_, top), _, (_, foot) = canvas.board(board, (px * 0.74, y + px * 0.2, wide - px * 0.74, low))
    canvas.tag(middle, top - 0.41 * px, result.turning, 0.5 * px, "m")
    return foot


def _put_tall(canvas: ClubCanvas, result: Result, board: Image.Image) -> None:
    foot = _put_story(canvas, result, board, 306, 100, 1400 - 92 * max(0, len(result.podium) - 2))
    _put_standings(canvas, result, 116, foot + 68, 850, 1.6, 88)
    _put_door(canvas, result, 115, 1600, 850, 1.5)


def _put_standings(
    canvas: ClubCanvas, result: Result, x: float, y: float, room: float, scale: float, step: float
) -> None:
    """The podium from *y* on, each *step* below the last."""
    for one in result.podium:
        if one.star:
            canvas.star(x + 20 * scale, y, 21 * scale)
        else:
            canvas.disc(x + 20 * scale, y, 20 * scale, "white")
            canvas.words(x + 20 * scale, y, str(one.place), 34 * scale, "dark", BLACK, "m")
        canvas.piece(result.game, one.side, x + 74 * scale, y, 50 * scale)
        end = x + room
        if one.change:
            canvas.change(end, y, one.change, on_ground=True)
        if one.figure:
            end -= canvas.words(end - 92, y, one.figure, 36 * scale, "white", BOLD, "r") + 104
        weight, begin = BLACK if one.star else SEMIBOLD, x + 110 * scale
        canvas.words(begin, y, one.name, 36 * scale, "white", weight, room=end - begin)
        y += step


def _put_door(
    canvas: ClubCanvas, result: Result, x: float, y: float, room: float, scale: float
) -> None:
    """The way to us: the code of the link, and what stands beside it."""
    begin = x
    if result.link:
        code = qr_code(result.link, round(124 * scale))
        canvas.code(code, x, y - 6)
        begin += code.width + 18
    accent, room = poster_inks(result.game).accent, room - (begin - x)
    canvas.lines(begin, y + 22 * scale, result.find, 36 * scale, room, "white", BOLD, 2)
    canvas.words(begin, y + 100 * scale, result.foot, LEAST * scale, accent, room=room)
