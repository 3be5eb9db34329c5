"""Alpha-beta on boards: iterative deepening, exchanges followed to the end, checks answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.core import Budget
from games.shogi.board import (
    TURN,
    Board,
    BoardMove,
    BoardPlay,
    after,
    attacked,
    captures,
    in_check,
    moves,
)
from games.shogi.computer.evaluation import GAIN, WORTH, evaluate
from games.shogi.pieces import kind_of, piece_of

MATE = 1_000_000
"""The value of a mate, less one for each ply it takes."""

BOUND = 2 * MATE
"""Beyond every value."""

DEEPEST = 14
"""Plies from the root beyond which a check deepens nothing any more."""

FEW = 6
"""Quiet moves that are searched in full before the rest are searched less deep."""

MARGIN = 260
"""What a quiet move may be hoped to gain on the last ply."""

_EXACT, _AT_LEAST, _AT_MOST = range(3)


class OutOfBudget(Exception):
    """The budget is spent in the middle of a search."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a board: searched to *depth*, its value or a bound, the best move."""

    depth: int
    bound: int
    value: int
    play: BoardPlay | None

    def settles(self, depth: int, alpha: int, beta: int) -> bool:
        """Whether no search to *depth* between *alpha* and *beta* is needed any more."""
        if self.depth < depth:
            return False
        if self.bound == _AT_LEAST:
            return self.value >= beta
        return self.bound == _EXACT or self.value <= alpha


@dataclass
class Search:
    """A search for one move; what it learns serves its later, deeper rounds.

    *quiet* counts the cutoffs of quiet moves by piece and target; *path* holds the boards
    from the root to the present one.
    """

    budget: Budget
    known: dict[Board, Known] = field(default_factory=dict)
    quiet: dict[tuple[int, int], int] = field(default_factory=dict)
    path: list[Board] = field(default_factory=list)

    def value(self, board: Board, depth: int, alpha: int, beta: int, may_pass: bool = True) -> int:
        """The value of *board* for the seat to move, right between *alpha* and *beta*.

        *may_pass* allows the cheap proof that even a pass would be too good. Raises
        ``OutOfBudget``.
        """
        if self.budget.spent():
            raise OutOfBudget
        if board in self.path:
            return 0
        checked = in_check(board, board[TURN])
        if checked and len(self.path) < DEEPEST:
            depth += 1
        if depth <= 0:
            return self._settled(board, alpha, beta)
        known = self.known.get(board)
        if known and known.settles(depth, alpha, beta):
            return known.value
        self.path.append(board)
        try:
            if may_pass and not checked and self._pass_is_enough(board, depth, beta):
                return beta
            return self._best(board, depth, alpha, beta, checked)
        finally:
            self.path.pop()

    def _pass_is_enough(self, board: Board, depth: int, beta: int) -> bool:
        """Whether the seat to move could pass and still hold *beta*: no move is worse."""
        if depth < 2 or abs(beta) > MATE // 2 or evaluate(board) < beta:
            return False
        passed = board[:TURN] + bytes((1 - board[TURN],)) + board[TURN + 1 :]
        return -self.value(passed, depth - 3, -beta, -beta + 1, may_pass=False) >= beta

    def _best(self, board: Board, depth: int, alpha: int, beta: int, checked: bool) -> int:
        plays = moves(board)
        if not plays:
            return len(self.path) - 1 - MATE if checked else 0
        known = self.known.get(board)
        best, chosen, floor = -BOUND, None, alpha
        hopeless = depth == 1 and not checked and evaluate(board) + MARGIN <= alpha
        for number, play in enumerate(self.ordered(board, plays, known.play if known else None)):
            quiet = not board[play.target] and not (isinstance(play, BoardMove) and play.promotes)
            if hopeless and quiet and number:
                continue
            late = quiet and not checked and number >= FEW and depth > 2
            value = self._after(after(board, play), depth - 1, alpha, beta, number, late)
            if value > best:
                best, chosen = value, play
            alpha = max(alpha, value)
            if alpha >= beta:
                if quiet:
                    self._praise(board, play, depth)
                break
        bound = _AT_MOST if best <= floor else _AT_LEAST if best >= beta else _EXACT
        self.known[board] = Known(depth, bound, best, chosen)
        return best

    def _after(
        self, then: Board, depth: int, alpha: int, beta: int, number: int, late: bool
    ) -> int:
        """The value of the move that leads to *then*: the first in full, others by proof."""
        if number == 0:
            return -self.value(then, depth, -beta, -alpha)
        value = -self.value(then, depth - late, -alpha - 1, -alpha)
        if value > alpha and (late or value < beta):
            value = -self.value(then, depth, -beta, -alpha)
        return value

    def _settled(self, board: Board, alpha: int, beta: int) -> int:
        """The value once all exchanges are over; who stands in check may try everything."""
        if self.budget.spent():
            raise OutOfBudget
        seat = board[TURN]
        if in_check(board, seat):
            plays = moves(board)
            best = len(self.path) - MATE
            if len(self.path) >= DEEPEST and plays:
                return evaluate(board)
        else:
            best = evaluate(board)
            plays = [play for play in captures(board) if self._pays(board, play, alpha - best)]
        alpha = max(alpha, best)
        for play in self.ordered(board, plays, None):
            if alpha >= beta:
                break
            self.path.append(board)
            value = -self._settled(after(board, play), -beta, -alpha)
            self.path.pop()
            best = max(best, value)
            alpha = max(alpha, value)
        return best

    def _pays(self, board: Board, play: BoardPlay, needed: int) -> bool:
        """Whether a capture may gain what is *needed* and does not throw a better piece away."""
        if not isinstance(play, BoardMove):
            return False
        piece, taken = board[play.start], board[play.target]
        gain = WORTH[taken] + (GAIN[kind_of(piece)] if play.promotes else 0)
        if gain + 100 <= needed:
            return False
        return WORTH[piece] <= WORTH[taken] or not attacked(board, play.target, 1 - board[TURN])

    def ordered(
        self, board: Board, plays: Sequence[BoardPlay], hint: BoardPlay | None
    ) -> Sequence[BoardPlay]:
        """*plays*, promising ones first: the *hint*, captures, promotions, what cut off before."""
        seat, praised = board[TURN], self.quiet

        def promise(play: BoardPlay) -> int:
            if not isinstance(play, BoardMove):
                return praised.get((piece_of(play.kind, seat), play.target), 0)
            piece, taken = board[play.start], board[play.target]
            turned = 5000 + GAIN[kind_of(piece)] if play.promotes else 0
            if taken:
                return 20_000 + 8 * WORTH[taken] - WORTH[piece] + turned
            return turned or praised.get((piece, play.target), 0)

        ranked = sorted(plays, key=promise, reverse=True)
        if hint in ranked:
            ranked.remove(hint)
            ranked.insert(0, hint)
        return ranked

    def _praise(self, board: Board, play: BoardPlay, depth: int) -> None:
        piece = (
            board[play.start] if isinstance(play, BoardMove) else piece_of(play.kind, board[TURN])
        )
        key = piece, play.target
        self.quiet[key] = min(4000, self.quiet.get(key, 0) + depth * depth)

    def line(self, board: Board, plies: int) -> list[BoardPlay]:
        """The moves that the search expects from *board*, at most *plies*."""
        found: list[BoardPlay] = []
        while len(found) < plies and (known := self.known.get(board)) and known.play:
            if known.play not in moves(board):
                break
            found.append(known.play)
            board = after(board, known.play)
        return found
