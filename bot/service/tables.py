"""The tables: read once, kept for a while, listed by their columns, fenced where broken."""

from __future__ import annotations

import hmac
import itertools
import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cachetools import LRUCache

from bot.port import Where
from bot.runtime.tasks import Tasks
from bot.service.clock import Clock
from bot.service.medal_rows import load_medals
from bot.service.people import People
from bot.service.rating_rows import load_shifts
from bot.session.fold import table_of
from bot.session.match import read_match
from bot.session.table import (
    CODE_LENGTH,
    CODE_LETTERS,
    ENDED,
    PLAYING,
    BrokenTable,
    Table,
)
from games.core import RuleError, phrase
from games.core.chance import commitment
from games.core.shelf import shelf
from storage import games
from storage.errors import UnreadableRow
from storage.games import LIVING
from storage.records import EPOCH, FaultRow, GameLine, GameRow, Standing, Status
from storage.store import Store, Transaction

log = logging.getLogger(__name__)

KEPT = 256
"""How many tables stay in memory; the others are folded from their events again."""

LISTED = 25
"""The most tables in a list, as Discord takes suggestions."""

UNKNOWN = 100
"""How many tables of an earlier release are read between two looks at the index."""


class UnknownTable(RuleError):
    """No table has this code."""


@dataclass(kw_only=True)
class Tables:
    """Reads tables. One that cannot be read is set aside; everything else goes on."""

    store: Store
    tasks: Tasks
    clock: Clock
    people: People
    _kept: LRUCache[str, tuple[Table, bytes]] = field(default_factory=lambda: LRUCache(KEPT))
    _broken: LRUCache[str, BrokenTable] = field(default_factory=lambda: LRUCache(KEPT))
    _told: LRUCache[str, int] = field(default_factory=lambda: LRUCache(KEPT))
    """The versions to which other processes have lately brought tables."""
    _older: LRUCache[str, Table] = field(default_factory=lambda: LRUCache(KEPT))
    """The tables as cached before that: only newer events must be read."""

    async def get(self, code: str) -> Table:
        """The table *code* as it is; raises ``UnknownTable`` or ``BrokenTable``."""
        return (await self.load(code))[0]

    async def find(self, code: str) -> Table | None:
        """The table *code*; ``None`` where there is none, or it cannot be read."""
        try:
            return await self.get(code)
        except (UnknownTable, BrokenTable):
            return None

    async def free_code(self, codes: Iterator[str] | None = None) -> str:
        """A code that no table has, the first of *codes* where they are given."""
        drawn = codes or iter(_drawn_code, "")
        while await self.taken(code := next(drawn)):
            pass
        return code

    async def taken(self, code: str) -> bool:
        """Whether a table has the code *code*."""
        return await self.store.read(games.load_game, code) is not None

    async def load(self, code: str) -> tuple[Table, bytes]:
        """The table *code* and its secret; raises ``UnknownTable`` or ``BrokenTable``."""
        kept = self._kept.get(code) or await self._fenced(code)
        table, secret = kept
        introduced = await self.people.introduced(table)
        if introduced is not table and self._kept.get(code) is kept:
            self._kept[code] = (introduced, secret)
        return introduced, secret

    async def _fenced(self, code: str) -> tuple[Table, bytes]:
        broken = self._broken.get(code)
        if broken is not None:
            raise BrokenTable(code, broken.event, broken.why)
        try:
            async with self.store.reading() as tx:
                # Cached within the transaction, so that no change comes in between.
                loaded = await self._read(tx, code)
                self.keep(*loaded)
        except BrokenTable as wrong:
            log.error("%s; it is set aside", wrong)
            self._broken[code] = wrong
            self.tasks.start(self._set_aside(wrong))
            raise
        return loaded

    async def _read(self, tx: Transaction, code: str) -> tuple[Table, bytes]:
        row = await games.load_game(tx, code)
        if row is None:
            raise UnknownTable(phrase("house.no-table", code=code[:8]))
        base = self._older.pop(row.code, None)
        if base is not None and base.version > row.version:
            base = None
        try:
            table = await read_table(tx, row, base)
        except BrokenTable:
            if base is None:
                raise
            table = await read_table(tx, row)
        shifts, medals = await load_shifts(tx, table), await load_medals(tx, table)
        if shifts or medals:
            table = replace(table, shifts=shifts, medals=medals)
        return table, row.secret or b""

    def keep(self, table: Table, secret: bytes) -> None:
        """Remember *table*, which is on disk."""
        if self._told.get(table.code, 0) <= table.version:
            self._kept[table.code] = (table, secret)

    def told(self, code: str, version: int) -> None:
        """Another process has brought the table *code* to *version*."""
        self._told[code] = max(version, self._told.get(code, 0))
        kept = self._kept.get(code)
        if kept is not None and kept[0].version < version:
            self._older[code] = kept[0]
            self.forget(code)

    def stands(self, code: str, version: int) -> bool:
        """Whether the table *code* is at hand, and at this *version*."""
        kept = self._kept.get(code)
        return kept is not None and kept[0].version == version

    async def is_outdated(self, code: str) -> bool:
        """Whether the table *code* was kept, and is forgotten now: another process changed it."""
        kept = self._kept.get(code)
        version = None if kept is None else await self.store.read(games.load_version, code)
        if kept is None or version is None or kept[0].version >= version:
            return False
        self.told(code, version)
        return True

    def forget_all(self) -> None:
        """Every table is read again."""
        self._kept.clear()
        self._older.clear()
        self._broken.clear()

    def forget(self, code: str) -> None:
        """Evict the table *code*: the one on disk may be another."""
        self._kept.pop(code, None)

    # ---------------------------------------------------------------- lists

    async def contests(self, person: int, game: str) -> list[Table]:
        """The running games of *person* that count for the ratings of *game*."""
        found = []
        for line in await self.listed((PLAYING,), person=person):
            table = await self.find(line.code) if line.game == game else None
            if table is not None and table.competes:
                found.append(table)
        return found

    async def listed(
        self,
        statuses: Sequence[Status],
        limit: int = LISTED,
        *,
        person: int | None = None,
        where: Where | None = None,
    ) -> tuple[GameLine, ...]:
        """At most *limit* tables of a person or a place, or both, the living first."""
        place = None if where is None else (where.platform, where.place)
        lines = await self.store.read(games.list_games, statuses, limit, person=person, place=place)
        readable = [line for line in lines if line.fault is None]
        unknown = [one.code for one in readable if not _is_known(one)]
        if not unknown:
            return lines
        for code in unknown:
            await self.learn(code)
        return await self.store.read(games.load_game_lines, [line.code for line in lines])

    async def learn(self, code: str) -> Table | None:
        """Backfill the list columns of *code* from its events; None where they cannot be read."""
        try:
            table, _ = await self.load(code)
        except UnknownTable:  # a row whose key is damaged
            return None
        except BrokenTable as broken:
            await self._set_aside(broken)
            return None
        key, at, standing = table.game.key, table.touched, standing_for_lists(table)
        await self.store.write(games.set_standing, code, table.version, key, at, standing)
        return table

    async def learned(self, found: Callable[[Table], None]) -> None:
        """Read again what was set aside or is of an earlier release; *found* is told of each."""
        codes = tuple(row.game for row in await self.store.read(games.games_set_aside))
        learned: set[str] = set()
        while codes:
            learned.update(codes)
            for code in codes:
                table = await self.learn(code)
                if table is not None:
                    found(table)
            unknown = await self.store.read(games.games_without_standing, UNKNOWN)
            codes = tuple(code for code in unknown if code not in learned)

    async def _set_aside(self, broken: BrokenTable) -> None:
        row = FaultRow(broken.code, broken.event, broken.why, self.clock.now())
        await self.store.write(games.set_game_aside, row)


def _drawn_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def codes_of(key: bytes, platform: str, update: str) -> Iterator[str]:
    """The codes that a table opened by *update* may have, in the order in which they are tried.

    Only who has *key* can foresee them.
    """
    for number in itertools.count():
        digest = hmac.digest(key, f"{platform} {number} {update}".encode(), "sha256")
        yield "".join(CODE_LETTERS[one % len(CODE_LETTERS)] for one in digest[:CODE_LENGTH])


async def read_table(tx: Transaction, row: GameRow, base: Table | None = None) -> Table:
    """The table of *row* by its events, on top of *base*; raises ``BrokenTable``."""
    try:
        events = await games.load_events(tx, row.code, base.version if base is not None else 0)
    except UnreadableRow as wrong:
        raise BrokenTable(row.code, wrong.number, wrong.why) from wrong
    table = table_of(row.code, events, row.parent, base)
    if table.version < row.version:
        why = f"events up to {row.version} are missing"
        raise BrokenTable(row.code, table.version + 1, why)
    if table.version > row.version:
        raise BrokenTable(row.code, None, "its version is damaged")
    hidden = table.secret is None and table.status in LIVING
    if hidden and (row.secret is None or commitment(row.secret) != table.commitment):
        raise BrokenTable(row.code, None, "its secret is not the one that was sealed")
    return table


def _is_known(line: GameLine) -> bool:
    """Whether the columns of *line* can be shown; the events tell what damaged ones have held."""
    try:
        read_match(line.match)
    except ValueError:
        return False
    return line.to_move is not None and line.game in shelf() and line.touched != EPOCH


def standing_for_lists(table: Table) -> Standing:
    """The columns of *table* by which it is listed."""
    to_move = tuple(sorted(table.actors()))
    asked = bool(table.computers_to_move()) or table.claimant() is not None
    match = "" if table.match_now is None else table.match_now.text
    rated = table.rated and table.status in (PLAYING, ENDED)
    return Standing(table.status, to_move, asked, match, rated)
