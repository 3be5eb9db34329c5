"""Problems of shogi: mate by checks, with every first move that mates in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from games.core import Budget, Seat
from games.core.computer import Answers, LessonReply, PosedProblem
from games.core.search import NodeBudget, OutOfBudget
from games.shogi.board import Board, BoardPlay, after, moves
from games.shogi.computer.mates import UNSETTLED, MateSearch, checks, mate_in_one
from games.shogi.notation import written
from games.shogi.rules import Shogi

LONGEST_MATE = 7
"""The plies of the longest mate that is asked for."""

NODES = 20_000
"""The most boards that one position is worth."""

LOOK = 1_000
"""How many of them a first look takes that finds out whether there is a mate at all."""

MOST_FIRST = 3
"""With more right first moves a mate is no riddle."""


@dataclass
class _Mates:
    """What mates in how many plies, within a budget; raises ``OutOfBudget``."""

    search: MateSearch
    _known: dict[tuple[Board, int], bool] = field(default_factory=dict)

    def mates(self, board: Board, plies: int) -> bool:
        """Whether the attacker, to move on *board*, mates within *plies*, an odd number."""
        proved, refuted = self.search.settled.get(board, UNSETTLED)
        if proved <= plies:
            return True
        if plies < 1 or refuted >= plies:
            return False
        if (board, plies) not in self._known:
            if self.search.budget.is_spent():
                raise OutOfBudget
            found = any(self.is_mated(then, plies - 1) for _, then in checks(board))
            self._known[board, plies] = found
        return self._known[board, plies]

    def is_mated(self, then: Board, plies: int) -> bool:
        """Whether the defender, to move on *then*, is mated within *plies*, an even number."""
        return all(self.mates(after(then, one), plies - 1) for one in moves(then))

    def right(self, board: Board, plies: int) -> list[tuple[BoardPlay, Board]]:
        """The checks that mate within *plies*, the check itself counted."""
        return [(play, then) for play, then in checks(board) if self.is_mated(then, plies - 1)]

    def slowest(self, then: Board, plies: int) -> BoardPlay:
        """The answer on *then* that is mated latest of all, within *plies*."""
        answers = list(moves(then))
        for fewer in range(1, plies, 2):
            left = [one for one in answers if not self.mates(after(then, one), fewer)]
            answers = left or answers
        return answers[0]

    def answers(self, position: Shogi, plies: int) -> Answers:
        """All right checks in *position*, with the longest defence and what mates then."""
        found: dict[str, LessonReply | None] = {}
        for play, then in self.right(position.board, plies):
            reply = None
            if moves(then):
                following, defence = position.after(play), self.slowest(then, plies - 1)
                rest = self.answers(following.after(defence), plies - 2)
                reply = LessonReply(written(following, defence), rest)
            found[written(position, play)] = reply
        return found


def pose(
    position: Shogi, seat: Seat, budget: Budget, below: Callable[[int], int]
) -> PosedProblem | None:
    """A mate of *seat* by checks in three to ``LONGEST`` plies, where one is proved."""
    del below
    board = position.board
    if position.turn != seat or mate_in_one(board) is not None or not checks(board):
        return None
    plies = len(MateSearch(NodeBudget(budget, LOOK)).solve(board, LONGEST_MATE))
    if plies < 3:
        return None
    mates = _Mates(MateSearch(NodeBudget(budget, NODES)))
    try:
        plies = len(mates.search.solve(board, plies)) or plies
        right = mates.right(board, plies)
        if not 0 < len(right) <= MOST_FIRST:
            return None
        # What mates a little later is right as well: where something does, the task is vague.
        if plies < LONGEST_MATE and len(mates.right(board, plies + 2)) > len(right):
            return None
        return PosedProblem(f"mate{plies}", mates.answers(position, plies), (plies + 1) // 2)
    except OutOfBudget:
        return None
