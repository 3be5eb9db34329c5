"""Tables at which computers play, one after every move: what is told is read in whole games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from bot.table import play
from bot.table.pen import Pen
from bot.table.table import PLAYING, Player, Table
from games.core import Game
from storage.records import Named
from tests.life import Looks

NAMES = ("Nerea", "Bruno", "Carla", "Diego")

AT = datetime(2026, 11, 22, tzinfo=UTC)


def begun(game: Game, options: Mapping[str, str], seats: int, seed: int) -> Pen:
    """A table of *seats* persons at which the game has just begun."""
    secret = seed.to_bytes(32, "big")
    pen = play.open_table(
        "PLAYED", game, options=options, begins="", seats=seats, host=1, secret=secret, now=AT
    )
    for person, name in enumerate(NAMES[:seats], 1):
        play.sit(pen, Player(person=person, name=name))
    play.start(pen)
    return pen


def tables(
    game: Game,
    options: Mapping[str, str] | None = None,
    *,
    seats: int | None = None,
    seed: int = 1,
    looks: int = 60,
    most: int = 400,
) -> Iterator[Table]:
    """The table after every choice of a game of computers that look at *looks* positions a move.

    One choice in ten is a random one, so that no two games are the same.
    """
    pen = begun(game, options or {}, seats or min(game.seats), seed)
    names = {person: Named(person, name) for person, name in enumerate(NAMES, 1)}
    rng = random.Random(seed)
    yield pen.table.called(names)
    for _ in range(most):
        if pen.table.status != PLAYING:
            return
        seat = rng.choice(sorted(pen.table.actors()))
        seen = pen.table.present.seen_by(seat)
        if rng.random() < 0.1:
            move = rng.choice(list(seen.legal_moves(seat)))
        else:
            move = game.choose(seen, seat, 1, Looks(looks), rng.randrange).move
        play.move(pen, seat, [move])
        yield pen.table.called(names)
