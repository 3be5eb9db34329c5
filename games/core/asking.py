"""What a board can be asked in words, for whoever does not see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from games.core.phrases import Phrase
from games.core.position import AnyPosition, Seat


def _nowhere(*_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Asking(Generic[AnyPosition]):
    """The answers of a game; every position asked of is one that ``seen_by`` gave.

    ``at(seen, name)`` says what is on the place *name*, or where the piece of that name is: nothing
    where there is no such place or piece, so that the words of the whole board are looked through.
    ``threats(seen, seat)`` says what *seat* may lose next, or how it may lose, if the rules can
    tell: nothing for a game that cannot. ``typed(seen, move)`` is how a legal move may be typed in
    the reader's language, for a game where that is not the notation.
    """

    at: Callable[[AnyPosition, str], Sequence[Phrase]] = _nowhere
    threats: Callable[[AnyPosition, Seat], Sequence[Phrase]] | None = None
    typed: Callable[[AnyPosition, Any], Phrase] | None = None
