"""Whether the reasons hold that hints and reviews give, by a second program.

``python -m tests.drives.reasons GAME --hints 40 --moments 40``. Levels play; at moments by lot the
house is asked for a hint, and each game is reviewed. Each reason of a hint, of a better move and of
the answer that a mistake allowed is worked out again by ``tests.games.reason_proofs``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from bot.presenters.analysis import moments
from bot.service.computers.worker import Allowance
from games.core import CHANCE, Game, Seat, advice, read_move
from games.core.move_parsing import read_entry
from games.core.shelf import find_game
from tests.games.reason_proofs import wrong
from tests.tools.arena.match import Course, Match, arranged
from tests.tools.arena.players import player

LEVELS = {"shogi": 3, "cirya": 2, "storilljudhjorrayc": 3, "parchis": 1, "niya": 1}
"""Who plays: levels that make mistakes."""

PLIES = {"shogi": 120, "cirya": 80, "storilljudhjorrayc": 120, "parchis": 200, "niya": 40}
"""Where a game is broken off and reviewed all the same."""


@dataclass
class Found:
    """How many hints and moments were looked at, and which reasons they gave."""

    hints: int = 0
    moments: int = 0
    given: Counter[str] = field(default_factory=Counter)
    silent: int = 0
    wrong: list[str] = field(default_factory=list)

    def look(self, game: Game, position: Any, seat: Seat, move: Any) -> None:
        """Have the reason for *move* worked out again, if there is one."""
        reason = game.asking.reason(position, seat, move)
        if reason is None:
            self.silent += 1
            return
        self.given[reason.words.key] += 1
        if said := wrong(game, position, move, reason):
            self.wrong.append(said)


def looked_at(key: str, hints: int, reviewed: int, nodes: int, seed: str) -> Found:
    """Games of *key* until there were so many *hints* and moments of reviews."""
    game, found, number = find_game(key), Found(), 0
    while found.hints < hints or found.moments < reviewed:
        course = _played(game, f"{seed}:{number}")
        lot = random.Random(f"{seed}:{number}:ask")
        if found.hints < hints:
            _hints(game, course, found, nodes, lot)
        if found.moments < reviewed:
            _moments(game, course, found, nodes, lot)
        number += 1
    return found


def _played(game: Game, seed: str) -> Course:
    options = {"setup": "fixed"} if game.key == "storilljudhjorrayc" else {}
    level = str(LEVELS[game.key])
    match = Match(game.key, level, level, options, plies=PLIES[game.key], seed=seed)
    who = player(level, game, inf, inf)
    course = arranged(game, match, seed, (who, who))
    while course.position.actors() and len(course.log) < match.plies:
        seat = min(course.position.actors())
        course.play(seat, who.move(course.moment(seat, seed)).move)
    return course


def _choices(game: Game, course: Course) -> Iterator[tuple[Any, Seat]]:
    """The positions of the game in which one player has a choice."""
    position = game.start(course.setting)
    for entry in course.log:
        alone = position.actors() == {entry.seat} and entry.seat != CHANCE
        if alone and len(position.legal_moves(entry.seat)) > 1:
            yield position, entry.seat
        position = position.after(read_entry(game, position, entry))


def _hints(game: Game, course: Course, found: Found, nodes: int, lot: random.Random) -> None:
    asked = list(_choices(game, course))
    for position, seat in lot.sample(asked, min(4, len(asked))):
        seen = position.seen_by(seat)
        chosen = advice.hint(game, seen, seat, Allowance(inf, nodes), lot.randrange)
        found.hints += 1
        found.look(game, seen, seat, chosen.move)


def _moments(game: Game, course: Course, found: Found, nodes: int, lot: random.Random) -> None:
    start = game.start(course.setting)
    told = advice.weighed(game, start, course.log, lambda _: Allowance(inf, nodes), lot.randrange)
    positions = [start]
    for entry in course.log:
        positions.append(positions[-1].after(read_entry(game, positions[-1], entry)))
    for seat in (0, 1):
        for moment in moments(told, seat):
            one = moment.weighed
            before, then = positions[one.number], positions[one.number + 1]
            found.moments += 1
            found.look(game, before, seat, read_move(game, before, seat, one.best))
            if one.allowed and then.actors() == {1 - seat}:
                reply = read_move(game, then, 1 - seat, one.allowed[0])
                found.look(game, then, 1 - seat, reply)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, ask, review and tell."""
    asking = argparse.ArgumentParser(prog="python -m tests.drives.reasons", description=__doc__)
    asking.add_argument("game", choices=LEVELS)
    asking.add_argument("--hints", type=int, default=40)
    asking.add_argument("--moments", type=int, default=40)
    asking.add_argument("--nodes", type=int, default=2_000, help="positions a question")
    asking.add_argument("--seed", default="reasons")
    asked = asking.parse_args(arguments)
    found = looked_at(asked.game, asked.hints, asked.moments, asked.nodes, asked.seed)
    sys.stdout.write(
        f"{asked.game}: {found.hints} hints, {found.moments} moments; "
        f"{found.given.total()} reasons, {found.silent} moves without; wrong: {len(found.wrong)}\n"
        f"{dict(found.given)}\n"
    )
    for said in found.wrong:
        sys.stdout.write(said + "\n")


if __name__ == "__main__":
    main()
