"""Random walks through a game, for the laws that every game keeps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from games.core import CHANCE, Entry, Game, Position, Setting


def random_setting(game: Game, rng: random.Random) -> Setting:
    """A setting with random seats, options and beginner."""
    seats = rng.choice(list(game.seats))
    wishes = {option.key: rng.choice(option.values) for option in game.options}
    first = rng.randrange(seats) if game.begins[0] == "lot" else 0
    return game.setting(wishes, seats, first)


def walk(
    game: Game, setting: Setting, rng: random.Random, plies: int
) -> Iterator[tuple[Position[Any], Entry | None]]:
    """Positions of a random game and the entry that led to each."""
    position = game.start(setting)
    yield position, None
    for _ in range(plies):
        actors = sorted(position.actors())
        if not actors:
            return
        seat = rng.choice(actors)
        move = rng.choice(list(position.legal_moves(seat)))
        entry = Entry(
            seat, game.notation.written(position, move), draw=0 if seat == CHANCE else None
        )
        position = position.after(move)
        yield position, entry
