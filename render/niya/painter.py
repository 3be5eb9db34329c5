"""The table of Niya: sixteen cards, the markers on them, and the card that rules the next turn.

Colour is never alone: each colour has its emblem, which draws the skeleton of its letter,
and its pattern; red markers bear a rhombus and R, yellow ones a sun and A. Targets need no
letters: the lozenge that hangs off a card shows its code, which is the step itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from games.core import CHANCE, Phrase, phrase
from games.niya.board import BY_CODE, COLOURS, NAMES, SQUARES, Card
from games.niya.notation import read
from games.niya.rules import FOUR_COLOURS, Niya
from render.kit import (
    Bar,
    Canvas,
    Figure,
    Grid,
    Item,
    Mood,
    Sheet,
    Spot,
    Sprite,
    canvas_sprite,
    label,
    lay_ground,
    paint_by,
)
from render.kit.motion import Animation, Flight
from render.niya import pieces
from render.niya.pieces import TABLE
from render.scene import Last, Scene

COVER = "takeable"
BESIDE = ((24, 97, 776, 747), (174, 756, 776, 856), (24, 756, 170, 930))
CHEAT = ((306, 343), (682, 185), (118, 659), (494, 501), (682, 659))
BOTTOM = 0
LETTERS = False
MATERIAL = True
TURNS = False

WIDTH, HEIGHT = 800, 954
GRID = Grid(24, 106, 188, 158, 4, 4)
STRIP = (174, 756, 776, 856)
STRIP_MIDDLE = (475, 806)
DISCARD = (97, 843)
HEADER, FOOTER = Bar(24), Bar(866, left=174)


def captions(seen: Niya) -> dict[str, Phrase]:
    """The words in the rule strip."""
    key = "or" if seen.discard else "border"
    if end := seen.outcome():
        key = end.reason
    elif seen.undealt():
        key = "deal"
    return {"strip": phrase(f"niya.picture.{key}"), "letters": phrase("niya.picture.letters")}


def spots(scene: Scene) -> tuple[Spot, ...]:
    """The cards that may be tapped: the whole cell of each target."""
    seen: Niya = scene.seen
    cards = [seen.deck[target.step] for target in scene.targets if target.step in seen.deck]
    return tuple(Spot.of(one.code, _box(seen.cells.index(one)), HEIGHT) for one in cards)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every card by its code, and every marker by its square."""
    names = (
        one.code if isinstance(one, Card) else at
        for one, at in zip(scene.seen.cells, NAMES, strict=True)
    )
    return tuple(Spot.of(name, _box(square), HEIGHT) for square, name in enumerate(names))


def stands(_scene: Scene, _key: str) -> tuple[Spot, ...]:
    """Where a card or a marker may be put by hand: every square, whatever lies there."""
    return tuple(Spot.of(name, _box(square), HEIGHT) for square, name in enumerate(NAMES))


def lays(scene: Scene) -> dict[str, tuple[Sprite, int, int]]:
    """The marker that takes the place of the card that is chosen."""
    seat = scene.seen.turn if scene.targets else scene.bottom
    marker = pieces.last_marker(scene.theme, seat, own_letter(scene, seat))
    return {"": (marker, GRID.wide // 2, GRID.high // 2)}


def _box(square: int) -> tuple[int, int, int, int]:
    return GRID.box(square % 4, square // 4)


def sheet_of(scene: Scene, lifted: int | None = None) -> Sheet:
    """The table as *scene* tells it, the square *lifted* empty."""
    seen: Niya = scene.seen
    sheet = lay_ground(pieces.palette(scene.theme), (WIDTH, HEIGHT), _table(scene.theme)).copy()
    last = _last_square(scene)
    made = seen.patterns_made
    for square in SQUARES:
        cell = (
            pieces.slot(scene.theme) if square == lifted else _cell(scene, square, square == last)
        )
        sheet.put(cell, *GRID.centre(square % 4, square // 4))
    for pattern in made:
        owner = own_letter(scene, 1 - seen.turn)
        column, row = pattern.squares[0] % 4, pattern.squares[0] // 4
        shape = tuple((square % 4 - column, square // 4 - row) for square in pattern.squares)
        sheet.put(pieces.victory(scene.theme, shape, owner), *GRID.centre(column, row))
    discard: Card | None = scene.seen.discard
    if discard:
        letter = card_letter(scene, discard.colour)
        newest = last is not None and not made
        sheet.put(pieces.discard(scene.theme, discard, letter, last=newest), *DISCARD)
    else:
        sheet.put(pieces.no_discard(scene.theme), *DISCARD)
    _put_strip(sheet, scene)
    _put_bars(sheet, scene)
    return sheet


paint = paint_by(sheet_of)
"""The table as a scene tells it, in mode P."""


def _letters(scene: Scene) -> str:
    """What stands for each colour of cards and for the markers of each seat."""
    return dict(scene.captions).get("letters") or f"{COLOURS}RA"


def card_letter(scene: Scene, colour: str) -> str:
    """What stands for a *colour* of cards, ``MOLVRY``, in the viewer's language."""
    return _letters(scene)[COLOURS.index(colour)]


def own_letter(scene: Scene, seat: int) -> str:
    """What stands for the markers of *seat* in the viewer's language."""
    return _letters(scene)[len(COLOURS) + seat]


@canvas_sprite(pieces.palette, (0, 90, WIDTH, STRIP[3]), "paper")
def _table(canvas: Canvas) -> None:
    canvas.box((TABLE[0], TABLE[1] + 4, TABLE[2], TABLE[3] + 4), "shadow", radius=10)
    canvas.box(TABLE, "table", radius=10)
    canvas.box(STRIP, "bar", "hair", 2, 10)


def _last_square(scene: Scene) -> int | None:
    for last in reversed(scene.last):
        if last.seat != CHANCE:
            square: int | None = last.before.square_of(last.move)
            return square
    return None


def _cell(scene: Scene, square: int, last: bool) -> Sprite:
    seen: Niya = scene.seen
    theme = scene.theme
    match seen.cells[square]:
        case None:
            return pieces.slot(theme)
        case Card() as card:
            letter = card_letter(scene, card.colour)
            if card.code in scene.path:
                own = own_letter(scene, seen.turn)
                return pieces.draw_chosen(theme, card, letter, seen.turn, own)
            if scene.calm:
                return pieces.resting(theme, card, letter)
            if scene.ended or square not in seen.takeable_squares():
                return pieces.draw_dimmed(theme, card, letter)
            lettered = any(target.step == card.code for target in scene.targets)
            return pieces.takeable(theme, card, letter, lettered=lettered)
        case int() as seat:
            return _marker(seen, square, last)(theme, seat, own_letter(scene, seat))


def _marker(seen: Niya, square: int, last: bool) -> Callable[[str, int, str], Sprite]:
    made = seen.patterns_made
    if any(square in pattern.squares for pattern in made):
        return pieces.winning_marker
    if made:
        return pieces.beaten_marker
    return pieces.last_marker if last else pieces.marker


def _put_strip(sheet: Sheet, scene: Scene) -> None:
    seen: Niya = scene.seen
    words = scene.caption("strip")
    if end := seen.outcome():
        won = end.winner is not None
        if won:
            sheet.put(pieces.gold_strip(scene.theme), *STRIP_MIDDLE)
        ink, ground = ("line", "gold") if won else ("ink", "bar")
        _put_words(sheet, words, ink, ground, size=38 if won else 42)
    elif scene.ended:
        return  # The table ended, not the position: the house says how.
    elif seen.discard:
        _put_rule(sheet, scene, seen.discard, words)
    elif seen.undealt():
        _put_words(sheet, words, "ink", "bar")
    else:
        sheet.put(pieces.border_sign(scene.theme), STRIP[0] + 78, STRIP_MIDDLE[1])
        _put_words(sheet, words, "ink", "bar", indent=78)


def _put_words(
    sheet: Sheet, words: str, ink: str, ground: str, indent: int = 0, size: int = 42
) -> None:
    written = label(sheet.palette, words, size, ink, ground, STRIP[2] - STRIP[0] - 60 - indent)
    middle, y = STRIP_MIDDLE
    sheet.put(written, middle + (indent - written.width) // 2, y)


def _put_rule(sheet: Sheet, scene: Scene, discard: Card, words: str) -> None:
    """The colour to match, «or», the index to match."""
    middle, y = STRIP_MIDDLE
    word = label(sheet.palette, words, 42, "ink", "bar", 200)
    gap = word.width + 58
    left = middle - (pieces.COLOUR_CHIP + gap + pieces.INDEX_CHIP) // 2
    letter = card_letter(scene, discard.colour)
    sheet.put(pieces.colour_chip(scene.theme, discard.colour, letter), left, y)
    left += pieces.COLOUR_CHIP
    sheet.put(word, left + (gap - word.width) // 2, y)
    sheet.put(pieces.index_chip(scene.theme, discard.index), left + gap, y)


def _put_bars(sheet: Sheet, scene: Scene) -> None:
    for bar, seat in ((HEADER, 1 - scene.bottom), (FOOTER, scene.bottom)):
        reserve = [Item(pieces.reserve(scene.theme, seat), 39)] * scene.seen.in_hand(seat)
        letter, mood = own_letter(scene, seat), Mood.of(scene, seat)
        bar.put(sheet, scene.names[seat], pieces.emblem(scene.theme, seat, letter), reserve, mood)


_DEAL = "M2,V3,V2,O4/O1,L3,O3,V4/M4,L2,M3,L1/L4,V1,M1,O2 R -"


def _of_colours(colours: str) -> Scene:
    """The first turn with other four of the six colours (N1)."""
    return Scene("niya", read(_DEAL, {FOUR_COLOURS.key: colours}), ("", ""))


def _after(*moves: str) -> Scene:
    seen = read(_DEAL, {})
    last: tuple[Last, ...] = ()
    for code in moves:
        last = (Last(seen, seen.turn, BY_CODE[code]),)
        seen = seen.after(BY_CODE[code])
    return Scene("niya", seen, ("", ""), bottom=seen.turn, last=last)


_LINE = ("M2", "V2", "O2", "O3", "M3", "V3", "L3")
_SQUARE = ("L4", "L1", "L2", "M2", "M4", "V4", "V1")
_BLOCK = ("O1", "O2", "O4", "L4", "L3", "V3", "M3", "O3")
_BOARD = (16, 90, 784, 753)
_WITHOUT_HEADER = (0, 90, WIDTH, HEIGHT)

FIGURES: dict[str, Figure] = {
    "colours": Figure(lambda: (_of_colours("mory"), _of_colours("lvry")), _BOARD),
    "border": Figure(lambda: (_after(),), _WITHOUT_HEADER),
    "takeable": Figure(lambda: (_after("O1", "O2", "M2"),), _WITHOUT_HEADER),
    "patterns": Figure(lambda: (_after(*_LINE), _after(*_SQUARE)), _BOARD),
    "block": Figure(lambda: (_after(*_BLOCK),), _WITHOUT_HEADER),
}
"""Chosen colours, the first turn, a later one, the patterns that win, and a block."""


DROP = 34
"""From how far above its square the marker falls, in pixels."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    seen: Niya = scene.seen
    newest = scene.last[-1]
    card = newest.move
    square = seen.square_of(card) if isinstance(card, Card) else None
    if newest.seat == CHANCE or square is None:
        return Animation(sheet_of(scene))
    x, y = GRID.centre(square % 4, square // 4)
    flying = pieces.flying(scene.theme, card, card_letter(scene, card.colour))
    own = pieces.falling(scene.theme, newest.seat, own_letter(scene, newest.seat))
    return Animation(
        sheet_of(replace(scene, last=()), lifted=square),
        (
            Flight(own, ((x, y - DROP), (x, y)), since=0.4, waits=False),
            Flight(flying, ((x, y), DISCARD), until=0.9),
        ),
    )
