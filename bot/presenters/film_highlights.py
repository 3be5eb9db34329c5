"""The story of a finished game: the moves that a film shows, and where the game turned. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any, TypeAlias

from bot.presenters.move_history import replayed
from bot.session.table import HistoryEntry, Table
from bot.session.visibility import VisibleTable
from games.core import CHANCE, Position, Seat
from games.core.advice import Weighed

MOST = 100
"""The most moves that may be asked for: the last ones."""

WHOLE = 30
"""So many moves are all told."""

TOLD = 17
"""How many of more moves are told."""

FEWEST = 14
"""How many of them are told where a film of more would be too large."""

SWINGS = 10
"""How many of the heaviest changes of the leader are shown in any case."""


@dataclass(frozen=True)
class Reel:
    """The moves of a game, and those of them that a film shows.

    *told* is the whole log; *moves* are the numbers of its entries that are moves, *numbers*
    those shown, *turning* that on which the game turned.
    """

    told: tuple[HistoryEntry, ...]
    moves: tuple[int, ...]
    numbers: tuple[int, ...]
    turning: int | None

    @property
    def whole(self) -> bool:
        """Whether every move is shown."""
        return self.numbers == self.moves


def reel_of(
    table: Table,
    last: int | None = None,
    found: Sequence[Weighed] | None = None,
    *,
    most: int = WHOLE,
) -> Reel:
    """The story of *table*, or of its *last* moves; *found* is its review, where one was made.

    Where there are more than *most* moves, those that weigh most are told.
    """
    told, _ = replayed(table, len(table.log))
    seen = VisibleTable(table)
    moves = tuple(
        one.number
        for one in seen.glimpses(enumerate(told))
        if one.seat != CHANCE and table.game.speech.weight(one.before, one.move)
    )
    turning = _turning(table, told, moves, found)
    asked = moves if last is None else moves[-last:]
    shown = asked if len(asked) <= most else _story(table, told, asked, turning, min(most, TOLD))
    return Reel(told, moves, shown, turning)


def _story(
    table: Table,
    told: Sequence[HistoryEntry],
    moves: tuple[int, ...],
    turning: int | None,
    most: int,
) -> tuple[int, ...]:
    """The first and the last of *moves*, where the game turned, and the *most* that weigh most."""
    views = views_of(table, told, moves)
    swings = dict(zip(moves, map(_swing, pairwise(views)), strict=True))
    kept: set[int] = {moves[0], *changes_of_leader(moves, views)[:SWINGS], moves[-1]}
    if turning is not None and turning in swings:
        kept.add(turning)
    weight = table.game.speech.weight

    def worth(number: int) -> tuple[int, float]:
        one = told[number]
        return weight(one.before, one.move), swings[number]

    for number in sorted(moves, key=worth, reverse=True):
        if len(kept) >= most:
            break
        kept.add(number)
    return tuple(sorted(kept))


View: TypeAlias = tuple[float, ...]
"""What a position is worth to each seat at first sight."""


def views_of(table: Table, told: Sequence[HistoryEntry], moves: Sequence[int]) -> tuple[View, ...]:
    """What the game was worth to each seat: before the first of *moves*, and after every one."""
    glance, seats = table.game.glance, range(len(table.players))
    if not moves or glance is None:
        return (tuple(0.0 for _ in seats),) * (len(moves) + 1)
    positions = [told[moves[0]].before, *(_after(table, told, number) for number in moves)]
    return tuple(tuple(glance(position, seat) for seat in seats) for position in positions)


def changes_of_leader(moves: Sequence[int], views: Sequence[View]) -> tuple[int, ...]:
    """Those of *moves* after which somebody else leads, the heaviest first."""
    found = []
    for number, (before, after) in zip(moves, pairwise(views), strict=True):
        first, now = before.index(max(before)), after.index(max(after))
        if first != now:
            swing = (after[now] - after[first]) - (before[now] - before[first])
            found.append((swing, number))
    return tuple(number for _, number in sorted(found, reverse=True))


def _swing(pair: tuple[View, View]) -> float:
    """By how much a move changed what the game is worth to anybody."""
    return max(abs(after - before) for before, after in zip(*pair, strict=True))


def _after(table: Table, told: Sequence[HistoryEntry], number: int) -> Position[Any]:
    return told[number + 1].before if number + 1 < len(told) else table.present


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
