"""How heavy each part of a computer's judgement should be, learnt from games against itself.

    python -m tests.drives.tuning play cirya games.jsonl --games 300 --nodes 1500 --seed a
    python -m tests.drives.tuning fit cirya games.jsonl

``play`` adds games of the highest level to the file. ``fit`` looks for the weights that foretell
the winners best: a logistic regression on what each weight adds to ``glance``, which must be a sum
of weights («Texel tuning», after the chess program that made it known). It prints the weights as
they are and as they should be, in the same measure, and how well both foretell every fifth game,
which they have not seen; the smaller the better, 0.693 knows nothing. What it says is a proposal:
the arena decides.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from math import exp, inf, log
from pathlib import Path
from typing import Any

from bot.service.computers.worker import Allowance
from games.core import Game, Position, read_move
from games.core.shelf import find_game
from tests.drives.weights import WEIGHTS, Weight, weights

HUSHED: dict[str, dict[str, int]] = {
    "storilljudhjorrayc": {"BOLDEST": 0, "LEAST": -1_000_000},
}
"""By game what has limits, so that there is no sum with it, and where it has none."""

LONGEST = 300
"""Plies after which a game is broken off, drawn."""

CLEAR = 0.95
"""What the computer is so sure of needs no judgement any more."""

LOUD = 180
"""What changes the judgement by more is an exchange, in whose middle it is no use to judge."""

STEP = 3_000
"""By how much a weight is raised to see what it counts for: judgements are rounded."""

TESTED = 5
"""One game in so many is kept to test what the others taught."""

ROUNDS = 8
PULLS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
"""How firmly the present weights are believed; what foretells unseen games best is taken."""


@dataclass(frozen=True)
class Sample:
    """A position: what each weight counts for, and how its game ended: 1 won, 0 lost."""

    game: int
    counts: tuple[float, ...]
    end: float


@contextmanager
def hushed(key: str) -> Iterator[None]:
    """Let what is ``HUSHED`` of the game *key* have no limits meanwhile."""
    module, quiet = import_module(WEIGHTS[key][0]), HUSHED.get(key, {})
    found = [Weight(module, name) for name in quiet]
    values = [one.value for one in found]
    for one in found:
        one.put(quiet[one.name])
    try:
        yield
    finally:
        for one, value in zip(found, values, strict=True):
            one.put(value)


def play(key: str, nodes: int, seed: str) -> dict[str, Any]:
    """One game of the highest level with *nodes* positions a move, opened at random."""
    game, chance = find_game(key), random.Random(seed)
    position = game.start(game.setting({}, seats=2))
    opening = chance.randrange(2, 9)
    moves: list[str] = []
    sure: list[bool] = []
    while position.actors() and len(moves) < LONGEST:
        seat = min(position.actors())
        overdue, budget = bool(position.overdue(seat)), Allowance(inf, nodes)
        if len(moves) < opening and not overdue:
            move, clear = chance.choice(position.legal_moves(seat)), True
        else:
            seen = position.seen_by(seat)
            choice = game.choose(seen, seat, game.levels, budget, chance.randrange)
            move, clear = choice.move, overdue or abs(choice.value) > CLEAR
            clear = clear or _takes(game, position, move, seat)
        moves.append(game.notation.written(position, move))
        sure.append(clear)
        position = position.after(move)
    end = position.outcome()
    return {"moves": moves, "sure": sure, "winner": None if end is None else end.winner}


@dataclass(frozen=True)
class Stand:
    """Where *seat* had to judge *position* in the game of this number, and how it ended for it."""

    game: int
    position: Position[Any]
    seat: int
    end: float


def _takes(game: Game, position: Position[Any], move: Any, seat: int) -> bool:
    """Whether *move* changes at once how *position* looks by more than a move should."""
    assert game.glance is not None
    change = game.glance(position.after(move), seat) - game.glance(position, seat)
    return abs(change) > LOUD


def stands(game: Game, files: Sequence[Path]) -> Iterator[Stand]:
    """The positions of the games in *files* that needed judgement."""
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    for number, line in enumerate(lines, 1):
        told = json.loads(line)
        position = game.start(game.setting({}, seats=2))
        for text, sure in zip(told["moves"], told["sure"], strict=True):
            seat = min(position.actors())
            if not sure:
                end = 0.5 if told["winner"] is None else float(told["winner"] == seat)
                yield Stand(number, position, seat, end)
            position = position.after(read_move(game, position, seat, text))


def samples(
    game: Game, stood: Sequence[Stand], found: Sequence[Weight]
) -> tuple[list[Weight], list[Sample]]:
    """Those of the weights *found* that ever count in *stood*, and for what they count."""
    assert game.glance is not None

    def looks() -> list[float]:
        return [game.glance(stand.position, stand.seat) for stand in stood]  # type: ignore[misc]

    base, counting, columns = looks(), [], []
    for weight in found:
        value = weight.value
        weight.put(value + STEP)
        column = [(there - here) / STEP for there, here in zip(looks(), base, strict=True)]
        weight.put(value)
        if any(column):
            counting.append(weight)
            columns.append(column)
    rows = zip(*columns, strict=True)
    return counting, [
        Sample(stand.game, tuple(row), stand.end) for stand, row in zip(stood, rows, strict=True)
    ]


def loss(learnt: Sequence[float], told: Sequence[Sample]) -> float:
    """How badly *learnt* foretells the ends of *told*: the mean of the surprise."""
    total = 0.0
    for one in told:
        foretold = _chance(learnt, one)
        total -= one.end * log(foretold) + (1 - one.end) * log(1 - foretold)
    return total / len(told)


def _chance(learnt: Sequence[float], one: Sample) -> float:
    value = _sum(learnt, one)
    return min(max(1 / (1 + exp(-max(-30.0, min(30.0, value)))), 1e-9), 1 - 1e-9)


def _sum(by: Sequence[float], one: Sample) -> float:
    """What *one* is worth with the weights *by*."""
    return sum(a * b for a, b in zip(by, one.counts, strict=True))


def fit(told: Sequence[Sample], prior: Sequence[float], pull: float) -> list[float]:
    """The weights that foretell *told* best and are not far from *prior*, by Newton's method.

    *pull* is how much the square of a difference weighs, in units in which a weight counts for 1.
    """
    width, learnt = len(prior), list(prior)
    spread = [sum(one.counts[at] ** 2 for one in told) * 2 * pull for at in range(width)]
    for _ in range(ROUNDS):
        slope = [by * (a - b) for by, a, b in zip(spread, prior, learnt, strict=True)]
        bend = [[spread[a] * (a == b) for b in range(width)] for a in range(width)]
        for one in told:
            foretold = _chance(learnt, one)
            there = [(at, count) for at, count in enumerate(one.counts) if count]
            for a, count in there:
                slope[a] += (one.end - foretold) * count
                row, by = bend[a], foretold * (1 - foretold) * count
                for b, other in there:
                    row[b] += by * other
        learnt = [a + b for a, b in zip(learnt, solved(bend, slope), strict=True)]
    return learnt


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of the linear equations *matrix* · x = *right*, which must have one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        best = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(len(rows)):
            if row != at and rows[row][at]:
                by = rows[row][at] / rows[at][at]
                rows[row] = [a - by * b for a, b in zip(rows[row], rows[at], strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def told(key: str, files: Sequence[Path]) -> Iterator[str]:
    """What the games in *files* teach, line by line."""
    game = find_game(key)
    stood = list(stands(game, files))
    if not stood or stood[-1].game < TESTED:
        yield f"at least {TESTED} games are needed"
        return
    with hushed(key):
        found, every = samples(game, stood, weights(key))
    seen = [one for one in every if one.game % TESTED]
    unseen = [one for one in every if not one.game % TESTED]
    yield f"{len(every)} positions of {every[-1].game} games"
    present = [float(weight.value) for weight in found]
    sums = [Sample(one.game, (_sum(present, one),), one.end) for one in seen]
    scale = fit(sums, [0.0], 0.0)[0]
    prior = [scale * one for one in present]
    yield f"surprise: {loss(prior, unseen):.4f} as it is"
    tried = [(loss(learnt := fit(seen, prior, pull), unseen), pull, learnt) for pull in PULLS]
    for surprise, pull, _ in tried:
        yield f"          {surprise:.4f} learnt with a pull of {pull:g}"
    learnt = min(tried)[2]
    unit = found[0].value / learnt[0]
    for weight, one in zip(found, learnt, strict=True):
        yield f"{weight!s:16} {weight.value:6} {one * unit:8.1f}"


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.drives.tuning")
    parser.add_argument("do", choices=("play", "fit"))
    parser.add_argument("game", choices=sorted(WEIGHTS))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=1_500)
    parser.add_argument("--seed", default="tuning")
    asked = parser.parse_args()
    if asked.do == "fit":
        for line in told(asked.game, asked.files):
            print(line)
        return
    with asked.files[0].open("a", encoding="utf-8") as file:
        for number in range(asked.games):
            game = play(asked.game, asked.nodes, f"{asked.seed}:{number}")
            file.write(json.dumps(game) + "\n")


if __name__ == "__main__":
    main()
