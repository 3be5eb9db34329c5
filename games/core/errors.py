"""The errors of players; each carries a sentence for them.

::

    RuleError
        NotYourTurn      the seat may not act now
        IllegalMove      the seat may act, but not like this
        Ambiguous        several legal moves fit what was typed
        BadOption        a game was asked for with an option or value it has not
        UnknownGame      no game on the shelf has this name
        Unreadable       a position text, a record or a file that cannot be read
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.core.phrases import Arg, Phrase, phrase


@dataclass(frozen=True)
class Refusal:
    """Why a wish is not legal: the rule's number, the sentence, the squares concerned."""

    rule: str
    phrase: Phrase
    squares: tuple[str, ...] = ()


class RuleError(Exception):
    """The rules forbid what a player tried; ``phrase`` says why."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(said)
        self.phrase = said

    @classmethod
    def raise_if(cls, wrong: object, key: str, **args: Arg) -> None:
        """Raises it with the phrase *key* where something is *wrong*."""
        if wrong:
            raise cls(phrase(key, **args))


class NotYourTurn(RuleError):
    """The seat may not act now."""

    def __init__(self, seat: int) -> None:
        super().__init__(phrase("core.not-your-turn"))
        self.seat = seat


class IllegalMove(RuleError):
    """The seat may act, but not like this; ``refusal`` names the rule."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.phrase)
        self.refusal = refusal


class Ambiguous(RuleError):
    """Several legal moves fit what was typed; ``fits`` are their notations."""

    def __init__(self, text: str, fits: tuple[str, ...]) -> None:
        super().__init__(phrase("core.ambiguous", text=text, fits=fits))
        self.fits = fits


class BadOption(RuleError):
    """A game was asked for with an option, a value, a side or a number of seats it has not."""


class UnknownGame(RuleError):
    """No game on the shelf has this name."""


class Unreadable(RuleError):
    """A position text, a record or a file cannot be read.

    *kept* is the ``Record`` of what stands before that, where somebody may want it.
    """

    def __init__(self, said: Phrase, kept: Any = None) -> None:
        super().__init__(said)
        self.kept = kept


reject_if = Unreadable.raise_if
