"""Phrases become sentences here, and only here: one catalogue per game and language.

``texts/<language>/<name>.po`` holds templates by key, ``texts/<language>/<game>.md`` the
rules of a game as players read them. A game from another distribution has both in its own folder
``texts``, a language from outside in a folder of its own (``outside``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TypeAlias

from babel.lists import format_list

from bot.texts.catalogues import CatalogueSet, outside_languages, read_ours, read_outside
from bot.texts.orthography import (
    Contractions,
    enumerated,
    finished,
    is_sentence,
    placed,
    set_apart,
)
from games.core import Phrase, Who, phrase
from games.core.phrases import VERBATIM, Arg
from games.core.shelf import game_packages

OURS = ("es", "en")
"""The languages with catalogues here, which lack nothing; the default first."""

OUTSIDE = outside_languages(OURS)
"""The folders of the languages from outside, by code."""

LANGUAGES = (*OURS, *OUTSIDE)
"""All languages, ours first."""

FALLBACK = "en"
"""The language that lacks nothing: in it is said what another one lacks."""

AMERICAN = "es-419"
"""American Spanish: its catalogue holds only what differs from Spain."""

_EUROPEAN = frozenset({"es", "ea", "ic", "gq"})
"""Regions with the Spanish of Spain: Spain, its African cities and islands, Guinea."""

COMPUTER = "house.computer"
"""The key of a computer's name: a noun with its article, and its level in brackets."""

NOUNS = (COMPUTER, "school.rival")
"""The keys of names that are nouns: a sentence that one begins has its article in capitals."""

ZERO = ".zero"
"""Suffix of the key for the count zero: «ninguna», “no”."""

YOURS = ".yours"
"""Suffix of the key for what the reader does: «tiras», “you roll”."""

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
    fallback: Language | None = None
    """In which language is said what this one lacks."""
    _fixed: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Sentences of phrases without arguments, such as most buttons."""

    def say(self, said: Phrase, names: Names | None = None) -> str:
        """The sentence for *said*; raises ``MissingText`` where the catalogue lacks it."""
        sentence = self.clause(said, names)
        # Alone it is a name and stays as it is.
        for noun in () if said.key in NOUNS else self._nouns:
            sentence = placed(sentence, noun)
        return sentence

    def explained(self, key: str) -> Phrase:
        """The phrase *key* for its first mention, explained where players may not know the word."""
        longer = f"{key}.explained"
        return phrase(longer if longer in self.templates else key)

    def of_reader(self, said: Phrase) -> Phrase:
        """*said* of the reader's own act, as far as the catalogue tells: «tiras», not «tira»."""
        own = f"{said.key}{YOURS}"
        args = tuple((name, self._of_reader(arg)) for name, arg in said.args)
        return Phrase(own if own in self.templates else said.key, args)

    def _of_reader(self, arg: Arg) -> Arg:
        match arg:
            case Phrase():
                return self.of_reader(arg)
            case tuple():
                return tuple(self.of_reader(one) if isinstance(one, Phrase) else one for one in arg)
        return arg

    @cached_property
    def _nouns(self) -> tuple[str, ...]:
        """The names that are nouns, a computer's without its level."""
        return tuple(str(self.templates.get(one, one)).partition(" (")[0] for one in NOUNS)

    @cached_property
    def _contractions(self) -> Contractions:
        return Contractions(str(self.templates.get("grammar.contractions", "")))

    @cached_property
    def articles(self) -> frozenset[str]:
        """The articles that a noun may have before it."""
        told = str(self.templates.get("grammar.articles", "")).split(",")
        return frozenset(one.strip() for one in told)

    def clause(self, said: Phrase, names: Names | None = None) -> str:
        """*said* as part of a sentence, without a capital first letter."""
        if said.args:
            return self._fill(said.key, dict(said.args), names or {})
        fixed = self._fixed.get(said.key)
        if fixed is None:
            fixed = self._fixed[said.key] = self._fill(said.key, {}, {})
        return fixed

    def _fill(self, key: str, args: Mapping[str, Arg], names: Names) -> str:
        values = {name: self._value(arg, names) for name, arg in args.items()}
        if key == VERBATIM:
            return values["text"]
        template = self._template(key, args.get("n"))
        try:
            text = template.format_map(values)
        except KeyError as lacking:
            raise MissingText(f"{self.code}: {key} lacks {lacking}") from lacking
        text = self._contractions.contracted(text)
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
            if self.fallback is None:
                raise MissingText(f"{self.code}: {key}")
            return self.fallback._template(key, count)
        if isinstance(template, str):
            return template
        return template[self.plural(count if isinstance(count, int) else 0)]

    def _value(self, arg: Arg, names: Names) -> str:
        match arg:
            case str():
                return set_apart(arg)
            case Phrase():
                return self.clause(arg, names)
            case int():
                return str(arg)
            case Who(seat):
                name = names.get(seat)
                return (
                    set_apart(name)
                    if name
                    else self.clause(phrase("core.seat", number=seat + 1), names)
                )
            case tuple():
                return _join_list(tuple([self._value(item, names) for item in arg]), self.code)


@lru_cache(LISTS)
def _join_list(said: tuple[str, ...], code: str) -> str:
    """The items of *said* as a list in the language *code*: «a, b y c»."""
    listed = format_list(said, locale=code.replace("-", "_"))
    return enumerated(listed, said[-1]) if said and code.startswith("es") else listed


def spoken(locale: str | None) -> str | None:
    """The language for *locale*, ``None`` where there is no catalogue for it."""
    short, *region = (locale or "").replace("_", "-").lower().split("-")
    if short not in LANGUAGES:
        return None
    return AMERICAN if short == "es" and region and region[-1] not in _EUROPEAN else short


def language_of_words(text: str) -> str | None:
    """The language whose catalogue has most of the words of *text*; ``None`` where none stands out.

    Spanish is that of Spain unless a word is of America.
    """
    said = {*_WORD.findall(text.casefold())}
    known = {code: len(said & _vocabulary(code)) for code in (*LANGUAGES, AMERICAN)}
    best = [code for code, many in known.items() if many == max(known.values())]
    return best[0] if len({code.partition("-")[0] for code in best}) == 1 else None


_WORD = re.compile(r"\{[^}]*\}|([^\W\d_]{2,})")
"""A word; a single letter may be that of a square."""


@cache
def _vocabulary(code: str) -> frozenset[str]:
    """The words of the sentences that players read in *code*, without what they only may type."""
    told = language(code).templates.items()
    read = (str(one) for key, one in told if ".word." not in key and not key.startswith("shell."))
    return frozenset(_WORD.findall(" ".join(read).casefold()))


def language(code: str) -> Language:
    """The language *code*, or the default where there is no catalogue for it."""
    return _load(spoken(code) or LANGUAGES[0])


@cache
def _load(code: str) -> Language:
    base, _, region = code.partition("-")
    found = catalogues_of(code)
    if region:
        common = _load(base)
        return Language(
            code, {**common.templates, **found.templates}, common.plural, common.fallback
        )
    fallback = None if code == FALLBACK else _load(_fallback if code in OUTSIDE else FALLBACK)
    return Language(code, found.templates, found.plural, fallback)


_fallback = FALLBACK
"""In which language a language from outside says what it lacks."""


def fall_back_on(code: str) -> None:
    """Say in *code* what a language from outside lacks, and in English what that lacks, too."""
    global _fallback
    _fallback = FALLBACK if code in OUTSIDE else code
    _load.cache_clear()


@cache
def catalogues_of(code: str) -> CatalogueSet:
    """The catalogues of *code* alone, with what is wrong in them."""
    if code in OUTSIDE:
        return read_outside(OUTSIDE[code], code, catalogues_of(FALLBACK).templates)
    return read_ours(_files(code), code)


def _files(code: str) -> Iterator[tuple[Traversable, str]]:
    """The catalogues of *code*, and with which prefix their keys count.

    They are ours, and that of each game from another distribution, which tells of itself alone.
    """
    ours = resources.files(__name__).joinpath(code).iterdir()
    for file in sorted(ours, key=lambda one: one.name):
        if file.name.endswith(".po"):
            yield file, ""
    for key, package in game_packages().items():
        own = resources.files(package.module).joinpath("texts", code, f"{key}.po")
        if own.is_file():
            yield own, f"{key}."


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
    code = language(code).code.partition("-")[0]
    for one in (code, _fallback, FALLBACK):
        for folder in _rule_folders(game, one):
            if (file := folder.joinpath(f"{game}.md")).is_file():
                return file.read_text("utf-8")
    raise MissingText(f"{code}: {game}.md")


def _rule_folders(game: str, code: str) -> Iterator[Traversable]:
    """Where the rules of *game* in the language *code* may stand."""
    if code in OUTSIDE:
        yield OUTSIDE[code]
    elif (package := game_packages().get(game)) is not None:
        yield resources.files(package.module).joinpath("texts", code)
    else:
        yield resources.files(__name__).joinpath(code)
