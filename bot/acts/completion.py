"""What completes a command while it is typed, the same for every chat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.acts.wish import begin_key
from bot.port import Suggestion
from bot.screen.commands import COMMANDS, Command, Kind
from bot.table.sight import Seen
from bot.table.table import Table
from bot.texts import LANGUAGES, language
from games.core import RuleError, folded, phrase
from games.core.shelf import find_game, shelf
from storage.records import GameLine

MOST = 25
"""The most suggestions shown: what Discord takes."""


@dataclass(frozen=True)
class Typing:
    """What is being typed: a *command*, the *kind* of the parameter, its *text* so far.

    *lines* are the tables the asker may mean, the likeliest first; *table* the one at which a
    move is being typed.
    """

    command: Command
    kind: Kind
    text: str
    values: Mapping[str, str]
    lines: Sequence[GameLine]
    table: Table | None
    person: int
    language: str


def suggestions(asked: Typing) -> tuple[Suggestion, ...]:
    """At most ``MOST`` completions, those that begin with the text before those that hold it."""
    tongue = language(asked.language)
    match asked.kind:
        case Kind.GAME:
            found = [
                Suggestion(tongue.say(phrase(f"{game.key}.name")), game.key)
                for game in shelf().values()
            ]
        case Kind.PERSON:
            words = ("house.word.computer", "house.word.anyone")
            found = [_word(tongue.say(phrase(key)).split()[0]) for key in words]
        case Kind.MOVE:
            found = _moves(asked)
        case Kind.TABLE:
            found = [_line(line, asked.language) for line in asked.lines]
        case Kind.LANGUAGE:
            found = [Suggestion(language(c).say(phrase("house.language")), c) for c in LANGUAGES]
        case Kind.COMMAND:
            found = [_word(command.name_in(asked.language)) for command in COMMANDS]
        case Kind.FORM:
            found = [_word(tongue.say(phrase("house.word.text")).split()[0])]
        case Kind.OPTIONS | Kind.SIDE | Kind.BEGINS | Kind.LEVEL | Kind.SEATS:
            found = _of_game(asked)
        case Kind.TEXT:
            found = []
    return _fitting(found, asked.text)


def _word(text: str) -> Suggestion:
    return Suggestion(text, text)


def _fitting(found: Iterable[Suggestion], text: str) -> tuple[Suggestion, ...]:
    wanted = folded(text)
    begin, hold = [], []
    for one in dict.fromkeys(found):
        names = (folded(one.label), folded(one.value))
        if any(name.startswith(wanted) for name in names):
            begin.append(one)
        elif any(wanted in name for name in names):
            hold.append(one)
    return tuple((begin + hold)[:MOST])


def _moves(asked: Typing) -> list[Suggestion]:
    table = asked.table
    seat = table.seat_of(asked.person) if table is not None else None
    if table is None or seat is None or seat not in table.actors():
        return []
    position = Seen(table, seat).position
    tongue = language(asked.language)
    names = {n: p.name for n, p in enumerate(table.players)}
    found = []
    for move in position.legal_moves(seat):
        text = table.game.notation.written(position, move)
        said = tongue.say(table.game.speech.spoken(position, move), names)
        found.append(Suggestion(text if said == text else f"{text} · {said}"[:100], text))
    return found


def _line(line: GameLine, code: str) -> Suggestion:
    names = ", ".join(seat.name for seat in line.seats if seat.person is not None)
    what = phrase("house.unreadable" if line.fault is not None else f"{line.game}.name")
    return Suggestion(f"{line.code} · {language(code).say(what)} · {names}"[:100], line.code)


def _of_game(asked: Typing) -> list[Suggestion]:
    try:
        game = find_game(asked.values.get("game", ""))
    except RuleError:
        return []
    tongue = language(asked.language)
    match asked.kind:
        case Kind.SIDE:
            keys = {side: f"{game.key}.side.{side}" for side in game.sides}
        case Kind.BEGINS:
            keys = {value: begin_key(game, value) for value in game.begins}
        case Kind.LEVEL:
            return [_word(str(level)) for level in range(1, game.levels + 1)]
        case Kind.SEATS:
            return [_word(str(seats)) for seats in game.seats]
        case _:
            return _options(asked, game.key)
    return [Suggestion(tongue.say(phrase(key)), value) for value, key in keys.items()]


def _options(asked: Typing, key: str) -> list[Suggestion]:
    """The pairs typed so far, and each further pair that may follow them."""
    game, tongue = shelf()[key], language(asked.language)
    *done, _ = asked.text.split(" ") if asked.text else [""]
    head = "".join(f"{pair} " for pair in done)
    taken = {pair.partition("=")[0] for pair in done}
    found = []
    for option in game.options:
        for value in option.values:
            if option.key in taken:
                continue
            label = tongue.say(phrase(f"{key}.option.{option.key}"))
            meaning = tongue.say(phrase(f"{key}.option.{option.key}.{value}"))
            pair = f"{head}{option.key}={value}"
            found.append(Suggestion(f"{head}{label}: {meaning}"[:100], pair))
    return [one for one in found if folded(one.value).startswith(folded(head))]
