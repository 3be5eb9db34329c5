"""The computer player: three levels of one search (searching) with a mate solver beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import tanh
from typing import TypeAlias

from games.core import Budget, Choice, Seat
from games.core.search import Spent
from games.shogi.board import Board, BoardPlay, after, king_square, moves
from games.shogi.computer.mates import MateSearch, mate_in_one
from games.shogi.computer.search import BOUND, MATE, OutOfBudget, Search
from games.shogi.rules import Shogi
from games.shogi.sfen import usi


@dataclass(frozen=True)
class Level:
    """How a level thinks: plies, positions looked at, and by how many points it may err.

    *mates* is the longest mate in plies that it looks for with checks; *careful* players
    do not walk into a mate in one.
    """

    plies: int
    nodes: int
    slack: int
    mates: int
    careful: bool


LEVELS = {
    1: Level(plies=1, nodes=8_000, slack=330, mates=1, careful=False),
    2: Level(plies=2, nodes=20_000, slack=60, mates=3, careful=True),
    3: Level(plies=8, nodes=40_000, slack=0, mates=9, careful=True),
}


Ranked: TypeAlias = tuple[int, BoardPlay]
"""A move with its value."""


class Patience:
    """A budget without end, for the first round: no answer is given without a look."""

    def spent(self) -> bool:
        """Never."""
        return False


MATE_NODES = 3_000
"""Positions that the mate solver may look at."""

ALARM = 60
"""Points that the best move may lose in a deeper round before the reserve is used."""

OPENING = 10
OPENING_SLACK = 25
"""In the first plies even the strongest level varies among moves this close."""

SCALE = 1400.0
"""Points by which an opinion nears certainty: tanh(points / SCALE)."""


def choose(
    position: Shogi, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> Choice:
    """A move for *seat*, whose turn it is; *value* is exact where a mate is proved."""
    style = LEVELS[max(1, min(level, max(LEVELS)))]
    legal = list(position.legal_moves(seat))
    taking = _takes_king(position, legal)
    if taking is not None:
        return Choice(taking, 1.0, (usi(taking),), exact=True)
    mate = _mate(position, legal, style, budget)
    if mate:
        return Choice(mate[0], 1.0, tuple(map(usi, mate)), exact=True)
    safe = set(moves(position.board))
    plays = [play for play in legal if play in safe] or legal
    return _searched(position, plays, style, budget, below)


def _takes_king(position: Shogi, plays: Sequence[BoardPlay]) -> BoardPlay | None:
    """H9: where a king has been left to be taken, it is taken."""
    king = king_square(position.board, 1 - position.turn)
    return next((play for play in plays if play.target == king), None)


def _mate(
    position: Shogi, legal: Sequence[BoardPlay], style: Level, budget: Budget
) -> list[BoardPlay]:
    """A mate by checks, where the level finds one."""
    solver = MateSearch(Spent(budget, min(MATE_NODES, style.nodes // 4)))
    found = solver.solve(position.board, style.mates)
    # A mate in one is never missed for want of time; a touched piece may forbid the rest.
    at_once = mate_in_one(position.board)
    if at_once is not None and at_once in legal:
        return [at_once]
    return found if found and found[0] in legal else []


def _searched(
    position: Shogi,
    plays: Sequence[BoardPlay],
    style: Level,
    budget: Budget,
    below: Callable[[int], int],
) -> Choice:
    slack = max(style.slack, OPENING_SLACK if position.ply <= OPENING else 0)
    search = Search(Patience())
    ranked = _deepened(position, search, plays, style, budget, slack)
    best = ranked[0][0]
    # The choice falls among moves near the best, the nearer the likelier.
    erring = [
        (value - below(slack + 1), value, play) for value, play in ranked if value > best - slack
    ]
    tried = sorted(erring or [(v, v, p) for v, p in ranked[:1]], key=lambda one: -one[0])
    order = [(value, play) for _, value, play in tried]
    order += [one for one in ranked if one not in order]
    value, play = order[0]
    if style.careful:
        value, play = next((one for one in order if _survives(position.board, one[1])), order[0])
    line = [play, *search.line(after(position.board, play), style.plies)]
    opinion = tanh(value / SCALE) if abs(value) < MATE // 2 else 1.0 if value > 0 else -1.0
    return Choice(play, opinion, tuple(map(usi, line)))


def _survives(board: Board, play: BoardPlay) -> bool:
    """Whether *play* does not allow the other side to mate at once."""
    return mate_in_one(after(board, play)) is None


def _deepened(
    position: Shogi,
    search: Search,
    plays: Sequence[BoardPlay],
    style: Level,
    budget: Budget,
    slack: int,
) -> list[Ranked]:
    """*plays*, best first, searched deeper and deeper until the level or the budget ends.

    Values within *slack* of the best are right; others are upper bounds.
    """
    inviting = search.ordered(position.board, plays, None)
    ranked, _ = _round(position, search, [(0, play) for play in inviting], 1, slack)
    search.budget = Spent(budget, style.nodes)
    reserve = True
    plies = 2
    while plies <= style.plies and len(ranked) > 1 and abs(ranked[0][0]) < MATE // 2:
        expected = ranked[0][0]
        ranked, complete = _round(position, search, ranked, plies, slack)
        if complete:
            plies += 1
        elif reserve and ranked[0][0] < expected - ALARM:
            # What looked best has failed: there is a reserve to find something better.
            search.budget = Spent(budget, style.nodes // 2)
            reserve = False
        else:
            break
    return ranked


def _round(
    position: Shogi, search: Search, ranked: Sequence[Ranked], plies: int, slack: int
) -> tuple[list[Ranked], bool]:
    """*ranked* searched to *plies*, best first, and whether the budget allowed all of it.

    Moves not reached any more keep their order behind the others.
    """
    done: list[Ranked] = []
    best = -BOUND
    search.path[:] = [position.board]
    try:
        for _, play in ranked:
            value = _value(position, search, play, plies, max(best - slack, -BOUND))
            best = max(best, value)
            done.append((value, play))
    except OutOfBudget:
        pass
    if not done:
        return list(ranked), False
    left = [(min(value, best - slack), play) for value, play in ranked[len(done) :]]
    return sorted(done, key=lambda one: -one[0]) + left, not left


def _value(position: Shogi, search: Search, play: BoardPlay, depth: int, floor: int) -> int:
    """What *play* is worth, exact above *floor*."""
    following = position.after(play)
    end = following.ended
    if end is not None:  # A repetition, or what else ends the game at once.
        return 0 if end.winner is None else MATE if end.winner == position.turn else -MATE
    board = following.board
    value = -search.value(board, depth - 1, -floor - 1, -floor) if floor > -BOUND else floor + 1
    if value > floor:
        value = -search.value(board, depth - 1, -BOUND, -floor)
    return value
