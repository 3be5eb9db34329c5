"""Frames from a page: one JSON object each, small and of a known shape."""

from __future__ import annotations

import json

from pydantic import BaseModel, ConfigDict, Field

LARGEST = 16 * 1024
"""The most bytes of a frame; a larger one closes the connection."""

PART = 12_000
"""The most letters of a part of a file."""

_PAGE = "hello name theme press call suggest invite point moves back devices end subscribe ping"
_TABLES = "now look say mute plan lobby list away if rules position setup comment wrong file"
_OWN = frozenset({"finished", "comments", "coach"})
KINDS = frozenset(f"{_PAGE} {_TABLES}".split()) | _OWN
ACTIONS = frozenset({"press", "call", "point", "plan"})
"""The player's actions, which have the limits of people in all chats and no others."""
READS = frozenset({"moves", "lobby", "look"}) | _OWN
"""What a page reads by itself, to show more than boards."""

THEMES = ("light", "dark")
"""The themes of a page."""


class ClientFrame(BaseModel):
    """One request of a page: its *kind*, and an *id* that the page repeats when it asks again.

    - ``hello``: the *table* in view, the *code* ``primed`` of a page that takes differences, and
      the name of the texts that it has (*at*)
    - ``press``: the *code* of a button, its *message*, and the version of the table (*at*)
    - ``now``: a tempo to play at once, perhaps with ``/rated`` behind it (*code*)
    - ``call``, ``suggest``: the typed *line*, and the *table* in view
    - ``point``, ``plan``: the *table*, the chosen *path* (``a,b``), and the point on the picture
      (*at*): two parts of its width and height
    - ``say``: the *table*, and a *line* or the *code* of a prepared sentence
    - ``mute``: the *table*, and the number of a line of the person to mute (*at*)
    - ``if``: the *table*, the entry of its log (*at*), the *moves* tried (``a,b;c,d``), and the
      *path* of the next one
    - ``finished``: the words (*line*) of the finished games that are looked for
    - ``position``: the *code* of a game, the text that writes a position of it (*line*), and
      *moves* and *path* as for ``if``
    - ``setup``: the *code* of a game, the text of what is being set up (*line*), what is done to
      it (*path*: ``clear``, ``turn``, or ``put`` and a place), and the piece that is put (*at*)
    - ``comments``, ``coach``: the *table*
    - ``comment``: the *table*, the entry of its log (*at*), the text (*line*), and the *moves* of a
      branch from there (``a,b;c,d``); nothing of both erases it
    - ``ping``: nothing; any answer tells that the line lives
    - ``file``: a part of a file in base64 (*data*), and how many parts follow (*at*)
    - ``wrong``: a fault of the page's scripts (*line*)
    - ``rules``: the *code* of a game, or its *table*
    - ``end``: the id of a *device*, empty for all others
    - ``subscribe``: the browser's *subscription*, empty for none
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    id: str = Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
    code: str = Field("", max_length=256)
    message: str = Field("", max_length=64)
    line: str = Field("", max_length=512)
    table: str = Field("", max_length=16)
    name: str = Field("", max_length=256)
    theme: str = Field("", max_length=8)
    language: str = Field("", max_length=35)
    path: str = Field("", max_length=64)
    at: str = Field("", max_length=32)
    moves: str = Field("", max_length=2048)
    device: str = Field("", max_length=16)
    data: str = Field("", max_length=PART)
    subscription: str = Field("", max_length=1024)


class BadFrame(Exception):
    """A frame that no page of ours sends; its connection is closed."""


class NotText(Exception):
    """The words of *frame* are no valid text; its sender is told so."""

    def __init__(self, frame: ClientFrame) -> None:
        super().__init__(frame.kind)
        self.frame = frame


def read_frame(text: str) -> ClientFrame:
    """The frame in *text*; raises ``BadFrame``, or ``NotText`` for its words alone."""
    try:
        told = json.dumps(json.loads(text), ensure_ascii=False)
        # JSON can hold a lone surrogate, which cannot be encoded.
        encoded = told.encode(errors="replace")
        frame = ClientFrame.model_validate_json(encoded)
    except (ValueError, RecursionError):
        raise BadFrame from None
    if frame.kind not in KINDS:
        raise BadFrame
    if encoded.decode() != told:
        raise NotText(frame)
    return frame


def steps_in(path: str) -> tuple[str, ...]:
    """The steps of a *path* (``a,b``)."""
    return tuple(filter(None, path.split(",")))


def tried_in(frame: ClientFrame) -> list[tuple[str, ...]]:
    """The moves that *frame* tries, each by its steps."""
    return [steps_in(move) for move in filter(None, frame.moves.split(";"))]


def number_in(at: str) -> int:
    """The number in *at*, -1 for none."""
    return int(at) if at.isdecimal() and len(at) < 6 else -1
