"""Problems of Niya: the only card that wins, by the exact solution of the deal."""

from __future__ import annotations

from games.core import Budget, Seat
from games.core.computer import Below, PosedProblem
from games.niya.computer import kept_deal, values
from games.niya.rules import Niya

FEWEST = 3
"""From so few cards it would be no choice."""

SOONEST = 3
"""Plies: a pattern that can be completed at once is seen by everybody."""


MOTIFS = {
    "quick": r"\| 2 \|",
    "colour": r" ([MOLV])\d \| \1",
    "number": r" [MOLV](\d) \| [MOLV]\1",
    "early": r"^([^MOLV|]*[MOLV]\d){12}",
    "late": r"^([^MOLV|]*[MOLV]\d){1,7} \|",
    "long": r"\| [78] \|",
}
"""Whether the answer goes by colour or number, how many cards are left, and a late win."""


def pose(position: Niya, seat: Seat, budget: Budget, _below: Below) -> PosedProblem | None:
    """The only card of *seat* that wins with best play, where all others lose."""
    moves = position.legal_moves(seat)
    if len(moves) < FEWEST:
        return None
    known = values(position, budget=budget, deal=kept_deal(position))
    winning = [move for move in moves if move in known and known[move].sign > 0]
    if len(known) < len(moves) or len(winning) != 1 or known[winning[0]].plies < SOONEST:
        return None
    return PosedProblem("win", {winning[0].code: None}, (known[winning[0]].plies + 1) // 2)
