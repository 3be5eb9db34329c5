"""What helps a player who asks: a mate by checks, sought farther than any level seeks it."""

from __future__ import annotations

from games.core import Budget, ChosenMove, Seat
from games.core.search import NodeBudget
from games.shogi.computer.mates import MateSearch
from games.shogi.rules import Shogi
from games.shogi.sfen import usi

PLIES = 17
NODES = 30_000
"""How long a mate may be, and how many positions the search may look at."""


def mate(position: Shogi, seat: Seat, budget: Budget) -> ChosenMove | None:
    """The first move of a shortest mate, with the line, where one is found."""
    found = MateSearch(NodeBudget(budget, NODES)).solve(position.board, PLIES)
    if not found or found[0] not in position.legal_moves(seat):
        return None
    return ChosenMove(found[0], 1.0, tuple(map(usi, found)), exact=True)
