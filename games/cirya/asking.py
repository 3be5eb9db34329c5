"""Cirya asked in words: a sat, and what the other may complete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from games.cirya.notation import written
from games.cirya.rules import Cirya, completing
from games.cirya.speech import nosse
from games.core import Asking, Phrase, Seat, Who, casefolded, phrase

MOST = 4
"""How many plies that complete a londë are told."""


def at(seen: Cirya, name: str) -> Sequence[Phrase]:
    """The pieces on a sat, from the bottom to the top, and whose it is."""
    board, wanted = seen.board, casefolded(name)
    if wanted not in board.shape.names:
        return ()
    sat = board.shape.names.index(wanted)
    if not board.height(sat):
        return (phrase("cirya.asked.empty", sat=wanted),)
    owner = Who(1 if board.held(1) >> sat & 1 else 0)
    return (phrase("cirya.asked.sat", sat=wanted, pieces=nosse(board, sat), who=owner),)


def threats(seen: Cirya, seat: Seat) -> Sequence[Phrase]:
    """The plies with which the other would complete a londë, if it were to play."""
    if seen.end is not None or seen.swapping:
        return ()
    found = tuple(written(seen, ply) for ply in islice(completing(seen.board, 1 - seat), MOST))
    return (phrase("cirya.asked.londe", who=Who(1 - seat), plies=found),) if found else ()


ASKING = Asking(at, threats)
