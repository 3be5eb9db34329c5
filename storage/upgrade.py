"""Brings the schema up to this release, in one transaction, a copy of the file first."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from storage.errors import NewerDatabase, UnsupportedDatabase
from storage.schema import metadata
from storage.sqlite import Location, copied, without_foreign_keys

MIGRATIONS = Path(__file__).parent / "migrations"


def newest() -> str:
    """The revision of this release's schema."""
    return str(_scripts().get_current_head())


def revision(connection: Connection, location: Location) -> str | None:
    """The revision of the database, None where it is still empty.

    Raises ``NewerDatabase`` for a revision that this release does not know, and
    ``UnsupportedDatabase`` for a file of another program.
    """
    tables = inspect(connection).get_table_names()
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        if tables and tables != ["alembic_version"]:
            raise UnsupportedDatabase(
                f"The database {location.name} belongs to another program; name another file."
            )
        return None
    known = {script.revision for script in _scripts().walk_revisions()}
    if found not in known:
        raise NewerDatabase(
            f"The database {location.name} was written by a newer release (schema {found}); start "
            "that release, or one after it."
        )
    return found


def upgraded(connection: Connection, location: Location) -> None:
    """Brings the database up to ``newest``, entirely or not at all; an empty one gets its tables.

    Where there is something to migrate, a copy of the file is made beside it first, named after
    the revision that it still has. Raises as ``revision`` does.
    """
    with connection.begin():
        found = revision(connection, location)
    if found == newest():
        return
    if found is not None and location.path is not None:
        copied(location.path, location.path.with_name(f"{location.path.name}.schema-{found}"))
    config = _config()
    config.attributes["connection"] = connection
    with without_foreign_keys(connection):
        if found is None:
            metadata.create_all(connection)
            command.stamp(config, "head")
        else:
            command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
