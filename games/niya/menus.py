"""The one click that takes a card."""

from __future__ import annotations

from games.core import Grid, Menus, Phrase, Seat, Steps, phrase
from games.niya.board import NAMES, Card
from games.niya.rules import Niya
from games.niya.speech import card_name, code_said


def steps(_position: Niya, card: Card) -> Steps:
    """The code of *card*."""
    return (card.code,)


def label(position: Niya, _seat: Seat, _path: Steps, step: str) -> Phrase:
    """What the button of a card says, its tag on the picture first: «M2 · Morado 2 · b3»."""
    card = position.deck[step]
    square = position.square_of(card)
    if square is None:  # The card is still in the deck.
        return card_name(card)
    return phrase("niya.label", tag=code_said(card), card=card_name(card), square=NAMES[square])


def question(position: Niya, _seat: Seat, _path: Steps) -> Phrase:
    """What may be taken: a border card, or the colour and the index that go."""
    if position.undealt():
        return phrase("niya.ask.deal")
    if position.discard is None:
        return phrase("niya.ask.border")
    return phrase(f"niya.ask.{position.discard.colour}", index=position.discard.index)


def grid(position: Niya) -> Grid:
    """The cards where they lie, as the table shows them."""
    codes = [
        cell.code if isinstance(cell, Card) else NAMES[square]
        for square, cell in enumerate(position.cells)
    ]
    return tuple(tuple(codes[start : start + 4]) for start in (0, 4, 8, 12))


def motion(position: Niya, card: Card) -> tuple[str, str] | None:
    """A marker comes where the card lay."""
    square = position.square_of(card)
    return None if square is None else (card.code, NAMES[square])


MENUS = Menus(steps, label=label, question=question, grid=grid, motion=motion, lasting=True)
