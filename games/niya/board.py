"""The table of Niya: its squares, its cards and the nineteen patterns.

Squares are numbered row by row from the top left, 0 to 15; a set of squares is an ``int``
whose bit *n* stands for square *n*. Files are a to d from the left, ranks 1 to 4 from the
bottom, so that square 0 is a4 and square 15 is d1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

from games.core import Seat

SQUARES = range(16)
"""Every square, row by row from the top left."""

NAMES = tuple(f"{file}{rank}" for rank in "4321" for file in "abcd")
"""The names of the squares, in their order."""

COLOURS = "MOLVRY"
"""Purple (morado), dark blue (azul oscuro), light blue (azul claro), green (verde), red, yellow.

N1: a game is played with four of them. Yellow is no ``A``, for ``a1`` is a square.
"""

PLACES = COLOURS[:4]
"""The letters that cards are written with, whichever four colours lie on the table (S6)."""

FULL = 0xFFFF
"""All sixteen squares."""

INNER = 0b0000_0110_0110_0000
"""The four squares in the middle, where the game may not begin (N5)."""


@dataclass(frozen=True)
class Card:
    """One of the sixteen board cards: a colour of ``COLOURS`` and a white index, 1 to 4.

    *place* is the letter of ``PLACES`` that stands for a colour which is none of them itself.
    """

    colour: str
    index: int
    place: str = ""

    @property
    def code(self) -> str:
        """The card as it is written: the letter of its place and its index, ``M2``."""
        return f"{self.place or self.colour}{self.index}"

    def goes_with(self, other: Card) -> bool:
        """Whether two cards share colour or index; a card does not go with itself (N6)."""
        return self != other and (self.colour == other.colour or self.index == other.index)


Cell: TypeAlias = Card | Seat | None
"""What lies on a square: a card, a player's marker, or nothing yet while the cards are dealt."""


@cache
def deck(colours: str) -> Mapping[str, Card]:
    """The sixteen cards of four *colours*, ``molr``, by their codes and in the order of the deck.

    A colour of ``PLACES`` is its own place; red and yellow stand in for those left out (N1).
    """
    others = [colour for colour in colours.upper() if colour not in PLACES]
    cards = []
    for place in PLACES:
        own = place in colours.upper()
        colour = place if own else others.pop(0)
        cards += [Card(colour, index, "" if own else place) for index in (1, 2, 3, 4)]
    return {card.code: card for card in cards}


BY_CODE = deck(PLACES)
"""The cards of the four cool colours by their codes."""

DECK = tuple(BY_CODE.values())
"""The sixteen cards of the cool colours in the order in which they are always listed."""


@dataclass(frozen=True)
class Pattern:
    """Four squares that win (N7); *kind* is row, column, diagonal or square."""

    kind: str
    squares: tuple[int, int, int, int]

    @cached_property
    def mask(self) -> int:
        """The squares as a set."""
        return mask(self.squares)

    @property
    def reason(self) -> str:
        """How a game ends that this pattern wins: ``line`` or ``square``."""
        return "square" if self.kind == "square" else "line"


def mask(squares: Iterable[int]) -> int:
    """*squares* as a set of bits."""
    return sum(1 << square for square in squares)


def squares_of(bits: int) -> Iterator[int]:
    """The squares in the set *bits*, in ascending order."""
    return (square for square in SQUARES if bits >> square & 1)


def _patterns() -> Iterator[Pattern]:
    for start in (0, 4, 8, 12):
        yield Pattern("row", (start, start + 1, start + 2, start + 3))
    for start in (0, 1, 2, 3):
        yield Pattern("column", (start, start + 4, start + 8, start + 12))
    yield Pattern("diagonal", (0, 5, 10, 15))
    yield Pattern("diagonal", (3, 6, 9, 12))
    for start in (0, 1, 2, 4, 5, 6, 8, 9, 10):  # Never across the right edge: no wrapping.
        yield Pattern("square", (start, start + 1, start + 4, start + 5))


PATTERNS = tuple(_patterns())
"""The ten lines, then the nine squares of two by two (N7)."""


@cache
def completing() -> tuple[int, ...]:
    """For every set of own markers, the squares that complete a pattern, marked or not."""
    table = [0] * (FULL + 1)
    for pattern in PATTERNS:
        for square in pattern.squares:
            three = pattern.mask & ~(1 << square)
            rest = others = FULL & ~three
            while True:  # Every set of markers that holds these three.
                table[three | rest] |= 1 << square
                if not rest:
                    break
                rest = (rest - 1) & others
    return tuple(table)
