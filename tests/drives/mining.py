"""What finished games of computers yield in puzzles, at what price, and whether each is right.

``python -m tests.drives.mining GAME FILE --games 200``. Two different levels by lot play each game
to its end; then it is mined as the worker mines a game of the house, and every puzzle is proved by
the second opinion of ``tests.puzzle_proofs``. FILE keeps what was found, so that the work can go
on. ``--nodes`` limits each move of the games, not the mining. Shogi needs a C++ compiler.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any

from bot.service.computers.worker import Allowance
from bot.service.puzzle_miner import SECONDS
from bot.session.puzzle_mining import mined_from
from games.core import Game
from games.core.school import lesson_data, read_lesson
from games.core.shelf import find_game, shelf
from tests.drives.every_puzzle import faults
from tests.tools.arena.match import Course, Match, arranged
from tests.tools.arena.players import player

OPENINGS = 2
"""How many plies are played at random first."""

PLIES = 4_000
"""Where a game is broken off."""

SEED = 1
"""The luck with which Parchís is played out for the second opinion."""


@dataclass(frozen=True)
class MinedGame:
    """Game *number* between *levels*, by seat, of so many *plies*, and the *lessons* found in it.

    Mining took so many CPU *seconds*; *ended* says whether the game came to its end.
    """

    number: int
    levels: tuple[int, int]
    plies: int
    ended: bool
    seconds: float
    lessons: list[Any]


def mined_game(game: Game, number: int, seed: str, nodes: float, seconds: float) -> MinedGame:
    """Play game *number* and mine it for at most so many CPU *seconds*."""
    named = f"{seed}:{number}"
    lot = random.Random(named)
    first, second = lot.sample(range(1, game.levels + 1), 2)
    course = finished(game, (first, second), named, nodes)
    began = time.process_time()
    budget = Allowance(began + seconds)
    start = game.start(course.setting)
    found = mined_from(game, start, course.log, lot.randrange(1 << 32), budget)
    lessons = [lesson_data(one) for one in found]
    spent = time.process_time() - began
    ended = course.position.outcome() is not None
    return MinedGame(number, (first, second), len(course.log), ended, spent, lessons)


def finished(game: Game, levels: tuple[int, int], seed: str, nodes: float) -> Course:
    """A game between *levels*, by seat, to its end, with at most so many *nodes* a move."""
    named = (str(levels[0]), str(levels[1]))
    match = Match(game.key, *named, openings=OPENINGS, plies=PLIES, seed=seed)
    both = [player(level, game, nodes, inf) for level in named]
    course = arranged(game, match, seed, both)
    while course.position.actors() and len(course.log) < PLIES:
        seat = min(course.position.actors())
        course.play(seat, both[seat].move(course.moment(seat, seed)).move)
    return course


def gathered(
    game: Game, file: Path, games: int, seed: str, nodes: float, seconds: float
) -> Iterator[MinedGame]:
    """So many *games*, of which *file* keeps those that were mined before."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    known = {one["number"]: MinedGame(**one) for one in map(json.loads, lines)}
    for number in range(games):
        if number not in known:
            known[number] = mined_game(game, number, seed, nodes, seconds)
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(asdict(known[number]), ensure_ascii=False) + "\n")
        yield known[number]


def told(game: Game, found: Sequence[MinedGame]) -> Iterator[str]:
    """How many puzzles the games yielded, how fast, and what is wrong with them."""
    every = {one["position"]: one for each in found for one in each.lessons}
    lessons = [read_lesson(game.key, one) for one in every.values()]
    minutes = sum(one.seconds for one in found) / 60
    yield (
        f"{game.key}: {len(found)} games, {sum(one.ended for one in found)} to their end, "
        f"{len(lessons)} puzzles in {sum(bool(one.lessons) for one in found)} of them; "
        f"mining took {minutes:.1f} CPU minutes, {len(lessons) / minutes:.1f} a minute"
    )
    wrong = [(one, fault) for one, fault in faults(game.key, SEED, lessons) if fault]
    for one, fault in wrong:
        yield f"WRONG  {one.position}: {fault}"
    yield f"{game.key}: proved by a second program: {len(lessons)} puzzles, {len(wrong)} wrong"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, mine, prove and tell; 1 where a puzzle is wrong."""
    able = [key for key, game in shelf().items() if game.pose is not None]
    parser = argparse.ArgumentParser(prog="python -m tests.drives.mining", description=__doc__)
    parser.add_argument("game", choices=able)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=150, help="positions a move; 0: as many")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds a game")
    parser.add_argument("--seed", default="mined")
    asked = parser.parse_args(arguments)
    game = find_game(asked.game)
    found = gathered(game, asked.file, asked.games, asked.seed, asked.nodes or inf, asked.seconds)
    lines = list(told(game, list(found)))
    sys.stdout.write("\n".join(lines) + "\n")
    return int(any(line.startswith("WRONG") for line in lines))


if __name__ == "__main__":
    sys.exit(main())
