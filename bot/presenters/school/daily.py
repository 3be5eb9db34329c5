"""The move of the day in words: a row of signs to paste, what is told of it in a place. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.school.exercises import FIVE, TODAY, ExerciseBoard, mistakes_button
from bot.presenters.school.puzzles import GIVEN, solution
from bot.presenters.table.viewers import Viewer
from bot.session.daily_calendar import (
    ANOTHER,
    GIVEN_UP,
    NEAR,
    SOLVED,
    DailyResult,
    DayOffers,
    number_of,
)
from bot.session.exercise_catalogue import Exercise
from games.core import phrase

NAME, HERE, WEEK, REMIND, REMIND_NOT = "name", "here", "week", "remind", "forget"
"""What follows ``TODAY``: a name, a place, the same each week, a reminder, and none any more."""

OVER: Final = "over"
"""Ends the path of a button that shows the solution of a day that is over."""

SIGNS: Final = {ANOTHER: "⬜", NEAR: "🔶", SOLVED: "✅", GIVEN_UP: "🏳️"}

UNTRIED: Final = "➖"
"""The sign of one of the five that nobody has tried."""

GAMES: Final = {
    "cirya": "⛵",
    "niya": "🃏",
    "parchis": "🎲",
    "shogi": "🏯",
    "storilljudhjorrayc": "🌲",
}

MOST_SIGNS, OF_FIVE, SHORT_NAME = 6, 3, 7
"""How many tries a row shows, of each of five, and how long a game's name is: no line wraps."""

DAYS_TO_REMIND = 2
"""After so many solved days a reminder is offered."""


class DailyScreens(PagePresenter):
    """Composes what is said of the move of the day."""

    def row(self, result: DailyResult, link: str, handle: str) -> tuple[str, ...]:
        """What somebody may paste anywhere: it gives nothing of the solution away.

        It ends with the day's address below the *link* of the house, which shows the board as it
        was put, or else with the *handle* of the bot.
        """
        game, number = result.exercise.game.key, str(number_of(result.row.day))
        name = f"{GAMES.get(game, '🧩')} {self.say(f'{game}.name')[:SHORT_NAME]}"
        head = self.say("daily.row", n=number, game=name)
        tries, solved = f"{_signs(result.row.signs)}  {self._how(result.row.signs)}", ""
        if result.five:
            signs = ((one.game.key, _signs(row.signs, OF_FIVE)) for one, row in result.five)
            head = self.say("daily.row-five", n=number)
            tries = " ".join(f"{GAMES.get(one, '🧩')}{tried}" for one, tried in signs)
            solved = self.say("daily.of-five", n=tries.count(SIGNS[SOLVED]), of=len(result.five))
        streak, record = result.streak, result.longest
        days = self.say("daily.streak", n=streak) if streak > 1 else ""
        if streak < 2 and record > 1:
            days = self.say("daily.record", n=record)
        tail = " · ".join(filter(None, (solved, days, "" if link else handle)))
        address = f"{link}/{TODAY}/{number}" if link else ""
        return tuple(filter(None, (head, tries, tail, address)))

    def _how(self, signs: str) -> str:
        if signs.endswith(GIVEN_UP):
            return self.say("daily.given-up")
        return self.say("daily.tries", n=len(signs)) if len(signs) > 1 else self.say("daily.first")

    def buttons(self, result: DailyResult, *, reminds: bool | None) -> list[Button]:
        """The keys below a move of the day that is over.

        *reminds* says that a reminder may be, False that there is one; ``None`` where none comes.
        """
        found, row = [], result.row
        if not result.five:
            found.append(self.key_of("daily.button.five", FIVE))
        elif not all(one.is_over for _, one in result.five):
            found.append(self.key_of("daily.button.next", FIVE, row.exercise))
        if row.place and not row.named and row.on_day:
            found.append(self.key_of("daily.button.name", NAME, row.exercise))
        if reminds and result.days >= DAYS_TO_REMIND:
            found.append(self.key_of("daily.button.remind", REMIND))
        elif reminds is False:
            found.append(self.key_of("daily.button.forget", REMIND_NOT))
        return found

    def keys_of_day(self, offers: DayOffers) -> list[Button]:
        """The keys of what somebody may do today, that of the move of the day first."""
        found = [Button(self.say("daily.button.today"), self.code(Action.PUZZLE, TODAY))]
        if offers.waiting:
            found.append(mistakes_button(self, offers.waiting))
        if offers.game:
            label = self.say("daily.button.game", game=phrase(f"{offers.game}.name"))
            found.append(Button(label, self.code(Action.PLAY, offers.game, str(offers.level))))
        return found

    def offer(self) -> Screen:
        """The question whether a place wants the move of the day, and the week of the club."""
        key = replace(self.key_of("daily.button.here", HERE), style="good")
        rows = [[key], [self.key_of("daily.button.week", WEEK)]]
        return replace(self.page(self.say("daily.offer"), rows=rows), silent=True)

    def with_tries(
        self, screen: Screen, signs: Sequence[str], over: Exercise | None, names: Sequence[str]
    ) -> Screen:
        """*screen* of a place with how many have tried, as *signs* tell by person.

        Once the day is over that is followed by the solution of the exercise *over*, and *names*.
        """
        tried = [one for one in signs if one]
        said, first = self.say("daily.tried", n=len(tried)), tried.count(SOLVED)
        if first:
            said = f"{said}, {self.say('daily.tried-first', n=first)}"
        lines = [f"{said}."] if tried else []
        if over is None:
            return self.below(screen, lines, ())
        board = ExerciseBoard(over, 0, solution(over), Viewer(language=self.language), self.key, "")
        moves = "; ".join(board.plies_in_words(board.known.played))
        lines.append(self.say("daily.solution", moves=moves))
        if names:
            lines.append(self.say("daily.solvers", who=tuple(names)))
        code = self.code(Action.PUZZLE, GIVEN, over.code, OVER)
        return self.below(screen, lines, [Button(self.say("puzzle.button.film"), code)])

    def below(self, screen: Screen, row: Sequence[str], buttons: Sequence[Button]) -> Screen:
        """*screen* with the *row* to paste and more *buttons* below."""
        keys = (tuple(buttons),) if buttons else ()
        return replace(screen, lines=(*screen.lines, *row), rows=(*screen.rows, *keys))

    def key_of(self, label: str, *path: str) -> Button:
        """The key with this *label* of what follows ``TODAY``."""
        return Button(self.say(label), self.code(Action.PUZZLE, TODAY, *path))


def _signs(signs: str, most: int = MOST_SIGNS) -> str:
    shown = signs if len(signs) <= most else signs[: most - 1] + signs[-1]
    return "".join(SIGNS[one] for one in shown) or UNTRIED
