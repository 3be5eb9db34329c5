"""What if: moves that nobody played, from a moment of a game or from a text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.port import Button, Screen
from bot.presenters.button_codes import NO_TABLE, Action
from bot.presenters.school.exercises import posed_table
from bot.presenters.table.composer import Composer
from bot.presenters.table.keyboard import choice_rows
from bot.presenters.table.move_history import replayed
from bot.presenters.table.viewers import Viewer, seated_by_side
from bot.session.rated import stands_alike
from bot.session.table import CLOSED, ENDED, PLAYING, HistoryEntry, Table
from bot.texts import language
from games.core import CHANCE, Game, Phrase, Position, Steps, phrase
from games.core.move_parsing import spelled
from render.scene import Last, Target

LONGEST_LINE = 100
"""How many moves a what-if line may have."""

TOLD = 4
"""How many of the last moves are told above the board."""

SUPPOSED = "if:"
"""The prefix of what-if codes, which only the page understands; a path with commas follows."""


class _Supposing(Composer):
    """Composes what-if buttons, which tell the page a path and play nothing."""

    def code(self, _act: Action, *path: str, turn: int = 0) -> str:  # noqa: ARG002
        """The what-if code of *path*."""
        return SUPPOSED + ",".join(path)


def what_if_screen(
    composer: Composer,
    number: int,
    line: Sequence[Steps],
    path: Steps,
    running: Sequence[Table] = (),
) -> Screen | None:
    """The board after *number* entries, *line* and *path*; ``None`` if illegal or not over.

    *running* are the reader's games that count: a board that stands as one of them is not shown.
    """
    table = composer.table
    there = table.position is not None and 0 <= number <= len(table.log)
    if not there or table.status not in (ENDED, CLOSED):
        return None
    start = replayed(table, number)[1]
    return _compose_line(composer, start, line, path, running, phrase("web.page.if"))


def posed_screen(
    game: Game,
    text: str,
    line: Sequence[Steps],
    path: Steps,
    viewer: Viewer,
    key: bytes,
    running: Sequence[Table] = (),
) -> Screen | None:
    """The board of *game* that *text* writes, after *line* and *path*; ``None`` if illegal.

    It is shown as everybody may see it. Raises ``RuleError`` where *text* cannot be read.
    *running* is as ``what_if_screen`` says.
    """
    position = game.notation.read(text, game.chosen({}))
    sides = game.notation.sides(position) or game.setting().sides
    players = seated_by_side(game.key, sides, language(viewer.language))
    table = posed_table(game, {}, players, position)
    composer = Composer(replace(table, status=ENDED), viewer, key)
    title = phrase("web.posed", game=phrase(f"{game.key}.name"))
    return _compose_line(composer, position, line, path, running, title)


def _compose_line(
    composer: Composer,
    start: Position[Any],
    line: Sequence[Steps],
    path: Steps,
    running: Sequence[Table],
    title: Phrase,
) -> Screen | None:
    """The board *start* after *line* and *path*, under *title* while nothing is tried."""
    table, game = composer.table, composer.table.game
    tried = _play_line(composer, start, line) if len(line) <= LONGEST_LINE else None
    if tried is None:
        return None
    position, notes, last = tried
    if (refused := _refused_alike(composer, position, running)) is not None:
        return refused
    seen, seat = composer.seen.then(position), min(position.actors(), default=None)
    scene = composer.past(seen, tuple(one for one in last if one.seat != CHANCE))
    rows: tuple[tuple[Button, ...], ...] = ()
    if seat is not None:
        now = replace(table, status=PLAYING, position=position)
        viewer = replace(composer.viewer, seat=None if seat == CHANCE else seat)
        writer = _Supposing(now, viewer, composer.key)
        if seat == CHANCE:
            rows = _draws(writer, position.legal_moves(seat))
        else:
            page = writer.choices(seat, path)
            rows = tuple(choice_rows(writer, page))
            targets = tuple(Target("", choice.step) for choice in page.choices)
            scene = replace(scene, path=page.path, targets=targets)
    told = " ".join([*(["…"] if len(notes) > TOLD else []), *notes[-TOLD:]])
    asked = phrase("web.what-if", moves=told) if notes else title
    said, alt = composer.say(asked), " ".join(map(composer.say, game.speech.describe(seen)))
    return Screen(NO_TABLE, 0, said, rows=rows, scene=scene, alt=alt, language=composer.tongue.code)


def follows(table: Table, number: int, line: Sequence[Steps]) -> bool:
    """Whether *line* can be played after *number* entries of the log of a finished *table*."""
    if table.position is None or not 0 <= number <= len(table.log) or len(line) > LONGEST_LINE:
        return False
    return _history_of(table.game, replayed(table, number)[1], line) is not None


def _refused_alike(
    composer: Composer, position: Position[Any], running: Sequence[Table]
) -> Screen | None:
    """What is said instead of *position*, where one of the *running* games stands like it."""
    alike = next((one for one in running if stands_alike(one, position)), None)
    if alike is None:
        return None
    said = composer.say("standing.same-position", code=alike.code)
    return Screen(NO_TABLE, 0, said, language=composer.tongue.code)


def _play_line(
    composer: Composer, position: Position[Any], line: Sequence[Steps]
) -> tuple[Position[Any], list[str], tuple[Last, ...]] | None:
    """The position after *line*, its moves in notation and the last; ``None`` if it is illegal."""
    game, notes = composer.table.game, list[str]()
    told, last = _history_of(game, position, line), tuple[Last, ...]()
    if told is None:
        return None
    for one in told:
        notes.append(composer.say(game.typed(one.before, one.move)))
        last = (Last(composer.seen.then(one.before), one.seat, one.move),)
        position = one.before.after(one.move)
    return position, notes, last


def _history_of(
    game: Game, position: Position[Any], line: Sequence[Steps]
) -> list[HistoryEntry] | None:
    """The moves of *line* from *position* on; ``None`` if it is illegal."""
    told = list[HistoryEntry]()
    for steps in line:
        seat = min(position.actors(), default=None)  # chance comes first
        moves = {} if seat is None else spelled(game, position, position.legal_moves(seat))
        if seat is None or steps not in moves:
            return None
        told.append(HistoryEntry(position, seat, moves[steps]))
        position = position.after(moves[steps])
    return told


def _draws(writer: Composer, moves: Sequence[object]) -> tuple[tuple[Button, ...], ...]:
    game, position, buttons = writer.table.game, writer.table.present, []
    for steps, move in spelled(game, position, moves).items():
        label, code = game.notation.written(position, move), writer.code(Action.MOVE, *steps)
        buttons.append(Button(label, code, "move", "", steps[0], code, plays=True))
    return (tuple(buttons),)
