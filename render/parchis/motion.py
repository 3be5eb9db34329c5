"""A move of Parchís on its way: the die falls, the piece hops, whoever is eaten flies home."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from games.parchis.board import HOME, META, SALIDA
from games.parchis.moves import Go, Man, Stage
from games.parchis.rules import Parchis
from render.kit.geometry import Point
from render.kit.motion import Animation, Flight
from render.parchis import corners, painter, pieces
from render.parchis.corners import lies
from render.parchis.layout import CASAS, HOMES, centre
from render.scene import Scene

ROLLED = 0.2, 0.38
"""Up to which shares of a move the die shows other eyes before it lies still."""

HOPS = 0.3, 0.75
"""Between which shares of a move the piece goes; without a capture it takes the rest."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    seen: Parchis = scene.seen
    newest = scene.last[-1]
    move = newest.move
    flights = [*_tumbling(scene, seen)]
    lifted: set[Man] = set()
    if isinstance(move, Go):
        lifted = {*move.taken, *((seen.turn, number) for number in move.pieces)}
        flights = [*_going(scene, seen, move), *flights]
    # The way of a move that is under way is not drawn: its piece is seen to go it.
    ground = painter.sheet_of(replace(scene, last=()), frozenset(lifted))
    return Animation(ground, tuple(flights))


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
