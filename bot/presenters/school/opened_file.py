"""A game from a file: its last board, how far it was read, and what can be done with it. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.port import Button, Screen
from bot.presenters.button_codes import NO_TABLE, Action
from bot.presenters.table.composer import Composer
from bot.session.table import Table
from games.core import CHANCE, phrase
from games.core.annotations import annotations_of, branches_of
from games.core.recognition import GameFile

PLAY_ON: Final = "on"
"""Begins the path of the button that plays a game from a file on; a number opens another one."""


def opened_screen(composer: Composer, file: GameFile, alike: Table | None) -> Screen:
    """The last board of *file*, which the table of *composer* stands for.

    Where a game that counts stands alike, it is said why there is neither help nor a way on.
    """
    table, say = composer.table, composer.say
    moves = sum(entry.seat != CHANCE for entry in table.log)
    named = phrase(f"{table.game.key}.name")
    lines = [say(phrase("opened.title", game=named, n=moves)), ", ".join(composer.names.values())]
    if table.outcome is not None:
        lines.append(composer.headline())
    if file.refusal is not None:
        lines.append(say(phrase("opened.stopped", why=file.refusal)))
    beside = len(annotations_of(file.record)), len(branches_of(file.record))
    if any(beside):
        lines.append(say(phrase("opened.beside", notes=beside[0], branches=beside[1])))
    if file.count > 1:
        lines.append(say(phrase("opened.several", number=file.number + 1, n=file.count)))
    if alike is not None:
        lines.append(say(phrase("standing.same-position", code=alike.code)))
    headline, *others = filter(None, lines)
    board = replace(composer.board(), table=NO_TABLE, source=None, accent=None)
    rows = _rows(composer, file, helps=alike is None, moves=moves)
    return replace(board, headline=headline, lines=tuple(others), rows=rows)


def _rows(
    composer: Composer, file: GameFile, *, helps: bool, moves: int
) -> tuple[tuple[Button, ...], ...]:
    button, following = composer.button, str((file.number + 1) % file.count)
    over = composer.table.outcome is not None
    shown = (
        (helps and moves, "house.button.review-all", Action.REVIEW, ()),
        (helps and not over, "opened.button.on", Action.OPEN, (PLAY_ON,)),
        (moves, "keepsake.button.replay", Action.REPLAY, ()),
        (True, "house.button.record", Action.RECORD, ()),
        (file.count > 1, "opened.button.next", Action.OPEN, (following,)),
    )
    keys = tuple(button(label, act, *path) for there, label, act, path in shown if there)
    ahead = sum(bool(there) for there, *_ in shown[:2])
    return tuple(filter(None, (keys[:ahead], keys[ahead:])))
