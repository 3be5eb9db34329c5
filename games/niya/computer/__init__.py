"""The computer player of Niya: the exact value of every move, and two levels that err.

Level 1 takes a win on the table, and three times in four it avoids to hand one over. Level 2 sees
seven plies ahead and else leaves little choice. Level 3 wins by the shortest way and loses by the
longest.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Budget, ChosenMove, Seat
from games.core.computer import Below
from games.core.search import EndlessBudget
from games.niya.board import Card
from games.niya.computer.solver import NEVER, Deal, Value
from games.niya.rules import Niya

KEPT_DEALS = 3
"""Of how many deals what is known of them is kept from move to move."""

_DEALS: list[Deal] = []
"""The deals of the last questions, the newest first."""

HORIZON = {2: 7, 3: NEVER}
"""How many plies ahead a level sees; level 1 sees two three times in four, else one."""

LOOK = 3
"""How many plies the highest level looks ahead before it solves the deal."""


def values(
    position: Niya, horizon: int = NEVER, budget: Budget | None = None, deal: Deal | None = None
) -> dict[Card, Value]:
    """The exact value of every card that may be taken, in the order of the legal moves.

    Without those decided later than *horizon* plies and those not reached within *budget*. *deal*
    holds what earlier moves of this deal have found.
    """
    deal = deal or Deal(position.cells, position.full_board)
    budget = budget or EndlessBudget()  # A deal is solved in a fraction of a second.
    own, other = position.markers(position.turn), position.markers(1 - position.turn)
    found = {}
    for square in position.takeable_squares():
        if budget.is_spent():
            break
        card = position.cells[square]
        value = deal.value(own, other, 1 << square, horizon)
        if value and isinstance(card, Card):
            found[card] = value
    return found


def kept_deal(position: Niya) -> Deal:
    """The deal of *position* with all that is known of it from earlier moves."""
    for deal in _DEALS:
        if deal.holds(position.cells, position.full_board):
            _DEALS.remove(deal)
            break
    else:
        deal = Deal(position.cells, position.full_board)
    _DEALS.insert(0, deal)
    del _DEALS[KEPT_DEALS:]
    return deal


def choose(position: Niya, seat: Seat, level: int, budget: Budget, below: Below) -> ChosenMove:
    """The card that the computer takes, drawn among equally good ones.

    Within the budget the answer is always the same: the exact solution has bounded positions.
    """
    moves = list(position.legal_moves(seat))
    deal = kept_deal(position)
    # A first look three plies deep takes no time: it answers if the budget runs out.
    known = values(position, _horizon(level, below), deal=deal)
    if level > 2:
        known.update(values(position, HORIZON[3], budget, deal))
    ranks = [known[move].rank if move in known else 0 for move in moves]
    best = [move for move, rank in zip(moves, ranks, strict=True) if rank == max(ranks)]
    if level == 2 and max(ranks) == 0:
        best = _narrowest(position, best)
    move = best[below(len(best))]
    value = known.get(move)
    solved = len(known) == len(moves) or (value is not None and value.sign > 0)
    line = _line(position, move, deal, budget) if level > 2 and solved else (move.code,)
    return ChosenMove(move, float(value.sign) if value else 0.0, line, value is not None and solved)


def _horizon(level: int, below: Below) -> int:
    if level > 1:
        return HORIZON[2] if level == 2 else LOOK
    return 2 if below(4) else 1


def _narrowest(position: Niya, moves: Sequence[Card]) -> list[Card]:
    replies = [len(position.after(move).takeable_squares()) for move in moves]
    return [move for move, n in zip(moves, replies, strict=True) if n == min(replies)]


def _line(position: Niya, move: Card, deal: Deal, budget: Budget) -> tuple[str, ...]:
    """*move* and the best play that follows, while the budget lasts."""
    line = [move.code]
    position = position.after(move)
    while not position.outcome() and not budget.is_spent():
        known = values(position, deal=deal)
        move = max(known, key=lambda card: known[card].rank)
        line.append(move.code)
        position = position.after(move)
    return tuple(line)
