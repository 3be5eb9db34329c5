"""The markup of rule texts: bold, italics, typed text. Each chat renders it its own way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

_SPAN = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*")


class Mark(Enum):
    """The style of a span."""

    NONE = "none"
    TYPED = "typed"
    BOLD = "bold"
    ITALIC = "italic"


_MARKS = (Mark.TYPED, Mark.BOLD, Mark.ITALIC)


def spans(text: str) -> Iterator[tuple[Mark, str]]:
    """The spans of *text* with their styles, without markup; none is empty."""
    end = 0
    for found in _SPAN.finditer(text):
        if found.start() > end:
            yield Mark.NONE, text[end : found.start()]
        yield _MARKS[(found.lastindex or 1) - 1], found[found.lastindex or 1]
        end = found.end()
    if end < len(text):
        yield Mark.NONE, text[end:]


def unmarked(text: str) -> str:
    """*text* without markup."""
    return "".join(part for _, part in spans(text))
