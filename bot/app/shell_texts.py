"""What the command line says of itself, in the operator's language.

Its catalogues are read by a pattern: to load all of them would take ten times the start.
"""

from __future__ import annotations

import os
import re
from functools import cache

_LOCALES = ("LUDOTECA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that may name the operator's language; the first that is set counts."""

_ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr "(.*)"$', re.MULTILINE)
"""An entry of these catalogues, which have a text a line, and nothing in it that is escaped."""


def spoken_in_shell() -> str:
    """The code of the operator's language: ``es``, or else ``en``."""
    named = next(filter(None, map(os.environ.get, _LOCALES)), "")
    return "es" if named.startswith("es") else "en"


def shell_texts() -> dict[str, str]:
    """The texts of ``shell.po`` in the operator's language, by their keys."""
    return _texts(spoken_in_shell())


@cache
def _texts(code: str) -> dict[str, str]:
    bot = os.path.dirname(os.path.dirname(__file__))
    file = os.path.join(bot, "texts", code, "shell.po")
    with open(file, encoding="utf-8") as catalogue:
        return dict(_ENTRY.findall(catalogue.read()))


def other_words() -> dict[str, str]:
    """What people may type for a command, in either language, each with the command's name."""
    return {
        word: key.split(".")[1]
        for key, said in (*_texts("en").items(), *_texts("es").items())
        if key.endswith(".also")
        for word in said.split(", ")
    }


def shell_sentence(key: str, **words: object) -> str:
    """The sentence ``shell.say.KEY`` in the operator's language, with *words* in their places."""
    return shell_texts()[f"shell.say.{key}"].format_map(words)


_SUBJECT = re.compile(r"\\\{\d\\\}")
"""A place in the pattern of a sentence."""


def from_below(said: str) -> str:
    """*said*, what storage or a chat tells the operator in English, in the operator's language.

    Its form is one of ``shell.below``, or it stays as it is: a line of a log is English.
    """
    if spoken_in_shell() == "en":
        return said
    for key, form in _texts("en").items():
        if key.startswith("shell.below."):
            found = re.fullmatch(_SUBJECT.sub("(.+)", re.escape(form)), said, re.DOTALL)
            if found is not None:
                return shell_texts()[key].format(*map(from_below, found.groups()))
    return said
