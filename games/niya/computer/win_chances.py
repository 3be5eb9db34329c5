"""The chances of Niya among people: games played out by players who err as people do.

Who wins with best play is known from the first card on, and says little of two people: of 150 games
between beginners the side that was lost by best play won 49 of 100.
"""

from __future__ import annotations

from games.core import Budget
from games.core.computer import Below
from games.niya.computer import choose
from games.niya.rules import Niya

GAMES = 100
"""From how many games at most the chances are counted."""

LEVEL = 1
"""The level that plays them: it sees a win, and mostly what it hands over."""


def odds(position: Niya, budget: Budget, below: Below) -> tuple[tuple[float, ...], int]:
    """The share of games, played out from *position*, that each seat won; draws are halves."""
    won, games = [0.0, 0.0], 0
    while games < GAMES and not (games and budget.is_spent()):
        end = _played_out(position, budget, below)
        for seat in (0, 1):
            won[seat] += 0.5 if end is None else float(end == seat)
        games += 1
    return tuple(one / games for one in won), games


def _played_out(state: Niya, budget: Budget, below: Below) -> int | None:
    """Who wins where both play at ``LEVEL``; ``None`` for nobody."""
    while (end := state.outcome()) is None:
        (seat,) = state.actors()
        state = state.after(choose(state, seat, LEVEL, budget, below).move)
    return end.winner
