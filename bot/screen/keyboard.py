"""The buttons of a choice: what each says, what it does, how many stand in a row. Pure."""

from __future__ import annotations

import string
from dataclasses import replace

from bot.port import Button
from bot.screen.buttons import Act
from bot.screen.choices import Page
from bot.screen.scribe import Scribe
from bot.table.sight import Seen
from games.core import phrase
from render.kit import painter
from render.scene import Scene, Target

CROWDED = 12
"""Beyond so many options a button says only the first part of its label: «c3», not «c3 · empty»."""

LETTERS = string.ascii_letters
"""The letters of targets on the picture and of the buttons that mean them."""


WIDTHS = ((3, 5), (6, 4), (12, 3), (22, 2))
"""How many buttons stand in a row while the longest label has at most so many characters."""


def choice_rows(scribe: Scribe, page: Page, scene: Scene) -> list[tuple[Button, ...]]:
    """The rows of the choices of *page*; *scene* is the picture without targets."""
    table = scribe.table
    lettered = painter(table.game.key).LETTERS and len(page.choices) > 1
    crowded = len(page.choices) > CROWDED
    alone = _alone(page, scene)
    position = Seen(table, page.seat).position
    buttons = []
    for number, choice in enumerate(page.choices):
        label = scribe.say(table.game.menus.label(position, page.seat, page.path, choice.step))
        if crowded:
            label = label.split(" · ")[0]
        code = tap = scribe.code(Act.MOVE, *choice.path)
        if not alone:
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


def _alone(page: Page, scene: Scene) -> bool:
    """Whether each choice is one place, and what follows by itself is the same for all."""
    depth = len(page.path) + 1
    rests = {choice.path[depth:] for choice in page.choices}
    if rests == {()}:
        return True
    if len(rests) > 1 or len(page.choices) == 1 or not all(c.plays for c in page.choices):
        return False
    (rest,) = rests
    targets = tuple(Target("", step) for step in rest)
    return not painter(scene.game).spots(replace(scene, targets=targets))
