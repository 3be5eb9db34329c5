"""The computer player: alpha-beta, deepened ply by ply, on the bare board.

It takes a londë in one, and from level 2 on leaves none to the opponent where that can be
helped. In Aracirya it announces like a courtly player (C20).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from games.cirya.board import Board
from games.cirya.judgement import nearest, worth
from games.cirya.moves import Kind, Place, Ply, Said
from games.cirya.rules import Cirya, completing, londe, one_move_away, quildear
from games.core import Budget, Choice, Seat

WIN = 1_000_000
"""The value of a londë, less one for each ply it takes."""

CALM = 100_000
"""The value of a quildëar won."""

LEVELS = 3


@dataclass(frozen=True)
class Level:
    """How one level plays: to *depth* plies or *nodes* boards, whichever is first.

    *slip* is how much less than the best, in hundredths of a cirya, it may settle for.
    """

    depth: int
    nodes: int
    slip: int = 0


HOW = (Level(1, 3_000, slip=90), Level(2, 12_000), Level(4, 40_000))
"""The levels 1, 2 and 3."""


class Spent(Exception):
    """The budget is used up: the search ends where it is."""


@dataclass
class Search:
    """One thought: how many boards it may look at, and what it has learned."""

    budget: Budget
    nodes: int
    best: dict[Board, Ply] = field(default_factory=dict)
    seen: int = 0

    def value(self, board: Board, depth: int, alpha: int, beta: int) -> int:
        """The value of *board* for its mover after *depth* more plies.

        Raises ``Spent``.
        """
        self.seen += 1
        if self.seen > self.nodes or (self.seen % 256 == 0 and self.budget.spent()):
            raise Spent
        end = ended(board)
        if end is not None:
            return end
        if depth == 0:
            # A sat that completes the mover's londë is as good as the londë itself.
            return WIN - 2 if ready(board) else worth(board)
        if ready(board):
            return WIN - 2
        top = -WIN
        for ply in self.ordered(board, board.plies(board.kinds())):
            found = _later(-self.value(board.after(ply), depth - 1, -beta, -alpha))
            if found > top:
                top = found
                self.best[board] = ply
            alpha = max(alpha, top)
            if alpha >= beta:
                break
        return top

    def ordered(self, board: Board, plies: Sequence[Ply]) -> list[Ply]:
        """*plies* with the promising ones first."""
        known = self.best.get(board)
        promise = _Promise(board)
        return sorted(plies, key=lambda ply: (ply != known, promise(ply)))


def ended(board: Board) -> int | None:
    """The value for the mover of a *board* on which the game is over; else ``None``."""
    end = londe(board)
    if end is not None:
        return WIN - 1 if end.winner == board.mover else 1 - WIN
    end = quildear(board)
    if end is None:
        return None
    return 0 if end.winner is None else CALM if end.winner == board.mover else -CALM


def ready(board: Board) -> bool:
    """Whether the mover can complete a londë by placing a piece."""
    hope = nearest(board.shape, board.route(board.mover), board.empty)
    return hope.missing == 1 and any(kind is not Kind.TAMPA for kind in board.kinds())


def _later(value: int) -> int:
    """*value* one ply further away: wins are sought soon, losses late."""
    if value > WIN // 2:
        return value - 1
    return value + 1 if value < -WIN // 2 else value


class _Promise:
    """What to try first: stopping a londë, captures, lying ciryar beside one's own."""

    def __init__(self, board: Board) -> None:
        seat = board.mover
        self.board = board
        self.danger = nearest(board.shape, board.route(1 - seat), board.empty).last
        self.enemy = board.held(1 - seat)
        self.near = board.shape.beside(board.route(seat))

    def __call__(self, ply: Ply) -> int:
        """Low is promising."""
        if isinstance(ply, Place):
            bit = 1 << ply.sat
            stops = 100 if self.danger & bit else 0
            return -stops - (10 if self.near & bit else 0) - (ply.kind is not Kind.TAMPA) * 8
        ray = self.board.shape.rays[ply.way][ply.sat][: len(ply.drops)]
        stops = sum(60 for there in ray if self.danger >> there & 1)
        taken = sum(12 for there in ray if self.enemy >> there & 1)
        return -stops - taken + 2 * sum(ply.drops)


def choose(
    position: Cirya, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> Choice:
    """The computer's ply for *seat* at *level* 1 to 3."""
    how = HOW[min(max(level, 1), LEVELS) - 1]
    if position.swapping:
        return _opening(position, below)
    winning = next(completing(position.board, seat), None)
    if winning is not None:
        return Choice(winning, 1.0, (position.notation(winning),), exact=True)
    plies = _shuffled([ply for ply in position.legal_moves(seat) if isinstance(ply, Ply)], below)
    if level > 1:
        plies = _safe(position.board, plies) or plies
    search = Search(budget, how.nodes)
    ranked = _ranked(search, position.board, plies, how.depth)
    best = ranked[0][0]
    near = [one for one in ranked if one[0] >= best - how.slip]
    value, ply = near[below(len(near))] if how.slip else ranked[0]
    line = _expected(search, position.board.after(ply), how.depth - 1)
    return Choice(
        _announced(position, ply, seat),
        _opinion(value),
        _written(position, (ply, *line)),
    )


def _shuffled(plies: list[Ply], below: Callable[[int], int]) -> list[Ply]:
    """*plies* in a drawn order, so that of equally good ones not always the same is played."""
    for last in range(len(plies) - 1, 0, -1):
        other = below(last + 1)
        plies[last], plies[other] = plies[other], plies[last]
    return plies


def _safe(board: Board, plies: Sequence[Ply]) -> list[Ply]:
    """Those of *plies* that leave the opponent no londë in one."""
    safe = []
    for ply in plies:
        after = board.after(ply)
        if londe(after) is None and not one_move_away(after, after.mover):
            safe.append(ply)
    return safe


def _ranked(
    search: Search, board: Board, plies: Sequence[Ply], depth: int
) -> list[tuple[int, Ply]]:
    """*plies* with their values, best first, from the deepest look that was finished.

    Values of plies that are not best are upper bounds, except at a depth of one.
    """
    ranked = [(0, ply) for ply in search.ordered(board, plies)]
    for deep in range(1, depth + 1):
        found: list[tuple[int, Ply]] = []
        alpha = -WIN
        try:
            for _, ply in ranked:
                floor = -WIN if deep == 1 else alpha
                value = _later(-search.value(board.after(ply), deep - 1, -WIN, -floor))
                found.append((value, ply))
                alpha = max(alpha, value)
        except Spent:
            # The best so far of an unfinished look is at least as good as what it replaces.
            best = max(found, default=None, key=lambda one: one[0])
            return [best, *ranked] if best and best[0] > ranked[0][0] else ranked
        ranked = sorted(found, key=lambda one: -one[0])
        if abs(ranked[0][0]) > WIN // 2:
            break
    return ranked


def _expected(search: Search, board: Board, plies: int) -> list[Ply]:
    """The line that the search expects from *board* on."""
    line: list[Ply] = []
    while len(line) < plies and board in search.best and ended(board) is None:
        line.append(search.best[board])
        board = board.after(line[-1])
    return line


def _opening(position: Cirya, below: Callable[[int], int]) -> Choice:
    """C5: the other's first cirya goes into a corner."""
    size = position.board.shape.size
    corners = (0, size - 1, size * (size - 1), size * size - 1)
    free = [sat for sat in corners if position.board.empty >> sat & 1]
    ply = Place(free[below(len(free))], Kind.CIRYA)
    return Choice(ply, 0.0, (position.notation(ply),))


def _announced(position: Cirya, ply: Ply, seat: Seat) -> Ply:
    """*ply* with the word that Aracirya asks for (C19, C20)."""
    after = position.after(ply)
    if position.customs.courtly and not after.end and one_move_away(after.board, seat):
        return replace(ply, said=Said.LONDE)
    return ply


def _opinion(value: int) -> float:
    """*value* of the search as an opinion from -1 to 1."""
    if abs(value) > WIN // 2:
        return 1.0 if value > 0 else -1.0
    return max(-0.99, min(0.99, value / 1200))


def _written(position: Cirya, line: Sequence[Ply]) -> tuple[str, ...]:
    told = []
    for ply in line:
        told.append(position.notation(ply))
        position = position.after(ply)
    return tuple(told)
