"""Why a typed wish is not a legal move: the number of the rule and a sentence that helps."""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.core import Arg, Refusal, Seat, casefolded
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.board import Board, army
from games.storilljudhjorrayc.geometry import FOREST, Place, Space, circuit_of, place_named
from games.storilljudhjorrayc.names import own_phrase, unit
from games.storilljudhjorrayc.notation import tidied
from games.storilljudhjorrayc.reach import destinations, targets
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import STANDARD, ZONES, SetUp, space_in
from games.storilljudhjorrayc.units import (
    AMBUSH,
    ARCHERS,
    GUARDMASTER,
    GUARDS,
    KING,
    LORDS,
    REAR,
    ROYALS,
    Label,
    kind_of,
    label_named,
)

_LABEL = r"(?P<label>km|gm|jm|[sjkp][þdlr]|t[1-5]|[arw])?"
_ACT = re.compile(_LABEL + r"(?P<origin>~|[a-p][1-6])(?P<sign>-|x|<>)(?P<target>~|[a-p][1-6])?")
_PUT = re.compile(r"(?:place)?([a-zþ0-9]{1,2}?)-?([a-p][1-6])")


@dataclass(frozen=True)
class Wish:
    """What somebody wanted to do: a unit, from where, how, and to where."""

    label: Label
    origin: Place
    sign: str
    target: Place | None


def refusal(position: StorillPosition, seat: Seat, text: str) -> Refusal:
    """Why *text* is not a legal move of *seat*, with the number of the rule."""
    stage, text = position.stage, tidied(position, text)
    if isinstance(stage, SetUp):
        return _arranging_refused(stage, seat, text)
    if "&" in text:
        return _both_refused(stage, seat, text)
    wish = _wish(stage, seat, text)
    if isinstance(wish, Refusal):
        return wish
    match wish.sign:
        case "x":
            return _attack_refused(stage, seat, wish)
        case "<>":
            return _refuse("G7", "switch", wish)
        case _:
            return _move_refused(stage, seat, wish)


def _no(rule: str, reason: str, squares: tuple[str, ...] = (), **args: Arg) -> Refusal:
    return Refusal(rule, own_phrase(f"refusal.{reason}", **args), squares)


def _refuse(rule: str, reason: str, wish: Wish, **args: Arg) -> Refusal:
    squares = tuple(place for place in (wish.origin, wish.target) if place)
    return _no(rule, reason, squares, unit=unit(wish.label), **args)


def _wish(battle: Battle, seat: Seat, text: str) -> Wish | Refusal:
    found = _ACT.fullmatch(casefolded(text))
    if found is None:
        return _no("G17", "form", text=text[:32])
    origin = place_named(found["origin"])
    target = place_named(found["target"] or "")
    label = label_named(found["label"] or "")
    if origin is None or (found["target"] and target is None):
        return _no("G1", "form", text=text[:32])
    if origin == FOREST:
        if label is None:
            return _no("G17", "which")
        if battle.board.place(seat, label) != FOREST:
            return _no("G17", "not-in-forest", unit=unit(label))
        return Wish(label, origin, found["sign"], target)
    standing = battle.board.standing.get(origin)
    if standing is None:
        return _no("G17", "nobody", (origin,), place=origin)
    if standing[0] != seat:
        return _no("Z6", "not-yours", (origin,), unit=unit(standing[1]), place=origin)
    if label not in (None, standing[1]):
        return _no("G17", "other-unit", (origin,), unit=unit(standing[1]), place=origin)
    return Wish(standing[1], origin, found["sign"], target)


def _move_refused(battle: Battle, seat: Seat, wish: Wish) -> Refusal:
    label, origin, target = wish.label, wish.origin, wish.target
    if target is None:
        return _no("G17", "form", text=f"{origin}-")
    if target == FOREST:
        if wish.origin == FOREST:
            return _refuse("Z6", "stays", wish)
        if wish.label in ROYALS:
            return _refuse("G5", "royal-forest", wish)
        if not battle.variant.may_stand(wish.label, FOREST):
            return _refuse("G5", "forest-option", wish)
        if FOREST in _free_reach(battle, seat, wish):
            return _refuse("G6", "blocked-forest", wish)
        return _refuse("G5", "edge", wish)
    if (standing := battle.board.standing.get(target)) is not None:
        if target == origin:
            return _refuse("Z6", "stays", wish)
        reason = "occupied-own" if standing[0] == seat else "occupied-enemy"
        return _refuse("G6", reason, wish, other=unit(standing[1]), place=target)
    if not battle.variant.may_stand(label, target):
        # Z5: rear units keep to the outer ring. G4: the focus belongs to the infantry.
        return _refuse("Z5", "rear", wish) if label in REAR else _refuse("G4", "focus", wish)
    if origin == FOREST:
        return _refuse("G5", "leave", wish)
    if target in _free_reach(battle, seat, wish):
        return _refuse("G6", "blocked", wish, place=target)
    if label in GUARDS and battle.board.is_abandoned(seat):
        return _refuse("Z9", "abandoned-move", wish)
    return _refuse(f"Z-{kind_of(label)}", f"move.{kind_of(label)}", wish)


def _attack_refused(battle: Battle, seat: Seat, wish: Wish) -> Refusal:
    label, origin, target = wish.label, wish.origin, wish.target
    if label in ARCHERS and origin != FOREST:
        return _refuse("G9", "archer-target" if target else "archer-nobody", wish)
    if origin == FOREST and label != AMBUSH:
        return _refuse("G5", "from-forest", wish)
    if label == AMBUSH and origin != FOREST:
        return _refuse("G10", "ambush-inside", wish)
    if target is None:
        return _no("G17", "form", text=f"{origin}x")
    if target == FOREST:
        return _refuse("G5", "into-forest", wish)
    return _target_refused(battle, seat, wish, target)


def _target_refused(battle: Battle, seat: Seat, wish: Wish, target: Space) -> Refusal:
    label = wish.label
    standing = battle.board.standing.get(target)
    if standing is None:
        return _refuse("Z6", "empty", wish, place=target)
    if standing[0] == seat:
        return _refuse("Z6", "own", wish, other=unit(standing[1]))
    if label == KING and standing[1] == KING:
        return _refuse("Z11", "kings", wish)
    if label == AMBUSH:
        return _refuse("G10", "ambush-outer", wish)
    if target in _free_aims(battle, seat, wish):
        return _refuse("G6", "shielded", wish, place=target)
    if label in GUARDS and battle.board.is_abandoned(seat):
        return _refuse("Z9", "abandoned-attack", wish)
    return _refuse(f"Z-{kind_of(label)}", f"attack.{kind_of(label)}", wish)


def _alone(battle: Battle, seat: Seat, wish: Wish, enemy: Space | None) -> tuple[Board, Label]:
    """The unit of *wish* alone on the board, but for an *enemy*; and its stand-in.

    The guardmaster, who goes the same ways, stands in for a guard that is not abandoned.
    """
    led = wish.label in GUARDS and not battle.board.is_abandoned(seat)
    label = GUARDMASTER if led else wish.label
    own = army({label: wish.origin})
    other = army({KING if label != KING else GUARDMASTER: enemy} if enemy else {})
    return Board((own, other) if seat == 0 else (other, own)), label


def _free_reach(battle: Battle, seat: Seat, wish: Wish) -> tuple[Place, ...]:
    """Where the unit of *wish* could go if nobody stood in its way."""
    board, label = _alone(battle, seat, wish, None)
    return destinations(board, seat, label, battle.variant)


def _free_aims(battle: Battle, seat: Seat, wish: Wish) -> tuple[Space, ...]:
    """What the unit of *wish* could attack if nobody stood between."""
    board, label = _alone(battle, seat, wish, wish.target)
    return targets(board, seat, label, battle.variant)


def _both_refused(battle: Battle, seat: Seat, text: str) -> Refusal:
    """Why both lords may not go so: one of them cannot, or the two get in each other's way."""
    wishes = [_wish(battle, seat, part) for part in text.split("&", 1)]
    for wish in wishes:
        if isinstance(wish, Refusal):
            return wish
    one, two = (wish for wish in wishes if isinstance(wish, Wish))
    if {one.label, two.label} != set(LORDS) or one.sign != "-" or two.sign != "-":
        return _no("G8", "lords-only")
    if one.target == two.origin and two.target == one.origin:
        return _no("G19", "lords-exchange")
    if one.target == two.target and one.target != FOREST:
        return _no("G8", "lords-target")
    for wish, other in ((one, two), (two, one)):
        board = battle.board.with_unit(seat, other.label, FOREST)
        if wish.target not in destinations(board, seat, wish.label, battle.variant):
            return _move_refused(Battle(battle.variant, board, battle.turn), seat, wish)
    return _no("G8", "lords-only")


def _arranging_refused(setup: SetUp, seat: Seat, text: str) -> Refusal:
    wanted = casefolded(text)
    line = setup.lines[seat]
    if line is not None:
        if (put := _PUT.fullmatch(wanted)) and (label := label_named(put[1])) in line:
            return _put_refused(setup, seat, label or KING, put[2])
        labels = _pair_named(wanted.removeprefix("swap").replace("<>", ""))
        if AMBUSH in labels:
            return _no("Z3", "ambush-setup")
        if rear := [label for label in labels if label in REAR]:
            return _no("G12", "rear-setup", unit=unit(rear[0]))
    # An example for this player: a free space of their zone.
    filled = line or STANDARD
    free = next(space for space, one in zip(ZONES[seat], filled, strict=True) if one is None)
    return _no("G17", "setup-form", text=text[:32], place=free)


def _pair_named(text: str) -> tuple[Label, ...]:
    for cut in (1, 2):
        one, two = label_named(text[:cut]), label_named(text[cut:])
        if one and two:
            return one, two
    return ()


def _put_refused(setup: SetUp, seat: Seat, label: Label, target: str) -> Refusal:
    space = place_named(target) or target
    line = setup.lines[seat]
    if space not in ZONES[seat]:
        return _no("G12", "zone", (space,), place=space)
    if label in REAR and circuit_of(space) != 1:
        return _no("G12", "rear-setup", (space,), unit=unit(label))
    if line is not None and space_in(seat, line, label) != space:
        return _no("G14", "taken", (space,), place=space)
    return _no("Z6", "stays", (space,), unit=unit(label))
