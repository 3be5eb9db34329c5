"""What a page may send: one JSON object a frame, small and of a known shape."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bot.chats.web.errors import BadFrame

LARGEST = 16 * 1024
"""The most bytes of a frame; a larger one closes the connection."""

_ASKED = {"hello", "name", "theme", "press", "call", "suggest", "invite", "point", "moves", "back"}
_BESIDE = {"look", "say", "mute", "plan", "lobby", "list", "away", "if", "rules"}
_DEVICES = {"devices", "end", "subscribe"}
KINDS = frozenset(_ASKED | _BESIDE | _DEVICES)
ACTIONS = frozenset({"press", "call", "point", "plan"})
"""What a player does, which has the limits of people in all chats and no others."""
READS = frozenset({"moves", "lobby", "look"})
"""What a page asks for by itself, to show more than boards."""

THEMES = ("light", "dark")
"""What a page may be dressed in."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONGEST = {
    "code": 256,
    "message": 64,
    "line": 512,
    "table": 16,
    "name": 256,
    "theme": 8,
    "language": 35,
    "path": 64,
    "at": 32,
    "moves": 2048,
    "device": 16,
    "subscription": 1024,
}


@dataclass(frozen=True)
class Frame:
    """One thing a page asks: its *kind*, and an *id* that the page made up and repeats.

    ``hello`` has the *table* in view, if any, and by its name the picture *at* which one looks,
    ``press`` has the *code* of a button, the *message* it stands on and *at* which version of the
    table it was seen, ``call`` and ``suggest`` a typed *line* and the *table* in view, ``invite``
    and ``moves`` the *table*, ``point`` and ``plan`` the *table*, the *path* chosen there with
    commas between its steps, and where the picture was pointed *at*: two parts of its width and
    height. ``look`` has the *table* in view, ``say`` that and a *line*, or the *code* of a sentence
    of ours, ``mute`` that and *at* which number the line stands of whoever is not to be read,
    ``if`` *at* which entry of the log of the *table* what *moves* are tried, with semicolons
    between them, and the *path* of the next one, ``rules`` the *code* of a game or its *table*.
    ``end`` has the id of a *device*, or none where all others are meant, ``subscribe`` the
    *subscription* of the browser, or none.
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
    path: str = ""
    at: str = ""
    moves: str = ""
    device: str = ""
    subscription: str = ""


class NotText(Exception):
    """The words of *frame* hold what is no text; who sent it is told so."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.kind)
        self.frame = frame


def read_frame(text: str) -> Frame:
    """The frame that *text* is; raises ``BadFrame``, or ``NotText`` for its words alone."""
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
    frame = Frame(**told)
    if not all(_is_text(value) for value in told.values()):
        raise NotText(frame)
    return frame


def _is_text(value: str) -> bool:
    """Whether *value* is Unicode: JSON can spell half a character, which nothing can write."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
