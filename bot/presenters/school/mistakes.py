"""The screens of one's own mistakes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.school.exercises import MISTAKES, ExerciseBoard, helping, plies_of
from bot.presenters.school.puzzles import GIVEN
from bot.session.mistake_repetition import A_DAY, Agenda, KeptMistake, Mistake
from games.core import phrase
from games.core.move_parsing import read_move
from games.core.school import LessonState, opening

DROP: Final = "drop"
"""The path of the button by which a mistake is put no more begins so."""


class MistakeScreens(PagePresenter):
    """Composes the screens of one's own mistakes."""

    def asking(
        self, kept: KeptMistake, board: ExerciseBoard, path: Sequence[str] = (), *said: str
    ) -> Screen:
        """The position with its task, and what was *said* of the last answer."""
        below = [*helping(self, board), self._give(kept, "puzzle.button.give")]
        if said and kept.due is not None:
            below.append(self.next_one("house"))
        return board.asking(self._title(kept), (*self._task(kept, board), *said), below, path)

    def solved(self, kept: KeptMistake, board: ExerciseBoard, days: int | None) -> Screen:
        """The position that is solved, and in how many *days* it is put again."""
        lines = [self.say("mistake.solved")]
        below = [self._give(kept, "puzzle.button.film")]
        if days is not None:
            lines.append(self.again(days))
            drop = self.code(Action.PUZZLE, DROP, kept.mistake.exercise.code)
            below = [self.next_one("good"), *below, Button(self.say("mistake.button.drop"), drop)]
        return board.standing(self._title(kept), lines, below)

    def again(self, days: int) -> str:
        """When a mistake is put again."""
        return self.say("mistake.tomorrow") if days == 1 else self.say("mistake.again", n=days)

    def nothing(self, agenda: Agenda) -> Screen:
        """That nothing is to be put now, and when something is."""
        if agenda.done >= A_DAY:
            return self.page(self.say("mistake.enough"))
        if agenda.following is None:
            return self.page(self.say("mistake.none"))
        return self.page(self.say("mistake.done"), [self.again(agenda.following - agenda.today)])

    def _title(self, kept: KeptMistake) -> str:
        name = phrase(f"{kept.mistake.exercise.game.key}.name")
        return self.say("mistake.title" if kept.due is not None else "mistake.trial", game=name)

    def _task(self, kept: KeptMistake, board: ExerciseBoard) -> tuple[str, str]:
        game, known = board.table.game, board.known
        side = phrase(f"{game.key}.side.{board.table.players[known.seat].side}")
        played = read_move(game, known.position, known.seat, kept.mistake.played)
        spoken = board.tongue.clause(game.speech.spoken(known.position, played), board.names)
        return self.say("mistake.side", side=side), self.say("mistake.task", move=spoken)

    def next_one(self, style: str) -> Button:
        """The way to the next mistake that is due."""
        return Button(self.say("mistake.button.next"), self.code(Action.PUZZLE, MISTAKES), style)

    def _give(self, kept: KeptMistake, key: str) -> Button:
        return Button(self.say(key), self.code(Action.PUZZLE, GIVEN, kept.mistake.exercise.code))


def better_line(mistake: Mistake) -> LessonState:
    """The exercise of *mistake* after the better move and what was expected to follow it."""
    game, known = mistake.exercise.game, opening(mistake.exercise.game, mistake.exercise.lesson)
    line = mistake.line or tuple(mistake.exercise.lesson.answers)[:1]
    played = (*known.played, *plies_of(game, known.position, line))
    before, _, move = played[-1]
    return LessonState(before.after(move), known.seat, None, played)
