"""The computer player: an arrangement by lot, then a search of the battle."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from games.core import Budget, ChosenMove, Seat
from games.core.computer import Below
from games.core.search import PROVED, WIN, Search, opinion, order_near_best, shuffled
from games.core.search_types import Strength
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.computer.bitboard import (
    GONE,
    PASS,
    act_of,
    ground,
    search_field_of,
    units_of,
)
from games.storilljudhjorrayc.computer.evaluation import worth
from games.storilljudhjorrayc.computer.search_adapter import DEVICES, BattleTree
from games.storilljudhjorrayc.move_types import Preset, Ready
from games.storilljudhjorrayc.notation import written
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import PRESETS, SetUp, preset

STRENGTHS = (
    Strength(nodes=300, plies=1, blind=100, slack=950),
    Strength(nodes=400, plies=1, blind=62, slack=560),
    Strength(nodes=900, plies=2, blind=46, slack=400),
    Strength(nodes=1_200, plies=2, blind=25, slack=205),
    Strength(nodes=2_200, plies=3, blind=14, slack=85),
    Strength(nodes=3_500, plies=4, blind=9, slack=66),
    Strength(nodes=5_500, plies=5, blind=5, slack=42),
    Strength(nodes=7_500, blind=3, slack=33),
    Strength(nodes=8_000, blind=2, slack=28),
    Strength(nodes=8_000, blind=1, slack=20),
    Strength(nodes=1_700, slack=18),
    Strength(nodes=4_500, slack=14),
    Strength(nodes=12_000, slack=9),
    Strength(nodes=60_000, slack=4),
)
"""The levels from 1 on."""

LEVELS = len(STRENGTHS)

OPENING, VARIED = 8, 200
"""In so many first plies every level chooses among moves that are this close."""

CONTEMPT = 850
"""Who is worse by less than this does not look for a draw."""


SCALE = 4100.0
"""Twice the points by which the odds grow e times: fitted to games (docs/evidence/chances.md)."""


def choose(
    position: StorillPosition, seat: Seat, level: int, budget: Budget, below: Below
) -> ChosenMove:
    """A move for *seat*: the lower levels overlook more, see less far and are content sooner."""
    stage = position.stage
    if isinstance(stage, SetUp):
        return ChosenMove(_arrange(stage, seat, below), 0.0)
    return _fight(position, stage, STRENGTHS[min(max(level, 1), LEVELS) - 1], budget, below)


def glance(position: StorillPosition, seat: Seat) -> float:
    """How a battle looks to *seat*, in hundredths of a swordsman's reach; a set-up like nothing."""
    stage = position.stage
    if isinstance(stage, SetUp):
        return 0.0
    value = worth(search_field_of(stage))
    return value if stage.turn == seat else -value


def _arrange(setup: SetUp, seat: Seat, below: Below) -> Preset | Ready:
    names = tuple(PRESETS)
    drawn = names[below(len(names))]
    untouched = setup.lines[seat] == preset("standard", setup.variant)
    return Preset(seat, drawn) if untouched and drawn != "standard" else Ready(seat)


def _fight(
    position: StorillPosition, battle: Battle, strength: Strength, budget: Budget, below: Below
) -> ChosenMove:
    tree = BattleTree(ground(battle.variant), battle.turn, CONTEMPT)
    field = search_field_of(battle)
    # To pass looks lazy: it is for those who have nothing else to do.
    moves = shuffled(tree.moves(field)[:-1], below) or [PASS]
    past = {units_of(*key) for key in battle.past}
    if battle.quiet < OPENING and GONE not in field.units:
        strength = replace(strength, slack=max(strength.slack, VARIED))
    found = Search(tree, DEVICES, strength, budget, below, past, CONTEMPT).think(field, moves)
    value, move = order_near_best(found, strength.slack, below, partial(tree.obscurity, field))[0]
    line = found.line if move == found.ranked[0][1] else (move,)
    told = []
    for code in line:
        told.append(written(position, act_of(field, code)))
        position, field = position.after(act_of(field, code)), tree.after(field, code)
    sure = value == WIN - 1 or (value > PROVED and not strength.blind)
    return ChosenMove(
        act_of(search_field_of(battle), move), opinion(value, SCALE), tuple(told), exact=sure
    )
