"""The computer player: an arrangement by lot, then what falls and what falls back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.core import Budget, Choice, Seat
from games.core.search import WIN, AlphaBeta, Spent
from games.storilljudhjorrayc.computer.evaluation import gain, material, value
from games.storilljudhjorrayc.moves import Pass, Preset, Ready, StorillMove
from games.storilljudhjorrayc.notation import written
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import PRESETS, STANDARD, SetUp

LEVELS = 3

DEPTHS: Mapping[int, int] = {2: 1, 3: 2}
"""How many plies are played out; the captures that follow are judged (``judgement``)."""

NODES = 8_000
"""The most positions that are looked at, so that answers can be repeated."""

MISJUDGED = 6.0
"""By how much, in swordsmen, the first level may rate one move above another wrongly."""

MOOD = 0.4
"""By how much the better levels prefer one move to another without a reason."""


def choose(
    position: StorillPosition,
    seat: Seat,
    level: int,
    budget: Budget,
    below: Callable[[int], int],
) -> Choice:
    """A move for *seat*.

    Level 1 sees its own move only and misjudges it, level 2 sees what may be captured in
    reply, level 3 the reply and what it may capture then.
    """
    stage = position.stage
    if isinstance(stage, SetUp):
        return Choice(_arranged(stage, seat, below), 0.0)
    if level <= 1:
        return _hasty(position, seat, below)
    search = AlphaBeta(_judged(below), _captures_first(position, below), Spent(budget, NODES))
    found, move, line = search.ranked(position, seat, DEPTHS[min(level, LEVELS)])[0]
    expected = tuple(written(position, move) for move in line)
    return Choice(move, _opinion(found), expected, exact=found > WIN / 2)


def _arranged(setup: SetUp, seat: Seat, below: Callable[[int], int]) -> Preset | Ready:
    """An arrangement by lot, then «ready»."""
    names = tuple(PRESETS)
    drawn = names[below(len(names))]
    untouched = setup.lines[seat] == STANDARD
    return Preset(seat, drawn) if untouched and PRESETS[drawn] != STANDARD else Ready(seat)


def _hasty(position: StorillPosition, seat: Seat, below: Callable[[int], int]) -> Choice:
    """The move that looks best at a glance; what ends the game is never misjudged."""
    best: tuple[float, StorillMove] | None = None
    for move in _busy(position.legal_moves(seat)):
        following = position.after(move)
        glance = MISJUDGED * (below(1001) / 1000 - 0.5)
        if (end := following.outcome()) is not None:
            glance += {seat: WIN, None: -2 * MISJUDGED}.get(end.winner, -WIN)
        elif not isinstance(following.stage, SetUp):
            battle = following.stage
            glance += material(battle, seat) - material(battle, 1 - seat)
        if best is None or glance > best[0]:
            best = glance, move
    if best is None:
        raise ValueError("nobody may move here")
    found, move = best
    return Choice(move, _opinion(found), (written(position, move),), exact=found > WIN / 2)


def _opinion(found: float) -> float:
    """A value in swordsmen as an opinion from -1 to 1."""
    if abs(found) > WIN / 2:
        return 1.0 if found > 0 else -1.0
    return found / (abs(found) + 25.0)


def _judged(below: Callable[[int], int]) -> Callable[[StorillPosition, Seat], float]:
    """The judgement of a position, a little by lot, so that no game is played twice."""

    def judged(position: StorillPosition, seat: Seat) -> float:
        if isinstance(position.stage, SetUp):
            return 0.0
        return value(position.stage, seat) + MOOD * (below(1001) / 1000 - 0.5)

    return judged


def _captures_first(
    root: StorillPosition, below: Callable[[int], int]
) -> Callable[[StorillPosition, Seat, Sequence[StorillMove]], Sequence[StorillMove]]:
    """An order of moves: what captures most first; at the *root* equal ones fall by lot."""

    def order(
        position: StorillPosition, seat: Seat, moves: Sequence[StorillMove]
    ) -> Sequence[StorillMove]:
        del seat
        battle = position.stage
        if isinstance(battle, SetUp):
            return moves
        if position is root:
            moves = _shuffled(_busy(moves), below)
        return sorted(moves, key=lambda move: -gain(battle, move))

    return order


def _busy(moves: Sequence[StorillMove]) -> Sequence[StorillMove]:
    """*moves* without the pass, which looks lazy, unless there is nothing else."""
    return [move for move in moves if not isinstance(move, Pass)] or moves


def _shuffled(moves: Sequence[StorillMove], below: Callable[[int], int]) -> list[StorillMove]:
    mixed = list(moves)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
