"""Mate by checks alone: a proof-number search (df-pn), as solvers of mate problems do it.

A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", Tokyo 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.core import Budget
from games.shogi.board import (
    SQUARES,
    TURN,
    Board,
    BoardMove,
    BoardPlay,
    after,
    in_check,
    king_square,
    moves,
)
from games.shogi.pieces import (
    AROUND,
    KINDS,
    PROMOTED,
    SLIDES,
    STEPS,
    Kind,
    Square,
    line,
    piece_of,
    stepped,
    turned,
)

Node: TypeAlias = tuple[Board, int]
"""A board and the plies left: an odd number where the attacker is to move."""

ENDLESS = 1 << 40
"""The proof number of what is disproved, and the disproof number of what is proved."""


def _mask(squares: Sequence[Square]) -> int:
    return sum(1 << square for square in squares)


def _attacked_from(kind: Kind, seat: int, start: Square) -> int:
    """The squares that a piece on *start* attacks on an empty board."""
    steps = [stepped(start, turned(way, seat)) for way in STEPS[kind]]
    slides = [line(start, turned(way, seat)) for way in SLIDES.get(kind, ())]
    return _mask([s for s in steps if s is not None]) | _mask([s for ray in slides for s in ray])


_ATTACKS = {
    piece_of(kind, seat): tuple(_attacked_from(kind, seat, square) for square in range(SQUARES))
    for kind in KINDS
    for seat in (0, 1)
}
_LINED_UP = tuple(
    _mask([there for way in AROUND for there in line(square, way)]) for square in range(SQUARES)
)


def checks(board: Board) -> list[tuple[BoardPlay, Board]]:
    """The legal moves that give check, each with the board after it."""
    seat = board[TURN]
    king = king_square(board, 1 - seat)
    if king < 0:
        return []
    lined_up = _LINED_UP[king]
    found = []
    for play in moves(board):
        if isinstance(play, BoardMove):
            piece = board[play.start] + (PROMOTED if play.promotes else 0)
            may_uncover = lined_up >> play.start & 1
        else:
            piece, may_uncover = piece_of(play.kind, seat), 0
        if may_uncover or _ATTACKS[piece][play.target] >> king & 1:
            following = after(board, play)
            if in_check(following, 1 - seat):
                found.append((play, following))
    return found


def mate_in_one(board: Board) -> BoardPlay | None:
    """A move that mates at once, or ``None``."""
    return next((play for play, following in checks(board) if not moves(following)), None)


@dataclass
class MateSearch:
    """Looks for a mate by checks until *budget* is spent.

    *known* keeps, by board and plies left, how many positions are still needed to prove the
    mate and to disprove it. Counting plies keeps the search free of cycles.
    """

    budget: Budget
    known: dict[Node, tuple[int, int]] = field(default_factory=dict)

    def solve(self, board: Board, plies: int) -> list[BoardPlay]:
        """A shortest mate within *plies*, with a defence to each check; [] if none was found."""
        for limit in range(1, plies + 1, 2):
            self._expand((board, limit), ENDLESS, ENDLESS)
            if self._numbers((board, limit))[0] == 0:
                return self._line((board, limit))
            if self.budget.spent():
                break
        return []

    def _numbers(self, node: Node) -> tuple[int, int]:
        return self.known.get(node, (1, 1))

    def _expand(self, node: Node, most_proof: int, most_disproof: int) -> None:
        """Work below *node* until one of its numbers reaches its limit."""
        attacking = node[1] % 2 == 1
        following = _following(node)
        if not following or node[1] == 0:
            mated = not attacking and not following
            self.known[node] = (0, ENDLESS) if mated else (ENDLESS, 0)
            return
        while True:
            numbers = [self._numbers(then) for then in following]
            # The attacker needs one move that mates, the defender one that does not.
            mine = [proof if attacking else disproof for proof, disproof in numbers]
            theirs = [disproof if attacking else proof for proof, disproof in numbers]
            least, total = min(mine), min(sum(theirs), ENDLESS)
            proof, disproof = (least, total) if attacking else (total, least)
            self.known[node] = proof, disproof
            if proof >= most_proof or disproof >= most_disproof or self.budget.spent():
                return
            best = mine.index(least)
            second = min(mine[:best] + mine[best + 1 :], default=ENDLESS)
            if attacking:
                limits = min(most_proof, second + 1), most_disproof - disproof + theirs[best]
            else:
                limits = most_proof - proof + theirs[best], min(most_disproof, second + 1)
            self._expand(following[best], *limits)

    def _line(self, node: Node) -> list[BoardPlay]:
        """The proved moves from *node*, and a defence to each check."""
        found: list[BoardPlay] = []
        while True:
            board, left = node
            proved = [one for one in checks(board) if self._numbers((one[1], left - 1))[0] == 0]
            play, board = proved[0]
            found.append(play)
            answers = moves(board)
            if not answers:
                return found
            found.append(answers[0])
            node = after(board, answers[0]), left - 2


def _following(node: Node) -> list[Node]:
    """What may come after *node*: checks of the attacker, or answers of the defender."""
    board, left = node
    if left % 2 == 0:
        return [(after(board, play), left - 1) for play in moves(board)]
    return [(then, left - 1) for _, then in checks(board)]
