"""Tables at which computers play, one after every move: what is told is read in whole games."""

from __future__ import annotations

import itertools
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
    seated = seats or min(game.rules.seats)
    key = (id(game), *sorted((options or {}).items()), seated, seed, looks, most)
    if key not in PLAYED:
        PLAYED[key] = _PlayedOnce(game, _play(game, options or {}, seated, seed, looks, most))
        if len(PLAYED) > MOST_PLAYED:
            del PLAYED[next(iter(PLAYED))]
    return iter(PLAYED[key])


class _PlayedOnce:
    """The tables of a game that is played on as far as somebody has asked for them."""

    def __init__(self, game: Game, going: Iterator[Table]) -> None:
        self.game = game
        """Kept, so that no other game gets its ``id``."""
        self._going = going
        self._tables: list[Table] = []

    def __iter__(self) -> Iterator[Table]:
        for number in itertools.count():
            if number == len(self._tables):
                self._tables += itertools.islice(self._going, 1)
            if number == len(self._tables):
                return
            yield self._tables[number]


PLAYED: dict[tuple[object, ...], _PlayedOnce] = {}
"""Games that many tests look at: computers take long over them."""

MOST_PLAYED = 24


def _play(
    game: Game, options: Mapping[str, str], seats: int, seed: int, looks: int, most: int
) -> Iterator[Table]:
    work = begun(game, options, seats, seed)
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
            move = game.computer.choose(seen, seat, 1, Looks(looks), rng.randrange).move
        play.play_moves(work, seat, [move])
        yield work.table.called(names)


def replayed(game: Game, choices: str, *, seed: int) -> Iterator[Table]:
    """The table after every one of *choices*, of which each line has a seat and its move.

    The *seed* is that of the game in which they were made.
    """
    lines = [line.split(maxsplit=1) for line in choices.splitlines()]
    work = begun(game, {}, min(game.rules.seats), seed)
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
