"""The log of a game: a start and a list of written moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from games.core.game import Game
from games.core.position import CHANCE, AnyPosition, Position
from games.core.reading import read_aside, read_move
from games.core.record import Entry


def read_entry(game: Game, position: Position[Any], entry: Entry) -> Any:
    """The move of *entry*, by its notation or any spelling; raises a ``RuleError`` if illegal."""
    if entry.aside:
        for ruling in position.rulings(entry.seat):
            if game.notation.written(position, ruling) == entry.text:
                return ruling
        return read_aside(game, position, entry.seat, entry.text)
    notation = game.notation
    if entry.seat in position.actors():
        if (parsed := notation.parsed(position, entry.seat, entry.text)) is not None:
            return parsed
        for move in position.legal_moves(entry.seat):
            if notation.written(position, move) == entry.text:
                return move
        cost = notation.penalty(position, entry.seat, entry.text)
        if cost is not None and notation.written(position, cost) == entry.text:
            return cost
    return read_move(game, position, entry.seat, entry.text)


def replay(game: Game, start: AnyPosition, log: Iterable[Entry]) -> AnyPosition:
    """Rebuild the position that *log* leads to; raises a ``RuleError`` at the first bad line."""
    position = start
    for entry in log:
        position = position.after(read_entry(game, position, entry))
    return position


def settle(
    game: Game, position: AnyPosition, draw: Callable[[int], tuple[int, int]]
) -> tuple[AnyPosition, tuple[Entry, ...]]:
    """Let chance play until a player must act; the position then and the entries of the draws.

    ``draw(cases)`` is the number of the draw and its case, an index of ``legal_moves(CHANCE)``.
    """
    entries: list[Entry] = []
    while CHANCE in position.actors():
        moves = position.legal_moves(CHANCE)
        number, case = draw(len(moves))
        entries.append(Entry(CHANCE, game.notation.written(position, moves[case]), draw=number))
        position = position.after(moves[case])
    return position, tuple(entries)
