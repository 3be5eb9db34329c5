"""Frames from a page: one JSON object each, small and of a known shape."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bot.chats.web.errors import BadFrame

LARGEST = 16 * 1024
"""The most bytes of a frame; a larger one closes the connection."""

_PAGE = {"hello", "name", "theme", "press", "call", "suggest", "invite", "point", "moves", "back"}
_TABLES = {"look", "say", "mute", "plan", "lobby", "list", "away", "if", "rules"}
_DEVICES = {"devices", "end", "subscribe"}
KINDS = frozenset(_PAGE | _TABLES | _DEVICES)
ACTIONS = frozenset({"press", "call", "point", "plan"})
"""The player's actions, which have the limits of people in all chats and no others."""
READS = frozenset({"moves", "lobby", "look"})
"""What a page reads by itself, to show more than boards."""

THEMES = ("light", "dark")
"""The themes of a page."""

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
class ClientFrame:
    """One request of a page: its *kind*, and an *id* that the page repeats when it asks again.

    - ``hello``: the *table* in view, and the name of the picture that is shown (*at*)
    - ``press``: the *code* of a button, its *message*, and the version of the table (*at*)
    - ``call``, ``suggest``: the typed *line*, and the *table* in view
    - ``point``, ``plan``: the *table*, the chosen *path* (``a,b``), and the point on the picture
      (*at*): two parts of its width and height
    - ``say``: the *table*, and a *line* or the *code* of a prepared sentence
    - ``mute``: the *table*, and the number of a line of the person to mute (*at*)
    - ``if``: the *table*, the entry of its log (*at*), the *moves* tried (``a,b;c,d``), and the
      *path* of the next one
    - ``rules``: the *code* of a game, or its *table*
    - ``end``: the id of a *device*, empty for all others
    - ``subscribe``: the browser's *subscription*, empty for none
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
    """The words of *frame* are no valid text; its sender is told so."""

    def __init__(self, frame: ClientFrame) -> None:
        super().__init__(frame.kind)
        self.frame = frame


def read_frame(text: str) -> ClientFrame:
    """The frame in *text*; raises ``BadFrame``, or ``NotText`` for its words alone."""
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
    frame = ClientFrame(**told)
    if not all(_is_text(value) for value in told.values()):
        raise NotText(frame)
    return frame


def _is_text(value: str) -> bool:
    """Whether *value* can be encoded; JSON can hold a lone surrogate, which cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
