"""Plays games by random moves and ends them in every way: no medal comes without its deed.

``python -m tests.drives.medal_deeds [GAMES] [SEED]``: so many ends of all five games, 10,000 by
default. It says how often each medal was earned, and ends with 1 where one was not deserved.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final

from bot.session import play
from bot.session.medals_of_a_game import earned
from bot.session.table import PLAYING, Player, Table
from bot.session.unit_of_work import UnitOfWork
from bot.standing.medals import FIRST
from games.core import CHANCE, ranking
from games.core.move_parsing import read_entry
from games.core.shelf import find_game, shelf
from games.parchis.board import META
from games.parchis.moves import Go
from games.shogi.board import Drop
from games.storilljudhjorrayc.move_types import Ambuscade

NOW: Final = datetime(2026, 12, 1, tzinfo=UTC)

REASONS: Final = ("resign", "time", "left", "claimed", "ruled", "londe", "mate", "block", "lords")
"""How a game is said to end that is not over: also by words that rules use."""

LONGEST: Final = 900
"""After so many moves a game is ended."""

Plies = Sequence[tuple[Any, int, Any]]
"""Before, seat and move of each."""


def seat_players(game: str, seats: int, seed: int) -> UnitOfWork:
    """A game that has begun."""
    work = play.open_table(
        "DEEDS",
        find_game(game),
        options={},
        begins="",
        seats=seats,
        host=1,
        secret=random.Random(seed).randbytes(32),
        now=NOW,
        steady=NOW,
        rated=True,
    )
    for person in range(1, seats + 1):
        play.take_chair(work, Player(person))
    play.start(work)
    return work


def play_on(work: UnitOfWork, rng: random.Random, moves: int) -> None:
    """Let chance choose at most so many moves."""
    for _ in range(moves):
        if work.table.status != PLAYING:
            return
        seat = rng.choice(sorted(work.table.actors() - {CHANCE}))
        play.play_moves(work, seat, [rng.choice(work.table.present.legal_moves(seat))])


def plies_of(table: Table) -> Plies:
    """What was played, from the log."""
    position, found = table.game.start(table.setting), []
    for entry in table.log:
        move = read_entry(table.game, position, entry)
        found.append((position, entry.seat, move))
        position = position.after(move)
    return [one for one in found if one[1] != CHANCE]


def _highest(plies: Plies, last: Any) -> int:
    boards = [*(before.board for before, _, _ in plies), last.board]
    return max(len(b.pieces(sat)) for b in boards for sat in range(b.shape.size**2))


def _eaten(plies: Plies, by: int | None = None, of: int | None = None) -> int:
    gone = [(seat, move) for _, seat, move in plies if isinstance(move, Go)]
    return sum(
        by in (None, seat) and of in (None, owner) for seat, m in gone for owner, _ in m.taken
    )


def _felled(plies: Plies, last: Any, winner: int) -> int:
    """How many enemies fell by the moves of *winner*, by the boards alone."""
    found, after = 0, [*(before for before, _, _ in plies[1:]), last]
    for (before, seat, _), then in zip(plies, after, strict=True):
        boards = [getattr(one.stage, "board", None) for one in (before, then)]
        if seat == winner and None not in boards:
            here, there = (sum(who != winner for who, _ in b.standing.values()) for b in boards)
            found += here - there
    return found


DEEDS: Final[Mapping[str, Callable[[Plies, Any, int], bool]]] = {
    "cirya.feat.fair-wind": lambda p, last, _: last.end.reason == "londe" and len(p) <= 20,
    "cirya.feat.tower": lambda p, last, _: _highest(p, last) >= 8,
    "niya.feat.double": lambda _, last, __: len(last.patterns_made) > 1,
    "niya.feat.block": lambda _, last, __: not (last.patterns_made or last.takeable_squares()),
    "parchis.feat.unhurt": lambda p, last, w: set(last.pieces[w]) == {META} and not _eaten(p, of=w),
    "parchis.feat.hungry": lambda p, _, w: _eaten(p, by=w) >= 5,
    "shogi.feat.drop": lambda p, last, w: (
        not last.plays and p[-1][1] == w and isinstance(p[-1][2], Drop)
    ),
    "shogi.feat.lightning": lambda p, last, _: not last.plays and len(p) < 50,
    "storilljudhjorrayc.feat.ambush": lambda p, _, w: (
        p[-1][1] == w and isinstance(p[-1][2], Ambuscade)
    ),
    "storilljudhjorrayc.feat.raid": lambda p, last, w: _felled(p, last, w) <= 3,
}
"""The deed of each title that is kept, told a second time: by plies, last position and winner."""


def undeserved(table: Table) -> list[str]:
    """The medals that the winner of *table* is given without the deed."""
    winner = None if table.outcome is None else table.outcome.winner
    found = [one.key for one in earned(table)]
    if winner is None:
        return found
    over = table.present.outcome()
    done = over is not None and over.winner == winner
    plies = plies_of(table)
    return [
        key
        for key in found
        if key != FIRST and not (done and DEEDS[key](plies, table.present, winner))
    ]


def play_games(ends: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Reach so many *ends*; the medals that were earned, and what was wrong."""
    rng, given, wrong, ended = random.Random(seed), Counter[str](), list[str](), 0
    for number in range(10**9):
        game = list(shelf())[number % len(shelf())]
        seats = rng.choice(find_game(game).rules.seats)
        work = seat_players(game, seats, rng.randrange(2**32))
        play_on(work, rng, 2 * seats)
        while ended < ends:
            if work.table.status == PLAYING:
                order = rng.sample(range(seats), seats)
                given_up = deepcopy(work)
                reason = rng.choice(REASONS)
                play.end_game(given_up, ranking(reason, [[one] for one in order]), rule=False)
                table = given_up.table
            else:
                table = work.table
            ended += 1
            medals = [one.key for one in earned(table)]
            given.update(medals)
            wrong += [
                f"{game} {table.outcome and table.outcome.reason}: {k}" for k in undeserved(table)
            ]
            if work.table.status != PLAYING or len(work.table.log) > LONGEST:
                break
            play_on(work, rng, rng.choice((1, 10, 400)))
        if ended >= ends:
            return given, wrong
    raise AssertionError


def main() -> int:
    """Play, and say what was found."""
    ends, seed = (int(one) for one in (*sys.argv[1:], *("10000", "1")[len(sys.argv) - 1 :]))
    given, wrong = play_games(ends, seed)
    for key, count in sorted(given.items()):
        print(f"{key}: {count}")
    print(*wrong, f"{ends} ends, {len(wrong)} medals without their deed", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
