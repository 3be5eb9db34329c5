"""A choice under way: what is lifted, what it may reach, and the strip that previews it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from games.cirya.board import EMPTY, Board
from games.cirya.move_types import WAYS, WEST, Kind
from render.cirya import pieces
from render.cirya.stack_side_view import slab
from render.kit import Canvas, Sheet, Sprite, canvas_sprite, drawn_sprite
from render.kit.fonts import width

STRIP = (342, 860, 776, 954)
"""Where the strip lies, beside the bar of the player who chooses."""

NAMED = 33
"""The least width of a sat that shows its name; on smaller ones only the buttons do."""

BETWEEN = 16
"""The room between two ways to drop."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Hand:
    """What is being chosen on *board*: of *sat* the top *count*, one *way*, *fallen* already.

    *targets* are the steps that may come next.
    """

    board: Board
    targets: tuple[str, ...]
    sat: int
    count: int = 0
    way: str = ""
    fallen: tuple[int, ...] = ()

    @classmethod
    def of(cls, board: Board, path: Sequence[str], targets: tuple[str, ...]) -> Hand | None:
        """The choice that the clicks in *path* have made so far."""
        if not path:
            return None
        sat, rest = board.shape.names.index(path[0]), path[1:]
        if not rest or rest[0].isalpha():
            return cls(board, targets, sat)
        if rest[0][-1] in WAYS:
            fallen = tuple(map(int, rest[1:]))
            return cls(board, targets, sat, int(rest[0][:-1]), rest[0][-1], fallen)
        way = rest[1] if len(rest) > 1 else ""
        return cls(board, targets, sat, int(rest[0]), way, tuple(map(int, rest[2:])))

    @property
    def placing(self) -> bool:
        """Whether a piece of the reserve is being placed."""
        return self.board.nosse[self.sat] == EMPTY

    @property
    def lifted(self) -> tuple[int, ...]:
        """What is still in hand, from the bottom to the top; the whole nossë before lifting."""
        stack = self.board.pieces(self.sat)
        return stack[-self.count :][sum(self.fallen) :] if self.count else stack

    def ways(self) -> list[str]:
        """The ways that are open, or the one that was chosen."""
        if self.placing:
            return []
        return [self.way] if self.way else [way for way in WAYS if self.reached(way)]

    def reached(self, way: str) -> tuple[int, ...]:
        """The sati that the hand, or the whole nossë, may reach *way*."""
        run = self.board.run(self.sat, way)
        most = self.count or self.board.carried(self.sat)
        crush = self.board.crushes(self.sat, run) and most > run.reach
        return self.board.shape.rays[way][self.sat][: min(most, run.reach + crush)]

    def shown(self, sat: int) -> tuple[tuple[int, ...], Kind, int]:
        """What lies on *sat* as it is drawn: pieces, kind of the top, how many are lifted.

        While drops are asked for sat by sat, what has fallen already lies where it fell.
        """
        stack, kind = self.board.pieces(sat), self.board.kind(sat)
        if not self.count:
            return stack, kind, 0
        carried = self.board.pieces(self.sat)[-self.count :]
        if sat == self.sat:
            left = carried[sum(self.fallen) :]
            return stack[: -self.count] + left, kind, len(left)
        ray = self.board.shape.rays[self.way][self.sat] if self.way else ()
        if sat not in ray[: len(self.fallen)]:
            return stack, kind, 0
        turn = ray.index(sat)
        start = sum(self.fallen[:turn])
        return stack + carried[start : start + self.fallen[turn]], Kind.CIRYA, 0

    def boxes(self) -> dict[str, Box]:
        """The boxes of the choices in the strip; none if it only shows the hand."""
        if not self.placing and not self._is_previewed():
            return {}
        left, top, right, bottom = STRIP
        parts = [1 if self.placing else len(self._drops(step)) for step in self.targets]
        wide = (right - left - BETWEEN * len(parts)) / sum(parts)
        found = {}
        for step, many in zip(self.targets, parts, strict=True):
            edge = left + round(wide * many) + BETWEEN
            found[step] = (left, top, min(edge, right), bottom)
            left = edge
        return found

    def _is_previewed(self) -> bool:
        """Whether the targets are whole drops, few enough to be drawn side by side."""
        if not self.way or self.fallen:
            return False
        drops = [self._drops(step) for step in self.targets]
        room = NAMED * sum(map(len, drops)) + BETWEEN * len(drops)
        return room <= STRIP[2] - STRIP[0] and all(sum(one) == self.count for one in drops)

    def _drops(self, step: str) -> tuple[int, ...]:
        return tuple(map(int, step.split("-") if self.count > 9 else step))

    def put_strip(self, sheet: Sheet, theme: str, placing: int) -> None:
        """Draw the strip; *placing* is the fleet whose piece would be placed."""
        sheet.fill((STRIP[0] - 6, STRIP[1] - 4, sheet.width, sheet.height), "paper")
        sheet.put(_ground(theme))
        boxes = self.boxes()
        for n, (step, box) in enumerate(boxes.items()):
            if n:
                sheet.fill((box[0] - 1, box[1] + 14, box[0] + 1, box[3] - 14), "hair")
            if self.placing:
                low = 6 if step == Kind.HALLACIRYA else -1
                x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
                sheet.put(pieces.for_choice(theme, placing, Kind(step)), x, y + low)
            else:
                self._put_preview(sheet, theme, box, self._drops(step))
        if not boxes:
            self._put_lifted(sheet, theme)

    def _put_preview(self, sheet: Sheet, theme: str, box: Box, drops: tuple[int, ...]) -> None:
        """Real slabs in real order over the names of their sati, in board order."""
        ends = [sum(drops[: n + 1]) for n in range(len(drops))]
        ray = self.board.shape.rays[self.way][self.sat][: len(drops)]
        names = self.board.shape.names
        parts = [
            (names[sat], range(end - drop, end))
            for sat, drop, end in zip(ray, drops, ends, strict=True)
        ]
        if self.way == WEST:
            parts.reverse()
        left, _, right, bottom = box
        step = min(54, (right - left - BETWEEN) // len(parts))
        x = (left + right - step * len(parts)) // 2
        for name, part in parts:
            high = min(13, 50 // len(part))
            for n, place in enumerate(part):
                put = self._slab(theme, place, (step - 10, high))
                sheet.put(put, x + 5, bottom - 38 - (n + 1) * high)
            sheet.put(_name(theme, name), x + step // 2, bottom - 21)
            x += step

    def _slab(self, theme: str, place: int, size: tuple[int, int]) -> Sprite:
        """The piece at *place* of what is in hand, counted from its bottom."""
        kind = self.board.kind(self.sat) if place == len(self.lifted) - 1 else Kind.CIRYA
        return slab(theme, self.lifted[place], kind, size, "bar")

    def _put_lifted(self, sheet: Sheet, theme: str) -> None:
        """The nossë or the hand, lying, the bottom piece first, counted from the top."""
        count = len(self.lifted)
        wide = min(50, (STRIP[2] - STRIP[0] - 24) // count)
        x = (STRIP[0] + STRIP[2] - wide * count) // 2
        for place in range(count):
            size = (wide - 6 if wide > 20 else wide - 2, 24)
            sheet.put(self._slab(theme, place, size), x + 2, STRIP[1] + 18)
            number = count - place
            if wide > 36 or number % 5 == 0 or number == 1:
                sheet.put(_name(theme, str(number)), x + wide // 2, STRIP[1] + 66)
            x += wide


@canvas_sprite(pieces.palette, STRIP, "paper")
def _ground(canvas: Canvas) -> None:
    canvas.box(STRIP, "bar", "blue", 4, 10)


@drawn_sprite
def _name(theme: str, text: str) -> Sprite:
    """The name of a sat, or a number, with no more room above and below than it needs."""
    half = ceil(width(text, 27) / 2)
    canvas = Canvas(pieces.palette(theme), (-half, -12, half, 16), "bar")
    canvas.text(0, 0, text, 27, "ink", "mc")
    return canvas.sprite()
