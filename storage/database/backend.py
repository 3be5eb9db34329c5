"""What differs between databases; the statements are the same for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Column, Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.database.availability import Availability
from storage.database.process_cluster import Cluster, Turn

P = ParamSpec("P")
T = TypeVar("T")


class Backend(ABC):
    """One database: a file, memory, or one on a server.

    Its methods raise ``StorageError``. The text never repeats the address, which may hold a
    password.
    """

    reading: Mapping[str, Any]
    """The execution options of a transaction that only reads, all of it the same state."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in messages."""

    @abstractmethod
    def connect(self, *, readonly: bool) -> AsyncEngine:
        """An engine of exactly one connection."""

    def for_several(self) -> Backend:
        """The same for one of several processes, where the database allows them."""
        return self

    def cluster(self, turn: Turn, availability: Availability) -> Cluster:
        """The processes that run on it; the arguments as ``ServerCluster`` needs them."""
        return Cluster()

    @abstractmethod
    async def lineage(self, tx: AsyncConnection) -> str:
        """A name of the database that changes where an older copy is put in its place."""

    def files(self) -> Mapping[str, tuple[int, int]]:
        """The files that must stay in their places while a connection is open, with what they are.

        Empty where there are none; one that is absent is left out.
        """
        return {}

    async def wait_to_write(self, tx: AsyncConnection, *, beside: bool) -> None:
        """Waits until *tx* may write, alone or only *beside* others of that kind."""

    @abstractmethod
    def translate_errors(self) -> AbstractContextManager[None]:
        """Turns errors of the driver that the operator can mend into a ``StorageError``."""

    async def examine(
        self, look: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What *look* answers on a connection of its own that only reads."""
        engine = self.connect(readonly=True)
        try:
            with self.translate_errors():
                async with engine.execution_options(**self.reading).connect() as connection:
                    return await connection.run_sync(look, *args, **kwargs)
        finally:
            await engine.dispose()

    @abstractmethod
    async def claim(self) -> Callable[[], None]:
        """Keeps a second process out; answers a function that lets it in again.

        Raises ``SecondProcess``, ``UnsupportedDatabase``, ``NewerDatabase``, ``CorruptDatabase``
        or ``DatabaseUnavailable``, and leaves the database as it was.
        """

    @abstractmethod
    def refuse_absent(self) -> None:
        """Raises ``DatabaseUnavailable`` where there is nothing to read."""

    @abstractmethod
    def prepare(self, connection: Connection) -> Path | None:
        """Brings the schema up to this release, and takes the lease; answers as ``keep_copy``."""

    @abstractmethod
    def migration(self, connection: Connection) -> AbstractContextManager[None]:
        """A transaction that may rebuild tables; it checks their references before it commits."""

    @abstractmethod
    def last_id(self, connection: Connection, column: Column[int]) -> int:
        """The last id given in *column*, the number of rows, also to a deleted one."""

    @abstractmethod
    def set_last_id(self, connection: Connection, column: Column[int], last: int) -> None:
        """Gives ids after *last* in *column* from now on."""

    @abstractmethod
    def keep_copy(self, revision: str) -> Path | None:
        """Keeps a copy of the database, still at this *revision*, before it is migrated.

        Answers where it is; ``None`` where none is made.
        """

    def exact_text(self, connection: Connection) -> AbstractContextManager[None]:
        """Reads text in here so that bytes which are no UTF-8 show as lone surrogates."""
        return nullcontext()  # a server takes no such bytes

    def without_copies(self) -> Backend:
        """The same for an operator who has made a copy, where we might not be able to."""
        return self

    def release(self, connection: Connection) -> None:
        """Gives the lease back, in a transaction of the caller."""

    def is_closed(self, connection: AsyncConnection) -> bool:
        """Whether *connection* is known to be closed by the other side."""
        return False

    def wait_for_locks(self, connection: Connection, seconds: float) -> None:
        """Sets how long *connection* waits for locks; it is in no transaction."""

    def sweep(self, connection: Connection) -> None:
        """Removes all traces of deleted rows; *connection* is in no transaction."""
