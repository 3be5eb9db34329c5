"""The computer player: alpha-beta, deepened ply by ply, on the bare board.

It takes a londë in one, and from level 2 on leaves none to the opponent where that can be
helped. In Aracirya it announces like a courtly player (C20).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from games.cirya.board import Board
from games.cirya.computer.search import WIN, Search, expected, ranked
from games.cirya.moves import Kind, Place, Ply, Said
from games.cirya.notation import written
from games.cirya.rules import Cirya, completing, londe, one_move_away
from games.core import Budget, Choice, Seat

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


def choose(
    position: Cirya, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> Choice:
    """The computer's ply for *seat* at *level* 1 to 3."""
    how = HOW[min(max(level, 1), LEVELS) - 1]
    if position.swapping:
        return _opening(position, below)
    winning = next(completing(position.board, seat), None)
    if winning is not None:
        return Choice(winning, 1.0, (written(position, winning),), exact=True)
    plies = _shuffled([ply for ply in position.legal_moves(seat) if isinstance(ply, Ply)], below)
    if level > 1:
        plies = _safe(position.board, plies) or plies
    search = Search(budget, how.nodes)
    found = ranked(search, position.board, plies, how.depth)
    best = found[0][0]
    near = [one for one in found if one[0] >= best - how.slip]
    value, ply = near[below(len(near))] if how.slip else found[0]
    line = expected(search, position.board.after(ply), how.depth - 1)
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


def _opening(position: Cirya, below: Callable[[int], int]) -> Choice:
    """C5: the other's first cirya goes into a corner."""
    size = position.board.shape.size
    corners = (0, size - 1, size * (size - 1), size * size - 1)
    free = [sat for sat in corners if position.board.empty >> sat & 1]
    ply = Place(free[below(len(free))], Kind.CIRYA)
    return Choice(ply, 0.0, (written(position, ply),))


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
        told.append(written(position, ply))
        position = position.after(ply)
    return tuple(told)
