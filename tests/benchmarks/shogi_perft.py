"""Perft of shogi beside python-shogi in one run: ``python -m tests.benchmarks.shogi_perft``.

python-shogi (GPL-3) is asked for its own count where it is installed; the product does not
depend on it. *position* is the way every game counts, through its positions; *board* counts
on the boards beneath. With ``--records FILE`` (a table of games in USI, such as
tests/data/shogi/games_usi.tsv) it is asked to read back the KIF and CSA files we write.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from games.core import Entry, Record
from games.core.search import perft
from games.shogi import GAME
from games.shogi.board import Board, after, moves
from games.shogi.formats import FORMATS
from games.shogi.rules import SIDES

ROWS = (
    ("the start", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 4),
    ("many drops", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 2),
)
ROUNDS = 3
"""The best of so many is taken for our own times; the other program is asked once."""


def python_shogi() -> ModuleType | None:
    """The module, or ``None`` with a sentence where it is not installed."""
    try:
        return importlib.import_module("shogi")
    except ModuleNotFoundError:
        print("python-shogi is not installed here: no comparison (pip install python-shogi)")
        return None


def timed(work: Callable[[], int]) -> tuple[int, float]:
    start = time.perf_counter()
    count = work()
    return count, time.perf_counter() - start


def on_boards(board: Board, depth: int) -> int:
    found = moves(board)
    if depth == 1:
        return len(found)
    return sum(on_boards(after(board, move), depth - 1) for move in found)


def theirs(board: Any, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in board.legal_moves)
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += theirs(board, depth - 1)
        board.pop()
    return count


def compare() -> None:
    module = python_shogi()
    print(
        f"{'':12}{'depth':>6}{'leaves':>9}{'position':>11}{'board':>10}{'python-shogi':>14}", end=""
    )
    print(f"{'ratios':>18}")
    for name, sfen, depth in ROWS:
        position = GAME.notation.read(sfen, GAME.chosen({}))
        runs = [timed(lambda p=position, d=depth: perft(p, d)) for _ in range(ROUNDS)]
        bare = [timed(lambda p=position, d=depth: on_boards(p.board, d)) for _ in range(ROUNDS)]
        (count, seconds), (same, least) = min(runs, key=_time), min(bare, key=_time)
        line = f"{name:12}{depth:6}{count:9}{seconds:10.3f}s{least:9.3f}s"
        if module is not None:
            other, slow = timed(lambda s=sfen, d=depth: theirs(module.Board(s), d))
            assert count == same == other, f"{name}: {count}, {same} and {other} leaves"
            line += f"{slow:13.2f}s{slow / seconds:9.1f}×{slow / least:7.1f}×"
        print(line)


def _time(run: tuple[int, float]) -> float:
    return run[1]


def read_back(file: Path) -> None:
    """Write every game of *file* as KIF and CSA and let python-shogi read it."""
    if python_shogi() is None:
        return
    parsers = {
        "kif": importlib.import_module("shogi.KIF").Parser.parse_str,
        "csa": importlib.import_module("shogi.CSA").Parser.parse_str,
    }
    writers = {form.key: form.write for form in FORMATS}
    games = 0
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        expected = line.split("\t")[2].split()
        log = tuple(Entry(number % 2, usi) for number, usi in enumerate(expected))
        record = Record("shogi", SIDES, {}, 0, log, {"Result": "0/1 resign"})
        for key, parse in parsers.items():
            (summary, *_) = parse(writers[key](record))
            assert summary["moves"] == expected, f"{key}: {expected[:6]}"
        games += 1
    print(f"{games} games written as KIF and CSA, read back by python-shogi move for move")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path)
    asked = parser.parse_args()
    if asked.records:
        read_back(asked.records)
    else:
        compare()


if __name__ == "__main__":
    main()
