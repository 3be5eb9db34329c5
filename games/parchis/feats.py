"""What is remembered of a game of Parchís: the captures."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Deed, Feat, Outcome, Seat, phrase
from games.parchis.moves import Go
from games.parchis.rules import Parchis

MANY = 5
"""From how many captures on somebody was hungry, and from how many losses on tough."""


def chronicle(deeds: Sequence[Deed], last: Parchis, outcome: Outcome) -> Feat:
    """The title goes by the winner's captures and losses."""
    del last
    winner: Seat | None = outcome.winner
    gone = [(one.seat, one.move) for one in deeds if isinstance(one.move, Go)]
    eaten = sum(len(move.taken) for seat, move in gone if seat == winner)
    lost = sum(seat == winner for _, move in gone for seat, _ in move.taken)
    if lost >= MANY:
        title = phrase("parchis.feat.tough")
    elif eaten >= MANY:
        title = phrase("parchis.feat.hungry")
    elif not eaten:
        title = phrase("parchis.feat.tiptoe")
    elif not lost:
        title = phrase("parchis.feat.unhurt")
    else:
        title = phrase("parchis.feat.other")
    return Feat(title, eaten, phrase("parchis.feat.eaten", n=eaten))
