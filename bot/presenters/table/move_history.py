"""The history of a game for one viewer: its moves in words and its past boards. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.presenters.table.composer import Composer
from bot.presenters.table.status import without_deal
from bot.session.table import HistoryEntry, Table
from bot.session.visibility import Glimpse, VisibleTable, hides
from games.core import CHANCE, Phrase, Position, Who, phrase, verbatim
from games.core.move_parsing import read_entry
from render.scene import Last, Scene


@dataclass(frozen=True)
class HistoryLine:
    """The move *number* (``known_entries``) in words and notation, *who* made it, ``weight``."""

    number: int
    who: str
    text: str
    note: str
    weight: int


def move_lines(composer: Composer) -> tuple[HistoryLine, ...]:
    """Every move of the game as the viewer may know it, but for the draws of a deal."""
    table, known = composer.table, known_entries(composer.seen)
    told, _ = replayed(table, len(table.log))
    seen = composer.seen.glimpses(enumerate(told))
    return tuple(history_line(composer, one, known) for one in without_deal(tuple(seen)))


def known_entries(seen: VisibleTable) -> Sequence[int]:
    """The places in the log of what the audience knows, whose numbers are places among these.

    While a seat hides something, nobody else is told how often it has changed that.
    """
    table = seen.table
    if not hides(table, *range(len(table.players))):
        return range(len(table.log))
    told, _ = replayed(table, len(table.log))
    return [one.number for one in seen.glimpses(enumerate(told))]


def count_unknown(seen: VisibleTable) -> int:
    """How many entries of the log the audience may not know of; told versions leave them out."""
    return len(seen.table.log) - len(known_entries(seen))


def history_line(composer: Composer, told: Glimpse, known: Sequence[int]) -> HistoryLine:
    """The line of *told* for the viewer of *composer*, who has *known* so much."""
    who: Phrase = verbatim("")
    if told.seat != CHANCE:
        who = phrase("web.who", who=Who(told.seat))
    return HistoryLine(
        known.index(told.number),
        composer.say(who),
        composer.spoken(told),
        composer.say(composer.table.game.typed(told.before, told.move)),
        composer.weight(told),
    )


def moment_screen(composer: Composer, number: int) -> Scene | None:
    """The picture after *number* entries that are known; ``None`` where there are fewer."""
    table, known = composer.table, known_entries(composer.seen)
    if table.position is None or not 0 <= number <= len(known):
        return None
    told, position = replayed(table, known[number - 1] + 1 if number else 0)
    seen = VisibleTable(table, composer.viewer.seat)
    newest = seen.glimpses(enumerate(told[-1:], len(told) - 1))
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
