"""The tables: read once, kept for a while, listed by their columns, fenced where broken."""

from __future__ import annotations

import hmac
import itertools
import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from cachetools import LRUCache

from bot.port import Where
from bot.runtime.caches import remembering
from bot.runtime.tasks import Tasks
from bot.service.aggregates import Aggregates
from bot.service.club.medals_of_table import load_medals
from bot.service.club.rating_rows import load_shifts
from bot.service.person.people import People
from bot.session.fold import TABLES
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
from storage.errors import UnreadableRow
from storage.records import EPOCH, FaultRow, GameLine, GameRow, Standing, Status
from storage.store import Transaction
from storage.table import games
from storage.table.games import LIVING

log = logging.getLogger(__name__)

BROKEN = 256
"""Of how many broken tables it is known that they are."""

LISTED = 25
"""The most tables in a list, as Discord takes suggestions."""

UNKNOWN = 100
"""How many tables of an earlier release are read between two looks at the index."""


class UnknownTable(RuleError):
    """No table has this code."""


@dataclass(kw_only=True)
class Tables(Aggregates[tuple[Table, bytes]]):
    """Reads tables and their secrets. One that cannot be read is set aside; all else goes on."""

    most_kept = 256
    tasks: Tasks
    people: People
    _broken: LRUCache[str, BrokenTable] = remembering(BROKEN)

    async def get(self, code: str) -> Table:
        """The table *code* as it is; raises ``UnknownTable`` or ``BrokenTable``."""
        return (await self.load(code))[0]

    async def find(self, code: str) -> Table | None:
        """The table *code*; ``None`` where there is none, or it cannot be read."""
        with suppress(UnknownTable, BrokenTable):
            return await self.get(code)
        return None

    async def free_code(self, codes: Iterator[str] | None = None) -> str:
        """A code that no table has, the first of *codes* where they are given."""
        drawn = codes or iter(drawn_code, "")
        while await self.is_taken(code := next(drawn)):
            pass
        return code

    async def is_taken(self, code: str) -> bool:
        """Whether a table has the code *code*."""
        return await self.store.read(games.load_game, code) is not None

    async def load(self, code: str) -> tuple[Table, bytes]:
        """The table *code* and its secret; raises ``UnknownTable`` or ``BrokenTable``."""
        kept = self.at_hand(code) or await self._fence(code)
        table, secret = kept
        introduced = await self.people.introduce(table)
        if introduced is not table and self.at_hand(code) is kept:
            self.keep(introduced, secret)
        return introduced, secret

    async def _fence(self, code: str) -> tuple[Table, bytes]:
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

        async def read(base: tuple[Table, bytes] | None) -> tuple[Table, bytes]:
            return await read_table(tx, row, None if base is None else base[0]), row.secret or b""

        table, secret = await self.read_anew(code, row.version, read)
        shifts, medals = await load_shifts(tx, table), await load_medals(tx, table)
        if shifts or medals:
            table = replace(table, shifts=shifts, medals=medals)
        return table, secret

    def keep(self, table: Table, secret: bytes) -> None:
        """Remember *table*, which is on disk."""
        self.remember(table.code, table.version, (table, secret))

    async def is_outdated(self, code: str) -> bool:
        """Whether the table *code* was kept, and is forgotten now: another process changed it."""
        kept = self.at_hand(code)
        found = {} if kept is None else await self.store.read(games.load_versions, [code])
        version = found.get(code)
        if kept is None or version is None or kept[0].version >= version:
            return False
        self.hear_version(code, version)
        return True

    def forget_all(self) -> None:
        """Every table is read again."""
        super().forget_all()
        self._broken.clear()

    # ---------------------------------------------------------------- lists

    async def contests(self, person: int, game: str) -> list[Table]:
        """The running games of *person* that count for the ratings of *game*."""
        lines = await self.list_lines((PLAYING,), person=person)
        tables = [await self.find(line.code) for line in lines if line.game == game]
        return [table for table in tables if table is not None and table.competes]

    async def list_lines(
        self,
        statuses: Sequence[Status],
        limit: int = LISTED,
        *,
        person: int | None = None,
        where: Where | None = None,
    ) -> tuple[GameLine, ...]:
        """At most *limit* tables of a person or a place, or both, the living first."""
        place = None if where is None else where.key
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

    async def read_again(self, found: Callable[[Table], None]) -> None:
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


def drawn_code() -> str:
    """A code by chance."""
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
    table = replace(TABLES.of(row.code, events, base), parent=row.parent)
    if table.version < row.version:
        raise BrokenTable(row.code, table.version + 1, f"events up to {row.version} are missing")
    if table.version > row.version:
        raise BrokenTable(row.code, None, "its version is damaged")
    hidden = table.secret is None and table.status in LIVING
    if hidden and (row.secret is None or commitment(row.secret) != table.commitment):
        raise BrokenTable(row.code, None, "its secret is not the one that was sealed")
    return table


def _is_known(line: GameLine) -> bool:
    """Whether the columns of *line* can be shown; the events tell what damaged ones have held."""
    with suppress(ValueError):
        read_match(line.match)
        return line.to_move is not None and line.game in shelf() and line.touched != EPOCH
    return False


def standing_for_lists(table: Table) -> Standing:
    """The columns of *table* by which it is listed."""
    to_move = tuple(sorted(table.actors()))
    asked = bool(table.computers_to_move()) or table.claimant() is not None
    match = "" if table.match_now is None else table.match_now.text
    rated = table.rated and table.status in (PLAYING, ENDED)
    return Standing(table.status, to_move, asked, match, rated)
