"""The bars above and below a board: whose side it is, the name, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from games.core import Seat
from render.kit import fonts, marks
from render.kit.canvas import Canvas
from render.kit.palettes import Palette
from render.kit.sprite_cache import canvas_sprite
from render.kit.sprites import Sheet, Sprite
from render.scene import Scene

NARROWEST = 0.75
"""The share of its width to which a line is narrowed before it is cut."""

TAG = 126
"""The room of a tag on a plate."""

WIDEST = 10_000
"""More room than any line has."""


class Mood(Enum):
    """What a bar says about its player besides the name."""

    WAITING = "waiting"
    TURN = "turn"
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    RESIGNED = "resign"
    LATE = "time"
    APART = "apart"
    """Nothing: whoever draws the picture from sprites says it beside the board."""

    @classmethod
    def of(cls, scene: Scene, seat: Seat) -> Mood:
        """What the bar of *seat* says in *scene*."""
        if scene.apart:
            return cls.APART
        end = scene.ended or scene.seen.outcome()
        if end:
            if seat not in end.places[0]:
                return {"resign": cls.RESIGNED, "time": cls.LATE}.get(end.reason, cls.LOST)
            return cls.WON if len(end.places[0]) == 1 else cls.DRAWN
        return cls.TURN if seat in scene.seen.actors() and not scene.calm else cls.WAITING


_QUIET = (Mood.WAITING, Mood.LOST, Mood.RESIGNED, Mood.LATE)
_LINE_AND_INK = {mood: ("hair", "soft") if mood in _QUIET else ("ink", "ink") for mood in Mood}
"""The colours of a bar's outline and of its name."""


@dataclass(frozen=True)
class Item:
    """A sprite at the right of a bar, its origin in the middle of its *room* of pixels."""

    sprite: Sprite
    room: int


@dataclass(frozen=True)
class Bar:
    """Where a bar lies, and how it looks.

    *emblem_at* (the middle) and *name_at* (the beginning) count from the left end; *size* is that
    of the name.
    """

    top: int
    left: int = 24
    right: int = 776
    height: int = 64
    emblem_at: int = 84
    name_at: int = 132
    size: int = 28

    def put(
        self,
        sheet: Sheet,
        name: str,
        emblem: Sprite,
        items: Sequence[Item] = (),
        mood: Mood = Mood.WAITING,
        tag: Sprite | None = None,
    ) -> None:
        """Draw the bar: mark, *emblem*, *name* and, from the right, *items*.

        The name is narrowed or cut if *tag*, which follows it, and the items need the room. What is
        higher than the bar stands on its plate alone (``Plate``), beside the board. Of
        ``Mood.APART`` only emblem, *tag* and *items* are drawn.
        """
        sheet.plates.append(Plate(sheet.palette, self, name, emblem, tuple(items), mood, tag))
        palette, middle = sheet.palette, self.top + self.height // 2
        name = "" if mood is Mood.APART else name
        line, ink = _LINE_AND_INK[mood]
        size = (self.right - self.left, self.height)
        if mood is not Mood.APART:
            sheet.put(_ground(palette, size, line), self.left, self.top)
        if mood not in (Mood.WAITING, Mood.APART):
            sheet.put(_mark(palette, mood, ink), self.left + 27, middle)
        sheet.put(emblem, self.left + self.emblem_at, middle)
        right = self.right - 14
        for item in (one for one in reversed(items) if one.sprite.height <= self.height):
            sheet.put(item.sprite, right - item.room // 2, middle)
            right -= item.room
        if mood is Mood.APART and tag:
            right -= tag.width + 12
        left = self.left + self.name_at
        if mood in GESTURES:
            right -= 48
            sheet.put(_gesture(palette, mood), right + 20, middle)
        room = right - left - 10 - (tag.width + 12 if tag else 0)
        room = _needed(name, self.size, room)
        written = label(palette, name, self.size, ink, "bar", room)
        if name:
            sheet.put(written, left, middle)
        if tag:
            sheet.put(tag, left + written.width + 12 if mood is not Mood.APART else right, middle)
        if mood is Mood.WON:
            # Last, since what stands in a bar reaches to its edges.
            sheet.put(_gold(palette, size), self.left, self.top)


HEAD, NAME, GAP = 60, 42, 8
"""How high a plate's lines of the emblem and the name are, and the room around plates."""


@dataclass(frozen=True)
class Plate:
    """What a *bar* said, as it stands beside the board: line by line, as narrow as one likes."""

    palette: Palette
    bar: Bar
    name: str
    emblem: Sprite
    items: tuple[Item, ...]
    mood: Mood
    tag: Sprite | None

    def _lines(self, wide: int, ink: str) -> list[tuple[int, list[tuple[Sprite, int]]]]:
        """The lines with their heights: sprites, each with its place from the left."""
        head = [(self.emblem, 44)]
        if self.mood is not Mood.WAITING:
            head.append((_mark(self.palette, self.mood, ink), wide - 26))
        if self.mood in GESTURES:
            head.append((_gesture(self.palette, self.mood), wide - 66))
        room = _needed(self.name, self.bar.size, wide - 18)
        name = label(self.palette, self.name, self.bar.size, ink, "bar", room)
        found = [(HEAD, head)]
        found += [(NAME, [(one, 10)]) for one in (name if self.name else None, self.tag) if one]
        left = 0
        for item in self.items:
            if item.room > left:
                left = wide - 8
                found.append((item.sprite.height + 6, []))
            found[-1][1].append((item.sprite, wide - 2 - left + item.room // 2))
            left -= item.room
        return found

    def put(self, sheet: Sheet, left: int, top: int, wide: int, *, up: bool = False) -> int:
        """Draw it *wide* below *top*, or *up* from there; answers where the next one begins."""
        line, ink = _LINE_AND_INK[self.mood]
        lines = self._lines(wide, ink)
        size = (wide, sum(high for high, _ in lines) + GAP)
        top -= size[1] * up
        sheet.put(_ground(self.palette, size, line), left, top)
        y = top + GAP // 2
        for high, sprites in lines:
            for sprite, x in sprites:
                sheet.put(sprite, left + x, y + high // 2)
            y += high
        if self.mood is Mood.WON:
            sheet.put(_gold(self.palette, size), left, top)
        return top - GAP if up else top + size[1] + GAP


@canvas_sprite(Palette.itself, lambda size, _: (0, 0, *size), "paper")
def _ground(canvas: Canvas, size: tuple[int, int], line: str) -> None:
    canvas.box((0, 0, *size), "bar", line, 2, 10)


@canvas_sprite(Palette.itself, lambda size: marks.grown((0, 0, *size), 7))
def _gold(canvas: Canvas, size: tuple[int, int]) -> None:
    marks.victory(canvas, marks.grown((0, 0, *size), 7), 14)


GESTURES = (Mood.DRAWN, Mood.RESIGNED, Mood.LATE)
"""Ends that the board itself does not show: their bars show a sign for it."""


@canvas_sprite(Palette.itself, (-22, -24, 22, 24), "bar")
def _gesture(canvas: Canvas, mood: Mood) -> None:
    match mood:
        case Mood.RESIGNED:
            marks.white_flag(canvas)
        case Mood.LATE:
            marks.hourglass(canvas)
        case _:
            marks.even(canvas)


@canvas_sprite(Palette.itself, (-20, -20, 20, 20), "bar")
def _mark(canvas: Canvas, mood: Mood, ink: str) -> None:
    match mood:
        case Mood.WON | Mood.DRAWN | Mood.LOST | Mood.RESIGNED | Mood.LATE:
            share = {Mood.WON: 1.0, Mood.DRAWN: 0.5}.get(mood, 0.0)
            rim = ink if ink == "soft" else "line" if share == 1 else "ink"
            marks.victory_star(canvas, 0, 0, 13, share, "bar", rim)
        case _:
            canvas.polygon([(-13 * 0.8, -13), (-13 * 0.8, 13), (13, 0)], ink)


@lru_cache(maxsize=1024)
def _needed(text: str, px: float, room: int) -> int:
    """*room*, or ``WIDEST`` if *text* needs less, so that it is drawn once for any room."""
    return WIDEST if fonts.width(fonts.fitting_text(text, px, WIDEST), px) <= room else room


@lru_cache(maxsize=1024)
def label(
    palette: Palette, text: str, px: float, colour: str, ground: str, room: float = WIDEST
) -> Sprite:
    """A line of *text* on a flat *ground*; its origin is at the left, half way up a capital.

    If it is wider than *room* pixels, it is narrowed, and only then cut.
    """
    written = fonts.fitting_text(text, px, room / NARROWEST)
    if not written:
        return Canvas(palette, (0, 0, 1, 1)).sprite()
    high = round(px * 0.85)  # Signs over and under the letters of some scripts need it.
    canvas = Canvas(palette, (0, -high, min(room, fonts.width(written, px)) + 1, high), ground)
    canvas.text(0, 0, written, px, colour, "lc", room=room)
    return canvas.sprite()
