"""What an act of battle is good for: a unit captured without risk, saved, or threatened."""

from __future__ import annotations

from games.core import MoveReason, Phrase, Seat
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.board import Board
from games.storilljudhjorrayc.geometry import FOREST, Space
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Salvo,
    Step,
    StorillMove,
    Switch,
    find_actors,
)
from games.storilljudhjorrayc.names import own_phrase, unit_with_place
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.reach import salvo, targets
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.units import ARCHERS, INDEX, UNITS, Label


def reason(seen: StorillPosition, seat: Seat, move: StorillMove) -> MoveReason | None:
    """The most telling thing that *move* of *seat*, whose turn it is, does."""
    battle = seen.stage
    if not isinstance(battle, Battle) or battle.outcome is not None:
        return None
    if not isinstance(move, Step | Attack | Salvo | Ambuscade | Switch | BothLords | Pass):
        return None
    then = battle.after(move)
    actor = _actor(then, seat, move)
    fallen = battle.fallen(move)
    victims = [space for space in fallen if battle.board.standing[space][0] != seat]
    risk = in_danger(then.board, seat, battle.variant)
    if then.outcome is not None and then.outcome.winner == seat:
        return MoveReason(own_phrase("reason.wins"), tuple(victims))
    if victims:
        alone = len(victims) == len(fallen) and actor not in risk
        return MoveReason(own_phrase(f"reason.{'free' if alone else 'takes'}"), tuple(victims))
    saved = _rescue_reason(battle, seat, risk)
    found = saved or (_threat_reason(battle, then, seat) if actor not in risk else None)
    if found is not None or actor is None:
        return found
    if then.board.place(seat, actor) == FOREST != battle.board.place(seat, actor):
        return MoveReason(own_phrase("reason.hides"))
    return None if risk else MoveReason(own_phrase("reason.secure"))


def _actor(then: Battle, seat: Seat, act: Act) -> Label | None:
    """The unit that has acted, where it is still in play; ``None`` also for both lords."""
    left = [label for label in find_actors(act) if then.board.place(seat, label) is not None]
    return left[0] if len(left) == 1 else None


def in_danger(board: Board, seat: Seat, variant: Variant) -> set[Label]:
    """The units of *seat* that an enemy could capture now."""
    found = set()
    for label in UNITS:
        reached = salvo if label in ARCHERS else targets
        for space in reached(board, 1 - seat, label, variant):
            owner, hit = board.standing[space]
            if owner == seat:
                found.add(hit)
    return found


def _standing(board: Board, seat: Seat, label: Label) -> tuple[Phrase, tuple[Space, ...]]:
    """The unit in words, with where it stands, and the space as a cell of the picture."""
    where = board.place(seat, label)
    assert where is not None  # noqa: S101 - who is in danger stands somewhere
    return unit_with_place(label, where), () if where == FOREST else (where,)


def _best(labels: set[Label]) -> list[Label]:
    """*labels*, those first whose loss is felt most."""
    return sorted(labels, key=INDEX.__getitem__)


def _rescue_reason(battle: Battle, seat: Seat, risk: set[Label]) -> MoveReason | None:
    """The best unit that could be captured and no longer can."""
    saved = _best(in_danger(battle.board, seat, battle.variant) - risk)
    if not saved:
        return None
    unit, cells = _standing(battle.board, seat, saved[0])
    return MoveReason(own_phrase("reason.saves", unit=unit), cells)


def _threat_reason(battle: Battle, then: Battle, seat: Seat) -> MoveReason | None:
    """The best units of the other side that may be captured next, and could not be before."""
    other, variant = 1 - seat, battle.variant
    new = _best(in_danger(then.board, other, variant) - in_danger(battle.board, other, variant))[:2]
    if not new:
        return None
    told = [_standing(then.board, other, label) for label in new]
    units, cells = tuple(unit for unit, _ in told), tuple(cell for _, at in told for cell in at)
    return MoveReason(own_phrase("reason.threatens", units=units), cells)
