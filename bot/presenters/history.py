"""The history of a game for one viewer: its moves in words, its past boards and its film. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from bot.presenters.composer import Composer
from bot.presenters.status import without_deal
from bot.session.table import HistoryEntry, Table
from bot.session.visibility import Glimpse, VisibleTable
from games.core import CHANCE, Phrase, Position, Seat, Who, phrase, verbatim
from games.core.advice import Weighed
from games.core.moves import read_entry
from render.scene import Last, Scene


@dataclass(frozen=True)
class HistoryLine:
    """The move *number* of the log in words and in notation, and *who* made it."""

    number: int
    who: str
    text: str
    note: str


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


MOST = 100
"""The most moves shown; of a longer game the last ones."""

LONG = 4500
"""How many hundredths of a second the moves take together, if there are many."""

QUICKEST, SLOWEST = 35, 90
"""Between which hundredths of a second a move stands."""

FIRST, TURNING, LAST = 100, 250, 400
"""How long the beginning, the turning point and the end stand."""


@dataclass(frozen=True)
class Shot:
    """A *scene* and how long it stands, in hundredths of a second."""

    scene: Scene
    stands: int


@dataclass(frozen=True)
class Reel:
    """The entries of the log after which the film takes a picture.

    *told* is the whole log, *turning* the number of the entry on which the game turned.
    """

    told: tuple[HistoryEntry, ...]
    numbers: tuple[int, ...]
    whole: bool
    turning: int | None


def reel_of(table: Table, most: int = MOST, found: Sequence[Weighed] | None = None) -> Reel:
    """The last *most* moves of *table*; *found* is its review, where one was made."""
    told, _ = replayed(table, len(table.log))
    seen = VisibleTable(table)
    moves = [
        one.number
        for one in seen.glimpses(enumerate(told))
        if one.seat != CHANCE and table.game.speech.weight(one.before, one.move)
    ]
    kept = tuple(moves[-most:])
    return Reel(told, kept, len(kept) == len(moves), _turning(table, told, moves, found))


def shots(composer: Composer, of: Reel) -> Iterator[Shot]:
    """The pictures of the reel *of*, as everybody may see them."""
    seen = VisibleTable(composer.table)
    each = max(QUICKEST, min(SLOWEST, LONG // max(1, len(of.numbers))))
    if of.numbers:
        before = of.told[of.numbers[0]].before
        yield Shot(replace(composer.past(seen.then(before), ()), calm=True), FIRST)
    for number in of.numbers[:-1]:
        (one,) = seen.glimpses([(number, of.told[number])])
        last = (Last(one.before, one.seat, one.move),)
        scene = composer.past(seen.then(of.told[number + 1].before), last)
        # The last move shows who moved; more that blinks would tire.
        yield Shot(replace(scene, calm=True), TURNING if number == of.turning else each)
    end = composer.board().scene
    if end is not None:
        yield Shot(end, LAST)


def _turning(
    table: Table,
    told: Sequence[HistoryEntry],
    moves: Sequence[int],
    found: Sequence[Weighed] | None,
) -> int | None:
    """The loser's costliest mistake, or the move after which the winner was never behind again."""
    winner = table.outcome.winner if table.outcome is not None else None
    if winner is None or not moves:
        return None
    lost = [one for one in found or () if one.seat != winner and one.lost > 0]
    if lost:
        return max(lost, key=lambda one: one.lost).number
    if table.game.glance is None:
        return None
    after = [*(one.before for one in told[1:]), table.present]
    ahead = takewhile(lambda number: _leads(table, after[number], winner), reversed(moves))
    *_, turned = (None, *ahead)
    if turned != moves[0]:
        return turned
    # The winner led all the time: the last blow is what players remember.
    weight = table.game.speech.weight
    blows = (n for n in reversed(moves) if weight(told[n].before, told[n].move) > 1)
    return next(blows, None)


def _leads(table: Table, position: Position[Any], winner: Seat) -> bool:
    end = position.outcome()
    if end is not None:
        return end.winner == winner
    return table.game.glance is not None and table.game.glance(position, winner) > 0
