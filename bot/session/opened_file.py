"""A game that was read from a file, as a table that is stored nowhere. Pure."""

from __future__ import annotations

from datetime import datetime
from itertools import accumulate
from typing import Final

from bot.session.names import cleaned
from bot.session.rated import stands_alike
from bot.session.table import CLOSED, CODE_LENGTH, ENDED, Player, Table
from bot.texts import FALLBACK, language
from games.core import Outcome, replay
from games.core.recognition import GameFile
from games.core.record import stated_outcome

FROM_FILE: Final = "1"
"""Begins the code of a game from a file; no code of a stored table has it."""


def is_from_file(code: str) -> bool:
    """Whether *code* is that of a game from a file."""
    return len(code) == CODE_LENGTH and code.startswith(FROM_FILE)


def table_of_file(code: str, file: GameFile, at: datetime) -> Table:
    """The game of *file*, opened *at*, as a finished table; its players are names alone.

    What was not read has no part in it; an end that the file states counts where we have words
    for it.
    """
    record, position = file.record, file.positions[-1]
    outcome, by_rule = _ending(file)
    names = (cleaned(record.tags.get(f"Player{seat}", "")) for seat in range(len(record.sides)))
    chairs = zip(names, record.sides, strict=True)
    return Table(
        code=code,
        game=file.game,
        options=file.game.chosen(record.options),
        begins=record.tags.get("Begins", ""),
        host=0,
        players=tuple(Player(0, name, side=side) for name, side in chairs),
        commitment="",
        created=at,
        touched=at,
        status=CLOSED if outcome is None else ENDED,
        first=record.first,
        start=record.tags.get("Position", ""),
        log=record.log,
        position=position,
        turns=(0,) * len(record.sides),
        outcome=outcome,
        by_rule=by_rule,
        record=record,
    )


def _ending(file: GameFile) -> tuple[Outcome | None, bool]:
    """How the game of *file* ended, and whether in words of its own; ``None`` if it did not."""
    own, stated = file.positions[-1].outcome(), stated_outcome(file.record)
    if own is not None or stated is None:
        return own, own is not None
    seats, words = sorted(seat for place in stated.places for seat in place), language(FALLBACK)
    ends = [f"{room}.end.{stated.reason}" in words.templates for room in (file.game.key, "house")]
    known = any(ends) and seats == list(range(len(file.record.sides)))
    return (stated, ends[0]) if known else (None, False)


def shows_moment_of(table: Table, running: Table) -> bool:
    """Whether the game of *table* has stood as the game that counts stands at *running* now.

    Before anything has happened there, it stands as all games do.
    """
    start = table.game.start(table.setting)
    trail = accumulate(table.log, lambda at, one: replay(table.game, at, (one,)), initial=start)
    return bool(running.log) and any(stands_alike(running, position) for position in trail)
