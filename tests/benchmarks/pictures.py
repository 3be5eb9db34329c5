"""How fast pictures are painted, for every game that has a painter.

Run by hand from the root of the project, with the number of positions if not 60::

    python -m tests.benchmarks.pictures 200

A *new* picture is drawn and encoded, its sprites prepared by earlier pictures, as in a bot
that has run for a while; *first* is the very first of its theme in the process. *Again* is
the same picture from the gallery. The yardstick of the same run is a chess board of the same
width by ``chess.svg`` and ``cairosvg``, where these are installed (``pip install chess
cairosvg``); they are no dependencies of the project.
"""

from __future__ import annotations

import importlib
import random
import statistics
import sys
import time
from collections.abc import Callable

from games.core import Game, settle
from render import Gallery, Last, Scene, paint, png
from tests.games.laws import random_setting
from tests.render.pictures import asked, dressed
from tests.render.test_painters import painted

ROUNDS = 5


def milliseconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The shortest of some runs: what the work itself takes on a busy machine."""
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return 1000 * min(taken)


def yardstick() -> float | None:
    """A chess board as a PNG 800 pixels wide, or ``None`` where nobody can draw it."""
    try:
        chess = importlib.import_module("chess")
        svg = importlib.import_module("chess.svg")
        cairosvg = importlib.import_module("cairosvg")
    except (ImportError, OSError):
        return None
    board = chess.Board()
    return milliseconds(lambda: cairosvg.svg2png(svg.board(board, size=800).encode()))


def scenes(game: Game, count: int, rng: random.Random) -> list[Scene]:
    """The pictures of games played at random, each with the marks of its last move."""
    found: list[Scene] = []
    while len(found) < count:
        setting = random_setting(game, rng)
        position, _ = settle(game, game.start(setting), lambda cases: (0, rng.randrange(cases)))
        names = tuple(f"Player {n + 1}" for n in range(len(setting.sides)))
        while (actors := sorted(position.actors())) and len(found) < count:
            seat = actors[0]
            move = rng.choice(list(position.legal_moves(seat)))
            last = Last(position.seen_by(seat), seat, move)
            position, _draws = settle(game, position.after(move), lambda n: (0, rng.randrange(n)))
            bottom = min(position.actors(), default=0)
            scene = Scene(game.key, position.seen_by(bottom), names, bottom, last=(last,))
            if bottom in position.actors():
                scene = asked(scene, bottom)
            found.append(dressed(scene))
    return found


def row(game: Game, count: int, board: float | None) -> str:
    """One line of the table."""
    wanted = scenes(game, count, random.Random(2024))
    first = milliseconds(lambda: png(paint(wanted[0])), 1)
    for scene in wanted:
        paint(scene)  # Prepares the sprites.
    gallery = Gallery(most=count)
    drawn = [milliseconds(lambda s=s: paint(s)) for s in wanted]
    new = [milliseconds(lambda s=s: png(paint(s))) for s in wanted]
    sizes = [len(gallery.picture(scene)) for scene in wanted]
    again = [milliseconds(lambda s=s: gallery.picture(s)) for s in wanted]
    median, same = statistics.median(new), statistics.median(again)
    against = f"{board / median:6.0f}x" if board else "      -"
    return (
        f"{game.key:18} {first:7.0f} {statistics.median(drawn):7.2f} {median:7.2f} {against}"
        f" {same:9.4f} {median / same:7.0f}x {statistics.median(sizes) / 1000:8.1f}"
        f" {max(sizes) / 1000:7.1f}"
    )


def main(count: int) -> None:
    board = yardstick()
    said = f"{board:.0f} ms" if board else "not here: pip install chess cairosvg"
    lines = [
        f"chess.svg + cairosvg, 800 px: {said}",
        f"{'game':18} {'first':>7} {'draw':>7} {'new':>7} {'chess':>7} {'again':>9}"
        f" {'ratio':>8} {'kB':>8} {'worst':>7}",
        *(row(game, count, board) for game in painted()),
        "first, draw, new (draw and encode) and again in milliseconds",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
