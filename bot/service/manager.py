"""The game session manager: the only place with locks between a click and the disk.

Every change takes one road: a table under its lock, a pure decision that a ``UnitOfWork``
collects, one transaction of the ``Ledger`` that stores the events and owes the views, and only
then anything shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from bot.computers.pool import Thinkers
from bot.port import Where
from bot.service.analysis import Advice
from bot.service.arrivals import Arrivals
from bot.service.cluster import ClusterNews
from bot.service.computer_turns import ComputerTurns
from bot.service.deadlines import DeadlineKind, Deadlines
from bot.service.ledger import Ledger, Stored
from bot.service.outages import Outages
from bot.service.people import People
from bot.service.places import Places
from bot.service.reminders import Reminders
from bot.service.showing import Showing
from bot.service.steady_clock import SteadyClock, wall
from bot.service.tables import Tables
from bot.service.updates import CLOCK, Update
from bot.session import timekeeping
from bot.session.game_clock import instant
from bot.session.table import CODE_LENGTH, CODE_LETTERS, BrokenTable, Table
from bot.session.unit_of_work import UnitOfWork
from bot.tasks import Tasks
from bot.texts import LANGUAGES
from games.core import Seat
from storage import games, inbox, settings
from storage.engine import Store, Transaction
from storage.errors import Conflict, StorageError
from storage.records import ViewRow

ADOPTED = 50
"""How many tables at most one process takes over at once, where another one has ended."""


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
    now: Callable[[], datetime] = wall
    steady: SteadyClock = field(default_factory=SteadyClock)
    showing: Showing | None = None
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.places = Places(self.store)
        clocks = (lambda: self.now(), lambda: self.steady())
        self.people = People(self.store, self.places, self.default_language, *clocks)
        self.tasks = Tasks(expected=(StorageError,))
        self.tables = Tables(self.store, self.tasks, lambda: self.now(), self.people.introduced)
        self.advice = Advice(self.thinkers)
        self.computers = ComputerTurns(self, self.thinkers, self.tasks)
        wall, steady = clocks
        self.arrivals = Arrivals(steady, wall)
        reminders = Reminders(self.store, self.people, steady, wall, self._call_at, self.table)
        self.outages = Outages(self.store, steady)
        late = (self.arrivals, self.outages, reminders)
        self.deadlines = Deadlines(self, self.store, steady, *late, self._shown)
        self.outages.over = self.deadlines.reached
        self.places.shut = self.outages.noted
        kept = (self.tables, self.people, self.places, self.outages, self.deadlines)
        self.elsewhere = ClusterNews(self.store, *kept, lambda: self.showing)
        self.elsewhere.listen()
        about = (self.people, self.tables, self.deadlines, self.elsewhere)
        self.ledger = Ledger(self.store, steady, *about, lambda: self.showing)

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
        return (await self.tables.load(code))[0]

    @asynccontextmanager
    async def _locked(self, code: str) -> AsyncIterator[None]:
        # Weakly kept: a lock lives as long as somebody holds it or waits for it.
        lock = self._locks.get(code)
        if lock is None:
            lock = self._locks[code] = asyncio.Lock()
        async with lock:
            yield

    async def change(
        self, origin: Update, code: str, decide: Callable[[UnitOfWork], Result], *shown: ViewRow
    ) -> Changed[Result]:
        """Let *decide* write on the table *code*, store it in one transaction, and wake others.

        It is *shown* from then on where it was not before. A table that the pen's child has opened
        is stored with it and shown where this one is.

        Raises what *decide* raises (nothing is stored then), ``UnknownTable``, ``BrokenTable``
        and ``SeenBefore``.
        """
        async with self._locked(code):
            for _ in range(3):
                table, secret = await self.tables.load(code)
                work = UnitOfWork(table, self.now(), secret, steady=self.steady())
                if table.clock is not None:
                    await self._timed(work, origin)
                    late = timekeeping.fallen(work)
                    if late is not None and origin.platform != CLOCK:
                        table, secret = await self._fall(work, late)
                        work = UnitOfWork(table, self.now(), secret, steady=self.steady())
                result = decide(work)
                if not work.written:
                    return Changed(table, result)
                try:
                    stored = await self.ledger.change(origin, table, work, shown)
                except Conflict:
                    continue  # another process was before us
                break
            else:
                raise Conflict(f"table {code} changed three times under us")
        self._follow(work.table, stored)
        if work.child is not None:
            self.computers.ask(work.child.table)
        return Changed(work.table, result, stored.owing)

    async def _timed(self, work: UnitOfWork, origin: Update) -> None:
        """Tell *work* when what *origin* asks for has arrived, and what does not count of turns."""
        arrived, table = origin.arrived, work.table
        if arrived is not None:
            # What was written down before a restart had arrived then.
            received = await self.store.read(inbox.received, origin.platform, origin.update)
            first = arrived if received is None else min(arrived, received)
            work.waited = max(0, work.arrived - instant(first))
        for seat in sorted(table.timed()):
            player, turn = table.players[seat], table.clock and table.clock.turns[seat]
            if turn and player.person is not None:
                down = await self.outages.spans(table.code, player.person, turn.began)
                work.away = {seat: (*player.away, *down)}

    async def _fall(self, work: UnitOfWork, seat: Seat) -> tuple[Table, bytes]:
        """Let the flag of *seat* fall, which was due before whatever comes now."""
        before, work.waited = work.table, 0
        timekeeping.fall(work, seat)
        origin = Update(CLOCK, f"{before.code}:{DeadlineKind.FLAG}:{before.version}")
        self._follow(work.table, await self.ledger.change(origin, before, work))
        return work.table, work.hidden

    async def create(
        self, origin: Update, work: UnitOfWork, *shown: ViewRow, draft: int | None = None
    ) -> Table:
        """Store a new table with its first events, and the views that will show it.

        It uses up the sheet *draft*; raises ``Refused`` where another table has done so.
        """
        self._follow(work.table, await self.ledger.open(origin, work, shown, draft))
        return work.table

    def _follow(self, table: Table, stored: Stored) -> None:
        for follows in stored.following:
            follows()
        if self.showing is not None:
            self.showing.owed(stored.owing)
        self.computers.ask(table)

    async def once(
        self, origin: Update, done: Callable[[Transaction], Awaitable[Result]]
    ) -> Result:
        """Do *done* in the transaction that notes the update as done; raises ``SeenBefore``."""
        async with self.store.transaction() as tx:
            await origin.settle(tx, self.steady())
            result = await done(tx)
        self.ledger.settled(origin)
        return result

    def _shown(self) -> frozenset[asyncio.Task[Any]]:
        return frozenset() if self.showing is None else self.showing.busy()

    def _call_at(self, code: str, at: datetime) -> None:
        if self.showing is not None:
            self.showing.call_at(code, at)

    async def free_code(self) -> str:
        """A code that no table has."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            if not await self.taken(code):
                return code

    async def taken(self, code: str) -> bool:
        """Whether a table has the code *code*."""
        return await self.store.read(games.load, code) is not None

    # ---------------------------------------------------------------- people and places

    def saw(self, table: Table, person: int, where: Where) -> None:
        """Note that *person* presses something at *table*, in *where*, just now."""
        if self.showing is not None and table.seat_of(person) is not None:
            self.showing.calls.saw(table.code, person, where)

    # ---------------------------------------------------------------- life

    async def resume(self) -> None:
        """After a start: let the computers whose turn it is think on, and mend what can be."""
        await self.adopt()
        await self.tables.learned(self.computers.ask)

    async def adopt(self) -> None:
        """Let the computers think on that nobody lets think: their process is no more."""
        fleet = self.store.fleet
        if fleet.alone:
            codes = await self.store.read(games.computers_to_move)
        else:
            codes = await self.store.write_beside(games.orphaned, fleet.number, ADOPTED)
        for code in codes:
            with contextlib.suppress(BrokenTable):
                self.computers.ask(await self.table(code))

    def busy(self) -> frozenset[asyncio.Task[None]]:
        """What is under way beside the road: computers that think, boards looked up."""
        return self.tasks.busy()

    async def close(self) -> None:
        """Stop thinking and finish what was begun."""
        await self.tasks.close()
        await self.thinkers.close()
