"""The buttons of a choice: what each says, what it does, how many stand in a row. Pure."""

from __future__ import annotations

import string

from bot.port import Button
from bot.screen.buttons import Act
from bot.screen.choices import CROWDED, Page
from bot.screen.scribe import Scribe
from bot.table.sight import Seen
from games.core import phrase
from render.kit import painter

LETTERS = string.ascii_letters
"""The letters of targets on the picture and of the buttons that mean them."""


WIDTHS = ((3, 5), (6, 4), (12, 3), (22, 2))
"""How many buttons stand in a row while the longest label has at most so many characters."""


def choice_rows(scribe: Scribe, page: Page) -> list[tuple[Button, ...]]:
    """The rows of the choices of *page*."""
    table = scribe.table
    lettered = painter(table.game.key).LETTERS and len(page.choices) > 1
    crowded = len(page.choices) > CROWDED
    position = Seen(table, page.seat).position
    buttons = []
    for number, choice in enumerate(page.choices):
        label = scribe.say(table.game.menus.label(position, page.seat, page.path, choice.step))
        if crowded:
            label = label.split(" · ")[0]
        code = tap = scribe.code(Act.MOVE, *choice.path)
        if not page.alone:
            tap = scribe.code(Act.MOVE, *page.path, choice.step)
            if choice.plays:
                *before, last = choice.path
                then = scribe.say(table.game.menus.label(position, page.seat, tuple(before), last))
                # A game may have said already what follows by itself.
                label = label if then in label else f"{label} → {then}"
        letter = LETTERS[number : number + 1] if lettered else ""
        buttons.append(Button(label, code, "move", letter, choice.step, tap))
    longest = max(len(button.label) for button in buttons)
    if page.turn is not None:
        code = scribe.code(Act.MOVE, *page.turn)
        buttons.append(Button(scribe.say(phrase("house.button.page")), code, "move"))
    width = next((width for most, width in WIDTHS if longest <= most), 1)
    return [tuple(buttons[n : n + width]) for n in range(0, len(buttons), width)]
