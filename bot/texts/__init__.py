"""Phrases become sentences here, and only here: one catalogue per game and language.

``texts/<language>/<name>.po`` holds templates by key, ``texts/<language>/<game>.md`` the
rules of a game as players read them.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import TypeAlias

from babel.lists import format_list
from babel.messages.pofile import read_po

from bot.texts.sentences import contracted, enumerated, finished, is_sentence, placed
from games.core import Phrase, Who, phrase
from games.core.phrases import VERBATIM, Arg

LANGUAGES = ("es", "en")
"""The languages with catalogues, the default first."""

AMERICAN = "es-419"
"""American Spanish: its catalogue holds only what differs from Spain."""

_EUROPEAN = frozenset({"es", "ea", "ic", "gq"})
"""Regions with the Spanish of Spain: Spain, its African cities and islands, Guinea."""

COMPUTER = "house.computer"
"""The key of a computer's name: a noun with its article, and its level in brackets."""

ZERO = ".zero"
"""Suffix of the key for the count zero: «ninguna», “no”."""

LISTS = 512
"""Formatted lists in the cache: most lists of a board repeat."""

Names: TypeAlias = Mapping[int, str]
"""The players' names by seat."""


class MissingText(Exception):
    """A catalogue lacks a phrase: a fault of the program, not of a player."""


@dataclass(frozen=True)
class Language:
    """One language: its templates by key, singular alone or singular and plural."""

    code: str
    templates: Mapping[str, str | tuple[str, ...]]
    plural: Callable[[int], int]
    _fixed: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Sentences of phrases without arguments, such as most buttons."""

    def say(self, said: Phrase, names: Names | None = None) -> str:
        """The sentence for *said*; raises ``MissingText`` where the catalogue lacks it."""
        sentence = self._said(said, names)
        # Alone it is a name and stays as it is.
        return sentence if said.key == COMPUTER else placed(sentence, self._computer)

    def clause(self, said: Phrase, names: Names | None = None) -> str:
        """*said* as part of a sentence, without a capital first letter."""
        return self._said(said, names)

    def explained(self, key: str) -> Phrase:
        """The phrase *key* for its first mention, explained where players may not know the word."""
        longer = f"{key}.explained"
        return phrase(longer if longer in self.templates else key)

    @cached_property
    def _computer(self) -> str:
        """A computer's name without its level."""
        return str(self.templates.get(COMPUTER, COMPUTER)).partition(" (")[0]

    def _said(self, said: Phrase, names: Names | None) -> str:
        if said.args:
            return self._filled(said.key, dict(said.args), names or {})
        fixed = self._fixed.get(said.key)
        if fixed is None:
            fixed = self._fixed[said.key] = self._filled(said.key, {}, {})
        return fixed

    def _filled(self, key: str, args: Mapping[str, Arg], names: Names) -> str:
        values = {name: self._value(arg, names) for name, arg in args.items()}
        if key == VERBATIM:
            return values["text"]
        template = self._template(key, args.get("n"))
        try:
            text = template.format_map(values)
        except KeyError as lacking:
            raise MissingText(f"{self.code}: {key} lacks {lacking}") from lacking
        if self.code.startswith("es"):
            text = contracted(text)
        if not is_sentence(template):
            return text
        name, brace, _ = template.removeprefix("{").partition("}")
        first = args.get(name) if brace and template.startswith("{") else None
        # Names and squares keep their case at the beginning of a sentence.
        return finished(text, capital=isinstance(first, Phrase) and first.key != VERBATIM)

    def _template(self, key: str, count: Arg | None) -> str:
        """The template of *key*, in the plural form of *count* where one is given."""
        if count == 0 and isinstance(none := self.templates.get(f"{key}{ZERO}"), str):
            return none
        template = self.templates.get(key)
        if template is None:
            raise MissingText(f"{self.code}: {key}")
        if isinstance(template, str):
            return template
        return template[self.plural(count if isinstance(count, int) else 0)]

    def _value(self, arg: Arg, names: Names) -> str:
        match arg:
            case str():
                return arg
            case Phrase():
                return self._said(arg, names)
            case int():
                return str(arg)
            case Who(seat):
                return names.get(seat) or self._said(phrase("core.seat", number=seat + 1), names)
            case tuple():
                return _listed(tuple([self._value(item, names) for item in arg]), self.code)


@lru_cache(LISTS)
def _listed(said: tuple[str, ...], code: str) -> str:
    """The items of *said* as a list in the language *code*: «a, b y c»."""
    listed = format_list(said, locale=code.replace("-", "_"))
    return enumerated(listed, said[-1]) if said and code.startswith("es") else listed


def spoken(locale: str | None) -> str | None:
    """The language for *locale*, ``None`` where there is no catalogue for it."""
    short, *region = (locale or "").replace("_", "-").lower().split("-")
    if short not in LANGUAGES:
        return None
    return AMERICAN if short == "es" and region and region[-1] not in _EUROPEAN else short


def language(code: str) -> Language:
    """The language *code*, or the default where there is no catalogue for it."""
    return _load(spoken(code) or LANGUAGES[0])


@cache
def _load(code: str) -> Language:
    base, _, region = code.partition("-")
    own = _catalogue(code)
    if not region:
        return own
    common = _load(base)
    return Language(code, {**common.templates, **own.templates}, common.plural)


def _catalogue(code: str) -> Language:
    """The catalogues of *code*, without those it falls back to."""
    templates: dict[str, str | tuple[str, ...]] = {}
    expression = "n != 1"
    for file in sorted(resources.files(__name__).joinpath(code).iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".po"):
            continue
        locale = code.replace("-", "_")
        catalogue = read_po(io.BytesIO(file.read_bytes()), locale=locale, abort_invalid=True)
        expression = catalogue.plural_expr
        for message in catalogue:
            if not message.id:
                continue
            key = message.id if isinstance(message.id, str) else message.id[0]
            if key in templates:
                raise ValueError(f"{code}/{file.name}: {key} stands twice")
            text = message.string
            templates[key] = text if isinstance(text, str) else tuple(text or ())
    return Language(code, templates, gettext.c2py(expression))


def rules(game: str, code: str) -> str:
    """The rules of *game* for players, as Markdown in the language *code*."""
    return _NUMBERS.sub("", _rules_text(game, code))


@cache
def chapter_numbers(game: str) -> Mapping[str, int]:
    """The chapters of the rules of *game*, from 0, by the numbers of the rules they tell.

    The numbers stand in braces behind the headings of the default language: the chapters are the
    same in every language.
    """
    headings = re.findall(r"^## .+$", _rules_text(game, LANGUAGES[0]), re.MULTILINE)
    found = ((chapter, _NUMBERS.search(heading)) for chapter, heading in enumerate(headings))
    return {rule: chapter for chapter, told in found if told for rule in told[1].split()}


_NUMBERS = re.compile(r" \{([A-Z0-9 -]+)\}$", re.MULTILINE)


def _rules_text(game: str, code: str) -> str:
    folder = resources.files(__name__).joinpath(language(code).code.partition("-")[0])
    return folder.joinpath(f"{game}.md").read_text("utf-8")
