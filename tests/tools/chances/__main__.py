"""``python -m tests.tools.chances GAME FILE``: whether the chances came true that the house told.

Levels play against themselves; in each quarter of a game the house is asked once for the chances
of whoever is to move, and told is how well they agree with the end. Give another ``--seed`` than
that of the games to which a curve was fitted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.tools.chances.points import LEVELS, STAGES, Point, Wanted, gathered
from tests.tools.chances.truth import brier, fifths, half, steepness


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, ask and tell."""
    chances = argparse.ArgumentParser(prog="python -m tests.tools.chances", description=__doc__)
    chances.add_argument("game", choices=LEVELS)
    chances.add_argument("file", type=Path, help="keeps the points: the work can go on")
    chances.add_argument("--games", type=int, default=400)
    chances.add_argument("--seed", default="test")
    chances.add_argument("--nodes", type=int, default=0, help="positions a question; 0: as many")
    asked = chances.parse_args(arguments)
    wanted = Wanted(asked.game, asked.seed, asked.nodes)
    points = [one for game in gathered(wanted, asked.games, asked.file) for one in game]
    for line in told(points):
        sys.stdout.write(line + "\n")


def told(points: Sequence[Point]) -> Iterator[str]:
    """What was found, in a few lines."""
    games = len({one.game for one in points})
    yield f"{len(points)} points of {games} games"
    yield f"Brier {brier(points):.3f}; {half(points):.3f} of who always says a half"
    for stage in range(STAGES):
        here = [one for one in points if one.stage == stage]
        yield f"quarter {stage + 1}: {brier(here):.3f} ({len(here)})"
    for said in fifths(points):
        yield f"said {said.said:.0%}, won {said.won:.0%} ({said.points})"
    proved = [one for one in points if one.proved]
    if proved:
        right = sum(abs(one.chance - one.won) < 0.5 for one in proved)
        yield f"proved: {right} of {len(proved)} came so"
    if len(proved) < len(points):
        yield f"the log odds fit best {steepness(points):.3f} times as steep"
        for level in sorted({one.level for one in points}):
            here = [one for one in points if one.level == level]
            scored = f"Brier {brier(here):.3f} ({len(here)})"
            yield f"level {level}: {steepness(here):.3f} times, {scored}"


if __name__ == "__main__":
    main()
