"""Help as a card: what one may want, and behind it the commands by chapters. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.port import Button, Card, Choice
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import by_topic
from bot.presenters.ways import WANTED, leading
from bot.session.draft import COMPUTER
from games.core import phrase
from games.core.shelf import shelf


def first_keys(pages: PagePresenter, day: Sequence[Button]) -> list[Button]:
    """What whoever plays nothing may do alone: *day*, a game against the computer, two to learn."""
    said = "house.button.against"
    games = [
        pages.button_to(Action.PLAY, said, key, COMPUTER, game=phrase(f"{key}.name"))
        for key in shelf()
    ]
    school = pages.button_to(Action.LEARN, "school.button")
    return [*day, *games, school, pages.button_to(Action.PUZZLE, "ways.puzzles")]


def help_card(code: str, key: bytes, number: int) -> Card:
    """The help in the language *code*: what one may want, or from 1 a chapter of the commands."""
    pages = PagePresenter(code, key)
    if number < 1:
        return Card(leading(pages, pages.say("ways.wanted"), WANTED))
    topics = by_topic()
    number = min(number, len(topics))
    options = tuple(
        pages.button_to(Action.HELP, f"house.help.{topic}", str(place))
        for place, topic in enumerate(topics, 1)
    )
    commands = list(topics.values())[number - 1]
    lines = [f"/{one.name_in(code)}: {one.help_in(code)}" for one in commands]
    back = pages.button_to(Action.HELP, "house.button.back", "0")
    chapter = Choice("", options, number - 1)
    return Card(pages.page(options[number - 1].label, lines, [[back]], [chapter]))
