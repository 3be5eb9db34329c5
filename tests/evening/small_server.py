"""As much of a server of PostgreSQL as stands between two houses of an evening.

The processes are the product's own (``storage.database.server_process_cluster``): what they ask
of the server, their rows, leases, beats and news, is answered here, from memory. Games and all else
stand in one file of SQLite, whose writers wait for each other as on the server: who is killed rolls
back.
"""

from __future__ import annotations

import asyncio
import contextvars
import itertools
from collections import defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from sqlite3 import ProgrammingError
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.chats.discord import chat
from bot.chats.discord.client import divide_shards
from storage import schema
from storage.database import server_leases, sqlite
from storage.database import server_process_cluster as asked
from storage.database.availability import Availability
from storage.database.postgresql import BESIDE_WAITS
from storage.database.process_cluster import QUEUE_USAGE, Turn
from storage.database.server_process_cluster import ServerCluster
from storage.database.sqlite import SqliteBackend
from storage.errors import DatabaseAway, DatabaseBusy
from tests.evening.loop import BEGINS, World, running_house

WAY = 0.0005, 0.004
"""Seconds that the server takes for a statement."""

SLOW = 0.03, 0.5
"""The share of statements and news that are slow, and the seconds that they take at most."""

GONE = "the server closed the connection"

Lease = namedtuple("Lease", "name holder")


class Rows(list[Any]):
    """A result of one column; *rowcount* says how many rows were changed."""

    rowcount = 1

    def scalars(self) -> Rows:
        return self

    def scalar(self) -> Any:
        return next(iter(self), None)

    scalar_one = scalar


BURIED = Rows()
"""What a process hears that is taken for dead."""
BURIED.rowcount = 0


class Session:
    """A connection of a process beside that of its transactions; it commits each statement."""

    def __init__(self, server: Server) -> None:
        self.server, self.house, self.driver_connection = server, running_house.get(), self
        self.context = contextvars.copy_context()
        self.locks: set[tuple[Any, Any]] = set()
        self.closed, self.silent_until, self.hears_at = False, 0.0, 0.0
        self.hear: Callable[[str], None] | None = None
        self.mourners: list[Callable[[], None]] = []
        self.add_termination_listener = self.mourners.append

    async def get_raw_connection(self) -> Session:
        return self

    async def add_listener(self, _: str, hear: Callable[[str], None]) -> None:
        self.hear = hear

    async def commit(self) -> None:
        """It is done."""

    async def execute(self, statement: Any, of: dict[str, Any] | None = None) -> Rows:
        takes = max(self.server.takes(), self.silent_until - self.server.now() + 0.001)
        if takes > 0:
            await asyncio.sleep(takes)
        turn = (statement, (of or {}).get("name"))
        while statement is asked._TURN and turn in self.server.locks():
            await asyncio.sleep(0.05)
        if self.closed:
            raise OperationalError(GONE, {}, OSError(GONE), connection_invalidated=True)
        found = self._answer(statement, of or {})
        return found if found is BURIED else Rows(found or ())

    def _answer(self, statement: Any, of: dict[str, Any]) -> Iterable[Any] | None:
        server, me = self.server, of.get("me", 0)
        if statement in (asked._LOCK, asked._TURN):
            self.locks.add((of["kind"], me) if me else (statement, of["name"]))
        elif statement is asked._NEIGHBOURS:
            return sorted(one for kind, one in server.locks() if kind == of["machine"])
        elif statement is QUEUE_USAGE:
            return [0.0]
        elif statement is asked._TELL:
            server.notify(of["told"])
        elif statement is asked._SINCE:
            had = server.turns.get(of["key"])
            return None if had is None else [round(1000 * (server.now() - had))]
        elif statement is asked._HAD:
            server.turns[of["key"]] = server.now()
        else:
            return self._of_processes(statement, of, me)
        return None

    def _of_processes(self, statement: Any, of: dict[str, Any], me: int) -> Iterable[Any] | None:
        server, rows = self.server, self.server.rows
        if statement is asked._NUMBER:
            return [next(server.numbers)]
        if statement is asked._LIVING:
            return sorted(rows)
        if statement is asked._LIVE and me not in rows:
            return BURIED
        if statement in (asked._ENTER, asked._LIVE):
            rows[me] = server.now() + of["term"] / 1000
        elif statement is asked._EXIT:
            rows.pop(me, None)
        elif statement is asked._BURY:
            for one in {*rows} - {me}:
                if rows[one] < server.now() or (of["kind"], one) not in server.locks():
                    server.story.tell("** process", one, "is taken for dead by", me)
                    del rows[one]
        else:
            return self._of_leases(statement, of.get("name"), me)
        return None

    def _of_leases(self, statement: Any, name: str | None, me: int) -> Iterable[Any] | None:
        leases = self.server.leases
        if statement is server_leases._HELD:
            return map(Lease._make, leases.items())
        if statement is server_leases._TAKE:
            if leases.get(name) not in self.server.rows:
                leases[name] = me
                self.server.story.tell("** process", me, "takes", name)
        elif statement in (server_leases._FREE, server_leases._GIVE):
            for one in [one for one in leases if leases[one] == me and name in (None, one)]:
                del leases[one]
        else:
            raise AssertionError(statement)
        return None

    def end(self) -> None:
        self.closed = True
        self.server.sessions = [one for one in self.server.sessions if one is not self]

    async def close(self) -> None:
        self.end()

    invalidate = close

    def fall_silent(self, seconds: float, cut: float) -> None:
        """Let nothing come through for so long; the server ends it after *cut* seconds.

        What was told and not heard yet is lost with it, and its process notices in the end.
        """
        loop = self.server.world.loop
        self.silent_until = loop.time() + seconds
        if seconds >= cut:
            loop.call_later(cut, self.end)
            for mourn in self.mourners:
                loop.call_later(seconds, mourn, context=self.context)

    def tell(self, told: str) -> None:
        """Let news come, behind what was told before."""
        at = self.server.now() + self.server.takes()
        self.hears_at = max(self.hears_at, self.silent_until, at)
        self.server.world.loop.call_at(self.hears_at, self._hears, told, context=self.context)

    def _hears(self, told: str) -> None:
        if not self.closed:
            (self.tell if self.server.now() < self.silent_until else self.hear)(told)


class Server:
    """The server: processes, leases, news, and whose turn it is to write."""

    def __init__(self, world: World, story: Any) -> None:
        self.world, self.story, self.now = world, story, world.loop.time
        self.numbers = itertools.count(1)
        self.rows: dict[int, float] = {}
        """Until when each process is taken for living."""
        self.leases: dict[str, int] = {}
        self.turns: dict[str, float] = {}
        self.sessions: list[Session] = []
        self.files: list[tuple[Any, Any]] = []
        """The connections to the file, by house."""
        self.told: dict[Any, list[str]] = defaultdict(list)
        """What the transaction of a house tells when it is committed."""
        self.noted: list[int] | None = None
        """Who lives, as the table in the file says."""
        self.writer: Any = None
        self.waits = 0
        self._waiting: deque[tuple[Any, asyncio.Future[None]]] = deque()

    async def connect(self) -> Session:
        await asyncio.sleep(self.takes())
        self.sessions.append(Session(self))
        return self.sessions[-1]

    async def dispose(self) -> None:
        """Nothing is kept."""

    def takes(self) -> float:
        """The seconds that something takes here."""
        lot = self.world.lot("server")
        drawn = lot.random()
        if drawn < SLOW[0]:
            return lot.uniform(0.0, SLOW[1])
        return lot.uniform(*WAY) if drawn < 0.3 else 0.0

    def locks(self) -> list[tuple[Any, Any]]:
        return [lock for one in self.sessions for lock in one.locks]

    def notify(self, told: str) -> None:
        for one in self.sessions:
            if one.hear is not None:
                one.tell(told)

    async def write_as(self, house: Any) -> None:
        """Wait until *house* may write; ``yield_turn`` must follow."""
        if self.writer is not None:
            self.waits += 1
            given = asyncio.get_running_loop().create_future()
            self._waiting.append((house, given))
            try:
                async with asyncio.timeout(BESIDE_WAITS):
                    await given
            except BaseException as wrong:
                if given.done() and not given.cancelled():
                    self.yield_turn()
                if isinstance(wrong, TimeoutError):
                    raise DatabaseBusy("The database is locked by another program.") from wrong
                raise
        self.writer = house

    def yield_turn(self) -> None:
        """The next one may write."""
        self.writer = None
        while self._waiting and self.writer is None:
            house, given = self._waiting.popleft()
            if not (house.dead or given.done()):
                self.writer = house
                given.set_result(None)

    def forget(self, house: Any) -> None:
        """Undo what a *house* that was killed has begun, and let its locks go."""
        for one in [one for one in self.sessions if one.house is house]:
            one.end()
        for owner, file in self.files:
            if owner is house and file._direct is not None:
                with suppress(ProgrammingError):  # it is closed
                    file._direct.rollback()
                    file._direct.close()
        if self.writer is house:
            self.noted = None
            self.yield_turn()

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, OSError) as wrong:
            raise DatabaseAway(f"The database is away: {GONE}.") from wrong


class FileCluster(ServerCluster):
    """The processes of a server, whose transactions are those of a file."""

    async def tell(self, tx: AsyncConnection, topic: str, *words: Any) -> None:
        self._engine.told[running_house.get()].append(self._write(topic, words))

    async def age(self, tx: AsyncConnection, then: int) -> int:
        return round(1000 * (BEGINS + self._engine.now())) - then


@dataclass(frozen=True)
class SharedFile(SqliteBackend):
    """A file that several houses write to, by turns."""

    server: Server = None

    def connect(self, *, readonly: bool) -> AsyncEngine:
        engine, files, house = super().connect(readonly=readonly), self.server.files, running_house
        for name, listener in {
            "connect": lambda one, _: files.append((house.get(), one.driver_connection)),
            "begin": sqlite._begin,  # the others write while we read
            "commit": self._committed,
            "rollback": self._undone,
        }.items():
            event.listen(engine.sync_engine, name, listener)
        return engine

    def _committed(self, _: Connection) -> None:
        for told in self.server.told.pop(running_house.get(), ()):
            self.server.notify(told)
        if self.server.writer is running_house.get():
            self.server.yield_turn()

    def _undone(self, connection: Connection) -> None:
        self.server.told.pop(running_house.get(), None)
        self.server.noted = None
        self._committed(connection)

    async def claim(self) -> Callable[[], None]:
        return lambda: None

    def files(self) -> dict[str, tuple[int, int]]:
        return {}

    def _nothing(self, connection: Connection) -> None:
        """The schema is there, and nobody has a lease of the file."""

    prepare = release = sweep = _nothing

    def cluster(self, turn: Turn, availability: Availability) -> FileCluster:
        return FileCluster(self.server, turn, self.server.translate_errors, availability)

    async def wait_to_write(self, tx: AsyncConnection, *, beside: bool) -> None:
        server = self.server
        await server.write_as(running_house.get())
        await asyncio.sleep(server.takes())
        living = sorted(server.rows)
        if living != server.noted:  # statements of transactions ask the table who lives
            server.noted = living
            await tx.execute(schema.process.delete())
            for one in living:
                await tx.execute(schema.process.insert().values(number=one, until=0))


def _for_several(backend: SqliteBackend) -> SqliteBackend:
    server = getattr(running_house.get(), "server", None)
    return backend if server is None else SharedFile(backend.path, server)


def install() -> None:
    """Let a file be shared where a house has a server, and a range have several shards."""
    SqliteBackend.for_several = _for_several
    chat.divide_shards = partial(divide_shards, most=2)
