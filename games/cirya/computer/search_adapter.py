"""The board as the search sees it: what to try first, and when it is decided."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from games.cirya.board import Board
from games.cirya.computer.evaluation import nearest, worth
from games.cirya.move_types import Kind, Place, Ply
from games.cirya.rules import londe, quildear
from games.core.search import WIN
from games.core.search_types import Devices, GameTree, Praise

CALM = 100_000
"""The value of a quildëar won."""

DEVICES = Devices(exchanges=False)
"""The table alone: passing, looking less far and looking farther have all lost matches here."""


class BoardTree(GameTree[Board, Ply]):
    """The ``GameTree`` of boards; a *watchful* one sees a londë that lacks one sat at once."""

    def __init__(self, watchful: bool = True) -> None:
        self.watchful = watchful

    def key(self, board: Board) -> Board:
        """The board itself."""
        return board

    def ended(self, board: Board) -> int | None:
        """How the game has ended for the mover, or will at once by a placement."""
        end = londe(board)
        if end is not None:
            return WIN if end.winner == board.mover else -WIN
        end = quildear(board)
        if end is not None:
            return 0 if end.winner is None else CALM if end.winner == board.mover else -CALM
        # A sat that completes the mover's londë is as good as the londë itself.
        return WIN - 1 if self.watchful and ready(board) else None

    def stuck(self, _board: Board) -> int:
        """R4: nobody ever is."""
        return -WIN

    def worth(self, board: Board) -> int:
        """How the mover stands."""
        return worth(board)

    def is_pressed(self, _board: Board) -> bool:
        """Never: to look farther where a londë threatens has lost matches."""
        return False

    def moves(self, board: Board) -> Sequence[Ply]:
        """Every ply."""
        return board.plies(board.kinds())

    def promises(self, board: Board, moves: Sequence[Ply], _praise: Praise) -> list[int]:
        """Stopping a londë, captures, lying ciryar beside one's own."""
        seat = board.mover
        danger = nearest(board.shape, board.route(1 - seat), board.empty).last
        enemy, near = board.held(1 - seat), board.shape.beside(board.route(seat))
        rays = board.shape.rays
        found = []
        for ply in moves:
            if isinstance(ply, Place):
                bit = 1 << ply.sat
                early = 100 if danger & bit else 0
                found.append(early + (10 if near & bit else 0) + (ply.kind is not Kind.TAMPA) * 8)
                continue
            early = -2 * sum(ply.drops)
            for there in rays[ply.way][ply.sat][: len(ply.drops)]:
                early += 60 * (danger >> there & 1) + 12 * (enemy >> there & 1)
            found.append(early)
        return found

    def trace(self, board: Board, move: Ply) -> Hashable:
        """The ply and who makes it."""
        return board.mover, move

    def quiet(self, _board: Board, move: Ply) -> bool:
        """Whether it is a placement."""
        return isinstance(move, Place)

    def obscurity(self, board: Board, move: Ply) -> int:
        """What falls on a rival is seen first, a tower that is spread far last."""
        if isinstance(move, Place):
            return 100
        far = board.shape.rays[move.way][move.sat][len(move.drops) - 1]
        return 75 + 25 * len(move.drops) - 40 * (board.held(1 - board.mover) >> far & 1)

    def captures(self, _board: Board, _needed: int) -> Sequence[Ply]:
        """None: nothing leaves the board."""
        return ()

    def after(self, board: Board, move: Ply) -> Board:
        """The board after *move*."""
        return board.after(move)

    def passed(self, board: Board) -> Board:
        """The board with the other side to move."""
        return board._replace(mover=1 - board.mover)


def ready(board: Board) -> bool:
    """Whether the mover can complete a londë by placing a piece."""
    hope = nearest(board.shape, board.route(board.mover), board.empty)
    return hope.missing == 1 and any(kind is not Kind.TAMPA for kind in board.kinds())
