"""Games of the house's own levels, and what it said of their chances on the way."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

from bot.service.computers.worker import Allowance
from games.core import CHANCE, Game, Position, advice
from games.core.move_parsing import read_entry
from games.core.shelf import find_game
from tests.tools.arena.match import Course, Match, arranged
from tests.tools.arena.players import Player, player

STAGES = 6
"""A game is asked about once in each sixth of its moves."""

LEVELS = {
    "shogi": (1, 3, 5),
    "cirya": (1, 3, 5),
    "storilljudhjorrayc": (1, 3, 5),
    "parchis": (1, 3),
    "niya": (1, 3),
}
"""Which levels play, each against itself."""

PLIES = 4_000
"""Where a game is broken off, which counts as drawn."""


@dataclass(frozen=True)
class Point:
    """What was said of a moment of a game, and what came of it.

    *stage* is the sixth of the game, from 0; *chance* what the computer said of the mover, from 0
    to 1; *won* what the mover got: 1, 0, or a half for a draw. *proved* where it is no opinion.
    """

    game: int
    level: int
    stage: int
    chance: float
    won: float
    proved: bool


@dataclass(frozen=True)
class Wanted:
    """Games of *game* by number and *seed*, asked with so many *nodes* a question; 0: no limit."""

    game: str
    seed: str
    nodes: int = 0


def points_of(wanted: Wanted, number: int) -> list[Point]:
    """The points of game *number*, the same whenever it is played."""
    game = find_game(wanted.game)
    levels = LEVELS[game.key]
    level = levels[number % len(levels)]
    course, winner = _played(game, level, f"{wanted.seed}:{number}")
    found = []
    for stage, position in _asked(game, course, random.Random(f"{wanted.seed}:{number}:ask")):
        (seat,) = position.actors()
        budget = Allowance(inf, wanted.nodes or inf)
        below = random.Random(f"{number}:{stage}").randrange
        shares, played_out = advice.chances(game, position.seen_by(seat), budget, below, level)
        won = 0.5 if winner is None else float(winner == seat)
        proved = not played_out and shares[seat] in (0.0, 1.0)
        found.append(Point(number, level, stage, shares[seat], won, proved))
    return found


def _played(game: Game, level: int, seed: str) -> tuple[Course, int | None]:
    """A game of *level* against itself, to its end."""
    match = Match(game.key, str(level), str(level), plies=PLIES, seed=seed)
    both: tuple[Player, Player] = (player(str(level), game, inf, inf),) * 2
    course = arranged(game, match, seed, both)
    while course.position.actors() and len(course.log) < PLIES:
        seat = min(course.position.actors())
        course.play(seat, both[seat].move(course.moment(seat, seed)).move)
    end = course.position.outcome()
    return course, None if end is None else end.winner


def _asked(game: Game, course: Course, lot: random.Random) -> Iterator[tuple[int, Position]]:
    """A position by lot out of each sixth of the game, where one player has a choice."""
    position, asked = game.start(course.setting), []
    for entry in course.log:
        alone = len(position.actors()) == 1 and CHANCE not in position.actors()
        if alone and len(position.legal_moves(*position.actors())) > 1:
            asked.append(position)
        position = position.after(read_entry(game, position, entry))
    for stage in range(STAGES):
        part = asked[stage * len(asked) // STAGES : (stage + 1) * len(asked) // STAGES]
        if part:
            yield stage, lot.choice(part)


def kept(file: Path) -> dict[int, list[Point]]:
    """The points that *file* holds, by game."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    return {one["game"]: [Point(**point) for point in one["points"]] for one in told}


def gathered(wanted: Wanted, games: int, file: Path) -> Iterable[list[Point]]:
    """The points of so many *games*; *file* keeps them, so that the work can go on."""
    known = kept(file)
    for number in range(games):
        if number not in known:
            known[number] = points_of(wanted, number)
            line = {"game": number, "points": [asdict(one) for one in known[number]]}
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")
        yield known[number]
