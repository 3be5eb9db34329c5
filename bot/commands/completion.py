"""Completion of a command while it is typed, the same for every chat."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.port import Suggestion
from bot.presenters.command_specs import COMMANDS, Parameter, ParameterKind
from bot.presenters.typed_names import RATED, begin_key, side_keys
from bot.session.draft import rules_of
from bot.session.names import level_name
from bot.session.table import Table
from bot.session.time_controls import PRESETS, read_control
from bot.session.visibility import VisibleTable
from bot.texts import AMERICAN, LANGUAGES, language
from games.core import Game, RuleError, Seat, casefolded, phrase
from games.core.shelf import find_game, highest_level, shelf
from storage.records import GameLine

MOST_SUGGESTIONS = 25
"""The most suggestions shown, which is Discord's limit."""


@dataclass(frozen=True)
class LegalMove:
    """A legal move in notation, in words, and in all *ways* to type it."""

    written: str
    said: str
    ways: tuple[str, ...]


@dataclass(frozen=True)
class TableMoves:
    """The legal moves of one person at the table *code*; *meant* is the typed text, tidied."""

    code: str
    game: str
    found: tuple[LegalMove, ...]
    meant: str = ""


@dataclass
class MoveSpellings:
    """A cache of the ways to type the legal moves of the latest tables."""

    _kept: LRUCache[tuple[str, int, Seat, str], tuple[LegalMove, ...]] = field(
        default_factory=lambda: LRUCache(64)
    )

    def moves(self, table: Table, person: int, code: str, text: str) -> TableMoves:
        """The legal moves of *person*, who has typed *text*, at *table* in the language *code*."""
        seat = table.seat_of(person)
        if seat is None or seat not in table.actors():
            return TableMoves(table.code, table.game.key, ())
        key = (table.code, table.version, seat, code)
        if key not in self._kept:
            self._kept[key] = tuple(_spell(table, seat, code))
        meant = table.game.notation.tidied(VisibleTable(table, seat).position, text)
        return TableMoves(table.code, table.game.key, self._kept[key], meant)


def _spell(table: Table, seat: Seat, code: str) -> Iterator[LegalMove]:
    position = VisibleTable(table, seat).position
    names = {n: p.name for n, p in enumerate(table.players)}
    notation = table.game.notation
    for move in position.legal_moves(seat):
        written = notation.written(position, move)
        spoken = table.game.speech.spoken(position, move)
        said = language(code).say(spoken, names)
        others = (language(other).say(spoken, names) for other in LANGUAGES if other != code)
        ways = (written, *notation.spellings(position, move), said, *others)
        yield LegalMove(written, said, tuple(dict.fromkeys(map(unaccented, ways))))


def unaccented(text: str) -> str:
    """*text* as completions are compared: case-folded and without accents."""
    parts = unicodedata.normalize("NFD", casefolded(text))
    return "".join(part for part in parts if not unicodedata.combining(part))


@dataclass(frozen=True)
class PartialInput:
    """A parameter of *kind* that is being typed, its *text* so far, and the other *values*.

    *lines* are the asker's tables, the likeliest first; *moves* are their legal moves there;
    *words* are keys of words that the parameter takes besides.
    """

    kind: ParameterKind
    text: str
    values: Mapping[str, str]
    lines: Sequence[GameLine]
    moves: Sequence[TableMoves]
    language: str
    words: tuple[str, ...] = ()


def suggestions(typing: PartialInput) -> tuple[Suggestion, ...]:
    """At most ``MOST`` completions, those that begin with the text before those that contain it."""
    if typing.kind is ParameterKind.MOVE:
        return _moves(typing)
    wanted, labels = unaccented(typing.text), _labels(typing)
    found = [Suggestion(label[:100], value) for value, label in labels.items()]
    named = {one: (unaccented(one.label), unaccented(one.value)) for one in found}
    hold = [one for one, names in named.items() if any(wanted in name for name in names)]
    hold.sort(key=lambda one: not any(name.startswith(wanted) for name in named[one]))
    return tuple(hold[:MOST_SUGGESTIONS])


CLOSED = (ParameterKind.GAME, ParameterKind.RATED, ParameterKind.FORM, ParameterKind.LANGUAGE)
"""The kinds whose values are known before anything is typed, and depend on no other value."""


def closed_choices(parameter: Parameter) -> Mapping[str, Mapping[str, str]]:
    """The values of *parameter*, each with its labels by language; none unless it is ``CLOSED``."""
    if parameter.kind not in CLOSED:
        return {}
    said = {}
    for code in (*LANGUAGES, AMERICAN):
        said[code] = _labels(PartialInput(parameter.kind, "", {}, (), (), code, parameter.words))
    # A word may be typed in any language: the value is that of the first.
    return {
        value: {code: [*labels.values()][at] for code, labels in said.items()}
        for at, value in enumerate(next(iter(said.values())))
    }


def _labels(typing: PartialInput) -> dict[str, str]:
    """The values that the parameter may have, with their labels."""
    code, say = typing.language, language(typing.language).say
    if typing.kind in _WORDS:
        return _words(code, *_WORDS[typing.kind])
    games = {key: say(phrase(f"{key}.name")) for key in shelf()}
    match typing.kind:
        case ParameterKind.GAME:
            return games | _words(code, *typing.words)
        case ParameterKind.TABLE:
            return {line.code: _line(line, code) for line in typing.lines}
        case ParameterKind.LANGUAGE:
            return {one: language(one).say(phrase("house.language")) for one in LANGUAGES}
        case ParameterKind.COMMAND:
            return {name: name for name in (one.name_in(code) for one in COMMANDS)} | games
        case ParameterKind.CLOCK:
            controls = filter(None, map(read_control, PRESETS))
            return {one.text: say(one.said()) for one in controls}
        case ParameterKind.RATED:
            return {value: say(phrase(key)) for value, key in RATED.items()}
        case ParameterKind.TEXT | ParameterKind.MOVE:
            return {}
    with suppress(RuleError):
        return _labels_of(find_game(typing.values.get("game", "")), typing)
    return {}


_WORDS: Mapping[ParameterKind, tuple[str, ...]] = {
    ParameterKind.PERSON: ("house.word.computer", "house.word.now", "house.word.anyone"),
    ParameterKind.FORM: ("house.word.text",),
}
"""The words that are offered for parameters which take others too."""


def _words(code: str, *keys: str) -> dict[str, str]:
    """The first word of each of *keys*."""
    return {word: word for word in (language(code).say(phrase(key)).split()[0] for key in keys)}


def _moves(typing: PartialInput) -> tuple[Suggestion, ...]:
    """The moves that the text may become, the shortest first, equally many of each table."""
    several = len(typing.moves) > 1
    share = MOST_SUGGESTIONS // max(1, len(typing.moves))
    found: list[Suggestion] = []
    for table in typing.moves:
        wanted = {unaccented(typing.text), unaccented(table.meant or typing.text)}
        ranks = {one: rank for one in table.found if (rank := _rank(one, wanted)) is not None}
        if not ranks:
            ranks = {one: (True, len(one.said)) for one in _filter(table.found, typing.text)}
        game = language(typing.language).say(phrase(f"{table.game}.name"))
        for one in sorted(ranks, key=lambda one: ranks[one])[:share]:
            parts = [one.written, *([f"{game} {table.code}"] if several else [])]
            parts += [one.said] if one.said != one.written else []
            value = f"{one.written} #{table.code}" if several else one.written
            found.append(Suggestion(" · ".join(parts)[:100], value))
    return tuple(found)


def _rank(one: LegalMove, wanted: Collection[str]) -> tuple[bool, int] | None:
    """The rank of *one* among completions of *wanted*, lower is better; ``None`` if it is none."""
    fits = [(not way.startswith(w), len(way)) for w in wanted for way in one.ways if w in way]
    return min(fits, default=None)


def _filter(found: Sequence[LegalMove], text: str) -> list[LegalMove]:
    """Those *found* that contain every word of *text*, such as a piece and its target."""
    words = [unaccented(word) for word in text.split()]
    fits = (one for one in found if any(all(word in way for word in words) for way in one.ways))
    return list(fits) if words else []


def _line(line: GameLine, code: str) -> str:
    names = ", ".join(seat.name for seat in line.seats if seat.person is not None)
    what = phrase("house.unreadable" if line.fault is not None else f"{line.game}.name")
    return f"{line.code} · {language(code).say(what)} · {names}"


def _labels_of(game: Game, typing: PartialInput) -> dict[str, str]:
    say = language(typing.language).say
    match typing.kind:
        case ParameterKind.SIDE:
            return {side: say(phrase(key)) for side, key in side_keys(game).items()}
        case ParameterKind.BEGINS:
            return {value: say(phrase(begin_key(game, value))) for value in game.rules.begins}
        case ParameterKind.LEVEL:
            names = {n: level_name(game, n) for n in range(1, highest_level(game) + 1)}
            said = {n: phrase("house.sheet.level", number=n, name=names[n]) for n in names}
            return {str(n): say(said[n]) for n in said}
        case ParameterKind.SEATS:
            return {str(seats): str(seats) for seats in game.rules.seats}
    return _options(typing, game)


def _options(typing: PartialInput, game: Game) -> dict[str, str]:
    """The pairs typed so far, followed by each further pair that is possible."""
    say = language(typing.language).say
    *done, _ = typing.text.split(" ") if typing.text else [""]
    head = "".join(f"{pair} " for pair in done)
    taken = {pair.partition("=")[0] for pair in done}
    found = {}
    for rule in (one for one in rules_of(game) if one.key not in taken):
        for value in rule.values:
            meaning = say(phrase(f"{rule.label}.{value}"))
            found[f"{head}{rule.key}={value}"] = f"{head}{say(phrase(rule.label))}: {meaning}"
    return found
