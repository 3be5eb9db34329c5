"""The operator's command for puzzles: mined from games of computers, added, and proved anew.

The files of an operator's own puzzles are JSON as games ship it, positions a line, or a record.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from bot.app.control_socket import perform
from bot.app.offline_game_commands import record_in, text_in
from bot.app.output import REFUSED, CommandError, say
from bot.app.settings import Settings, read_settings
from bot.app.shell_texts import from_below, shell_sentence, spoken_in_shell
from bot.session.puzzle_mining import grade, mine, posed, proof_fault
from bot.texts import language
from games.core import Game, RuleError
from games.core.school import (
    BadLesson,
    Lesson,
    check_lesson,
    lesson_data,
    opening,
    puzzles,
    read_lesson,
)
from games.core.shelf import find_game, shelf
from storage.errors import StorageError

MOST_PUZZLES = 2_000
"""How many puzzles one file may have."""

_JSON = re.compile(r"\s*(\{|\[\s*[{\]])")


def puzzles_in(game: Game, file: Path) -> list[Lesson]:
    """The puzzles of *game* in *file*; one without answers is only a position.

    A file is a list of JSON as ``puzzles.json`` of a game has it, or an object a line as ``ludoteca
    puzzles mine`` prints them, or a position a line in the notation of the game such as SFEN, or a
    record of the game that begins with a position, such as KIF with its diagram. Raises
    ``CommandError`` or ``RuleError`` with a sentence on the first thing that cannot be read.
    """
    text = text_in(file, game)
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith("#")]
    if not told:
        raise CommandError(shell_sentence("empty-file", file=file))
    if _JSON.match(text):
        found = list(_of_json(game, file, text, told))
    elif _is_position(game, told[0]):
        found = [_position_alone(game, file, number, line) for number, line in enumerate(told, 1)]
    else:
        position = game.beginning(record_in(game, file))
        found = [_position_alone(game, file, 1, game.notation.text(position))]
    if not 0 < len(found) <= MOST_PUZZLES:
        raise CommandError(f"{file} has {len(found)} puzzles; 1 to {MOST_PUZZLES} are taken.")
    return found


def _of_json(game: Game, file: Path, text: str, lines: list[str]) -> Iterator[Lesson]:
    for number, told in enumerate(_objects(file, text, lines), 1):
        try:
            lesson = read_lesson(game.key, told)
            check_lesson(game, lesson)
        except (BadLesson, ValueError, TypeError) as wrong:
            raise _refuse(file, number, str(wrong)) from None
        yield lesson


def _objects(file: Path, text: str, lines: list[str]) -> list[Any]:
    """The objects of a list of JSON, or of one a line."""
    try:
        if text.lstrip().startswith("["):
            return list(json.loads(text))
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as wrong:
        raise CommandError(f"{file} is no JSON: {str(wrong)[:80]}.") from None


def _is_position(game: Game, line: str) -> bool:
    with suppress(RuleError):
        game.notation.read(line, game.chosen({}))
        return True
    return False


def _position_alone(game: Game, file: Path, number: int, text: str) -> Lesson:
    """The lesson of which only the position is known."""
    lesson = Lesson("", text, {})
    try:
        known = opening(game, lesson)
        if known.position.outcome() is not None:
            raise BadLesson("the game is over there")
    except RuleError as wrong:
        raise _refuse(file, number, language(spoken_in_shell()).say(wrong.phrase)) from None
    except BadLesson as wrong:
        raise _refuse(file, number, str(wrong)) from None
    return Lesson("", game.notation.text(known.position), {})


def _refuse(file: Path, number: int, why: str) -> CommandError:
    return CommandError(f"{file}: puzzle {number} cannot be read: {why.rstrip('.')}.")


_Verdict: TypeAlias = tuple[Lesson, str]
"""A puzzle and what is wrong with it, "" where it holds."""

AT_ONCE = 50
"""How many puzzles are handed to the bot at once: a line to it is short."""


def add_puzzle_file(game: Game, file: Path, seed: int) -> int:
    """Prove the puzzles of *file* and keep them; returns 0, or raises ``CommandError``."""
    if game.computer.pose is None:
        raise CommandError(shell_sentence("no-problems", game=game.title))
    settings, lessons = read_settings(), puzzles_in(game, file)
    proved = [
        _prove(game, file, number, one, seed + number) for number, one in enumerate(lessons, 1)
    ]
    new = 0
    try:
        for some in _parts([lesson_data(one) for one in proved]):
            new += int(_ask(settings, "add-puzzles", game=game.key, puzzles=json.dumps(some)))
    except StorageError as refused:
        raise CommandError(str(refused), REFUSED) from None
    say(from_below(f"Added: {new}. There already: {len(proved) - new}."))
    return 0


def _prove(game: Game, file: Path, number: int, lesson: Lesson, seed: int) -> Lesson:
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
    graded = grade(game, found)
    if graded is None:
        why = "a beginner finds it, the game is lost all the same, or a better move is refused"
        raise CommandError(f"{file}: puzzle {number} is no good one: {why}. Nothing was added.")
    return replace(graded, mu=graded.mu if found.mu is None else found.mu)


def check_house_puzzles(
    games: Sequence[Game], asked: argparse.Namespace, faults: Mapping[str, Sequence[_Verdict]]
) -> bool:
    """Prove the house's own puzzles of *games* anew, as *asked*; whether one does not hold.

    What does not hold is put no more, nor are those that ship with *faults*, by game. Without a
    database there are none.
    """
    settings, wrong = read_settings(), False
    try:
        for game in games:
            kept = list(_list_kept(settings, game))
            verdicts = _prove_all(game, kept, asked, f"{len(kept)} puzzles of the house")
            wrong = wrong or any(fault for _, fault in verdicts)
            told = [[lesson_data(one), fault] for one, fault in (*faults[game.key], *verdicts)]
            for some in _parts(told):
                _ask(settings, "judge-puzzles", game=game.key, verdicts=json.dumps(some))
    except StorageError as refused:
        say(from_below(f"The own puzzles of the house were not looked at: {refused}"))
    return wrong


def _list_kept(settings: Settings, game: Game) -> Iterator[Lesson]:
    """The house's own puzzles of *game*."""
    first = 0
    while True:
        words = {"game": game.key, "first": f"{first}", "count": f"{AT_ONCE}"}
        told = json.loads(_ask(settings, "list-puzzles", **words))
        yield from (read_lesson(game.key, one) for one in told)
        if len(told) < AT_ONCE:
            return
        first += len(told)


def _ask(settings: Settings, act: str, **words: str) -> str:
    return asyncio.run(perform(settings, act, **words))


def _parts(told: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for first in range(0, len(told), AT_ONCE):
        yield told[first : first + AT_ONCE]


MOST_GAMES = 10_000
"""How many games are played in one run at most."""


def run_puzzle_command(asked: argparse.Namespace) -> int:
    """Run the command *asked* and return its status; raises ``CommandError`` or ``RuleError``."""
    if asked.what == "mine":
        return _mine(asked)
    if asked.what == "add":
        if not asked.game or asked.file is None:
            raise CommandError(shell_sentence("puzzles-of-file"))
        return add_puzzle_file(find_game(asked.game), asked.file, asked.seed)
    games = [find_game(asked.game)] if asked.game else list(shelf().values())
    verdicts = {game.key: _prove_shipped(game, asked) for game in games}
    wrong = any(fault for each in verdicts.values() for _, fault in each)
    return int(check_house_puzzles(games, asked, verdicts) or wrong)


def _mine(asked: argparse.Namespace) -> int:
    """Print puzzles, one a line, as ``puzzles.json`` holds them."""
    if not asked.game:
        raise CommandError(shell_sentence("puzzles-of-game"))
    game = find_game(asked.game)
    if game.computer.pose is None:
        raise CommandError(shell_sentence("no-problems", game=game.title))
    if not 1 <= asked.games <= MOST_GAMES:
        raise CommandError(f"--games is from 1 to {MOST_GAMES}.")
    for lesson in mine(game, asked.games, asked.seed):
        say(json.dumps(lesson_data(lesson), ensure_ascii=False))
    return 0


A_LOT = {"shogi": 30, "parchis": 10}
"""How many puzzles of a game are proved where not all are asked for."""

USUAL_LOT = 60
"""The same of the games whose proofs are quick."""


def _prove_shipped(game: Game, asked: argparse.Namespace) -> Sequence[_Verdict]:
    """Puzzles that come with *game*, a lot or all of them, proved anew."""
    every = puzzles(game)
    many = len(every) if asked.all else min(len(every), A_LOT.get(game.key, USUAL_LOT))
    lot = random.Random(asked.seed).sample(every, many)
    return _prove_all(game, lot, asked, f"{many} of {len(every)} puzzles")


def _prove_all(
    game: Game, lessons: Sequence[Lesson], asked: argparse.Namespace, whose: str
) -> Sequence[_Verdict]:
    """Each of *lessons* of *game* with its fault, "" where it holds; what is wrong is told."""
    tasks = [(game.key, lesson, asked.seed + number) for number, lesson in enumerate(lessons)]
    side_by_side = multiprocessing.get_context("spawn").Pool
    found = list((map if asked.jobs == 1 else side_by_side(asked.jobs).imap)(_fault_of, tasks))
    verdicts = [(lesson, fault) for lesson, (fault, _) in zip(lessons, found, strict=True)]
    wrong = [f"{game.key} {lesson.position}: {fault}" for lesson, fault in verdicts if fault]
    for line in wrong:
        say(from_below(f"WRONG  {line}"))
    if lessons:
        spent = sum(seconds for _, seconds in found)
        say(from_below(f"{game.key}: {whose}, {len(wrong)} wrong, {spent:.0f} CPU s"))
    return verdicts


def _fault_of(task: tuple[str, Lesson, int]) -> tuple[str, float]:
    """What is wrong with a lesson of a game, proved with a seed, and the CPU seconds it took."""
    began = time.process_time()
    key, lesson, seed = task
    return proof_fault(find_game(key), lesson, seed), time.process_time() - began
