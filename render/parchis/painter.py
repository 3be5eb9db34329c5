"""The Spanish Parchís board: 68 squares, four casas, and the way of the last move on it.

The board lies the same for everybody, yellow's casa at the bottom right; plates stand beside
the casas. Targets bear the letters of their buttons on the squares of arrival.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from games.core import Phrase, Seat, phrase
from games.parchis.board import HOME, META, ROUTES, SALIDA
from games.parchis.menus import step_of
from games.parchis.moves import Go, Man, Stage
from games.parchis.notation import piece_name
from games.parchis.rules import Parchis
from render.kit import Bar, Canvas, Item, Mood, Sheet, Spot, label, shapes
from render.parchis import pieces, ways
from render.parchis.board import (
    BOARD,
    CASAS,
    HEIGHT,
    HOMES,
    META_SPOTS,
    METAS,
    PLATE_HEIGHT,
    PLATE_WIDTH,
    PLATES,
    SQUARES,
    WIDTH,
    Box,
    Point,
    box_around,
    centre,
)
from render.parchis.figures import FIGURES
from render.scene import Scene, Target

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["BOTTOM", "COVER", "FIGURES", "LETTERS", "TURNS", "captions", "cells", "paint", "spots"]

COVER = "board"
BOTTOM = 0
LETTERS = True
TURNS = False

TAP = 28
"""Half the side of the box in which a piece at home or a die is tapped."""

# What the house asks.


def captions(seen: Parchis) -> dict[str, Phrase]:
    """The places of the colours that have finished, by seat."""
    return {
        f"place-{seat}": phrase(f"parchis.picture.place-{place}")
        for seat, place in seen.standings().items()
    }


def spots(scene: Scene) -> tuple[Spot, ...]:
    """Where targets are tapped: the square of arrival, or the piece where two arrive alike."""
    seen: Parchis = scene.seen
    moves = _target_moves(scene)
    found = []
    arrivals = [move.to for _, move in moves]
    for target, move in moves:
        shared = arrivals.count(move.to) > 1 or move.to == HOME
        box = _piece_box(seen, move.pieces[0]) if shared else _arrival_box(seen, move.to)
        found.append(Spot.of(target.step, box, HEIGHT))
    if seen.stage is Stage.THROW:
        box = _box_about(CASAS[seen.colours[seen.turn]], 42)
        found += [Spot.of(target.step, box, HEIGHT) for target in scene.targets]
    return tuple(found)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every piece."""
    seen: Parchis = scene.seen
    return tuple(
        Spot.of(piece_name(seen, (seat, number)), _box_about(where, 22), HEIGHT)
        for seat, own in enumerate(seen.pieces)
        for number, index in enumerate(own)
        for where in [centre(seen.colours[seat], number, index)]
    )


def paint(scene: Scene) -> Image.Image:
    """The board as *scene* tells it, in mode P."""
    sheet = _ground(scene.theme).copy()
    targets = _target_moves(scene)
    _put_squares(sheet, scene, targets)
    _put_casas(sheet, scene)
    _put_last_ways(sheet, scene)
    for _, move in targets:
        _put_way(sheet, scene.theme, scene.seen, move, "blue")
    _put_pieces(sheet, scene, targets)
    _put_tags(sheet, scene, targets)
    _put_plates(sheet, scene)
    return sheet.picture()


# What the scene says.


def _target_moves(scene: Scene) -> list[tuple[Target, Go]]:
    """The targets that move a piece, with their moves."""
    seen: Parchis = scene.seen
    if seen.stage not in (Stage.DIE, Stage.BONUS):
        return []
    by_step = {step_of(seen, move): move for move in seen.legal_moves(seen.turn)}
    found = [(target, by_step.get(target.step)) for target in scene.targets]
    return [(target, move) for target, move in found if isinstance(move, Go)]


def _last_moves(scene: Scene) -> list[tuple[Parchis, Go]]:
    return [(last.before, last.move) for last in scene.newest if isinstance(last.move, Go)]


def _box_about(point: Point, half: int) -> Box:
    x, y = round(point[0]), round(point[1])
    return (x - half, y - half, x + half, y + half)


def _piece_box(seen: Parchis, number: int) -> Box:
    colour = seen.colours[seen.turn]
    index = seen.own[number]
    return _box_about(centre(colour, number, index), TAP if index == HOME else 22)


def _arrival_box(seen: Parchis, to: int) -> Box:
    colour = seen.colours[seen.turn]
    return box_around(METAS[colour]) if to == META else SQUARES[ROUTES[colour][to]].box


# The parts of the picture.


@cache
def _ground(theme: str) -> Sheet:
    """The empty board."""
    sheet = Sheet(pieces.palette(theme), WIDTH, HEIGHT)
    canvas = Canvas(sheet.palette, (0, 70, WIDTH, 872), "paper")
    left, top, right, bottom = BOARD
    canvas.box((left - 3, top + 3, right + 3, bottom + 7), "shadow")
    canvas.box((left - 3, top - 3, right + 3, bottom + 3), "line")
    for place in SQUARES:
        pieces.draw_square(canvas, place)
    for place in SQUARES:
        pieces.draw_sign(canvas, place)
    for colour in range(4):
        pieces.draw_meta(canvas, colour)
        pieces.draw_casa(canvas, colour)
    sheet.put(canvas.sprite())
    return sheet


def _put_squares(sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]]) -> None:
    """Squares that are not empty, or that the last move or a target marks."""
    seen, theme = scene.seen, scene.theme
    barred = {place for place in seen.crowd if seen.is_barrier(place)}
    for place, men in seen.crowd.items():
        if place in barred:
            sheet.put(pieces.barrier(theme, place))
        elif len(men) == 2:
            sheet.put(pieces.bare(theme, place))
    for before, move in _last_moves(scene):
        colour = before.colours[before.turn]
        starts = [before.own[number] for number in move.pieces]
        for index, breadth in [*((start, 3.5) for start in starts), (move.to, 5)]:
            if HOME < index < META:
                place = ROUTES[colour][index]
                tinted = len(seen.crowd.get(place, ())) < 2
                sheet.put(pieces.framed(theme, place, "amber", breadth, tinted=tinted))
    colour = seen.colours[seen.turn]
    for _, move in targets:
        place = ROUTES[colour][move.to]
        ink = "red" if move.taken else "blue"
        if move.to == META:
            sheet.put(pieces.framed_meta(theme, colour, ink))
        elif move.to != HOME:
            sheet.put(pieces.framed(theme, place, ink, 4.5, tinted=place not in barred))


def _put_last_ways(sheet: Sheet, scene: Scene) -> None:
    theme = scene.theme
    for before, move in _last_moves(scene):
        colour = before.colours[before.turn]
        if move.to == HOME:  # P9: the third six
            number = move.pieces[0]
            _put_way_home(sheet, theme, centre(colour, number, before.own[number]), colour, number)
            continue
        _put_way(sheet, theme, before, move, "amber")
        for seat, number in move.taken:
            _put_way_home(sheet, theme, centre(colour, 0, move.to), before.colours[seat], number)


def _put_way(sheet: Sheet, theme: str, state: Parchis, move: Go, ink: str) -> None:
    """The way of *move* in *state*, through every square, up to meta and back if it bounces."""
    if move.to == HOME:
        return
    colour = state.colours[state.turn]
    for number in move.pieces:
        start = state.own[number]
        top = SALIDA if start == HOME else min(start + state.reach, META)
        for index in range(start, top):
            sheet.put(ways.step(theme, colour, 0 if index else number, index, ink))
        if ink == "amber":
            named = number if start == HOME else 0
            sheet.put(ways.way_start(theme, colour, named, start))
            before = move.to - 1 if top == move.to else move.to + 1
            sheet.put(ways.way_end(theme, colour, named, before, move.to))


def _put_way_home(sheet: Sheet, theme: str, start: Point, colour: int, number: int) -> None:
    """Red dashes from where a piece stood to its place at home."""
    end = HOMES[colour][number]
    tip = shapes.along(end, start, 34)
    angle = ways.direction(start, end)
    way = [shapes.along(start, end, 24), shapes.along(tip, start, 20)]
    for dash in shapes.dashes(way, 10, 10):
        x = (dash[0][0] + dash[-1][0]) / 2
        y = (dash[0][1] + dash[-1][1]) / 2
        sheet.put(ways.dash(theme, angle), round(x), round(y))
    sheet.put(ways.red_head(theme, angle), round(tip[0]), round(tip[1]))


def _put_casas(sheet: Sheet, scene: Scene) -> None:
    """In each casa its suit, or the die, the squares to count, or the place won."""
    seen, theme = scene.seen, scene.theme
    places = seen.standings()
    asked = seen.stage is Stage.THROW and bool(scene.targets)
    for colour in range(4):
        x, y = round(CASAS[colour][0]), round(CASAS[colour][1])
        seat = seen.colours.index(colour) if colour in seen.colours else None
        eyes = _die(seen, seat)
        if seat in places:
            sheet.put(pieces.medal(theme, places[seat]), x, y)
        elif seat == seen.turn and seen.stage is Stage.BONUS:
            sheet.put(pieces.bonus(theme, seen.count), x, y)
        elif eyes is not None:
            sheet.put(pieces.die(theme, eyes, asked=asked), x, y)
        else:
            sheet.put(pieces.emblem(theme, colour), x, y)
        if seat == seen.turn and seen.stage is not Stage.OVER:
            for n in range(seen.sixes):
                left = x + 20 * (2 * n + 1 - seen.sixes)
                sheet.put(pieces.die(theme, 6, 34), left, y + 82)


def _die(seen: Parchis, seat: Seat | None) -> int | None:
    """What the die of *seat* shows, 0 while it is to be rolled, ``None`` without a die."""
    if seat is None or seen.stage is Stage.OVER:
        return None
    if seen.stage is Stage.OPENING:
        roll = seen.rolls[seat]
        return 0 if roll is None else roll or None
    if seat != seen.turn:
        return None
    return seen.count if seen.stage is Stage.DIE else 0


def _put_pieces(sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]]) -> None:
    seen, theme = scene.seen, scene.theme
    ringed = {(seen.turn, number) for _, move in targets for number in move.pieces}
    sent = {man for _, move in _last_moves(scene) for man in move.taken}
    sent |= {(at.turn, move.pieces[0]) for at, move in _last_moves(scene) if move.to == HOME}
    late: list[tuple[Man, Point, int]] = []
    for man, point, size, rim in _standing(scene, targets):
        seat, number = man
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


def _standing(
    scene: Scene, targets: list[tuple[Target, Go]]
) -> Iterator[tuple[Man, Point, int, str]]:
    """Every piece: who, where, how large, and its rim."""
    seen: Parchis = scene.seen
    for seat, own in enumerate(seen.pieces):
        colour = seen.colours[seat]
        arrived = [number for number, index in enumerate(own) if index == META]
        for number, index in enumerate(own):
            if index == HOME:
                yield (seat, number), HOMES[colour][number], pieces.AT_HOME, "line"
            elif index == META:
                spot = META_SPOTS[colour][arrived.index(number)]
                yield (seat, number), spot, pieces.IN_META, "line"
    aimed = {ROUTES[seen.colours[seen.turn]][move.to] for _, move in targets}
    newest = {square: (seat, number) for square, seat, number in seen.arrivals}
    for place, men in seen.crowd.items():
        square = SQUARES[place]
        rim = "shut.ink" if seen.is_barrier(place) else "line"
        if len(men) == 1 and place not in aimed:
            yield men[0], square.alone, pieces.ON_THE_ROAD, rim
            continue
        # B5: on a salida, who came last stands outside.
        ordered = sorted(men, key=lambda man: man == newest.get(place))
        for man, point in zip(ordered, square.pair, strict=False):
            yield man, point, pieces.ON_THE_ROAD, rim


def _put_tags(sheet: Sheet, scene: Scene, targets: list[tuple[Target, Go]]) -> None:
    """The letters of the targets where they arrive; none where there is only one."""
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
        return [META_SPOTS[colour][3]]
    place = ROUTES[colour][move.to]
    square = SQUARES[place]
    first, second = square.pair
    beyond = shapes.along(second, first, -33)
    alike = sum(other.to == move.to for _, other in targets)
    match len(seen.crowd.get(place, ())):
        case 0:
            return [square.alone] if alike == 1 else [first, second]
        case 1:
            return [second, beyond]
        case _:
            return [beyond]


def _put_plates(sheet: Sheet, scene: Scene) -> None:
    seen, theme = scene.seen, scene.theme
    places, over = seen.standings(), seen.stage is Stage.OVER
    for seat, colour in enumerate(seen.colours):
        mood = Mood.TURN if seat == seen.turn and not over and not scene.ended else Mood.WAITING
        if over and places[seat] == 1:
            mood = Mood.WON
        lit = mood is not Mood.WAITING
        fill, ink = ("ink", "paper") if lit else ("bar", "ink")
        left, top = round(PLATES[colour][0]), round(PLATES[colour][1])
        bar = Bar(
            top,
            left,
            left + PLATE_WIDTH,
            PLATE_HEIGHT,
            fill,
            turn_line="ink",
            ink="ink",
            turn_ink="paper",
            emblem_at=68,
            name_at=100,
            size=29,
        )
        arrived = sum(index == META for index in seen.pieces[seat])
        pips = [Item(pieces.pip(theme, colour, fill, ink, full=n < arrived), 25) for n in range(4)]
        tag = None
        if seat in places:
            tag = label(sheet.palette, scene.caption(f"place-{seat}"), 27, ink, fill)
        badge = pieces.badge(theme, colour, fill, ink)
        bar.put(sheet, scene.names[seat], badge, pips, mood, tag)
