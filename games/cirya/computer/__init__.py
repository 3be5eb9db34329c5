"""The computer player: a search of the bare board, at six levels.

It takes a londë in one, which only the two lowest levels may miss, and the upper levels allow none
where they can help it. In Aracirya it announces (C20).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from games.cirya.board import Board
from games.cirya.computer.evaluation import worth
from games.cirya.computer.search_adapter import CALM, DEVICES, BoardTree
from games.cirya.move_types import Kind, Place, Ply, Said
from games.cirya.notation import written, written_line
from games.cirya.rules import Cirya, completing, londe, one_move_away
from games.core import Budget, ChosenMove, Seat
from games.core.computer import Below
from games.core.search import PROVED, Search, opinion, order_near_best, shuffled
from games.core.search_types import Strength

STRENGTHS = (
    Strength(nodes=1_000, plies=1, slack=32),
    Strength(nodes=1_500, plies=2, blind=28, slack=48),
    Strength(nodes=2_500, plies=2, blind=4, slack=18),
    Strength(nodes=3_500, plies=3, blind=4, slack=23),
    Strength(nodes=12_000, blind=1, slack=9),
    Strength(nodes=60_000),
)
"""The levels from 1 on; values are in hundredths of a cirya."""

LEVELS = len(STRENGTHS)

MISSED = {1: 40, 2: 20}
"""Of how many londë in one of its own in a hundred a level misses, as beginners do."""

SCALE = 330.0
"""Twice the points by which the odds grow e times: fitted to games (docs/evidence/chances.md)."""

WATCHFUL = 4
"""From this level on a londë in one is never allowed to the other side."""


def choose(position: Cirya, seat: Seat, level: int, budget: Budget, below: Below) -> ChosenMove:
    """The computer's ply for *seat*: lower levels overlook more and see less far."""
    strength = STRENGTHS[min(max(level, 1), LEVELS) - 1]
    if position.swapping:
        return _opening(position, below)
    winning = list(completing(position.board, seat))
    if winning and below(100) >= MISSED.get(level, 0):
        return ChosenMove(winning[0], 1.0, (written(position, winning[0]),), exact=True)
    plies = [ply for ply in position.legal_moves(seat) if isinstance(ply, Ply)]
    plies = shuffled([ply for ply in plies if ply not in winning] or plies, below)
    if level >= WATCHFUL:
        plies = _safe(position.board, plies) or plies
    past = position.since[:-1]
    tree = BoardTree(watchful=level >= WATCHFUL)
    search = Search(tree, DEVICES, strength, budget, below, frozenset(past))
    found = search.think(position.board, plies)
    value, ply = order_near_best(
        found, strength.slack, below, partial(tree.obscurity, position.board)
    )[0]
    line = found.line if ply == found.ranked[0][1] else (ply,)
    return ChosenMove(
        _announce(position, ply, seat),
        opinion(value, SCALE, min(PROVED, CALM // 2)),
        written_line(position, line),
    )


def glance(position: Cirya, seat: Seat) -> float:
    """How the board looks to *seat*, in hundredths of a cirya."""
    value = worth(position.board)
    return value if position.board.mover == seat else -value


def _safe(board: Board, plies: Sequence[Ply]) -> list[Ply]:
    safe = []
    for ply in plies:
        after = board.after(ply)
        if londe(after) is None and not one_move_away(after, after.mover):
            safe.append(ply)
    return safe


def _opening(position: Cirya, below: Below) -> ChosenMove:
    """C5: the other's first cirya goes into a corner."""
    size = position.board.shape.size
    corners = (0, size - 1, size * (size - 1), size * size - 1)
    free = [sat for sat in corners if position.board.empty >> sat & 1]
    ply = Place(free[below(len(free))], Kind.CIRYA)
    return ChosenMove(ply, 0.0, (written(position, ply),))


def _announce(position: Cirya, ply: Ply, seat: Seat) -> Ply:
    """*ply* with the word that Aracirya asks for (C19, C20)."""
    after = position.after(ply)
    if position.customs.courtly and not after.end and one_move_away(after.board, seat):
        return replace(ply, said=Said.LONDE)
    return ply
