"""Sentences as they are written: their first letter, their end, and where a text may be cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

ALT: Final = 900
"""The most characters of a picture's description, so that every chat shows all of it."""

_BETWEEN = re.compile(r"(?<=[.!?…»”)])\s+")

_CONTRACTED = re.compile(r"\b([Aa]|[Dd]e) el (?=[a-záéíóúñ])")

_LIKE_Y = re.compile(r"\W*h?[ií](?![aeoáéó])", re.IGNORECASE)
"""How a word begins before which «y» is «e»: «Lucía e Íñigo», but «agua y hielo»."""


def is_sentence(template: str) -> bool:
    """Whether *template* says a whole sentence, and not a label or a part of one."""
    return template.endswith((".", "?", "!"))


def finished(text: str, *, capital: bool) -> str:
    """*text* as a sentence: one full stop at its end, its first letter a capital if wanted.

    «¡Y termina!.» ends as what it repeats does.
    """
    if text.endswith(("..", "!.", "?.", "….")):
        text = text[:-1]
    return text[:1].upper() + text[1:] if capital else text


def contracted(text: str) -> str:
    """*text* in Spanish, in which «a el» is «al» and «de el» is «del»."""
    return _CONTRACTED.sub(r"\1l ", text)


def enumerated(listed: str, last: str) -> str:
    """What is *listed* in Spanish, in which «y» is «e» before a *last* one that begins alike."""
    before = listed.removesuffix(f" y {last}")
    return f"{before} e {last}" if before != listed and _LIKE_Y.match(last) else listed


def fitted(text: str, most: int, hint: str, length: Callable[[str], int] = len) -> str:
    """*text* in at most *most*, as *length* counts; cut behind a sentence, with *hint* at its end.

    Nothing where not even one sentence and the hint fit.
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
