"""Niya set up by hand: cards change places, markers lie where cards were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.core import TAKES, Editor, EditorPiece, Seat, Unreadable, phrase
from games.niya.board import NAMES, Card, Cell, deck
from games.niya.notation import MARKERS, draft
from games.niya.rules import FOUR_COLOURS, FULL_BOARD, Niya
from games.niya.speech import card_name

SIDES = ("red", "yellow")


def begin(options: Mapping[str, str]) -> Niya:
    """All cards, in the order of the deck."""
    full_board, colours = (options[one.key] for one in (FULL_BOARD, FOUR_COLOURS))
    return Niya(tuple(deck(colours).values()), full_board=full_board, colours=colours)


def bare(position: Niya) -> Niya:
    """The table before the first turn: cards lie where markers were."""
    for place, cell in zip(NAMES, position.cells, strict=True):
        if isinstance(cell, int):
            position = put(position, TAKES, place)
    return replace(position, turn=0)


def turned(position: Niya) -> Niya:
    """The other marker moves next."""
    return replace(position, turn=1 - position.turn)


def pieces(position: Niya) -> tuple[EditorPiece, ...]:
    """Both markers, then the cards."""
    markers = (EditorPiece(MARKERS[seat], phrase(f"niya.side.{SIDES[seat]}")) for seat in (0, 1))
    return *markers, *(EditorPiece(code, card_name(card)) for code, card in position.deck.items())


def put(position: Niya, key: str, place: str) -> Niya:
    """A marker takes the card away, a card changes places, and taking puts a card back."""
    if place not in NAMES:
        return position
    square, under = NAMES.index(place), position.cells[NAMES.index(place)]
    if key == TAKES:
        return position if isinstance(under, Card) else _with_card(position, square)
    if key in position.deck:
        return _with_card(position, square, position.deck[key])
    return _with_marker(position, square, MARKERS.index(key)) if key in MARKERS else position


def _with_marker(position: Niya, square: int, seat: Seat) -> Niya:
    under = position.cells[square]
    put_down = replace(position, cells=_changed(position.cells, square, seat), turn=1 - seat)
    if put_down.in_hand(seat) < 0:
        red, yellow = (put_down.cells.count(one) for one in (0, 1))
        raise Unreadable(phrase("niya.text.turns", red=red, yellow=yellow))  # N2: eight each.
    # N4: what the other may take is told by the card that lay there.
    return replace(put_down, discard=under) if isinstance(under, Card) else put_down


def _with_card(position: Niya, square: int, card: Card | None = None) -> Niya:
    """*card*, or else one that was taken, lies on *square*."""
    cells, under = position.cells, position.cells[square]
    taken = [one for one in position.deck.values() if one not in cells]
    if card is None:
        # The last one taken stays so for as long as there is another.
        card = next((one for one in taken if one != position.discard), position.discard)
    elif card in cells:
        cells = _changed(cells, cells.index(card), under)
    if card is None:
        return position
    cells = _changed(cells, square, card)
    left = [one for one in position.deck.values() if one not in cells]
    last = position.discard if position.discard in left else next(iter(left), None)
    return replace(position, cells=cells, discard=last)


def _changed(cells: tuple[Cell, ...], square: int, cell: Cell) -> tuple[Cell, ...]:
    return *cells[:square], cell, *cells[square + 1 :]


EDITOR: Editor[Niya] = Editor(
    begin, draft, bare, turned, pieces, put, mover=lambda position: SIDES[position.turn]
)
