"""How fast Niya is solved: the exact value of all twelve first cards of whole deals.

Run by hand from the root of the project, with the number of deals if not 50::

    python -m tests.benchmarks.niya 250

Every deal is solved from the empty table with an empty memory, once for each reading of the
full board (S1): who wins with each card, then the number of plies as well. The yardstick of
the same run is plain minimax over the rule book, without pruning or table, on positions with
nine cards left; the ratio says how many of those one whole deal costs.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from games.niya.board import completing
from games.niya.computer import values
from games.niya.computer.solver import Deal
from games.niya.rules import Niya
from tests.games.niya_tables import late, plain, shuffled

YARDSTICKS = 5


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def signs(position: Niya) -> list[int]:
    """Who wins with each of the twelve first cards."""
    deal = Deal(position.cells, position.full_board)
    return [deal.sign(0, 0, 1 << square) for square in position.takeable_squares()]


def main(deals: int) -> None:
    completing()  # The table of patterns is made once in the life of a process.
    rng = random.Random(2024)
    ends = [late(rng, "block", 9) for _ in range(YARDSTICKS)]
    yardstick = statistics.median(seconds(lambda p=p: plain(p, p.turn)) for p in ends)
    same = statistics.median(seconds(lambda p=p: values(p)) for p in ends)
    lines = [
        f"plain minimax, 9 cards left: {yardstick * 1000:.0f} ms; solved exactly: "
        f"{same * 1000:.2f} ms, {yardstick / same:.0f} times faster",
        "",
        f"{deals} deals from the empty table     median     worst   median in plain endgames",
    ]
    for full_board in ("block", "draw"):
        tables = [shuffled(rng, full_board) for _ in range(deals)]
        for name, work in (("who wins", signs), ("and in how many plies", values)):
            spent = sorted(seconds(lambda p=p, work=work: work(p)) for p in tables)
            middle = statistics.median(spent)
            lines.append(
                f"{full_board:6} {name:24} {middle * 1000:7.0f} ms {spent[-1] * 1000:7.0f} ms"
                f"   {middle / yardstick:6.1f}"
            )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
