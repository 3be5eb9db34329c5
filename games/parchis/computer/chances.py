"""What a choice is worth in a game of dice, and how likely each player is to be first."""

from __future__ import annotations

from collections.abc import Callable
from math import tanh

from games.core import CHANCE, Budget, Seat
from games.core.search import NodeBudget
from games.parchis.computer import LEAD_OF_A_WIN, NODES, eagerness, outlook, settled
from games.parchis.moves import Move
from games.parchis.rules import Parchis

GAMES = 400
"""From how many games at most the chances are counted."""

LONGEST = 4_000
"""More steps than any game takes whose players move as they can."""


def weigh(position: Parchis, seat: Seat, budget: Budget) -> list[tuple[Move, float]]:
    """Every move of *seat* with its value, over every roll that follows."""
    found = []
    for move in position.legal_moves(seat):
        limit = NodeBudget(budget, NODES)
        after = outlook(settled(position.after(move), limit), seat, limit)
        found.append((move, tanh(after / LEAD_OF_A_WIN)))
    return found


def odds(
    position: Parchis, budget: Budget, below: Callable[[int], int]
) -> tuple[tuple[float, ...], int]:
    """The share of games, played out from *position*, in which each seat was first."""
    first = [0] * len(position.colours)
    games = 0
    while games < GAMES and not (games and budget.spent()):
        first[_first(position, below)] += 1
        games += 1
    return tuple(count / games for count in first), games


def _first(state: Parchis, below: Callable[[int], int]) -> Seat:
    """Who is first where all play as beginners do."""
    for _ in range(LONGEST):
        if state.finished:
            break
        (seat,) = state.actors()
        moves = state.legal_moves(seat)
        if seat == CHANCE or len(moves) == 1:
            move = moves[below(len(moves)) if len(moves) > 1 else 0]
        else:
            # A draw of their own breaks the ties, and keeps all games from being one.
            liked = [(eagerness(state, one) + below(13), n) for n, one in enumerate(moves)]
            move = moves[max(liked)[1]]
        state = state.after(move)
    return state.finished[0]
