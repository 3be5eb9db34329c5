"""Typography of sentences: first letter, full stop, and where a text may be cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

ALT: Final = 900
"""The most characters of a picture's description that every chat shows."""

_BETWEEN = re.compile(r"(?<=[.!?…»”)])\s+")

_CONTRACTED = re.compile(r"\b([Aa]|[Dd]e) el (?=[a-záéíóúñ])")

_LIKE_Y = re.compile(r"\W*h?[ií](?![aeoáéó])", re.IGNORECASE)
"""The start of a word before which «y» becomes «e»: «Lucía e Íñigo», but «agua y hielo»."""


def is_sentence(template: str) -> bool:
    """Whether *template* is a whole sentence, not a label or a part."""
    return template.endswith((".", "?", "!"))


def finished(text: str, *, capital: bool) -> str:
    """*text* as a sentence with one end mark, and a *capital* first letter if wanted."""
    if text.endswith(("..", "!.", "?.", "….")):
        text = text[:-1]
    return text[:1].upper() + text[1:] if capital else text


def contracted(text: str) -> str:
    """*text* with the Spanish contractions «al» and «del»."""
    return _CONTRACTED.sub(r"\1l ", text)


def enumerated(listed: str, last: str) -> str:
    """The Spanish list *listed* with «e» for «y» where its *last* item needs it."""
    before = listed.removesuffix(f" y {last}")
    return f"{before} e {last}" if before != listed and _LIKE_Y.match(last) else listed


def fitted(text: str, most: int, hint: str, length: Callable[[str], int] = len) -> str:
    """*text* cut after a sentence to at most *most* as *length* counts, with *hint* at its end.

    Empty where not even one sentence and the hint fit.
    """
    if length(text) <= most:
        return text
    kept = ""
    for sentence in _BETWEEN.split(text.removesuffix(hint).rstrip()):
        longer = f"{kept} {sentence}".lstrip()
        if length(f"{longer} {hint}") > most:
            break
        kept = longer
    return f"{kept} {hint}" if kept else ""
