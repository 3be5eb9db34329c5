"""Help as a card: what one may want, and behind it the commands by chapters. Pure."""

from __future__ import annotations

from bot.port import Button, Card, Choice
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import by_topic
from bot.presenters.ways import WANTED, leading


def help_card(code: str, key: bytes, number: int) -> Card:
    """The help in the language *code*: what one may want, or from 1 a chapter of the commands."""
    return _HelpCards(code, key).card(number)


class _HelpCards(PagePresenter):
    """The pages of the help: the first one, and the chapters with a list of them."""

    def card(self, number: int) -> Card:
        if number < 1:
            return Card(leading(self, self.say("ways.wanted"), WANTED))
        chapters = list(by_topic().items())
        number = min(number, len(chapters))
        _, commands = chapters[number - 1]
        titles = [self.say(f"house.help.{one}") for one, _ in chapters]
        options = tuple(
            Button(title, self.code(Action.HELP, str(place)))
            for place, title in enumerate(titles, 1)
        )
        lines = [f"/{one.name_in(self.language)}: {one.help_in(self.language)}" for one in commands]
        back = Button(self.say("house.button.back"), self.code(Action.HELP, "0"))
        chapter = Choice("", options, number - 1)
        return Card(self.page(titles[number - 1], lines, [[back]], [chapter]))
