"""What somebody types in one line: which command, with which values."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from bot.presenters.command_specs import (
    CommandSpec,
    Parameter,
    ParameterKind,
    bare,
    find_command,
    names_in,
    options_of,
    words_of,
)
from bot.presenters.labels import joined, meant, side_keys
from games.core import RuleError, folded
from games.core.shelf import find_game, named_by


def parse(line: str) -> tuple[CommandSpec, dict[str, str]] | None:
    """A typed line as command and values; ``None`` where no command is called so.

    Values may be named (``game=niya``, ``nivel=2``) or stand in the order of the parameters;
    a parameter that takes the rest takes every word that is not named. Where a command has
    options, the word alone names what follows it too, as in «contra la máquina, nivel 9».
    """
    head, _, tail = line.strip().partition(" ")
    command = find_command(head.split("@")[0])
    if command is None:  # «/por qué»: a name that is written as two words
        second, _, tail = tail.lstrip().partition(" ")
        command = find_command(f"{head}{second}") if second else None
    if command is None:
        return None
    named, options = names_in(command), options_of(command)
    values: dict[str, str] = {}
    loose = deque[str]()
    left = deque((joined(tail) if options is not None else tail).split())
    while left:
        word = left.popleft()
        key, mark, value = word.partition("=")
        if mark and not value and options is not None:
            value = _beside(left, named, options)
        if mark and folded(key) in named and value:
            parameter = named[folded(key)]
            values[parameter.name] = _whole(value, left, parameter)
        elif mark and options is not None:
            values[options.name] = f"{values.get(options.name, '')} {key}={value}".strip()
        else:
            loose.append(word)
    if options is not None:
        loose = deque(_without_named(loose, named, values))
        _bring_game(loose)
    for parameter in command.parameters:
        said = _known_by_itself(parameter, tuple(loose), values)
        if parameter.name not in values and said is not None:
            values[parameter.name] = said
            loose.remove(said)
    for parameter in command.parameters:
        if parameter.name in values or not loose:
            continue
        if parameter.rest:
            values[parameter.name] = " ".join(loose)
            loose.clear()
        else:
            values[parameter.name] = _whole(loose.popleft(), loose, parameter)
    return command, values


_WORDS = 24
"""Among how many words a side or a game is looked for: more than any wish has."""


def _beside(left: deque[str], named: Mapping[str, Parameter], options: Parameter) -> str:
    """The value of an option at the head of *left*, which is taken from there; "" for none."""
    word = left[0].rstrip(":") if left else "@"
    taken = word.startswith("@") or "=" in word or folded(word) in named
    if taken or _sides_of(_game_named(tuple(islice(left, _WORDS)))):
        return ""
    return _value(left, options).strip("(),;.")


def _bring_game(words: deque[str]) -> None:
    """Put the first of *words* that name a game at their head: «negras, shogi, nivel 3»."""
    for n, word in enumerate(islice(words, _WORDS)):
        game = "" if word.startswith("@") else _game_named(tuple(islice(words, n, n + _WORDS)))
        if _sides_of(game):
            for _ in game.split():
                del words[n]
            words.extendleft(reversed(game.split()))
            return


def _game_named(words: Sequence[str]) -> str:
    return " ".join(words[: named_by(words)])


def _known_by_itself(
    parameter: Parameter, words: Sequence[str], values: Mapping[str, str]
) -> str | None:
    """The first of *words* that can only be meant for *parameter*, wherever it stands."""
    match parameter.kind:
        case ParameterKind.FORM:
            said = (word for word in words if bare(word) in words_of("house.word.text"))
        case ParameterKind.PERSON:
            said = (word for word in words if word.startswith("@"))
        case ParameterKind.SIDE:
            # Nobody is called like a side without an @.
            sides = _sides_of(values.get("game") or _game_named(words))
            said = (word for word in words[:_WORDS] if meant(sides, word) is not None)
        case _:
            return None
    return next(said, None)


def _sides_of(game: str) -> Mapping[str, str]:
    """The sides of the game called *game* by their labels, none where no game is called so."""
    try:
        return side_keys(find_game(game))
    except RuleError:
        return {}


_NUMBERED = re.compile(r"([^\W\d_]+):?(\d+)")
"""A word with its number, such as «nivel9» and «nivel:9»."""


def _without_named(
    words: Iterable[str], named: Mapping[str, Parameter], values: dict[str, str]
) -> list[str]:
    """*words* without those that name what follows them, which is added to *values*.

    What only joins words is left out too, but where a value begins with it: «a suertes». A name
    at the end is its own value: whoever reads that says what may stand there.
    """
    loose: list[str] = []
    plain = (word.rstrip("),;") if word[0] == "@" else word.strip("(),;.") for word in words)
    left = deque(word for word in plain if word)
    seats = next(name for name, one in named.items() if one.kind is ParameterKind.SEATS)
    while left:
        word = left.popleft()
        if word.isdigit() and left and bare(left[0]) in words_of("house.word.seats"):
            left[0] = word  # «4 jugadores»
            word = seats
        numbered = _NUMBERED.fullmatch(word)
        name, value = numbered.groups() if numbered is not None else (word.rstrip(":"), "")
        parameter = named.get(folded(name))
        if parameter is None and not _joins(word):
            loose.append(word)
        if parameter is not None and parameter.kind is not ParameterKind.OPTIONS:
            values[parameter.name] = value or _value(left, parameter) or word
    return loose


def _value(left: deque[str], parameter: Parameter) -> str:
    """The value of *parameter* at the head of *left*, which is taken from there."""
    said: list[str] = []
    while left and (not said or _joins(said[-1])):
        said.append(left.popleft())
    if parameter.kind is ParameterKind.BEGINS or not said:
        return " ".join(said)
    return _whole(said[-1], left, parameter)


def _whole(first: str, left: deque[str], parameter: Parameter) -> str:
    """*first* with those words at the head of *left*, taken from there, that name a game with it.

    That is where *parameter* is a game: «ajedrez japonés».
    """
    more = named_by((first, *left)) - 1 if parameter.kind is ParameterKind.GAME else 0
    return " ".join((first, *(left.popleft() for _ in range(more))))


def _joins(word: str) -> bool:
    return bare(word) in words_of("house.word.joining")
