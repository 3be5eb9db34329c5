"""Problems of Cirya: a londë that nothing prevents, and the only moves that prevent one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from games.cirya.board import Board
from games.cirya.computer.prover import Prover
from games.cirya.move_types import Ply
from games.cirya.notation import written
from games.cirya.rules import Cirya, completing, londe
from games.core import Budget, Seat
from games.core.computer import Answers, Below, LessonReply, PosedProblem
from games.core.search import OutOfBudget

NODES = 40_000
"""The most boards that one position is worth."""

MOST_FIRST = 2
"""With more right first moves it is no riddle."""

MOST_STOPS = 3
"""A place may be closed by a cirya, a tampa and the hallacirya."""

SOON = 3
"""Within how many plies after a right answer the other fleet must not force its route."""


MOTIFS = {
    "rescue": r"stop$",
    "placement": r"^[^|]*\| [a-h]",
    "wall": r"^[^|]*\| S",
    "tower": r"^[^|]*\| C",
    "carry": r"^[^|]*\| [2-8][a-h]\d[<>+-]( |\d )",
    "spread": r"^[^|]*\| \d[a-h]\d[<>+-]\d\d",
    "fork": r"\| C?([a-h]\d)(,C\1)*,(?!C?\1)[^|]*\| 2 \|",
    "steps": r"^[^|]*\| C?[a-h]\d[<>+-]",
    "late": r"^[^|]* [12] [2-9]\d",
    "threat": r"londe$",
}
"""What the first ply is, and whether two ways are left."""


def pose(position: Cirya, seat: Seat, budget: Budget, _below: Below) -> PosedProblem | None:
    """A londë of *seat* in two moves, or the only moves that prevent one of the other fleet."""
    board = position.board
    if board.mover != seat or position.outcome() is not None or position.ply < 4:
        return None
    if next(completing(board, seat), None) is not None:
        return None
    with suppress(OutOfBudget):
        if next(completing(board, 1 - seat), None) is not None:
            return _stop(position, board, Prover(1 - seat, budget, NODES))
        return _find_win(position, board, Prover(seat, budget, NODES))
    return None


def _stop(position: Cirya, board: Board, rival: Prover) -> PosedProblem | None:
    """What keeps the *rival* fleet from completing its route at once, and by force soon after.

    Where a ply that seems to do so loses all the same, the position asks for nothing.
    """
    right = []
    for ply, then in _plies(board):
        end = londe(then)
        lost = end is not None and end.winner == rival.seat
        if not lost and next(completing(then, rival.seat), None) is None:
            right.append((ply, then))
        if len(right) > MOST_STOPS:
            return None
    if not right or any(rival.forces(then, SOON) for _, then in right):
        return None
    return PosedProblem("stop", {written(position, ply): None for ply, _ in right})


def _find_win(position: Cirya, board: Board, prover: Prover) -> PosedProblem | None:
    """The plies after which *seat* completes its route whatever is answered."""
    answers: dict[str, LessonReply | None] = {}
    for ply, then in _plies(board):
        if next(completing(then, prover.seat), None) is not None and prover.forces(then, 2):
            answers[written(position, ply)] = _find_defence(position.after(ply), prover.seat)
        if len(answers) > MOST_FIRST:
            return None
    return PosedProblem("londe", answers, 2) if answers else None


def _find_defence(position: Cirya, seat: Seat) -> LessonReply:
    """The answer that leaves *seat* the fewest ways to complete its route, and these."""

    def ways(then: Board) -> list[Ply]:
        return list(completing(then, seat))

    answers = ((ply, then) for ply, then in _plies(position.board) if londe(then) is None)
    open_plies = [(len(ways(then)), ply) for ply, then in answers]
    fewest = min(count for count, _ in open_plies)
    reply = next(ply for count, ply in open_plies if count == fewest)
    following = position.after(reply)
    wins: Answers = {written(following, ply): None for ply in ways(following.board)}
    return LessonReply(written(position, reply), wins)


def _plies(board: Board) -> Iterator[tuple[Ply, Board]]:
    """Every ply of the mover, with the board after it."""
    for ply in board.plies(board.kinds()):
        yield ply, board.after(ply)
