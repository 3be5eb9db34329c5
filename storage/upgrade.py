"""Brings the schema up to this release, in one transaction, a copy of a file first."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select

from storage.backend import Backend
from storage.errors import NewerDatabase, UnsupportedDatabase
from storage.schema import metadata, setting

MIGRATIONS = Path(__file__).parent / "migrations"


ACCEPTS = "schema-accepts"
"""The setting that names a schema, and the oldest one whose release may run on it."""


def newest() -> str:
    """The revision of this release's schema."""
    return str(_scripts().get_current_head())


def revision(connection: Connection, name: str) -> str | None:
    """The revision of the database called *name*, None where it is still empty.

    One that this release does not know, and whose own release says that ours may run on it, is
    taken for ours. Raises ``NewerDatabase`` for any other, and ``UnsupportedDatabase`` for a
    database of another program.
    """
    tables = inspect(connection).get_table_names()
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        if tables and tables != ["alembic_version"]:
            raise UnsupportedDatabase(
                f"The database {name} belongs to another program; name another one."
            )
        return None
    known = {script.revision for script in _scripts().walk_revisions()}
    if found not in known:
        if setting.name in tables and _accepted(connection, found) in known:
            return newest()
        raise NewerDatabase(
            f"The database {name} was written by a newer release (schema {found}); start "
            "that release, or one after it."
        )
    return found


def _accepted(connection: Connection, found: str) -> str:
    asked = select(setting.c.value).where(setting.c.key == ACCEPTS)
    of, _, accepted = (connection.execute(asked).scalar_one_or_none() or "").partition(" ")
    return accepted if of == found else ""


def accepts() -> str:
    """The oldest revision whose release may run on the schema of this one.

    Each migration names it as ``accepts``; without that nobody but its own release may.
    """
    head = _scripts().get_revision("head")
    return str(getattr(head and head.module, "accepts", newest()))


def bears(found: str) -> bool:
    """Whether a process of the schema *found* may go on beside one that brings it to ours."""
    revisions = [script.revision for script in _scripts().walk_revisions()]
    return revisions.index(found) <= revisions.index(accepts())


def upgraded(connection: Connection, backend: Backend) -> None:
    """Brings the database up to ``newest``, entirely or not at all; an empty one gets its tables.

    Where there is something to migrate, the *backend* keeps a copy first. Raises as ``revision``
    does.
    """
    with connection.begin():
        found = revision(connection, backend.name)
    if found == newest():
        return
    if found is not None:
        backend.kept(found)
    config = _config()
    config.attributes["connection"] = connection
    with backend.migrating(connection):
        if found is None:
            metadata.create_all(connection)
            command.stamp(config, "head")
        else:
            command.upgrade(config, "head")
            of = {"key": ACCEPTS, "value": f"{newest()} {accepts()}"}
            connection.execute(setting.delete().where(setting.c.key == ACCEPTS))
            connection.execute(setting.insert().values(of))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
