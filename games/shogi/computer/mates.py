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

UNSETTLED = ENDLESS, -1
"""What is settled of a board of which nothing is known."""


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

    *known* keeps, by board and plies left, how many positions it still takes to prove the mate and
    to disprove it. Counting plies keeps the search free of cycles.
    """

    budget: Budget
    known: dict[Node, tuple[int, int]] = field(default_factory=dict)
    settled: dict[Board, tuple[int, int]] = field(default_factory=dict)
    """By board: in how few plies mate is proved, and in how many it is refuted."""

    def solve(self, board: Board, plies: int) -> list[BoardPlay]:
        """A mate within *plies* by the longest defence, shortest if the budget allows; or []."""
        # What mates at all is found sooner than what mates soonest, which is asked for then.
        if not self._proves(board, 1) and not self._proves(board, plies):
            return []
        line = self._line(board)
        while len(line) > 1 and self._proves(board, len(line) - 2):
            line = self._line(board)
        return line

    def _proves(self, board: Board, plies: int) -> bool:
        """Whether *board* is a mate within *plies*, as far as the budget reaches."""
        self._expand((board, plies), ENDLESS, ENDLESS)
        return self._depth(board) <= plies

    def _depth(self, board: Board) -> int:
        """Within how many plies mate is proved, ``ENDLESS`` where it is not."""
        return self.settled.get(board, UNSETTLED)[0]

    def _numbers(self, node: Node) -> tuple[int, int]:
        board, left = node
        proved, refuted = self.settled.get(board, UNSETTLED)
        if proved <= left:
            return 0, ENDLESS
        if refuted >= left:
            return ENDLESS, 0
        return self.known.get(node, (1, 1))

    def _expand(self, node: Node, most_proof: int, most_disproof: int) -> None:
        """Work below *node* until one of its numbers reaches its limit."""
        following = _following(node)
        if self._ends(node, following):
            return
        # The attacker needs one move that mates, the defender one that does not.
        attacking = node[1] % 2 == 1
        most_mine, most_theirs = most_proof, most_disproof
        if not attacking:
            most_mine, most_theirs = most_disproof, most_proof
        while True:
            mine, theirs = self._sides(following, attacking)
            least, total = min(mine), min(sum(theirs), ENDLESS)
            if not least or not total:
                self._settle(node, following)
                return
            self.known[node] = (least, total) if attacking else (total, least)
            if least >= most_mine or total >= most_theirs or self.budget.is_spent():
                return
            best = mine.index(least)
            second = min(mine[:best] + mine[best + 1 :], default=ENDLESS)
            my_limit, their_limit = min(most_mine, second + 1), most_theirs - total + theirs[best]
            if attacking:
                self._expand(following[best], my_limit, their_limit)
            else:
                self._expand(following[best], their_limit, my_limit)

    def _sides(self, nodes: Sequence[Node], attacking: bool) -> tuple[list[int], list[int]]:
        """The numbers of *nodes* that the mover wants low, and those that the other wants low."""
        numbers = [self._numbers(node) for node in nodes]
        proofs, disproofs = [one for one, _ in numbers], [one for _, one in numbers]
        return (proofs, disproofs) if attacking else (disproofs, proofs)

    def _ends(self, node: Node, following: Sequence[Node]) -> bool:
        """Whether nothing is to be looked at below *node*, which is settled then."""
        board, left = node
        if not following:
            self.settled[board] = (ENDLESS, ENDLESS) if left % 2 else (0, -1)
        elif left == 0:
            self.settled.setdefault(board, (ENDLESS, 0))
        return not following or left == 0

    def _settle(self, node: Node, following: Sequence[Node]) -> None:
        """Keep of *node* what the settled ones among *following* say of it."""
        board, left = node
        settled = [self.settled.get(then, UNSETTLED) for then, _ in following]
        # The attacker chooses what mates soonest, the defender what mates latest.
        chosen = min if left % 2 else max
        proved, refuted = self.settled.get(board, UNSETTLED)
        depth = min(proved, chosen(depth for depth, _ in settled) + 1)
        self.settled[board] = depth, max(refuted, chosen(none for _, none in settled) + 1)

    def check(self, board: Board) -> tuple[BoardPlay, Board]:
        """The check that mates soonest as far as is proved, and the board after it."""
        return min(checks(board), key=lambda one: self._depth(one[1]))

    def _line(self, board: Board) -> list[BoardPlay]:
        """The proved checks from *board* on, against the longest defence."""
        found: list[BoardPlay] = []
        left: dict[Board, int] = {}
        while True:
            play, board = self.check(board)
            found.append(play)
            answers = [(answer, after(board, answer)) for answer in moves(board)]
            if not answers:
                return found
            play, board = max(answers, key=lambda one: self._plies_to_mate(one[1], left))
            found.append(play)

    def _plies_to_mate(self, board: Board, known: dict[Board, int]) -> int:
        """In how many plies ``check`` mates on *board*, whatever is answered."""
        # What is settled of a board may since have been bettered below it.
        if board not in known:
            _, then = self.check(board)
            answers = (self._plies_to_mate(after(then, answer), known) for answer in moves(then))
            known[board] = 2 + max(answers, default=-1)
        return known[board]


def _following(node: Node) -> list[Node]:
    """What may come after *node*: checks of the attacker, or answers of the defender."""
    board, left = node
    if left % 2 == 0:
        return [(after(board, play), left - 1) for play in moves(board)]
    return [(then, left - 1) for _, then in checks(board)]
