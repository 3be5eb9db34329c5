"""What a player may type for an option, a side or who begins: what the catalogues call it.

Whatever has a label there may have other names beside it, which are understood and never said:
``<label>.also`` lists them, separated by commas.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from bot.session.draft import rules_of
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
    """*line* with an option and its value in one word each, and a sign of equality between them.

    «Ventaja que da gote: la torre», with or without a sign between them, becomes
    «Ventaja-que-da-gote=la-torre», as the typed lines of a chat want it; so does «6x6 board», where
    no value follows. Behind an option that has no value of its own on either side the sign stands
    alone.
    """
    before, behind, alone = _patterns()
    line = before.sub(lambda one: f"{_hyphened(one[1])}=", line)
    line = behind.sub(lambda one: _hyphened(one[0]), line)
    found, at = "", 0
    while option := alone.search(line, at):
        # What the pattern lets pass between words may be a letter where names are compared: «×».
        values = _values().get(_plain(option[1]), _NO_VALUES)
        value, head, said = values.behind.match(line, option.end()), line[at : option.start()], " "
        if value is not None:
            said = _hyphened(value[0])
        elif (ahead := values.before.search(head)) is not None:
            head, said = head[: ahead.start()], f"{_hyphened(ahead[1])} "
        found += f"{head}{_hyphened(option[1])}={said}"
        at = (value or option).end()
    return found + line[at:]


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
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What finds a label before a sign of equality, one behind, and an option without one."""
    names, values = set[str](), set[str]()
    for game in shelf().values():
        for rule in rules_of(game):
            names |= {rule.key, *_names(rule.label)}
            values |= {one for value in rule.values for one in _names(f"{rule.label}.{value}")}
        values |= {name for key in side_keys(game).values() for name in _names(key)}
        values |= {name for one in game.begins for name in _names(begin_key(game, one))}
    before = rf"(?<!\S)({_any(names)})\s*=(?:\s+(?!\S+=))?"
    behind = rf"(?<==)(?:{_any(values)})(?!\w)"
    alone = rf"(?<!\S)({_any(names)})(?:\s*[:,]\s*|\s+|$)(?!=)"
    first, second, third = (re.compile(one, re.IGNORECASE) for one in (before, behind, alone))
    return first, second, third


class _Values(NamedTuple):
    """What finds a value of an option *behind* it, and *before* it at the end of a text."""

    behind: re.Pattern[str]
    before: re.Pattern[str]


_NO_VALUES = _Values(re.compile(r"(?!)"), re.compile(r"(?!)"))


@cache
def _values() -> Mapping[str, _Values]:
    """What finds values, by each name of their option as names are compared."""
    found: dict[str, set[str]] = {}
    for rule in (rule for game in shelf().values() for rule in rules_of(game)):
        values = {
            form
            for value in rule.values
            for name in (value, *_names(f"{rule.label}.{value}"))
            for form in _forms(name)
        }
        for name in (rule.key, *_names(rule.label)):
            for form in _forms(name):
                found.setdefault(_plain(form), set()).update(values)
    return {
        name: _Values(
            re.compile(rf"(?:{_any(values)})(?![\w=])", re.IGNORECASE),
            re.compile(rf"(?<!\S)({_any(values)})\s+$", re.IGNORECASE),
        )
        for name, values in found.items()
    }


def _forms(name: str) -> set[str]:
    """*name* with and without its article and what it has in brackets."""
    short = re.sub(r"\s*\([^)]*\)$", "", name)
    return {name, short, bare(short[:1].lower() + short[1:])}


def _any(names: Iterable[str]) -> str:
    """A pattern of all *names*, the longest first, with or without accents, signs and articles."""
    found = []
    forms = {form for name in names for form in _forms(name)}
    for form in sorted(forms, key=lambda one: (-len(one), one)):
        words = re.findall(r"(?:[^\W_]|×)+", form)  # «6×6» is typed «6x6»
        letters = ("".join(f"[{c}{_plain(c)}]" for c in word) for word in words)
        found.append(r"(?:[^\w=]|_)+".join(letters) + r"\)?")
    return "|".join(found)
