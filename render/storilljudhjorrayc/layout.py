"""Where the things of a Storilljuðjorrayc picture lie, as seen from the bottom seat."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Seat
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.geometry import (
    CLEARING_RAYS,
    FOREST,
    OUTER,
    RAYS,
    ROUND,
    STRAIGHT_RAYS,
    Place,
    Ray,
    Space,
)
from games.storilljudhjorrayc.menus import BOTH_LORDS, EXCHANGE, HIT
from games.storilljudhjorrayc.reach import beam
from games.storilljudhjorrayc.setup import SetUp, space_in
from games.storilljudhjorrayc.units import AMBUSH, LORDS, UNITS, Label
from render.scene import Scene
from render.storilljudhjorrayc import board

ROOM = 10
"""How many units a side has in the forest before they must crowd."""

SLOTS = ((350, 350), (350, 291), (291, 350), (352, 233), (233, 352))
CROWDED = (
    *((352, 352), (352, 304), (304, 352), (304, 304)),
    *((352, 256), (256, 352), (354, 209), (209, 354)),
)
"""Where units stand in a corner of the forest, from the centre; each side has two corners."""

At = tuple[int, int]


def turn(scene: Scene) -> bool:
    """Whether the board is turned half round: green sits at the bottom."""
    return scene.bottom == 0


def south(scene: Scene) -> bool:
    """Whether the numbers stand below the centre, because a blind hangs above it."""
    stage = scene.seen.stage
    return isinstance(stage, SetUp) and stage.lines[1 - scene.bottom] is None


def shown(scene: Scene, place: Place) -> Place:
    """The space where *place* is drawn, as if north were at the top."""
    return board.turned(place, turn(scene))


def at(scene: Scene, space: Space) -> At:
    """Where a unit on *space* stands in the picture."""
    x, y = board.point(shown(scene, space))
    return round(x), round(y)


def present(stage: SetUp | Battle, seat: Seat) -> tuple[Label, ...]:
    """The units of *seat* that are to be seen; the ambush waits in the forest from the start."""
    if isinstance(stage, Battle):
        return stage.board.left(seat)
    return (*(name for name in stage.lines[seat] or () if name is not None), AMBUSH)


def place_of(stage: SetUp | Battle, seat: Seat, name: Label) -> Place | None:
    """The place of the unit *name* of *seat*; ``None`` when it is captured or hidden."""
    if isinstance(stage, Battle):
        return stage.board.place(seat, name)
    line = stage.lines[seat]
    if name == AMBUSH:
        return FOREST
    return space_in(seat, line, name) if line and name in line else None


def in_forest(stage: SetUp | Battle, seat: Seat) -> list[Label]:
    """The units that *seat* has in the forest, in the order in which they stand there."""
    return [name for name in present(stage, seat) if place_of(stage, seat, name) == FOREST]


def forest_at(scene: Scene, seat: Seat, number: int, count: int) -> At:
    """Where the unit *number* of *count* that *seat* has in the forest stands."""
    dx, dy = (SLOTS if count <= ROOM else CROWDED)[number // 2]
    down = 1 if seat == scene.bottom else -1
    x, y = board.CENTRE
    return x + dx * (-1 if number % 2 else 1), y + dy * down


def unit_at(scene: Scene, seat: Seat, name: Label) -> At | None:
    """Where the unit *name* of *seat* stands in the picture, if it is to be seen."""
    place = place_of(scene.seen.stage, seat, name)
    if place == FOREST:
        inside = in_forest(scene.seen.stage, seat)
        return forest_at(scene, seat, inside.index(name), len(inside))
    return None if place is None else at(scene, place)


def mover(scene: Scene) -> Seat:
    """The seat whose choice the scene shows: the mover, or in the set-up the seat at the bottom."""
    stage = scene.seen.stage
    return stage.turn if isinstance(stage, Battle) else scene.bottom


def target_at(scene: Scene, step: str) -> At | None:
    """Where the target *step* lies in the picture; ``None`` if it has no place."""
    seat = mover(scene)
    if not scene.path:
        return unit_at(scene, seat, step) if step in UNITS else None
    if step == FOREST:
        return forest_door(scene, chosen(scene))
    if step == HIT:
        origin = place_of(scene.seen.stage, seat, scene.path[0])
        return at(scene, beam(origin)[1]) if origin and origin != FOREST else None
    space = step.removeprefix(HIT).removeprefix(EXCHANGE)
    return at(scene, space) if len(space) == 2 and space[1].isdigit() else None


def chosen(scene: Scene) -> Label | None:
    """The unit chosen by the path; of two lords, the one whose step is next."""
    if not scene.path:
        return None
    first, *more = scene.path
    if first == BOTH_LORDS:
        return LORDS[len(more) and 1]
    return first if first in UNITS else None


def forest_door(scene: Scene, name: Label | None) -> At | None:
    """Where the way into the forest begins for the unit *name* of the mover."""
    origin = place_of(scene.seen.stage, mover(scene), name) if name else None
    if origin is None or origin == FOREST:
        return None
    x, y = board.edge_point(shown(scene, next(space for space in OUTER if space[0] == origin[0])))
    return round(x), round(y)


def way(before: Battle, origin: Place, target: Place) -> list[Place]:
    """The places from *origin* to *target* that a unit passed, or its shot, both included."""
    if origin == FOREST:
        return [FOREST, target]
    if target == FOREST:
        outward = next(r for r in CLEARING_RAYS[origin] if not r.path or r.path[-1] in OUTER)
        return [origin, *outward.path, FOREST]
    rays = STRAIGHT_RAYS if before.variant.straight else RAYS
    found = [path for ray in (*ROUND[origin], *rays[origin]) for path in _paths(ray, target)]
    free = [p for p in found if not any(s in before.board.standing for s in p[:-1])]
    return [origin, *min(free, key=len, default=(target,))]


def _paths(ray: Ray, target: Space, so_far: tuple[Space, ...] = ()) -> Iterator[tuple[Space, ...]]:
    if target in ray.path:
        yield (*so_far, *ray.path[: ray.path.index(target) + 1])
        return
    for fork in ray.forks:
        yield from _paths(fork, target, (*so_far, *ray.path))
