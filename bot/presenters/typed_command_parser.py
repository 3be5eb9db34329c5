"""A typed line as a command with its values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.presenters import typed_names
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import (
    BY_ACT,
    NO,
    SPOKEN,
    CommandSpec,
    Parameter,
    ParameterKind,
    deeds,
    find_command,
    find_topic,
    names_in,
    options_of,
    says,
    words_of,
)
from bot.session.table import CODE_LENGTH, CODE_LETTERS
from bot.texts.orthography import JOINER
from games.core import Game
from games.core.shelf import game_names

_TOKEN = re.compile(r"@[^\s,;:()=]+|=|[^\s,;:()=]+")
"""A person with their @, a sign of equality or a word; other punctuation only separates them."""

_NUMBERED = re.compile(r"([^\W\d_]+)(\d+)")
"""A name and its number in one word, such as «nivel9»."""

_EMOJI = re.compile(r"\S*[\U0001F000-\U0001FAFF\u20e3\ufe0f]\S*")
"""A word with an emoji in it, such as the digit of a key: it means nothing to us."""

_LONGEST = 12
"""More words than any name has, and than a sentence that wants a game against the computer."""

Values = dict[str, str]


def parse(line: str) -> tuple[CommandSpec, Values] | None:
    """A typed line as command and values; ``None`` where no command is called so.

    Values are named (``game=niya``, ``nivel=2``) or stand in the order of the parameters. A
    parameter that takes the rest takes every word that is not named. Where a command has options
    a name needs no sign, as in «contra la máquina, nivel 9», and the value of an option stands
    under its name as it was typed. The name of a game alone asks for it.
    """
    read = _read_line(line)
    return None if read is None else read[:2]


def _read_line(line: str) -> tuple[CommandSpec, Values, list[str]] | None:
    """The same with the words that no parameter takes."""
    # What was copied from a message of ours may have joiners, which nobody sees.
    head, _, tail = line.replace(JOINER, "").strip().partition(" ")
    word = head.split("@")[0]
    command = find_command(word)
    if command is None and word[:1] == "/" and isinstance(find_topic(word[1:]), Game):
        return _read_line(f"/play {word[1:]} {tail}")
    if command is None:  # «/por qué»: a name that is written as two words
        second, _, tail = tail.lstrip().partition(" ")
        command = find_command(f"{head}{second}") if second else None
    if command is None:
        return None
    named = names_in(command)
    if options_of(command) is not None:
        values, words = _take_options(_tokens(_EMOJI.sub("", tail)), named)
        loose = _take_parameters(words, named, values)
    else:
        values, loose = _take_signed(tail.split(), named)
    return command, _fill_in_order(command, loose, values), loose


def parse_words(text: str, keys: Iterable[str] = ()) -> tuple[CommandSpec, Values] | None:
    """What is said to us without a slash, as command and values; ``None`` where that is not sure.

    It is a deed, the name of a command and values that can be meant so, or the code of a table as
    it is written, with a digit, since words may have the same letters. *keys* are as there.
    """
    deed, said = parse_deed(text, keys), text.rstrip("?!. ")
    coded = said.isupper() and any(map(str.isdigit, said))
    line = _read_line(f"/{said}") or (_read_line(f"/board {said}") if coded else None)
    if deed is not None or line is None:
        return deed
    command, values, loose = line
    of = {one.name: one for one in command.parameters}
    kinds = ((of.get(name, command.parameters[-1]), name, said) for name, said in values.items())
    meant = {name: _accept(one, _trim(said.split())) for one, name, said in kinds}
    return (command, meant) if all(meant.values()) and not _trim(loose) else None


def parse_deed(text: str, keys: Iterable[str] = ()) -> tuple[CommandSpec, Values] | None:
    """A whole sentence without a slash as a command, at a table of the game named at its end.

    What one wants to play stands behind the sentence; where it is no game, all are offered. A
    greeting may come first. Who names a game and the computer wants that. Who asks to do
    what is done without asking back, such as closing a table, only hears how, as who asks about
    anything that changes something. What stands on one of the *keys* of the message replied to
    is said as a move is.
    """
    if typed_names.spelling(text) in map(typed_names.spelling, keys):
        return BY_ACT[Action.MOVE], {"move": text}
    words = [one for one in text.rstrip("?!. ").split() if re.search(r"\w", one)]
    if (found := _find_deed(text, words)) is not None:
        return found
    about = _words_naming(words, typed_names.words_beside("house.about.said"))
    asking = about or _words_naming(words, typed_names.words_beside("house.asking"))
    rest = list(itertools.dropwhile(_joins, words[asking:]))
    read = parse_deed(" ".join(rest)) if 0 < len(rest) < len(words) else None
    if read and ((about and not read[0].harmless) or read[0].act in (Action.LEAVE, Action.CLOSE)):
        return BY_ACT[Action.HELP], {"command": read[0].name}
    return read


def _find_deed(text: str, words: list[str]) -> tuple[CommandSpec, Values] | None:
    """The command and its values that *words* of *text* say without any asking for it."""
    many = _words_naming(words, deeds())
    said = "".join(words[:many])
    command, whole = deeds().get(typed_names.spelling(said)), find_command(said) is None
    rest = _trim(words[many:])
    if command is None:
        return _against_computer(_tokens(text))
    if not rest:
        spoken = whole and (command.act is Action.MOVE or command in SPOKEN)
        return command, {"move": " ".join(words[:many])} if spoken else {}
    if whole and command.act in (Action.HELP, Action.ANSWER):
        read = parse_deed(" ".join(words[many:]))
        # Thanks change no answer, and who says no to an offer makes none.
        ends = (Action.HELP, Action.OFFER, Action.REMATCH)[: None if command is NO else 1]
        ended = command.act is Action.ANSWER and read is not None and read[0].act in ends
        return (command, {"move": " ".join(words)}) if ended else read
    if command.act is Action.PLAY:
        return _find_play(words[many - 1 :]) or ((command, {}) if whole else None)
    first = next(iter(command.parameters), None)
    person = first is not None and first.kind is ParameterKind.PERSON and _joins(words[many - 1])
    known = first is not None and (person or first.kind in _NAMED) and _accept(first, rest)
    return (command, {first.name: known}) if first is not None and known else None


_NAMED = (ParameterKind.TABLE, ParameterKind.GAME, ParameterKind.LANGUAGE)
"""What a sentence may end with; nothing else is known from what means something else."""


def _trim(words: Sequence[str]) -> list[str]:
    """*words* without those at both ends that only join others."""
    for _ in range(2):
        words = [*itertools.dropwhile(_joins, words)][::-1]
    return list(words)


def _accept(parameter: Parameter, words: Sequence[str]) -> str:
    """*words* as a value that *parameter* can take, "" where they are not meant so."""
    said, kind = " ".join(words), parameter.kind
    code, games = said.upper().removeprefix("#"), kind is not ParameterKind.LANGUAGE
    if kind in _NAMED:
        names = game_names() if games else typed_names.languages_by_name()
        coded = len(code) == CODE_LENGTH and {*code} <= {*CODE_LETTERS}
        fits = (coded and kind is ParameterKind.TABLE) or typed_names.spelling(said) in names
        fits |= any(says(said, word) for word in parameter.words)
    else:  # a code or a number is no word
        word = kind is ParameterKind.TEXT and not parameter.rest
        fits = not word or said.isupper() or any(map(str.isdigit, said))
    return said if fits else ""


def _find_play(words: Sequence[str]) -> tuple[CommandSpec, Values] | None:
    """What *words*, of which the first is a verb, want to be played or with whom, if they say."""
    tokens, rest = _tokens(" ".join(words)), _trim(words[1:])
    read = parse(" ".join(("/play", *rest)))
    if read is None or _words_naming(rest, game_names()):
        return read
    if (found := _against_computer(tokens, bare=True)) is not None:
        return found
    command, values = read
    if typed_names.spelling(values.get("game", "")) not in game_names():
        values = {"opponent": " ".join(rest[:_LONGEST])}
    who = (values.get("opponent", "").split() or [""])[0]
    before = itertools.takewhile(who.__ne__, tokens)
    met = who[:1] == "@" or any(says(one, "house.word.with") for one in before)
    return (command, values) if who in tokens and met else None


def _against_computer(words: list[str], *, bare: bool = False) -> tuple[CommandSpec, Values] | None:
    """The game and the computer named among a few *words*, with how many or of which level.

    A game is needed but where they are *bare*.
    """
    ways = (words[at:] for at in range(len(words)))
    game = next(filter(None, (one[: _words_naming(one, game_names())] for one in ways)), [])
    if not (game or bare) or len(words) > _LONGEST:
        return None
    computers, level = map(words_of, ("house.word.computer", "command.play.level.name"))
    known = computers | level | typed_names.level_names()
    told = [one for one in words if one.isdecimal() or typed_names.spelling(one) in known]
    computer = any(typed_names.spelling(one) in computers for one in told)
    read = parse(" ".join(("/play", *game, *told))) if computer else None
    if read is not None and not game and "game" in read[1]:
        read[1]["level"] = read[1].pop("game")
    return read


def parse_options(text: str) -> tuple[Values, list[str]]:
    """The values of options under their names as typed, and the words that belong to none."""
    return _take_options(_tokens(text), {})


def _tokens(text: str) -> list[str]:
    found = (one if one[0] == "@" else one.strip(".") for one in _TOKEN.findall(text))
    return [one for one in found if one]


def _take_signed(words: list[str], named: Mapping[str, Parameter]) -> tuple[Values, list[str]]:
    """The values of parameters *named* with a sign of equality, and all other words."""
    values, loose = Values(), list[str]()
    while words:
        name, _, value = words[0].partition("=")
        parameter = named.get(typed_names.spelling(name)) if value else None
        if parameter is None:
            loose.append(words.pop(0))
            continue
        words[0] = value
        sentence = parameter.rest and parameter.kind is ParameterKind.TEXT
        many = _until_named(words, named) if sentence else 0
        values[parameter.name] = _take(words, many) or _take_first(words, parameter)
    return values, loose


def _until_named(words: Sequence[str], named: Mapping[str, Parameter]) -> int:
    """How many of *words* stand before the next one that is *named* with a sign of equality."""
    signed = (at for at, word in enumerate(words) if at and "=" in word)
    ends = (at for at in signed if typed_names.spelling(words[at].split("=")[0]) in named)
    return next(ends, len(words))


def _take_first(words: list[str], parameter: Parameter) -> str:
    """The first word, or those that name a game where *parameter* is one: «ajedrez japonés»."""
    game = parameter.kind in (ParameterKind.GAME, ParameterKind.TABLE)
    return _take(words, _words_naming(words, game_names() if game else ()) or 1)


def _take_options(words: list[str], named: Mapping[str, Parameter]) -> tuple[Values, list[str]]:
    """The options among *words*, also behind their values («6x6 board»), and all other words."""
    values, loose = Values(), list[str]()
    while words:
        many = _words_naming(words, typed_names.options_by_name())
        if not many and (words[1:2] != ["="] or _is_taken(words[0], named)):
            loose.append(words.pop(0))
            continue
        name = _take(words, many or 1)
        signed = bool(_take(words, words[:1] == ["="]))
        known = typed_names.option_values(typed_names.spelling(name))
        value = _take_named(words, known) or ("" if signed else _take_last(loose, known))
        if not value and words and words[1:2] != ["="] and not _is_taken(words[0], named):
            names = game_names().keys() | typed_names.options_by_name().keys()
            value = "" if _words_naming(words, names) else _take_word(words)
        values[name] = value
    return values, loose


def _put_name_first(words: list[str], named: Mapping[str, Parameter]) -> None:
    """Make «4 jugadores» or «nivel9» at the head of *words* a name and its number."""
    numbered = _NUMBERED.fullmatch(words[0])
    counts = words[0].isdecimal() and words[1:] and words[2:3] != ["="]
    if numbered is not None and typed_names.spelling(numbered[1]) in named:
        words[:1] = numbered.groups()
    elif counts and says(words[1], "house.word.seats"):
        words[:2] = ["seats", words[0]]
    elif counts and says(words[1], "house.word.computers"):
        words[:2] = ["seats", str(int(words[0][:4]) + 1), words[1]]


def _take_parameters(words: list[str], named: Mapping[str, Parameter], values: Values) -> list[str]:
    """Add the *named* parameters among *words* to *values*; all other words."""
    loose: list[str] = []
    rated = next((one for one in named.values() if one.kind is ParameterKind.RATED), None)
    while words:
        if rated is not None and (many := _words_naming(words, typed_names.rated_names())):
            values[rated.name] = _rate(words, many)
            continue
        _put_name_first(words, named)
        word = words.pop(0)
        parameter = None if word[0] in "@=" else named.get(typed_names.spelling(word))
        if parameter is None:
            loose += [word] if word != "=" and not _joins(word) else []
            continue
        _take(words, words[:1] == ["="])
        if parameter.kind is not ParameterKind.OPTIONS:
            game = parameter.kind is ParameterKind.GAME
            names = game_names() if game else typed_names.side_names()
            # An option typed without a value keeps its name as one: the refusal lists its values.
            values[parameter.name] = _take_named(words, names) or _take_word(words) or word
    return loose


def _rate(words: list[str], many: int) -> str:
    """Take the *many* words that say whether a game counts; «rated=no» says it behind them."""
    said = _take(words, many)
    signed = _take(words, words[:1] == ["="])
    answer = _take(words, int(bool(words) and _answers(words[0])))
    return answer or (_take_word(words) if signed else said) or said


def _answers(word: str) -> bool:
    return says(word, "standing.word.yes") or says(word, "standing.word.no")


def _is_taken(word: str, named: Mapping[str, Parameter]) -> bool:
    """Whether *word* is a sign, a person or the name of a parameter."""
    return word[0] in "@=" or typed_names.spelling(word) in named


def _fill_in_order(command: CommandSpec, loose: list[str], values: Values) -> Values:
    """*values* with the *loose* words for the parameters that have none, in their order."""
    for parameter in command.parameters:
        if parameter.name not in values and not parameter.rest:
            _find_value(parameter, loose, values)
    for parameter in command.parameters:
        if loose and parameter.name not in values:
            person = parameter.kind is ParameterKind.PERSON
            many = len(loose) if parameter.rest else _words_of_name(loose) if person else 0
            values[parameter.name] = _take(loose, many) or _take_first(loose, parameter)
    return values


def _find_value(parameter: Parameter, loose: list[str], values: Values) -> None:
    """Move the words that only *parameter* can mean, wherever they stand, to *values*."""
    game = game_names().get(typed_names.spelling(values.get("game", "")))
    sides = {} if game is None else typed_names.side_keys(game)
    for at, word in enumerate(loose):
        many = 0
        match parameter.kind:
            case ParameterKind.GAME:
                many = _words_naming(loose[at:], game_names())
            case ParameterKind.PERSON:
                named = itertools.takewhile(_goes_on, loose[at:]) if word[0] == "@" else ()
                many = len(list(named)) or int(says(word, "house.word.computer"))
            case ParameterKind.SIDE:  # a person called like a side has an @
                many = int(word[0] != "@" and typed_names.value_named(sides, word) is not None)
            case ParameterKind.FORM:
                many = int(says(word, "house.word.text"))
        if many:
            values[parameter.name] = _take(loose, many, at)
            return


def _goes_on(word: str) -> bool:
    """Whether *word* is one more person with their @, or joins two."""
    return word[0] == "@" or says(word, "house.word.and")


def _words_of_name(words: Sequence[str]) -> int:
    """How many of the first *words* may be the name of one person; 1 that means no person."""
    if any(says(words[0], f"house.word.{one}") for one in ("computer", "now", "anyone")):
        return 1
    ends = (at for at, word in enumerate(words) if re.search(r"^[@=]|\d", word) or _answers(word))
    return max(1, next(ends, len(words)))


def _words_naming(words: Sequence[str], names: Collection[str]) -> int:
    """How many of the first *words*, at most, are one of *names* together; 0 where none are."""
    found, said = 0, ""
    for many, word in enumerate(words[:_LONGEST], 1):
        if word[0] in "@=":
            break
        said += typed_names.spelling(word)
        found = many if said in names else found
    return found


def _take(words: list[str], many: int, at: int = 0) -> str:
    said = " ".join(words[at : at + many])
    del words[at : at + many]
    return said


def _take_named(words: list[str], names: Collection[str]) -> str:
    """One of *names* at the head of *words*, behind what only joins words too; "" for none."""
    for skipped, word in enumerate(words):
        if many := _words_naming(words[skipped:], names):
            _take(words, skipped)
            return _take(words, many)
        if not _joins(word):
            break
    return ""


def _take_last(words: list[str], names: Collection[str]) -> str:
    """One of *names* at the end of *words*, the longest; "" for none."""
    for at in range(max(0, len(words) - _LONGEST), len(words)):
        many = len(words) - at
        if _words_naming(words[at:], names) == many:
            return _take(words, many, at)
    return ""


def _take_word(words: list[str]) -> str:
    """The first of *words* that joins no others; "" where another name follows."""
    while words[1:] and _joins(words[0]):
        del words[0]
    return "" if "=" in words[:2] else _take(words, 1)


def _joins(word: str) -> bool:
    return word[0] != "@" and says(word, "house.word.joining")
