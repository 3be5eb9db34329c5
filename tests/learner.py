"""Somebody who goes through the first steps by what the screen says: by words, or by buttons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from bot.port import Answer, Card, MenuAnswer, Screen, Where
from bot.presenters.button_codes import Action, decode_click
from bot.session.exercise_catalogue import Exercise, steps_of_course
from bot.texts import language
from games.core import phrase, read_move
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


def _letters(text: str) -> str:
    """The letters and digits of *text*, whatever a chat puts around them."""
    return "".join(filter(str.isalnum, text))


def text_of(answer: Answer) -> str:
    if isinstance(answer, Card | MenuAnswer):
        return "\n".join((answer.screen.headline, *answer.screen.lines))
    return answer.said


@dataclass(frozen=True)
class Seen:
    """What somebody sees after a press: the words, and the codes of the buttons."""

    text: str
    codes: tuple[str, ...]


class Hands(Protocol):
    """How somebody uses a chat in a *language*."""

    @property
    def language(self) -> str: ...

    async def begin(self, game: str) -> Seen:
        """Ask for the course of *game* by a command."""

    async def press(self, code: str) -> Seen:
        """Press a button of what is seen."""

    async def say(self, text: str) -> str:
        """Type *text* as an answer; the words that come back."""


@dataclass
class FakeHands:
    """Somebody alone with the house, in a chat in memory."""

    house: Desk
    language: str = "es"
    seen: Seen = field(default_factory=lambda: Seen("", ()))
    where: Where = field(default_factory=lambda: Where("fake", "id-Ana", private=True))

    async def begin(self, game: str) -> Seen:
        return self._seen(await self._call(game=game))

    async def press(self, code: str) -> Seen:
        asker = person("Ana", language=self.language)
        message = Message("card", self.where, Screen("0000", 0, ""), None, card=True)
        return self._seen(await self.house.press(asker, message, code=code))

    async def say(self, text: str) -> str:
        return text_of(await self._call(answer=text))

    async def _call(self, **values: str) -> Answer:
        asker = person("Ana", language=self.language)
        return await self.house.call(asker, "learn", self.where, **values)

    def _seen(self, answer: Answer) -> Seen:
        rows = answer.screen.rows if isinstance(answer, Card | MenuAnswer) else ()
        return Seen(text_of(answer), tuple(button.code for row in rows for button in row))


@dataclass
class Learner:
    """A person who takes each course from the first step to the last, by their *hands*."""

    hands: Hands
    key: bytes
    """What the buttons are signed with, to read what they mean."""
    most_wrong: int = 2
    tried: dict[str, int] = field(default_factory=lambda: {"right": 0, "wrong": 0, "illegal": 0})

    async def by_words(self, game: str, steps: int = 99) -> None:
        """The first *steps* of the course of *game* by typed moves, wrong ones first."""
        for number, exercise in enumerate(steps_of_course(game)[:steps], 1):
            shown = await self.hands.begin(game)
            assert f" {number} " in shown.text, shown.text
            task = language(self.hands.language).say(phrase(f"{game}.learn.{exercise.lesson.key}"))
            assert _letters(task) in _letters(shown.text), (task, shown.text)
            known = opening(exercise.game, exercise.lesson)
            while not known.is_solved:
                good, wrong = moves_of(exercise, known)
                for move in wrong[: self.most_wrong]:
                    self._note("wrong", WRONG, await self.hands.say(move), game, number, move)
                for text in ILLEGAL:
                    told = await self.hands.say(text)
                    assert RIGHT not in told
                    assert WRONG not in told
                    self.tried["illegal"] += 1
                self._note("right", RIGHT, await self.hands.say(good[0]), game, number, good[0])
                move = read_move(exercise.game, known.position, known.seat, good[0])
                known = answered(exercise.game, known, move)

    async def by_buttons(self, game: str, steps: int = 99) -> Seen:
        """The same by the buttons alone; what is seen at the end."""
        seen, course = await self.hands.begin(game), steps_of_course(game)
        for exercise in course[:steps]:
            known = opening(exercise.game, exercise.lesson)
            while not known.is_solved:
                moves = known.position.legal_moves(known.seat)
                ways = {exercise.game.menus.steps(known.position, move): move for move in moves}
                wrong = [w for w, m in ways.items() if right(exercise.game, known, m) is None]
                good = next(w for w, m in ways.items() if right(exercise.game, known, m))
                for way in wrong[: self.most_wrong]:
                    seen = await self._follow(seen, exercise, way)
                    self._note("wrong", WRONG, seen.text, game, exercise.step, way)
                seen = await self._follow(seen, exercise, good)
                self._note("right", RIGHT, seen.text, game, exercise.step, good)
                known = answered(exercise.game, known, ways[good])
            if exercise.step < min(steps, len(course)):
                onward = (course[exercise.step].code,)
                seen = await self.hands.press(self._codes(seen)[onward])
        return seen

    def _note(self, kind: str, sign: str, text: str, *what: object) -> None:
        assert sign in text, (*what, text)
        self.tried[kind] += 1

    def _codes(self, seen: Seen) -> dict[tuple[str, ...], str]:
        clicks = {code: decode_click(code, self.key) for code in seen.codes}
        return {one.path: code for code, one in clicks.items() if one.act is Action.LEARN}

    async def _follow(self, seen: Seen, exercise: Exercise, way: tuple[str, ...]) -> Seen:
        """Press the buttons that lead to the move spelled *way*, turning pages where needed."""
        whole = (exercise.code, *way)
        while True:
            codes = self._codes(seen)
            fitting = [p for p in codes if len(p) > 1 and whole[: len(p)] == p]
            if fitting:
                path = max(fitting, key=len)
            else:
                turned = [p for p in codes if p[0] == exercise.code and p[-1].startswith("»")]
                assert turned, (way, list(codes))
                path = turned[0]
            seen = await self.hands.press(codes[path])
            if path == whole:
                return seen
