"""The stream of a program: what happens at its tables, a line each, resumed by the last id."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field

from bot.chats.web.programs.writing import Json, Problem
from bot.facade import Program, ProgramTables, TableFacts, wait_until_set

SILENCE = 15.0
"""After how many seconds without news a line says that the stream lives."""

LONGEST_ID = 2048
"""The most characters of an id."""

LIVING = ("open", "playing")
"""The statuses of tables at which something may still happen."""

_SEEN = re.compile(r"([0-9A-Z]{4,8})\.(\d{1,9})\.(\d{1,9})\.(\d{1,18})", re.ASCII)


@dataclass(frozen=True)
class Seen:
    """What a program has seen of a table: its version, so many moves, and the last line said."""

    version: int = -1
    moves: int = 0
    line: int = 0


@dataclass
class Cursor:
    """How far a program has read, by table; its text is the id of a line."""

    tables: dict[str, Seen] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The id by which the stream is resumed after this."""
        parts = (
            f"{code}.{seen.version}.{seen.moves}.{seen.line}"
            for code, seen in sorted(self.tables.items())
        )
        return "_".join(parts) or "-"

    @classmethod
    def read(cls, text: str) -> Cursor:
        """The cursor of an id, of the beginning for ""; raises ``Problem``."""
        if text in ("", "-"):
            return cls()
        found = [_SEEN.fullmatch(one) for one in text.split("_")] if len(text) <= LONGEST_ID else []
        tables = {one[1]: Seen(int(one[2]), int(one[3]), int(one[4])) for one in found if one}
        if not found or len(tables) < len(found):
            raise Problem(400, "last is the id of a line of this stream.")
        return cls(tables)


@dataclass(eq=False)
class Stream:
    """One open stream of *program*."""

    program: Program
    tables: ProgramTables
    cursor: Cursor
    ended: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _talked: set[str] = field(default_factory=set)

    def wake(self, talked: str = "") -> None:
        """Look whether there is news, also of what was said at the table *talked*."""
        if talked:
            self._talked.add(talked)
        self._news.set()

    def end(self) -> None:
        """Say the last line."""
        self.ended = True
        self._news.set()

    async def lines(self) -> AsyncIterator[Json]:
        """What happens, until the stream is ended; each line holds the id that resumes after it."""
        everything = True
        while not self.ended:
            self._news.clear()
            quiet = True
            async for line in self._since(everything=everything):
                quiet = False
                yield line
            if everything and quiet:
                yield self._line("ping")
            everything = not await wait_until_set(self._news, SILENCE)
        yield self._line("end")

    def _line(self, kind: str, **told: object) -> Json:
        return {"id": self.cursor.id, "kind": kind, **told}

    async def _since(self, *, everything: bool) -> AsyncIterator[Json]:
        """The news since the cursor; what was said, of all tables if *everything* is wanted."""
        seen, (talked, self._talked) = self.cursor.tables, (self._talked, set())
        versions = await self.tables.versions(self.program, seen)
        for code in sorted({*versions, *seen}):
            before = seen.get(code, Seen())
            if code not in versions:
                seen.pop(code)
                continue
            if everything or code in talked or before.version < 0:
                async for line in self._follow_talk(code, before):
                    yield line
            if versions[code] != before.version:
                async for line in self._follow_changes(code):
                    yield line

    async def _follow_changes(self, code: str) -> AsyncIterator[Json]:
        before = self.cursor.tables.get(code, Seen())
        table = await self.tables.table(self.program, code, before.moves)
        if table is None:
            self.cursor.tables.pop(code, None)
            return
        if table.version == before.version:
            return  # What has changed is not for this program.
        self.cursor.tables[code] = Seen(table.version, _first_untold(table), before.line)
        if table.status not in LIVING:
            self.cursor.tables.pop(code)
        yield self._line("table", table=asdict(table))

    async def _follow_talk(self, code: str, before: Seen) -> AsyncIterator[Json]:
        for line in await self.tables.read_talk(self.program, code, before.line):
            now = self.cursor.tables.get(code, before)
            self.cursor.tables[code] = Seen(now.version, now.moves, line.number)
            told = {name: value for name, value in asdict(line).items() if name != "muted"}
            yield self._line("said", table=code, line=told)


def _first_untold(table: TableFacts) -> int:
    """The number of the first move that was not told: it may be told later what is secret now."""
    told = {move.number for move in table.moves}
    numbers = range(table.moves_from, table.moves_total)
    return next((number for number in numbers if number not in told), table.moves_total)
