"""What others press on a shared board, and what may not come of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.presenters.button_codes import Action
from tests.drives.findings import Findings

OWN = {Action.ASIDE, Action.ANSWER, Action.REMATCH, Action.JOIN, Action.LEAVE, Action.SAY_WORDS}
"""What an opponent does in his own right with a button that stands for all."""


@dataclass
class Pressed:
    """What others pressed on shared messages, and what came of it."""

    presses: int = 0
    edits: int = 0
    lost: int = 0
    resigned: int = 0
    half: int = 0
    """How many half-made choices stood there while others pressed."""
    wrong: list[str] = field(default_factory=list)

    def concluded(self, found: Findings) -> None:
        """Put the figures among the *found*."""
        found.count += self.presses
        found.lost += self.lost
        found.also["half-made choices that others met"] = self.half
        found.also["edits caused by others"] = self.edits
        found.also["resignations of the wrong person"] = self.resigned
        if self.edits or self.resigned:
            found.wrong.append("a shared board was changed by others")
        found.wrong += self.wrong


def is_own(code: str, *, plays: bool) -> bool:
    """Whether the button of this *code* is no other's but that of whoever *plays* himself."""
    return plays and Action(code[0]) in OWN
