"""Positions that are set up by hand: how a game lets pieces be put, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from games.core.phrases import Phrase
from games.core.position import AnyPosition


@dataclass(frozen=True)
class EditorPiece:
    """What an editor can put: its *key*, its name, and the *side* it belongs to, "" for none.

    A key has no commas; what follows its last dash is the name of its picture, if it has one.
    """

    key: str
    label: Phrase
    side: str = ""


TAKES = ""
"""The key of no piece: it takes away what lies on a place."""


@dataclass(frozen=True)
class Editor(Generic[AnyPosition]):
    """How a position is set up by hand, for analysis.

    What is being set up is a **draft**, to which no game need lead: the notation's ``text`` writes
    it, and ``read`` may refuse that. All functions raise ``Unreadable`` for what cannot be drawn.

    ``begin(options)`` is the first draft, ``draft(text, options)`` the one that *text* writes.
    ``bare(draft)`` is the same without pieces, ``turned(draft)`` with the next side to move.
    ``pieces(draft)`` are all that can be put. ``put(draft, key, place)`` has that piece on *place*;
    ``TAKES`` takes away what lies on top. Places are cells of the picture, and those of
    ``beside(draft, key)``, with their names. ``mover(draft)`` is the side to move.
    """

    begin: Callable[[Mapping[str, str]], AnyPosition]
    draft: Callable[[str, Mapping[str, str]], AnyPosition]
    bare: Callable[[AnyPosition], AnyPosition]
    turned: Callable[[AnyPosition], AnyPosition]
    pieces: Callable[[AnyPosition], Sequence[EditorPiece]]
    put: Callable[[AnyPosition, str, str], AnyPosition]
    mover: Callable[[AnyPosition], str]
    beside: Callable[[AnyPosition, str], Sequence[tuple[str, Phrase]]] = lambda *_: ()
