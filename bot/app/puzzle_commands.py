"""The operator's command for puzzles: mined from games of computers, added, and proved anew."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from bot.app.house_puzzle_commands import add_puzzle_file, check_house_puzzles
from bot.app.output import CommandError, say
from bot.session.puzzle_mining import mined, proof_fault
from games.core import Game
from games.core.school import Lesson, lesson_data, puzzles
from games.core.shelf import find_game, shelf

MOST_GAMES = 10_000
"""How many games are played in one run at most."""


def run_puzzle_command(asked: argparse.Namespace) -> int:
    """Run the command *asked* and return its status; raises ``CommandError`` or ``RuleError``."""
    if asked.what == "mine":
        return _mine(asked)
    if asked.what == "add":
        if not asked.game or asked.file is None:
            raise CommandError("Say of which game, and the file: `ludoteca puzzles add GAME FILE`.")
        return add_puzzle_file(find_game(asked.game), asked.file, asked.seed)
    games = [find_game(asked.game)] if asked.game else list(shelf().values())
    verdicts = {game.key: list(_verdicts(game, asked.seed)) for game in games}
    wrong = any(fault for each in verdicts.values() for _, fault in each)
    return max(int(wrong), check_house_puzzles(games, asked.seed, verdicts))


def _mine(asked: argparse.Namespace) -> int:
    """Print puzzles, one a line, as ``puzzles.json`` holds them."""
    if not asked.game:
        raise CommandError("Say of which game: `ludoteca puzzles mine GAME`.")
    game = find_game(asked.game)
    if game.pose is None:
        raise CommandError(f"{game.title} has no problems to pose.")
    if not 1 <= asked.games <= MOST_GAMES:
        raise CommandError(f"--games is from 1 to {MOST_GAMES}.")
    for lesson in mined(game, asked.games, asked.seed):
        say(json.dumps(lesson_data(lesson), ensure_ascii=False))
    return 0


def _verdicts(game: Game, seed: int) -> Iterator[tuple[Lesson, str]]:
    """Every puzzle that comes with *game*, proved anew, with its fault; "" where it holds."""
    wrong, all_of_them = 0, puzzles(game)
    for number, lesson in enumerate(all_of_them):
        fault = proof_fault(game, lesson, seed + number)
        if fault:
            wrong += 1
            say(f"WRONG  {game.key} {lesson.position}: {fault}")
        yield lesson, fault
    say(f"{game.key}: {len(all_of_them)} puzzles, {wrong} wrong")
