"""The operator's commands for the house's own puzzles: added, and proved anew."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.app.control_client import perform
from bot.app.output import REFUSED, CommandError, say
from bot.app.puzzle_files import puzzles_in
from bot.app.settings import Settings, read_settings
from bot.session.puzzle_mining import hardness, posed, proof_fault, source_of
from games.core import Game
from games.core.school import Lesson, lesson_data, opening, read_lesson
from storage.errors import StorageError

AT_ONCE = 50
"""How many puzzles are handed to the bot at once: a line to it is short."""


def add_puzzle_file(game: Game, file: Path, seed: int) -> int:
    """Prove the puzzles of *file* and keep them; returns 0, or raises ``CommandError``."""
    if game.pose is None:
        raise CommandError(f"{game.title} has no problems to prove.")
    settings, lessons = read_settings(), puzzles_in(game, file)
    proved = [
        _proved(game, file, number, one, seed + number) for number, one in enumerate(lessons, 1)
    ]
    new = 0
    try:
        for some in _parts([lesson_data(one) for one in proved]):
            new += int(_asked(settings, "add-puzzles", game=game.key, puzzles=json.dumps(some)))
    except StorageError as refused:
        raise CommandError(str(refused), REFUSED) from None
    say(f"Added: {new}. There already: {len(proved) - new}.")
    return 0


def _proved(game: Game, file: Path, number: int, lesson: Lesson, seed: int) -> Lesson:
    """*lesson* with its answers and how hard it is; raises ``CommandError`` where it does not hold.

    Of a position alone the game says what is asked, and its answers.
    """
    if lesson.answers:
        found, fault = lesson, proof_fault(game, lesson, seed)
    else:
        known = opening(game, lesson)
        asked = posed(game, known.position, known.seat, seed)
        found, fault = asked or lesson, "" if asked else "it asks for nothing that can be proved"
    if fault:
        raise CommandError(f"{file}: puzzle {number} does not hold: {fault}. Nothing was added.")
    if found.mu is not None:
        return found
    return replace(found, mu=hardness(game, found, source_of(game), random.Random(seed)))


def check_house_puzzles(games: Sequence[Game], seed: int, faults: dict[str, list[Any]]) -> int:
    """Prove the house's own puzzles of *games* anew; returns 1 where one does not hold.

    What does not hold is put no more, nor are those that ship with *faults*, by game: pairs of a
    lesson and why. Without a database there are none.
    """
    settings, wrong = read_settings(), 0
    try:
        for game in games:
            verdicts = list(faults.get(game.key, ()))
            kept = list(_kept(settings, game))
            for number, lesson in enumerate(kept):
                fault = proof_fault(game, lesson, seed + number)
                verdicts.append((lesson, fault))
                if fault:
                    wrong += 1
                    say(f"WRONG  {game.key} {lesson.position}: {fault}")
            told = [[lesson_data(lesson), fault] for lesson, fault in verdicts]
            for some in _parts(told):
                _asked(settings, "judge-puzzles", game=game.key, verdicts=json.dumps(some))
            if kept:
                say(f"{game.key}: {len(kept)} puzzles of the house, {wrong} wrong")
    except StorageError as refused:
        say(f"The house's own puzzles were not looked at: {refused}")
    return 1 if wrong else 0


def _kept(settings: Settings, game: Game) -> Iterator[Lesson]:
    """The house's own puzzles of *game*."""
    first = 0
    while True:
        words = {"game": game.key, "first": f"{first}", "count": f"{AT_ONCE}"}
        told = json.loads(_asked(settings, "list-puzzles", **words))
        yield from (read_lesson(game.key, one) for one in told)
        if len(told) < AT_ONCE:
            return
        first += len(told)


def _asked(settings: Settings, act: str, **words: str) -> str:
    return asyncio.run(perform(settings, act, **words))


def _parts(told: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for first in range(0, len(told), AT_ONCE):
        yield told[first : first + AT_ONCE]
