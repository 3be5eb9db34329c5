"""``python -m tests.drives.every_puzzle [GAME [SEED]]``: every shipped puzzle, proved once more.

By the second opinion of ``tests.puzzle_proofs``, which shares nothing with what posed it; Parchís
is played out with the luck of SEED. Tells what is wrong and how long it took; ends with 1 where
something is. Shogi needs a C++ compiler.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.core.school import Lesson, puzzles
from games.core.shelf import find_game, shelf
from tests import puzzle_proofs
from tests.games.shogi_mates import compiled


def faults(game: str, seed: int, every: Sequence[Lesson]) -> Iterator[tuple[Lesson, str]]:
    """Each puzzle of *every*, all of *game*, with what is wrong with it, "" where nothing is."""
    match game:
        case "shogi":
            with tempfile.TemporaryDirectory() as folder:
                yield from zip(
                    every, puzzle_proofs.shogi(every, compiled(Path(folder))), strict=True
                )
        case "parchis":
            for number, one in enumerate(every):
                yield one, puzzle_proofs.parchis(one, seed + number)
        case "storilljudhjorrayc":
            yield from ((one, puzzle_proofs.storill(one)) for one in every)
        case _:
            yield from ((one, getattr(puzzle_proofs, game)(one)) for one in every)


def main() -> int:
    """Prove what the command line asks for."""
    games = sys.argv[1:2] or list(shelf())
    seed = int(sys.argv[2]) if sys.argv[2:] else 1
    found = 0
    for game in games:
        before, wrong, many = _seconds(), 0, 0
        for one, fault in faults(game, seed, puzzles(find_game(game))):
            many += 1
            if fault:
                wrong += 1
                print(f"{game} {one.position}: {fault}", flush=True)
        print(f"{game}: {many} puzzles, {wrong} wrong, {_seconds() - before:.0f} s of processor")
        found += wrong
    return 1 if found else 0


def _seconds() -> float:
    """The seconds of processor that this program and its children have had."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    sys.exit(main())
