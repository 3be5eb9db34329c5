"""The files of an operator's own puzzles: JSON as games ship it, positions a line, or a record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.app.offline_game_commands import record_in, text_in
from bot.app.output import CommandError
from bot.texts import language
from games.core import Game, RuleError
from games.core.school import BadLesson, Lesson, check_lesson, opening, read_lesson

MOST_PUZZLES = 2_000
"""How many puzzles one file may have."""

_JSON = re.compile(r"\s*(\{|\[\s*[{\]])")
_ENGLISH = "en"


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
        raise CommandError(f"{file} is empty.")
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
            raise _unread(file, number, str(wrong)) from None
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
    try:
        game.notation.read(line, game.chosen({}))
    except RuleError:
        return False
    return True


def _position_alone(game: Game, file: Path, number: int, text: str) -> Lesson:
    """The lesson of which only the position is known."""
    lesson = Lesson("", text, {})
    try:
        known = opening(game, lesson)
        if known.position.outcome() is not None:
            raise BadLesson("the game is over there")
    except RuleError as wrong:
        raise _unread(file, number, language(_ENGLISH).say(wrong.phrase)) from None
    except BadLesson as wrong:
        raise _unread(file, number, str(wrong)) from None
    return Lesson("", game.notation.text(known.position), {})


def _unread(file: Path, number: int, why: str) -> CommandError:
    return CommandError(f"{file}: puzzle {number} cannot be read: {why.rstrip('.')}.")
