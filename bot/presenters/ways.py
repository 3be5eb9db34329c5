"""Ways on: the buttons below a refusal, an empty list or another dead end. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.port import Button, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import NO_TABLE, Action
from bot.presenters.command_specs import CommandSpec


@dataclass(frozen=True)
class Way:
    """A button by the key of its *label*: what it does, with which path, at which table."""

    label: str
    act: Action
    path: tuple[str, ...] = ()
    table: str = NO_TABLE


NEW = Way("house.sheet.new", Action.SHEET, ("game", ""))
MINE = Way("ways.tables", Action.GAMES)
PEOPLE = Way("ways.people", Action.VERSUS)
_OPEN = Way("open.button", Action.CHAIRS)
_LEARN = Way("school.button", Action.LEARN)
_PUZZLES = Way("ways.puzzles", Action.PUZZLE)
_TODAY = Way("daily.button.today", Action.PUZZLE, ("today",))
PROFILE = Way("standing.button.profile", Action.PROFILE)
_SETTINGS = Way("ways.settings", Action.SETTINGS)
HELP = Way("ways.help", Action.HELP)

_LADDER = Way("standing.button.ladder", Action.TOP)
TOURNAMENTS = Way("ways.tournaments", Action.TOURNAMENT)

WANTED = (
    *(NEW, _TODAY, _OPEN, MINE, _LEARN, _PUZZLES, _LADDER, TOURNAMENTS, _SETTINGS),
    Way("ways.commands", Action.HELP, ("1",)),
)
"""What one may want who asks for help; all commands come last."""

_WAYS: Mapping[Action, tuple[Way, ...]] = {
    Action.PLAY: (NEW,),
    Action.JOIN: (_OPEN, NEW),
    Action.GAMES: (NEW, _OPEN, _LEARN),
    Action.RULES: (Way("house.button.rules", Action.RULES), _LEARN),
    Action.LEARN: (_LEARN, _PUZZLES),
    Action.PUZZLE: (_PUZZLES, _LEARN),
    Action.TOP: (_LADDER, PROFILE),
    Action.PROFILE: (PEOPLE, PROFILE),
    Action.VERSUS: (PEOPLE, PROFILE),
    Action.TOURNAMENT: (TOURNAMENTS, NEW),
    Action.LANGUAGE: (Way("ways.languages", Action.LANGUAGE), _SETTINGS),
    Action.LINK: (Way("ways.link", Action.LINK), _SETTINGS),
    Action.PRIVACY: (Way("ways.my-data", Action.MY_DATA), _SETTINGS),
    Action.HELP: (HELP, NEW),
    **dict.fromkeys((Action.HOLIDAYS, Action.SETTINGS, Action.FORGET), (_SETTINGS, HELP)),
    **dict.fromkeys((Action.EXPORT, Action.IMPORTED, Action.MY_DATA), (_SETTINGS, HELP)),
}
"""Where what is said to each command leads; to a table or to a new one where it has no line."""


_LABELS = {(one.act, one.path): one.label for one in (*WANTED, PROFILE, PEOPLE)}
"""How buttons without a table are called, by what they do."""


def ways_from(act: Action, table: str) -> tuple[Way, ...]:
    """The ways on from an answer to the command *act*, at *table* if it is about one."""
    at = (Way("ways.board", Action.BOARD, table=table),) if table != NO_TABLE else (NEW, _OPEN)
    return _WAYS.get(act, at)


def key_to(pages: PagePresenter, command: CommandSpec) -> Button:
    """The button that does *command*, called as it is elsewhere, else by its own name."""
    if command.act is Action.PLAY:
        return pages.button_to(NEW.act, NEW.label, *NEW.path)
    code = pages.code(command.act, *command.path)
    label = _LABELS.get((command.act, command.path))
    return Button(pages.say(label) if label else f"/{command.name_in(pages.language)}", code)


def leading(pages: PagePresenter, said: str, ways: Sequence[Way], *others: Button) -> Screen:
    """*said* above the *others* and the buttons of *ways*."""
    headline, *lines = said.split("\n")
    buttons = [
        Button(pages.say(way.label), pages.code(way.act, *way.path, table=way.table))
        for way in ways
    ]
    return pages.page(headline, lines, [[one] for one in (*others, *buttons)])
