"""Games that a computer gave up, played on: how many would whoever resigned still have won?

``python -m tests.drives.resignations GAME FILE --games 300``. Two levels by lot that resign at all
play as at a table; whatever one gives up is played on from there by the highest level on both
sides. FILE keeps what was played, so that the work can go on. ``--nodes`` limits each move and the
highest level's word on a resignation as well: with less than a table grants, more is given up
wrongly, not less.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

from bot.session.computer_resignation_and_draws import learns
from games.core import Game, Seat
from games.core.shelf import find_game, shelf
from tests.tools.arena.adjudication import Manners
from tests.tools.arena.match import Course, Match, arranged
from tests.tools.arena.players import Player, player

OPENINGS = 4
"""How many plies are played at random first."""

PLIES = 600
"""Where a game is broken off, and so many later one that is played on; either counts as drawn."""


@dataclass(frozen=True)
class Resigned:
    """Game *number* between *levels*, by seat, which *seat* gave up after so many *plies*.

    *seat* is ``None`` where nobody did. *kept* is what whoever resigned got out of it in the end:
    1, 0, or a half for a draw.
    """

    number: int
    levels: tuple[int, int]
    seat: Seat | None
    plies: int
    kept: float


def played(game: Game, number: int, seed: str, nodes: float) -> Resigned:
    """Game *number*, the same whenever it is played with a limit of *nodes*."""
    named = f"{seed}:{number}"
    lot = random.Random(named)
    able = [level for level in range(1, game.levels + 1) if not learns(game, level)]
    levels = (lot.choice(able), lot.choice(able))
    match = Match(game.key, *map(str, levels), openings=OPENINGS, plies=PLIES, seed=named)
    first, second = (player(str(level), game, nodes, inf) for level in levels)
    course = arranged(game, match, named, (first, second))
    seat = _given_up(game, course, (first, second), named)
    plies = len(course.log)
    kept = 0.5 if seat is None else _played_on(game, course, seat, nodes, named)
    return Resigned(number, levels, seat, plies, kept)


def _given_up(game: Game, course: Course, seated: tuple[Player, Player], seed: str) -> Seat | None:
    """Who gives *course* up; ``None`` once it has ended otherwise."""
    manners = Manners(game, seated)
    while course.position.actors() and len(course.log) < PLIES:
        seat, plies = min(course.position.actors()), len(course.log)
        moment = course.moment(seat, seed)
        answer = seated[seat].move(moment)
        manners.note(seat, answer.value)
        if manners.gives_up(seat) and manners.confirmed(moment):
            return seat
        course.play(seat, answer.move)
        if manners.agree(seat, plies):
            return None
    return None


def _played_on(game: Game, course: Course, given_up: Seat, nodes: float, seed: str) -> float:
    """What *given_up* gets where the highest level plays *course* on for both."""
    highest, last = player(str(game.levels), game, nodes, inf), len(course.log) + PLIES
    while course.position.actors() and len(course.log) < last:
        seat = min(course.position.actors())
        course.play(seat, highest.move(course.moment(seat, seed)).move)
    end = course.position.outcome()
    return 0.5 if end is None or end.winner is None else float(end.winner == given_up)


def gathered(game: Game, file: Path, games: int, seed: str, nodes: float) -> Iterator[Resigned]:
    """So many *games*, of which *file* keeps those that were played before."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    known = {one["number"]: Resigned(**one) for one in map(json.loads, lines)}
    for number in range(games):
        if number not in known:
            known[number] = played(game, number, seed, nodes)
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(asdict(known[number])) + "\n")
        yield known[number]


def told(found: Sequence[Resigned]) -> str:
    """How many were given up, and what became of them."""
    given_up = [one for one in found if one.seat is not None]
    won = sum(one.kept == 1 for one in given_up)
    drawn = sum(one.kept not in (0, 1) for one in given_up)
    return (
        f"{len(found)} games, {len(given_up)} given up; played on, whoever resigned "
        f"would have won {won} and drawn {drawn}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, play on and tell."""
    able = [key for key, game in shelf().items() if game.gives_up]
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.resignations", description=__doc__
    )
    parser.add_argument("game", choices=able)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=0, help="positions a move; 0: as at a table")
    parser.add_argument("--seed", default="resigned")
    asked = parser.parse_args(arguments)
    game, found = find_game(asked.game), list[Resigned]()
    for one in gathered(game, asked.file, asked.games, asked.seed, asked.nodes or inf):
        found.append(one)
        if one.kept == 1:
            sys.stderr.write(f"number {one.number}: {one}\n")
    sys.stdout.write(f"{asked.game}: {told(found)}\n")


if __name__ == "__main__":
    main()
