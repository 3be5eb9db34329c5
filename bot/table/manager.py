"""The game session manager: the only place with locks and awaits between a click and the disk.

Every change takes one road: a table under its lock, a pure decision written down by a
``Pen``, one transaction that stores the events and owes the views, and only then anything
shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.computers.pool import Question, Thinkers, Unthinkable
from bot.port import Where
from bot.table import play
from bot.table.events import encode
from bot.table.origin import Origin, SeenBefore
from bot.table.people import People
from bot.table.places import Places
from bot.table.play import Pen
from bot.table.table import OPEN, PLAYING, BrokenTable, Table, table_of
from bot.texts import LANGUAGES
from games.core import RuleError, phrase, read_move
from storage import deadlines, games, settings, views
from storage.engine import Store, Transaction
from storage.errors import Conflict
from storage.records import DeadlineRow, GameRow, SeatRow, Standing, Status, ViewRow

log = logging.getLogger(__name__)

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What table codes are made of: nothing that reads like something else."""

CODE_LENGTH = 6
TABLES_KEPT = 256
"""How many tables stay in memory; the others are folded from their events again."""

LISTED = 25
"""The most tables in a list: what Discord takes as suggestions."""

INVITATION = timedelta(hours=1)
CHALLENGE = timedelta(hours=24)
SET_UP = timedelta(hours=24)
"""How long a simultaneous set-up may take before the rules arrange the rest (G14)."""


class UnknownTable(RuleError):
    """No table has this code."""


class Showing(Protocol):
    """What shows owed views: told of tables that changed, never waited for."""

    def owed(self, views: Sequence[ViewRow]) -> None:
        """Show *views*, which owe a new board since the transaction that is just over."""

    def wake(self, code: str) -> None:
        """Show whatever is owed of the table *code*."""

    def saw(self, person: int) -> None:
        """Note that *person* is here just now, so that no ping is needed."""

    def retire(self, view: ViewRow) -> None:
        """Remove the message of a view that another one has replaced."""


Result = TypeVar("Result")


class Changed(NamedTuple, Generic[Result]):
    """A table after a change, what the decision answered, and the views that owe the change."""

    table: Table
    result: Result
    views: Sequence[ViewRow] = ()


@dataclass
class Manager:
    """Keeps the tables: loads, locks, stores and wakes whoever must act on a change."""

    store: Store
    key: bytes
    thinkers: Thinkers
    default_language: str = LANGUAGES[0]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    showing: Showing | None = None
    _tables: LRUCache[str, tuple[Table, bytes]] = field(
        default_factory=lambda: LRUCache(TABLES_KEPT)
    )
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)
    _told: dict[str, Callable[[str], None]] = field(default_factory=dict)
    _asked: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = Places(self.store)
        self.people = People(
            self.store, self.places, self.default_language, lambda: self.now(), self._saw
        )

    @classmethod
    async def open(cls, store: Store, thinkers: Thinkers, default_language: str) -> Manager:
        """A manager on *store*, with the key of the buttons it keeps."""
        async with store.transaction() as tx:
            kept = await settings.get(tx, "button-key")
            if kept is None:
                kept = secrets.token_hex(32)
                await settings.put(tx, "button-key", kept)
        return cls(store, bytes.fromhex(kept), thinkers, default_language)

    # ---------------------------------------------------------------- tables

    async def table(self, code: str) -> Table:
        """The table *code* as it is; raises ``UnknownTable`` or ``BrokenTable``."""
        return (await self._loaded(code))[0]

    async def _loaded(self, code: str) -> tuple[Table, bytes]:
        kept = self._tables.get(code) or await self._read(code)
        table, secret = kept
        introduced = await self.people.introduced(table)
        if introduced is not table and self._tables.get(code) is kept:
            self._keep(introduced, secret)
        return introduced, secret

    async def _read(self, code: str) -> tuple[Table, bytes]:
        async with self.store.reading() as tx:
            row = await games.load(tx, code)
            if row is None:
                raise UnknownTable(phrase("house.no-table", code=code[:8]))
            table = table_of(code, await games.events(tx, code), row.parent)
            if table.version < row.version:
                why = f"events up to {row.version} are missing"
                raise BrokenTable(code, table.version + 1, why)
            # Kept while the transaction lasts, so that no change comes in between.
            self._keep(table, row.secret or b"")
        return self._tables[code]

    def _keep(self, table: Table, secret: bytes) -> None:
        self._tables[table.code] = (table, secret)

    @asynccontextmanager
    async def _locked(self, code: str) -> AsyncIterator[None]:
        # Weakly kept: a lock lives as long as somebody holds it or waits for it.
        lock = self._locks.get(code)
        if lock is None:
            lock = self._locks[code] = asyncio.Lock()
        async with lock:
            yield

    async def change(
        self, origin: Origin, code: str, decide: Callable[[Pen], Result]
    ) -> Changed[Result]:
        """Let *decide* write on the table *code*, store it in one transaction, and wake others.

        Raises what *decide* raises (nothing is stored then), ``UnknownTable``, ``BrokenTable``
        and ``SeenBefore``.
        """
        async with self._locked(code):
            for _ in range(3):
                table, secret = await self._loaded(code)
                pen = Pen(table, self.now(), secret)
                result = decide(pen)
                if not pen.written:
                    return Changed(table, result)
                pen.table = await self.people.introduced(pen.table)
                try:
                    owing = await self._stored(origin, table, pen)
                except Conflict:
                    self._tables.pop(code, None)
                    continue
                except BaseException:
                    # Cancelled while it commits, a transaction may have done so or not.
                    self._tables.pop(code, None)
                    raise
                self._keep(pen.table, b"" if pen.table.secret is not None else secret)
                break
            else:
                raise Conflict(f"table {code} changed three times under us")
        self._changed(pen.table, owing)
        return Changed(pen.table, result, owing)

    async def create(self, origin: Origin, pen: Pen, view: ViewRow | None) -> Table:
        """Store a new table with its first events, and the view that will show it."""
        table = await self.people.introduced(pen.table)
        standing = standing_of(table)
        row = GameRow(
            code=table.code,
            game=table.game.key,
            status=table.status,
            version=table.version,
            created=table.created,
            touched=table.touched,
            secret=None if table.secret is not None else pen.secret,
            parent=table.parent,
            to_move=standing.to_move,
            computer=standing.computer,
        )
        async with self.store.transaction() as tx:
            await origin.settle(tx, pen.now)
            await games.create(tx, row, [encode(one) for one in pen.written], _seats(table))
            await self._set_deadline(tx, table)
            owing = () if view is None else (await views.add(tx, view),)
        self._settled(origin)
        self._keep(table, pen.secret)
        self._changed(table, owing)
        return table

    async def _stored(self, origin: Origin, before: Table, pen: Pen) -> tuple[ViewRow, ...]:
        """Store what *pen* wrote; answers the views that owe it."""
        table = pen.table
        async with self.store.transaction() as tx:
            await origin.settle(tx, pen.now)
            await games.append(
                tx,
                table.code,
                before.version,
                [encode(one) for one in pen.written],
                standing=standing_of(table),
                at=pen.now,
            )
            if table.players != before.players or table.outcome != before.outcome:
                await games.set_seats(tx, table.code, _seats(table))
            if table.secret is not None and before.secret is None:
                await games.clear_secret(tx, table.code)
            if table.status != before.status or table.status == OPEN:
                await self._set_deadline(tx, table)
            owing = await views.owe(tx, table.code, table.version, origin.renewal(pen.now))
        self._settled(origin)
        return owing

    def when_settled(self, platform: str, told: Callable[[str], None]) -> None:
        """Tell *told* of every update of *platform* whose change is on disk, by its id."""
        self._told[platform] = told

    def _settled(self, origin: Origin) -> None:
        told = self._told.get(origin.platform)
        if told is not None:
            told(origin.update)

    async def _set_deadline(self, tx: Transaction, table: Table) -> None:
        if table.status == OPEN:
            challenged = any(player.invited for player in table.players)
            until = table.touched + (CHALLENGE if challenged else INVITATION)
            await deadlines.set(tx, table.code, "invitation", table.version, until)
            return
        await deadlines.clear(tx, table.code, "invitation")
        if len(table.actors()) > 1:
            await deadlines.set(tx, table.code, "set-up", table.version, table.touched + SET_UP)
        elif table.status != PLAYING:
            await deadlines.clear(tx, table.code, "set-up")

    def _changed(self, table: Table, owing: Sequence[ViewRow]) -> None:
        if self.showing is not None:
            self.showing.owed(owing)
        self.ask_computers(table)

    async def free_code(self) -> str:
        """A code that no table has."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            async with self.store.reading() as tx:
                if not await games.exists(tx, code):
                    return code

    # ---------------------------------------------------------------- computers

    def ask_computers(self, table: Table) -> None:
        """Let the computers whose turn it is think, once for each version of the table."""
        if table.status != PLAYING:
            self._asked.pop(table.code, None)
        if table.computers_to_move() and self._asked.get(table.code) != table.version:
            self._asked[table.code] = table.version
            self.spawn(self._computer_plays(table))

    async def _computer_plays(self, table: Table) -> None:
        seat = table.computers_to_move()[0]
        level = table.players[seat].level or 1
        try:
            name = f"{table.code}:{table.version}"
            asked = Question(name, table.game.key, table.setting, table.log, seat, level)
            thought = await self.thinkers.think(asked)
            text = table.present.notation(read_move(table.present, seat, thought.move))
        except (Unthinkable, RuleError):
            log.exception(
                "table %s: no computer answered, the first legal move is played", table.code
            )
            text = table.present.notation(table.present.legal_moves(seat)[0])
        # Overtaken where an undo or a resignation came in between: whoever is to move then
        # was asked for the newer version.
        if (await self.table(table.code)).version != table.version:
            return

        def decide(pen: Pen) -> None:
            if pen.table.version == table.version:
                play.move(pen, seat, (read_move(pen.table.present, seat, text),))

        origin = Origin("computer", f"{table.code}:{table.version}")
        await self.change(origin, table.code, decide)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work* beside everything else; what it raises is logged, never lost."""

        async def guarded() -> None:
            try:
                await work
            except SeenBefore:
                pass
            except Exception:
                log.exception("work beside the road failed")

        def ended(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            # A task cancelled before it began has left its work unawaited.
            work.close()

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(ended)

    # ---------------------------------------------------------------- people and places

    def _saw(self, person: int) -> None:
        if self.showing is not None:
            self.showing.saw(person)

    async def tables_of(self, person: int, statuses: Iterable[Status]) -> list[Table]:
        """The tables at which *person* sits, the latest first."""
        async with self.store.reading() as tx:
            rows = await games.listed(tx, person, tuple(statuses), LISTED)
        return [await self.table(row.code) for row in rows]

    async def tables_in(self, where: Where, statuses: Iterable[Status]) -> list[Table]:
        """The tables shown in *where*, the latest first."""
        async with self.store.reading() as tx:
            of = (where.platform, where.place)
            rows = await games.listed(tx, of, tuple(statuses), LISTED)
        return [await self.table(row.code) for row in rows]

    # ---------------------------------------------------------------- life

    async def resume(self) -> None:
        """After a start: let the computers whose turn it is think on."""
        async with self.store.reading() as tx:
            codes = (*await games.computers_to_move(tx), *await games.unknown(tx, 1_000_000))
        for code in codes:
            self.ask_computers(await self.table(code))

    async def expire(self) -> None:
        """Close invitations and end set-ups whose time is over."""
        async with self.store.reading() as tx:
            due = await deadlines.due(tx, self.now())
        for row in due:
            origin = Origin("clock", f"{row.game}:{row.kind}:{row.version}")

            def decide(pen: Pen, row: DeadlineRow = row) -> None:
                table = pen.table
                if row.kind == "invitation" and table.status == OPEN:
                    if table.version == row.version:
                        play.close(pen, "expired")
                elif row.kind == "set-up" and table.status == PLAYING:
                    play.end_set_up(pen)

            with contextlib.suppress(SeenBefore):
                await self.change(origin, row.game, decide)
            if row.kind == "set-up" or (await self.table(row.game)).status != OPEN:
                async with self.store.transaction() as tx:
                    await deadlines.clear(tx, row.game, row.kind)

    def busy(self) -> frozenset[asyncio.Task[Any]]:
        """What is under way beside the road: computers that think, boards looked up."""
        return frozenset(self._tasks)

    async def close(self) -> None:
        """Stop thinking and finish what was begun."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.thinkers.close()


def standing_of(table: Table) -> Standing:
    """What lists and the start of the bot go by."""
    to_move = tuple(sorted(table.actors()))
    return Standing(table.status, to_move, bool(table.computers_to_move()))


def _seats(table: Table) -> tuple[SeatRow, ...]:
    outcome = table.outcome
    places = enumerate(outcome.places, 1) if outcome is not None else ()
    place_of = {seat: number for number, place in places for seat in place}
    return tuple(
        SeatRow(seat, player.person, player.level, player.side or "", place_of.get(seat))
        for seat, player in enumerate(table.players)
    )
