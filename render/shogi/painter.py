"""The board of shogi: the pieces, both hands, the last move, and what may be played.

The names of files and ranks stand on the frame and targets bear the name of their square, as
the buttons do: no letters are needed. The set of pieces (H24) is a part of the theme:
``light`` and ``dark`` show one character a piece, ``light-two`` two of them, and
``light-western`` letters with the ways they go, ``light-starter`` the same with the initials of
the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.core import Phrase, Seat, phrase, verbatim
from games.shogi import GAME
from games.shogi.board import HANDS, SQUARES, BoardMove, Drop, in_check, king_square
from games.shogi.menus import steps
from games.shogi.notation import read
from games.shogi.pieces import (
    IN_HAND,
    KING,
    Kind,
    Piece,
    Square,
    base_of,
    kind_of,
    owner_of,
    piece_of,
)
from games.shogi.rules import Shogi
from games.shogi.sfen import FILES, RANKS, SQUARE_NAMES, SQUARE_OF, letters
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
    canvas_sprite,
    composed_sprite,
    lay_ground,
    paint_by,
)
from render.kit.motion import Animation, Flight
from render.kit.player_bars import TAG, WIDEST
from render.scene import Scene, Target
from render.shogi import pieces
from render.shogi.colours import palette

COVER = "start"
BESIDE = ((24, 98, 776, 858),)
CHEAT = ((386, 480), (541, 403), (541, 168), (230, 559), (386, 245))
BOTTOM = 0
"""Sente, as in every diagram; gote sees the board turned."""
LETTERS = False
SETS = (pieces.TWO, pieces.WESTERN, pieces.STARTER)
MATERIAL = True
TURNS = True

WIDTH, HEIGHT = 800, 956
LEFT, TOP = 36, 126
HEADER, FOOTER = Bar(24), Bar(868)
FRAME = (24, 96, 776, 856)
FULL = 4
"""With so many kinds in hand, only a short word leaves room for the name."""

CROWD = 6
"""So many kinds in hand leave no room for counts beside them."""


@dataclass(frozen=True)
class View:
    """How a scene is shown: the colours, the set of pieces, and who sits at the bottom."""

    theme: str
    style: str
    bottom: Seat

    @property
    def grid(self) -> Grid:
        """The squares, with *bottom*'s side below."""
        return Grid(LEFT, TOP, *pieces.CELL, 9, 9, turned=self.bottom == 1)

    def centre(self, square: Square) -> tuple[int, int]:
        """The middle of *square* in the picture."""
        return self.grid.centre(square % 9, square // 9)

    def standing(self, piece: Piece) -> Sprite:
        """The *piece* as it stands on the board."""
        return pieces.standing(self.theme, piece, self.style, down=self.down(owner_of(piece)))

    def down(self, seat: Seat) -> bool:
        """Whether the pieces of *seat* point downwards."""
        return seat != self.bottom


def view_of(scene: Scene) -> View:
    """How *scene* is shown."""
    theme, _, style = scene.theme.partition("-")
    if style == pieces.STARTER:
        style = pieces.starter(dict(scene.captions).get("initials", ""))
        return View(theme, style, scene.bottom)
    small = style == pieces.TWO and scene.size < TWO_FROM
    return View(theme, pieces.ONE if small or style not in pieces.SETS else style, scene.bottom)


TWO_FROM = 480
"""The least width of a picture in which two characters on a piece are legible."""


def captions(seen: Shogi) -> dict[str, Phrase]:
    """The word behind a name: check, or how the game ended; and the initials of the pieces."""
    return {"initials": phrase("shogi.picture.initials"), **_tags(seen)}


def _tags(seen: Shogi) -> dict[str, Phrase]:
    if end := seen.outcome():
        if end.reason == "mate" and len(_hand_rows(seen, 1 - seen.turn)) >= FULL:
            return {"tag": verbatim("詰み")}
        return {"tag": phrase(f"shogi.picture.{end.reason.split('-')[0]}")}
    if in_check(seen.board, seen.turn):
        full = len(_hand_rows(seen, seen.turn)) >= FULL
        return {"tag": verbatim("王手") if full else phrase("shogi.picture.check")}
    return {}


def spots(scene: Scene) -> tuple[Spot, ...]:
    """Where targets can be tapped: squares, and pieces in hand."""
    boxes = dict(_tappable(scene))
    steps = [target.step for target in scene.targets if target.step in boxes]
    return tuple(Spot.of(step, boxes[step], HEIGHT) for step in steps)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every square, and what the player on turn has in hand."""
    return tuple(Spot.of(name, box, HEIGHT) for name, box in _tappable(scene))


def hand_at(scene: Scene, seat: Seat, kind: Kind) -> tuple[int, int]:
    """The middle of *kind* in the hand of *seat*, or where it would come to lie."""
    bar, held = _bar(view_of(scene), seat), _hand_rows(scene.seen, seat)
    right = bar.right - 14
    crowded = len(held) >= CROWD
    for one, count in reversed(held):
        room = pieces.held_room(count, crowded=crowded)
        if one == kind:
            return right - room // 2, bar.top + bar.height // 2
        if one > kind:
            break
        right -= room
    return right - pieces.held_room(1, crowded=crowded) // 2, bar.top + bar.height // 2


def _tappable(scene: Scene) -> Iterator[tuple[str, tuple[int, int, int, int]]]:
    view = view_of(scene)
    for square, name in enumerate(SQUARE_NAMES):
        yield name, view.grid.box(square % 9, square // 9)
    seat = scene.seen.turn
    bar = _bar(view, seat)
    right = bar.right - 14
    crowded = len(_hand_rows(scene.seen, seat)) >= CROWD
    for kind, count in reversed(_hand_rows(scene.seen, seat)):
        left = right - pieces.held_room(count, crowded=crowded)
        yield f"{letters(kind)}*", (left, bar.top, right, bar.top + bar.height)
        right = left


def sheet_of(scene: Scene, lifted: frozenset[Square] = frozenset()) -> Sheet:
    """The board as *scene* tells it, the squares *lifted* empty."""
    seen: Shogi = scene.seen
    view = view_of(scene)
    sheet = _ground(view.theme, view.bottom)
    marked = dict(_marks(scene, view))
    for square, sprite in marked.items():
        sheet.put(sprite, *view.centre(square))
    # The king in check or mated, or -1.
    checked = king_square(seen.board, seen.turn) if in_check(seen.board, seen.turn) else -1
    if checked >= 0:
        marked[checked] = pieces.check(view.theme)
        sheet.put(marked[checked], *view.centre(checked))
    free = _free(scene)
    mated = checked if seen.outcome() is not None else -1
    for square, piece in enumerate(seen.board[:SQUARES]):
        if not piece or square in lifted or square == mated:
            continue
        if square in marked or scene.apart:
            sheet.put(view.standing(piece), *view.centre(square))
            if square in free:
                sheet.put(pieces.free(view.theme), *view.centre(square))
        else:
            _put_plain(sheet, view, square, piece, free=square in free)
    if mated >= 0 and mated not in lifted:
        # He lies over the edges of the squares beside his.
        king, down = seen.board[mated], view.down(seen.turn)
        sheet.put(pieces.toppled(view.theme, king, view.style, down=down), *view.centre(mated))
    _put_targets(sheet, scene, view)
    for seat in (0, 1):
        _put_bar(sheet, scene, view, seat)
    return sheet


paint = paint_by(sheet_of)
"""The board as a scene tells it, in mode P."""


def _ground(theme: str, bottom: Seat) -> Sheet:
    return lay_ground(palette(theme), (WIDTH, HEIGHT), _board(theme, bottom)).copy()


@canvas_sprite(palette, (0, FRAME[1] - 4, WIDTH, FRAME[3] + 10), "paper")
def _board(canvas: Canvas, bottom: Seat) -> None:
    left, top, right, low = FRAME
    canvas.box((left, top + 6, right, low + 6), "slab", radius=10)
    draw_board(canvas, bottom)


def draw_board(canvas: Canvas, bottom: Seat = 0) -> None:
    """The empty board in its ``FRAME``, as *bottom* sees it."""
    _, top, _, _ = FRAME
    canvas.box(FRAME, "frame", radius=10)
    wide, high = pieces.CELL
    end_x, end_y = LEFT + 9 * wide, TOP + 9 * high
    canvas.box((LEFT, TOP, end_x, end_y), "cell")
    for n in range(10):
        half = 1.5 if n in (0, 9) else 1
        x, y = LEFT + n * wide, TOP + n * high
        canvas.box((x - half, TOP - 1.5, x + half, end_y + 1.5), "grid")
        half = 2.5 if n in (3, 6) else half  # The borders of the promotion zones.
        canvas.box((LEFT - 1.5, y - half, end_x + 1.5, y + half), "grid")
    for column in (3, 6):
        for row in (3, 6):
            canvas.disc(LEFT + column * wide, TOP + row * high, 5, "grid")
    for n in range(9):
        file, rank = (FILES[n], RANKS[n]) if bottom == 0 else (FILES[8 - n], RANKS[8 - n])
        canvas.text(LEFT + wide * (n + 0.5), top + 15, file, 27, "names", "mc")
        canvas.text(end_x + 19, TOP + high * (n + 0.5), rank, 27, "names", "mc")


def _put_plain(sheet: Sheet, view: View, square: Square, piece: Piece, *, free: bool) -> None:
    """A piece on bare wood, *free* to be chosen or not, as one sprite of the whole square."""
    column, row = square % 9, square // 9
    if view.bottom == 1:
        column, row = 8 - column, 8 - row
    like = _LIKE_COLUMN[column], _LIKE_ROW[row]
    down = view.down(owner_of(piece))
    sprite = _on_wood(view.theme, view.style, piece, *like, down=down, free=free)
    wide, high = pieces.CELL
    sheet.put(sprite, (column - like[0]) * wide, (row - like[1]) * high)


# Squares whose edges look alike: at the rim, beside the four points, or anywhere else.
_LIKE_COLUMN = (0, 1, 2, 3, 1, 2, 3, 1, 8)
_LIKE_ROW = (0, 1, 2, 3, 1, 2, 3, 1, 8)


@composed_sprite
def _on_wood(
    theme: str, style: str, piece: Piece, column: int, row: int, *, down: bool, free: bool
) -> Sprite:
    sheet = _ground(theme, 0)
    grid = Grid(LEFT, TOP, *pieces.CELL, 9, 9)
    sheet.put(pieces.standing(theme, piece, style, down=down), *grid.centre(column, row))
    if free:
        sheet.put(pieces.free(theme), *grid.centre(column, row))
    return sheet.part(grid.box(column, row))


def _marks(scene: Scene, view: View) -> Iterator[tuple[Square, Sprite]]:
    """The squares with a field of their own, a later mark before an earlier one."""
    end = scene.seen.outcome()
    for last in reversed(scene.last):
        if isinstance(last.move, BoardMove | Drop):
            if isinstance(last.move, BoardMove):
                yield last.move.start, pieces.draw_left(view.theme, down=view.down(last.seat))
            won = end is not None and end.winner == last.seat
            yield last.move.target, (pieces.winning if won else pieces.last)(view.theme)
            break
    for step in scene.path:
        if step in SQUARE_OF:
            yield SQUARE_OF[step], pieces.draw_chosen(view.theme)
    for square in _aims(scene):
        if scene.seen.board[square]:
            yield square, pieces.draw_aimed(view.theme)


def _free(scene: Scene) -> frozenset[Square]:
    steps = () if scene.path else (target.step for target in scene.targets)
    return frozenset(SQUARE_OF[step] for step in steps if step in SQUARE_OF)


def _aims(scene: Scene) -> list[Square]:
    steps = [target.step for target in scene.targets] if len(scene.path) == 1 else []
    return [SQUARE_OF[step] for step in steps if step in SQUARE_OF]


def _put_targets(sheet: Sheet, scene: Scene, view: View) -> None:
    named = any(target.letter for target in scene.targets)
    for square in _aims(scene):
        name = SQUARE_NAMES[square]
        if not named:
            sprite = pieces.dot(view.theme)
        elif scene.seen.board[square]:
            sprite = pieces.prey(view.theme, name)
        else:
            sprite = pieces.target(view.theme, name)
        sheet.put(sprite, *view.centre(square))


def _hand_rows(seen: Shogi, seat: Seat) -> list[tuple[Kind, int]]:
    counts = [(kind, seen.board[HANDS[seat] + kind]) for kind in IN_HAND]
    return [(kind, count) for kind, count in counts if count]


def _bar(view: View, seat: Seat) -> Bar:
    return FOOTER if seat == view.bottom else HEADER


def _put_bar(sheet: Sheet, scene: Scene, view: View, seat: Seat) -> None:
    seen: Shogi = scene.seen
    mood = Mood.of(scene, seat)
    held = _hand_rows(seen, seat)
    crowded = len(held) >= CROWD
    down = view.down(seat)
    items = []
    for kind, count in held:
        step = f"{letters(kind)}*"
        mine = seat == seen.turn
        sprite = pieces.held(
            view.theme,
            piece_of(kind, seat),
            view.style,
            count,
            down=down,
            crowded=crowded,
            picked=mine and scene.path[:1] == (step,),
            free=mine and any(target.step == step for target in scene.targets),
        )
        items.append(Item(sprite, pieces.held_room(count, crowded=crowded)))
    emblem = pieces.emblem(view.theme, seat, down=down)
    _bar(view, seat).put(sheet, scene.names[seat], emblem, items, mood, _tag(scene, view, seat))


def _tag(scene: Scene, view: View, seat: Seat) -> Sprite | None:
    end = scene.seen.outcome()
    if "tag" not in dict(scene.captions):
        return None
    concerned = (seat == scene.seen.turn) if end is None else end.winner in (None, seat)
    room = TAG if scene.wide else WIDEST
    said = scene.caption("tag")
    return pieces.tag(view.theme, said, room, danger=end is None) if concerned else None


_BOARD = (16, 90, 784, 864)
_FAR = (16, 90, 784, 530)
"""The five far ranks."""
_WITH_HAND = (0, 90, 800, 956)
_MIDDLE = (192, 286, 582, 686)
"""The five files and ranks around 5e."""


def _scene(text: str, path: tuple[str, ...] = (), bottom: Seat = 0) -> Scene:
    """A scene without names; after *path* every square that may follow is a dot."""
    seen = read(text, GAME.chosen({}))
    plays = [steps(seen, play) for play in seen.legal_moves(seen.turn)] if path else []
    ends = dict.fromkeys(one[1] for one in plays if one[0] == path[0])
    targets = tuple(Target("", step) for step in ends if step in SQUARE_NAMES)
    return Scene("shogi", seen, ("", ""), bottom=bottom, path=path, targets=targets)


def _ways(*kinds: str) -> Figure:
    texts = [f"9/9/9/9/4{piece}4/9/9/9/9 b - 1" for piece in kinds]
    names = tuple(phrase(f"shogi.piece.{piece}") for piece in kinds)
    return Figure(lambda: tuple(_scene(text, ("5e",)) for text in texts), _MIDDLE, names)


FIGURES: dict[str, Figure] = {
    "start": Figure(lambda: (_scene("startpos"),), _BOARD),
    "moves": _ways("K", "G", "S", "N"),
    "slides": _ways("R", "B", "L", "P"),
    "promoted": _ways("+R", "+B", "+S", "+P"),
    "promotion": Figure(
        lambda: (
            _scene("4k4/9/9/4S4/9/9/9/9/9 b - 1", ("5d",)),
            _scene("4k4/9/4+S4/9/9/9/9/9/9 b - 1", ("5c",)),
        ),
        _FAR,
    ),
    "drop": Figure(lambda: (_scene("4k4/9/9/2p6/9/9/9/9/4K4 b P 1", ("P*",)),), _WITH_HAND),
    "nifu": Figure(lambda: (_scene("4k4/2+P6/9/9/P3P4/7P1/9/9/4K4 b P 1", ("P*",)),), _WITH_HAND),
    "uchifuzume": Figure(lambda: (_scene("kn7/9/1G7/9/9/9/9/9/8K b P 1", ("P*",)),), _FAR),
}
"""The start, the ways of the pieces, promotion, drops, and the two rules of the dropped pawn."""


TAKEN = 0.45
"""The share of a move after which the captured piece leaves."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    seen: Shogi = scene.seen
    view, newest = view_of(scene), scene.last[-1]
    still, seat = replace(scene, last=()), newest.seat
    match newest.move:
        case Drop(kind, target):
            way = (hand_at(scene, seat, kind), view.centre(target))
            flight = Flight(view.standing(piece_of(kind, seat)), way)
            return Animation(sheet_of(still), (flight,))
        case BoardMove(start, target):
            moved, taken = seen.board[start], seen.board[target]
            way = (view.centre(start), view.centre(target))
            flights = [Flight(view.standing(moved), way, until=TAKEN if taken else 1.0)]
            if taken and (kind := base_of(kind_of(taken))) != KING:
                hand = (view.centre(target), hand_at(scene, seat, kind))
                before, after = view.standing(taken), view.standing(piece_of(kind, seat))
                flights.insert(0, Flight(before, hand[:1], until=TAKEN, stays=False))
                flights.append(Flight(after, hand, since=TAKEN, waits=False))
            return Animation(sheet_of(still, frozenset({start, target})), tuple(flights))
    return Animation(sheet_of(still))
