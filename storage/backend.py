"""What a database must be able to do beside running statements, which are the same for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.cluster import Cluster, Turn


class Backend(ABC):
    """One database: a file, memory, or one on a server.

    What a method raises is a ``StorageError``, whose text never repeats the address: that may hold
    a password.
    """

    reading: Mapping[str, Any]
    """The execution options of a transaction that only reads, all of it the same state."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call it."""

    @abstractmethod
    def connected(self, *, readonly: bool) -> AsyncEngine:
        """An engine of exactly one connection."""

    def shared(self) -> Backend:
        """The same for one of several processes, where several may run on it."""
        return self

    def fleet(self, turn: Turn) -> Cluster:
        """The processes on it, of which we are one; *turn* as ``ServerCluster`` needs it."""
        del turn
        return Cluster()

    async def queued(self, tx: AsyncConnection, *, beside: bool) -> None:  # noqa: B027
        """Waits until *tx* may write: *beside* others that are so, or alone, over all processes."""

    @abstractmethod
    def translated(self) -> AbstractContextManager[None]:
        """Turns what the driver raises into a ``StorageError``, where the operator can mend it."""

    @abstractmethod
    async def claimed(self) -> Callable[[], None]:
        """Keeps a second process out; answers what lets it in again.

        Raises ``SecondProcess``, ``UnsupportedDatabase``, ``NewerDatabase``, ``CorruptDatabase``
        or ``DatabaseUnavailable``, and leaves the database as it was.
        """

    @abstractmethod
    def refuse_absent(self) -> None:
        """Raises ``DatabaseUnavailable`` where there is nothing to read."""

    @abstractmethod
    def settled(self, connection: Connection) -> None:
        """Brings the schema up to this release, and takes the lease."""

    @abstractmethod
    def migrating(self, connection: Connection) -> AbstractContextManager[None]:
        """A transaction that may rebuild tables, whose references are checked before it commits."""

    @abstractmethod
    def last_id(self, connection: Connection, table: Table) -> int | None:
        """The last id given in *table*, also to a row that is gone; None where it gives none."""

    @abstractmethod
    def go_on_after(self, connection: Connection, table: Table, last: int) -> None:
        """Gives ids after *last* in *table* from now on."""

    def kept(self, revision: str) -> None:  # noqa: B027 -- a server has its operator's backups
        """Keeps a copy of what has still this *revision*, before it is migrated."""

    def given_back(self, connection: Connection) -> None:  # noqa: B027
        """Gives the lease back, in a transaction of the caller."""

    def wait_for_locks(self, connection: Connection, seconds: float) -> None:  # noqa: B027
        """Makes the *connection*, which is in no transaction, wait so long for others' locks."""

    def sweep(self, connection: Connection) -> None:  # noqa: B027
        """Lets nothing of what was deleted stay; *connection* is in no transaction."""
