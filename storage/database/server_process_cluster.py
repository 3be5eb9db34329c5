"""Several processes on one database of PostgreSQL: their lives, leases and news.

Each process keeps a row of ``process`` fresh on a connection of its own, which also holds an
advisory lock. The server frees the lock of a killed process, so the others know within a beat. A
process that hangs or is cut off is taken for dead when its row is too old.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any, Final
from zlib import crc32

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.database.availability import Availability
from storage.database.process_cluster import QUEUE_USAGE, Cluster, ClusterDuties, NewsQueue, Turn
from storage.database.server_leases import ServerLeases
from storage.errors import DatabaseAway, StorageError

log = logging.getLogger(__name__)

BEAT: Final = 1.0
"""Seconds between two beats, at which a process renews its row and looks for dead ones."""

TERM: Final = 8.0
"""Seconds for which a row counts as fresh."""

CHANNEL: Final = "ludoteca"
LEFT: Final = "left"
ASKED: Final = "asked"
ENDS: Final = "ends"
KIND: Final = 0x4C75
"""The class of the advisory locks of processes; the second key is the process's number."""

PROCESSES: Final = "processes"
"""The user of the database, as ``Availability`` knows us."""

GIVEN: Final = 5.0
"""Seconds that another process has to take a lease that we gave up for it."""

LONGEST_MESSAGE: Final = 7000
"""The most bytes of one message: PostgreSQL takes 8,000."""

_NUMBER = text("SELECT nextval(pg_get_serial_sequence('process', 'number'))")
_LOCK = text("SELECT pg_advisory_lock(:kind, :me)")
_ENTER = text(
    "INSERT INTO process (number, until) "
    "VALUES (:me, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + :term)"
)
_LIVE = text(
    "UPDATE process SET until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + :term "
    "WHERE number = :me"
)
_BURY = text(
    "DELETE FROM process WHERE number <> :me "
    "AND (until < (extract(epoch FROM clock_timestamp()) * 1000)::bigint "
    "OR pg_try_advisory_xact_lock(:kind, number))"
)
_LIVING = text("SELECT number FROM process")
_TURN = text("SELECT pg_advisory_lock(hashtextextended(:name, :kind))")
_SINCE = text(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - value::bigint "
    "FROM setting WHERE key = :key"
)
_HAD = text(
    "INSERT INTO setting (key, value) "
    "VALUES (:key, (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_NEIGHBOURS = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted "
    "AND classid::bigint = :machine "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""The numbers of the processes on a machine: each holds a lock of the machine and its number."""
_EXIT = text("DELETE FROM process WHERE number = :me")
_TELL = text("SELECT pg_notify('ludoteca', :told)")
_AGE = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - :then")


class ServerCluster(Cluster):
    """The processes of the database that *engine* reaches by connections of its own.

    *turn* waits until running reads have filled the caches, so that news can empty them.
    *translating* turns errors of the driver into a ``StorageError``.
    """

    alone = False

    def __init__(
        self,
        engine: AsyncEngine,
        turn: Turn,
        translating: Callable[[], AbstractContextManager[None]],
        availability: Availability,
    ) -> None:
        super().__init__()
        self._engine = engine
        self._turn = turn
        self._translating = translating
        self._availability = availability
        self._connection: AsyncConnection | None = None
        self._broken: list[AsyncConnection] = []
        """Connections that are lost and not given back yet."""
        self._talking = asyncio.Lock()
        self._held: frozenset[str] = frozenset()
        self._living: frozenset[int] = frozenset()
        self._neighbours: frozenset[int] = frozenset()
        """The living processes of our machine at the last beat."""
        self._leases = ServerLeases()
        self._sure_until = 0.0
        self._patient_until = 0.0
        """Until when we bury nobody: whoever was cut off with us is about to come back."""
        self._told: list[str] = []
        self._some = asyncio.Event()
        self._beat_now = asyncio.Event()
        self._running: asyncio.Future[Any] | None = None
        self._duties: set[asyncio.Task[None]] = set()
        self.queue: NewsQueue = NewsQueue(TERM)

    def holders(self) -> Mapping[str, int]:
        """The number of the process that holds each lease, at the last look."""
        return dict(self._leases.holders)

    def holds(self, name: str) -> bool:
        """Whether we hold *name* and the others know that we live."""
        return name in self._held and monotonic() < self._sure_until

    def lives(self, number: int) -> bool:
        """Whether the process of this *number* was living at the last beat."""
        return number in self._living

    async def begin(self, wanted: Sequence[str], duties: ClusterDuties) -> None:
        """Join the processes and take the free leases, before this returns."""
        self.wanted = tuple(wanted)
        with self._translating():
            await self._enter()
            new, _ = await self._beat(wanted)
        self._running = asyncio.gather(self._hear_on(duties), self._live_on(wanted, duties))
        await duties.take(new)

    def portion(self, total: int) -> int:
        """Our part of *total*: those with low numbers take what cannot be divided."""
        each, left = divmod(total, max(1, len(self._neighbours)))
        return max(1, each + (sum(number < self.number for number in self._neighbours) < left))

    def _machine(self) -> int:
        """The name of our machine as the first key of an advisory lock."""
        return crc32(self.machine.encode()) & 0x7FFFFFFF

    async def others(self) -> bool:
        """Whether another process is known to live."""
        with self._translating():
            await self._enter()
            await self._beat(())
        return bool(self._living - {self.number})

    def has_heirs(self) -> bool:
        """Whether another process was living at the last beat and has not said that it ends."""
        return bool(self._living - self._leases.ending - {self.number})

    async def hand_over(self, names: Sequence[str], duties: ClusterDuties) -> None:
        """Drop the leases of these *names* for the others, if there are any, and take no more."""
        self._leases.ending.add(self.number)
        await self.say(ENDS)
        with contextlib.suppress(DBAPIError, OSError):
            for name in names:
                if self.has_heirs() and self.holds(name):
                    await self._give(name, duties)

    async def leave(self) -> None:
        """Give all leases back and tell the others."""
        async with self._talking:  # a statement that is cancelled takes its connection along
            if self._running is not None:
                self._running.cancel()
                await asyncio.gather(self._running, return_exceptions=True)
            await asyncio.sleep(0)  # a task that has not begun could not clean up
            duties = tuple(self._duties)
            for one in duties:
                one.cancel()
        await asyncio.gather(*duties, return_exceptions=True)
        self._held = frozenset()
        connection, self._connection = self._connection, None
        with contextlib.suppress(DBAPIError, OSError):
            if connection is not None:
                await self._leases.free(connection, self.number)
                await connection.execute(_EXIT, {"me": self.number})
                await connection.execute(_TELL, {"told": self._write(LEFT, ())})
                await connection.close()
        await self._give_broken_back()
        await self._engine.dispose()

    async def tell(self, tx: AsyncConnection, topic: str, *words: Any) -> None:
        """Tell all others when *tx* is committed."""
        if not self.queue.is_crowded:
            await tx.execute(_TELL, {"told": self._write(topic, words)})

    async def say(self, topic: str, *words: Any) -> None:
        """Tell all others at once, unless the database is away."""
        with contextlib.suppress(DBAPIError, OSError):
            async with self._talking:  # the connection may be lost while we wait
                if self._connection is not None:
                    await self._connection.execute(_TELL, {"told": self._write(topic, words)})

    async def age(self, tx: AsyncConnection, then: int) -> int:
        """How many milliseconds have passed since *then* by the server's clock."""
        return int((await tx.execute(_AGE, {"then": then})).scalar_one())

    async def _enter(self) -> None:
        if self._connection is not None:
            return
        await self._give_broken_back()
        connection = await self._engine.connect()
        try:
            driver = (await connection.get_raw_connection()).driver_connection
            if driver is None:
                raise RuntimeError("the connection has no driver")
            await driver.add_listener(CHANNEL, lambda *of: self._notice(of[-1]))
            driver.add_termination_listener(lambda *_: self._cut_off(connection))
            me = self.number or (await connection.execute(_NUMBER)).scalar_one()
            for kind in (KIND, self._machine()):
                await connection.execute(_LOCK, {"kind": kind, "me": me})
            if not self.number:
                await connection.execute(_ENTER, {"me": me, "term": round(TERM * 1000)})
                self._sure_until = monotonic() + TERM
        except BaseException:
            await connection.close()
            raise
        if self.number:
            self._patient_until = monotonic() + TERM
        self.number, self._connection = me, connection

    def _cut_off(self, connection: AsyncConnection) -> None:
        if self._connection is connection:
            self._lose_connection()
            self._beat_now.set()

    def _lose_connection(self) -> None:
        if self._connection is not None:
            self._broken.append(self._connection)
            self._connection = None

    async def _give_broken_back(self) -> None:
        while self._broken:
            with contextlib.suppress(DBAPIError, OSError):
                await self._broken.pop().invalidate()

    async def _live_on(self, wanted: Sequence[str], duties: ClusterDuties) -> None:
        while True:
            # ``wait_for`` of Python 3.11 may take no notice of being cancelled.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self._beat_now.wait()
            self._beat_now.clear()
            try:
                with self._translating():
                    async with asyncio.timeout(TERM):
                        await self._once_more(wanted, duties)
                self._availability.note_answer(PROCESSES)
            except _Dead as dead:
                self._held = frozenset()
                duties.stop(str(dead))
                return
            except Exception as wrong:
                self._out_of_reach(wrong)
                await asyncio.sleep(BEAT)

    async def _once_more(self, wanted: Sequence[str], duties: ClusterDuties) -> None:
        """A beat, on a new connection where ours is gone."""
        if self._connection is None:
            await self._enter()
            # News that came meanwhile does not come again.
            duties.catch_up()
        elif self.queue.is_silent:
            duties.catch_up()
        new, left = await self._beat(wanted)
        if left:
            self._do(duties.take_over())
        if new:
            self._do(duties.take(new))
        await self._ask()

    def _out_of_reach(self, wrong: Exception) -> None:
        """Let go of our connection, which met *wrong*."""
        if not isinstance(wrong, StorageError):
            log.error("a beat failed", exc_info=wrong)
        away = wrong if isinstance(wrong, DatabaseAway) else DatabaseAway(f"{wrong}")
        self._availability.note_failure(PROCESSES, away)
        self._lose_connection()

    def _do(self, duty: Coroutine[Any, Any, None]) -> None:
        """Run a *duty* in a task: the beats must not wait for it."""

        async def done() -> None:
            try:
                await duty
            except Exception:
                log.exception("what another process left could not be taken up")

        task = asyncio.create_task(done())
        self._duties.add(task)
        task.add_done_callback(self._duties.discard)

    async def _beat(self, wanted: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """Renew our row; answers our new leases, and whether another process has died."""
        connection, me = self._connection, {"me": self.number}
        if connection is None:
            raise OSError("not connected")
        async with self._talking:
            sure = monotonic() + TERM
            if not (await connection.execute(_LIVE, {**me, "term": round(TERM * 1000)})).rowcount:
                raise _Dead("This process was taken for dead by the others; it ends.")
            if monotonic() >= self._patient_until:
                await connection.execute(_BURY, {**me, "kind": KIND})
            living = frozenset((await connection.execute(_LIVING)).scalars())
            machine = {"machine": self._machine()}
            neighbours = frozenset((await connection.execute(_NEIGHBOURS, machine)).scalars())
            self._neighbours = neighbours & living
            self.queue.look((await connection.execute(QUEUE_USAGE)).scalar_one())
            held = await self._leases.take(connection, self.number, wanted, living)
        if self._held - held:
            raise _Dead("Another process has taken what this one held; it ends.")
        new = tuple(name for name in wanted if name in held - self._held)
        left = bool(self._living - living)
        self._held, self._living, self._sure_until = held, living, sure
        return new, left

    async def _ask(self) -> None:
        """Ask a process that holds two shares more than we for one of them."""
        name = self._leases.to_ask_for(self.number, self.wanted)
        if name is not None:
            await self.say(ASKED, name)

    async def _give(self, name: str, duties: ClusterDuties) -> None:
        self._leases.giving.add(name)
        try:
            await duties.drop(name)
            async with self._talking:
                if self._connection is None:
                    return  # ours until we are connected again or another process takes it
                await self._leases.give(self._connection, self.number, name)
                self._held -= {name}
            await self.say(LEFT)
            if self.number not in self._leases.ending:
                await asyncio.sleep(GIVEN)
        finally:
            self._leases.giving.discard(name)

    async def turn(self, name: str, seconds: float) -> None:
        """Wait until the last turn at *name* is so many *seconds* ago, in all processes.

        Turns are on disk, so those of dead processes count.
        """
        async with (
            self._turns.setdefault(name, asyncio.Lock()),
            self._engine.begin() as connection,
        ):
            await connection.execute(_TURN, {"name": name, "kind": KIND})
            had = {"key": f"turn:{name}"}
            passed = (await connection.execute(_SINCE, had)).scalar()
            if passed is not None:
                # the difference is negative where the server's clock was set back
                await asyncio.sleep(seconds - max(passed, 0) / 1000)
            await connection.execute(_HAD, had)

    def _write(self, topic: str, words: Sequence[Any]) -> str:
        told = json.dumps([self.number, topic, *words])
        # Where the news is too long, the others read everything anew.
        return told if len(told) <= LONGEST_MESSAGE else json.dumps([self.number, "missed"])

    def _notice(self, told: str) -> None:
        self._told.append(told)
        self._some.set()

    async def _hear_on(self, duties: ClusterDuties) -> None:
        while True:
            await self._some.wait()
            self._some.clear()
            # Reads that began before the change have filled the caches by then.
            await self._turn()
            told, self._told = self._told, []
            for one in told:
                try:
                    who, topic, *words = json.loads(one)
                    if who == self.number:
                        continue
                    if topic == LEFT:
                        self._beat_now.set()
                    if topic == ENDS:
                        self._leases.ending.add(who)
                    if topic == ASKED and words[0] in self._held - self._leases.giving:
                        self._do(self._give(words[0], duties))
                    self.hears(topic, words)
                except Exception:
                    log.exception("what another process tells is not understood")


class _Dead(Exception):
    """The others have taken over our duties."""
