"""Escapes texts for Discord's Markdown: every text passes through here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from bot.texts.inline_markup import Mark, spans
from bot.texts.orthography import unlinked
from games.core import casefolded

_MARKS = re.compile(r"([\\*_~`|<>@\[\]]|:(?=//|\w+:))")
_LINE_MARKS = re.compile(r"^(\s*)([-+#])", re.MULTILINE)
_DIRECTIONS = r"[\u202a-\u202e\u2066-\u2069]"
_NUMBERS = re.compile(r"^(\s*\d+)\.", re.MULTILINE)


def printable(text: str) -> str:
    """*text* without control characters and changes of the writing direction."""
    if text.isprintable():
        return text
    kept = "".join(
        mark for mark in text if mark == "\n" or unicodedata.category(mark) not in ("Cc", "Cs")
    )
    # Embeddings, overrides and isolates that do not end would reach beyond the text.
    whole = kept.count("\u2068") == kept.count("\u2069")
    return re.sub(r"[\u202a-\u202e\u2066\u2067]" if whole else _DIRECTIONS, "", kept)


def escape(text: str) -> str:
    """*text* so that Discord shows it as it is, with no link and no mention."""
    text = unlinked(_MARKS.sub(r"\\\1", printable(text)))
    text = _LINE_MARKS.sub(r"\1\\\2", text)
    return _NUMBERS.sub(r"\1\\.", text)


_COMMAND = re.compile(r"(?<![\w/\\<:`])/((?:[\w-]|\\_)+)|(?<!\\)`/((?:[\w-])+)`")
"""A command in a text, or all of a piece of typed text, in which Discord shows no link."""


def link_commands(text: str, mentions: Mapping[str, str]) -> str:
    """*text*, escaped already, with its commands as links: *mentions* by their names."""

    def mention(found: re.Match[str]) -> str:
        return mentions.get(casefolded((found[1] or found[2]).replace("\\", "")), found[0])

    return _COMMAND.sub(mention, text)


_AROUND = {Mark.NONE: "", Mark.TYPED: "`", Mark.BOLD: "**", Mark.ITALIC: "*"}


def mark_up(text: str) -> str:
    """*text* with its marks (``bot.texts.inline_markup``) as bold, italics, lists; else escaped."""
    lines = []
    for line in text.split("\n"):
        dash = "- " if line.startswith("- ") else ""
        parts = [
            f"{_AROUND[mark]}{part if mark is Mark.TYPED else escape(part)}{_AROUND[mark]}"
            for mark, part in spans(line.removeprefix(dash))
        ]
        lines.append(dash + "".join(parts))
    return "\n".join(lines)


def pieces(text: str, limit: int) -> list[str]:
    """*text*, escaped already, in pieces of at most *limit* characters.

    It is cut between lines, and only within one where that is longer than half a piece.
    """
    found: list[str] = []
    rest = text.strip("\n")
    while len(rest) > limit:
        cut = rest.rfind("\n", limit // 2, limit)
        if cut <= 0:  # one long line
            cut = max(rest.rfind("\n", 1, limit), rest.rfind(" ", limit // 2, limit))
        if cut <= 0:
            cut = limit
            # An escaped character stays with its backslash.
            while cut > 1 and rest[cut - 1] == "\\":
                cut -= 1
        found.append(rest[:cut])
        rest = rest[cut:].strip("\n")
    return [*found, rest]


def ellipsized(text: str, limit: int) -> str:
    """*text* in at most *limit* characters, for labels and alt texts."""
    text = printable(text).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
