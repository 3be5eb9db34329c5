"""Whether a review finds the one blunder that was planted in a game.

``python -m tests.drives.planted GAME --games 40``. A middle level plays against itself; at a moment
by lot, where the game is open, a good move is replaced by one that loses by the opinion of the
highest level, and the game goes on to its end. Told is in how many games the review of whoever
blundered names that move, and as which of its moments, the costliest first.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Any

from bot.presenters.analysis import moments
from bot.service.computers.worker import Allowance
from games.core import CHANCE, Game, Seat, advice
from games.core.shelf import find_game
from tests.tools.arena.match import Course, Match, arranged
from tests.tools.arena.players import Level, player

LEVELS = {"shogi": 7, "cirya": 5, "storilljudhjorrayc": 8, "parchis": 3, "niya": 3}
"""Who plays: levels that seldom blunder themselves."""

EARLIEST = {"shogi": 20, "cirya": 8, "storilljudhjorrayc": 16, "parchis": 60, "niya": 17}
"""After how many entries of the log a blunder is planted at the earliest."""

WITHIN = 30
"""At how many moments from then on a blunder may be planted: the first that offers one is taken."""

OPEN, COSTS = 0.5, 0.6
"""Up to which value, from -1 to 1, a game is open, and what a blunder costs at least."""

CHANCY = 0.3
"""What it costs where dice decide too: fifteen points of a hundred."""

PLIES = 600


def planted(game: Game, nodes: int, seed: str) -> tuple[Course, int, Seat] | None:
    """A game with a blunder, the number of its entry and whose it is; ``None`` where none was."""
    lot = random.Random(seed)
    options = {"setup": "fixed"} if game.key == "storilljudhjorrayc" else {}
    level = str(LEVELS[game.key])
    match = Match(game.key, level, level, options, openings=2, plies=PLIES, seed=seed)
    who = player(level, game, nodes, inf)
    course = arranged(game, match, seed, (who, who))
    blunder: tuple[int, Seat] | None = None
    earliest = EARLIEST[game.key] + lot.randrange(WITHIN // 3)
    while course.position.actors() and len(course.log) < PLIES:
        seat = min(course.position.actors())
        move = who.move(course.moment(seat, seed)).move
        due = earliest <= len(course.log) < earliest + WITHIN
        if blunder is None and due:
            worse = _losing(game, course.position, seat, nodes, lot)
            if worse is not None:
                move, blunder = worse, (len(course.log), seat)
        course.play(seat, move)
    return None if blunder is None else (course, *blunder)


def _losing(game: Game, position: Any, seat: Seat, nodes: int, lot: random.Random) -> Any:
    """A move by lot that throws an open game away; ``None`` where there is none."""
    if seat == CHANCE or len(position.legal_moves(seat)) < 2:
        return None
    if game.weigh is not None:
        values = game.weigh(position, seat, Allowance(inf))
        best = max(value for _, value in values)
        lost = [move for move, value in values if best - value >= CHANCY]
        return lot.choice(lost) if lost and abs(best) < 2 * OPEN else None
    highest = Level(game.levels, nodes, inf)
    best = _value(game, position, seat, highest, lot)
    exact = game.key == "niya"
    if not exact and abs(best) > OPEN:
        return None
    moves = list(position.legal_moves(seat))
    for move in lot.sample(moves, min(8, len(moves))):
        then = position.after(move)
        if then.actors() != {1 - seat}:
            continue
        if best + _value(game, then, 1 - seat, highest, lot) >= COSTS:
            return move
    return None


def _value(game: Game, position: Any, seat: Seat, highest: Level, lot: random.Random) -> float:
    budget = Allowance(inf, highest.nodes)
    return game.choose(position.seen_by(seat), seat, highest.level, budget, lot.randrange).value


def rank(game: Game, course: Course, number: int, seat: Seat, nodes: int) -> int:
    """As which of the moments of *seat* the review names entry *number*, from 1; 0 for none."""
    start = game.start(course.setting)
    lot = random.Random(number)
    found = advice.weighed(game, start, course.log, lambda _: Allowance(inf, nodes), lot.randrange)
    own = sorted(moments(found, seat), key=lambda one: -one.weighed.lost)
    named = [n for n, one in enumerate(own, 1) if one.weighed.number == number]
    return named[0] if named else 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Plant, review and tell."""
    planting = argparse.ArgumentParser(prog="python -m tests.drives.planted", description=__doc__)
    planting.add_argument("game", choices=LEVELS)
    planting.add_argument("--games", type=int, default=40)
    planting.add_argument("--nodes", type=int, default=2_000, help="positions a question")
    planting.add_argument("--seed", default="planted")
    asked = planting.parse_args(arguments)
    game, ranks, number = find_game(asked.game), Counter[int](), 0
    while ranks.total() < asked.games:
        found = planted(game, asked.nodes, f"{asked.seed}:{number}")
        number += 1
        if found is not None:
            ranks[rank(game, *found, asked.nodes)] += 1
            sys.stderr.write(f"{ranks.total()}: {dict(ranks)}\n")
    told = ", ".join(f"as number {n} {count}" for n, count in sorted(ranks.items()) if n)
    sys.stdout.write(f"{asked.game}: {ranks.total()} games; {told}; not named {ranks[0]}\n")


if __name__ == "__main__":
    main()
