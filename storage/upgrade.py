"""Brings the schema up to this release, in one transaction, a copy of a file first."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select
from sqlalchemy.types import TypeEngine

from storage.database.backend import Backend
from storage.errors import NewerDatabase, UnsupportedDatabase
from storage.schema import metadata, setting

MIGRATIONS = Path(__file__).parent / "migrations"

KNOWN_AS = {"0003": "5c7e91d0a3f4"}
"""Revisions that go by another id here: that of 0.2.0.

A new revision has a random id, as alembic makes it, and no id is used twice.
"""

ACCEPTS = "schema-accepts"
"""The setting that names a schema, and the oldest one whose release may run on it."""


def newest_revision() -> str:
    """The revision of this release's schema."""
    return str(_scripts().get_current_head())


def revision_of(connection: Connection, name: str) -> str | None:
    """The revision of the database called *name*, None where it is still empty.

    A newer one whose release says that ours may run on it is taken for ours. Raises
    ``NewerDatabase`` for any other, ``UnsupportedDatabase`` for a database of another program.
    """
    tables = inspect(connection).get_table_names()
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        if tables and tables != ["alembic_version"]:
            raise UnsupportedDatabase(
                f"The database {name} belongs to another program; name another one."
            )
        return None
    found = KNOWN_AS.get(found, found)
    known = {script.revision for script in _scripts().walk_revisions()}
    if found not in known:
        if setting.name in tables and _accept(connection, found) in known:
            return newest_revision()
        raise NewerDatabase(
            f"The database {name} was written by a newer release (schema {found}); start "
            "that release, or one after it."
        )
    return found


def schema_differences(connection: Connection) -> list[str]:
    """How the tables differ from the schema so that this release cannot use them.

    Other tables and columns do no harm, but for columns that every new row would have to fill.
    """
    reflected = inspect(connection).get_multi_columns()
    there = {name: {c["name"]: c for c in columns} for (_, name), columns in reflected.items()}
    wrong = []
    for table in metadata.sorted_tables:
        if table.name not in there:
            wrong.append(f"{table.name} is missing")
            continue
        columns = there[table.name]
        for column in table.columns:
            found = columns.pop(column.name, None)
            if found is None:
                wrong.append(f"{column} is missing")
            elif _type_of(connection, found["type"]) != _type_of(connection, column.type):
                wrong.append(f"{column} is of another type")
            elif found["nullable"] != column.nullable:
                wrong.append(f"{column} may {'' if found['nullable'] else 'not '}be empty")
        wrong += [
            f"{table.name}.{name} is unknown"
            for name, column in columns.items()
            if not column["nullable"] and column["default"] is None
        ]
    return wrong


def _type_of(connection: Connection, kept: TypeEngine[Any]) -> str:
    return kept.compile(dialect=connection.dialect)


def refuse_differences(connection: Connection, name: str) -> None:
    """Raises ``UnsupportedDatabase`` where the tables are not those of this release."""
    wrong = schema_differences(connection)
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        raise UnsupportedDatabase(
            f"The tables of the database {name} are not those of its schema "
            f"({', '.join(wrong[:3])}{more}); put an earlier copy of it back."
        )


def _accept(connection: Connection, found: str) -> str:
    asked = select(setting.c.value).where(setting.c.key == ACCEPTS)
    of, _, accepted = (connection.execute(asked).scalar_one_or_none() or "").partition(" ")
    return accepted if of == found else ""


def oldest_accepted() -> str:
    """The oldest revision whose release may run on the schema of this one.

    Each migration names it as ``accepts``; without that only its own release may.
    """
    head = _scripts().get_revision("head")
    return str(getattr(head and head.module, "accepts", newest_revision()))


def can_run_beside(found: str) -> bool:
    """Whether a process of the schema *found* may go on beside one that brings it to ours."""
    revisions = [script.revision for script in _scripts().walk_revisions()]
    return revisions.index(found) <= revisions.index(oldest_accepted())


def upgrade_schema(connection: Connection, backend: Backend) -> Path | None:
    """Brings the database up to ``newest_revision``, entirely or not at all.

    An empty one gets its tables. Where there is something to migrate, the *backend* keeps a copy
    first, and where that is is answered. Raises as ``revision_of`` and ``refuse_differences`` do.
    """
    with connection.begin():
        found = revision_of(connection, backend.name)
        if found == newest_revision():
            refuse_differences(connection, backend.name)
            _note_accepted(connection)
            return None
    copy = None if found is None else backend.keep_copy(found)
    with backend.migration(connection):
        if found is None:
            metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(_scripts(), "head")
        else:
            config = _config(MIGRATIONS)
            config.attributes["connection"] = connection
            command.stamp(config, found, purge=True)  # it may bear another id
            command.upgrade(config, "head")
            refuse_differences(connection, backend.name)
        _note_accepted(connection)
    return copy


def _note_accepted(connection: Connection) -> None:
    """Notes in a database of our schema who may run on it, by whatever road it came to be.

    One of a newer schema that we may run on keeps what its own release noted.
    """
    newest = newest_revision()
    ours = MigrationContext.configure(connection).get_current_revision() == newest
    if ours and _accept(connection, newest) != oldest_accepted():
        of = {"key": ACCEPTS, "value": f"{newest} {oldest_accepted()}"}
        connection.execute(setting.delete().where(setting.c.key == ACCEPTS))
        connection.execute(setting.insert().values(of))


def _config(folder: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _scripts() -> ScriptDirectory:
    return _scripts_in(MIGRATIONS)


@cache
def _scripts_in(folder: Path) -> ScriptDirectory:
    return ScriptDirectory.from_config(_config(folder))
