"""The Spanish Parchís board: 68 squares, four casas, and the way of the last move on it.

The casa of the player at the bottom is at the bottom right, in the public view yellow's; plates
stand beside the casas. Targets bear the letters of their buttons on the squares of arrival.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from games.core import Phrase, phrase, read_move
from games.parchis import GAME
from games.parchis.board import HOME, META, ROUTES, SALIDA
from games.parchis.board import LETTERS as LETTERS_OF
from games.parchis.menus import DIE, step_of
from games.parchis.moves import Go, Man, Stage
from games.parchis.notation import piece_name, read, square_name
from games.parchis.rules import Parchis
from render.kit import Canvas, Figure, Sheet, Spot, canvas_sprite, geometry, lay_ground, paint_by
from render.kit.motion import Animation, Flight
from render.parchis import corners, move_trails, pieces
from render.parchis.colours import palette
from render.parchis.corners import bars as bars
from render.parchis.corners import lies, turned
from render.parchis.layout import (
    BOARD,
    CASAS,
    HEIGHT,
    HOMES,
    META_SPOTS,
    METAS,
    SQUARES,
    WIDTH,
    Box,
    Point,
    Square,
    box_around,
    centre,
    shown,
)
from render.scene import Last, Scene, Target

COVER = "board"
BESIDE = ((0, 76, 800, 864),)
CHEAT = ((482, 704), (331, 237), (166, 388), (485, 599), (400, 540))
BOTTOM = 0
LETTERS = True
MATERIAL = True
TURNS = True

ROOM = 36
"""How far the number of a way stays from pieces and from other numbers."""

NUMBERS = ("1", "2", "3", "4")
"""The numbers of a colour's pieces."""

MOST_WAYS = 9
"""The most ways that are shown, since a number has one digit."""

TAP = 28
"""Half the side of the box in which a piece at home or a die is tapped."""


def captions(_seen: Parchis) -> dict[str, Phrase]:
    """The letters that stand for the colours."""
    return {"letters": phrase("parchis.picture.letters")}


def spots(scene: Scene) -> tuple[Spot, ...]:
    """Where targets are tapped: the square of arrival, or the piece where two arrive alike."""
    seen: Parchis = scene.seen
    moves = _target_moves(scene)
    found = []
    arrivals = [move.to for _, move in moves]
    for target, move in moves:
        shared = arrivals.count(move.to) > 1 or move.to == HOME
        box = _piece_box(scene, move.pieces[0]) if shared else _arrival_box(scene, move.to)
        found.append(Spot.of(target.step, box, HEIGHT))
    if seen.stage is Stage.THROW:
        box = _box_about(CASAS[lies(scene, seen.colours[seen.turn])], 42)
        found += [Spot.of(target.step, box, HEIGHT) for target in scene.targets]
    return tuple(found)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every piece, and the die of the player on turn."""
    seen: Parchis = scene.seen
    die = Spot.of(DIE, _box_about(CASAS[lies(scene, seen.colours[seen.turn])], 42), HEIGHT)
    return die, *(
        Spot.of(piece_name(seen, (seat, number)), _box_about(where, 22), HEIGHT)
        for seat, own in enumerate(seen.pieces)
        for number, index in enumerate(own)
        for where in [centre(lies(scene, seen.colours[seat]), number, index)]
    )


def stands(scene: Scene, key: str) -> tuple[Spot, ...]:
    """Where the piece *key*, such as ``A2``, may be put by hand: every place of its way."""
    if key[:1] not in LETTERS_OF or key[1:] not in NUMBERS:
        return ()
    colour, number = LETTERS_OF.index(key[0]), NUMBERS.index(key[1:])
    arm = lies(scene, colour)
    return tuple(
        Spot.of(square_name(colour, index), _box_about(centre(arm, number, index), 16), HEIGHT)
        for index in range(META + 1)
    )


def sheet_of(scene: Scene, lifted: frozenset[Man] = frozenset()) -> Sheet:
    """The board as *scene* tells it, without the pieces that are *lifted*."""
    empty = _board(scene.theme, turned(scene))
    ground = lay_ground(palette(scene.theme), (WIDTH, HEIGHT), empty)
    sheet = ground.copy()
    targets = _target_moves(scene)
    _put_crowded(sheet, scene)
    if not scene.calm:
        _put_last_frames(sheet, scene)
    _put_target_frames(sheet, scene, targets)
    corners.put_casas(sheet, scene, ground)
    _put_last_ways(sheet, scene)
    corners.put_used(sheet, scene)
    for _, move in targets:
        _put_way(sheet, scene, scene.seen, move, "blue")
    _put_pieces(sheet, scene, targets, lifted)
    _put_sparks(sheet, scene)
    _put_numbers(sheet, scene, targets)
    _put_tags(sheet, scene, targets)
    corners.put_plates(sheet, scene)
    return sheet


paint = paint_by(sheet_of)
"""The board as a scene tells it, in mode P."""


def _square(scene: Scene, place: int) -> Square:
    return SQUARES[shown(place, turned(scene))]


def _target_moves(scene: Scene) -> list[tuple[Target, Go]]:
    seen: Parchis = scene.seen
    if seen.stage not in (Stage.DIE, Stage.BONUS):
        return []
    by_step = {step_of(seen, move): move for move in seen.legal_moves(seen.turn)}
    found = [(target, by_step.get(target.step)) for target in scene.targets]
    return [(target, move) for target, move in found if isinstance(move, Go)]


def _told(scene: Scene) -> tuple[move_trails.Gone, ...]:
    """What went since the viewer's last turn, oldest first; earlier turns are thinner."""
    gone, told = [last for last in scene.last if isinstance(last.move, Go)], []
    for last in gone[-MOST_WAYS:]:
        newest, arm = last.seat == gone[-1].seat, lies(scene, last.before.colours[last.before.turn])
        told.append(move_trails.Gone(last.before, last.move, newest=newest, arm=arm))
    return tuple(told)


def _box_about(point: Point, half: int) -> Box:
    x, y = round(point[0]), round(point[1])
    return (x - half, y - half, x + half, y + half)


def _piece_box(scene: Scene, number: int) -> Box:
    seen: Parchis = scene.seen
    index = seen.own[number]
    arm = lies(scene, seen.colours[seen.turn])
    return _box_about(centre(arm, number, index), TAP if index == HOME else 22)


def _arrival_box(scene: Scene, to: int) -> Box:
    arm = lies(scene, scene.seen.colours[scene.seen.turn])
    return box_around(METAS[arm]) if to == META else SQUARES[ROUTES[arm][to]].box


@canvas_sprite(palette, (0, 70, WIDTH, 872), "paper")
def _board(canvas: Canvas, turn: int) -> None:
    left, top, right, bottom = BOARD
    canvas.box((left - 3, top + 3, right + 3, bottom + 7), "shadow")
    draw_board(canvas, turn)


def draw_board(canvas: Canvas, turn: int = 0) -> None:
    """The empty board about the box ``BOARD``, turned by *turn* quarters."""
    left, top, right, bottom = BOARD
    canvas.box((left - 3, top - 3, right + 3, bottom + 3), "line")
    for place in SQUARES:
        pieces.draw_square(canvas, place, shown(place, turn))
    for place in SQUARES:
        pieces.draw_sign(canvas, place, shown(place, turn))
    for colour in range(4):
        pieces.draw_meta(canvas, colour, (colour - turn) % 4)
        pieces.draw_casa(canvas, colour, (colour - turn) % 4)


def _put_crowded(sheet: Sheet, scene: Scene) -> None:
    seen, turn = scene.seen, turned(scene)
    for place, men in seen.crowd.items():
        if seen.is_barrier(place):
            sheet.put(pieces.barrier(scene.theme, place, shown(place, turn)))
        elif len(men) == 2:
            sheet.put(pieces.bare(scene.theme, place, shown(place, turn)))


def _put_last_frames(sheet: Sheet, scene: Scene) -> None:
    """Amber frames around the squares where the last moves began and ended."""
    for told in _told(scene):
        starts = [told.before.own[number] for number in told.move.pieces] if told.newest else []
        for index, breadth in [*((start, 3.5) for start in starts), (told.move.to, 5)]:
            if HOME < index < META:
                place = ROUTES[told.colour][index]
                lies_at = ROUTES[told.arm][index]
                sheet.put(pieces.framed(scene.theme, place, lies_at, "amber", breadth))


def _put_target_frames(sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]]) -> None:
    """Blue frames around the squares of *targets*, red ones where they capture."""
    colour = scene.seen.colours[scene.seen.turn]
    arm = lies(scene, colour)
    for _, move in targets:
        ink = "red" if move.taken else "blue"
        if move.to == META:
            sheet.put(pieces.framed_meta(scene.theme, arm, ink))
        elif move.to != HOME:
            place, lies_at = ROUTES[colour][move.to], ROUTES[arm][move.to]
            sheet.put(pieces.framed(scene.theme, place, lies_at, ink, 4.5))


def _put_last_ways(sheet: Sheet, scene: Scene) -> None:
    for told in _told(scene):
        before, move, colour = told.before, told.move, told.arm
        if move.to == HOME:  # P9: the third six
            number = move.pieces[0]
            start = centre(colour, number, before.own[number])
            _put_way_home(sheet, scene.theme, start, colour, number)
            continue
        _put_way(sheet, scene, before, move, "amber", thin=not told.newest)
        for seat, number in move.taken:
            home = lies(scene, before.colours[seat])
            _put_way_home(sheet, scene.theme, centre(colour, 0, move.to), home, number)


def _put_way(
    sheet: Sheet, scene: Scene, state: Parchis, move: Go, ink: str, *, thin: bool = False
) -> None:
    """The way of *move* in *state*, through every square, up to meta and back if it bounces."""
    if move.to == HOME:
        return
    colour = lies(scene, state.colours[state.turn])
    for number in move.pieces:
        start = state.own[number]
        top = SALIDA if start == HOME else min(start + state.reach, META)
        for layer in ("line", "amber") if ink == "amber" else (ink,):
            for index in range(start, top):
                named = 0 if index else number
                sheet.put(move_trails.step(scene.theme, colour, named, index, layer, thin=thin))
        if ink == "amber":
            _put_way_ends(sheet, scene.theme, colour, number, (start, top, move.to))


def _put_way_ends(
    sheet: Sheet, theme: str, colour: int, number: int, indices: tuple[int, int, int]
) -> None:
    """The ends of a way; *indices* are its start, its farthest square and its end."""
    start, top, end = indices
    named = number if start == HOME else 0
    before = end - 1 if top == end else end + 1
    sheet.put(move_trails.way_start(theme, colour, named, start))
    sheet.put(move_trails.arrow_head(theme, colour, named, before, end))


def _put_way_home(sheet: Sheet, theme: str, start: Point, colour: int, number: int) -> None:
    """Red dashes from where a piece stood to its place at home."""
    end = HOMES[colour][number]
    tip = geometry.along(end, start, 34)
    angle = move_trails.direction(start, end)
    way = [geometry.along(start, end, 24), geometry.along(tip, start, 20)]
    for dash in geometry.dashes(way, 10, 10):
        x = (dash[0][0] + dash[-1][0]) / 2
        sheet.put(move_trails.dash(theme, angle), round(x), round((dash[0][1] + dash[-1][1]) / 2))
    sheet.put(move_trails.red_head(theme, angle), round(tip[0]), round(tip[1]))


def _put_pieces(
    sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]], lifted: frozenset[Man]
) -> None:
    seen, theme = scene.seen, scene.theme
    ringed = {(seen.turn, number) for _, move in targets for number in move.pieces}
    told = _told(scene)
    sent = {man for one in told for man in one.move.taken}
    sent |= {(one.before.turn, one.move.pieces[0]) for one in told if one.move.to == HOME}
    late: list[tuple[Man, Point, int]] = []
    for man, point, size, rim in _standing(scene, targets):
        seat, number = man
        if man in lifted:
            continue
        if man in ringed:
            late.append((man, point, size))
            continue
        sprite = pieces.piece(theme, seen.colours[seat], number, size, rim)
        sheet.put(sprite, round(point[0]), round(point[1]))
        if man in sent and seen.pieces[seat][number] == HOME:
            sheet.put(pieces.red_ring(theme), round(point[0]), round(point[1]))
    for (seat, number), point, size in late:
        sprite = pieces.piece(theme, seen.colours[seat], number, size, "blue")
        sheet.put(sprite, round(point[0]), round(point[1]))


def _put_sparks(sheet: Sheet, scene: Scene) -> None:
    """Stars among the pieces of who has brought all home first and won."""
    seen: Parchis = scene.seen
    for seat, place in seen.standings().items():
        if place == 1:
            (x, y), *_ = METAS[lies(scene, seen.colours[seat])]
            for spot in META_SPOTS[lies(scene, seen.colours[seat])][:3]:
                far = geometry.along((x, y), spot, math.dist((x, y), spot) + 34)
                sheet.put(pieces.spark(scene.theme), round(far[0]), round(far[1]))


def _standing(
    scene: Scene, targets: list[tuple[Target, Go]]
) -> Iterator[tuple[Man, Point, int, str]]:
    seen: Parchis = scene.seen
    for seat, own in enumerate(seen.pieces):
        arm = lies(scene, seen.colours[seat])
        arrived = [number for number, index in enumerate(own) if index == META]
        for number, index in enumerate(own):
            if index == HOME:
                yield (seat, number), HOMES[arm][number], pieces.AT_HOME, "rim"
            elif index == META:
                yield (seat, number), META_SPOTS[arm][arrived.index(number)], pieces.IN_META, "rim"
    aimed = {ROUTES[seen.colours[seen.turn]][move.to] for _, move in targets}
    newest = {square: (seat, number) for square, seat, number in seen.arrivals}
    for place, men in seen.crowd.items():
        square = _square(scene, place)
        rim = "shut.ink" if seen.is_barrier(place) else "rim"
        if len(men) == 1 and place not in aimed:
            yield men[0], square.alone, pieces.ON_THE_ROAD, rim
            continue
        # B5: on a salida, the piece that came last stands outside.
        ordered = sorted(men, key=lambda man: man == newest.get(place))
        for man, point in zip(ordered, square.pair, strict=False):
            yield man, point, pieces.ON_THE_ROAD, rim


def _put_numbers(sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]]) -> None:
    """The order of the ways, if there are several."""
    told = _told(scene)
    if len(told) < 2:
        return
    taken = [point for _, point, _, _ in _standing(scene, targets)]
    for number, one in enumerate(told, 1):
        along = tuple(move_trails.course(one))
        clear = [here for here in along if all(math.dist(here, at) >= ROOM for at in taken)]
        x, y = clear[0] if clear else along[0]
        taken.append((x, y))
        sheet.put(move_trails.number(scene.theme, number), round(x), round(y))


def _put_tags(sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]]) -> None:
    """The letters of the targets on their squares; none if there is only one target."""
    if len(targets) < 2:
        return
    free: dict[int, list[Point]] = {}
    for target, move in targets:
        places = free.setdefault(move.to, _tag_places(scene, targets, move))
        x, y = places.pop(0) if len(places) > 1 else places[0]
        sprite = pieces.tag(scene.theme, target.letter, captures=bool(move.taken))
        sheet.put(sprite, round(x), round(y))


def _tag_places(scene: Scene, targets: list[tuple[Target, Go]], move: Go) -> list[Point]:
    seen: Parchis = scene.seen
    colour = seen.colours[seen.turn]
    if move.to == META:
        return [META_SPOTS[lies(scene, colour)][3]]
    place = ROUTES[colour][move.to]
    square = _square(scene, place)
    first, second = square.pair
    beyond = geometry.along(second, first, -33)
    alike = sum(other.to == move.to for _, other in targets)
    match len(seen.crowd.get(place, ())):
        case 0:
            return [square.alone] if alike == 1 else [first, second]
        case 1:
            return [second, beyond]
        case _:
            return [beyond]


_LEFT, _TOP, _RIGHT, _BOTTOM = BOARD
_BOARD = (_LEFT - 6, _TOP - 6, _RIGHT + 6, _BOTTOM + 10)
_RIGHT_HALF = (250, _TOP - 6, _RIGHT + 6, 620)
_BOTTOM_ARM = (250, 380, _RIGHT + 6, _BOTTOM + 10)


def _shown(text: str, move: str = "") -> tuple[Scene, ...]:
    position = read(text, GAME.chosen({}))
    last: tuple[Last, ...] = ()
    if move:
        seat = position.turn
        played = read_move(GAME, position, seat, move)
        last = (Last(position, seat, played),)
        position = position.after(played)
    return (Scene("parchis", position, ("",) * len(position.colours), last=last),)


FIGURES: dict[str, Figure] = {
    "board": Figure(lambda: _shown("A=0,0,0,0 Z=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A ! 0 - -"), _BOARD),
    "barrier": Figure(
        lambda: _shown("A=23,0,0,0 Z=9,9,0,0 R=0,0,0,0 V=0,0,0,0 A d4 0 - -"), _RIGHT_HALF
    ),
    "capture": Figure(
        lambda: _shown("A=23,0,0,0 Z=0,0,0,0 R=61,0,0,0 V=0,0,0,0 A d4 0 - -", "A1>31"), _BOARD
    ),
    "bounce": Figure(
        lambda: _shown("A=69,72,0,0 Z=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A d4 0 - -", "A1>p7"), _BOTTOM_ARM
    ),
}
"""The board, a barrier, a capture and a bounce."""


ROLLED = 0.2, 0.38
"""Up to which shares of a move the die shows other eyes before it lies still."""

HOPS = 0.3, 0.75
"""Between which shares of a move the piece goes; without a capture it takes the rest."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    seen: Parchis = scene.seen
    move = scene.last[-1].move
    flights = [*_tumbling(scene, seen)]
    lifted: set[Man] = set()
    if isinstance(move, Go):
        lifted = {*move.taken, *((seen.turn, number) for number in move.pieces)}
        flights = [*_going(scene, seen, move), *flights]
    # The way of a move that is under way is not drawn: its piece is seen to go it.
    return Animation(sheet_of(replace(scene, last=()), frozenset(lifted)), tuple(flights))


def _tumbling(scene: Scene, seen: Parchis) -> Iterator[Flight]:
    if seen.stage not in (Stage.DIE, Stage.BONUS):
        return
    x, y = CASAS[lies(scene, seen.colours[seen.turn])]
    yield Flight(corners.spent(scene.theme, seen), ((x, y),))
    if seen.stage is Stage.BONUS:
        return
    others = ((seen.count + step) % 6 + 1 for step in (2, 4))
    for eyes, (since, until) in zip(others, pairwise((0.0, *ROLLED)), strict=True):
        die = pieces.die(scene.theme, eyes)
        yield Flight(die, ((x, y),), since, until, waits=False, stays=False)


def _going(scene: Scene, seen: Parchis, move: Go) -> Iterator[Flight]:
    colour = seen.colours[seen.turn]
    arm = lies(scene, colour)
    since, until = HOPS if move.taken else (HOPS[0], 1.0)
    for seat, number in move.taken:
        victim, home = seen.colours[seat], HOMES[lies(scene, seen.colours[seat])][number]
        sprite = pieces.piece(scene.theme, victim, number, pieces.ON_THE_ROAD)
        yield Flight(sprite, (centre(arm, number, move.to), home), until)
    for number in move.pieces:
        sprite = pieces.piece(scene.theme, colour, number, pieces.ON_THE_ROAD)
        yield Flight(sprite, tuple(_way(seen, arm, number, move.to)), since, until)


def _way(seen: Parchis, arm: int, number: int, to: int) -> Iterator[Point]:
    """The squares that the piece *number* passes, up to meta and back if it bounces."""
    start = seen.own[number]
    if to == HOME:
        yield from (centre(arm, number, start), HOMES[arm][number])
        return
    top = SALIDA if start == HOME else max(to, min(start + seen.reach, META))
    yield from (centre(arm, number, at) for at in range(start, top + 1))
    yield from (centre(arm, number, at) for at in range(top - 1, to - 1, -1))
