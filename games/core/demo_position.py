"""A game's demo: a few moves to a position worth a picture."""

from __future__ import annotations

from typing import Any

from games.core.chance import public_draws
from games.core.game import Game, Setting
from games.core.move_parsing import read_move, settle
from games.core.position import Position


def demo_position(game: Game, setting: Setting, *, played: bool = True) -> Position[Any]:
    """The position of *setting* after the moves of the demo, or before them if not *played*."""
    position, drawn = settle(game, game.start(setting), public_draws())
    for text in game.demo if played else ():
        (seat, *_) = sorted(position.actors())
        position = position.after(read_move(game, position, seat, text))
        position, more = settle(game, position, public_draws(len(drawn)))
        drawn += more
    return position
