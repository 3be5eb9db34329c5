"""How fast pictures are painted, for every game that has a painter, as a bot paints them.

Run by hand from the root of the project, with how many games if not 20, and which if not all::

    python -m tests.benchmarks.pictures 100 shogi

or, for warm pictures in flat colours beside those in materials, each after the other::

    python -m tests.benchmarks.pictures --looks 3

Measured is a process that has painted nothing, but finds the file of sprites that an earlier
start has left: its *first* picture, and every picture of whole games that it has not painted
before, drawn and encoded (*p50*, *p90*). *Bare* is the first picture without such a file, *ahead*
that with one that holds only what a new bot has drawn a minute after its start, *again*
the same picture from the gallery, *MB* what the process has grown by: all that it keeps. The
yardstick is a chess board of the same width by ``chess.svg`` and ``cairosvg``, where these are
installed (``pip install chess cairosvg``), half of many, in the same process, one before each
game, so that both sides meet the same machine; they are no dependencies of the project. All is
time of the processor.
"""

from __future__ import annotations

import importlib
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.core import Game, settle
from games.core.shelf import shelf
from render.kit.output import png
from render.kit.painters import Gallery, paint, themed
from render.kit.sprite_cache import STORE
from render.scene import Last, Scene
from render.warming import warm
from tests.games.random_walks import random_setting
from tests.render.pictures import asked, dressed
from tests.render.test_painters import painted

ROUNDS = 5

LONGEST = 150
"""How many moves of a game are shown at most."""


def milliseconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The shortest of some runs: what the work itself takes on a busy machine."""
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


def yardstick() -> Callable[[], object] | None:
    """Makes a chess board as a PNG 800 pixels wide; ``None`` where nobody can draw it."""
    try:
        chess = importlib.import_module("chess")
        svg = importlib.import_module("chess.svg")
        cairosvg = importlib.import_module("cairosvg")
    except (ImportError, OSError):
        return None
    board = chess.Board()
    return lambda: cairosvg.svg2png(svg.board(board, size=800).encode())


def megabytes() -> float:
    """How much of the memory this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def scenes(
    game: Game, games: int, rng: random.Random, before: Callable[[], object] = lambda: None
) -> Iterator[Scene]:
    """The pictures of whole games by chance, each with the marks of its last move and a choice.

    Called *before* each game is what one likes.
    """
    for _ in range(games):
        before()
        setting = random_setting(game, rng)
        position, _ = settle(game, game.start(setting), lambda cases: (0, rng.randrange(cases)))
        names = tuple(f"Player {n + 1}" for n in range(len(setting.sides)))
        for _ in range(LONGEST):
            if not (actors := sorted(position.actors())):
                break
            seat = actors[0]
            move = rng.choice(list(position.legal_moves(seat)))
            last = Last(position.seen_by(seat), seat, move)
            position, _draws = settle(game, position.after(move), lambda n: (0, rng.randrange(n)))
            bottom = min(position.actors(), default=0)
            scene = Scene(game.key, position.seen_by(bottom), names, bottom, last=(last,))
            if bottom in position.actors():
                scene = asked(scene, bottom)
            yield dressed(scene)


def cold(key: str, games: int, file: str) -> None:
    """Print what every picture of *games* takes in this process, which has painted none before."""
    if file:
        STORE.open(Path(file))
    board, boards = yardstick(), []
    if board is not None:
        board()
    taken, sizes, seen, begun_with = [], [], set(), megabytes()
    chess = (lambda: boards.append(milliseconds(board, 1))) if board else (lambda: None)
    for scene in scenes(shelf()[key], games, random.Random(2024), chess):
        # What is known of a scene is enough here: the scenes themselves would fill the memory.
        if hash(scene) in seen:
            continue
        seen.add(hash(scene))
        begun = time.process_time()
        picture = png(paint(scene))
        taken.append(1000 * (time.process_time() - begun))
        sizes.append(len(picture))
    grown = megabytes() - begun_with
    shown = Gallery()
    shown.picture(scene)
    again = milliseconds(lambda: shown.picture(scene), 20)
    told = {"taken": taken, "sizes": sizes, "again": again, "boards": boards, "grown": grown}
    sys.stdout.write(json.dumps(told))


def measured(key: str, games: int, file: str) -> dict[str, Any]:
    """What ``cold`` prints, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.pictures", "--cold", key, str(games), file]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))


def row(game: Game, games: int, file: str) -> str:
    """One line of the table: a first start, whose sprites are kept, and a later one."""
    before = measured(game.key, 1, "")
    STORE.open(Path(f"{file}-ahead"))
    for _ in warm([game.key]):
        pass
    STORE.close()
    ahead = measured(game.key, 1, f"{file}-ahead")
    measured(game.key, games, file)
    found = measured(game.key, games, file)
    first, taken, sizes = found["taken"][0], found["taken"], found["sizes"]
    median = statistics.median(taken)
    tenth = statistics.quantiles(taken, n=10)[-1]
    board = statistics.median(found["boards"]) if found["boards"] else None
    against = [f"{board / one:6.0f}x" if board else "      -" for one in (median, tenth)]
    return (
        f"{game.key:18} {len(taken):6} {before['taken'][0]:7.0f} {ahead['taken'][0]:7.0f}"
        f" {first:7.0f} {median:7.2f}"
        f" {tenth:7.2f} {against[0]} {against[1]} {found['again']:8.4f}"
        f" {statistics.median(sizes) / 1000:8.1f} {max(sizes) / 1000:7.1f} {found['grown']:6.0f}"
    )


def main(games: int, keys: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(
            f"{'game':18} {'new':>6} {'bare':>7} {'ahead':>7} {'first':>7} {'p50':>7} {'p90':>7}"
            f" {'chess':>7} {'p90':>7} {'again':>8} {'kB':>8} {'worst':>7} {'MB':>6}\n"
        )
        for game in painted():
            if not keys or game.key in keys:
                sys.stdout.write(row(game, games, f"{folder}/sprites.db") + "\n")
                sys.stdout.flush()
    sys.stdout.write(
        "bare (first picture without the file of sprites), ahead, first, p50, p90 and again in"
        " milliseconds of the processor\n"
    )


def compared(game: Game, games: int) -> str:
    """One line: warm pictures of *game* in flat colours and in materials, one after the other."""
    shown = list(scenes(game, games, random.Random(2024)))
    looks = [themed(game.key, "light", "", material=material) for material in (False, True)]
    dressed_for = [[replace(scene, theme=look) for look in looks] for scene in shown]
    for both in dressed_for:  # what is measured are pictures whose sprites are there
        for scene in both:
            paint(scene)
    taken, sizes = ([], []), []
    for both in dressed_for:
        for kind, scene in zip(taken, both, strict=True):
            begun = time.process_time()
            picture = png(paint(scene))
            kind.append(1000 * (time.process_time() - begun))
        sizes.append(len(picture))
    flat, material = map(statistics.median, taken)
    return (
        f"{game.key:18} {len(shown):6} {flat:7.2f} {material:9.2f} {material / flat:6.2f}"
        f" {statistics.median(sizes) / 1000:7.1f} {max(sizes) / 1000:7.1f}"
    )


def compare(games: int, keys: list[str]) -> None:
    sys.stdout.write(
        f"{'game':18} {'pictures':6} {'flat':>6} {'material':>9} {'ratio':>6}"
        f" {'kB':>7} {'worst':>7}\n"
    )
    for game in painted():
        if not keys or game.key in keys:
            sys.stdout.write(compared(game, games) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--looks"]:
        compare(int(sys.argv[2]) if len(sys.argv) > 2 else 3, sys.argv[3:])
    elif sys.argv[1:2] == ["--cold"]:
        cold(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:])
