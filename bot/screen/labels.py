"""What a player may type for an option, a side or who begins: what the catalogues call it.

Whatever has a label there may have other names beside it, which are understood and never said:
``<label>.also`` lists them, separated by commas.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from bot.table.sheet import rules_of
from bot.texts import LANGUAGES, language
from bot.texts.articles import bare
from games.core import Game, folded
from games.core.game import LOT, ROLLS
from games.core.shelf import shelf


def begin_key(game: Game, value: str) -> str:
    """The catalogue key that labels *value* of who begins."""
    return f"house.begins.{value}" if value in (LOT, ROLLS) else f"{game.key}.side.{value}"


def side_keys(game: Game) -> dict[str, str]:
    """The catalogue keys that label the sides of *game*."""
    return {side: f"{game.key}.side.{side}" for side in game.sides}


def meant(keys: Mapping[str, str], text: str) -> str | None:
    """The value whose own name, or whose label in a language, is *text*; *keys* are the labels'.

    Capitals, accents, signs, an article at the beginning and what a label has in brackets may be
    missing. ``None`` where there is no such value, or several.
    """
    wanted = _plain(text)
    names = [(name, value) for value, key in keys.items() for name in (value, *_names(key))]
    found = {value for name, value in names if _plain(name) == wanted}
    if wanted and not found:
        loosely = {wanted, _short(text)}
        found = {value for name, value in names if {_plain(name), _short(name)} & loosely}
    return found.pop() if len(found) == 1 else None


def joined(line: str) -> str:
    """*line* with a hyphen for the blanks of each label before or behind a sign of equality.

    «Ventaja que da gote=la torre» then is one word, as the typed lines of a chat want it.
    """
    before, behind = _patterns()
    line = before.sub(lambda one: f"{_hyphened(one[1])}=", line)
    return behind.sub(lambda one: _hyphened(one[0]), line)


@cache
def _names(key: str) -> tuple[str, ...]:
    """What *key* labels is called in every language, and its other names."""
    found: list[str] = []
    for code in LANGUAGES:
        label, also = (language(code).templates.get(one) for one in (key, f"{key}.also"))
        found += [label] if isinstance(label, str) else []
        found += also.split(", ") if isinstance(also, str) else []
    return tuple(found)


def _plain(text: str) -> str:
    """*text* as labels are compared: its words in small letters, without accents and signs."""
    letters = unicodedata.normalize("NFD", text.casefold().replace("×", "x"))
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+", letters)) or folded(text)


def _short(text: str) -> str:
    """*text* as labels are compared, without its article and without what is in brackets."""
    return bare(_plain(re.sub(r"\s*\([^)]*\)$", "", text)))


def _hyphened(label: str) -> str:
    return re.sub(r"[\s;]+", "-", label)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds a label of several words before, and one behind, a sign of equality."""
    names, values = set[str](), set[str]()
    for game in shelf().values():
        for rule in rules_of(game):
            names |= {*_names(rule.label)}
            values |= {one for value in rule.values for one in _names(f"{rule.label}.{value}")}
        values |= {name for key in side_keys(game).values() for name in _names(key)}
        values |= {name for one in game.begins for name in _names(begin_key(game, one))}
    before = rf"(?<!\S)({_any(names)})\s*=\s*"
    behind = rf"(?<==)(?:{_any(values)})(?!\w)"
    return re.compile(before, re.IGNORECASE), re.compile(behind, re.IGNORECASE)


def _any(labels: Iterable[str]) -> str:
    """A pattern of all *labels*, the longest first, with or without accents and signs."""
    found = []
    for label in sorted(labels, key=lambda one: (-len(one), one)):
        words = re.findall(r"[^\W_]+", label)
        letters = ("".join(f"[{c}{_plain(c)}]" for c in word) for word in words)
        found.append(r"[^\w=]+".join(letters) + r"\)?")
    return "|".join(found)
