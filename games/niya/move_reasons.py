"""What a card of Niya is good for: a pattern made, denied or barred, a threat, little choice."""

from __future__ import annotations

from games.core import MoveReason, Phrase, Seat, phrase
from games.niya.board import NAMES, Card, completing, squares_of
from games.niya.rules import Niya
from games.niya.speech import card_named

FEW = 2
"""Up to so many cards are little choice."""


def reason(seen: Niya, seat: Seat, card: Card) -> MoveReason | None:
    """The most telling thing that taking *card* does for *seat*, whose turn it is."""
    square = seen.square_of(card)
    if square is None or seen.undealt():
        return None
    then, other = seen.after(card), 1 - seat
    if then.outcome():
        return _ended(seen, then, seat, square)
    wanted = _wanted(seen, other)
    if square in wanted:
        return MoveReason(phrase("niya.reason.denies"), (_cell(seen, square),))
    left = then.takeable_squares()
    if wanted and not wanted & set(left):
        cards = tuple(_named(seen, one) for one in sorted(wanted))
        cells = tuple(_cell(seen, one) for one in sorted(wanted))
        return MoveReason(phrase("niya.reason.bars", cards=cards, n=len(cards)), cells)
    return _pressing(seen, then, seat, left)


def _ended(seen: Niya, then: Niya, seat: Seat, square: int) -> MoveReason | None:
    end = then.outcome()
    if end is None or end.winner != seat:
        return None
    made = then.patterns_made
    if not made:
        return MoveReason(phrase("niya.reason.blocks"), (_cell(seen, square),))
    squares = made[0].squares
    words = phrase("niya.reason.completes", squares=tuple(NAMES[one] for one in squares))
    return MoveReason(words, tuple(_cell(seen, one) for one in squares))


def _pressing(seen: Niya, then: Niya, seat: Seat, left: tuple[int, ...]) -> MoveReason | None:
    """A new threat of *seat*, or that the other has little to choose from."""
    new = sorted(_wanted(then, seat) - _wanted(seen, seat))
    if new:
        cards = tuple(_named(then, one) for one in new)
        cells = tuple(_cell(seen, one) for one in new)
        return MoveReason(phrase("niya.reason.threatens", cards=cards, n=len(cards)), cells)
    if len(left) > FEW:
        return None
    cards = tuple(_named(then, one) for one in left)
    words: Phrase = phrase("niya.reason.leaves", cards=cards, n=len(cards))
    return MoveReason(words, tuple(_cell(seen, one) for one in left))


def _wanted(position: Niya, seat: Seat) -> set[int]:
    """The squares of the cards with which *seat* would complete a pattern."""
    squares = squares_of(completing()[position.markers(seat)])
    return {square for square in squares if isinstance(position.cells[square], Card)}


def _cell(position: Niya, square: int) -> str:
    """What the picture of *position* calls *square*: by its card, or by itself."""
    card = position.cells[square]
    return card.code if isinstance(card, Card) else NAMES[square]


def _named(position: Niya, square: int) -> Phrase:
    card = position.cells[square]
    assert isinstance(card, Card)  # noqa: S101 - the caller has looked
    return card_named(square, card)
