"""A worker process: reads a position as one line of JSON, answers its move as one line.

Started by ``bot.computers.pool``; it runs niced and may be killed at any instant.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core import Budget, Entry, Setting, replay
from games.core.shelf import shelf


@dataclass(frozen=True)
class Deadline:
    """A budget in seconds of the processor: what others use of it does not count."""

    until: float

    def spent(self) -> bool:
        """Whether the time is over."""
        return time.process_time() >= self.until


def think(asked: dict[str, Any], budget: Budget) -> dict[str, Any]:
    """The answer to one question: the move as notation, the value, the line expected."""
    game = shelf()[asked["game"]]
    setting = Setting(tuple(asked["sides"]), asked["options"], asked["first"])
    log = [Entry(seat, text, aside, number) for seat, text, aside, number in asked["log"]]
    seat = asked["seat"]
    position = replay(game, game.start(setting), log).seen_by(seat)
    below: Callable[[int], int] = random.Random(asked["seed"]).randrange
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
    shelf()  # read before anybody waits for it
    for line in sys.stdin:
        asked, began = json.loads(line), time.process_time()
        answer = think(asked, Deadline(began + asked["seconds"]))
        answer["took"] = time.process_time() - began
        try:
            print(json.dumps(answer), flush=True)  # noqa: T201
        except BrokenPipeError:
            # What is left would be written once more at the end, and complained about.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


if __name__ == "__main__":
    main()
