"""What if: moves that were not played, tried by one person from a moment of a game that is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.port import Button, Screen
from bot.presenters.buttons import NO_TABLE, Action
from bot.presenters.choices import ChoicePage, page_of
from bot.presenters.composer import Composer
from bot.presenters.history import replayed
from bot.presenters.keyboard import choice_rows
from bot.session.table import CLOSED, ENDED, PLAYING
from games.core import CHANCE, IllegalMove, Seat, Steps, phrase
from games.core.picker import spelled
from render.scene import Last, Target

LONGEST = 100
"""How many moves may be tried one after the other."""

TOLD = 4
"""How many of them are told above the board, the last ones."""

SUPPOSED = "if:"
"""How the code of a button begins that only the page understands; its path follows, with commas."""


class _Supposing(Composer):
    """Writes buttons that play nothing: they say what would be chosen."""

    def code(self, act: Action, *path: str, turn: int = 0) -> str:
        """What the page takes for a step further."""
        del act, turn
        return SUPPOSED + ",".join(path)


def what_if_screen(composer: Composer, number: int, line: Sequence[Steps], path: Steps) -> Screen | None:
    """The board after *number* entries of the log and the moves of *line*, each by its steps.

    *path* is chosen of the next move, of whoever would be to move. ``None`` for a game that is not
    over, and for a line that cannot be played.
    """
    table, game = composer.table, composer.table.game
    if table.status not in (ENDED, CLOSED) or not 0 <= number <= len(table.log):
        return None
    if table.position is None or len(line) > LONGEST:
        return None
    position, notes = replayed(table, number)[1], list[str]()
    last: tuple[Last, ...] = ()
    for steps in line:
        seat = _mover(position.actors())
        moves = {} if seat is None else spelled(game, position, position.legal_moves(seat))
        if seat is None or steps not in moves:
            return None
        notes.append(composer.say(game.typed(position, moves[steps])))
        last = (Last(composer.seen.then(position), seat, moves[steps]),)
        position = position.after(moves[steps])
    seen, seat = composer.seen.then(position), _mover(position.actors())
    scene = composer.past(seen, tuple(one for one in last if one.seat != CHANCE))
    rows: tuple[tuple[Button, ...], ...] = ()
    if seat is not None:
        now = replace(table, status=PLAYING, position=position)
        viewer = replace(composer.viewer, seat=None if seat == CHANCE else seat)
        writer = _Supposing(now, viewer, composer.key)
        if seat == CHANCE:
            rows = _draws(writer, position.legal_moves(seat))
        else:
            page = _page(writer, seat, path)
            rows = tuple(choice_rows(writer, page))
            targets = tuple(Target("", choice.step) for choice in page.choices)
            scene = replace(scene, path=page.path, targets=targets)
    tried = [*(["…"] if len(notes) > TOLD else []), *notes[-TOLD:]]
    asked = phrase("web.what-if", moves=" ".join(tried)) if notes else phrase("web.page.if")
    said, alt = composer.say(asked), " ".join(map(composer.say, game.speech.describe(seen)))
    return Screen(NO_TABLE, 0, said, rows=rows, scene=scene, alt=alt, language=composer.tongue.code)


def _mover(actors: frozenset[Seat]) -> Seat | None:
    """Who would be to move; chance first, as it waits for nobody."""
    return min(actors, default=None)


def _page(writer: Composer, seat: Seat, path: Steps) -> ChoicePage:
    position, space = writer.table.present, writer.viewer.space
    try:
        return page_of(writer.table.game, position, seat, path, space)
    except IllegalMove:
        return page_of(writer.table.game, position, seat, (), space)


def _draws(writer: Composer, moves: Sequence[object]) -> tuple[tuple[Button, ...], ...]:
    """A button for each thing that chance may bring."""
    game, position = writer.table.game, writer.table.present
    buttons = []
    for steps, move in spelled(game, position, moves).items():
        label, code = game.notation.written(position, move), writer.code(Action.MOVE, *steps)
        buttons.append(Button(label, code, "move", "", steps[0], code, plays=True))
    return (tuple(buttons),)
