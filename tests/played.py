"""Tables at which computers play, one after every move: what is told is read in whole games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from bot.session import play
from bot.session.table import PLAYING, Player, Table
from bot.session.unit_of_work import UnitOfWork
from games.core import Game
from games.core.move_parsing import read_move
from storage.records import PersonName
from tests.fakes import Desk, person
from tests.whole_game import Looks

NAMES = ("Nerea", "Bruno", "Carla", "Diego")

AT = datetime(2026, 11, 22, tzinfo=UTC)


def begun(game: Game, options: Mapping[str, str], seats: int, seed: int) -> UnitOfWork:
    """A table of *seats* persons at which the game has just begun."""
    secret = seed.to_bytes(32, "big")
    work = play.open_table(
        "PLAYED", game, options=options, begins="", seats=seats, host=1, secret=secret, now=AT
    )
    for number, name in enumerate(NAMES[:seats], 1):
        play.take_chair(work, Player(person=number, name=name))
    play.start(work)
    return work


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
    work = begun(game, options or {}, seats or min(game.seats), seed)
    names = {person: PersonName(person, name) for person, name in enumerate(NAMES, 1)}
    rng = random.Random(seed)
    yield work.table.called(names)
    for _ in range(most):
        if work.table.status != PLAYING:
            return
        seat = rng.choice(sorted(work.table.actors()))
        seen = work.table.present.seen_by(seat)
        if rng.random() < 0.1:
            move = rng.choice(list(seen.legal_moves(seat)))
        else:
            move = game.choose(seen, seat, 1, Looks(looks), rng.randrange).move
        play.play_moves(work, seat, [move])
        yield work.table.called(names)


def replayed(game: Game, choices: str, *, seed: int) -> Iterator[Table]:
    """The table after every one of *choices*, of which each line has a seat and its move.

    The *seed* is that of the game in which they were made.
    """
    lines = [line.split(maxsplit=1) for line in choices.splitlines()]
    work = begun(game, {}, min(game.seats), seed)
    names = {person: PersonName(person, name) for person, name in enumerate(NAMES, 1)}
    yield work.table.called(names)
    for seat, text in lines:
        play.play_moves(work, int(seat), [read_move(game, work.table.present, int(seat), text)])
        yield work.table.called(names)


async def cirya(at: Desk, moves: str) -> str:
    """Let Nerea and Bruno play *moves* of Cirya in the group of *at*; the table's code."""
    nerea, bruno = person("Nerea"), person("Bruno")
    await at.call(nerea, "play", game="cirya", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(bruno, "join", table=code)
    for move in moves.split():
        table = await at.facade.services.tables.get(code)
        (seat,) = table.actors()
        who = nerea if table.players[seat].name == "Nerea" else bruno
        answer = await at.call(who, "move", table=code, move=move)
        assert answer.good, (move, answer.said)
    return code
