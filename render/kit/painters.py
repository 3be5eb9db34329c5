"""The interface of painters, how one is found, and their pictures: of scenes and of rule texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Protocol, TypeAlias, cast

from cachetools import LRUCache
from PIL import Image, ImageDraw

from games.core import Phrase, Seat
from render.kit import fonts
from render.kit.game_modules import module_of
from render.kit.geometry import Box
from render.kit.missed_moves_strip import Vignette, recap_strip, under
from render.kit.output import WIDTH, png, sized
from render.kit.player_bars import GAP
from render.kit.posters import poster_parts, poster_picture
from render.kit.sprite_cache import STORE
from render.kit.sprites import PLATES, Sheet
from render.kit.themes import MATERIALS, THEMES, plain
from render.scene import Poster, Recap, Scene

Say: TypeAlias = Callable[[Phrase], str]
"""Turns a phrase into a sentence: ``language(code).say`` of ``bot.texts``."""

MARGIN = 24
"""The room between the pictures of a figure, before they are resized."""

NAMES = 44
"""The height of the line of names under the pictures of a figure."""


RECAPS = 32
"""How many recaps are remembered: a board is painted again with every step of a choice."""

POSTERS = 32
"""How many posters are remembered: a process shows the same few again and again."""


PNG = b"\x89PNG"
"""How a file of a picture begins."""


class NoPainter(LookupError):
    """The game has no painter, or the painter no such figure."""


@dataclass(frozen=True)
class Spot:
    """Where *step* can be tapped: a box in fractions (0 … 1) of the picture."""

    step: str
    x: float
    y: float
    w: float
    h: float

    @classmethod
    def of(cls, step: str, box: Box, height: int) -> Spot:
        """The spot of *box*, in pixels of a picture ``WIDTH`` wide and *height* high.

        >>> Spot.of("a1", (0, 400, 200, 600), 800)
        Spot(step='a1', x=0.0, y=0.5, w=0.25, h=0.25)
        """
        left, top, right, bottom = box
        w, h = (right - left) / WIDTH, (bottom - top) / height
        return cls(step, left / WIDTH, top / height, w, h)


@dataclass(frozen=True)
class Figure:
    """A picture for the rule text of a game: one scene, or several side by side.

    *scenes* makes them on demand, without theme and captions, which are filled in. *crop* is the
    part to show: left, top, right and bottom in pixels of the picture; without it all is shown.
    Several scenes together become 800 pixels wide; *names* stand under them, one each.
    """

    scenes: Callable[[], tuple[Scene, ...]]
    crop: tuple[int, int, int, int] | None = None
    names: tuple[Phrase, ...] = ()


class Painter(Protocol):
    """What a module ``render.<game>.painter`` exports.

    ``LETTERS`` is true if targets show the letters of their buttons, false if the step itself can
    be read on the board. ``FIGURES`` are the figures of the rule texts by name; ``COVER`` is the
    one shown where games are chosen. ``BOTTOM`` is the seat at the bottom in the public view;
    ``TURNS`` is true if the board turns with the seat at the bottom. A painter with several sets
    of pieces exports the names of the others as ``SETS``, one with a look in materials
    ``MATERIAL``. Where cells are no places for pieces that are set up by hand,
    ``stands(scene, key)`` are the spots for the piece *key* of ``games.core.Editor``, if any.
    Where a move lays a piece, ``lays(scene)`` is that piece by the last step of the choice, or
    ``""`` for the place itself, and the point of it from the corner of the place.
    With ``HEIGHT`` and bars, ``HEADER`` and ``FOOTER`` for the seats above and below or
    ``bars(scene)`` with one for each seat, pages show the board alone.
    """

    BOTTOM: Seat
    COVER: str
    LETTERS: bool
    TURNS: bool
    FIGURES: Mapping[str, Figure]

    def captions(self, seen: Any) -> dict[str, Phrase]:
        """The words in the picture of *seen*, by the keys that ``paint`` uses."""

    def paint(self, scene: Scene) -> Image.Image:
        """The picture, 800 pixels wide, in mode P; for a small size it may say less."""

    def spots(self, scene: Scene) -> tuple[Spot, ...]:
        """Where the targets of *scene* can be tapped."""

    def cells(self, scene: Scene) -> tuple[Spot, ...]:
        """All that can be pointed at on the board of *scene*, whether a target or not."""


def paint_by(sheet_of: Callable[[Scene], Sheet]) -> Callable[[Scene], Image.Image]:
    """The ``paint`` of a painter that puts sheets together."""
    return lambda scene: sheet_of(scene).picture()


@cache
def painter(game: str) -> Painter:
    """The painter of *game*, found by its name; raises ``NoPainter``."""
    found = module_of(game, "painter")
    if found is None or not hasattr(found, "FIGURES"):
        raise NoPainter(f"the game {game!r} has no painter: render/{game}/painter.py is missing")
    return cast(Painter, found)


@cache
def themed(game: str, theme: str, pieces: str, *, material: bool = False) -> str:
    """The *theme* for the painter of *game*: with the set *pieces*, if it has that.

    The first theme stands for one that there is not. *material* asks for the look in
    materials, which the themes for weak eyes and games from elsewhere do not have.
    """
    theme = theme if theme in THEMES else next(iter(THEMES))
    if theme in MATERIALS and getattr(painter(game), "MATERIAL", False):
        theme = MATERIALS[theme] if material else theme
    sets: tuple[str, ...] = getattr(painter(game), "SETS", ())
    return f"{theme}-{pieces}" if pieces in sets else theme


def bars_of(scene: Scene) -> tuple[Spot, ...]:
    """Where the bar of each seat is on the picture of *scene*; nothing for a painter without."""
    drawn: Any = painter(scene.game)
    two = [getattr(drawn, name) for name in ("FOOTER", "HEADER") if hasattr(drawn, name)]
    found = drawn.bars(scene) if hasattr(drawn, "bars") else two[:: -1 if scene.bottom else 1]
    boxes = [(bar.left, bar.top, bar.right, bar.top + bar.height) for bar in found]
    return tuple(Spot.of("", box, drawn.HEIGHT) for box in boxes)


def rows_between(bars: Sequence[Spot]) -> tuple[float, float]:
    """Top and bottom of the board between *bars*; what lies beside a short one belongs to it.

    >>> rows_between([Spot("", 0, 0.9, 1, 0.1), Spot("", 0, 0, 1, 0.1)])
    (0.1, 0.9)
    """
    upper, lower = ([one for one in bars if (one.y > HALF) is low] for low in (False, True))
    whole = sum(one.w for one in lower) > WHOLE
    top = max((one.y + one.h for one in upper), default=0.0)
    return top, min((one.y if whole else one.y + one.h for one in lower), default=1.0)


HALF, WHOLE = 0.5, 0.8
"""The middle of a picture, and the share of its width from which bars fill it."""


POINTED = (196, 30, 110)
"""The colour of a ring around what words point to: none of the marks that a board has."""


def pointed_at(picture: Image.Image, spots: Sequence[Spot]) -> Image.Image:
    """*picture*, of mode P, with a ring around each of *spots*."""
    marked, palette = picture.copy(), list(picture.getpalette() or ())
    # A palette of 256 colours has no room: the last one is the rarest.
    index = min(len(palette) // 3, 255)
    palette[3 * index : 3 * index + 3] = POINTED
    marked.putpalette(palette)
    draw = ImageDraw.Draw(marked)
    for spot in spots:
        left, top = spot.x * picture.width, spot.y * picture.height
        right, bottom = left + spot.w * picture.width, top + spot.h * picture.height
        draw.ellipse((left, top, right - 1, bottom - 1), outline=index, width=5)
    return marked


def paint(scene: Scene | Poster) -> Image.Image:
    """The picture of *scene* in mode P; raises ``NoPainter``, and ``ValueError`` for a bad size."""
    if isinstance(scene, Poster):
        return _painted_poster(scene)
    picture = painter(scene.game).paint(scene)
    if scene.pointed:
        cells = painter(scene.game).cells(scene)
        picture = pointed_at(picture, [cell for cell in cells if cell.step in scene.pointed])
    if scene.recap is not None:
        picture = under(_painted_recap(scene.recap), picture)
    return sized(picture, scene.size)


COLUMN = 142
"""How wide the column of plates is at least."""


def landscape(scene: Scene) -> Image.Image:
    """The picture of *scene* with the bars beside the board, at most 1.2 times as wide as high.

    Its painter says by ``BESIDE`` which parts it is made of: the board, what comes below it, and
    what stands between the bars; without, and with a recap, it is as ever.
    """
    picture, parts = paint(scene), getattr(painter(scene.game), "BESIDE", ())
    plates = picture.info.get(PLATES, ())
    if not (parts and plates) or scene.recap is not None:
        return picture
    board, *below = (picture.crop(box) for box in parts)
    left, high = board.width + GAP, board.height + sum(one.height + GAP for one in below[:1])
    wide = max(board.width + COLUMN, high * 6 // 5)
    sheet, room, above, low = Sheet(plates[0].palette, wide, high), wide - left - GAP, 5, high - 5
    for plate in sorted(plates, key=lambda one: one.bar.left):
        if 2 * plate.bar.top < picture.height:
            above = plate.put(sheet, left, above, room)
    for plate in sorted(plates, key=lambda one: -one.bar.left):
        if 2 * plate.bar.top >= picture.height:
            low = plate.put(sheet, left, low, room, up=True)
    whole = sheet.picture().copy()
    whole.putpalette(picture.getpalette() or ())
    whole.paste(board, (0, 0))
    for one in below[:1]:
        whole.paste(one, ((board.width - one.width) // 2, board.height + GAP))
    for one in below[1:]:
        whole.paste(one, (left + (room - one.width) // 2, (above + low - one.height) // 2))
    return whole


def _picture_file(scene: Scene | Poster) -> bytes:
    """The PNG file of *scene*; that of a poster stays from one start to the next."""
    if not isinstance(scene, Poster):
        return png(landscape(scene) if scene.wide else paint(scene))
    key = STORE.key("poster", scene.board.game, scene.board.theme, scene.title, scene.words)
    kept = STORE.get(key)
    if kept is None or not kept.startswith(PNG):
        kept = png(paint(scene))
        STORE.put(key, kept)
    return kept


@lru_cache(maxsize=RECAPS)
def _painted_recap(recap: Recap) -> Image.Image:
    shots = []
    for moment in recap.moments:
        shown = painter(moment.scene.game)
        marked = shown.paint(moment.scene)
        shots.append(Vignette(marked, shown.paint(replace(moment.scene, last=())), moment.words))
    return recap_strip(recap.title, shots, plain(recap.moments[0].scene.theme))


@lru_cache(maxsize=POSTERS)
def _painted_poster(poster: Poster) -> Image.Image:
    parts = poster_parts(poster.board.game)
    if parts is None:
        raise NoPainter(f"the game {poster.board.game!r} has no poster")
    theme = poster.board.theme.partition("-")[0]
    return poster_picture(parts, theme, poster.title, poster.words, paint(poster.board))


class Gallery:
    """The *most* pictures asked for last, each painted once. Safe to use from threads."""

    def __init__(self, most: int = 256) -> None:
        self._pictures: LRUCache[Scene | Poster, Future[bytes]] = LRUCache(most)
        self._lock = Lock()

    def ready(self, scene: Scene | Poster) -> bytes | None:
        """The picture of *scene* if it is painted already; never waits."""
        wanted = self.begin(scene)
        if wanted is None or not wanted.done() or wanted.exception() is not None:
            return None
        return wanted.result()

    def begin(self, scene: Scene | Poster) -> Future[bytes] | None:
        """The picture of *scene* if it is painted already or being painted."""
        with self._lock:
            return self._pictures.get(scene)

    def ask(self, scene: Scene | Poster) -> tuple[Future[bytes], bool]:
        """The future picture, and whether the caller, being the first, must ``fulfil`` it."""
        with self._lock:
            wanted = self._pictures.get(scene)
            if wanted is not None:
                return wanted, False
            wanted = self._pictures[scene] = Future()
            wanted.set_running_or_notify_cancel()  # One who stops waiting must not cancel it.
            return wanted, True

    def fulfil(self, scene: Scene | Poster, wanted: Future[bytes]) -> None:
        """Paint *scene* into *wanted*; an error is raised in all who wait."""
        try:
            wanted.set_result(_picture_file(scene))
        except BaseException as wrong:
            with self._lock:
                self._pictures.pop(scene, None)
            wanted.set_exception(wrong)

    def picture(self, scene: Scene | Poster) -> bytes:
        """The picture of *scene* as a PNG file; raises what ``paint`` raises."""
        wanted, first = self.ask(scene)
        if first:
            self.fulfil(scene, wanted)
        return wanted.result()


def captions(game: str, seen: Any, say: Callable[[Phrase], str]) -> tuple[tuple[str, str], ...]:
    """The words in a picture of *seen*, as a scene holds them."""
    return tuple(sorted((key, say(said)) for key, said in painter(game).captions(seen).items()))


def figure(game: str, name: str, theme: str = "light", say: Say | None = None) -> Image.Image:
    """The figure *name* of *game*, its captions by *say*; raises ``NoPainter`` if there is none."""
    found = painter(game)
    if name not in found.FIGURES:
        raise NoPainter(f"the game {game!r} has no figure {name!r}: {', '.join(found.FIGURES)}")
    drawn = found.FIGURES[name]
    pictures = [found.paint(_dressed(scene, theme, say)) for scene in drawn.scenes()]
    row = _beside([picture.crop(drawn.crop) for picture in pictures])
    return _named(row, [say(name) for name in drawn.names], theme) if say and drawn.names else row


def _dressed(scene: Scene, theme: str, say: Say | None) -> Scene:
    told = captions(scene.game, scene.seen, say or (lambda _: ""))
    return replace(scene, theme=theme, captions=told)


def _beside(pictures: list[Image.Image]) -> Image.Image:
    first, *others = pictures
    if not others:
        return first
    gap = MARGIN
    width = sum(picture.width for picture in pictures) + gap * len(others)
    row = Image.new("P", (width, max(picture.height for picture in pictures)))  # 0 is paper.
    row.putpalette(first.getpalette() or [])
    left = 0
    for picture in pictures:
        row.paste(picture, (left, 0))
        left += picture.width + gap
    return sized(row, WIDTH)


def _named(row: Image.Image, names: list[str], theme: str) -> Image.Image:
    """*row* with *names* under its pictures, which are all as wide."""
    tokens = THEMES[plain(theme)]
    line = Image.new("RGB", (row.width, NAMES), tokens["paper"])
    draw, column = ImageDraw.Draw(line), row.width / len(names)
    for number, name in enumerate(names):
        sizes = (px for px in range(27, 16, -1) if fonts.width(name, px) <= column - 8)
        place = (column * (number + 0.5), NAMES / 2)
        draw.text(place, name, tokens["ink"], fonts.font(next(sizes, 16)), "mm")
    whole = Image.new("P", (row.width, row.height + NAMES))
    whole.putpalette(row.getpalette() or [])
    whole.paste(row, (0, 0))
    whole.paste(line.quantize(palette=row, dither=Image.Dither.NONE), (0, row.height))
    return whole
