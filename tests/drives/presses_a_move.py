"""What a player must press for a move: ``python -m tests.drives.presses_a_move [--games 40]``.

Random games of every kind, walked over the pages of keys that a chat shows, without a chat: double
taps and strangers do not count, nor does a second look. Twice: for a move drawn from all legal
ones, and for a key drawn on each page, as somebody does who plays by what is shown. Ends with 1
where a game takes more than ``LIMITS`` on Discord.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bot.port import Space
from bot.presenters.table.keyboard import page_of
from games.core import CHANCE, Game, Position, Seat
from games.core.move_parsing import spelled
from games.core.shelf import find_game, shelf
from tests.chat_capabilities import CAPABILITIES

LIMITS = {"niya": 1.02, "parchis": 1.0, "shogi": 1.8, "storilljudhjorrayc": 1.96, "cirya": 2.0}
"""The presses a move that a game may take on Discord, in the mean of all moves drawn by keys."""

MOVES = 300
"""After how many moves a game is left."""


def pressed(
    game: Game, position: Position[Any], seat: Seat, steps: Sequence[str], space: Space
) -> int:
    """How many keys must be pressed in *space* for the move that *steps* spell."""
    path: tuple[str, ...] = ()
    for count in range(1, 100):
        page = page_of(game, position, seat, path, space)
        found = [one for one in page.choices if one.path == tuple(steps[: len(one.path)])]
        if not found:
            assert page.turn is not None
            path = page.turn
            continue
        longest = max(found, key=lambda one: len(one.path))
        if longest.plays:
            return count
        path = longest.path
    raise AssertionError(steps)


def drawn(
    game: Game, position: Position[Any], seat: Seat, space: Space, rng: random.Random
) -> tuple[str, ...]:
    """The move of somebody who presses any key of each page."""
    path: tuple[str, ...] = ()
    while True:
        choice = rng.choice(page_of(game, position, seat, path, space).choices)
        path = choice.path
        if choice.plays:
            return path


def walked(game: Game, space: Space, rng: random.Random, *, by_keys: bool) -> Counter[int]:
    """How many moves of one game took how many presses."""
    position, counted = game.start(game.setting()), Counter[int]()
    for _ in range(MOVES):
        actors = position.actors()
        if not actors:
            break
        seat = rng.choice(sorted(actors))
        moves = position.legal_moves(seat)
        if seat == CHANCE:
            position = position.after(rng.choice(moves))
            continue
        spelt = spelled(game, position, moves)
        steps = drawn(game, position, seat, space, rng) if by_keys else rng.choice(sorted(spelt))
        counted[pressed(game, position, seat, steps, space)] += 1
        position = position.after(spelt[steps])
    return counted


def main() -> int:
    """Walk, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--chat", default="discord")
    asked = parser.parse_args()
    space, missed = CAPABILITIES[asked.chat].space, []
    for key in shelf():
        for by_keys in (True, False):
            counted = Counter[int]()
            for seed in range(asked.games):
                rng = random.Random(f"{key} {seed}")
                counted += walked(find_game(key), space, rng, by_keys=by_keys)
            mean = sum(n * times for n, times in counted.items()) / counted.total()
            how = "by keys" if by_keys else "of all moves"
            print(f"{key} {how}: {mean:.2f} presses a move, {dict(sorted(counted.items()))}")
            if asked.chat == "discord" and by_keys and mean > LIMITS.get(key, mean):
                missed.append(key)
    print(f"above the limit: {missed}")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
