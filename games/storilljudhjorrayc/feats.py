"""What is remembered of a game of Storilljuðjorrayc: what fell, and what came out of the forest."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Deed, Feat, Outcome, phrase
from games.storilljudhjorrayc.battle import Battle
from games.storilljudhjorrayc.moves import Ambuscade, Salvo
from games.storilljudhjorrayc.rules import StorillPosition

MANY, FEW = 10, 3
"""From how many captures on there was no quarter, and up to how many it was a raid."""


def chronicle(deeds: Sequence[Deed], last: StorillPosition, outcome: Outcome) -> Feat:
    """The title goes by how the last blow fell, or by how many the winner captured."""
    del last
    own = [one for one in deeds if one.seat == outcome.winner]
    taken = sum(_captures(one) for one in own)
    final = own[-1].move if own else None
    if isinstance(final, Ambuscade):
        title = phrase("storilljudhjorrayc.feat.ambush")
    elif isinstance(final, Salvo):
        title = phrase("storilljudhjorrayc.feat.salvo")
    elif taken >= MANY:
        title = phrase("storilljudhjorrayc.feat.no-quarter")
    elif taken <= FEW:
        title = phrase("storilljudhjorrayc.feat.raid")
    else:
        title = phrase("storilljudhjorrayc.feat.other")
    return Feat(title, taken, phrase("storilljudhjorrayc.feat.taken", n=taken))


def _captures(deed: Deed) -> int:
    """How many enemies fell (a salvo may fell own ones too: G9)."""
    stage = deed.before.stage if isinstance(deed.before, StorillPosition) else None
    if not isinstance(stage, Battle):
        return 0
    standing = stage.board.standing
    return sum(standing[space][0] != deed.seat for space in stage.fallen(deed.move))
