"""The computer player: what falls, what falls back, and a little sense of place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.core import Budget, Choice, Seat
from games.core.search import WIN, AlphaBeta, Spent
from games.storilljudhjorrayc.battle import Battle
from games.storilljudhjorrayc.board import Army
from games.storilljudhjorrayc.geometry import FOREST, circuit_of
from games.storilljudhjorrayc.moves import (
    Ambuscade,
    Attack,
    Pass,
    Preset,
    Ready,
    Salvo,
    StorillMove,
)
from games.storilljudhjorrayc.position import StorillPosition
from games.storilljudhjorrayc.setup import PRESETS, STANDARD, SetUp
from games.storilljudhjorrayc.units import (
    AMBUSH,
    AMBUSH_USES,
    GUARDMASTER,
    GUARDS,
    INDEX,
    KING,
    UNITS,
    WARMASTER,
    Label,
    kind_of,
)

LEVELS = 3

DEPTHS: Mapping[int, int] = {1: 1, 2: 2, 3: 3}
"""How many plies each level looks ahead."""

NODES: Mapping[int, int] = {1: 2_000, 2: 12_000, 3: 40_000}
"""The most positions each level looks at, so that its answers can be repeated."""

BLUNDER = 6.0
"""How far, in swordsmen, the first level may misjudge a move."""

WORTH: Mapping[str, float] = {
    "A": 9.0,
    "KM": 10.0,
    "JM": 6.0,
    "S": 2.0,
    "J": 5.0,
    "K": 4.5,
    "P": 4.5,
    "T": 1.5,
    "W": 3.0,
}
"""What the units are worth, in about the reach of a swordsman."""

ROYAL_FALLEN = 12.0
"""What it costs to have lost the first of king and warmaster, besides the unit itself."""

ABANDONED = 1.5
"""What a guard loses without its guardmaster (Z9)."""

ADVANCE = 0.08
"""What each circuit towards the centre is worth to those who may fight there."""

_WORTHS = tuple(WORTH[kind_of(label)] for label in UNITS)


def choose(
    position: StorillPosition,
    seat: Seat,
    level: int,
    budget: Budget,
    below: Callable[[int], int],
) -> Choice:
    """A move for *seat*: an arrangement by lot in the set-up, then what a search finds best.

    Level 1 sees its own move only and misjudges it; levels 2 and 3 see the replies.
    """
    stage = position.stage
    if isinstance(stage, SetUp):
        return Choice(_arranged(stage, seat, below), 0.0)
    level = max(1, min(level, LEVELS))
    if level == 1:
        return _hasty(position, seat, below)
    search = AlphaBeta(evaluate, _shuffled_once(position, below), Spent(budget, NODES[level]))
    value, move, line = search.ranked(position, seat, DEPTHS[level])[0]
    return Choice(move, _opinion(value), _written(position, line), exact=value > WIN / 2)


def _arranged(setup: SetUp, seat: Seat, below: Callable[[int], int]) -> Preset | Ready:
    """An arrangement by lot, then «ready»."""
    names = tuple(PRESETS)
    drawn = names[below(len(names))]
    untouched = setup.lines[seat] == STANDARD
    return Preset(seat, drawn) if untouched and PRESETS[drawn] != STANDARD else Ready(seat)


def _hasty(position: StorillPosition, seat: Seat, below: Callable[[int], int]) -> Choice:
    """The move that looks best at a glance; a win is never overlooked."""
    best: tuple[float, StorillMove] | None = None
    for move in position.legal_moves(seat):
        following = position.after(move)
        end = following.outcome()
        if end is not None:
            glance = {seat: WIN, None: -ROYAL_FALLEN}.get(end.winner, -WIN)
        else:
            glance = evaluate(following, seat) + BLUNDER * (below(1001) / 1000 - 0.5)
        if best is None or glance > best[0]:
            best = glance, move
    if best is None:
        raise ValueError("nobody may move here")
    value, move = best
    return Choice(move, _opinion(value), (position.notation(move),), exact=value > WIN / 2)


def _written(position: StorillPosition, line: Sequence[StorillMove]) -> tuple[str, ...]:
    return tuple(position.notation(move) for move in line)


def _opinion(value: float) -> float:
    """*value* as an opinion from -1 to 1."""
    if abs(value) > WIN / 2:
        return 1.0 if value > 0 else -1.0
    return value / (abs(value) + 25.0)


def evaluate(position: StorillPosition, seat: Seat) -> float:
    """How *seat* stands, in swordsmen."""
    battle = position.stage
    if isinstance(battle, SetUp):
        return 0.0
    values = [_value(battle, side) for side in (0, 1)]
    return values[seat] - values[1 - seat]


def _value(battle: Battle, side: Seat) -> float:
    own = battle.board.armies[side]
    value = sum(worth for worth, place in zip(_WORTHS, own, strict=True) if place is not None)
    if own[INDEX[AMBUSH]] is not None:
        value -= battle.ambushes[side] * WORTH[AMBUSH] / AMBUSH_USES
    if own[INDEX[KING]] is None or own[INDEX[WARMASTER]] is None:
        value -= ROYAL_FALLEN
    if own[INDEX[GUARDMASTER]] in (None, FOREST):
        value -= ABANDONED * sum(own[INDEX[guard]] is not None for guard in GUARDS)
    return value + _advance(own)


def _advance(own: Army) -> float:
    """Infantry and guards want to be near the fight."""
    return ADVANCE * sum(
        circuit_of(place) for place in own[_FIRST:_LAST] if place is not None and place != FOREST
    )


_FIRST, _LAST = INDEX["T1"], INDEX["T5"] + 1


def _capture_worth(battle: Battle, move: StorillMove) -> float:
    """What *move* takes from the enemy, less what it takes from its own side."""
    if not isinstance(move, Attack | Ambuscade | Salvo):
        return -0.5 if isinstance(move, Pass) else 0.0
    units = (battle.board.standing[space] for space in battle.fallen(move))
    return sum(_signed(label, owner != battle.turn) for owner, label in units)


def _signed(label: Label, enemy: bool) -> float:
    worth = WORTH[kind_of(label)]
    return worth if enemy else -worth


def _shuffled_once(
    root: StorillPosition, below: Callable[[int], int]
) -> Callable[[StorillPosition, Seat, Sequence[StorillMove]], Sequence[StorillMove]]:
    """An order of moves: what captures first; at the *root* equal moves fall by lot."""

    def order(
        position: StorillPosition, seat: Seat, moves: Sequence[StorillMove]
    ) -> Sequence[StorillMove]:
        del seat
        battle = position.stage
        if isinstance(battle, SetUp):
            return moves
        if position is root:
            moves = _shuffled(moves, below)
        return sorted(moves, key=lambda move: -_capture_worth(battle, move))

    return order


def _shuffled(moves: Sequence[StorillMove], below: Callable[[int], int]) -> list[StorillMove]:
    mixed = list(moves)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
