"""A worker process: reads a position as one line of JSON, answers its move as one line.

Started by ``bot.computers.pool``; it runs niced and may be killed at any instant. A review tells
on lines before its answer how many of the decisions are ``done``, *of* how many.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from enum import StrEnum
from math import inf
from typing import Any

from games.core import Budget, Entry, Game, Position, Seat, Setting, advice, replay
from games.core.shelf import shelf


class Task(StrEnum):
    """What a worker may be asked for."""

    MOVE = "move"
    RULING = "ruling"
    HINT = "hint"
    ODDS = "odds"
    REVIEW = "review"


@dataclass
class Allowance:
    """A budget of the processor's time, *until* its clock says so, and of so many *nodes*.

    What others use of the processor does not count; each question is a node.
    """

    until: float
    nodes: float = inf

    def spent(self) -> bool:
        """Whether time or nodes are used up."""
        self.nodes -= 1
        return self.nodes < 0 or time.process_time() >= self.until


Along = Callable[[int, int], None]
"""Hears how many parts of a long task are done, and of how many."""

_TELLING = 1.0
"""Seconds after which a worker tells again how far it is."""


def silent(_done: int, _parts: int) -> None:
    """Tell nobody how far it is."""


def think(asked: dict[str, Any], budget: Budget, along: Along = silent) -> dict[str, Any]:
    """The answer to one question, by the task that it names; *along* hears of a long one."""
    game = shelf()[asked["game"]]
    setting = Setting(tuple(asked["sides"]), asked["options"], asked["first"])
    log = [Entry(seat, text, aside, number) for seat, text, aside, number in asked["log"]]
    seat, start = asked["seat"], game.start(setting)
    below: Callable[[int], int] = random.Random(asked["seed"]).randrange
    task = Task(asked.get("task", Task.MOVE))
    if task is Task.REVIEW:
        found = advice.weighed(game, start, log, _shares(asked["seconds"], along), below)
        return {"weighed": [astuple(one) for one in found]}
    position = replay(game, start, log).seen_by(seat)
    match task:
        case Task.RULING:
            return _ruling(game, position, seat, budget)
        case Task.ODDS:
            shares, games = advice.chances(game, position, budget, below)
            return {"shares": shares, "games": games}
        case Task.HINT:
            choice = advice.hint(game, position, seat, budget, below)
        case Task.MOVE:
            choice = game.choose(position, seat, asked["level"], budget, below)
    return {
        "move": game.notation.written(position, choice.move),
        "value": choice.value,
        "line": list(choice.line),
        "exact": choice.exact,
    }


def _shares(seconds: float, along: Along) -> advice.Share:
    """Parts of *seconds* of the processor, each from when it is asked for.

    *along* hears of the decisions alone: the last part is for the position at the end.
    """
    begun = itertools.count()

    def share(parts: int) -> Budget:
        along(next(begun), parts - 1)
        return Allowance(time.process_time() + seconds / parts)

    return share


def _telling() -> Along:
    """Tells how far a task is, from time to time."""
    last = time.monotonic()

    def tell(done: int, parts: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _TELLING:
            last = time.monotonic()
            print(json.dumps({"done": done, "of": parts}), flush=True)  # noqa: T201

    return tell


def _ruling(game: Game, position: Position[Any], seat: Seat, budget: Budget) -> dict[str, Any]:
    if game.judge is None:
        raise ValueError(f"nobody judges claims in {game.key}")
    ruling = game.judge(position, seat, budget)
    return {"move": game.notation.written(position, ruling.move), "line": list(ruling.line)}


def main() -> None:
    """Answer questions until the input ends or nobody listens any more."""
    os.nice(10)
    shelf()  # read before anybody waits for it
    for line in sys.stdin:
        asked, began = json.loads(line), time.process_time()
        budget = Allowance(began + asked["seconds"], asked.get("nodes", inf))
        try:
            answer = think(asked, budget, _telling())
            answer["took"] = time.process_time() - began
            print(json.dumps(answer), flush=True)  # noqa: T201
        except BrokenPipeError:
            # What is left would be written once more at the end, and complained about.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


if __name__ == "__main__":
    main()
