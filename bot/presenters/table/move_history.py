"""The history of a game for one viewer: its moves in words and its past boards. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.presenters.table.composer import Composer
from bot.presenters.table.status import without_deal
from bot.session.table import HistoryEntry, Table
from bot.session.visibility import Glimpse, VisibleTable
from games.core import CHANCE, Phrase, Position, Who, phrase, verbatim
from games.core.move_parsing import read_entry
from render.scene import Last, Scene


@dataclass(frozen=True)
class HistoryLine:
    """The move *number* of the log in words and in notation, *who* made it, and its ``weight``."""

    number: int
    who: str
    text: str
    note: str
    weight: int


def move_lines(composer: Composer) -> tuple[HistoryLine, ...]:
    """Every move of the game as the viewer may know it, but for the draws of a deal."""
    table = composer.table
    told, _ = replayed(table, len(table.log))
    seen = composer.seen.glimpses(enumerate(told))
    return tuple(history_line(composer, one) for one in without_deal(tuple(seen)))


def history_line(composer: Composer, told: Glimpse) -> HistoryLine:
    """The line of *told* for the viewer of *composer*."""
    who: Phrase = verbatim("")
    if told.seat != CHANCE:
        who = phrase("web.who", who=Who(told.seat))
    return HistoryLine(
        told.number,
        composer.say(who),
        composer.spoken(told),
        composer.say(composer.table.game.typed(told.before, told.move)),
        composer.weight(told),
    )


def moment_screen(composer: Composer, number: int) -> Scene | None:
    """The picture after the first *number* entries of the log; ``None`` where there are fewer."""
    table = composer.table
    if table.position is None or not 0 <= number <= len(table.log):
        return None
    told, position = replayed(table, number)
    seen = VisibleTable(table, composer.viewer.seat)
    newest = seen.glimpses(enumerate(told[-1:], number - 1))
    last = tuple(Last(one.before, one.seat, one.move) for one in newest if one.seat != CHANCE)
    return composer.past(seen.then(position), last)


def replayed(table: Table, number: int) -> tuple[tuple[HistoryEntry, ...], Position[Any]]:
    """The first *number* entries of the log, each with the position before it, and what follows."""
    position: Position[Any] = table.game.start(table.setting)
    told = []
    for entry in table.log[:number]:
        move = read_entry(table.game, position, entry)
        told.append(HistoryEntry(position, entry.seat, move))
        position = position.after(move)
    return tuple(told), position
