"""What the computers choose in many positions: the same in every build of the same sources.

``python -m tests.games.computer_choices 200`` prints it, and which build has chosen.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

from bot.app.doctor import computers
from bot.service.computers.worker import Allowance
from games.core import Game, Position
from games.core.shelf import find_game

GAMES = ("cirya", "shogi", "storilljudhjorrayc")
FULLEST = 1_500
"""Positions that a choice may look at, more or less."""


def positions(game: Game, seed: int) -> Position[Any]:
    """A position to which random moves lead, arrangements included."""
    chance = random.Random(f"{game.key}:{seed}")
    while True:
        position = game.start(game.setting({}))
        for _ in range(chance.randrange(4, 60)):
            actors = sorted(position.actors())
            if not actors:
                break
            moves = position.overdue(actors[0]) or position.legal_moves(actors[0])
            position = position.after(chance.choice(list(moves)))
        if position.actors():
            return position


def choices(count: int) -> Iterator[str]:
    """*count* choices of all levels, one a line: the move, its value, the line behind it."""
    for number in range(count):
        game = find_game(GAMES[number % len(GAMES)])
        position = positions(game, number)
        seat, level = min(position.actors()), 1 + number // len(GAMES) % game.computer.levels
        budget = Allowance(float("inf"), FULLEST)
        below = random.Random(number).randrange
        choice = game.computer.choose(position.seen_by(seat), seat, level, budget, below)
        line = " ".join(choice.line)
        yield f"{game.key} {number} {level} {choice.value:.6f} {choice.exact} {line}"


if __name__ == "__main__":
    for line in choices(int(sys.argv[1])):
        print(line)
    print(computers().text, file=sys.stderr)
