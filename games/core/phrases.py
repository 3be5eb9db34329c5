"""Messages before a language is chosen; only ``bot.texts`` makes sentences of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

VERBATIM = "="
"""The key of a phrase that is the same in every language, such as a move."""


@dataclass(frozen=True)
class Who:
    """The player in *seat*, by name where it is known, else by side."""

    seat: int


@dataclass(frozen=True)
class Phrase:
    """A sentence, a label or a word: a key of the catalogues and its arguments, sorted by name.

    An ``int`` named ``n`` chooses the plural form; a tuple is a list ("a, b and c").
    """

    key: str
    args: tuple[tuple[str, Arg], ...] = ()


Item: TypeAlias = str | Phrase | Who
Arg: TypeAlias = str | int | Phrase | Who | tuple[Item, ...]


def phrase(key: str, **args: Arg) -> Phrase:
    """The phrase *key*, filled with *args*.

    >>> phrase("core.choose").key
    'core.choose'
    """
    return Phrase(key, tuple(sorted(args.items())))


def verbatim(text: str) -> Phrase:
    """The phrase that is *text* in every language."""
    return Phrase(VERBATIM, (("text", text),))
