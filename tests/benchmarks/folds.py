"""What it costs to fold a table from its events, each game beside shogi.

Run by hand from the root of the project::

    python -m tests.benchmarks.folds

Every table holds 320 events of random moves, fewer where the game ends before. Storilljuðjorrayc
is folded with its set-up, which random moves never leave, and without.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from statistics import median

from bot.session import events, play
from bot.session.fold import TABLES
from bot.session.table import PLAYING, Player
from games.core import Game
from games.core.shelf import shelf
from storage.records import EventRow

EVENTS = 320

OPTIONS = {"storilljudhjorrayc": ({}, {"setup": "fixed"})}


def rows(game: Game, options: Mapping[str, str], seed: int) -> tuple[EventRow, ...]:
    """The events of a table at which random moves were made."""
    rng = random.Random(seed)
    pen = play.open_table(
        "FOLDED",
        game,
        options=options,
        begins="",
        seats=min(game.rules.seats),
        host=1,
        secret=seed.to_bytes(32, "big"),
        now=datetime(2026, 3, 1, tzinfo=UTC),
    )
    for person in range(min(game.rules.seats)):
        play.take_chair(pen, Player(person + 1, f"P{person + 1}"))
    play.start(pen)
    while pen.table.status == PLAYING and len(pen.written) < EVENTS:
        seat = rng.choice(sorted(pen.table.actors()))
        play.play_moves(pen, seat, (rng.choice(pen.table.present.legal_moves(seat)),))
    return tuple(map(events.EVENTS.encode, pen.written))[:EVENTS]


def cost(table: tuple[EventRow, ...]) -> float:
    """The processor's milliseconds of one fold."""
    began = time.process_time()
    TABLES.of("FOLDED", table)
    return 1000 * (time.process_time() - began)


def main() -> None:
    """Print the table."""
    games = [(game, one) for game in shelf().values() for one in OPTIONS.get(game.key, ({},))]
    tables = {
        " ".join((game.key, *options.values())): [rows(game, options, seed) for seed in range(9)]
        for game, options in games
    }
    # The games take turns, so that a busy machine is equally busy for all.
    rounds = [{name: list(map(cost, of)) for name, of in tables.items()} for _ in range(5)]
    spent = {
        name: median(map(min, zip(*(one[name] for one in rounds), strict=True))) for name in tables
    }
    print(f"{'table':<28}{'events':>8}{'ms':>8}{'beside shogi':>14}")
    for name, of in tables.items():
        events, beside = median(map(len, of)), spent[name] / spent["shogi"]
        print(f"{name:<28}{events:>8.0f}{spent[name]:>8.1f}{beside:>14.2f}")


if __name__ == "__main__":
    main()
