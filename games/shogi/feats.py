"""What is remembered of a game of shogi: what gave mate, and how many pieces were dropped."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Deed, Feat, Outcome, phrase
from games.shogi.board import BoardMove, Drop
from games.shogi.pieces import PAWN, kind_of
from games.shogi.rules import Shogi

SHORT = 50
"""Up to how many moves a mate comes like lightning."""

RAIN = 12
"""From how many drops of the winner on it rains pieces."""


def chronicle(deeds: Sequence[Deed], last: Shogi, outcome: Outcome) -> Feat:
    """The title goes by the mate, or by what the winner dropped."""
    del last
    own = [one for one in deeds if one.seat == outcome.winner]
    drops = sum(isinstance(one.move, Drop) for one in own)
    mated = outcome.reason == "mate" and bool(own)
    if mated and _by_pawn(own[-1]):
        title = phrase("shogi.feat.pawn")
    elif mated and len(deeds) <= SHORT:
        title = phrase("shogi.feat.lightning")
    elif mated and isinstance(own[-1].move, Drop):
        title = phrase("shogi.feat.drop")
    elif drops >= RAIN:
        title = phrase("shogi.feat.rain")
    elif mated:
        title = phrase("shogi.feat.mate")
    else:
        title = phrase("shogi.feat.other")
    return Feat(title, drops, phrase("shogi.feat.drops", n=drops))


def _by_pawn(deed: Deed) -> bool:
    match deed.move, deed.before:
        case Drop(kind=kind), _:
            return kind == PAWN
        case BoardMove(start=start), Shogi(board=board):
            return kind_of(board[start]) == PAWN
    return False
