"""The round board of Storilljuðjorrayc as one viewer sees it.

Whoever sits at the bottom has his zone there: from green's side everything is turned half
round. Targets bear the name of their space; what would fall is ringed in red. A hidden
set-up is a blind drawn over a zone, the same whatever lies behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from games.core import Phrase, Seat, phrase
from games.storilljudhjorrayc.buttons import BOTH_LORDS, EXCHANGE, HIT
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
    sector_of,
)
from games.storilljudhjorrayc.moves import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Put,
    Salvo,
    Step,
    Swap,
    Switch,
)
from games.storilljudhjorrayc.reach import beam, master_needed, salvo
from games.storilljudhjorrayc.rules import Battle
from games.storilljudhjorrayc.setup import ZONES, SetUp, space_in
from games.storilljudhjorrayc.units import AMBUSH, LORDS, UNITS, Label
from render.kit import Bar, Item, Mood, Sheet, Spot, label
from render.pieces import storilljudhjorrayc as pieces
from render.pieces import storilljudhjorrayc_board as board
from render.scene import Last, Scene
from render.storilljudhjorrayc_figures import FIGURES

if TYPE_CHECKING:
    from PIL import Image

    from games.storilljudhjorrayc.position import StorillPosition

LETTERS = False

WIDTH, HEIGHT = 800, 944
HEADER, FOOTER = (
    Bar(top, left=12, right=788, turn_line="ink", name_at=116, size=32) for top in (12, 868)
)
ROOM, CROWD = 10, 44
"""How many units a side has in the forest before they must crowd, and the room each then has."""

SLOTS = ((350, 350), (350, 291), (291, 350), (352, 233), (233, 352))
CROWDED = (
    *((352, 352), (352, 304), (304, 352), (304, 304)),
    *((352, 256), (256, 352), (354, 209), (209, 354)),
)
"""Where units stand in a corner of the forest, from the centre; each side has two corners."""

At = tuple[int, int]

# What the house asks.


def captions(seen: StorillPosition) -> dict[str, Phrase]:
    """The words on the blind before a hidden set-up."""
    del seen
    return {
        "hidden": phrase("storilljudhjorrayc.picture.hidden"),
        "ready": phrase("storilljudhjorrayc.picture.ready"),
    }


def spots(scene: Scene) -> tuple[Spot, ...]:
    """What may be tapped: units to choose, places to go to, units to capture."""
    found = []
    for target in scene.targets:
        at = _target_at(scene, target.step)
        if at is not None:
            x, y, half = *at, 27
            box = ((x - half) / WIDTH, (y - half) / HEIGHT, 2 * half / WIDTH, 2 * half / HEIGHT)
            found.append(Spot(target.step, *box))
    return tuple(found)


def paint(scene: Scene) -> Image.Image:
    """The board as *scene* tells it, in mode P."""
    sheet = _ground(scene.theme, _turn(scene)).copy()
    stage = scene.seen.stage
    _mark_last(sheet, scene)
    _mark_beam(sheet, scene)
    blind = isinstance(stage, SetUp) and stage.lines[1 - scene.bottom] is None
    sheet.put(board.numbers(scene.theme, blind))
    if isinstance(stage, SetUp):
        _put_zones(sheet, scene, stage)
    _put_trees(sheet, scene)
    _put_ways(sheet, scene)
    for seat in (0, 1):
        for name in _present(stage, seat):
            _put_unit(sheet, scene, seat, name)
    _put_fallen(sheet, scene)
    _put_choice(sheet, scene)
    for target in scene.targets:
        _put_target(sheet, scene, target.step)
    _put_bars(sheet, scene)
    return sheet.picture()


# Where things are.


@cache
def _ground(theme: str, turn: bool) -> Sheet:
    sheet = Sheet(board.palette(theme), WIDTH, HEIGHT)
    sheet.put(board.ground(theme, turn))
    return sheet


def _turn(scene: Scene) -> bool:
    return scene.bottom == 0


def _shown(scene: Scene, place: Place) -> Place:
    return board.turned(place, _turn(scene))


def _at(scene: Scene, space: Space) -> At:
    x, y = board.point(_shown(scene, space))
    return round(x), round(y)


def _present(stage: SetUp | Battle, seat: Seat) -> tuple[Label, ...]:
    """The units of *seat* that are to be seen; the ambush waits in the forest from the start."""
    if isinstance(stage, Battle):
        return stage.board.left(seat)
    line = stage.lines[seat] or ()
    return (*(name for name in line if name is not None), AMBUSH)


def _place(stage: SetUp | Battle, seat: Seat, name: Label) -> Place | None:
    if isinstance(stage, Battle):
        return stage.board.place(seat, name)
    line = stage.lines[seat]
    if name == AMBUSH:
        return FOREST
    return space_in(seat, line, name) if line and name in line else None


def _in_forest(stage: SetUp | Battle, seat: Seat) -> list[Label]:
    return [name for name in _present(stage, seat) if _place(stage, seat, name) == FOREST]


def _forest_at(scene: Scene, seat: Seat, number: int, count: int) -> At:
    """Where the unit *number* of *count* that *seat* has in the forest stands."""
    slots = SLOTS if count <= ROOM else CROWDED
    dx, dy = slots[number // 2]
    down = 1 if seat == scene.bottom else -1
    x, y = board.CENTRE
    return x + dx * (-1 if number % 2 else 1), y + dy * down


def _unit_at(scene: Scene, seat: Seat, name: Label) -> At | None:
    place = _place(scene.seen.stage, seat, name)
    if place == FOREST:
        inside = _in_forest(scene.seen.stage, seat)
        return _forest_at(scene, seat, inside.index(name), len(inside))
    return None if place is None else _at(scene, place)


def _mover(scene: Scene) -> Seat:
    """Whose choice the scene shows: the mover, or whoever arranges at the bottom."""
    stage = scene.seen.stage
    return stage.turn if isinstance(stage, Battle) else scene.bottom


def _target_at(scene: Scene, step: str) -> At | None:
    """Where the target *step* lies in the picture; ``None`` where it has no place."""
    seat = _mover(scene)
    if not scene.path:
        return _unit_at(scene, seat, step) if step in UNITS else None
    if step == FOREST:
        return _forest_door(scene, _chosen(scene))
    if step == HIT:
        origin = _place(scene.seen.stage, seat, scene.path[0])
        return _at(scene, beam(origin)[1]) if origin and origin != FOREST else None
    space = step.removeprefix(HIT).removeprefix(EXCHANGE)
    return _at(scene, space) if len(space) == 2 and space[1].isdigit() else None


def _chosen(scene: Scene) -> Label | None:
    """The unit that the path has chosen: the lord whose step is asked for, of two."""
    if not scene.path:
        return None
    first, *more = scene.path
    if first == BOTH_LORDS:
        return LORDS[len(more) and 1]
    return first if first in UNITS else None


def _forest_door(scene: Scene, name: Label | None) -> At | None:
    """Where the way into the forest begins for the unit *name* of the mover."""
    origin = _place(scene.seen.stage, _mover(scene), name) if name else None
    if origin is None or origin == FOREST:
        return None
    outer = next(space for space in OUTER if space[0] == origin[0])
    x, y = board.edge_point(_shown(scene, outer))
    return round(x), round(y)


# What has just been done.


def _last(scene: Scene) -> Last | None:
    return scene.last[-1] if scene.last else None


def _last_act(scene: Scene) -> tuple[Battle, Act] | None:
    last = _last(scene)
    if last is None or not isinstance(last.before.stage, Battle):
        return None
    return last.before.stage, last.move


def _mark_last(sheet: Sheet, scene: Scene) -> None:
    """The spaces that the last move left and reached, in amber; a salvo's beam in red."""
    last = _last(scene)
    if last is None:
        return
    spaces: tuple[Place, ...] = ()
    match last.move:
        case Step(_, origin, target) | Attack(_, origin, target) | Switch(_, origin, target):
            spaces = (origin, target)
        case BothLords(left, right):
            spaces = (left.origin, left.target, right.origin, right.target)
        case Salvo(_, origin):
            _wash_beam(sheet, scene, origin)
            spaces = (origin,)
        case Ambuscade(target):
            spaces = (target,)
        case Swap(seat, name, other):
            places = (_place(last.before.stage, seat, one) for one in (name, other))
            spaces = tuple(place for place in places if place)
        case Put(_, _, target):
            spaces = (target,)
        case _:
            pass
    for place in dict.fromkeys(_shown(scene, place) for place in spaces if place != FOREST):
        sheet.wash(board.filled(scene.theme, place), "amber", board.LAST_SHARE)
        sheet.put(board.framed(scene.theme, place, "amber"))


def _wash_beam(sheet: Sheet, scene: Scene, origin: Space) -> None:
    for space in beam(_shown(scene, origin)):
        sheet.wash(board.filled(scene.theme, space), "red", board.BEAM_SHARE)
    sheet.put(board.beam(scene.theme, sector_of(_shown(scene, origin))))


def _put_ways(sheet: Sheet, scene: Scene) -> None:
    """The arrow or the shot of the last act, along the way really gone."""
    acted = _last_act(scene)
    if acted is None:
        return
    before, act = acted
    match act:
        case Step():
            _put_arrow(sheet, scene, before, act)
        case BothLords(left, right):
            _put_arrow(sheet, scene, before, left)
            _put_arrow(sheet, scene, before, right)
        case Ambuscade(target):
            _put_arrow(sheet, scene, before, Step(AMBUSH, FOREST, target))
        case Attack(_, origin, target):
            for pair in _pairs(scene, way(before, origin, target)):
                sheet.put(pieces.shot(scene.theme, *pair))
        case Salvo(_, origin):
            for pair in _pairs(scene, [origin, *beam(origin)]):
                sheet.put(pieces.shot(scene.theme, *pair))
        case Switch() | Pass():
            pass


def _put_arrow(sheet: Sheet, scene: Scene, before: Battle, step: Step) -> None:
    pairs = _pairs(scene, way(before, step.origin, step.target))
    for number, (here, there) in enumerate(pairs):
        first, last = number == 0, number == len(pairs) - 1
        sheet.put(pieces.stretch(scene.theme, here, there, first=first, last=last))


def _pairs(scene: Scene, places: list[Place]) -> list[tuple[Place, Place]]:
    return pieces.stretches([_shown(scene, place) for place in places])


def way(before: Battle, origin: Place, target: Place) -> list[Place]:
    """The places from *origin* to *target* that a unit passed, or its shot, both included."""
    if origin == FOREST:
        return [FOREST, target]
    if target == FOREST:
        outward = next(r for r in CLEARING_RAYS[origin] if not r.path or r.path[-1] in OUTER)
        return [origin, *outward.path, FOREST]
    rays = STRAIGHT_RAYS if before.variant.straight else RAYS
    reaching = (*ROUND[origin], *rays[origin])
    found = [path for ray in reaching for path in _paths(ray, target)]
    free = [p for p in found if not any(s in before.board.standing for s in p[:-1])]
    return [origin, *min(free, key=len, default=(target,))]


def _paths(ray: Ray, target: Space, so_far: tuple[Space, ...] = ()) -> Iterator[tuple[Space, ...]]:
    """The ways along *ray* that lead to *target*."""
    if target in ray.path:
        yield (*so_far, *ray.path[: ray.path.index(target) + 1])
        return
    for fork in ray.forks:
        yield from _paths(fork, target, (*so_far, *ray.path))


def _put_fallen(sheet: Sheet, scene: Scene) -> None:
    """The ghosts of what the last act captured; heads between those who changed places."""
    acted = _last_act(scene)
    if acted is None:
        return
    before, act = acted
    for space in before.fallen(act):
        owner, name = before.board.standing[space]
        if not isinstance(act, Ambuscade) or scene.seen.stage.board.standing.get(space) is None:
            in_salvo = isinstance(act, Salvo)
            sheet.put(pieces.ghost(scene.theme, owner, name, not in_salvo), *_at(scene, space))
    if isinstance(act, Switch):
        here, there = _shown(scene, act.origin), _shown(scene, act.target)
        sheet.put(pieces.exchange(scene.theme, here, there))


# Units, forest, zones.


def _put_trees(sheet: Sheet, scene: Scene) -> None:
    """Trees wherever no unit stands in the forest."""
    stage = scene.seen.stage
    taken = []
    for seat in (0, 1):
        count = len(_in_forest(stage, seat))
        taken += [_forest_at(scene, seat, number, count) for number in range(count)]
    for x, y, fir in board.trees():
        if all(abs(x - a) > 36 or abs(y - 12 - b) > 46 for a, b in taken):
            sheet.put(board.tree(scene.theme, fir), x, y)


def _put_unit(sheet: Sheet, scene: Scene, seat: Seat, name: Label) -> None:
    at = _unit_at(scene, seat, name)
    if at is None:
        return
    stage, theme = scene.seen.stage, scene.theme
    place = _place(stage, seat, name)
    crowded = place == FOREST and len(_in_forest(stage, seat)) > ROOM
    radius = pieces.SMALL if crowded else pieces.DISC
    sheet.wash(pieces.shadow(theme, seat, radius), "line", board.SHADE_SHARE, *at)
    if _broke_out(scene, seat, name):
        sheet.put(pieces.burst(theme), *at)
    faded = isinstance(stage, Battle) and master_needed(name) and stage.board.abandoned(seat)
    sheet.put(pieces.unit(theme, seat, name, radius, faded and place != FOREST), *at)


def _broke_out(scene: Scene, seat: Seat, name: Label) -> bool:
    last = _last(scene)
    ambush = last is not None and isinstance(last.move, Ambuscade)
    return ambush and last is not None and last.seat == seat and name == AMBUSH


def _put_zones(sheet: Sheet, scene: Scene, setup: SetUp) -> None:
    """The own zone with its empty spaces; a blind before the one that is hidden."""
    for seat in (0, 1):
        north = seat != scene.bottom
        line = setup.lines[seat]
        if line is None:
            _put_veil(sheet, scene, setup, seat, north)
            continue
        sheet.put(board.zone(scene.theme, north, "hair" if setup.ready[seat] else "blue"))
        for name, space in zip(line, ZONES[seat], strict=True):
            if name is None:
                sheet.put(pieces.free(scene.theme), *_at(scene, space))


def _put_veil(sheet: Sheet, scene: Scene, setup: SetUp, seat: Seat, north: bool) -> None:
    sheet.put(board.veil(scene.theme, north))
    words = scene.caption("ready" if setup.ready[seat] else "hidden")
    written = label(sheet.palette, words, 30, "letter", "veil", 400)
    x, y = board.CENTRE
    away = round((board.RINGS[0] + board.RINGS[3]) / 2)
    sheet.put(written, x - written.width // 2, y - away if north else y + away)


# What may be done.


def _mark_beam(sheet: Sheet, scene: Scene) -> None:
    """The beam of the salvo that the chosen archer may fire."""
    if any(target.step == HIT for target in scene.targets) and scene.path:
        origin = _place(scene.seen.stage, _mover(scene), scene.path[0])
        if origin and origin != FOREST:
            _wash_beam(sheet, scene, origin)


def _put_choice(sheet: Sheet, scene: Scene) -> None:
    """A blue ring round the unit that is chosen; of two lords, also the first one's step."""
    name = _chosen(scene)
    if name is None:
        return
    seat = _mover(scene)
    if scene.path[0] == BOTH_LORDS and len(scene.path) > 1:
        _put_first_lord(sheet, scene, seat, scene.path[1])
    at = _unit_at(scene, seat, name)
    if at is not None:
        sheet.put(pieces.ring(scene.theme, "blue"), *at)


def _put_first_lord(sheet: Sheet, scene: Scene, seat: Seat, place: Place) -> None:
    """The left lord where it will be once the right one's step is chosen too (G8)."""
    left = _unit_at(scene, seat, LORDS[0])
    there = _at(scene, place) if place != FOREST else _forest_door(scene, LORDS[0])
    if left and there:
        sheet.put(pieces.ghost(scene.theme, seat, LORDS[0], False), *left)
        sheet.put(pieces.ring(scene.theme, "blue"), *there)
        sheet.put(pieces.unit(scene.theme, seat, LORDS[0]), *there)


def _put_target(sheet: Sheet, scene: Scene, step: str) -> None:
    at = _target_at(scene, step)
    stage, theme, seat = scene.seen.stage, scene.theme, _mover(scene)
    if at is None or not scene.path:
        return
    if isinstance(stage, SetUp):
        line = stage.lines[seat]
        taken = line is not None and line[ZONES[seat].index(step)] is not None
        sheet.put(pieces.open_to_choice(theme) if taken else pieces.target(theme, step), *at)
    elif step == HIT:
        for space in salvo(stage.board, seat, scene.path[0], stage.variant):
            _put_endangered(sheet, scene, space)
    elif step.startswith(HIT):
        _put_endangered(sheet, scene, step.removeprefix(HIT))
    elif step.startswith(EXCHANGE):
        sheet.put(pieces.ring(theme, "blue"), *at)
    elif step == FOREST:
        sheet.put(pieces.forest_target(theme), *at)
    else:
        sheet.put(pieces.target(theme, step), *at)


def _put_endangered(sheet: Sheet, scene: Scene, space: Space) -> None:
    """The red rings round what would fall, and a warning beside an own unit (G9)."""
    x, y = _at(scene, space)
    owner, name = scene.seen.stage.board.standing[space]
    sheet.put(pieces.danger(scene.theme), x, y)
    sheet.put(pieces.unit(scene.theme, owner, name), x, y)
    if owner == _mover(scene):
        sheet.put(pieces.warning(scene.theme), x + 34, y - 20)


# The bars.


def _put_bars(sheet: Sheet, scene: Scene) -> None:
    seen = scene.seen
    stage, end = seen.stage, seen.outcome()
    for bar, seat in ((HEADER, 1 - scene.bottom), (FOOTER, scene.bottom)):
        mood = Mood.TURN if seat in seen.actors() else Mood.WAITING
        if end and end.winner == seat:
            mood = Mood.WON
        items = _holdings(scene, seat) if isinstance(stage, Battle) else []
        ready = isinstance(stage, SetUp) and stage.ready[seat]
        tag = pieces.tick(scene.theme) if ready else None
        bar.put(sheet, scene.names[seat], pieces.emblem(scene.theme, seat), items, mood, tag)


def _holdings(scene: Scene, seat: Seat) -> list[Item]:
    """What the ambush of *seat* may still do, and what *seat* has captured."""
    stage = scene.seen.stage
    mine = stage.board.place(seat, AMBUSH) is not None
    left = 3 - stage.ambushes[seat] if mine else 0
    items = [Item(pieces.uses(scene.theme, left), 104)]
    other = 1 - seat
    taken = tuple(name for name in UNITS if _was_captured(stage, other, name))
    if len(taken) <= 7:
        return items + [Item(pieces.captured(scene.theme, other, name), 46) for name in taken]
    plate = pieces.captured_plate(scene.theme, other, taken)
    return [*items, Item(plate, plate.width + 4)]


def _was_captured(battle: Battle, seat: Seat, name: Label) -> bool:
    gone = battle.board.place(seat, name) is None
    return gone and not (name == AMBUSH and battle.ambushes[seat] == 3)


__all__ = ["FIGURES", "LETTERS", "captions", "paint", "spots"]
