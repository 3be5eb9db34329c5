"""Help as a card with chapters: what one may do, by what one wants. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.port import Button, Card, Choice
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import CommandSpec, by_topic


def help_card(code: str, key: bytes, number: int) -> Card:
    """The chapter *number* of the help in the language *code*, the nearest if there is none."""
    return _HelpCards(code, key).card(number)


@dataclass(frozen=True)
class _HelpCards(PagePresenter):
    """The chapters of the help, with a list of them."""

    def card(self, number: int) -> Card:
        chapters = by_topic()
        number = max(0, min(number, len(chapters) - 1))
        topic = list(chapters)[number]
        options = tuple(
            Button(self._title(one), self.code(Action.HELP, str(place)))
            for place, one in enumerate(chapters)
        )
        lines = [*self._intro(number), *self._commands(chapters[topic])]
        chapter = Choice("", options, number)
        return Card(self.page(self._title(topic), lines, choices=[chapter]))

    def _title(self, topic: str) -> str:
        return self.say(f"house.help.{topic}").removeprefix("▸ ")

    def _intro(self, number: int) -> list[str]:
        return [self.say("house.help"), ""] if number == 0 else []

    def _commands(self, commands: Sequence[CommandSpec]) -> list[str]:
        code = self.language
        return [f"/{one.name_in(code)}: {one.help_in(code)}" for one in commands]
