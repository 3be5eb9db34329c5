"""Long texts in the room that there is: cut between sentences, never within one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

ALT: Final = 900
"""The most characters of a picture's description, so that every chat shows all of it."""

_BETWEEN = re.compile(r"(?<=[.!?…»”)])\s+")


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
