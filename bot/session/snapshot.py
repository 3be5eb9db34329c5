"""Snapshots: a folded table as bytes, so that a long game need not be played again to be read.

What is kept names its types. Only frozen dataclasses, enumerations and classes with parts of their
own (``parts``) that live in ``games``, and the few of ``OURS``, are ever made of it.
A snapshot belongs to the very sources that wrote it: any other is worthless, and ignored.
"""

from __future__ import annotations

import enum
import hashlib
import json
import sys
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from bot.session.events import OfferKind
from bot.session.game_clock import GameClock, Turn
from bot.session.history import HistoryEntry
from bot.session.match import Match
from bot.session.table import Offer, Player, Table
from bot.session.time_controls import Control
from games.core import Game
from games.core.shelf import find_game
from storage.records import SnapshotRow
from storage.schema import EPOCH, MILLISECOND

EVERY = 64
"""After how many events a snapshot is worth its place."""

OURS = {
    kind.__name__: kind
    for kind in (Control, GameClock, Match, Offer, OfferKind, Player, Table, HistoryEntry, Turn)
}


class BadSnapshot(Exception):
    """What is kept cannot be read, or holds what must not be made."""


@cache
def format_of(game: str) -> str:
    """The fingerprint of everything that shapes a table of *game*: all sources it is made by.

    Raises ``BadSnapshot`` for a game that is not one of ours.
    """
    try:
        modules = [import_module(f"games.{name}") for name in ("core", game)]
    except ModuleNotFoundError as unknown:
        raise BadSnapshot(f"{game} is not among the games") from unknown
    folders = [Path(str(module.__file__)).parent for module in modules]
    sources = [
        Path(__file__).with_name(name)
        for name in (
            *("time_controls.py", "events.py", "fold.py", "game_clock.py", "match.py"),
            *("snapshot.py", "table.py", "history.py"),
        )
    ]
    sources += sorted(path for folder in folders for path in folder.rglob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


def frozen(table: Table) -> SnapshotRow:
    """The snapshot of *table*, nobody named; raises ``BadSnapshot`` for what cannot be kept."""
    writer = _Writer()
    root = writer.put(table.called({}))
    text = json.dumps([writer.types, writer.nodes, root], ensure_ascii=False)
    kept = zlib.compress(text.encode(), 1)
    return SnapshotRow(table.version, format_of(table.game.key), kept)


def thawed(row: SnapshotRow) -> Table:
    """The table that *row* keeps; raises ``BadSnapshot``."""
    try:
        types, nodes, root = json.loads(zlib.decompress(row.data))
        table = _Reader([_type(name) for name in types]).read(nodes, root)
    except BadSnapshot:
        raise
    except Exception as wrong:  # damaged bytes may fail in any way
        raise BadSnapshot(f"{type(wrong).__name__}: {wrong}") from wrong
    if not isinstance(table, Table) or table.version != row.version:
        raise BadSnapshot("it holds no table of its version")
    return table


@dataclass
class _Writer:
    """Flattens values into *nodes*, each once however often it is referred to."""

    types: list[str] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    _known: dict[int, tuple[int, object]] = field(default_factory=dict)

    def put(self, value: object) -> Any:
        """*value* as JSON: itself where it is simple, else ``[number of its node]``."""
        if value is None or type(value) in (bool, int, str):
            return value
        known = self._known.get(id(value))
        if known is None:
            node = self._node(value)
            self.nodes.append(node)
            # The value is kept too, so that nothing else takes its id.
            known = self._known[id(value)] = (len(self.nodes) - 1, value)
        return [known[0]]

    def _node(self, value: object) -> list[Any]:
        match value:
            case enum.Enum():
                return ["enum", self._type(type(value)), value.name]
            case bytes():
                return ["bytes", b64encode(value).decode()]
            case datetime():
                return ["at", (value - EPOCH) // MILLISECOND]
            case Game():
                return ["game", value.key]
            case Mapping():
                return ["map", *(self.put(one) for pair in value.items() for one in pair)]
            case frozenset():
                return ["set", *sorted(map(self.put, value), key=repr)]
            case tuple() if type(value) is tuple:
                return ["tuple", *map(self.put, value)]
        kind = type(value)
        parts = value.parts() if hasattr(value, "parts") else _fields(value)
        return ["made", self._type(kind), *map(self.put, parts)]

    def _type(self, kind: type) -> int:
        name = kind.__name__ if kind in OURS.values() else f"{kind.__module__}:{kind.__qualname__}"
        if name not in self.types:
            _type(name)
            self.types.append(name)
        return self.types.index(name)


def _fields(value: object) -> tuple[object, ...]:
    if isinstance(value, tuple):
        return tuple(value)
    if not is_dataclass(value):
        raise BadSnapshot(f"{type(value)} cannot be kept")
    return tuple(getattr(value, one.name) for one in fields(value))


def _type(name: str) -> type:
    """The type called *name*, if it is one of a table's; nothing is imported for its sake."""
    if name in OURS:
        return OURS[name]
    module, _, kind = name.partition(":")
    found = getattr(sys.modules.get(module), kind, None)
    if not (module.startswith("games.") and isinstance(found, type) and found.__module__ == module):
        raise BadSnapshot(f"{name} is no type of a game")
    plain = is_dataclass(found) or issubclass(found, enum.Enum | tuple) or hasattr(found, "parts")
    if not plain:
        raise BadSnapshot(f"{name} is no plain value")
    return found


@dataclass
class _Reader:
    types: list[Any]
    made: list[Any] = field(default_factory=list)

    def read(self, nodes: list[Any], root: Any) -> object:
        for node in nodes:
            self.made.append(self._node(*node))
        return self._value(root)

    def _value(self, kept: Any) -> Any:
        return self.made[kept[0]] if isinstance(kept, list) else kept

    def _node(self, kind: str, *rest: Any) -> object:
        match kind:
            case "tuple":
                return tuple(map(self._value, rest))
            case "made":
                return self._made(self.types[rest[0]], tuple(map(self._value, rest[1:])))
            case "bytes":
                return b64decode(rest[0])
            case "set":
                return frozenset(map(self._value, rest))
            case "map":
                values = list(map(self._value, rest))
                return dict(zip(values[::2], values[1::2], strict=True))
            case "enum":
                return self.types[rest[0]][rest[1]]
            case "at":
                return EPOCH + rest[0] * MILLISECOND
            case "game":
                return find_game(rest[0])
        raise BadSnapshot(f"nothing is called {kind}")

    def _made(self, kind: Any, parts: tuple[Any, ...]) -> object:
        if hasattr(kind, "of_parts"):
            return kind.of_parts(*parts)
        if not is_dataclass(kind):
            return kind(*parts)
        names = (one.name for one in fields(kind))
        made: Any = kind
        return made(**dict(zip(names, parts, strict=True)))
