"""What can go wrong with the database, told apart by who can mend it.

A ``StorageError`` is for the operator: its text is one sentence that says what to do. The player
hears only that it should be tried again. ``Conflict`` is nobody's fault: two came at once.
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


class DatabaseBusy(DatabaseUnavailable):
    """Another program holds the lock of the database, longer than anybody should wait."""


class DatabaseFull(DatabaseUnavailable):
    """The disk is full: nothing can be saved, reading goes on."""


class UnsupportedDatabase(StorageError):
    """The address names a database, or a schema, that this release cannot use."""


class Conflict(Exception):
    """Somebody was faster: the row is no longer what the writer had read."""
