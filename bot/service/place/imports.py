"""Imports from other houses, kept as text; the people in them do not become people here."""

from __future__ import annotations

import asyncio
import io
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.port import Where
from bot.service.clock import Clock
from bot.service.place.archive import (
    MB,
    ArchivedStanding,
    BadArchive,
    PlaceArchive,
    read_archive,
)
from bot.session.names import cleaned
from games.core.record import CHECK, Record
from storage.place import imports
from storage.records import JSON, ImportedGameRow, ImportedPlaceRow
from storage.store import Store

AT_ONCE = 50
"""How many games are stored in one transaction, so that nobody waits long meanwhile."""

REST = 0.02
"""The seconds between two of them, in which others have their turn."""

MOST_PLACES = 8
"""How many other places one takes in of those that are sent to it."""

SENT_UNPACKED = 40 * MB
"""The most bytes, unpacked, of a file that is sent: five times what chats take."""

LADDER = "ladder"
"""The part of what is kept of a place that has names."""


@dataclass(frozen=True)
class Imported:
    """What came of an import: the *new* games, those that were there, and those not read."""

    title: str
    new: int
    known: int
    unread: int


@dataclass(frozen=True, kw_only=True)
class Imports:
    """Stores imported places and erases names in them. Raises ``StorageError``."""

    store: Store
    clock: Clock
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _sent: set[Where] = field(default_factory=set)
    """The places with a file that is read or waits for that."""

    async def read(self, file: Path, where: Where) -> Imported:
        """Import *file* into the place *where*; once more it changes nothing.

        Raises ``BadArchive``, and ``OSError`` where it cannot be read; killed in between, it is
        finished by being done again.
        """
        return await self._put(await asyncio.to_thread(_read_file, file), where)

    async def take_in(self, fetch: Callable[[], Awaitable[bytes]], where: Where) -> Imported:
        """Import what *fetch* gets, a file that was sent, within narrower limits, in the same way.

        One is fetched and read at a time, and one of a place may wait; a place takes in
        ``MOST_PLACES`` others. Raises ``BadArchive``, and whatever *fetch* raises.
        """
        if where in self._sent:
            raise BadArchive("Another file of the place is being read.", "busy")
        self._sent.add(where)
        try:
            async with self._reading:
                data = io.BytesIO(await fetch())
                archive = await asyncio.to_thread(read_archive, data, SENT_UNPACKED)
                kept = await self.store.read(imports.imported_places, where.platform, where.place)
                known = {row.source for row, _ in kept}
                if archive.head.source not in known and len(known) >= MOST_PLACES:
                    raise BadArchive(f"The place has {MOST_PLACES} imports already.", "enough")
                return await self._put(archive, where)
        finally:
            self._sent.discard(where)

    async def _put(self, archive: PlaceArchive, where: Where) -> Imported:
        key = (*where.key, archive.head.source)
        head = archive.head.model_dump(mode="json", include={"made", "language", "settings"})
        ladder = {game: [_plain(one) for one in each] for game, each in archive.head.ladder.items()}
        title = cleaned(archive.head.title)
        row = ImportedPlaceRow(*key, title, self.clock.now(), {**head, LADDER: ladder})
        await self.store.write(imports.put_imported_place, row)
        rows, new = iter(await asyncio.to_thread(_rows, key, archive)), 0
        while some := tuple(itertools.islice(rows, AT_ONCE)):
            new += await self.store.write(imports.add_imported_games, some)
            await asyncio.sleep(REST)
        return Imported(title, new, len(archive.records) - new, len(archive.unread))

    async def forget(self, name: str, at: Where | None = None) -> int:
        """Erase *name* wherever it was imported, or in the place *at*; in how many games it was."""
        place, count = None if at is None else (at.platform, at.place), 0
        wanted = cleaned(name)
        if not wanted:
            return 0
        while rows := await self.store.read(imports.games_with_name, wanted, place, AT_ONCE):
            async with self.store.transaction() as tx:
                for row in rows:
                    await imports.replace_imported_game(tx, _without(row, wanted))
            count += len(rows)
        for known in await self.store.read(imports.all_imported_places, place):
            kept = _ladder_without(known.data, wanted)
            if kept != known.data:
                await self.store.write(imports.put_imported_place, replace(known, data=kept))
        return count


def _read_file(file: Path) -> PlaceArchive:
    with file.open("rb") as opened:
        return read_archive(opened)


def _plain(entry: ArchivedStanding) -> dict[str, str | int]:
    told: dict[str, str | int] = entry.model_dump(mode="json")
    return {**told, "name": cleaned(entry.name)}


def _rows(key: tuple[str, str, str], archive: PlaceArchive) -> list[ImportedGameRow]:
    rows = []
    for code, record in sorted(archive.records.items()):
        day, names = cleaned(record.tags.get("Date", "")), _lines(recorded_names(record))
        rows.append(ImportedGameRow(*key, code, record.game, day, names, archive.texts[code]))
    return rows


def recorded_names(record: Record) -> tuple[str, ...]:
    """The names of the players of *record* as they may be shown, by seats."""
    return tuple(cleaned(record.tags.get(f"Player{seat}", "")) for seat in range(len(record.sides)))


def _lines(names: Sequence[str]) -> str:
    return "".join(f"\n{name}" for name in names) + "\n"


def _without(row: ImportedGameRow, name: str) -> ImportedGameRow:
    """*row* without the *name*; its sum, which would no longer be right, goes as well."""
    record = Record.read(row.record)
    tags = {key: value for key, value in record.tags.items() if key != CHECK}
    named = {key for key, value in tags.items() if key.startswith("Player")}
    tags = {
        key: "" if key in named and cleaned(value) == name else value for key, value in tags.items()
    }
    bare = replace(record, tags=tags)
    return replace(row, names=_lines(recorded_names(bare)), record=bare.text())


def _ladder_without(data: Mapping[str, JSON], name: str) -> dict[str, JSON]:
    ladder = data.get(LADDER)
    if not isinstance(ladder, dict):
        return dict(data)
    kept: dict[str, JSON] = {
        game: [one for one in lines if isinstance(one, dict) and one.get("name") != name]
        for game, lines in ladder.items()
        if isinstance(lines, list)
    }
    return {**data, LADDER: kept}


__all__ = ["BadArchive", "Imported", "Imports", "recorded_names"]
