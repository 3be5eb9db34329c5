"""The round board of Storilljuðjorrayc as one viewer sees it.

Whoever sits at the bottom has his zone there: from green's side everything is turned half
round. Targets bear the name of their space; what would fall is ringed in red. A hidden
set-up is a blind drawn over a zone, the same whatever lies behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from games.core import Phrase, Seat, phrase
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.geometry import FOREST, SPACES, Place, Space, sector_of
from games.storilljudhjorrayc.menus import BOTH_LORDS, EXCHANGE, HIT, steps
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Put,
    Salvo,
    SetupSwap,
    Step,
    Switch,
    find_actors,
)
from games.storilljudhjorrayc.notation import read
from games.storilljudhjorrayc.reach import beam, salvo
from games.storilljudhjorrayc.rules import StorillPosition, start
from games.storilljudhjorrayc.setup import ZONES, SetUp
from games.storilljudhjorrayc.units import AMBUSH, GUARDS, LORDS, Label
from render.kit import Bar, Figure, Item, Mood, Sheet, Spot, label, paint_by
from render.kit.geometry import Point
from render.kit.motion import Animation, Flight
from render.scene import Last, Scene, Target
from render.storilljudhjorrayc import board, board_sprites, layout, pieces

COVER = "setup"
BESIDE = ((10, 86, 790, 858),)
CHEAT = ((524, 658), (180, 428), (346, 201), (749, 819), (672, 653))
BOTTOM = 1
"""North, between p and a, is up, and green begins in the north."""
LETTERS = False
MATERIAL = True
TURNS = True

WIDTH, HEIGHT = board_sprites.WIDTH, board_sprites.HEIGHT
HEADER, FOOTER = (Bar(top, left=12, right=788, name_at=116, size=32) for top in (12, 868))


def captions(_seen: StorillPosition) -> dict[str, Phrase]:
    """The words on the blind before a hidden set-up."""
    return {
        "hidden": phrase("storilljudhjorrayc.picture.hidden"),
        "ready": phrase("storilljudhjorrayc.picture.ready"),
    }


def spots(scene: Scene) -> tuple[Spot, ...]:
    """What may be tapped: units to choose, places to go to, units to capture."""
    found = ((target.step, layout.target_at(scene, target.step)) for target in scene.targets)
    return tuple(_spot(step, at) for step, at in found if at is not None)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every space."""
    return tuple(_spot(space, layout.at(scene, space)) for space in SPACES)


def _spot(step: str, at: layout.At) -> Spot:
    (x, y), half = at, 27
    return Spot.of(step, (x - half, y - half, x + half, y + half), HEIGHT)


def sheet_of(scene: Scene, lifted: frozenset[tuple[Seat, Label]] = frozenset()) -> Sheet:
    """The board as *scene* tells it, without the units that are *lifted*."""
    stage = scene.seen.stage
    sheet = board_sprites.ground(scene.theme, layout.turn(scene), layout.south(scene)).copy()
    _put_forest(sheet, scene)
    marked = _mark_last(sheet, scene) | _mark_beam(sheet, scene)
    if marked:
        sheet.put(board.numbers(scene.theme, layout.south(scene)))
    if isinstance(stage, SetUp):
        _put_zones(sheet, scene, stage)
    acted = _last_act(scene)
    if acted is not None:
        _put_ways(sheet, scene, *acted)
    for seat in (0, 1):
        for name in layout.present(stage, seat):
            if (seat, name) not in lifted:
                _put_unit(sheet, scene, seat, name, marked)
    _put_rings(sheet, scene)
    if acted is not None:
        _put_fallen(sheet, scene, *acted)
    _put_choice(sheet, scene)
    for target in scene.targets:
        _put_target(sheet, scene, target.step)
    _put_bars(sheet, scene)
    return sheet


paint = paint_by(sheet_of)
"""The board as a scene tells it, in mode P."""


def _last(scene: Scene) -> Last | None:
    return scene.last[-1] if scene.last else None


def _last_act(scene: Scene) -> tuple[Battle, Act] | None:
    last = _last(scene)
    if last is None or not isinstance(last.before.stage, Battle):
        return None
    return last.before.stage, last.move


def _mark_last(sheet: Sheet, scene: Scene) -> frozenset[Place]:
    """Mark what the last move left and reached, or its beam; answers those spaces as shown."""
    last = _last(scene)
    if last is None:
        return frozenset()
    washed: frozenset[Place] = frozenset()
    spaces: tuple[Place, ...] = ()
    match last.move:
        case Step() | Ambuscade() | BothLords() if scene.calm:
            pass  # Of many pictures in a row the way alone tells it.
        case Step(_, origin, target) | Attack(_, origin, target) | Switch(_, origin, target):
            spaces = (origin, target)
        case BothLords(left, right):
            spaces = (left.origin, left.target, right.origin, right.target)
        case Salvo(_, origin):
            washed = _put_beam(sheet, scene, origin)
            spaces = (origin,)
        case Ambuscade(target):
            spaces = (target,)
        case SetupSwap(seat, name, other):
            places = (layout.place_of(last.before.stage, seat, one) for one in (name, other))
            spaces = tuple(place for place in places if place)
        case Put(_, _, target):
            spaces = (target,)
        case _:
            pass
    framed = dict.fromkeys(layout.shown(scene, place) for place in spaces if place != FOREST)
    for place in framed:
        sheet.put(board.framed(scene.theme, place, "amber"))
    return washed | set(framed)


def _put_beam(sheet: Sheet, scene: Scene, origin: Space) -> frozenset[Place]:
    sheet.put(board.beam(scene.theme, sector_of(layout.shown(scene, origin))))
    return frozenset(beam(layout.shown(scene, origin)))


def _put_ways(sheet: Sheet, scene: Scene, before: Battle, act: Act) -> None:
    match act:
        case Step():
            _put_arrow(sheet, scene, before, act)
        case BothLords(left, right):
            _put_arrow(sheet, scene, before, left)
            _put_arrow(sheet, scene, before, right)
        case Ambuscade(target):
            _put_arrow(sheet, scene, before, Step(AMBUSH, FOREST, target))
        case Attack(_, origin, target):
            for pair in _pairs(scene, layout.way(before, origin, target)):
                sheet.put(pieces.shot(scene.theme, *pair))
        case Salvo(_, origin):
            for pair in _pairs(scene, [origin, *beam(origin)]):
                sheet.put(pieces.shot(scene.theme, *pair))
        case Switch() | Pass():
            pass


def _put_arrow(sheet: Sheet, scene: Scene, before: Battle, step: Step) -> None:
    pairs = _pairs(scene, layout.way(before, step.origin, step.target))
    for number, (here, there) in enumerate(pairs):
        first, last = number == 0, number == len(pairs) - 1
        sheet.put(pieces.stretch(scene.theme, here, there, first=first, last=last))


def _pairs(scene: Scene, places: list[Place]) -> list[tuple[Place, Place]]:
    return list(pairwise(layout.shown(scene, place) for place in places))


def _put_rings(sheet: Sheet, scene: Scene) -> None:
    end = scene.seen.outcome()
    last = _last(scene)
    if end is None or last is None or end.winner != last.seat:
        return
    for name in find_actors(last.move):
        at = layout.unit_at(scene, last.seat, name)
        if at is not None:
            sheet.put(pieces.winning(scene.theme), *at)
            sheet.put(pieces.crown(scene.theme), *at)


def _put_fallen(sheet: Sheet, scene: Scene, before: Battle, act: Act) -> None:
    """The ghosts of what the last act captured; arrow heads between units that changed places."""
    for space in before.fallen(act):
        owner, name = before.board.standing[space]
        if not isinstance(act, Ambuscade) or scene.seen.stage.board.standing.get(space) is None:
            in_salvo = isinstance(act, Salvo)
            sheet.put(
                pieces.ghost(scene.theme, owner, name, not in_salvo), *layout.at(scene, space)
            )
    if isinstance(act, Switch):
        here, there = layout.shown(scene, act.origin), layout.shown(scene, act.target)
        sheet.put(pieces.exchange(scene.theme, here, there))


def _put_forest(sheet: Sheet, scene: Scene) -> None:
    stage = scene.seen.stage
    taken = []
    for seat in (0, 1):
        count = len(layout.in_forest(stage, seat))
        taken += [layout.forest_at(scene, seat, number, count) for number in range(count)]
    x, y = board.CENTRE
    for down in (False, True):
        for right in (False, True):
            here = tuple(at for at in taken if (at[1] > y, at[0] > x) == (down, right))
            sheet.put(board_sprites.corner(scene.theme, layout.turn(scene), down, right, here))


def _put_unit(
    sheet: Sheet, scene: Scene, seat: Seat, name: Label, marked: frozenset[Place]
) -> None:
    at = layout.unit_at(scene, seat, name)
    if at is None:
        return
    stage, theme = scene.seen.stage, scene.theme
    place = layout.place_of(stage, seat, name) or FOREST
    crowded = place == FOREST and len(layout.in_forest(stage, seat)) > layout.ROOM
    lonely = isinstance(stage, Battle) and name in GUARDS and stage.board.is_abandoned(seat)
    unit = (seat, name, pieces.SMALL if crowded else pieces.DISC, lonely and place != FOREST)
    mine = seat == layout.mover(scene) and not scene.path
    free = mine and any(target.step == name for target in scene.targets)
    if name == AMBUSH and _broke_out(scene, seat):
        sheet.put(pieces.burst(theme), *at)
        board_sprites.put_unit(sheet, theme, at, unit, free=free)
    elif layout.shown(scene, place) in marked:
        board_sprites.put_unit(sheet, theme, at, unit, free=free)
    else:
        sides = (layout.turn(scene), layout.south(scene))
        sheet.put(board_sprites.standing(theme, *sides, at, unit, free=free))


def _broke_out(scene: Scene, seat: Seat) -> bool:
    last = _last(scene)
    return last is not None and last.seat == seat and isinstance(last.move, Ambuscade)


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
                sheet.put(pieces.free(scene.theme), *layout.at(scene, space))


def _put_veil(sheet: Sheet, scene: Scene, setup: SetUp, seat: Seat, north: bool) -> None:
    sheet.put(board.veil(scene.theme, north))
    words = scene.caption("ready" if setup.ready[seat] else "hidden")
    written = label(sheet.palette, words, 30, "letter", "veil", 400)
    x, y = board.CENTRE
    away = round((board.RINGS[0] + board.RINGS[3]) / 2)
    sheet.put(written, x - written.width // 2, y - away if north else y + away)


def _mark_beam(sheet: Sheet, scene: Scene) -> frozenset[Place]:
    """The beam of the salvo that the chosen archer may fire, and its spaces as shown."""
    if any(target.step == HIT for target in scene.targets) and scene.path:
        origin = layout.place_of(scene.seen.stage, layout.mover(scene), scene.path[0])
        if origin and origin != FOREST:
            return _put_beam(sheet, scene, origin)
    return frozenset()


def _put_choice(sheet: Sheet, scene: Scene) -> None:
    """A blue ring round the unit that is chosen; of two lords, also the first one's step."""
    name = layout.chosen(scene)
    if name is None:
        return
    seat = layout.mover(scene)
    if scene.path[0] == BOTH_LORDS and len(scene.path) > 1:
        _put_first_lord(sheet, scene, seat, scene.path[1])
    at = layout.unit_at(scene, seat, name)
    if at is not None:
        sheet.put(pieces.ring(scene.theme), *at)


def _put_first_lord(sheet: Sheet, scene: Scene, seat: Seat, place: Place) -> None:
    """The left lord where it will stand after the right one's step is chosen too (G8)."""
    left = layout.unit_at(scene, seat, LORDS[0])
    there = layout.at(scene, place) if place != FOREST else layout.forest_door(scene, LORDS[0])
    if left and there:
        sheet.put(pieces.ghost(scene.theme, seat, LORDS[0], False), *left)
        sheet.put(pieces.ring(scene.theme), *there)
        sheet.put(pieces.unit(scene.theme, seat, LORDS[0]), *there)


def _put_target(sheet: Sheet, scene: Scene, step: str) -> None:
    at = layout.target_at(scene, step)
    stage, theme, seat = scene.seen.stage, scene.theme, layout.mover(scene)
    if at is None or not scene.path:
        return  # Units that may be chosen are ringed before they are put down.
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
        sheet.put(pieces.ring(theme), *at)
    elif step == FOREST:
        sheet.put(pieces.forest_target(theme), *at)
    else:
        sheet.put(pieces.target(theme, step), *at)


def _put_endangered(sheet: Sheet, scene: Scene, space: Space) -> None:
    """Red rings around units that would fall, and a warning beside an own one (G9)."""
    x, y = layout.at(scene, space)
    owner, name = scene.seen.stage.board.standing[space]
    sheet.put(pieces.danger(scene.theme), x, y)
    sheet.put(pieces.unit(scene.theme, owner, name), x, y)
    if owner == layout.mover(scene):
        sheet.put(pieces.warning(scene.theme), x + 34, y - 20)


def _put_bars(sheet: Sheet, scene: Scene) -> None:
    stage = scene.seen.stage
    for bar, seat in ((HEADER, 1 - scene.bottom), (FOOTER, scene.bottom)):
        items = _holdings(scene, seat) if isinstance(stage, Battle) else []
        ready = isinstance(stage, SetUp) and stage.ready[seat]
        tag = pieces.setup_finished_tick(scene.theme) if ready else None
        emblem, mood = pieces.emblem(scene.theme, seat), Mood.of(scene, seat)
        bar.put(sheet, scene.names[seat], emblem, items, mood, tag)


def _holdings(scene: Scene, seat: Seat) -> list[Item]:
    stage = scene.seen.stage
    left = 3 - stage.ambushes[seat] if stage.board.place(seat, AMBUSH) is not None else 0
    items = [Item(pieces.uses(scene.theme, left), 104)]
    other = 1 - seat
    fielded = () if scene.posed else stage.variant.units
    gone = [name for name in fielded if stage.board.place(other, name) is None]
    # The ambush leaves by itself after its third capture (Z12).
    taken = tuple(name for name in gone if name != AMBUSH or stage.ambushes[other] < 3)
    if len(taken) <= 6:
        return items + [Item(pieces.draw_captured(scene.theme, other, name), 50) for name in taken]
    columns = 2 if scene.wide else (len(taken) + 1) // 2
    plate = pieces.captured_plate(scene.theme, other, taken, columns)
    return [*items, Item(plate, plate.width + 4)]


STRUCK = 0.8
"""The share of an act at which whoever is captured falls."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    newest = scene.last[-1]
    before, still = newest.before.stage, replace(scene, last=())
    if not isinstance(before, Battle):
        return Animation(sheet_of(still))
    seat, flights = newest.seat, tuple(_flights(scene, before, newest.seat, newest.move))
    gone = frozenset((seat, name) for name in _walking(before, newest.move))
    return Animation(sheet_of(still, gone), flights)


def _walking(before: Battle, act: object) -> tuple[Label, ...]:
    if isinstance(act, Switch):
        return (act.label, before.board.standing[act.target][1])
    return () if isinstance(act, Attack | Salvo) else find_actors(act)


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


KEY = "storilljudhjorrayc"
BOARD = (10, 82, 790, 864)
"""The board without the bars."""

GREEN, PURPLE = 0, 1
"""The sides by seat: green in the north."""


def _scene(seen: StorillPosition, *path: str) -> Scene:
    spelled = [steps(seen, move) for move in (seen.legal_moves(GREEN) if path else ())]
    ends = [s[len(path)] for s in spelled if s[: len(path)] == path]
    targets = tuple(Target("", step) for step in dict.fromkeys(ends))
    return Scene(KEY, seen, ("", ""), bottom=PURPLE, path=path, targets=targets)


def _chosen(green: str, purple: str, *path: str) -> Callable[[], tuple[Scene, ...]]:
    """The scene in which green has chosen *path*, its units and purple's as ``T1:a2 W:~``."""
    sides = (side.replace(" ", ",") for side in (green, purple))
    text = f"{' '.join(sides)} g 0,0 0"
    return lambda: (_scene(read(text, {}), *path),)


def _signs() -> tuple[Scene, ...]:
    before = read("A:n2,JM:p3,JÞ:a1,JD:d3,T1:c1 A:i2,KM:d4,T1:b1,T2:a4,W:~ p 1,0 0", {})
    blow = Attack("KM", "d4", "d3")
    return (replace(_scene(before.after(blow), "JÞ"), last=(Last(before, PURPLE, blow),)),)


FIGURES: dict[str, Figure] = {
    "board": Figure(lambda: (_scene(start(GAME.setting({"setup": "fixed"}))),), BOARD),
    "signs": Figure(_signs, BOARD),
    "setup": Figure(lambda: (_scene(start(GAME.setting()).seen_by(GREEN)),), BOARD),
    "king": Figure(_chosen("A:a2 JM:b2 JD:p2 T1:c2", "A:i2 T1:a3", "A"), BOARD),
    "warmaster": Figure(_chosen("A:p2 KM:a5 T1:c5", "A:i2 KM:h3 T1:o6", "KM"), BOARD),
    "guard": Figure(_chosen("A:n2 JM:o2 JÞ:a2", "A:i2 T1:g6 T2:b3 KM:h3", "JÞ"), BOARD),
    "abandoned": Figure(_chosen("A:n2 JM:~ JÞ:a2", "A:i2 T1:b3 T2:a4 KM:h3", "JÞ"), BOARD),
    "salvo": Figure(_chosen("A:n2 KD:a1 T2:a3", "A:i2 T1:a2 T4:a4 KM:a5", "KD"), BOARD),
    "flank": Figure(_chosen("A:n2 PÞ:a1 T1:f1", "A:i2 T1:b2 T2:b1 T4:e6 KM:m1", "PÞ"), BOARD),
    "forest": Figure(_chosen("A:n2 JM:~ KÞ:b1 T1:p1", "A:i2 KM:h3 PD:f1", "JM"), BOARD),
    "ambush": Figure(_chosen("A:n2 W:~ KÞ:b1", "A:i2 KM:h3 PD:f1 PÞ:k1 T1:c2", "W"), BOARD),
}
"""The board, a hidden set-up, and the reach of each kind of unit."""
