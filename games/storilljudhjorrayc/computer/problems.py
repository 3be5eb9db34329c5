"""Problems of Storilljuðjorrayc: a noble or the warmaster falls, whatever is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from games.core import Budget, Seat
from games.core.computer import Answers, LessonReply, PosedProblem
from games.core.search import NodeBudget, OutOfBudget
from games.storilljudhjorrayc.computer import LEVELS, choose
from games.storilljudhjorrayc.computer.bitboard import (
    GONE,
    PASS,
    SIDE,
    TURN,
    Code,
    Field,
    Ground,
    act_of,
    ended,
    ground,
    search_field_of,
)
from games.storilljudhjorrayc.notation import written
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import SetUp
from games.storilljudhjorrayc.units import INDEX, NOBLES, WARMASTER

NODES = 20_000
"""The most boards that one position is worth."""

MOST_FIRST = 2
"""With more right first moves it is no riddle."""

JUDGED = 6_000
"""The boards that the highest level sees before it judges a position."""

CLOSE, WORST = 0.05, -0.1
"""How far a solution may stay behind the best move, and how badly it may leave the solver.

Both are in the unit of ``ChosenMove.value``.
"""

GREAT = tuple(INDEX[label] for label in (*NOBLES, WARMASTER))
"""The units whose capture is asked for."""


@dataclass
class _Fall:
    """Whether one of the great units falls by force; raises ``OutOfBudget``."""

    ground: Ground
    budget: Budget
    _refuting: list[Code] = field(default_factory=list)
    """Answers that have saved all of them: tried first."""

    def blows(self, board: Field) -> list[Code]:
        """The attacks of the mover that take a great unit of the other side, and not the game."""
        base = SIDE - SIDE * board.units[TURN]
        standing = [base + one for one in GREAT if board.units[base + one] != GONE]
        found = []
        for code in self.ground.attacks(board):
            then = self.ground.after(board, code)
            if any(then.units[one] == GONE for one in standing):
                found.append(code)
        return found

    def answers(self, board: Field) -> Iterator[tuple[Code, Field]]:
        """Every answer on *board*, those first that have helped before."""
        moves = [*self.ground.attacks(board), *self.ground.steps(board), PASS]
        likely = [code for code in self._refuting if code in moves]
        for code in dict.fromkeys((*likely, *moves)):
            if self.budget.is_spent():
                raise OutOfBudget
            yield code, self.ground.after(board, code)

    def is_forced(self, board: Field) -> bool:
        """Whether after every answer on *board* one of the mover's great units can be taken."""
        if ended(board) is not None:
            return False
        for code, then in self.answers(board):
            if ended(then) is not None or not self.blows(then):
                if code in self._refuting:
                    self._refuting.remove(code)
                self._refuting.insert(0, code)
                return False
        return True


def pose(
    position: StorillPosition, seat: Seat, budget: Budget, below: Callable[[int], int]
) -> PosedProblem | None:
    """The one or two moves of *seat* after which a great unit of the other falls in any case.

    Each is near the best there is, and does not leave *seat* much behind.
    """
    del below
    battle = position.stage
    if isinstance(battle, SetUp) or battle.turn != seat:
        return None
    board, fall = search_field_of(battle), _Fall(ground(battle.variant), NodeBudget(budget, NODES))
    if ended(board) is not None or fall.blows(board):
        return None
    try:
        lines = _solutions(position, board, fall)
    except OutOfBudget:
        return None
    if not lines or _is_dear(position, seat, budget, lines):
        return None
    return PosedProblem("noble", {move: reply for move, (reply, _) in lines.items()}, 2)


_Line: TypeAlias = tuple[LessonReply, list[StorillPosition]]
"""An answer with the blows that are left, and the positions after them."""


def _solutions(position: StorillPosition, board: Field, fall: _Fall) -> dict[str, _Line]:
    """The moves after which a great unit falls, in notation; none where they are too many."""
    right: list[Code] = []
    for code in (*fall.ground.attacks(board), *fall.ground.steps(board)):
        if fall.is_forced(fall.ground.after(board, code)):
            right.append(code)
        if len(right) > MOST_FIRST:
            return {}
    # Only now: which defence is found depends on what was looked at before.
    return {
        written(position, act_of(board, code)): _find_defence(position, board, code, fall)
        for code in right
    }


def _is_dear(
    position: StorillPosition, seat: Seat, budget: Budget, lines: Mapping[str, _Line]
) -> bool:
    """Whether one of *lines* leaves *seat* behind what is best there, or far behind the other."""
    needed = max(_worth(position, seat, budget) - CLOSE, WORST)
    ends = (end for _, ends in lines.values() for end in ends)
    return any(_worth(end, seat, budget) < needed for end in ends)


def _worth(position: StorillPosition, seat: Seat, budget: Budget) -> float:
    """What *position* is worth to *seat* by the highest level, the same every time it is asked."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.worth(seat)
    (mover,) = position.actors()
    value = choose(position, mover, LEVELS, NodeBudget(budget, JUDGED), lambda _: 0).value
    return value if mover == seat else -value


def _find_defence(position: StorillPosition, board: Field, code: Code, fall: _Fall) -> _Line:
    """The answer that leaves the fewest blows."""
    following, then = position.after(act_of(board, code)), fall.ground.after(board, code)
    ways = [(len(fall.blows(after)), answer, after) for answer, after in fall.answers(then)]
    fewest = min(count for count, _, _ in ways)
    answer, left = next((answer, after) for count, answer, after in ways if count == fewest)
    act = act_of(then, answer)
    last = following.after(act)
    blows = [act_of(left, blow) for blow in fall.blows(left)]
    told: Answers = {written(last, blow): None for blow in blows}
    return LessonReply(written(following, act), told), [last.after(blow) for blow in blows]
