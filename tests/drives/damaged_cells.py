"""Cells of a database that are damaged by lot: with one bit flipped, or with what nobody writes."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from storage.column_types import SOMEDAY
from storage.schema import metadata

Row: TypeAlias = tuple[str, tuple[object, ...]]
"""A row by its table and key."""

JUNK: Sequence[object] = (
    *("", "~", "{", "[1]", '{"a": 1}', "null", "ñ" * 50, "0", "nonsense"),
    *(-1, 0, 7, 2**31, 2**40, 2**62, -(2**63), 1.5, 1e300),
    *(b"", b"\x00", b"\xff\xfe", b"x" * 31),
)
"""What is put into cells: SQLite takes anything anywhere."""


@dataclass(frozen=True)
class Damage:
    """What was done to a cell; *impossible* where no release can have written that."""

    table: str
    column: str
    key: tuple[object, ...]
    before: object
    after: object
    impossible: bool
    game: str | None = None
    """The table of the row, if it is one's."""

    @property
    def rows(self) -> frozenset[Row]:
        """Its row, by the key that it had and by the one that it has, if that was damaged."""
        keys = [one.name for one in metadata.tables[self.table].primary_key]
        new = (
            self.after if name == self.column else kept
            for name, kept in zip(keys, self.key, strict=True)
        )
        return frozenset({(self.table, self.key), (self.table, tuple(new))})

    def __str__(self) -> str:
        return f"{self.table}.{self.column} {self.key}: {self.before!r} -> {self.after!r}"[:200]


def damaged(
    file: Path, rows: Mapping[str, int], rng: random.Random, but: Collection[Row], *, bit: bool
) -> Damage:
    """Damage one cell of *file*, chosen by lot: a table, a column, a row, *but* not of these.

    *rows* is how many each table has.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.text_factory = _readable
        while True:
            table = rng.choice([one for one in metadata.sorted_tables if rows[one.name]])
            column = rng.choice([*table.columns])
            keys = [one.name for one in table.primary_key]
            row = rng.randrange(rows[table.name])
            names = ", ".join(f'"{name}"' for name in (*keys, column.name))
            order = ", ".join(f'"{name}"' for name in keys)
            asked = f'SELECT {names} FROM "{table.name}" ORDER BY {order} LIMIT 1 OFFSET ?'
            *key, before = connection.execute(asked, (row,)).fetchone()
            if (table.name, tuple(key)) in but:
                continue
            after = flipped(before, rng) if bit else rng.choice(JUNK)
            if after is None or after == before or (table.name, column.name) == ("setting", "key"):
                continue
            done = put(
                connection, table.name, column.name, dict(zip(keys, key, strict=True)), after
            )
            if done is None or done[0] == before:
                continue
            game = _game_of(table.name, keys, key)
            kind = metadata.tables[table.name].c[column.name].type
            wrong = _is_impossible(kind, done[0], done[1])
            return Damage(table.name, column.name, tuple(key), before, done[0], wrong, game)


def put(
    connection: sqlite3.Connection,
    table: str,
    column: str,
    key: Mapping[str, object],
    value: object,
) -> tuple[object, bool] | None:
    """Set a cell; what it holds then and whether that is UTF-8; None where SQLite refuses."""
    where = " AND ".join(f'"{name}" = ?' for name in key)
    text = isinstance(value, tuple)
    new = "CAST(? AS TEXT)" if text else "?"
    given = value[0] if isinstance(value, tuple) else value
    try:
        changed = f'UPDATE "{table}" SET "{column}" = {new} WHERE {where} RETURNING "{column}"'
        connection.text_factory = bytes
        changed += f', typeof("{column}")'
        row = connection.execute(changed, (given, *key.values())).fetchone()
        if row is None:  # its key is damaged already
            return None
        found, kind = row
    except sqlite3.Error:
        return None
    finally:
        connection.text_factory = _readable
    if kind == b"text":
        try:
            return found.decode(), True
        except UnicodeDecodeError:
            return found, False
    return found, True


def _readable(raw: bytes) -> str:
    return raw.decode(errors="replace")


def flipped(value: object, rng: random.Random) -> object:
    """*value* with one bit flipped as SQLite keeps it; text comes as bytes in a tuple."""
    match value:
        case str():
            raw = bytearray(value.encode())
            if not raw:
                return None
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            return (bytes(raw),)
        case bytes():
            if not value:
                return None
            raw = bytearray(value)
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            return bytes(raw)
        case int():
            new = value ^ (1 << rng.randrange(64))
            return new - 2**64 if new >= 2**63 else new
    return None


def _is_impossible(kind: Any, value: object, utf8: bool) -> bool:
    """Whether a column of *kind* can hold *value* in no database of ours."""
    if not utf8:
        return True
    match type(kind).__name__:
        case "TextType":
            return not isinstance(value, str) or bool(kind.words and value not in kind.words)
        case "Instant":
            return type(value) is not int or not 0 <= value < SOMEDAY
        case "NumberType" | "SeatBits":
            return type(value) is not int or not 0 <= value < 2**31
        case "RealType":
            return type(value) not in (int, float) or not kind.lowest <= value <= kind.highest
        case "NumbersType":
            parts = value.split(",") if isinstance(value, str) and value else []
            digits = all(part.isascii() and part.isdigit() for part in parts)
            return not (isinstance(value, str) and digits and all(int(p) < 2**31 for p in parts))
        case "FlagType":
            return value not in (0, 1)
        case "BlobType":
            return not isinstance(value, bytes)
        case "ObjectType":
            try:
                return not isinstance(json.loads(str(value)), dict)
            except ValueError:
                return True
    return type(value) is not int


def _game_of(table: str, keys: Sequence[str], key: Sequence[object]) -> str | None:
    """The table that may be set aside for a row: that of a game or an event."""
    name = {"game": "code", "event": "game"}.get(table)
    return None if name is None else str(key[keys.index(name)])
