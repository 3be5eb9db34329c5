"""The buttons of a choice: what each says, what it does, how many stand in a row. Pure."""

from __future__ import annotations

import string
from collections.abc import Sequence

from bot.port import Button
from bot.screen.buttons import Act
from bot.screen.choices import BLANK, CROWDED, Choice, Page
from bot.screen.scribe import Scribe
from bot.table.sight import Seen
from games.core import phrase
from render.kit import painter

LETTERS = string.ascii_letters
"""The letters of targets on the picture and of the buttons that mean them."""


WIDTHS = ((3, 5), (6, 4), (12, 3), (22, 2))
"""How many buttons stand in a row while the longest label has at most so many characters."""


def choice_rows(scribe: Scribe, page: Page) -> list[tuple[Button, ...]]:
    """The rows of the choices of *page*: as the board has them, and the others below."""
    marked = painter(scribe.table.game.key).LETTERS and len(page.choices) > 1
    letters = LETTERS if marked else ""
    buttons = {
        choice.step: _button(scribe, page, choice, letters[number : number + 1])
        for number, choice in enumerate(page.choices)
    }
    rows: list[tuple[Button, ...]] = []
    for number, row in enumerate(page.grid):
        cells = [
            _blank(scribe, cell or f"{number}{place}")
            if isinstance(cell, str)
            else buttons.pop(cell.step)
            for place, cell in enumerate(row)
        ]
        rows.append(tuple(cells))
    apart = [buttons.pop(step) for step in scribe.table.game.menus.apart if step in buttons]
    rows += in_rows(list(buttons.values()))
    rows += in_rows(apart)
    if page.turn is not None:
        code = scribe.code(Act.MOVE, *page.turn)
        rows.append((Button(scribe.say(phrase("house.button.page")), code),))
    return rows


def _button(scribe: Scribe, page: Page, choice: Choice, letter: str) -> Button:
    """The button of *choice*: what it selects, or the whole move that it plays."""
    menus = scribe.table.game.menus
    position = Seen(scribe.table, page.seat).position
    label = scribe.say(menus.label(position, page.seat, page.path, choice.step))
    if page.grid or len(page.choices) > CROWDED:
        label = label.split(" · ")[0]
    code = tap = scribe.code(Act.MOVE, *choice.path)
    if not page.alone:
        tap = scribe.code(Act.MOVE, *page.path, choice.step)
        if choice.plays and choice.path[-1] != choice.step:
            *before, last = choice.path
            then = scribe.say(menus.label(position, page.seat, tuple(before), last))
            # A game may have said already what follows by itself, or where it goes from.
            label = label if then in label else f"{label} → {then.rpartition('→')[2]}"
    final = not page.path and choice.plays and choice.step in menus.apart
    return Button(label, code, "final" if final else "move", letter, choice.step, tap)


def _blank(scribe: Scribe, cell: str) -> Button:
    """What stands on a *cell* where there is nothing to choose."""
    return Button(BLANK, scribe.code(Act.MOVE, f"{BLANK}{cell}"), "blank")


def in_rows(buttons: Sequence[Button]) -> list[tuple[Button, ...]]:
    """*buttons* in their order, as many in each row as its longest label leaves room for."""
    rows: list[tuple[Button, ...]] = []
    row: tuple[Button, ...] = ()
    for button in buttons:
        wider = (*row, button)
        if len(wider) > _width(max(len(one.label) for one in wider)):
            rows.append(row)
            wider = (button,)
        row = wider
    return [*rows, row] if row else rows


def _width(longest: int) -> int:
    return next((width for most, width in WIDTHS if longest <= most), 1)
