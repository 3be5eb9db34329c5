"""An act of Storilljuðjorrayc on its way: units walk, shots fly, whoever is captured pales."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from games.core import Seat
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.geometry import FOREST, Place, Space
from games.storilljudhjorrayc.move_types import Ambuscade, Attack, BothLords, Salvo, Step, Switch
from games.storilljudhjorrayc.reach import beam
from games.storilljudhjorrayc.units import AMBUSH, LORDS, Label
from render.kit.geometry import Point
from render.kit.motion import Animation, Flight
from render.scene import Scene
from render.storilljudhjorrayc import board, layout, painter, pieces

STRUCK = 0.8
"""The share of an act at which whoever is captured falls."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    newest = scene.last[-1]
    before, still = newest.before.stage, replace(scene, last=())
    if not isinstance(before, Battle):
        return Animation(painter.sheet_of(still))
    seat, flights = newest.seat, tuple(_flights(scene, before, newest.seat, newest.move))
    gone = frozenset((seat, name) for name in _walking(before, newest.move))
    return Animation(painter.sheet_of(still, gone), flights)


def _walking(before: Battle, act: object) -> tuple[Label, ...]:
    match act:
        case Step(name):
            return (name,)
        case BothLords():
            return LORDS
        case Ambuscade():
            return (AMBUSH,)
        case Switch(name, _, target):
            return (name, before.board.standing[target][1])
        case _:
            return ()


def _flights(scene: Scene, before: Battle, seat: Seat, act: object) -> Iterator[Flight]:
    match act:
        case Step():
            yield _walk(scene, before, seat, act)
        case BothLords(left, right):
            yield _walk(scene, before, seat, left)
            yield _walk(scene, before, seat, right)
        case Ambuscade(target):
            yield from _falling(scene, before, act)
            yield _walk(scene, before, seat, Step(AMBUSH, FOREST, target))
        case Switch(name, origin, target):
            other = before.board.standing[target][1]
            yield _walk(scene, before, seat, Step(name, origin, target))
            yield _walk(scene, before, seat, Step(other, target, origin))
        case Attack(_, origin, target):
            yield from _shots(scene, layout.way(before, origin, target))
            yield from _falling(scene, before, act)
        case Salvo(_, origin):
            yield from _shots(scene, [origin, *beam(origin)])
            yield from _falling(scene, before, act)


def _walk(scene: Scene, before: Battle, seat: Seat, step: Step) -> Flight:
    places = layout.way(before, step.origin, step.target)
    points: list[Point] = []
    for here, there in pairwise(places):
        points += _stretch(scene, seat, step.label, here, there)
    return Flight(pieces.unit(scene.theme, seat, step.label), tuple(points))


def _stretch(scene: Scene, seat: Seat, name: Label, here: Place, there: Place) -> list[Point]:
    if here == FOREST:
        start = layout.unit_at(scene, seat, name) or layout.at(scene, there)
        return [start, layout.at(scene, there)]
    if there == FOREST:
        return [layout.at(scene, here), board.edge_point(layout.shown(scene, here))]
    return list(board.between(layout.shown(scene, here), layout.shown(scene, there)))


def _shots(scene: Scene, places: list[Space]) -> Iterator[Flight]:
    """The stretches of a shot, one after the other."""
    pairs = list(pairwise(layout.shown(scene, place) for place in places))
    for number, (here, there) in enumerate(pairs):
        since = STRUCK * number / len(pairs)
        yield Flight(pieces.shot(scene.theme, here, there), ((0, 0),), since, waits=False)


def _falling(scene: Scene, before: Battle, act: Attack | Ambuscade | Salvo) -> Iterator[Flight]:
    for space in before.fallen(act):
        owner, name = before.board.standing[space]
        ghost = pieces.ghost(scene.theme, owner, name, not isinstance(act, Salvo))
        yield Flight(ghost, (layout.at(scene, space),), STRUCK, waits=False)
