"""A forced end of the battle: the capture of king and warmaster, whatever is answered (Z13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from games.core import Budget, ChosenMove, Seat
from games.core.search import WIN, NodeBudget, OutOfBudget
from games.storilljudhjorrayc.battle_phase import SAME_POSITION, Battle
from games.storilljudhjorrayc.computer.bitboard import (
    PASS,
    Code,
    Field,
    Ground,
    act_of,
    ended,
    ground,
    search_field_of,
    units_of,
)
from games.storilljudhjorrayc.notation import written
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import SetUp

PLIES = 7
NODES = 60_000
"""How far a hunt is followed, and how many boards it may look at."""


@dataclass
class Hunt:
    """Proves that the side to move takes the last of king and warmaster by force.

    *past* are the units of earlier positions; a fourth occurrence is a draw (G16). Raises
    ``OutOfBudget``.
    """

    ground: Ground
    budget: Budget
    past: Counter[bytes] = field(default_factory=Counter)
    _known: dict[tuple[bytes, int, int], bool] = field(default_factory=dict)

    def line(self, board: Field, plies: int) -> list[Code]:
        """A shortest win within *plies*, with the longest defence; [] where there is none."""
        for limit in range(1, plies + 1, 2):
            if self.wins(board, limit):
                return list(self._line(board, limit))
        return []

    def wins(self, board: Field, plies: int) -> bool:
        """Whether the mover wins within *plies*, an odd number."""
        key = board.units, board.quiet, plies
        if key not in self._known:
            found = any(self._decides(then, plies) for _, then in self._attempts(board, plies))
            self._known[key] = found
        return self._known[key]

    def _decides(self, board: Field, plies: int) -> bool:
        """Whether the side that has just moved has won, or wins within *plies*, that one too."""
        if self._over(board):
            return ended(board) == -WIN
        # The other side may always pass (G19): what does not even win then is soon done with.
        return plies > 1 and all(self._falls(then, plies) for _, then in self._answers(board))

    def _falls(self, board: Field, plies: int) -> bool:
        return not self._over(board) and self.wins(board, plies - 2)

    def _over(self, board: Field) -> bool:
        return ended(board) is not None or self.past[board.units] >= SAME_POSITION - 1

    def _attempts(self, board: Field, plies: int) -> Iterator[tuple[Code, Field]]:
        steps = self.ground.steps(board) if plies > 1 else ()
        return self._after(board, [*self.ground.attacks(board), *steps])

    def _answers(self, board: Field) -> Iterator[tuple[Code, Field]]:
        return self._after(board, [PASS, *self.ground.attacks(board), *self.ground.steps(board)])

    def _after(self, board: Field, moves: Sequence[Code]) -> Iterator[tuple[Code, Field]]:
        for move in moves:
            if self.budget.is_spent():
                raise OutOfBudget
            yield move, self.ground.after(board, move)

    def _line(self, board: Field, plies: int) -> Iterator[Code]:
        while True:
            attempts = self._attempts(board, plies)
            move, board = next(one for one in attempts if self._decides(one[1], plies))
            yield move
            if self._over(board):
                return
            answers = list(self._answers(board))
            slow = (one for one in answers if plies > 3 and not self._falls(one[1], plies - 2))
            move, board = next(slow, answers[0])
            yield move
            plies -= 2


def hunted(position: StorillPosition, seat: Seat, budget: Budget) -> ChosenMove | None:
    """The first move of a shortest forced win of *seat*, with the line, where one is found."""
    battle = position.stage
    if isinstance(battle, SetUp) or battle.turn != seat:
        return None
    moves = _find(battle, NodeBudget(budget, NODES))
    if not moves:
        return None
    told, board, first = [], search_field_of(battle), act_of(search_field_of(battle), moves[0])
    for move in moves:
        told.append(written(position, act_of(board, move)))
        position = position.after(act_of(board, move))
        board = ground(battle.variant).after(board, move)
    return ChosenMove(first, 1.0, tuple(told), exact=True)


def _find(battle: Battle, budget: Budget) -> list[Code]:
    past = Counter(units_of(*key) for key in battle.past)
    try:
        return Hunt(ground(battle.variant), budget, past).line(search_field_of(battle), PLIES)
    except OutOfBudget:
        return []
