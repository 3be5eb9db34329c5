"""What is remembered of a game of Niya: how it was won, and how many cards were left."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Deed, Feat, Outcome, phrase
from games.niya.board import Card
from games.niya.rules import Niya


def chronicle(deeds: Sequence[Deed], last: Niya, outcome: Outcome) -> Feat:
    """The title goes by the pattern that was made, or by what else ended the game."""
    del deeds
    made = [pattern.kind for pattern in last.patterns_made()]
    left = sum(isinstance(cell, Card) for cell in last.cells)
    if len(made) > 1:
        title = phrase("niya.feat.double")
    elif made:
        title = phrase(f"niya.feat.{made[0]}")
    elif outcome.reason == "block":
        title = phrase("niya.feat.block")
    else:
        title = phrase("niya.feat.other")
    return Feat(title, left, phrase("niya.feat.left", n=left))
