"""Somebody who goes through the first steps by what the screen says: by words, or by buttons."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.port import Answer, Asker, Card, MenuAnswer, Screen, Where
from bot.presenters.button_codes import Action, Click, decode_click
from bot.session.exercises import Exercise, steps_of_course
from games.core import read_move
from games.core.school import LessonState, answered, opening, right
from tests.fakes import Desk, Message, person

ILLEGAL = ("99zz99", "🙂", "a1a1a1")
"""What is no move of any game."""

RIGHT, WRONG = "✅", "↩️"


def moves_of(exercise: Exercise, known: LessonState) -> tuple[list[str], list[str]]:
    """The right and the other legal moves there, in notation."""
    game, found = exercise.game, ([], [])
    for move in known.position.legal_moves(known.seat):
        wrong = right(game, known, move) is None
        found[wrong].append(game.notation.written(known.position, move))
    return found


def text_of(answer: Answer) -> str:
    if isinstance(answer, Card | MenuAnswer):
        return "\n".join((answer.screen.headline, *answer.screen.lines))
    return answer.said


@dataclass
class Learner:
    """A person alone with the house, who takes each course from the first step to the last."""

    house: Desk
    language: str = "es"
    most_wrong: int = 2
    tried: dict[str, int] = field(default_factory=lambda: {"right": 0, "wrong": 0, "illegal": 0})

    @property
    def asker(self) -> Asker:
        return person("Ana", language=self.language)

    @property
    def where(self) -> Where:
        return Where("fake", "id-Ana", private=True)

    async def say(self, **values: str) -> Answer:
        return await self.house.call(self.asker, "learn", self.where, **values)

    async def press(self, screen: Screen, code: str) -> Answer:
        message = Message("card", self.where, screen, None, card=True)
        return await self.house.press(self.asker, message, code=code)

    async def by_words(self, game: str) -> None:
        """Every step of the course of *game* by typed moves, wrong ones first."""
        for number, exercise in enumerate(steps_of_course(game), 1):
            shown = await self.say(game=game)
            assert f" {number} " in text_of(shown), text_of(shown)
            known = opening(exercise.game, exercise.lesson)
            while not known.solved:
                good, wrong = moves_of(exercise, known)
                for move in wrong[: self.most_wrong]:
                    answer = await self.say(answer=move)
                    assert WRONG in text_of(answer), (game, number, move, text_of(answer))
                    self.tried["wrong"] += 1
                for text in ILLEGAL:
                    answer = await self.say(answer=text)
                    assert not answer.good, (game, number, text)
                    self.tried["illegal"] += 1
                for move in good[:1]:
                    answer = await self.say(answer=move)
                    assert RIGHT in text_of(answer), (game, number, move, text_of(answer))
                    self.tried["right"] += 1
                move = read_move(exercise.game, known.position, known.seat, good[0])
                known = answered(exercise.game, known, move)

    async def by_buttons(self, game: str) -> Screen:
        """The same by the buttons alone, from the list of courses to the end; the last screen."""
        shown = await self.say()
        screen = await self._open(shown.screen, game)
        for exercise in steps_of_course(game):
            known = opening(exercise.game, exercise.lesson)
            while not known.solved:
                moves = known.position.legal_moves(known.seat)
                ways = {exercise.game.menus.steps(known.position, move): move for move in moves}
                wrong = [w for w, m in ways.items() if right(exercise.game, known, m) is None]
                good = [w for w, m in ways.items() if right(exercise.game, known, m)]
                for way in wrong[: self.most_wrong]:
                    screen = await self._follow(screen, way)
                    assert any(WRONG in line for line in screen.lines), (game, way, screen.lines)
                    self.tried["wrong"] += 1
                screen = await self._follow(screen, good[0])
                assert any(RIGHT in line for line in screen.lines), (game, good[0], screen.lines)
                self.tried["right"] += 1
                known = answered(exercise.game, known, ways[good[0]])
            if exercise.step < len(steps_of_course(game)):
                following = next(b for row in screen.rows for b in row if b.style == "good")
                screen = (await self.press(screen, following.code)).screen
        return screen

    async def _open(self, screen: Screen, game: str) -> Screen:
        for row in screen.rows:
            for button in row:
                if self._click(button.code).path[-1] == game:
                    return (await self.press(screen, button.code)).screen
        raise AssertionError(f"no course of {game}")

    async def _follow(self, screen: Screen, way: tuple[str, ...]) -> Screen:
        """Press the buttons that lead to the move spelled *way*, turning pages where needed."""
        while True:
            found = [self._click(b.code) for row in screen.rows for b in row if b.style != "house"]
            codes = {self._click(b.code).path: b.code for row in screen.rows for b in row}
            fit = [
                c for c in found if c.act is Action.LEARN and way[: len(c.path) - 1] == c.path[1:]
            ]
            fit = [one for one in fit if len(one.path) > 1]
            if fit:
                longest = max(fit, key=lambda one: len(one.path))
                screen = (await self.press(screen, codes[longest.path])).screen
                if longest.path[1:] == way:
                    return screen
                continue
            turned = [c for path, c in codes.items() if path and path[-1].startswith("»")]
            assert turned, (way, [b.label for row in screen.rows for b in row])
            screen = (await self.press(screen, turned[0])).screen

    def _click(self, code: str) -> Click:
        return decode_click(code, self.house.facade.services.key)
