"""What is remembered of a game of Cirya: the highest nossë, and how the sea was won."""

from __future__ import annotations

from collections.abc import Sequence

from games.cirya.moves import Shift
from games.cirya.rules import Cirya
from games.core import Deed, Feat, Outcome, phrase

SHORT = 20
"""Up to how many plies a londë comes with a fair wind."""

HIGH = 8
"""From which height on a nossë is a tower."""


def chronicle(deeds: Sequence[Deed], last: Cirya, outcome: Outcome) -> Feat:
    """The title goes by how the londë came about, or by the highest nossë."""
    boards = [one.before for one in deeds if isinstance(one.before, Cirya)] + [last]
    highest = max(one.board.height(sat) for one in boards for sat in range(one.board.shape.size**2))
    londe = outcome.reason == "londe"
    if any(one.seat == outcome.winner and _crushes(one) for one in deeds):
        title = phrase("cirya.feat.crusher")
    elif londe and len(deeds) <= SHORT:
        title = phrase("cirya.feat.fair-wind")
    elif highest >= HIGH:
        title = phrase("cirya.feat.tower")
    elif londe:
        title = phrase("cirya.feat.coast")
    else:
        title = phrase("cirya.feat.other")
    return Feat(title, highest, phrase("cirya.feat.highest", n=highest))


def _crushes(deed: Deed) -> bool:
    """Whether a tampa was crushed (C12): the nossë came to a stop where one stood."""
    if not isinstance(deed.move, Shift) or not isinstance(deed.before, Cirya):
        return False
    board, move = deed.before.board, deed.move
    end = board.shape.rays[move.way][move.sat][len(move.drops) - 1]
    return bool(board.tampar >> end & 1)
