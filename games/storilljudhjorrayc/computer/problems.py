"""Problems of Storilljuðjorrayc: a noble or the warmaster falls, whatever is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from games.core import Budget, Seat
from games.core.computer import Answers, Below, LessonReply, PosedProblem
from games.core.search import NodeBudget, OutOfBudget
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

GREAT = tuple(INDEX[label] for label in (*NOBLES, WARMASTER))
"""The units whose capture is asked for."""


MOTIFS = {
    "king": r"\bA:(\w+)[, ][^|]*\|.*x\1 \| 2 \|",
    "emerge": r"^[^|]*\| [^&|]* ~-",
    "hide": r"^[^|]*\| [^&|]*-~",
    "lords": r"^[^|]*\| [^|]*&",
    "guard": r"^[^|]*\| J",
    "flank": r"^[^|]*\| P",
    "price": r"^[^|]*\| [^|]*\| [^|]*x",
    "ambush": r"\| [^|]*W ~x[^|]* \| 2 \|",
    "warmaster": r"\bKM:(\w+)[, ][^|]*\|.*x\1 \| 2 \|",
    "lord": r"\bS[ÞD]:(\w+)[, ][^|]*\|.*x\1 \| 2 \|",
}
"""Which act begins, what it costs and who falls."""


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
    position: StorillPosition, seat: Seat, budget: Budget, _below: Below
) -> PosedProblem | None:
    """The one or two moves of *seat* after which a great unit of the other falls in any case."""
    battle = position.stage
    if isinstance(battle, SetUp) or battle.turn != seat:
        return None
    board, fall = search_field_of(battle), _Fall(ground(battle.variant), NodeBudget(budget, NODES))
    if ended(board) is not None or fall.blows(board):
        return None
    try:
        answers = _solutions(position, board, fall)
    except OutOfBudget:
        return None
    return PosedProblem("noble", answers, 2) if answers else None


def _solutions(position: StorillPosition, board: Field, fall: _Fall) -> dict[str, LessonReply]:
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


def _find_defence(position: StorillPosition, board: Field, code: Code, fall: _Fall) -> LessonReply:
    """The answer that leaves the fewest blows."""
    following, then = position.after(act_of(board, code)), fall.ground.after(board, code)
    ways = [(len(fall.blows(after)), answer, after) for answer, after in fall.answers(then)]
    fewest = min(count for count, _, _ in ways)
    answer, left = next((answer, after) for count, answer, after in ways if count == fewest)
    act = act_of(then, answer)
    last = following.after(act)
    told: Answers = {written(last, act_of(left, blow)): None for blow in fall.blows(left)}
    return LessonReply(written(following, act), told)
