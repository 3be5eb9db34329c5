"""The chances of Niya among people: games played out by players who err as people do.

Who wins with best play is known from the first card on, and says little of two people: of 150 games
between beginners the side that was lost by best play won 49 of 100. Among those who see far ahead
nearly all of it is decided early, so they are told by games of players who do.
"""

from __future__ import annotations

from games.core import Budget
from games.core.computer import Below, Odds
from games.niya.computer import choose
from games.niya.rules import Niya

GAMES = 100
"""From how many games at most the chances are counted."""

FARTHEST = 2
"""The highest level that plays them: it sees seven plies ahead, and chooses among the rest."""


def odds(position: Niya, budget: Budget, below: Below, level: int = 1) -> Odds:
    """The share of games, played out from *position* at *level*, of each; draws are halves."""
    won: list[float] = []
    while len(won) < GAMES and not (won and budget.is_spent()):
        end = _played_out(position, budget, below, min(level, FARTHEST))
        won.append(0.5 if end is None else 1 - end)
    first = sum(won) / len(won)
    return (first, 1 - first), len(won)


def _played_out(state: Niya, budget: Budget, below: Below, level: int) -> int | None:
    """Who wins where both play at *level*; ``None`` for nobody."""
    while (end := state.outcome()) is None:
        (seat,) = state.actors()
        state = state.after(choose(state, seat, level, budget, below).move)
    return end.winner
