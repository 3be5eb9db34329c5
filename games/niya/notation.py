"""How Niya is written (S6).

A move is the code of the card that is taken: the letter of its colour (``M`` purple, ``O``
dark blue, ``L`` light blue, ``V`` green) and its white index. The square where the card
lies (``b3``) and the card's name (``azul oscuro 2``, ``dark blue 2``) are read as well.
Where red or yellow cards lie on the table (N1), they are written with the letter of the
colour that they stand in for, and ``R2`` and ``Y2`` are read.

A position is four rows from the top separated by ``/``, cells by ``,``; each cell is a card
code, a marker ``R`` (red, seat 0) or ``A`` (yellow, seat 1), or ``.`` where no card has been
dealt yet. Then the marker that moves next and the card taken last, or ``-`` before the first
turn, in which only the border may be taken, whichever marker moves::

    M1,O2,L3,V4/O1,R,V2,V3/L1,M3,L4,O3/A,M4,O4,L2 R V1
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from games.core import Notation, Phrase, Seat, Unreadable, casefolded, phrase
from games.core.errors import reject_if
from games.niya.board import NAMES, PATTERNS, Card, Cell, deck, mask
from games.niya.rules import FOUR_COLOURS, FULL_BOARD, Niya

MARKERS = "RA"
"""The letters of the markers by seat: red, yellow (amarillo)."""

UNDEALT = "."
"""A square on which no card has been dealt yet."""

LONGEST_TEXT = 128
"""More characters than any position text has."""

_WORDS = {
    "M": ("morado", "morada", "purple"),
    "O": ("azul oscuro", "navy", "dark blue"),
    "L": ("azul claro", "light blue"),
    "V": ("verde", "green"),
    "R": ("rojo", "roja", "red"),
    "Y": ("amarillo", "amarilla", "yellow"),
}
ENGLISH = {"M": "P", "O": "N", "L": "L", "V": "G", "R": "R", "Y": "Y"}
"""What the colours are called by in English: none means another colour in Spanish, or a file."""

_NUMBER = re.compile(r"^\s*\d{1,2}\s*\.+\s*")


def written(_position: Niya, card: Card) -> str:
    """The code of *card*."""
    return card.code


def spellings(position: Niya, card: Card) -> Sequence[str]:
    """The square where *card* lies, and its names in Spanish and English."""
    square = position.square_of(card)
    return (*(() if square is None else (NAMES[square],)), *names(card))


def names(card: Card) -> tuple[str, ...]:
    """The card in words, as it may be typed instead of its code."""
    said = tuple(f"{word} {card.index}" for word in _WORDS[card.colour])
    said = (f"{ENGLISH[card.colour]}{card.index}", *said)
    # S5: the one mathematician whose card is known by name.
    return (*said, "Hilbert") if (card.colour, card.index) == ("M", 2) else said


def tidied(_: object, text: str) -> str:
    """*text* without a move number before it and the marks ``!`` and ``?`` behind it."""
    return _NUMBER.sub("", text).rstrip("!? \t")


@cache
def _by_name(colours: str) -> Mapping[str, Card]:
    cards = deck(colours).values()
    return {casefolded(way): card for card in cards for way in (card.code, *names(card))}


def meant(position: Niya, text: str) -> Card | int | None:
    """The card or the square (0 to 15) that a typed wish speaks of, legal or not."""
    wish = casefolded(tidied(None, text))
    return NAMES.index(wish) if wish in NAMES else _by_name(position.colours).get(wish)


def text(position: Niya) -> str:
    """The position text of *position*."""
    cells = [_cell(cell) for cell in position.cells]
    rows = "/".join(",".join(cells[n : n + 4]) for n in (0, 4, 8, 12))
    last = position.discard.code if position.discard else "-"
    return f"{rows} {MARKERS[position.turn]} {last}"


def _cell(cell: Cell) -> str:
    match cell:
        case None:
            return UNDEALT
        case Card():
            return cell.code
        case int():
            return MARKERS[cell]


def read(text: str, options: Mapping[str, str]) -> Niya:
    """The position that *text* writes.

    Raises ``Unreadable``, also for a table that no game leads to: a card twice, markers that have
    not alternated, a game that went on after a pattern.
    """
    found = draft(text, options)
    cells, discard = found.cells, found.discard
    if fault := _fault_of_cards(cells, discard) or _fault_of_markers(cells, found.turn, discard):
        raise Unreadable(fault)
    return found


def draft(text: str, options: Mapping[str, str]) -> Niya:
    """The table that *text* writes, whether a game leads to it or not; raises ``Unreadable``."""
    parts = text.split() if len(text) <= LONGEST_TEXT else []
    rows = parts[0].split("/") if len(parts) == 3 else []
    words = [word for row in rows for word in row.split(",")]
    reject_if(len(rows) != 4 or any(row.count(",") != 3 for row in rows), "niya.text.form")
    colours = options.get(FOUR_COLOURS.key, FOUR_COLOURS.default)
    cards = deck(colours)
    cells = tuple(_read_cell(word, cards) for word in words)
    mover, last = parts[1].upper(), parts[2].upper()
    reject_if(len(mover) != 1 or mover not in MARKERS, "niya.text.mover", text=parts[1][:12])
    reject_if(last != "-" and last not in cards, "niya.text.last", text=parts[2][:12])
    full_board = options.get(FULL_BOARD.key, FULL_BOARD.default)
    return Niya(cells, MARKERS.index(mover), cards.get(last), full_board, colours)


def _read_cell(word: str, cards: Mapping[str, Card]) -> Cell:
    word = word.upper()
    if word == UNDEALT:
        return None
    if word in cards:
        return cards[word]
    if len(word) == 1 and word in MARKERS:
        return MARKERS.index(word)
    raise Unreadable(phrase("niya.text.cell", text=word[:12]))


def _fault_of_cards(cells: tuple[Cell, ...], discard: Card | None) -> Phrase | None:
    cards = [cell for cell in cells if isinstance(cell, Card)]
    for card in cards:
        if cards.count(card) > 1:
            return phrase("niya.text.twice", card=card.code)  # N1: every card is unique.
    if discard in cards:
        return phrase("niya.text.discarded", card=discard.code if discard else "-")  # N4
    return None


def _fault_of_markers(cells: tuple[Cell, ...], turn: Seat, discard: Card | None) -> Phrase | None:
    own, other = cells.count(turn), cells.count(1 - turn)
    dealt = 16 - cells.count(None)
    if None in cells[:dealt] or (dealt < 16 and own + other):
        return phrase("niya.text.deal")  # N3: the whole table is dealt, in order, before play.
    if (discard is None) != (own + other == 0):
        return phrase("niya.text.first")  # S6: `-` stands before the first turn only.
    if not 0 <= other - own <= 1:
        return phrase("niya.text.turns", red=cells.count(0), yellow=cells.count(1))  # N4
    mine = mask(square for square, cell in enumerate(cells) if cell == turn)
    if any(pattern.mask & ~mine == 0 for pattern in PATTERNS):
        return phrase("niya.text.over")  # N7: a pattern ends the game at once.
    return None


NOTATION = Notation(written, text, read=read, spellings=spellings, tidied=tidied)
