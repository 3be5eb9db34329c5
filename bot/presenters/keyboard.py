"""The buttons of a choice: what each says, what it does, how many stand in a row. Pure."""

from __future__ import annotations

import string
from collections.abc import Sequence

from bot.port import Button
from bot.presenters.base import Scribe
from bot.presenters.buttons import Action
from bot.presenters.choices import BLANK, CROWDED, Choice, Page
from bot.session.visibility import Seen
from games.core import phrase
from render.kit import painter
from render.kit.button_faces import face

LETTERS = string.ascii_letters
"""The letters of targets on the picture and of the buttons that mean them."""


WIDTHS = ((3, 5), (6, 4), (12, 3), (22, 2))
"""How many buttons stand in a row while the longest label has at most so many characters."""


MOST = 5
"""The buttons of a row where each takes what it needs."""

LINE, EDGES = 52, 5
"""The characters that a row of a phone holds, and how many of them the edges of a button take."""


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
    even = scribe.viewer.space.even
    rows += in_rows(list(buttons.values()), even=even)
    rows += in_rows(apart, even=even)
    if page.turn is not None:
        code = scribe.code(Action.MOVE, *page.turn)
        rows.append((Button(scribe.say(phrase("house.button.page")), code),))
    return rows


def _button(scribe: Scribe, page: Page, choice: Choice, letter: str) -> Button:
    """The button of *choice*: what it selects, or the whole move that it plays."""
    menus = scribe.table.game.menus
    position = Seen(scribe.table, page.seat).position
    crowded = bool(page.grid) or len(page.choices) > CROWDED
    said = menus.brief if crowded and menus.brief is not None else menus.label
    label = scribe.say(said(position, page.seat, page.path, choice.step))
    if crowded:
        label = label.split(" · ")[0]
    code = tap = scribe.code(Action.MOVE, *choice.path)
    if not page.alone:
        tap = scribe.code(Action.MOVE, *page.path, choice.step)
        if choice.plays and choice.path[-1] != choice.step:
            *before, last = choice.path
            then = scribe.say(menus.label(position, page.seat, tuple(before), last))
            # A game may have said already what follows by itself, or where it goes from.
            goal = then if then.count("→") > 1 else then.rpartition("→")[2]
            label = label if then in label else f"{label} {_onward(goal)}"
    final = not page.path and choice.plays and choice.step in menus.apart
    style = "final" if final else "move"
    plays = choice.plays and code == tap
    name = face(scribe.table.game.key, position, page.seat, page.path, choice.step)
    shown = f"{scribe.table.game.key}/{name}" if name else ""
    return Button(label, code, style, letter, choice.step, tap, plays, shown)


def _onward(said: str) -> str:
    """*said* behind an arrow, where a word begins small and a tag as it is; a sign needs none."""
    if not said[:1].isalnum():
        return said
    return "→ " + (said[:1].lower() + said[1:] if said[1:2].islower() else said)


def _blank(scribe: Scribe, cell: str) -> Button:
    """What stands on a *cell* where there is nothing to choose."""
    return Button(BLANK, scribe.code(Action.MOVE, f"{BLANK}{cell}"), "blank")


def in_rows(buttons: Sequence[Button], *, even: bool = True) -> list[tuple[Button, ...]]:
    """*buttons* in their order, as many in each row as their labels leave room for.

    *even* says that all of a row become as wide as the widest; else each takes what it needs.
    """
    rows: list[tuple[Button, ...]] = []
    row: tuple[Button, ...] = ()
    for button in buttons:
        wider = (*row, button)
        if not _fit(wider, even=even):
            rows.append(row)
            wider = (button,)
        row = wider
    return [*rows, row] if row else rows


def _fit(row: Sequence[Button], *, even: bool) -> bool:
    """Whether the labels of *row* can be read beside each other on a phone."""
    if not even:
        if len(row) > MOST:
            return False
        return len(row) == 1 or sum(len(_worded(one)) + EDGES for one in row) <= LINE
    longest = max(len(one.label) for one in row)
    return len(row) <= next((width for most, width in WIDTHS if longest <= most), 1)


def _worded(button: Button) -> str:
    """What *button* shows: its label behind its letter."""
    return f"{button.letter} · {button.label}" if button.letter else button.label
