"""The only place where phrases become sentences: one catalogue a game and language.

``texts/<language>/<name>.po`` holds templates by key, ``texts/<language>/<game>.md`` the
rules of a game as players read them.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import TypeAlias

from babel.lists import format_list
from babel.messages.pofile import read_po

from bot.texts.articles import placed
from bot.texts.sentences import contracted, enumerated, finished, is_sentence
from games.core import Phrase, Who, phrase
from games.core.phrases import VERBATIM, Arg

LANGUAGES = ("es", "en")
"""The languages spoken, the default first."""

AMERICAN = "es-419"
"""Spanish as spoken in America: its catalogue holds only what is said otherwise there."""

_EUROPEAN = frozenset({"es", "ea", "ic", "gq"})
"""Where Spanish is spoken as in Spain: Spain, its African cities and islands, Guinea."""

COMPUTER = "house.computer"
"""What a computer is called: a noun with its article, and what tells it from others."""

ZERO = ".zero"
"""Ends the key of what is said in place of a plural where there are none: «ninguna», “no”."""

LISTS = 512
"""How many lists are kept as they are said: of a board that is shown anew most have not changed."""

Names: TypeAlias = Mapping[int, str]
"""The names of the players by seat."""


class MissingText(Exception):
    """A catalogue lacks a phrase: a fault of ours, not of a player."""


@dataclass(frozen=True)
class Language:
    """One language: its templates by key, singular alone or singular and plural."""

    code: str
    templates: Mapping[str, str | tuple[str, ...]]
    plural: Callable[[int], int]
    _fixed: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """What phrases say that nothing fills, such as most buttons."""

    def say(self, said: Phrase, names: Names | None = None) -> str:
        """The sentence for *said*; raises ``MissingText`` where the catalogue lacks it."""
        sentence = self._said(said, names)
        # Alone it is a name, and stands within sentences as it is.
        return sentence if said.key == COMPUTER else placed(sentence, self._computer)

    def clause(self, said: Phrase, names: Names | None = None) -> str:
        """What is told of *said* within a sentence: it begins as it goes on, not capital."""
        return self._said(said, names)

    @cached_property
    def _computer(self) -> str:
        """What a computer is called, without what tells it from others."""
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
        # Names and squares are written as they are, however a sentence begins.
        return finished(text, capital=isinstance(first, Phrase) and first.key != VERBATIM)

    def _template(self, key: str, count: Arg | None) -> str:
        """What stands for *key* in the catalogue, by the number *count* where there is one."""
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
    """What is *said*, one after the other, in the language *code*: «a, b y c»."""
    listed = format_list(said, locale=code.replace("-", "_"))
    return enumerated(listed, said[-1]) if said and code.startswith("es") else listed


def spoken(locale: str | None) -> str | None:
    """How whoever has *locale* is spoken to, ``None`` where we do not speak his language."""
    short, *region = (locale or "").replace("_", "-").lower().split("-")
    if short not in LANGUAGES:
        return None
    return AMERICAN if short == "es" and region and region[-1] not in _EUROPEAN else short


def language(code: str) -> Language:
    """The language *code*, or the default where it is not spoken."""
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
    """What stands in the catalogues of *code* alone."""
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
    """The rules of *game* as players read them, Markdown, in the language *code*."""
    folder = resources.files(__name__).joinpath(language(code).code.partition("-")[0])
    return folder.joinpath(f"{game}.md").read_text("utf-8")
