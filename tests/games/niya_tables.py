"""Tables of Niya for the tests: deals in a given order, games played out, dealt by lot."""

from __future__ import annotations

import random

from games.core import settle
from games.niya import GAME
from games.niya.board import BY_CODE, DECK
from games.niya.computer.solver import Value
from games.niya.rules import Niya

ORDERED = " ".join(card.code for card in DECK)
"""The deal M1 M2 M3 M4 / O1 … / L1 … / V1 … V4, row by row from the top."""


def dealt(
    deal: str = ORDERED, first: int = 0, full_board: str = "block", colours: str = "molv"
) -> Niya:
    """The table after chance has turned up *deal*, card codes row by row from the top."""
    position = GAME.start(GAME.setting({"full_board": full_board, "colours": colours}, first=first))
    for code in deal.split():
        position = position.after(position.deck[code])
    return position


def played(moves: str, position: Niya | None = None) -> Niya:
    """The table after *moves*, each checked to be legal; from the ordered deal by default."""
    position = position or dealt()
    for code in moves.split():
        card = BY_CODE[code]
        assert card in position.legal_moves(position.turn), code
        position = position.after(card)
    return position


def shuffled(rng: random.Random, full_board: str = "block") -> Niya:
    """A table dealt by lot."""
    start = GAME.start(GAME.setting({"full_board": full_board}, first=rng.randrange(2)))
    return settle(GAME, start, lambda cases: (0, rng.randrange(cases)))[0]


def codes(position: Niya) -> str:
    """The codes of the cards that may be taken, in the order of the table."""
    return " ".join(card.code for card in position.legal_moves(position.turn))


def plain(position: Niya, seat: int) -> Value:
    """The value for *seat*, by plain minimax over the rule book, without any table."""
    end = position.outcome()
    if end is not None:
        return Value(0 if end.winner is None else 1 if end.winner == seat else -1, 0)
    (mover,) = position.actors()
    found = [plain(position.after(m), seat) for m in position.legal_moves(mover)]
    best = (max if mover == seat else min)(found, key=lambda value: value.rank)
    return Value(best.sign, best.plies + 1)


def late(rng: random.Random, full_board: str, cards_left: int) -> Niya:
    """A position with *cards_left* cards on the table, reached by random play."""
    while True:
        position = shuffled(rng, full_board)
        for _ in range(16 - cards_left):
            if position.outcome():
                break
            position = position.after(rng.choice(position.legal_moves(position.turn)))
        if not position.outcome():
            return position
