"""The board as the search sees it: checks, exchanges, and what to try first."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.search import WIN
from games.core.search_types import Devices, GameTree, Praise
from games.shogi.board import (
    TURN,
    Board,
    BoardMove,
    BoardPlay,
    after,
    captures,
    in_check,
    is_attacked,
    king_square,
    moves,
)
from games.shogi.computer.evaluation import GAIN, WORTH, evaluate
from games.shogi.pieces import SENTE, Square, kind_of, piece_of

DEVICES = Devices(null_move=2, late=6, margin=260, deepened=14)
"""As they have always been here: none of them was found to be better without."""

FAR = 3
"""Squares from which on a way is long for beginners."""

HOPE = 100
"""What a capture may bring besides the piece."""


class BoardTree(GameTree[Board, BoardPlay]):
    """Boards as ``games.core.search.GameTree`` asks for them; the piece on *plan* moved last."""

    def __init__(self, plan: Square = -1) -> None:
        self.plan = plan

    def key(self, board: Board) -> Board:
        """The board itself, with hands and turn."""
        return board

    def ended(self, _board: Board) -> int | None:
        """Nothing ends before somebody has no move."""
        return None

    def stuck(self, board: Board) -> int:
        """H9, H10: mate is lost, to have no move without check is taken for a draw."""
        return -WIN if in_check(board, board[TURN]) else 0

    def worth(self, board: Board) -> int:
        """How the mover stands."""
        return evaluate(board)

    def is_pressed(self, board: Board) -> bool:
        """Whether the mover is in check."""
        return in_check(board, board[TURN])

    def moves(self, board: Board) -> Sequence[BoardPlay]:
        """Every legal move."""
        return moves(board)

    def promises(self, board: Board, moves: Sequence[BoardPlay], praise: Praise) -> list[int]:
        """Captures by what is taken and by what, promotions, what was good before."""
        seat = board[TURN]
        found = []
        for play in moves:
            if not isinstance(play, BoardMove):
                found.append(praise.get(piece_of(play.kind, seat) << 7 | play.target, 0))
                continue
            piece, taken = board[play.start], board[play.target]
            turned = 5000 + GAIN[kind_of(piece)] if play.promotes else 0
            if taken:
                found.append(20_000 + 8 * WORTH[taken] - WORTH[piece] + turned)
            else:
                found.append(turned or praise.get(piece << 7 | play.target, 0))
        return found

    def trace(self, board: Board, move: BoardPlay) -> int:
        """The piece and where it goes."""
        piece = (
            board[move.start] if isinstance(move, BoardMove) else piece_of(move.kind, board[TURN])
        )
        return piece << 7 | move.target

    def quiet(self, board: Board, move: BoardPlay) -> bool:
        """Whether *move* neither takes nor promotes."""
        return not board[move.target] and not (isinstance(move, BoardMove) and move.promotes)

    def obscurity(self, board: Board, move: BoardPlay) -> int:
        """Captures and one's plan are seen, retreats and long ways are not; in check kings run."""
        if not isinstance(move, BoardMove):
            return 110
        down, across = move.target // 9 - move.start // 9, move.target % 9 - move.start % 9
        hard = 60 if board[move.target] else 100
        hard += 50 * (down > 0 if board[TURN] == SENTE else down < 0)
        hard += 30 * (max(abs(down), abs(across)) >= FAR)
        hard -= 30 * (move.start == self.plan)
        is_king = move.start == king_square(board, board[TURN])
        return hard - 50 * (is_king and in_check(board, board[TURN]))

    def captures(self, board: Board, needed: int) -> Sequence[BoardPlay]:
        """The captures that may gain what is *needed* and throw no better piece away."""
        plays = [play for play in captures(board) if self._pays(board, play, needed)]
        promises = self.promises(board, plays, {})
        order = sorted(range(len(plays)), key=promises.__getitem__, reverse=True)
        return [plays[index] for index in order]

    def after(self, board: Board, move: BoardPlay) -> Board:
        """The board after *move*."""
        return after(board, move)

    def passed(self, board: Board) -> Board:
        """The board with the other side to move."""
        return board[:TURN] + bytes((1 - board[TURN],)) + board[TURN + 1 :]

    def _pays(self, board: Board, play: BoardPlay, needed: int) -> bool:
        if not isinstance(play, BoardMove):
            return False
        piece, taken = board[play.start], board[play.target]
        gain = WORTH[taken] + (GAIN[kind_of(piece)] if play.promotes else 0)
        if gain + HOPE <= needed:
            return False
        return WORTH[piece] <= WORTH[taken] or not is_attacked(board, play.target, 1 - board[TURN])
