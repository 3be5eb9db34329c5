"""A worker process: reads a position as one line of JSON, answers its move as one line.

Started by ``bot.computers.pool``; it runs niced and may be killed at any instant.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core import Entry, Game, Setting, replay


@dataclass(frozen=True)
class Deadline:
    """A budget in seconds."""

    until: float

    def spent(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.until


def think(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to one question: the move as notation, the value, the line expected."""
    # Only the game that is asked about: a worker must be quick to start.
    game: Game = importlib.import_module(f"games.{asked['game']}").GAME
    setting = Setting(tuple(asked["sides"]), asked["options"], asked["first"])
    log = [Entry(seat, text, aside, number) for seat, text, aside, number in asked["log"]]
    seat = asked["seat"]
    position = replay(game, game.start(setting), log).seen_by(seat)
    below: Callable[[int], int] = random.Random(asked["seed"]).randrange
    budget = Deadline(time.monotonic() + asked["seconds"])
    choice = game.choose(position, seat, asked["level"], budget, below)
    return {
        "move": game.notation.written(position, choice.move),
        "value": choice.value,
        "line": list(choice.line),
        "exact": choice.exact,
    }


def main() -> None:
    """Answer questions until the input ends or nobody listens any more."""
    os.nice(10)
    for line in sys.stdin:
        try:
            print(json.dumps(think(json.loads(line))), flush=True)  # noqa: T201
        except BrokenPipeError:
            # What is left would be written once more at the end, and complained about.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


if __name__ == "__main__":
    main()
