"""How fast Cirya counts its moves, and how long its computer player thinks.

Run by hand from the root of the project::

    python -m tests.benchmarks.cirya

Perft of the published positions goes through the positions that tables play with, so that
``ludoteca perft`` is as fast. The yardstick of the same run is the perft of python-shogi,
where that is installed (``pip install python-shogi``); it is no dependency of the project.
"""

from __future__ import annotations

import importlib
import random
import statistics
import time
from typing import Any

from games.cirya import GAME
from games.cirya.computer import LEVELS, choose
from games.core.search import perft

TAK = GAME.chosen({"carry_limit": "board"})
ROWS = (
    ("4×4 from the start", "/".join(["x4"] * 4) + " 1 1", 4, 216_464),
    ("5×5 from the start", "/".join(["x5"] * 5) + " 1 1", 4, 2_999_784),
    ("6×6 from the start", "/".join(["x6"] * 6) + " 1 1", 4, 13_586_048),
    ("5×5 with a tall nossë", "x5/x5/x2,121212C,x2/1,x4/1,x4 2 7", 3, 592_645),
)
YARDSTICK_DEPTH = 3


def shogi_speed() -> float | None:
    """Nodes a second of python-shogi's perft, or ``None`` where it is not installed."""
    try:
        shogi: Any = importlib.import_module("shogi")
    except ImportError:
        return None

    def count(board: Any, depth: int) -> int:
        if depth == 1:
            return sum(1 for _ in board.legal_moves)
        nodes = 0
        for move in list(board.legal_moves):
            board.push(move)
            nodes += count(board, depth - 1)
            board.pop()
        return nodes

    begun = time.perf_counter()
    nodes = count(shogi.Board(), YARDSTICK_DEPTH)
    return nodes / (time.perf_counter() - begun)


class Never:
    """A budget without a clock."""

    def is_spent(self) -> bool:
        """Never."""
        return False


def thinking(level: int, games: int = 3) -> list[float]:
    """Seconds a ply in games of *level* against itself."""
    taken = []
    for seed in range(games):
        below = random.Random(seed).randrange
        position = GAME.start(GAME.setting())
        for _ in range(30):
            if position.end:
                break
            begun = time.perf_counter()
            move = choose(position, position.board.mover, level, Never(), below).move
            taken.append(time.perf_counter() - begun)
            position = position.after(move)
    return taken


def main() -> None:
    """Print the two tables."""
    yardstick = shogi_speed()
    told = "not here: pip install python-shogi" if yardstick is None else f"{yardstick:,.0f}/s"
    print(f"python-shogi, perft {YARDSTICK_DEPTH} from the start: {told}")
    print(f"{'perft':26}{'depth':>6}{'nodes':>14}{'nodes/s':>14}{'ratio':>8}")
    for name, tps, depth, nodes in ROWS:
        position = GAME.notation.read(tps, TAK)
        begun = time.perf_counter()
        assert perft(position, depth) == nodes
        speed = nodes / (time.perf_counter() - begun)
        ratio = f"{speed / yardstick:.0f}×" if yardstick else "-"
        print(f"{name:26}{depth:>6}{nodes:>14,}{speed:>14,.0f}{ratio:>8}")
    print(f"{'computer':26}{'plies':>6}{'median s':>14}{'worst s':>14}")
    for level in range(1, LEVELS + 1):
        taken = thinking(level)
        print(
            f"{f'level {level}':26}{len(taken):>6}{statistics.median(taken):>14.3f}"
            f"{max(taken):>14.3f}"
        )


if __name__ == "__main__":
    main()
