"""What a page may send: one JSON object a frame, small and of a known shape."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bot.chats.web.errors import BadFrame

LARGEST = 16 * 1024
"""The most bytes of a frame; a larger one closes the connection."""

KINDS = frozenset({"hello", "name", "theme", "press", "call", "suggest", "invite"})

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONGEST = {
    "code": 256,
    "message": 64,
    "line": 512,
    "table": 16,
    "name": 256,
    "theme": 8,
    "language": 35,
}


@dataclass(frozen=True)
class Frame:
    """One thing a page asks: its *kind*, and an *id* that the page made up and repeats.

    ``press`` has the *code* of a button and the *message* it stands on, ``call`` and
    ``suggest`` a typed *line* and the *table* in view, ``invite`` the *table*.
    """

    kind: str
    id: str
    code: str = ""
    message: str = ""
    line: str = ""
    table: str = ""
    name: str = ""
    theme: str = ""
    language: str = ""


def read_frame(text: str) -> Frame:
    """The frame that *text* is; raises ``BadFrame``."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFrame from None
    if not isinstance(told, dict) or not told.keys() <= {"kind", "id", *_LONGEST}:
        raise BadFrame
    if not all(isinstance(value, str) for value in told.values()):
        raise BadFrame
    if told.get("kind") not in KINDS or not _UUID.fullmatch(told.get("id", "")):
        raise BadFrame
    if any(len(told.get(name, "")) > most for name, most in _LONGEST.items()):
        raise BadFrame
    return Frame(**told)
