"""Niya in words: the picture, moves, refusals, warnings, answers, and the winner's title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from games.core import (
    Asking,
    Deed,
    Feat,
    MoveReason,
    Outcome,
    Phrase,
    Refusal,
    Seat,
    Speech,
    Who,
    phrase,
)
from games.niya.board import NAMES, Card, Cell, completing, squares_of
from games.niya.notation import meant
from games.niya.rules import Niya


def card_name(card: Card) -> Phrase:
    """A card by colour and index: «Morado 2»."""
    return phrase(f"niya.card.{card.colour}", index=card.index)


def code_said(card: Card) -> Phrase:
    """A card by the letter that the reader sees on it: «M2»."""
    return phrase(f"niya.code.{card.colour}", index=card.index)


def card_at(square: int, card: Card) -> Phrase:
    """A card and where it lies: «Morado 2 (b3)»."""
    return phrase("niya.card-at", card=card_name(card), square=NAMES[square])


def card_named(square: int, card: Card) -> Phrase:
    """The same within a sentence, with its article: «la morada 2 (b3)»."""
    return phrase("niya.card-at", card=_article(card), square=NAMES[square])


def _article(card: Card) -> Phrase:
    return phrase(f"niya.named.{card.colour}", index=card.index)


TURNS = frozenset({"niya.turn.0", "niya.turn.1", "niya.begins.0", "niya.begins.1"})
"""The keys of whose turn it is."""


def describe(seen: Niya) -> Sequence[Phrase]:
    """The whole table: row by row, the discard, whose turn it is and what may be taken."""
    said = [
        phrase("niya.row", rank=4 - row, cells=tuple(map(_cell, seen.cells[4 * row : 4 * row + 4])))
        for row in range(4)
    ]
    if seen.undealt():
        dealing = phrase("niya.dealing", n=len(seen.undealt()))
        return [*said, dealing, phrase(f"niya.begins.{seen.turn}", who=Who(seen.turn))]
    if seen.discard:
        said.append(phrase("niya.discard", card=card_name(seen.discard)))
    else:
        said.append(phrase("niya.no-discard"))
    said += [phrase(f"niya.in-hand.{seat}", who=Who(seat), n=seen.in_hand(seat)) for seat in (0, 1)]
    return [*said, *_ending(seen)] if seen.outcome() else [*said, _turn(seen)]


def _cell(cell: Cell) -> Phrase:
    match cell:
        case None:
            return phrase("niya.undealt")
        case Card():
            return card_name(cell)
        case int():
            return phrase(f"niya.marker.{cell}")


def _turn(seen: Niya) -> Phrase:
    cards = _cards(seen, seen.takeable_squares(), card_at)
    return phrase(f"niya.turn.{seen.turn}", who=Who(seen.turn), cards=cards)


def _ending(seen: Niya) -> list[Phrase]:
    made = [
        phrase(f"niya.made.{pattern.kind}", squares=tuple(NAMES[s] for s in pattern.squares))
        for pattern in seen.patterns_made
    ]
    end = seen.outcome()
    if end is None or end.winner is None:
        return [*made, phrase("niya.end.draw")]
    return [*made, phrase(f"niya.end.{end.reason}", winner=Who(end.winner))]


def _cards(
    seen: Niya, squares: Iterable[int], said: Callable[[int, Card], Phrase]
) -> tuple[Phrase, ...]:
    there = ((square, seen.cells[square]) for square in squares)
    return tuple(said(square, card) for square, card in there if isinstance(card, Card))


def spoken(position: Niya, move: Card) -> Phrase:
    """*move* in a few words: taken from its square, or turned up by the deal."""
    square = position.square_of(move)
    if square is None:
        return phrase("niya.deals", card=_article(move), square=NAMES[position.cells.index(None)])
    return phrase("niya.takes", card=_article(move), square=NAMES[square])


def refusal(position: Niya, _seat: Seat, text: str) -> Refusal:
    """Why the card or square that *text* names may not be taken now: N4, N5 or N6."""
    if position.undealt():
        return Refusal("N3", phrase("niya.no.dealing"))
    wish = meant(position, text)
    legal = _cards(position, position.takeable_squares(), card_at)
    if wish is None:
        return Refusal("S6", phrase("niya.no.such-card", text=text[:24], cards=legal))
    square = position.square_of(wish) if isinstance(wish, Card) else wish
    if square is None:  # N4: a card that was taken does not come back.
        return Refusal("N4", phrase("niya.no.taken", text=text[:24]))
    cell = position.cells[square]
    name = NAMES[square]
    if not isinstance(cell, Card):  # N4: where a marker lies there is nothing to take.
        owner = 0 if cell is None else cell
        return Refusal("N4", phrase("niya.no.marker", square=name, who=Who(owner)), (name,))
    if position.discard is None:
        return Refusal("N5", phrase("niya.no.centre", card=card_named(square, cell)), (name,))
    last = _article(position.discard)
    shared = phrase("niya.no.match", card=card_named(square, cell), last=last, cards=legal)
    return Refusal("N6", shared, (name,))


def hints(position: Niya) -> Sequence[Phrase]:
    """For those who want it: a win or a block within reach, three of four on the table."""
    if position.undealt() or position.outcome():
        return ()
    return [*_within_reach(position), *_tell_threats(position)]


def _within_reach(position: Niya) -> list[Phrase]:
    """What the player to move could win with now: patterns first, then blocks."""
    takeable = position.takeable_squares()
    completes = completing()[position.markers(position.turn)]
    patterns = [square for square in takeable if completes >> square & 1]
    blocks = [
        square
        for square in takeable
        if square not in patterns
        and isinstance(card := position.cells[square], Card)
        and (end := position.after(card).outcome())
        and end.winner == position.turn
    ]
    return [
        phrase(f"niya.notice.{key}", who=Who(position.turn), cards=cards)
        for key, squares in (("pattern", patterns), ("block", blocks))
        if (cards := _cards(position, squares, card_named))
    ]


def _tell_threats(position: Niya) -> list[Phrase]:
    other = 1 - position.turn
    missing = _cards(position, squares_of(completing()[position.markers(other)]), card_named)
    if not missing:
        return []
    who, mover = Who(other), Who(position.turn)
    return [phrase("niya.notice.three", who=who, mover=mover, n=len(missing), cards=missing)]


SPEECH = Speech(describe, spoken, hints=hints, refusal=refusal, turns=TURNS)


def at(seen: Niya, name: str) -> Sequence[Phrase]:
    """The card or the marker on a square, or where a card lies."""
    wish = meant(seen, name)
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
    missing = _cards(seen, squares_of(completing()[seen.markers(1 - seat)]), card_at)
    return (phrase("niya.asked.three", who=Who(1 - seat), cards=missing),) if missing else ()


def typed(_seen: Niya, card: Card) -> Phrase:
    """The code of *card* in the reader's language."""
    return code_said(card)


ASKING = Asking(at, threats, typed)


def chronicle(_deeds: Sequence[Deed], last: Niya, outcome: Outcome) -> Feat:
    """The title goes by the pattern that was made, or by what else ended the game."""
    made = [pattern.kind for pattern in last.patterns_made]
    left = sum(isinstance(cell, Card) for cell in last.cells)
    if len(made) > 1:
        title = phrase("niya.feat.double")
    elif made:
        title = phrase(f"niya.feat.{made[0]}")
    elif outcome.reason == "block":
        title = phrase("niya.feat.block")
    else:
        title = phrase("niya.feat.other")
    return Feat(title, left, phrase("niya.feat.left", n=left))


FEW_CARDS = 2
"""Up to so many cards are little choice."""


def reason(seen: Niya, seat: Seat, card: Card) -> MoveReason | None:
    """The most telling thing that taking *card* does for *seat*, whose turn it is."""
    square = seen.square_of(card)
    if square is None or seen.undealt():
        return None
    then, other = seen.after(card), 1 - seat
    if then.outcome():
        end = then.outcome()
        if end is None or end.winner != seat:
            return None
        made = then.patterns_made
        if not made:
            return MoveReason(phrase("niya.reason.blocks"), (_cell_name(seen, square),))
        squares = made[0].squares
        words = phrase("niya.reason.completes", squares=tuple(NAMES[one] for one in squares))
        return MoveReason(words, tuple(_cell_name(seen, one) for one in squares))
    wanted = _winning_squares(seen, other)
    if square in wanted:
        return MoveReason(phrase("niya.reason.denies"), (_cell_name(seen, square),))
    left = then.takeable_squares()
    if wanted and not wanted & set(left):
        cards = tuple(_card_phrase(seen, one) for one in sorted(wanted))
        cells = tuple(_cell_name(seen, one) for one in sorted(wanted))
        return MoveReason(phrase("niya.reason.bars", cards=cards, n=len(cards)), cells)
    return _pressing(seen, then, seat, left)


def _pressing(seen: Niya, then: Niya, seat: Seat, left: tuple[int, ...]) -> MoveReason | None:
    """A new threat of *seat*, or that the other has little to choose from."""
    new = sorted(_winning_squares(then, seat) - _winning_squares(seen, seat))
    if new:
        cards = tuple(_card_phrase(then, one) for one in new)
        cells = tuple(_cell_name(seen, one) for one in new)
        return MoveReason(phrase("niya.reason.threatens", cards=cards, n=len(cards)), cells)
    if len(left) > FEW_CARDS:
        return None
    cards = tuple(_card_phrase(then, one) for one in left)
    words: Phrase = phrase("niya.reason.leaves", cards=cards, n=len(cards))
    return MoveReason(words, tuple(_cell_name(seen, one) for one in left))


def _winning_squares(position: Niya, seat: Seat) -> set[int]:
    """The squares of the cards with which *seat* would complete a pattern."""
    squares = squares_of(completing()[position.markers(seat)])
    return {square for square in squares if isinstance(position.cells[square], Card)}


def _cell_name(position: Niya, square: int) -> str:
    """What the picture of *position* calls *square*: by its card, or by itself."""
    card = position.cells[square]
    return card.code if isinstance(card, Card) else NAMES[square]


def _card_phrase(position: Niya, square: int) -> Phrase:
    card = position.cells[square]
    assert isinstance(card, Card)  # noqa: S101 - the caller has looked
    return card_named(square, card)
