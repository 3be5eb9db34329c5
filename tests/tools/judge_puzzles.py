"""``python -m tests.tools.judge_puzzles [GAME …] [--count N] [--times 5]``: a stricter look.

Of N shipped puzzles of each game by lot it says in how many the highest level, which sees so many
times as much as when they were chosen, agrees that every answer is as good as the best move after
its whole line, and that the game is not lost by it. What it does not agree with is told.
"""

from __future__ import annotations

import argparse
import random
import time

from bot.session.puzzle_mining import WORTH, is_dear
from games.core.school import Lesson, puzzles
from games.core.shelf import find_game, shelf

WANTED = 0.97
"""The part of all that it should agree with at least."""


def doubtful(game: str, count: int, times: int, seed: int) -> tuple[int, list[Lesson]]:
    """How many puzzles of *game* were looked at, and those with an answer that is not the best."""
    every = puzzles(find_game(game))
    lot = random.Random(seed).sample(every, min(count, len(every)))
    return len(lot), [one for one in lot if is_dear(find_game(game), one, times * WORTH)]


def main() -> None:
    """Judge what the command line asks for; ends with 1 where too little is agreed with."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="*", default=list(shelf()))
    asked.add_argument("--count", type=int, default=100)
    asked.add_argument("--times", type=int, default=5)
    asked.add_argument("--seed", type=int, default=1)
    given, low = asked.parse_args(), False
    for game in given.games:
        began = time.process_time()
        many, bad = doubtful(game, given.count, given.times, given.seed)
        for one in bad:
            print(f"DOUBTFUL  {game} {one.code} {one.theme}: {one.position}")
        agreed = 1 - len(bad) / max(1, many)
        low = low or agreed < WANTED
        spent = time.process_time() - began
        print(f"{game}: agrees with {many - len(bad)} of {many} ({agreed:.0%}), {spent:.0f} CPU s")
    raise SystemExit(int(low))


if __name__ == "__main__":
    main()
