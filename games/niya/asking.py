"""Niya asked in words: a square, a card, and what the other is about to complete."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Asking, Phrase, Seat, Who, phrase
from games.niya.board import NAMES, Card, completing, squares_of
from games.niya.notation import meant
from games.niya.rules import Niya
from games.niya.speech import card_at, card_name, code_said


def at(seen: Niya, name: str) -> Sequence[Phrase]:
    """The card or the marker on a square, or where a card lies."""
    wish = meant(name)
    if wish is None:
        return ()
    if isinstance(wish, Card):
        square = seen.square_of(wish)
        if square is None:
            return (phrase("niya.asked.taken", card=card_name(wish)),)
    else:
        square = wish
    match seen.cells[square]:
        case Card() as card:
            return (phrase("niya.asked.card", square=NAMES[square], card=card_name(card)),)
        case int() as seat:
            return (phrase("niya.asked.marker", square=NAMES[square], who=Who(seat)),)
    return (phrase("niya.asked.none", square=NAMES[square]),)


def threats(seen: Niya, seat: Seat) -> Sequence[Phrase]:
    """The cards with which the other would complete a pattern, whether they go now or not."""
    missing = [
        card_at(square, card)
        for square in squares_of(completing()[seen.markers(1 - seat)])
        if isinstance(card := seen.cells[square], Card)
    ]
    if not missing:
        return ()
    return (phrase("niya.asked.three", who=Who(1 - seat), cards=tuple(missing)),)


def typed(seen: Niya, card: Card) -> Phrase:
    """The code of *card* in the reader's language."""
    del seen
    return code_said(card)


ASKING = Asking(at, threats, typed)
