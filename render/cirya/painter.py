"""The board of Cirya: nossi with all their pieces, previews of choices, and the londë.

A nossë is its top piece beside a ladder of slabs, bottom piece lowest, with its height in
figures. North is always up, whoever sits at the bottom: the words of the moves say «north».
Targets need no letters: sati have names, and the strip shows what would fall where.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

from games.cirya import GAME
from games.cirya.board import Board, chain
from games.cirya.formats.ptn import result
from games.cirya.move_types import EAST, NORTH, SOUTH, WAYS, WEST, Kind, Place, Said, Shift
from games.cirya.notation import read
from games.cirya.rules import Cirya
from games.core import Phrase, phrase, read_move
from render.cirya import cells_and_marks, pieces
from render.cirya.choice import STRIP, Hand
from render.cirya.stack_side_view import Ladder, count
from render.kit import (
    Bar,
    Canvas,
    Figure,
    Grid,
    Item,
    Mood,
    Sheet,
    Spot,
    Sprite,
    composed_sprite,
    drawn_sprite,
    paint_by,
)
from render.kit.motion import Animation, Flight
from render.kit.player_bars import TAG, WIDEST
from render.scene import Scene, Target

COVER = "nosse"
BESIDE = ((14, 96, 786, 864),)
CHEAT = ((701, 740), (130, 459), (413, 740), (270, 316), (413, 316))
BOTTOM = 0
LETTERS = False
MATERIAL = True
TURNS = False

WIDTH, HEIGHT = 800, 960
LEFT, TOP, SIDE = 58, 102, 715
HEADER, FOOTER = Bar(24), Bar(872)


def captions(seen: Cirya) -> dict[str, Phrase]:
    """The words behind the players' names: what was said, how it ended."""
    if seen.end:
        return {"end": phrase(f"cirya.picture.end.{seen.end.reason}", result=result(seen.end))}
    said = {"said": seen.last.said if seen.last else Said.NOTHING, "word": seen.word}
    return {key: phrase(f"cirya.picture.{word.name.lower()}") for key, word in said.items() if word}


def spots(scene: Scene) -> tuple[Spot, ...]:
    """What may be tapped: sati, and the choices in the strip."""
    view = View(scene)
    boxes = [(step, view.spot(step)) for step in view.targets]
    return tuple(Spot.of(step, box, HEIGHT) for step, box in boxes if box)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every sat."""
    view = View(scene)
    return tuple(Spot.of(name, view.box(sat), HEIGHT) for sat, name in enumerate(view.names))


def lays(scene: Scene) -> dict[str, tuple[Sprite, int, int]]:
    """The pieces of the reserve; at first the cirya of the other fleet, on any sat."""
    seen: Cirya = scene.seen
    wide = grid_of(seen.board.shape.size).wide
    seat = seen.board.mover if scene.targets else scene.bottom
    found = {}
    for kind in Kind:
        radius, low = lone(wide / pieces.STUDY, kind)
        sprite = pieces.piece(scene.theme, seat ^ seen.swapping, kind, radius)
        found[kind.value] = (sprite, wide // 2, wide // 2 + low)
    return {"": found[Kind.CIRYA.value]} if seen.swapping else found


def sheet_of(scene: Scene) -> Sheet:
    """The sea as *scene* tells it."""
    view = View(scene)
    sheet = _ground(scene.theme, view.size).copy()
    view.put_sati(sheet)
    view.put_marks(sheet)
    view.put_bars(sheet)
    return sheet


paint = paint_by(sheet_of)
"""The sea as a scene tells it, in mode P."""


def grid_of(size: int) -> Grid:
    """The sati of a board *size* wide."""
    wide = SIDE // size
    return Grid(LEFT, TOP, wide, wide, size, size)


@cache
def _ground(theme: str, size: int) -> Sheet:
    sheet = Sheet(pieces.palette(theme), WIDTH, HEIGHT)
    sheet.put(_board(theme, size))
    grid = grid_of(size)
    for sat in range(size * size):
        x, y, _, _ = grid.box(sat % size, sat // size)
        sheet.put(cells_and_marks.sat(theme, grid.wide, shade_of(size, sat)), x, y)
    return sheet


@drawn_sprite
def _board(theme: str, size: int) -> Sprite:
    grid = grid_of(size)
    left, top, right, bottom = grid.outline
    board = Canvas(pieces.palette(theme), (0, top - 8, WIDTH, bottom + 46), "paper")
    board.box((left - 6, top - 2, right + 6, bottom + 10), "shade", radius=10)
    draw_frame(board, grid)
    return board.sprite()


def draw_frame(canvas: Canvas, grid: Grid) -> None:
    """The frame around the sati of *grid*, with the names of columns and rows."""
    left, top, right, bottom = grid.outline
    canvas.box((left - 6, top - 6, right + 6, bottom + 6), "frame", radius=10)
    for index in range(grid.columns):
        x, y = grid.centre(index, index)
        canvas.text(x, bottom + 34, "abcdefgh"[index], 28, "ink", "ms")
        canvas.text(left - 24, y, str(grid.columns - index), 28, "ink", "mc")


def shade_of(size: int, sat: int) -> str:
    """The tone of a *sat*, which tells it from its neighbours."""
    return "swell" if (sat // size + sat % size) % 2 else "sea"


@composed_sprite
def _sat(theme: str, size: int, shade: str, what: tuple[tuple[int, ...], Kind, str]) -> Sprite:
    stack, kind, mark = what
    wide = grid_of(size).wide
    sheet = Sheet(pieces.palette(theme), wide, wide)
    if mark in ("", "last", "open", "held", "both", "reached", "chosen"):
        water = {"last": "last", "both": "last", "chosen": "chosen"}.get(mark, "")
        sheet.put(cells_and_marks.sat(theme, wide, shade, water))
    else:
        sheet.put(cells_and_marks.route(theme, wide, shade, mark))
    if mark == "open" and not stack:
        sheet.put(cells_and_marks.buoy(theme, wide), wide // 2, wide // 2)
    elif mark == "both":
        sheet.put(cells_and_marks.frame(theme, wide - 2 * INSET, FRAMES["open"]), INSET, INSET)
    elif mark in FRAMES:
        sheet.put(cells_and_marks.frame(theme, wide, FRAMES[mark]))
    if stack:
        _put_nosse(sheet, theme, size, (0, 0), stack, kind)
    return sheet.part((0, 0, wide, wide))


FRAMES = {"open": 5, "held": 5, "reached": 5, "chosen": 8}
"""How broad the blue frame of a mark is; ``held`` is an open sat with a nossë."""

HAVEN = 9
"""How far within the shore the star of a londë lies: beyond it stand the names of rows."""

INSET = 12
"""How far the blue frame lies within the amber one of the last ply."""


def _put_nosse(
    sheet: Sheet,
    theme: str,
    size: int,
    corner: tuple[int, int],
    stack: tuple[int, ...],
    kind: Kind,
    lifted: int = 0,
) -> None:
    """Draw *stack*, its top a *kind*, in the sat at *corner*, *lifted* pieces raised."""
    (x, y), wide = corner, grid_of(size).wide
    k = wide / pieces.STUDY
    radius, low = lone(k, kind)
    if len(stack) == 1 and not lifted:
        sprite = pieces.piece(theme, stack[-1], kind, radius)
        sheet.put(sprite, x + wide // 2, y + wide // 2 + low)
        return
    ladder = Ladder.fitting(len(stack), wide)
    room = wide - ladder.wide - round(10 * k)
    radius = min(round(pieces.STACKED * k), room // 2)
    sprite = pieces.piece(theme, stack[-1], kind, radius)
    sheet.put(sprite, x + round(4 * k) + room // 2, y + wide // 2 + (low or round(4 * k)))
    ladder.put(sheet, theme, corner, stack, lifted)
    sheet.put(count(theme, len(stack), max(27, round(28 * k))), x + round(8 * k), y + round(8 * k))


def lone(scale: float, kind: Kind) -> tuple[int, int]:
    """The radius of a lone piece on a sat of *scale*, and how far below the middle it stands."""
    low = {Kind.CIRYA: 0, Kind.TAMPA: 4, Kind.HALLACIRYA: 10}[kind]
    return round((54 if kind is Kind.HALLACIRYA else pieces.LONE) * scale), round(low * scale)


class View:
    """One scene, taken apart for painting."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.theme = scene.theme
        self.seen: Cirya = scene.seen
        self.board: Board = self.seen.board
        self.size = self.board.shape.size
        self.names = self.board.shape.names
        self.grid = grid_of(self.size)
        self.scale = self.grid.wide / pieces.STUDY
        self.targets = tuple(target.step for target in scene.targets)
        self.hand = Hand.of(self.board, scene.path, self.targets)
        self.route = _route(self.seen)
        self.marks = self._marks()

    def box(self, sat: int) -> tuple[int, int, int, int]:
        """The pixels of *sat*."""
        return self.grid.box(sat % self.size, sat // self.size)

    def middle(self, sat: int) -> tuple[int, int]:
        """The middle of *sat*."""
        return self.grid.centre(sat % self.size, sat // self.size)

    def border(self, sat: int, way: str, crossed: int = 0, inwards: int = 0) -> tuple[int, int]:
        """The middle of the border *way* of *sat* after *crossed* others; or *inwards* of it."""
        x, y = self.middle(sat)
        far = round((crossed + 0.5) * self.grid.wide) - inwards
        across, down = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}[way]
        return x + across * far, y + down * far

    def cell(self, board: Board, sat: int) -> Sprite:
        """*sat* of *board* without any mark."""
        what = (board.pieces(sat), board.kind(sat), "")
        return _sat(self.theme, self.size, shade_of(self.size, sat), what)

    def put_sati(self, sheet: Sheet) -> None:
        """Every sat that is not just empty sea, from the north down; what is lifted last."""
        raised = []
        for sat in range(self.board.shape.count):
            stack, kind, lifted = self.board.pieces(sat), self.board.kind(sat), 0
            if self.hand is not None:
                stack, kind, lifted = self.hand.shown(sat)
            if lifted:
                raised.append((self.box(sat)[:2], stack, kind, lifted))
                stack = ()
            if stack or sat in self.marks:
                mark, corner = self.marks.get(sat, ""), self.box(sat)[:2]
                apart = bool(stack) and self.scene.apart
                bare = ((), Kind.CIRYA, "held" if mark == "open" else mark)
                what = bare if apart else (stack, kind, mark)
                sheet.put(_sat(self.theme, self.size, shade_of(self.size, sat), what), *corner)
                if apart:
                    _put_nosse(sheet, self.theme, self.size, corner, stack, kind)
        for shown in raised:
            _put_nosse(sheet, self.theme, self.size, *shown)

    def _marks(self) -> dict[int, str]:
        """By sat: part of the ``last`` ply or of a route, open to choice, reached or chosen."""
        if self.route:
            return dict(self.route)
        found: dict[int, str] = {}
        last, hand = self.seen.last, self.hand
        if last is not None:
            found[last.sat] = "last"
        if isinstance(last, Shift):
            ray = self.board.shape.rays[last.way][last.sat]
            found.update(dict.fromkeys(ray[: len(last.drops)], "last"))
        if hand is None:
            open_sati = {self.names.index(step) for step in self.targets if step in self.names}
            # C3: the first stone that one may move is the one that the other has just placed.
            return found | {sat: "both" if sat in found else "open" for sat in open_sati}
        for way in hand.ways():
            found.update(dict.fromkeys(hand.reached(way), "reached"))
        found[hand.sat] = "chosen"
        return found

    def put_marks(self, sheet: Sheet) -> None:
        """Chevrons of the last move and of what may be reached, bursts, the havens of a londë."""
        hand, last = self.hand, self.seen.last
        if hand is None and isinstance(last, Shift) and not self.route:
            for crossed in range(len(last.drops)):
                self._put_chevron(sheet, last.sat, last.way, crossed, "amber")
        if hand is not None:
            for way in hand.ways():
                for crossed, sat in enumerate(hand.reached(way)):
                    self._put_chevron(sheet, hand.sat, way, crossed, "blue")
                    if self.board.tampar >> sat & 1:
                        x, y = self.middle(sat)
                        radius = round(self.grid.wide * 0.28)
                        sheet.put(cells_and_marks.burst(self.theme, radius), x, y + 6)
        if self.route:
            (first, ways), (final, others) = self.route[0], self.route[-1]
            for sat, way in ((first, ways[0]), (final, others[1])):
                sheet.put(cells_and_marks.haven(self.theme), *self.border(sat, way, inwards=HAVEN))

    def _put_chevron(self, sheet: Sheet, sat: int, way: str, crossed: int, colour: str) -> None:
        sprite = cells_and_marks.chevron(self.theme, way, colour, max(12, round(14 * self.scale)))
        sheet.put(sprite, *self.border(sat, way, crossed))

    # Around the board.

    def put_bars(self, sheet: Sheet) -> None:
        """The players and their reserves; during a choice, the strip that previews it."""
        mover = self.board.mover
        chooses = self.hand is not None and bool(self.targets)
        below = mover if chooses else self.scene.bottom
        self._put_bar(sheet, HEADER, 1 - below)
        if self.hand is None or not chooses:
            self._put_bar(sheet, FOOTER, below)
            return
        bar = replace(FOOTER, right=STRIP[0] - 10)
        emblem = pieces.emblem(self.theme, mover)
        bar.put(sheet, self.scene.names[mover], emblem, (), Mood.of(self.scene, mover))
        self.hand.put_strip(sheet, self.theme, 1 - mover if self.seen.swapping else mover)

    def _put_bar(self, sheet: Sheet, bar: Bar, seat: int) -> None:
        board, theme, mood = self.board, self.theme, Mood.of(self.scene, seat)
        items = [Item(pieces.in_reserve(theme, seat, Kind.CIRYA, board.ciryar[seat]), 112)]
        if self.seen.customs.hallaciryar:
            high = board.hallaciryar[seat]
            items.append(Item(pieces.in_reserve(theme, seat, Kind.HALLACIRYA, high), 104))
        name, emblem = self.scene.names[seat], pieces.emblem(theme, seat)
        bar.put(sheet, name, emblem, items, mood, self._tag(seat))

    def _tag(self, seat: int) -> Sprite | None:
        """What stands behind the name of *seat*: a word said, or how the game was won."""
        words = dict(self.scene.captions)
        last, end = 1 - self.board.mover, self.seen.end
        if end:
            text = words["end"] if seat == (last if end.winner is None else end.winner) else ""
        else:
            text = words.get("said" if seat == last else "word", "")
        room = TAG if self.scene.wide else WIDEST
        return cells_and_marks.tag(self.theme, text, room) if text else None

    def spot(self, step: str) -> tuple[int, int, int, int] | None:
        """Where the target *step* can be tapped; ``None`` for what only a button says."""
        hand = self.hand
        if hand is None:
            return self.box(self.names.index(step)) if step in self.names else None
        if boxes := hand.boxes():
            return boxes.get(step)
        if step[:-1] == "1" and step[-1] in WAYS and self.board.height(hand.sat) == 1:
            return self.box(hand.reached(step[-1])[0])
        return None


def _route(seen: Cirya) -> list[tuple[int, str]]:
    """The sati of the londë that ended the game, with the two ways that lead out of each."""
    if seen.end is None or seen.end.reason not in ("londe", "ceded"):
        return []
    last, of = 1 - seen.board.mover, seen.board.shape
    owner = last if seen.board.londe(last) else 1 - last
    sati = chain(of, seen.board.route(owner))
    upright = of.north >> sati[0] & 1 and of.south >> sati[-1] & 1
    first, final = (NORTH, SOUTH) if upright else (WEST, EAST)
    way_of = {step: way for way, step in of.step.items()}
    ways = [way_of[there - here] for here, there in pairwise(sati)]
    back = {NORTH: SOUTH, EAST: WEST, SOUTH: NORTH, WEST: EAST}
    entered = [first, *(back[way] for way in ways)]
    return [(sat, a + b) for sat, a, b in zip(sati, entered, [*ways, final], strict=True)]


def _scene(tps: str, move: str = "", path: tuple[str, ...] = (), targets: str = "") -> Scene:
    seen = read(tps, GAME.chosen({}))
    if move:
        seen = seen.after(read_move(GAME, seen, seen.board.mover, move))
    wanted = tuple(Target("", step) for step in targets.split())
    return Scene("cirya", seen, ("", ""), bottom=0, path=path, targets=wanted)


_SEA = "2,1,21,x,2/x,12S,1,12112,x/1,21,2121121221C,2,1S/x,2,1,212C,x/1,x,122,x,x 1 14"
_LONDE = "2,1,21,x,2/x,12S,1,12,x/1,21,2121121221C,1,1S/x,2,2,1,2/1,x,221,x,212C 1 18"
_CRUSH = "x5/x5/12C,x,2S,x2/x5/2,x3,1 2 5"
_BOARD = (0, 92, WIDTH, 862)
_WITH_STRIP = (0, 92, WIDTH, HEIGHT)

FIGURES: dict[str, Figure] = {
    "pieces": Figure(lambda: (_scene("x5/x,1,x,2,x/x,1S,x,2S,x/x,1C,x,2C,x/x5 1 5"),), _BOARD),
    "nosse": Figure(lambda: (_scene(_SEA),), _BOARD),
    "move": Figure(lambda: (_scene(_SEA, "", ("c3", "4<"), "13 22 31 4"),), _WITH_STRIP),
    "crush": Figure(
        lambda: (_scene(_CRUSH, "", ("a3", "2>"), "2 11"), _scene(_CRUSH, "2a3>11")), _BOARD
    ),
    "londe": Figure(lambda: (_scene(_LONDE, "c1>"),), _BOARD),
}
"""The pieces, nossi, a move with its drops, a tampa crushed, a londë."""


DROP = 90
"""From how far above its sat a piece falls, in pixels."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    move = scene.last[-1].move
    seen: Cirya = scene.seen
    # What moved before is marked from ``seen.last``: a ply under way marks nothing.
    view = View(replace(scene, last=(), seen=replace(seen, last=None)))
    ground = sheet_of(view.scene)
    match move:
        case Place(sat, kind):
            x, y = view.middle(sat)
            seat = 1 - seen.board.mover if seen.swapping else seen.board.mover
            radius, low = lone(view.scale, kind)
            sprite = pieces.piece(scene.theme, seat, kind, radius)
            return Animation(ground, (Flight(sprite, ((x, y + low - DROP), (x, y + low))),))
        case Shift(sat, way, drops):
            after = seen.board.after(Shift(sat, way, drops))
            ray = (sat, *seen.board.shape.rays[way][sat][: len(drops)])
            ground.put(view.cell(after, sat), *view.box(sat)[:2])
            left = []
            for number, here in enumerate(ray[1:], 1):
                there, since = view.cell(after, here), number / len(drops)
                left.append(Flight(there, (view.box(here)[:2],), since=since, waits=False))
            kind = seen.board.kind(sat)
            radius, low = lone(view.scale, kind)
            sprite = pieces.piece(scene.theme, seen.board.pieces(sat)[-1], kind, radius)
            (x, y), (to_x, to_y) = view.middle(sat), view.middle(ray[-1])
            return Animation(ground, (*left, Flight(sprite, ((x, y + low), (to_x, to_y + low)))))
    return Animation(ground)
