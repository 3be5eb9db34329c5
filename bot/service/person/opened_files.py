"""Games that people open from files: read off the loop, kept for a while for who opened them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from cachetools import LRUCache

from bot.runtime.caches import remembering
from bot.service.clock import Clock
from bot.service.computers.pool import Question, Thinkers
from bot.service.computers.worker import Task
from bot.session.opened_file import FROM_FILE, table_of_file
from bot.session.table import CODE_LENGTH, CODE_LETTERS, Table
from bot.session.unit_of_work import Refused, refuse_if
from games.core import Setting, Unreadable, phrase
from games.core.recognition import GameFile, decode_file, read_file
from games.core.shelf import shelf
from storage.person import opened_files
from storage.records import OpenedFileRow
from storage.store import Store

KEPT: Final = timedelta(days=30)
"""For how long an opened file is kept."""

CACHED: Final = 32
"""How many games from files are remembered once they were read."""

READING: Final = 2.0
"""CPU seconds in which a worker reads a file once, before that is done here."""

Opened = tuple[Table, GameFile]


@dataclass(frozen=True, kw_only=True)
class OpenedFiles:
    """Reads one file after the other and keeps its text. Raises ``StorageError``."""

    store: Store
    clock: Clock
    thinkers: Thinkers
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _sent: set[int] = field(default_factory=set)
    """The people with a file that is read or waits for that."""
    _read: LRUCache[tuple[int, str, int], Opened] = remembering(CACHED)

    async def open(self, person: int, fetch: Callable[[], Awaitable[bytes]]) -> Opened:
        """The first game of the file that *fetch* gets, which is kept for *person*.

        One of a person is read at a time. Raises a ``RuleError`` with why it cannot be read, and
        whatever *fetch* raises.
        """
        refuse_if(person in self._sent, "opened.busy")
        self._sent.add(person)
        try:
            async with self._reading:
                data = await fetch()
                codes = {code for game in shelf().values() for code in game.records.encodings}
                text = await asyncio.to_thread(decode_file, data, sorted(codes))
                if text is None or "\0" in text:
                    raise Unreadable(phrase("opened.no-text"))
                letters = (secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH - 1))
                code = FROM_FILE + "".join(letters)
                row = OpenedFileRow(person, code, text, self.clock.now())
                found = await self._game(row, 0)
                await self.store.write(opened_files.add_opened_file, row)
                return found
        finally:
            self._sent.discard(person)

    async def find(self, person: int, code: str, number: int = 0) -> Opened:
        """The game *number*, from 0, of what *person* has opened by *code*.

        Raises ``Refused`` where it is not kept any more, or was never theirs.
        """
        row = await self.store.read(opened_files.load_opened_file, person, code)
        if row is None or row.at < self.clock.now() - KEPT:
            raise Refused(phrase("opened.gone"))
        return await self._game(row, number)

    async def _game(self, row: OpenedFileRow, number: int) -> Opened:
        key = row.person, row.code, number
        if key not in self._read:
            about = {"text": row.text, "number": str(number)}
            asked = Question(row.code, "", Setting((), {}), (), 0, about=about)
            refuse_if(await self.thinkers.answer(asked, Task.READ, READING) is None, "opened.slow")
            file = await asyncio.to_thread(read_file, row.text, shelf(), number)
            self._read[key] = table_of_file(row.code, file, row.at), file
        return self._read[key]
