"""Menus: a chat plays any game by showing options and adding clicks to a path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.core.errors import IllegalMove, NotYourTurn, Refusal
from games.core.game import Game
from games.core.parts import Steps
from games.core.phrases import phrase
from games.core.position import Move, Position, Seat


@dataclass(frozen=True)
class Menu:
    """A question for the player: one of *options* continues *path*."""

    path: Steps
    options: Steps


def pick(game: Game, position: Position[Move], seat: Seat, path: Sequence[str] = ()) -> Menu | Move:
    """The next question after the clicks in *path*, or the whole move that they spell.

    A single option is asked for too. Raises ``NotYourTurn``, and ``IllegalMove`` for a path that
    leads nowhere.
    """
    if seat not in position.actors():
        raise NotYourTurn(seat)
    return follow(spelled(game, position, position.legal_moves(seat)), path)


def spelled(game: Game, position: Position[Move], moves: Iterable[Move]) -> Mapping[Steps, Move]:
    """*moves* by the steps that spell them."""
    return {game.menus.steps(position, move): move for move in moves}


def follow(moves: Mapping[Steps, Move], path: Sequence[str]) -> Menu | Move:
    """The same among *moves* by their steps, such as asides."""
    taken = tuple(path)
    if taken in moves:
        return moves[taken]
    depth = len(taken)
    options = tuple(dict.fromkeys(steps[depth] for steps in moves if steps[:depth] == taken))
    if not options:
        refusal = Refusal("", phrase("core.illegal", text=" ".join(taken)))
        raise IllegalMove(refusal)
    return Menu(taken, options)
