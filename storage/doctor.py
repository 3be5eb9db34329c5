"""Checks of the database that only read and may run beside a bot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, exists, func, select

from storage.damaged_cell_scan import CellFault, Judges, find_damaged_cells
from storage.database.backend import Backend
from storage.database.backups import EVERY, backups_in
from storage.database.sqlite import SqliteBackend, find_faults, find_orphans
from storage.errors import StorageError
from storage.schema import (
    Transaction,
    deadline,
    event,
    fault,
    game,
    identity,
    inbox,
    person,
    place,
    view,
)
from storage.store import backend_at
from storage.upgrade import newest_revision, revision_of, schema_differences

Level: TypeAlias = Literal["fine", "warning", "error"]

HOUR = timedelta(hours=1)

LATE = 2 * EVERY
"""How old the newest backup may become before the operator is warned."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: its name, its gravity, and a sentence for the operator."""

    check: str
    level: Level
    text: str


async def check_database(url: str) -> list[Finding]:
    """Examines the database at *url*; a failure to do so is a finding too."""
    try:
        backend = backend_at(url)
        if isinstance(backend, SqliteBackend):
            path = backend.path
            if path is None:
                return [Finding("file", "fine", "A database in memory is always new.")]
            if not path.is_file():
                return [Finding("file", "warning", f"There is no database {backend.name} yet.")]
        return await backend.examine(_findings, backend)
    except StorageError as error:
        return [Finding("file", "error", str(error))]


async def damaged_cells(url: str, judges: Judges) -> tuple[CellFault, ...]:
    """The cells of the database at *url* that cannot be valid, by their types and *judges*."""
    backend = backend_at(url)
    return await backend.examine(_cells, backend, judges)


def _cells(connection: Connection, backend: Backend, judges: Judges) -> tuple[CellFault, ...]:
    with backend.exact_text(connection):
        return tuple(find_damaged_cells(connection, judges))


async def check_backups(folder: Path, now: datetime) -> list[Finding]:
    """Examines the newest backup in *folder*: its presence, age and soundness."""
    made = backups_in(folder, now)
    if not made:
        return [Finding("copies", "warning", f"There is no copy in the folder {folder} yet.")]
    newest_one = made[-1]
    found = await check_database(f"sqlite+aiosqlite:///{newest_one.path.resolve()}")
    if wrong := [one.text for one in found if one.level == "error"]:
        text = f"The newest copy {newest_one.path} is not sound: {wrong[0]}"
        return [Finding("copies", "error", text)]
    age = now - newest_one.at
    level: Level = "fine" if abs(age) < LATE else "warning"
    text = f"The newest copy {newest_one.path} is sound and {age // HOUR} hours old."
    return [Finding("copies", level, text)]


async def count_set_aside(tx: Transaction) -> tuple[int, int]:
    """The numbers of updates and of tables that were set aside."""
    updates = (await tx.execute(_aside)).scalar_one()
    return updates, (await tx.execute(select(func.count()).select_from(fault))).scalar_one()


def _findings(connection: Connection, backend: Backend) -> list[Finding]:
    found = [*_file(connection, backend)] if isinstance(backend, SqliteBackend) else []
    current = revision_of(connection, backend.name)
    if current != newest_revision():
        age = "empty" if current is None else f"of an earlier release (schema {current})"
        text = f"The database is {age}; the bot brings it up to date when it starts."
        return [*found, Finding("schema", "warning", text)]
    if wrong := schema_differences(connection):
        text = f"The tables are not those of schema {current}: {', '.join(wrong)}; put an earlier "
        return [*found, Finding("schema", "error", text + "copy of the database back.")]
    found.append(Finding("schema", "fine", f"The schema is that of this release ({current})."))
    found.extend(_count_rows(connection, *check) for check in _CHECKS)
    return found


def _file(connection: Connection, backend: SqliteBackend) -> Iterator[Finding]:
    faults = find_faults(connection, quick=False)
    if faults:
        yield Finding("integrity", "error", f"{backend.damaged()} First fault: {faults[0]}")
    else:
        yield Finding("integrity", "fine", f"The file {backend.name} is sound.")
    orphans = find_orphans(connection)
    if orphans:
        tables = ", ".join(sorted(set(orphans)))
        text = f"{len(orphans)} rows refer to rows that are gone, in {tables}; put a copy back "
        text += "with ludoteca restore FILE."
        yield Finding("references", "error", text)
    else:
        yield Finding("references", "fine", "Every row finds the rows it refers to.")


def _count_rows(
    connection: Connection, check: str, query: Select[int], level: Level, text: str
) -> Finding:
    count = connection.execute(query).scalar_one()
    return Finding(check, level if count else "fine", text.format(count=count))


def _count(*where: ColumnElement[bool]) -> Select[int]:
    return select(func.count()).where(*where)


_last = select(func.coalesce(func.max(event.c.number), 0)).where(event.c.game == game.c.code)
_many = select(func.count()).select_from(event).where(event.c.game == game.c.code)
_behind = view.c.shown < view.c.owed
_suspended = exists().where(
    place.c.platform == view.c.platform, place.c.place == view.c.place, place.c.suspended
)
_over = exists().where(game.c.code == deadline.c.game, game.c.status.in_(("ended", "closed")))
_known = exists().where(identity.c.person == person.c.id)

_torn = (game.c.version != _last.scalar_subquery()) | (
    _last.scalar_subquery() != _many.scalar_subquery()
)
# A person who was erased or joined to another has no name, and no chat needs to know them.
_strangers = _count(~_known, person.c.name != "").select_from(person)
_late = _count(_over).select_from(deadline)
_owed = _count(_behind, ~_suspended).select_from(view)
_shut = _count(_behind, _suspended).select_from(view)
_pending, _aside = (_count(inbox.c.state == state) for state in ("pending", "aside"))

_CHECKS: tuple[tuple[str, Select[int], Level, str], ...] = (
    ("events", _count(_torn), "error", "Games of which something is missing: {count}."),
    ("people", _strangers, "warning", "People whom no chat knows: {count}."),
    ("deadlines", _late, "warning", "Deadlines of games that are over: {count}."),
    ("owed", _owed, "fine", "Boards to be shown as soon as the bot runs: {count}."),
    (
        "suspended",
        _shut,
        "fine",
        "Boards that wait in places which do not let the bot in: {count}.",
    ),
    ("pending", _pending, "fine", "Updates received and not yet done: {count}."),
    ("aside", _aside, "warning", "Updates that failed every time and were set aside: {count}."),
)
