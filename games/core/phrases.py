"""What the house has to say, before any language is chosen.

A ``Phrase`` is a key into the catalogues of ``bot.texts`` and the values that fill
it. Only ``bot.texts`` makes sentences of phrases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

VERBATIM = "="
"""The key of a phrase that is the same in every language, such as a move."""


@dataclass(frozen=True)
class Who:
    """The player in *seat*: rendered as a name where one is known, else as the side."""

    seat: int


@dataclass(frozen=True)
class Phrase:
    """A sentence, a label or a word, still without a language.

    *args* are sorted by name. An ``int`` named ``n`` chooses the plural form; a tuple
    is rendered as a list ("a, b and c").
    """

    key: str
    args: tuple[tuple[str, Arg], ...] = ()


Item: TypeAlias = str | Phrase | Who
Arg: TypeAlias = str | int | Phrase | Who | tuple[Item, ...]


def phrase(key: str, **args: Arg) -> Phrase:
    """The phrase *key*, filled with *args*."""
    return Phrase(key, tuple(sorted(args.items())))


def verbatim(text: str) -> Phrase:
    """A phrase that reads *text* in every language."""
    return Phrase(VERBATIM, (("text", text),))
