"""Whether a londetúrë stands (C21, R2): a proof, an escape, or neither within the budget.

The opponent is to move. *Proved*: the claimant forces a londë within ``HORIZON`` plies, whatever
the answers. *Refuted*: after some answer the claimant forces none in that time, and soon has no ply
left that threatens one. Nothing is decided where threats go on up to the horizon, and where the
budget ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from games.cirya.board import EMPTY, Board
from games.cirya.computer.evaluation import nearest
from games.cirya.move_types import Judged, Place, Ply, Verdict
from games.cirya.notation import written_line
from games.cirya.rules import Cirya, completing, fresh, londe, quildear
from games.core import Budget, Ruling, Seat
from games.core.search import OutOfBudget

HORIZON = 6
"""R2: the opponent's answers and the claimant's next three plies."""

NODES = 400_000
"""The most boards that one judgement makes."""

KEPT_PLIES = 8
"""How many plies are remembered that have decided before."""

REPEATED = 2
"""R3: how often a board has stood that may not come again."""


@dataclass(frozen=True)
class Proof:
    """What a claim is worth: *line* is the longest defence or, where refuted, the escape."""

    verdict: Verdict
    line: tuple[Ply, ...] = ()


def judged(position: Cirya, seat: Seat, budget: Budget) -> Ruling:
    """The verdict on the first claim of *seat* that waits for one."""
    claim = position.waiting
    if claim is None or claim.seat != seat:
        raise ValueError("nothing was claimed")
    counted = claim.since if position.customs.repetition else ()
    proof = Prover(seat, budget, past=Counter(counted)).proof(claim.board)
    at = fresh(position.customs, claim.board, claim.ply)
    return Ruling(Judged(proof.verdict), written_line(at, proof.line))


@dataclass
class Prover:
    """Proves and refutes claims of *seat* with at most *nodes* boards; *past* ones count (R3)."""

    seat: Seat
    budget: Budget
    nodes: int = NODES
    past: Counter[Board] = field(default_factory=Counter)
    _forced: dict[tuple[Board, int], bool] = field(default_factory=dict)
    _pressed: dict[tuple[Board, int], bool] = field(default_factory=dict)
    _winning: dict[Board, Ply | None] = field(default_factory=dict)
    _stopping: list[Ply] = field(default_factory=list)
    _completing: list[Ply] = field(default_factory=list)
    """Plies that have stopped the claimant, and that have completed a londë: tried first."""
    seen: int = 0

    def proof(self, board: Board, horizon: int = HORIZON) -> Proof:
        """What the claim on *board* is worth, the opponent to move, up to *horizon* plies."""
        try:
            for plies in range(2, horizon + 1, 2):
                if self.forces(board, plies):
                    return Proof(Verdict.PROVED, self._proof_line(board, plies))
            for ply, then in self._answers(board):
                if not self.is_pressed(then, horizon - 1) and not self.forces(then, horizon - 1):
                    return Proof(Verdict.REFUTED, (ply,))
        except OutOfBudget:
            pass
        return Proof(Verdict.UNDECIDED)

    def forces(self, board: Board, plies: int) -> bool:
        """Whether the claimant forces a londë on *board* within *plies*; raises ``OutOfBudget``."""
        ended = self._end_value(board)
        if ended is not None or plies == 0:
            return bool(ended)
        known = self._forced.get((board, plies))
        if known is None:
            known = (self._forces if board.mover == self.seat else self._is_beaten)(board, plies)
            self._forced[board, plies] = known
        return known

    def _forces(self, board: Board, plies: int) -> bool:
        if self._win(board) is not None:
            return True
        if plies < 3:
            return False
        for _, then in self._threats(board):
            if self.forces(then, plies - 1):
                return True
        # Three plies before the horizon only a threat wins: a piece that the other places
        # anywhere gives no move that was not there before (R4: one can always be placed).
        return plies > 3 and any(self.forces(then, plies - 1) for _, then in self._quiet(board))

    def _is_beaten(self, board: Board, plies: int) -> bool:
        for ply, then in self._answers(board):
            if not self.forces(then, plies - 1):
                _first(self._stopping, ply)
                return False
        return True

    def is_pressed(self, board: Board, plies: int) -> bool:
        """Whether the claimant can threaten up to the horizon; raises ``OutOfBudget``."""
        ended = self._end_value(board)
        if ended is not None or plies == 0:
            return ended is not False
        known = self._pressed.get((board, plies))
        if known is None:
            if board.mover == self.seat:
                known = self._win(board) is not None or any(
                    self.is_pressed(then, plies - 1) for _, then in self._threats(board)
                )
            else:
                known = all(self.is_pressed(then, plies - 1) for _, then in self._answers(board))
            self._pressed[board, plies] = known
        return known

    def _end_value(self, board: Board) -> bool | None:
        """Whether the claimant has a londë where the game is over; ``None`` while it is not."""
        end = londe(board)
        if end is not None:
            return end.winner == self.seat
        return False if quildear(board) is not None or self.past[board] >= REPEATED else None

    def _after(self, board: Board, ply: Ply) -> Board:
        self.seen += 1
        if self.seen > self.nodes or (self.seen % 1024 == 0 and self.budget.is_spent()):
            raise OutOfBudget
        return board.after(ply)

    def _plies(self, board: Board) -> Iterator[tuple[Ply, Board]]:
        yield from ((ply, self._after(board, ply)) for ply in board.plies(board.kinds()))

    def _answers(self, board: Board) -> Iterator[tuple[Ply, Board]]:
        """The opponent's plies on *board*, those first that have helped before."""
        plies = board.plies(board.kinds())
        hope = nearest(board.shape, board.route(self.seat), board.empty).last
        likely = [ply for ply in self._stopping if possible(board, ply)]
        others = sorted(plies, key=lambda ply: (not _falls_on(board, ply, hope), ply in likely))
        yield from ((ply, self._after(board, ply)) for ply in dict.fromkeys((*likely, *others)))

    def _threats(self, board: Board) -> Iterator[tuple[Ply, Board]]:
        """The claimant's plies that threaten a londë (C19)."""
        return ((ply, then) for ply, then in self._plies(board) if self._threatens(then))

    def _quiet(self, board: Board) -> Iterator[tuple[Ply, Board]]:
        return ((ply, then) for ply, then in self._plies(board) if not self._threatens(then))

    def _threatens(self, board: Board) -> bool:
        return self._win(board._replace(mover=self.seat)) is not None

    def _win(self, board: Board) -> Ply | None:
        """A ply that completes the londë of the claimant, who is to move on *board*."""
        if board in self._winning:
            return self._winning[board]
        of, route = board.shape, board.route(self.seat)
        found = None
        if nearest(of, route, of.full & ~route).missing <= _span(board, self.seat):
            found = next((ply for ply in self._completing if self._completes(board, ply)), None)
            if found is None:
                self.seen += 16  # about what it costs to look at all plies
                found = next(completing(board, self.seat), None)
            if found is not None:
                _first(self._completing, found)
        self._winning[board] = found
        return found

    def _completes(self, board: Board, ply: Ply) -> bool:
        return possible(board, ply) and board.after(ply).londe(self.seat)

    def _proof_line(self, board: Board, plies: int) -> tuple[Ply, ...]:
        """The line of a proof as far as the budget lasts: what is proved stays proved."""
        line: list[Ply] = []
        with suppress(OutOfBudget):
            line.extend(self._line(board, plies))
        return tuple(line)

    def _line(self, board: Board, plies: int) -> Iterator[Ply]:
        """The longest defence of a claim that is proved within *plies*, and what beats it."""
        while self._end_value(board) is None:
            answers = list(self._answers(board))
            slow = (one for one in answers if plies > 2 and not self.forces(one[1], plies - 3))
            longest = next(slow, answers[0])
            yield longest[0]
            board, plies = longest[1], plies - 1
            if self._end_value(board) is not None:
                return
            win = self._win(board)
            if win is None:
                win, _ = next(one for one in self._plies(board) if self.forces(one[1], plies - 1))
            yield win
            board, plies = self._after(board, win), plies - 1


def possible(board: Board, ply: Ply) -> bool:
    """Whether the mover of *board* may play *ply* (C6 to C13)."""
    if isinstance(ply, Place):
        return board.nosse[ply.sat] == EMPTY and ply.kind in board.kinds()
    if not board.held(board.mover) >> ply.sat & 1 or sum(ply.drops) > board.carried(ply.sat):
        return False
    run, far = board.run(ply.sat, ply.way), len(ply.drops)
    # C12: only the hallacirya itself falls on the tampa that stops the way.
    crush = far == run.reach + 1 and ply.drops[-1] == 1 and board.crushes(ply.sat, run)
    return far <= run.reach or crush


def _span(board: Board, seat: Seat) -> int:
    """More sati than one ply can add to a route of *seat*: what it covers, and what it uncovers."""
    held, span = board.held(seat), 1
    for sat, nosse in enumerate(board.nosse):
        if held >> sat & 1:
            tall = min(nosse.bit_length() - 1, board.shape.size - 1)
            span = max(span, tall + (board.tampar >> sat & 1))
    return span


def _falls_on(board: Board, ply: Ply, sati: int) -> bool:
    if isinstance(ply, Place):
        return bool(sati >> ply.sat & 1)
    return any(sati >> there & 1 for there in board.shape.rays[ply.way][ply.sat][: len(ply.drops)])


def _first(plies: list[Ply], ply: Ply) -> None:
    """Put *ply* at the head of *plies*, of which a few are kept."""
    if ply in plies:
        plies.remove(ply)
    plies.insert(0, ply)
    del plies[KEPT_PLIES:]
