"""The names by which players type games, sides, options and their values.

What has a label in the catalogues may have other names in ``<label>.also``, separated by ", ":
they are understood and never shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from bot.session.draft import Rule, rules_of
from bot.session.names import LEVEL_NAMES
from bot.texts import LANGUAGES, Language, language
from bot.texts.orthography import bare
from games.core import Game, Position, Seat
from games.core.game import LOT, ROLLS
from games.core.move_parsing import LONGEST_MOVE
from games.core.shelf import shelf

_SIGNS = re.compile(r"[\W_]+")
_BRACKETS = re.compile(r"\s*\([^)]*\)$")

SEPARATOR = " · "
"""Stands between the parts of a button's label, each of which says the move."""

RATED: Mapping[str, str] = {"yes": "standing.word.rated", "no": "standing.word.casual"}
"""The catalogue keys of the values that say whether a game counts for the ratings."""


def rated_key(*, rated: bool) -> str:
    """The catalogue key of the word for a game that is *rated*, or for one that is not."""
    return RATED["yes" if rated else "no"]


def begin_key(game: Game, value: str) -> str:
    """The catalogue key that labels *value* of who begins."""
    return f"house.begins.{value}" if value in (LOT, ROLLS) else f"{game.key}.side.{value}"


def side_keys(game: Game) -> dict[str, str]:
    """The catalogue keys that label the sides of *game*."""
    return {side: f"{game.key}.side.{side}" for side in game.rules.sides}


@lru_cache(maxsize=1024)
def spelling(text: str) -> str:
    """*text* as names are compared: its letters and digits, lower case and without accents.

    Of a text without letters and digits all signs stay.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.casefold().replace("×", "x"))
    return _SIGNS.sub("", text.lower()) or text.strip()


def value_named(labels: Mapping[str, str], text: str) -> str | None:
    """The value that *text* names, ``None`` where it names none or several.

    *labels* has the label of each value. An article at the beginning and what stands in brackets
    at the end may be missing.
    """
    found = set[str]()
    for wanted, names in (({spelling(text)}, names_of), (_spellings(text), _short_names)):
        found = found or {
            value for value, key in labels.items() if wanted & {spelling(value), *names(key)}
        }
    return found.pop() if len(found) == 1 else None


@cache
def side_names() -> frozenset[str]:
    """The spellings of the sides and of who begins, in all games."""
    games = shelf().values()
    begins = {begin_key(game, value) for game in games for value in game.rules.begins}
    return _all_names(begins.union(*(side_keys(game).values() for game in games)))


@cache
def rated_names() -> frozenset[str]:
    """The spellings of the words that say whether a game counts for the ratings."""
    return _all_names(RATED.values())


@cache
def options_by_name() -> Mapping[str, tuple[Rule, ...]]:
    """The options of all games by the spellings of their names."""
    found: dict[str, tuple[Rule, ...]] = {}
    for rule in dict.fromkeys(rule for game in shelf().values() for rule in rules_of(game)):
        for name in {spelling(rule.key), *_short_names(rule.label)}:
            found[name] = (*found.get(name, ()), rule)
    return found


@cache
def option_values(name: str) -> frozenset[str]:
    """The spellings of all values of the options called *name*; none where no option is."""
    values = [(one, value) for one in options_by_name().get(name, ()) for value in one.values]
    names = _all_names(f"{rule.label}.{value}" for rule, value in values)
    return names | {spelling(value) for _, value in values}


def _all_names(labels: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(_short_names, labels))


@cache
def names_of(label: str) -> frozenset[str]:
    """The spellings of *label* in every language, and of its other names."""
    return frozenset(map(spelling, _texts(label)))


@cache
def words_beside(key: str) -> frozenset[str]:
    """The spellings of the words that *key* lists, separated by ", ", in every language."""
    return frozenset(map(spelling, texts_beside(key)))


def texts_beside(key: str) -> list[str]:
    """What *key* lists, separated by ", ", in every language."""
    told = (language(code).templates.get(key) for code in LANGUAGES)
    return [one for words in told if isinstance(words, str) for one in words.split(", ")]


def languages_by_name() -> Mapping[str, str]:
    """The codes of the languages by the spellings of these and of their names."""
    found = dict[str, str]()
    for code in LANGUAGES:
        keys = ("house.language", "house.language.also")
        told = (str(language(code).templates.get(key, "")).split(", ") for key in keys)
        found = {spelling(one): code for one in (code, *chain(*told))} | found
    return found


@cache
def level_names() -> frozenset[str]:
    """The spellings of the names of the levels of computers."""
    return _all_names(f"house.level.{one}" for one in range(1, LEVEL_NAMES + 1))


@cache
def _short_names(label: str) -> frozenset[str]:
    """The same with and without articles and what stands in brackets."""
    return frozenset[str]().union(*map(_spellings, _texts(label)))


def _texts(label: str) -> list[str]:
    said = (language(code).templates.get(label) for code in LANGUAGES)
    return [*(one for one in said if isinstance(one, str)), *texts_beside(f"{label}.also")]


def _spellings(name: str) -> set[str]:
    short = _BRACKETS.sub("", name)
    noun = bare(short[:1].lower() + short[1:], _articles())
    return {spelling(name), spelling(short), spelling(noun)}


@cache
def _articles() -> frozenset[str]:
    return frozenset[str]().union(*(language(code).articles for code in LANGUAGES))


def move_named(
    game: Game, position: Position[Any], seat: Seat, text: str, tongue: Language
) -> Any | None:
    """The one legal move of *seat* that *text* names as its button does in *tongue*.

    So the words of a language from outside can be typed, of which a game knows nothing. ``None``
    where no move of a single step is called so, or several are.
    """
    wanted, found = spelling(text), list[Any]()
    if len(text) > LONGEST_MOVE:
        return None
    for move in position.legal_moves(seat):
        step, *more = game.menus.steps(position, move)
        if not more:
            label = tongue.say(game.menus.label(position, seat, (), step))
            if wanted in {spelling(one) for one in (label, *label.split(SEPARATOR))}:
                found.append(move)
    return found[0] if len(found) == 1 else None
