"""The errors of the database.

A ``StorageError`` is for the operator: its text is one sentence that says what to do. The player
is only asked to try again. ``Conflict`` and ``ForgottenPerson`` are no failures: something else
came first.
"""

from __future__ import annotations


class StorageError(Exception):
    """The operator can mend it; the text is one sentence for them."""


class NewerDatabase(StorageError):
    """The database was written by a newer release than this one."""


class SecondProcess(StorageError):
    """Another process is running on this database."""


class CorruptDatabase(StorageError):
    """The file is damaged, or no database at all."""


class DatabaseUnavailable(StorageError):
    """The database is locked, unwritable or missing, or its disk is full."""


class DatabaseAway(DatabaseUnavailable):
    """The server does not answer; it may come back without anybody's doing."""


class DatabaseBusy(DatabaseUnavailable):
    """Another program holds the lock of the database for too long."""


class DatabaseFull(DatabaseUnavailable):
    """The disk is full: nothing can be saved, reading goes on."""


class DatabaseReplaced(DatabaseUnavailable):
    """The file is no longer the one that was opened: what is written would be lost."""


class UnsupportedDatabase(StorageError):
    """The address names a database, or a schema, that this release cannot use."""


class ForgottenPerson(Exception):
    """The person was forgotten before this could be stored: nothing of theirs may be."""


class Conflict(Exception):
    """Another change was faster: the row is no longer what the writer had read."""


class UnreadableRow(Exception):
    """A row of a game, the event of this *number*, has a value that cannot be valid, and *why*."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number}: {why}")
        self.number = number
        self.why = why
