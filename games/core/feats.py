"""What was remarkable in a finished game: a title for whoever won, and a number to remember."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from games.core.phrases import Phrase
from games.core.position import Outcome, Position, Seat


@dataclass(frozen=True)
class Deed:
    """*move* was played by *seat* in *before*; draws are no deeds."""

    before: Position[Any]
    seat: Seat
    move: Any


@dataclass(frozen=True)
class Feat:
    """A *title* of a few words that *winner* has earned, and how many of *what*, without number.

    *what* has the argument ``n`` where its form depends on the number.
    """

    title: Phrase
    count: int
    what: Phrase


Chronicle = Callable[[Sequence[Deed], Any, Outcome], Feat]
"""``chronicle(deeds, last, outcome)`` of a game won: all that was played, and the *last* position.

The outcome may be one that no rule of the game has brought about, such as a resignation.
"""
