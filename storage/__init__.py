"""Records and the database that keeps them.

``Store`` opens the database; the modules named after what they keep (``games``, ``views``,
``inbox``, ``people``, ``places``, ``deadlines``, ``settings``) hold the functions that take one of
its transactions; ``backup`` and ``checkup`` run beside it, ``restore``
and ``move`` where nobody has it open.
"""

from storage.copies import backup, copy_if_due
from storage.doctor import Finding, checkup, copies_checkup
from storage.engine import Store
from storage.errors import (
    Conflict,
    CorruptDatabase,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    NewerDatabase,
    SecondProcess,
    StorageError,
    UnsupportedDatabase,
)
from storage.moving import move
from storage.restoring import restore

__all__ = [
    "Conflict",
    "CorruptDatabase",
    "DatabaseBusy",
    "DatabaseFull",
    "DatabaseUnavailable",
    "Finding",
    "NewerDatabase",
    "SecondProcess",
    "StorageError",
    "Store",
    "UnsupportedDatabase",
    "backup",
    "checkup",
    "copies_checkup",
    "copy_if_due",
    "move",
    "restore",
]
