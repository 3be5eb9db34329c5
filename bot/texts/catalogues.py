"""Catalogues read from files: their templates by key, and what is wrong with those from outside."""

from __future__ import annotations

import gettext
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from logging import ERROR, getLogger
from pathlib import Path
from string import Formatter
from typing import TypeAlias

from babel.core import UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po
from dotenv import dotenv_values

Template: TypeAlias = str | tuple[str, ...]
"""A text with placeholders in braces: one form, or the forms of singular and plurals."""

Templates: TypeAlias = Mapping[str, Template]
"""The texts of a language, by their keys."""

LABEL = 38
"""How many characters an English text has at most that may stand on a button."""

LONGEST_LABEL = 60
"""How many characters its translation may have; more are cut off on phones, or refused."""

LIMITS = {"telegram.profile": 512, "telegram.profile.short": 120}
"""How many characters single texts may have: Telegram's limits for a profile."""

COMMAND, COMMAND_HELP = "command.", 100
"""The keys of commands, and how long Discord lets what a command does be."""

COMMAND_NAME = re.compile(r"[a-z0-9_]{1,32}")
"""The form of a command's name that both platforms take."""

GRAMMAR = "grammar."
"""The keys of a language's own rules, which English hardly needs."""

LONGEST_RATIO = 4
"""How many times as long as the English a text may be."""

MORE = ("also", "explained", "near", "yours", "zero")
"""The last parts of keys that a language may have beside a text of English."""

_END = (".", "?", "!", "…", ":")


@dataclass
class CatalogueSet:
    """The *templates* of one language, how to choose a *plural*, and the *faults* that were found.

    A text with a fault is left out, so that it is said in another language.
    """

    templates: dict[str, Template] = field(default_factory=dict)
    plural: Callable[[int], int] = lambda n: int(n != 1)
    faults: list[str] = field(default_factory=list)


def read_ours(files: Iterator[tuple[Traversable, str]], code: str) -> CatalogueSet:
    """The catalogues in *files*, each with the prefix of the keys that count.

    Raises ``ValueError`` and ``PoFileError``: they belong to the program.
    """
    found = CatalogueSet()
    for file, prefix in files:
        catalogue = _parse(file, code)
        if not prefix:
            found.plural = gettext.c2py(catalogue.plural_expr)
        for key, template in _templates(catalogue):
            if not key.startswith(prefix):
                continue
            if key in found.templates:
                raise ValueError(f"{code}/{file.name}: {key} stands twice")
            found.templates[key] = template
    return found


def read_outside(folder: Traversable, code: str, english: Templates) -> CatalogueSet:
    """The catalogues in *folder*, without what is wrong in them beside the *english* ones."""
    found = CatalogueSet()
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if not file.name.endswith(".po"):
            continue
        try:
            catalogue = _parse(file, code)
            found.plural = gettext.c2py(catalogue.plural_expr)
            messages = list(_templates(catalogue))
        except (PoFileError, UnknownLocaleError, ValueError, OSError) as wrong:
            found.faults.append(f"{file.name}: {' '.join(str(wrong).split())[:200]}")
            continue
        for key, template in messages:
            if why := _fault(key, template, english, found.templates, catalogue.num_plurals):
                found.faults.append(f"{file.name}: {key} {why}")
            else:
                found.templates[key] = template
    return found


def _parse(file: Traversable, code: str) -> Catalog:
    return read_po(io.BytesIO(file.read_bytes()), locale=code.replace("-", "_"), abort_invalid=True)


def _templates(catalogue: Catalog) -> Iterator[tuple[str, Template]]:
    """The templates of *catalogue* by key."""
    for message in catalogue:
        key = message.id if isinstance(message.id, str) else message.id[0]
        if key:
            text = message.string
            yield key, text if isinstance(text, str) else tuple(text or ())


def _fault(
    key: str,
    template: Template,
    english: Templates,
    known: Templates,
    plurals: int,
) -> str:
    """What is wrong with *template*, "" for nothing; an empty text is not translated yet."""
    forms = (template,) if isinstance(template, str) else template
    if key in known:
        return "stands twice"
    if not all(forms):
        return "is empty"
    if key not in english:
        # A language may need more than English does: other names, or words for the number zero.
        base, _, more = key.rpartition(".")
        return "" if base in english and more in MORE else "is no text that we know"
    if isinstance(template, tuple) and len(template) != plurals:
        return f"has {len(template)} plural forms, not {plurals}"
    if why := _strange_placeholder(template, english[key]):
        return why
    if key.startswith(COMMAND) and key.endswith(".name"):
        return _bad_name(key, template, known)
    return _too_long(key, forms, english[key])


def _bad_name(key: str, template: Template, known: Templates) -> str:
    """Why a command or its parameter cannot be called so."""
    if not isinstance(template, str) or not COMMAND_NAME.fullmatch(template):
        return "is no name of a command: a-z, digits and _, at most 32"
    # Of a command: command.play.name; of a parameter: command.play.game.name.
    beside = key.rsplit(".", 2)[0]
    others = (one for one, told in known.items() if told == template and one.endswith(".name"))
    if any(one.rsplit(".", 2)[0] == beside for one in others):
        return f"is the name of another one: {template}"
    return ""


def _too_long(key: str, forms: tuple[str, ...], english: Template) -> str:
    """Why one of *forms* does not fit where the *english* text does."""
    longest = max(forms, key=len)
    other = max((english,) if isinstance(english, str) else english, key=len)
    # Never said: names and sentences that are typed, rules.
    if key.endswith((".also", ".said")) or key.startswith(GRAMMAR):
        return ""
    if key.startswith(COMMAND):
        most = COMMAND_HELP
    elif len(other) <= LABEL and not other.endswith(_END):
        most = LONGEST_LABEL
    else:
        most = LIMITS.get(key, LONGEST_RATIO * max(len(other), LABEL))
    if len(longest) <= most:
        return ""
    return f"is too long: {len(longest)} characters where {most} fit"


def placeholders(template: Template) -> set[str]:
    """The names in braces in all forms of *template*; raises ``ValueError`` for bad braces."""
    forms = (template,) if isinstance(template, str) else template
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None}


def _strange_placeholder(template: Template, english: Template) -> str:
    """What is wrong with the placeholders of *template*, "" for nothing."""
    try:
        strange = placeholders(template) - placeholders(english)
    except ValueError as wrong:
        return f"has braces that are not closed ({wrong})"
    return f"has a placeholder that English has not: {{{min(strange)}}}" if strange else ""


def strange_placeholders(own: Templates, english: Templates) -> list[str]:
    """What is wrong with placeholders in *own*, by key: those that the *english* texts lack."""
    shared = ((key, _strange_placeholder(own[key], english[key])) for key in own if key in english)
    return [f"{key} {why}" for key, why in shared if why]


VARIABLE = "LUDOTECA_TEXTS"
"""The setting that names folders."""

# It warns of lines of .env without naming the file; ``bot.app.start_checks`` names it.
getLogger("dotenv.main").setLevel(ERROR)

GROUP = "ludoteca.texts"
"""The group of entry points under which packages declare languages."""

CODE = re.compile(r"[a-z]{2,3}")
"""The form of a language's code, as in ISO 639."""

NAME = "house.po"
"""The catalogue that a language must have: it holds the language's own name."""


def outside_languages(ours: tuple[str, ...]) -> dict[str, Traversable]:
    """The folders of languages from outside by code; the first of several is taken.

    Folders named by the setting come before packages. What is called like one of *ours*, or has no
    ``house.po``, is no language.
    """
    found: dict[str, Traversable] = {}
    for code, folder in (*_in_folders(), *_in_packages()):
        if CODE.fullmatch(code) and code not in ours and folder.joinpath(NAME).is_file():
            found.setdefault(code, folder)
    return dict(sorted(found.items()))


def _in_folders() -> Iterator[tuple[str, Traversable]]:
    named = os.environ.get(VARIABLE) or dotenv_values(".env").get(VARIABLE) or ""
    for name in filter(None, named.split(os.pathsep)):
        folder = Path(name)
        if folder.is_dir():
            yield from ((one.name, one) for one in sorted(folder.iterdir()) if one.is_dir())


def _in_packages() -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        try:
            folder = resources.files(entry.value)
        except (ImportError, TypeError):
            continue  # an installation that is broken; the doctor tells what is there
        yield entry.name, folder.joinpath(entry.name)
