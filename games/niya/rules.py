"""The rules of Niya, an adapted version of Okiya by Bruno Cathala.

Sixteen cards lie in a square of four by four. In turn each player takes a card that shares
colour or white index with the card taken last, and puts a marker in its place. Four own
markers in a line or in a square of two by two win; so does leaving no card to the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from games.core import CHANCE, Option, Outcome, Position, Seat, Setting, drawn, won_by
from games.niya.board import COLOURS, INNER, PATTERNS, SQUARES, Card, Cell, Pattern, deck, mask

FULL_BOARD = Option("full_board", ("block", "draw"), rated=("draw",))
"""What a full board without a pattern means: the last to place has blocked, or a draw (S1)."""

_FOURS = tuple("".join(four).lower() for four in combinations(COLOURS, 4))
FOUR_COLOURS = Option("colours", _FOURS, rated=_FOURS[1:])
"""The colours of the cards: the four cool ones, or any four of the six (N1)."""


@dataclass(frozen=True)
class Niya(Position[Card]):
    """A moment of Niya. Seat 0 has the red markers, seat 1 the yellow ones.

    *cells* are what lies on the squares, row by row from the top left (0 is a4, 15 is d1).
    *turn* is the seat that moves next, also while the cards are dealt and after the end.
    *discard* is the card taken last, ``None`` before the first turn. A move of a player and
    a draw of ``CHANCE`` are both a card: taken from the table, or laid on it.
    """

    cells: tuple[Cell, ...] = (None,) * 16
    turn: Seat = 0
    discard: Card | None = None
    full_board: str = FULL_BOARD.default
    colours: str = FOUR_COLOURS.default

    # The table, for pictures and words.

    @property
    def deck(self) -> Mapping[str, Card]:
        """The sixteen cards of this table by their codes (N1)."""
        return deck(self.colours)

    def square_of(self, card: Card) -> int | None:
        """Where *card* lies, or ``None`` if it is not on the table."""
        return self.cells.index(card) if card in self.cells else None

    def markers(self, seat: Seat) -> int:
        """The squares that bear a marker of *seat*, as a set of bits."""
        return mask(square for square in SQUARES if self.cells[square] == seat)

    def in_hand(self, seat: Seat) -> int:
        """How many of its eight markers *seat* still holds (N2)."""
        return 8 - self.markers(seat).bit_count()

    def takeable_squares(self) -> tuple[int, ...]:
        """The squares whose cards the player to move may take; none once the game is over."""
        return () if self.undealt() or self.patterns_made else self._fitting

    @cached_property
    def patterns_made(self) -> tuple[Pattern, ...]:
        """The patterns completed by the move that won, lines before squares; usually none."""
        mine = self.markers(1 - self.turn)
        return tuple(pattern for pattern in PATTERNS if pattern.mask & ~mine == 0)

    def undealt(self) -> tuple[Card, ...]:
        """The cards still in the deck, in the order of the deck."""
        if self.cells[-1] is not None:
            return ()
        return tuple(card for card in self.deck.values() if card not in self.cells)

    # The rules.

    def actors(self) -> frozenset[Seat]:
        """Chance while it deals (N3), then one player, then nobody."""
        if self.cells[-1] is None:
            return frozenset({CHANCE})
        return frozenset() if self.outcome() else frozenset({self.turn})

    def legal_moves(self, seat: Seat) -> Sequence[Card]:
        """The cards *seat* may take in the order of the table, or chance may still deal."""
        if seat == CHANCE:
            return self.undealt()
        if seat != self.turn:
            return ()
        return [card for s in self.takeable_squares() if isinstance(card := self.cells[s], Card)]

    def after(self, move: Card) -> Niya:
        """The table with *move* dealt, or taken and replaced by the mover's marker."""
        if self.cells[-1] is None:
            # N3: the shuffled cards are turned up one by one, the top row first (S6).
            return self._with(self.cells.index(None), move)
        # N4: the card goes face up to the discards, a marker comes in its place.
        taken = self._with(self.cells.index(move), self.turn)
        return replace(taken, turn=1 - self.turn, discard=move)

    def outcome(self) -> Outcome | None:
        """A pattern (N7), else a block (N8), else ``None``."""
        return self._outcome

    # Each of these is asked for several times with every button, and looks at the whole table.

    @cached_property
    def _outcome(self) -> Outcome | None:
        if self.cells[-1] is None:
            return None
        last = 1 - self.turn
        if made := self.patterns_made:
            # S2, S3: one win, named by the pattern before the block, the line before the square.
            return won_by(last, made[0].reason)
        if self._fitting:
            return None
        if any(isinstance(cell, Card) for cell in self.cells):
            return won_by(last, "block")  # N8: cards are left, but none that goes.
        return drawn("draw") if self.full_board == "draw" else won_by(last, "full")

    @cached_property
    def _fitting(self) -> tuple[int, ...]:
        """The squares of the cards that N5 and N6 allow to be taken."""
        if self.discard is None:  # N5: only the border, and only on the very first turn.
            return tuple(s for s in SQUARES if not INNER >> s & 1)
        return tuple(
            square
            for square, card in enumerate(self.cells)
            if isinstance(card, Card) and self.discard.goes_with(card)  # N6
        )

    def _with(self, square: int, cell: Cell) -> Niya:
        return replace(self, cells=(*self.cells[:square], cell, *self.cells[square + 1 :]))


def start(setting: Setting) -> Niya:
    """The empty table before the deal; *setting.first* takes the first card."""
    full_board, colours = (setting.options[one.key] for one in (FULL_BOARD, FOUR_COLOURS))
    return Niya(turn=setting.first, full_board=full_board, colours=colours)
