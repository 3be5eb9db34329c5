"""The commands, declared once for every chat.

Names and parameters are English; the Spanish ones and the help texts stand in the
catalogues as ``command.<name>``, ``command.<name>.name``, ``command.<name>.<parameter>``
and ``command.<name>.<parameter>.name``; ``command.<name>.name.also`` has names that are
understood and never shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache
from itertools import chain

from bot.presenters.button_codes import Action
from bot.presenters.typed_names import names_of, spelling, texts_beside, words_beside
from bot.texts import LANGUAGES, language
from games.core import Game, phrase
from games.core.shelf import game_names


class ParameterKind(Enum):
    """What a parameter takes, which decides its completions."""

    GAME = "game"
    PERSON = "person"
    LEVEL = "level"
    SIDE = "side"
    BEGINS = "begins"
    SEATS = "seats"
    CLOCK = "clock"
    RATED = "rated"
    OPTIONS = "options"
    MOVE = "move"
    TABLE = "table"
    LANGUAGE = "language"
    FORM = "form"
    COMMAND = "command"
    TEXT = "text"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command; *rest* takes the rest of a typed line.

    It takes the *words* too, by their keys in the catalogue.
    """

    name: str
    kind: ParameterKind
    required: bool = False
    rest: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class CommandSpec:
    """A command with its action *act* and the *path* of an equal button.

    *private* answers go to the asker alone; *lasting* answers are not removed from shared places;
    *own* answers tell of the affairs of the asker, or of the place, only.
    """

    name: str
    act: Action
    parameters: tuple[Parameter, ...] = ()
    private: bool = True
    path: tuple[str, ...] = ()
    lasting: bool = False
    own: bool = False
    file: bool = False
    """Whether a file may come with it, in chats where people send files to us."""

    @property
    def harmless(self) -> bool:
        """Whether the command changes nothing without values."""
        return self.lasting or any(parameter.required for parameter in self.parameters)

    @property
    def needs_table(self) -> bool:
        """Whether a button with its name alone stands for the typed command: a table is sought."""
        kinds = (parameter.kind for parameter in self.parameters)
        return ParameterKind.TABLE in kinds or self.act in (Action.RULES, Action.LANGUAGE)

    def lacks(self, values: Mapping[str, str]) -> bool:
        """Whether *values* lack a required one."""
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


def _long(name: str, kind: ParameterKind) -> Parameter:
    """A required parameter that takes the rest of a typed line."""
    return Parameter(name, kind, required=True, rest=True)


def _make_parameter(kind: ParameterKind) -> Parameter:
    """A parameter that is called as its *kind* is."""
    return Parameter(kind.value, kind)


_TABLE = Parameter("table", ParameterKind.TABLE)
_JOINED = Parameter("table", ParameterKind.TABLE, required=True)
_FORM = Parameter("form", ParameterKind.FORM)
_MOVE = _long("move", ParameterKind.MOVE)
_QUESTION = _long("question", ParameterKind.TEXT)
_WORDS = _long("text", ParameterKind.TEXT)
_MOVES = Parameter("moves", ParameterKind.TEXT)
_RULES = Parameter("game", ParameterKind.GAME, rest=True)
_LANGUAGE = Parameter("language", ParameterKind.LANGUAGE, required=True)
_DAYS = Parameter("days", ParameterKind.TEXT)
_CODE = Parameter("code", ParameterKind.TEXT)
_START = Parameter("start", ParameterKind.TEXT, rest=True)
_PERSON = Parameter("person", ParameterKind.PERSON)
_TOPIC = Parameter("command", ParameterKind.COMMAND, rest=True)
_LESSON = Parameter("game", ParameterKind.GAME)
_PROBLEM = Parameter(
    "game",
    ParameterKind.GAME,
    words=("puzzle.word.mistakes", "puzzle.word.themes", "puzzle.word.storm"),
)
_ANSWER = Parameter("answer", ParameterKind.TEXT, rest=True)
_WISH = (
    Parameter("game", ParameterKind.GAME, required=True),
    Parameter("opponent", ParameterKind.PERSON),
    *map(_make_parameter, (ParameterKind.LEVEL, ParameterKind.SIDE, ParameterKind.BEGINS)),
    *map(_make_parameter, (ParameterKind.SEATS, ParameterKind.CLOCK, ParameterKind.RATED)),
    _make_parameter(ParameterKind.OPTIONS),
)

COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec("play", Action.PLAY, _WISH, private=False),
    CommandSpec("move", Action.MOVE, (_MOVE, _TABLE)),
    CommandSpec("board", Action.BOARD, (_TABLE, _FORM), private=False, lasting=True),
    CommandSpec("games", Action.GAMES, lasting=True, own=True),
    CommandSpec("join", Action.JOIN, (_JOINED,), private=False),
    CommandSpec("leave", Action.LEAVE, (_TABLE,)),
    CommandSpec("resign", Action.RESIGN, (_TABLE,)),
    CommandSpec("draw", Action.OFFER, (_TABLE,), path=("draw",)),
    CommandSpec("undo", Action.OFFER, (_TABLE,), path=("undo",)),
    CommandSpec("pause", Action.OFFER, (_TABLE,), path=("pause",)),
    CommandSpec("rematch", Action.REMATCH, (_TABLE,)),
    CommandSpec("close", Action.CLOSE, (_TABLE,)),
    CommandSpec("rules", Action.RULES, (_RULES,), lasting=True),
    CommandSpec("learn", Action.LEARN, (_LESSON, _ANSWER), lasting=True),
    CommandSpec("puzzle", Action.PUZZLE, (_PROBLEM, _ANSWER), lasting=True),
    CommandSpec("today", Action.PUZZLE, (_ANSWER,), path=("today",), lasting=True),
    CommandSpec("why", Action.WHY, (_MOVE, _TABLE), lasting=True),
    CommandSpec("ask", Action.ASK, (_QUESTION, _TABLE)),
    CommandSpec("hint", Action.HINT, (_TABLE,)),
    CommandSpec("odds", Action.ODDS, (_TABLE,)),
    CommandSpec("review", Action.REVIEW, (_TABLE,), lasting=True),
    CommandSpec("words", Action.SAY_WORDS, (_WORDS, _TABLE)),
    CommandSpec("record", Action.RECORD, (_TABLE,), lasting=True),
    CommandSpec("verify", Action.VERIFY, (_TABLE,), lasting=True),
    CommandSpec("card", Action.KEEPSAKE, (_TABLE,), private=False, lasting=True),
    CommandSpec("replay", Action.REPLAY, (_MOVES, _TABLE), private=False, lasting=True),
    CommandSpec("top", Action.TOP, (_RULES,), lasting=True),
    CommandSpec("profile", Action.PROFILE, (_PERSON,), lasting=True),
    CommandSpec("versus", Action.VERSUS, (_PERSON,), lasting=True),
    CommandSpec("tournament", Action.TOURNAMENT, (_CODE, _START), private=False, lasting=True),
    CommandSpec("language", Action.LANGUAGE, (_LANGUAGE,), lasting=True),
    CommandSpec("holidays", Action.HOLIDAYS, (_DAYS,), own=True),
    CommandSpec("settings", Action.SETTINGS, lasting=True),
    CommandSpec("place", Action.SETTINGS, path=("here", "place"), lasting=True),
    CommandSpec("export", Action.EXPORT, own=True),
    CommandSpec("import", Action.IMPORTED, lasting=True, file=True),
    CommandSpec("open", Action.OPEN, lasting=True, file=True),
    CommandSpec("link", Action.LINK, (_CODE,), own=True),
    CommandSpec("privacy", Action.PRIVACY, lasting=True),
    CommandSpec("mydata", Action.MY_DATA, lasting=True, own=True),
    CommandSpec("forgetme", Action.FORGET, own=True),
    CommandSpec("help", Action.HELP, (_TOPIC,), lasting=True),
)

YES, NO = (CommandSpec(one, Action.ANSWER, private=False, path=(one,)) for one in ("yes", "no"))
_ENTER = CommandSpec("enter", Action.TOURNAMENT, private=False, path=("enter",))
SPOKEN = (YES, NO, _ENTER, CommandSpec("describe", Action.DESCRIBE, private=False, lasting=True))
"""What is only said in words, to whatever the speaker is asked or may press."""

BY_NAME = {command.name: command for command in (*COMMANDS, *SPOKEN)}


GROUPS = {
    "game": (
        *("resign", "draw", "undo", "pause", "rematch", "close", "leave", "hint", "odds", "why"),
        *("ask", "review", "replay", "card", "record", "verify", "open", "words", "versus"),
    ),
    "me": ("settings", "language", "holidays", "link", "privacy", "mydata", "forgetme"),
    "place": ("place", "export", "import"),
}
"""The commands that stand under one name, in chats that have groups of commands; none is typed."""

IN_MENU = ("resign", "hint", "review", "versus", "settings")
"""The grouped commands that a short menu has too; all are understood where they are typed."""

TOPICS = {
    "play": ("play", "join", "games", "board", "move"),
    "table": ("draw", "undo", "pause", "resign", "leave", "close", "rematch"),
    "read": (
        *("rules", "learn", "puzzle", "today", "why", "ask", "hint", "odds", "words"),
        *("review", "replay", "card", "record", "verify", "open"),
        *("top", "profile", "versus", "tournament"),
    ),
}
"""The commands by topic; all others are of the topic ``rest``."""


def group_of(name: str) -> str:
    """The group of the command *name* in ``GROUPS``, "" for one that stands alone."""
    return next((group for group, names in GROUPS.items() if name in names), "")


def short_menu() -> list[CommandSpec]:
    """The commands for a menu of few lines: those that stand alone, and the ``IN_MENU``."""
    return [one for one in COMMANDS if one.name in IN_MENU or not group_of(one.name)]


def by_topic() -> dict[str, list[CommandSpec]]:
    """Every command once, by topic."""
    found = {topic: [BY_NAME[name] for name in names] for topic, names in TOPICS.items()}
    named = {name for names in TOPICS.values() for name in names}
    return {**found, "rest": [one for one in COMMANDS if one.name not in named]}


BY_ACT = {command.act: command for command in COMMANDS if not command.path}
"""The command of each action that has exactly one."""


def find_command(typed: str) -> CommandSpec | None:
    """The command called *typed* in any language, with or without its slash."""
    return _commands_by_name().get(spelling(typed))


@cache
def _commands_by_name() -> Mapping[str, CommandSpec]:
    return {
        name: command
        for command in COMMANDS
        for name in {spelling(command.name), *names_of(f"command.{command.name}.name")}
    }


@cache
def deeds() -> Mapping[str, CommandSpec]:
    """The commands by the spellings of their names and of whole sentences that mean them.

    Those stand in ``command.<name>.said``, separated by ", ".
    """
    said = {w: one for one in BY_NAME.values() for w in words_beside(f"command.{one.name}.said")}
    return {**said, **_commands_by_name()}


NEAR, ALIKE = 0.7, 0.86
"""How alike a word and a name must be, from 0 to 1, so that the one may mean the other; and two
words of sentences, of which there are more."""

_TOPIC_WORDS = 12
"""How many words of a request are read."""


@cache
def _commands_by_word(*lists: str) -> Mapping[str, Collection[str]]:
    """The names of the commands that have a word in one of these *lists*, by its spelling."""
    found = defaultdict[str, set[str]](set)
    for command in COMMANDS:
        texts = chain(*(texts_beside(f"command.{command.name}.{one}") for one in lists))
        for word in " ".join((command.name, *texts)).split():
            found[spelling(word)].add(command.name)
    idle = words_of("ask.words.idle") | words_of("house.word.joining") | words_of("house.asking")
    return {**found, **dict.fromkeys(idle - _commands_by_name().keys(), ())}


def nearest_commands(text: str, *said: str, alike: float = ALIKE) -> list[CommandSpec]:
    """The commands, at most three, whose names and *said* sentences have rare words of *text*."""
    known, near = _commands_by_word("name", "name.also", "near", *said), Counter[str]()
    for word in map(spelling, text.split()[:_TOPIC_WORDS]):
        names = next((known[one] for one in get_close_matches(word, known, 1, alike)), ())
        near.update({name: 12 // len(names) for name in names})
    return [BY_NAME[name] for name, parts in near.most_common(3) if parts >= 6]


def nearest_command(typed: str) -> CommandSpec | None:
    """The command that *typed* may mean: by a word that is nearly its name, or near to it."""
    return next(iter(nearest_commands(typed.removeprefix("/"), alike=NEAR)), None)


def find_topic(typed: str) -> CommandSpec | Game | None:
    """The command or else the game that *typed* names among other words; ``None`` for none.

    Another name of a command, as «mueve», says less of what is meant than a game's name.
    """
    words = typed.split()[:_TOPIC_WORDS]
    ways = [
        "".join(words[at : at + many])
        for many in range(len(words), 0, -1)
        for at in range(len(words) - many + 1)
    ]
    commands, games = map(find_command, ways), (game_names().get(spelling(way)) for way in ways)
    asides = {word for one in COMMANDS for word in words_beside(f"command.{one.name}.name.also")}
    beside = [find_command(way) for way in ways if spelling(way) in asides]
    named = [one for one in commands if one not in beside]
    return next((one for one in (*named, *games, *beside) if one is not None), None)


@cache
def words_of(key: str) -> frozenset[str]:
    """What may be typed for *key* in any language."""
    said = (language(code).say(phrase(key)) for code in LANGUAGES)
    return frozenset(spelling(word) for words in said for word in words.split())


def says(text: str, key: str) -> bool:
    """Whether *text* is one of the words, separated by blanks, that *key* lists in a language."""
    return spelling(text) in words_of(key)


def options_of(command: CommandSpec) -> Parameter | None:
    """The parameter of *command* that takes the rules of a game, if it has one."""
    return next((p for p in command.parameters if p.kind is ParameterKind.OPTIONS), None)


@cache
def names_in(command: CommandSpec) -> Mapping[str, Parameter]:
    """The parameters of *command* by the spellings of their names in every language."""
    named = {
        spelling(name): parameter
        for parameter in command.parameters
        for name in (parameter.name, *(command.parameter_in(parameter, c) for c in LANGUAGES))
    }
    for parameter in command.parameters:
        if parameter.kind is ParameterKind.SIDE:
            named |= dict.fromkeys(words_of("house.word.side"), parameter)
    return named
