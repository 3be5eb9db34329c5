"""Random walks through a game with a generator of the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from games.core import Entry, Game, Position, Setting, laws


def random_setting(game: Game, rng: random.Random) -> Setting:
    """A setting with random seats, options and beginner."""
    return laws.random_setting(game, rng.randrange)


def walk(
    game: Game, setting: Setting, rng: random.Random, plies: int
) -> Iterator[tuple[Position[Any], Entry | None]]:
    """Positions of a random game and the entry that led to each."""
    return laws.walk(game, setting, rng.randrange, plies)
