"""The program of a worker process: one line of JSON for a question, one for its answer.

``bot.service.computers.pool`` starts it; it runs niced and may be killed at any instant. Before its
answer a review reports its progress on lines with ``done``, ``of`` and what it has ``weighed``.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from enum import StrEnum
from functools import partial
from math import inf
from typing import Any

from bot.session.puzzle_mining import mined_from, proof_fault
from games.core import (
    Budget,
    Entry,
    Game,
    RuleError,
    Setting,
    advice,
    read_move,
    replay,
)
from games.core.advice import Comparing
from games.core.computer import Below, Curve
from games.core.recognition import read_file
from games.core.school import lesson_data, read_lesson
from games.core.shelf import shelf


class Task(StrEnum):
    """The kinds of questions to a worker."""

    MOVE = "move"
    RULING = "ruling"
    HINT = "hint"
    ODDS = "odds"
    REVIEW = "review"
    COMPARE = "compare"
    MINE = "mine"
    PROVE = "prove"
    READ = "read"


@dataclass
class Allowance:
    """A budget of CPU time *until* an instant of ``time.process_time``, and of *nodes*."""

    until: float
    nodes: float = inf

    def is_spent(self) -> bool:
        """Whether the time or the nodes are used up."""
        self.nodes -= 1
        return self.nodes < 0 or time.process_time() >= self.until


Along = Callable[[int, int, Sequence[Any]], None]
"""Takes the number of finished parts of a long task, that of all parts, and what they found."""

NICE, SPARING = 10, 19
"""How far a worker stands back, and one that works at leisure: behind everybody."""

SEEDS = 1 << 32
"""How many different lots there are."""

_TELLING = 1.0
"""Seconds between two progress lines."""


def silent(_done: int, _parts: int, _found: Sequence[Any]) -> None:
    """Report no progress."""


def think(asked: dict[str, Any], budget: Budget, along: Along = silent) -> dict[str, Any]:
    """The answer to one question; *along* takes the progress of a long one."""
    task = Task(asked.get("task", Task.MOVE))
    if task is Task.READ:
        return _read(**asked["about"])
    game = shelf()[asked["game"]]
    below: Below = random.Random(asked["seed"]).randrange
    if task in (Task.COMPARE, Task.PROVE):
        # The answer to a *task* about a position that is posed, not played.
        if task is Task.COMPARE:
            return {"lost": _loss(game, asked, below)}
        fault = proof_fault(game, read_lesson(game.key, asked["lesson"]), below(SEEDS), budget)
        # A budget that ran out has proved nothing, one way or the other.
        return {"fault": fault, "decided": not budget.is_spent()}
    sides, start = tuple(asked["sides"]), asked.get("start", "")
    setting = Setting(sides, asked["options"], asked["first"], start)
    log = [Entry(seat, text, aside, number) for seat, text, aside, number in asked["log"]]
    seat, begun = asked["seat"], game.start(setting)
    if task is Task.MINE:
        lessons = mined_from(game, begun, log, below(SEEDS), budget)
        return {"lessons": [lesson_data(one) for one in lessons]}
    curve = Curve(*asked.get("about", {}).get("curve", ()))
    if task is Task.REVIEW:
        found: list[Any] = []
        weighed = advice.weighing(game, begun, log, _shares(asked["seconds"], along, found), below)
        found.extend(astuple(one.with_curve(curve)) for one in weighed)
        return {"weighed": found}
    position = replay(game, begun, log).seen_by(seat)
    match task:
        case Task.RULING:
            if game.rules.judge is None:
                raise ValueError(f"nobody judges claims in {game.key}")
            ruling = game.rules.judge(position, seat, budget)
            return {"move": game.notation.written(position, ruling.move), "line": list(ruling.line)}
        case Task.ODDS:
            shares, games = advice.chances(game, position, budget, below, curve.level)
            return {"shares": [*map(curve.chance, shares)], "games": games or curve.games}
        case Task.HINT:
            choice = advice.hint(game, position, seat, budget, below)
        case Task.MOVE:
            choice = game.computer.choose(position, seat, asked["level"], budget, below)
    return {
        "move": game.notation.written(position, choice.move),
        "value": choice.value if choice.exact else curve.value(choice.value),
        "line": list(choice.line),
        "exact": choice.exact,
    }


def _read(text: str, number: str) -> dict[str, Any]:
    """How far the game *number* of a file is understood: what takes too long is ended by then."""
    with suppress(RuleError):
        return {"plies": len(read_file(text, shelf(), int(number)).record.log)}
    return {"plies": 0}


def _loss(game: Game, asked: dict[str, Any], below: Below) -> float | None:
    """What a move gives away against the best one in the position that is *asked* about."""
    told, share = asked["about"], asked["seconds"] / 2

    def budget() -> Budget:
        return Allowance(time.process_time() + share)

    position = game.notation.read(told["position"], asked["options"])
    comparing = Comparing(game, position, asked["seat"], budget, below)
    read = partial(read_move, game, position, asked["seat"])
    return comparing.lost(read(told["move"]), read(told["best"]))


def _shares(seconds: float, along: Along, found: Sequence[Any]) -> advice.Share:
    """Divides *seconds* of CPU into parts, each counted from its request.

    *along* counts the decisions alone, of which *found* are weighed: the last part is for the
    final position.
    """
    begun = itertools.count()

    def share(parts: int) -> Budget:
        along(next(begun), parts - 1, found)
        return Allowance(time.process_time() + seconds / parts)

    return share


def _telling() -> Along:
    """Prints progress lines, at most one each ``_TELLING`` seconds."""
    last = time.monotonic()

    def tell(done: int, parts: int, found: Sequence[Any]) -> None:
        nonlocal last
        if time.monotonic() - last >= _TELLING:
            last = time.monotonic()
            print(json.dumps({"done": done, "of": parts, "weighed": found}), flush=True)  # noqa: T201

    return tell


def serve() -> None:
    """Answer questions until the input or the reader ends."""
    os.nice(SPARING if "--sparing" in sys.argv else NICE)
    shelf()  # imported before the first question
    gc.set_threshold(50_000)  # a search makes many objects that stay, and no cycles
    for line in sys.stdin:
        asked, began = json.loads(line), time.process_time()
        budget = Allowance(began + asked["seconds"], asked.get("nodes", inf))
        try:
            answer = think(asked, budget, _telling())
            answer["took"] = time.process_time() - began
            print(json.dumps(answer), flush=True)  # noqa: T201
        except BrokenPipeError:
            # The buffer would be flushed again at exit, with a traceback.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


if __name__ == "__main__":
    serve()
