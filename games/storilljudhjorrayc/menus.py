"""What the buttons say and spell: unit, then act and target in one."""

from __future__ import annotations

from games.core import Arg, Menus, Phrase, PlannedMove, Seat, Steps, verbatim
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.geometry import FOREST, Place
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Preset,
    Put,
    Ready,
    Salvo,
    SetupSwap,
    Step,
    StorillMove,
    Switch,
)
from games.storilljudhjorrayc.names import calling, kind, own_phrase, place, standing_on, unit
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import ZONES, SetUp, space_in
from games.storilljudhjorrayc.units import AMBUSH, AMBUSH_USES, GUARDS, LORDS, UNITS, Label

BOTH_LORDS = "&"
PASSING = "--"
PRESETTING = "#"
READY = "ok"
HIT = "x"
EXCHANGE = "<>"


def steps(position: StorillPosition, move: StorillMove) -> Steps:
    """The clicks that spell *move*: unit, then act and target in one; three for both lords."""
    stage = position.stage
    match move:
        case Step(label, _, target) | Put(_, label, target):
            return (label, target)
        case Attack(label, _, target):
            return (label, HIT + target)
        case Salvo(label):
            return (label, HIT)
        case Ambuscade(target):
            return (AMBUSH, HIT + target)
        case Switch(label, _, target):
            return (label, EXCHANGE + target)
        case BothLords(left, right):
            return (BOTH_LORDS, left.target, right.target)
        case Pass():
            return (PASSING,)
        case SetupSwap(seat, label, other):
            line = stage.lines[seat] if isinstance(stage, SetUp) else None
            return (label, space_in(seat, line, other) if line else other)
        case Preset(_, name):
            return (PRESETTING, name)
        case Ready():
            return (READY,)


def label(position: StorillPosition, seat: Seat, path: Steps, step: str) -> Phrase:
    """What a button says: the unit, where it goes, what falls."""
    stage = position.stage
    if isinstance(stage, SetUp):
        return _arranging_label(stage, seat, path, step)
    if not path:
        return _first_label(stage, seat, step)
    if path == (BOTH_LORDS,):
        return _lord_label(stage, seat, LORDS[0], step)
    act = _act(stage, seat, path, step)
    return own_phrase("button.act", act=act_label(stage, act), end=_end(stage, act))


def _first_label(battle: Battle, seat: Seat, step: str) -> Phrase:
    match step:
        case "&":
            return own_phrase("button.lords")
        case "--":
            passing = own_phrase("button.pass", n=battle.passes + 1)
            return own_phrase("button.act", act=passing, end=_end(battle, Pass()))
    where = battle.board.place(seat, step) or FOREST
    if where != FOREST and step in GUARDS and battle.board.is_abandoned(seat):
        return own_phrase("button.abandoned", label=step, kind=kind(step), place=place(where))
    return own_phrase("button.unit", label=step, kind=kind(step), place=place(where))


def brief(position: StorillPosition, seat: Seat, path: Steps, step: str) -> Phrase:
    """The label, of a unit in the battle its own with one word for what it is."""
    if path or step in (BOTH_LORDS, PASSING) or isinstance(position.stage, SetUp):
        return label(position, seat, path, step)
    return own_phrase("button.brief", label=step, kind=calling(step))


def _lord_label(battle: Battle, seat: Seat, lord: Label, target: Place) -> Phrase:
    origin = battle.board.place(seat, lord) or FOREST
    return own_phrase("button.lord", label=lord, origin=place(origin), target=place(target))


def _act(battle: Battle, seat: Seat, path: Steps, step: str) -> Act:
    first, *more = path
    if first == BOTH_LORDS:
        left, right = (battle.board.place(seat, lord) or FOREST for lord in LORDS)
        return BothLords(Step(LORDS[0], left, more[0]), Step(LORDS[1], right, step))
    origin = battle.board.place(seat, first) or FOREST
    if step == HIT:
        return Salvo(first, origin)
    if step.startswith(HIT):
        target = step.removeprefix(HIT)
        return Ambuscade(target) if first == AMBUSH else Attack(first, origin, target)
    if step.startswith(EXCHANGE):
        return Switch(first, origin, step.removeprefix(EXCHANGE))
    return Step(first, origin, step)


def _end(battle: Battle, act: Act) -> Phrase:
    outcome = battle.after(act).outcome
    if outcome is None:
        return verbatim("")
    if outcome.winner is None:
        return own_phrase("button.draws")
    if outcome.winner == battle.turn:
        return own_phrase("button.wins")
    return own_phrase("button.loses")


def act_label(battle: Battle, act: Act) -> Phrase:
    """*act* as its last button says it; what falls is named, own units first (G9)."""
    match act:
        case Step("JM", _, "~"):
            return own_phrase("button.master-enters")  # Z9
        case Step(_, _, "~"):
            return own_phrase("button.enter")
        case Step(_, "~", target):
            return own_phrase("button.leave", target=target)
        case Step(_, origin, target):
            return own_phrase("button.step", origin=origin, target=target)
        case Attack(_, _, target) | Ambuscade(target) | Switch(_, _, target):
            hit = battle.board.standing[target][1]
            named: dict[str, Arg] = {"label": hit, "kind": kind(hit), "target": target}
            if isinstance(act, Ambuscade):
                count = battle.ambushes[battle.turn] + 1
                return own_phrase("button.ambush", **named, count=count, most=AMBUSH_USES)
            verb = "attack" if isinstance(act, Attack) else "switch"
            return own_phrase(f"button.{verb}", **named)
        case Salvo():
            units = [battle.board.standing[space] for space in battle.fallen(act)]
            own = tuple(label for seat, label in units if seat == battle.turn)
            enemies = tuple(label for seat, label in units if seat != battle.turn)
            if own:
                return own_phrase("button.salvo-own", own=own, enemies=enemies, n=len(own))
            return own_phrase("button.salvo", enemies=enemies, n=len(enemies))
        case BothLords(left, right):
            one, two = (_lord_label(battle, battle.turn, s.label, s.target) for s in (left, right))
            return own_phrase("button.both", one=one, two=two)
        case Pass():
            return own_phrase("button.pass", n=battle.passes + 1)


def _arranging_label(setup: SetUp, seat: Seat, path: Steps, step: str) -> Phrase:
    line = setup.lines[seat]
    match path, step:
        case (), "ok":
            return own_phrase("button.ready")
        case (), "#":
            return own_phrase("button.presets")
        case ("#",), _:
            return own_phrase(f"preset.{step}")
        case (), _:
            where = space_in(seat, line, step) if line else FOREST
            return own_phrase("button.unit", label=step, kind=kind(step), place=place(where))
    other = line[ZONES[seat].index(step)] if line else None
    if other is None:
        return own_phrase("button.put", target=step)
    return own_phrase("button.swap", target=step, label=other, kind=kind(other))


def question(position: StorillPosition, seat: Seat, path: Steps) -> Phrase:
    """What *seat* is asked after *path*."""
    stage = position.stage
    first = path[0] if path else None
    if isinstance(stage, SetUp):
        if first is None:
            return own_phrase("question.arrange")
        if first == PRESETTING:
            return own_phrase("question.preset")
        return own_phrase("question.put", unit=unit(first))
    if first is None:
        return own_phrase("question.unit")
    if first == BOTH_LORDS:
        if len(path) == 1:
            return own_phrase("question.lord", unit=unit(LORDS[0]))
        return own_phrase("question.other-lord", unit=unit(LORDS[1]))
    where = stage.board.place(seat, first) or FOREST
    return own_phrase("question.act", unit=unit(first), where=standing_on(where))


def pointed(position: StorillPosition, seat: Seat, path: Steps, cell: str) -> str:
    """The chosen unit on its way to the space *cell*, against any unit there."""
    stage = position.stage
    if not path or path[0] not in UNITS:
        return ""
    if isinstance(stage, SetUp):
        return f"{path[0]} {cell}"
    origin = stage.board.place(seat, path[0]) or FOREST
    standing = stage.board.standing.get(cell)
    enemy = standing is not None and standing[0] != seat
    return f"{path[0]} {origin}{HIT if enemy else '-'}{cell}"


def motion(_position: StorillPosition, move: StorillMove) -> tuple[str, str] | None:
    """The way of a unit that goes, or the one space of it outside of the forest, or what falls."""
    match move:
        case Step(_, origin, target) | Switch(_, origin, target):
            return (target if origin == FOREST else origin, origin if target == FOREST else target)
        case Salvo(_, target) | Attack(_, _, target) | Ambuscade(target):
            return target, target
    return None


def planned(position: StorillPosition, seat: Seat, path: Steps, cell: str) -> PlannedMove | None:
    """A unit of one's own by the space it stands on, then where it goes."""
    stage = position.stage
    if isinstance(stage, SetUp):
        return None
    if path:
        typed = pointed(position, seat, path, cell)
        return PlannedMove(path[0], typed) if typed else None
    standing = stage.board.standing.get(cell)
    return PlannedMove(standing[1]) if standing is not None and standing[0] == seat else None


MENUS: Menus[StorillPosition, StorillMove] = Menus(
    steps,
    label=label,
    question=question,
    brief=brief,
    motion=motion,
    planned=planned,
    apart=(BOTH_LORDS, PRESETTING, PASSING, READY),
    quiet=(PASSING,),
    pointed=pointed,
)
