"""The commands, declared once for every chat.

Names and parameters are English; the Spanish ones and the help texts stand in the
catalogues as ``command.<name>``, ``command.<name>.name``, ``command.<name>.<parameter>``
and ``command.<name>.<parameter>.name``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache

from bot.screen.buttons import Act
from bot.texts import LANGUAGES, language
from games.core import Game, RuleError, folded, phrase
from games.core.shelf import find_game


class Kind(Enum):
    """What a parameter takes, and so what completes it."""

    GAME = "game"
    PERSON = "person"
    LEVEL = "level"
    SIDE = "side"
    BEGINS = "begins"
    SEATS = "seats"
    CLOCK = "clock"
    OPTIONS = "options"
    MOVE = "move"
    TABLE = "table"
    LANGUAGE = "language"
    FORM = "form"
    COMMAND = "command"
    TEXT = "text"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a command; *rest* takes everything that is left on a typed line."""

    name: str
    kind: Kind
    required: bool = False
    rest: bool = False


@dataclass(frozen=True)
class Command:
    """One command: the *act* it asks for, and the *path* that a button for it would carry.

    *private* says that its answer is for the asker alone, *lasting* that the words of it are
    worth keeping where many read; of what the others do the board tells. *own* says that it tells
    of the asker's own affairs, which are nobody else's.
    """

    name: str
    act: Act
    parameters: tuple[Parameter, ...] = ()
    private: bool = True
    path: tuple[str, ...] = ()
    lasting: bool = False
    own: bool = False

    @property
    def harmless(self) -> bool:
        """Whether it changes nothing where it is given without any value."""
        return self.lasting or any(parameter.required for parameter in self.parameters)

    def lacks(self, values: Mapping[str, str]) -> bool:
        """Whether *values* leave out what it needs: then it asks, the asker alone."""
        return any(one.required and not values.get(one.name, "").strip() for one in self.parameters)

    def name_in(self, code: str) -> str:
        """The command's name in the language *code*."""
        return language(code).say(phrase(f"command.{self.name}.name"))

    def help_in(self, code: str) -> str:
        """One sentence that says what the command does."""
        return language(code).say(phrase(f"command.{self.name}"))

    def parameter_in(self, parameter: Parameter, code: str) -> str:
        """The name of *parameter* in the language *code*."""
        return language(code).say(phrase(f"command.{self.name}.{parameter.name}.name"))

    def parameter_help(self, parameter: Parameter, code: str) -> str:
        """One sentence on *parameter*."""
        return language(code).say(phrase(f"command.{self.name}.{parameter.name}"))


_TABLE = Parameter("table", Kind.TABLE)

COMMANDS: tuple[Command, ...] = (
    Command(
        "play",
        Act.PLAY,
        (
            Parameter("game", Kind.GAME, required=True),
            Parameter("opponent", Kind.PERSON),
            Parameter("level", Kind.LEVEL),
            Parameter("side", Kind.SIDE),
            Parameter("begins", Kind.BEGINS),
            Parameter("seats", Kind.SEATS),
            Parameter("clock", Kind.CLOCK),
            Parameter("options", Kind.OPTIONS),
        ),
        private=False,
    ),
    Command("move", Act.MOVE, (Parameter("move", Kind.MOVE, required=True, rest=True), _TABLE)),
    Command(
        "board", Act.BOARD, (_TABLE, Parameter("form", Kind.FORM)), private=False, lasting=True
    ),
    Command("games", Act.GAMES, lasting=True, own=True),
    Command("join", Act.JOIN, (Parameter("table", Kind.TABLE, required=True),), private=False),
    Command("leave", Act.LEAVE, (_TABLE,)),
    Command("resign", Act.RESIGN, (_TABLE,)),
    Command("draw", Act.OFFER, (_TABLE,), path=("draw",)),
    Command("undo", Act.OFFER, (_TABLE,), path=("undo",)),
    Command("pause", Act.OFFER, (_TABLE,), path=("pause",)),
    Command("rematch", Act.REMATCH, (_TABLE,)),
    Command("close", Act.CLOSE, (_TABLE,)),
    Command("rules", Act.RULES, (Parameter("game", Kind.GAME, rest=True),), lasting=True),
    Command(
        "why",
        Act.WHY,
        (Parameter("move", Kind.MOVE, required=True, rest=True), _TABLE),
        lasting=True,
    ),
    Command("ask", Act.ASK, (Parameter("question", Kind.TEXT, required=True, rest=True), _TABLE)),
    Command("hint", Act.HINT, (_TABLE,)),
    Command("odds", Act.ODDS, (_TABLE,)),
    Command("review", Act.REVIEW, (_TABLE,), lasting=True),
    Command(
        "words", Act.SAY_WORDS, (Parameter("text", Kind.TEXT, required=True, rest=True), _TABLE)
    ),
    Command("record", Act.RECORD, (_TABLE,), lasting=True),
    Command("verify", Act.VERIFY, (_TABLE,), lasting=True),
    Command("card", Act.KEEPSAKE, (_TABLE,), private=False, lasting=True),
    Command(
        "replay",
        Act.REPLAY,
        (Parameter("moves", Kind.TEXT), _TABLE),
        private=False,
        lasting=True,
    ),
    Command(
        "language",
        Act.LANGUAGE,
        (Parameter("language", Kind.LANGUAGE, required=True),),
        lasting=True,
    ),
    Command("holidays", Act.HOLIDAYS, (Parameter("days", Kind.TEXT),), own=True),
    Command("settings", Act.SETTINGS, lasting=True),
    Command("link", Act.LINK, (Parameter("code", Kind.TEXT),), own=True),
    Command("privacy", Act.PRIVACY, lasting=True),
    Command("mydata", Act.MY_DATA, lasting=True, own=True),
    Command("forgetme", Act.FORGET, own=True),
    Command("help", Act.HELP, (Parameter("command", Kind.COMMAND, rest=True),), lasting=True),
)

BY_NAME = {command.name: command for command in COMMANDS}

TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("play", ("play", "join", "games", "board", "move")),
    ("table", ("draw", "undo", "pause", "resign", "leave", "close", "rematch")),
    (
        "read",
        (
            *("rules", "why", "ask", "hint", "odds", "words"),
            *("review", "replay", "card", "record", "verify"),
        ),
    ),
    ("rest", ()),
)
"""The commands by what somebody wants to do; the last takes all that stand nowhere else."""


def by_topic() -> list[tuple[str, list[Command]]]:
    """Every command once, under what it is good for."""
    named = {name for _, names in TOPICS for name in names}
    rest = [command for command in COMMANDS if command.name not in named]
    return [(topic, [BY_NAME[name] for name in names] or rest) for topic, names in TOPICS]


BY_ACT = {command.act: command for command in COMMANDS if not command.path}
"""The command that asks for an act, where there is but one."""

COMPUTER = "computer"
"""The opponent that is a computer, as it is typed in every language."""


def find_command(typed: str) -> Command | None:
    """The command called *typed* in any language, with or without its slash."""
    wanted = bare(typed.removeprefix("/"))
    for command in COMMANDS:
        names = (command.name, *(command.name_in(code) for code in LANGUAGES))
        if wanted in map(bare, names):
            return command
    return None


_TOPIC_WORDS = 8
"""How many words are looked at for what somebody asks to be helped with."""


def find_topic(typed: str) -> Command | Game | None:
    """What *typed* asks to be helped with: a command, else a game; ``None`` where it names none.

    A few other words may stand around the name, as in «cómo va el ajedrez japonés».
    """
    words = typed.split()[:_TOPIC_WORDS]
    ways = [
        "".join(words[at : at + many])
        for many in range(len(words), 0, -1)
        for at in range(len(words) - many + 1)
    ]
    for way in ways:
        if (command := find_command(way)) is not None:
            return command
    for way in ways:
        with suppress(RuleError):
            return find_game(way)
    return None


def bare(word: str) -> str:
    """*word* as names of commands are compared: without its accents, hyphens and underscores."""
    letters = unicodedata.normalize("NFD", folded(word))
    return "".join(c for c in letters if not unicodedata.combining(c) and c not in "-_")


@cache
def words_of(key: str) -> frozenset[str]:
    """What may be typed for *key* in any language."""
    said = (language(code).say(phrase(key)) for code in LANGUAGES)
    return frozenset(bare(word) for words in said for word in words.split())


def options_of(command: Command) -> Parameter | None:
    """The parameter of *command* that takes the rules of a game, if it has one."""
    return next((p for p in command.parameters if p.kind is Kind.OPTIONS), None)


def names_in(command: Command) -> dict[str, Parameter]:
    """The parameters of *command* by what each is called in any language, folded."""
    named = {
        folded(name): parameter
        for parameter in command.parameters
        for name in (parameter.name, *(command.parameter_in(parameter, c) for c in LANGUAGES))
    }
    for parameter in command.parameters:
        if parameter.kind is Kind.SIDE:
            named |= dict.fromkeys(words_of("house.word.side"), parameter)
    return named
