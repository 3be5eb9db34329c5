"""``python -m tests.tools.chances GAME FILE``: whether the chances came true that the house told.

Levels play against themselves; in each sixth of a game the house is asked once for the chances
of whoever is to move. Told is, by level, how well they agree with the end as the curve that ships
bends them, and which curve fits best: its line for ``bot/service/computers/curves.txt``. Give
another ``--seed`` than that of the games to which the curves were fitted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.service.computers.chances import shipped_curve
from tests.tools.chances.points import LEVELS, Point, Wanted, gathered
from tests.tools.chances.truth import brier, by_stage, fitted, reliability, tenths


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
    for line in told(asked.game, points):
        sys.stdout.write(line + "\n")


def told(game: str, points: Sequence[Point]) -> Iterator[str]:
    """What was found, level by level."""
    for level in sorted({one.level for one in points}):
        raw = [one for one in points if one.level == level]
        games = len({one.game for one in raw})
        curve = shipped_curve(game, level)
        here = [replace(one, chance=curve.chance(one.chance)) for one in raw]
        yield f"level {level}: {len(here)} points of {games} games"
        yield f"Brier {brier(here):.3f}; {by_stage(here):.3f} of who says the mean of the sixth"
        yield f"reliability {reliability(here):.4f}"
        for said in tenths(here):
            yield f"said {said.said:.0%}, won {said.won:.0%} ({said.points})"
        best = fitted(raw, curve)
        yield f"fits best: {game} {level} {best.steepness:.2f} {best.overlooked:g} {games}"


if __name__ == "__main__":
    main()
