"""The tables, and how their rows become records and records rows.

``migrations/`` brings the tables of earlier releases here, and a test compares both. No foreign key
cascades: rows are deleted by name, or the database refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Executable,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    String,
    Table,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeDecorator

from storage.records import EPOCH, MILLISECOND

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept as whole milliseconds since 1970 in UTC.

    Raises ``ValueError`` for a naive one.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> int | None:
        """Milliseconds since 1970, rounded down."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"storage keeps aware datetimes, and {value!r} has no time zone")
        return (value - EPOCH) // MILLISECOND

    def process_result_value(self, value: int | None, _dialect: Dialect) -> datetime | None:
        """The instant, in UTC."""
        return None if value is None else EPOCH + value * MILLISECOND


class Seats(TypeDecorator[tuple[int, ...]]):
    """Seats in their order, kept as the bits of one number."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: tuple[int, ...] | None, _dialect: Dialect) -> int | None:
        """Bit n for seat n."""
        return None if value is None else sum(1 << seat for seat in set(value))

    def process_result_value(self, value: int | None, _dialect: Dialect) -> tuple[int, ...] | None:
        """The seats of the bits."""
        if value is None:
            return None
        return tuple(seat for seat in range(value.bit_length()) if value >> seat & 1)


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("language", String),
    Column("created", Instant, nullable=False),
    Column("settings", JSON, nullable=False, server_default="{}"),
    Column("same_as", Integer),  # the person that this one was joined to
    Column("reminded", Instant),  # when they were last told that time runs out
    sqlite_autoincrement=True,  # an id is never given twice
)

identity = Table(
    "identity",
    metadata,
    Column("platform", String, primary_key=True),
    Column("external", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
)

game = Table(
    "game",
    metadata,
    Column("code", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("status", String, nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("created", Instant, nullable=False),
    Column("touched", Instant, nullable=False),
    Column("secret", LargeBinary),
    Column("parent", ForeignKey("game.code")),
    Column("over_at", Instant),  # NULL while it lives; seat and view repeat it for their indexes
    Column("to_move", Seats),  # NULL until the events of an earlier release are read
    Column("computer", Boolean, nullable=False, server_default=false()),
    Column("match", String, nullable=False, server_default=""),
    Column("holder", Integer, nullable=False, server_default="0"),  # whose computer thinks
)
# Few games wait for a computer, or to be read, at any time, so these indexes stay small.
_unknown = game.c.to_move.is_(None)
Index(
    "ix_game_computer",
    game.c.code,
    sqlite_where=text("computer = 1"),  # as it is asked for: SQLite compares the words
    postgresql_where=game.c.computer,
)
Index("ix_game_unknown", game.c.code, sqlite_where=_unknown, postgresql_where=_unknown)

seat = Table(
    "seat",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", ForeignKey("person.id")),
    Column("level", Integer),
    Column("side", String, nullable=False),
    Column("place", Integer),
    Column("over_at", Instant),
    Index("ix_seat_person_over_at_game", "person", "over_at", "game"),
)

event = Table(
    "event",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", String, nullable=False),
    Column("seat", Integer),
    Column("text", String, nullable=False),
    Column("data", JSON, nullable=False),
    Column("steady", Instant),
    sqlite_with_rowid=False,  # one tree to write instead of two
)

fault = Table(  # games set aside because their events cannot be read
    "fault",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("event", Integer),
    Column("why", String, nullable=False),
    Column("at", Instant, nullable=False),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("format", String, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

view = Table(
    "view",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.code"), nullable=False),
    Column("platform", String, nullable=False),
    Column("place", String, nullable=False),
    Column("message", String),
    Column("thread", String),
    Column("person", ForeignKey("person.id")),
    Column("language", String, nullable=False),
    Column("theme", String, nullable=False),
    Column("side", Integer),
    Column("shown", Integer, nullable=False),
    Column("owed", Integer, nullable=False),
    Column("token", String),
    Column("token_at", Instant),
    Column("posted", Instant),
    Column("digest", String, nullable=False),
    Column("over_at", Instant),
    UniqueConstraint("game", "platform", "place", "message"),
    Index("ix_view_platform_place_message", "platform", "place", "message"),
    Index("ix_view_platform_place_over_at_game", "platform", "place", "over_at", "game"),
    sqlite_autoincrement=True,  # a late report about a dropped view must not hit a new one
)
# Few views are behind at any time, so the index that finds them stays small.
_behind = view.c.shown < view.c.owed
Index("ix_view_behind", view.c.id, sqlite_where=_behind, postgresql_where=_behind)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),  # the order of arrival
    Column("platform", String, nullable=False),
    Column("update", String, nullable=False),
    Column("payload", String),
    Column("state", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("at", Instant, nullable=False),
    UniqueConstraint("platform", "update"),
    Index("ix_inbox_state_at", "state", "at"),
)

place = Table(
    "place",
    metadata,
    Column("platform", String, primary_key=True),
    Column("place", String, primary_key=True),
    Column("retry_at", Instant),
    Column("suspended", Boolean, nullable=False),
    Column("language", String),
    Column("settings", JSON, nullable=False),
)

call = Table(  # notifications, sent or due
    "call",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("kind", String, nullable=False),  # empty once the person has answered
    Column("turn", Integer, nullable=False),
    Column("due", Instant, index=True),  # NULL once it was sent
    Column("platform", String),
    Column("place", String),
    Column("thread", String),
    Column("message", String),
    Index("ix_call_platform_place", "platform", "place"),
)
_answered = call.c.kind == ""
Index("ix_call_answered", call.c.game, sqlite_where=text("kind = ''"), postgresql_where=_answered)

presence = Table(  # from where each person plays at a table
    "presence",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("platform", String, nullable=False),
    Column("place", String, nullable=False),
    Column("thread", String),
    Column("private", Boolean, nullable=False),
    Index("ix_presence_platform_place", "platform", "place"),
)

draft = Table(  # choices for new tables
    "draft",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("platform", String, nullable=False),
    Column("place", String, nullable=False),
    Column("thread", String),
    Column("data", JSON, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    sqlite_autoincrement=True,  # a button of a sheet must not mean another one
)

link = Table(  # codes, each good once, by which two identities become one person
    "link",
    metadata,
    Column("code", String, primary_key=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("at", Instant, nullable=False),
)

talk = Table(  # what people said to one another over a table
    "talk",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.code"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("seat", Integer),  # NULL for a spectator
    Column("preset", String, nullable=False),  # the name of a sentence of ours, or empty
    Column("text", String, nullable=False),
    Column("at", Instant, nullable=False),
    Index("ix_talk_game_id", "game", "id"),
    sqlite_autoincrement=True,  # a page asks for what is newer than what it has
)

deadline = Table(
    "deadline",
    metadata,
    Column("game", ForeignKey("game.code"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("person", Integer),  # whose time runs, so that one message tells of all their tables
    Index("ix_deadline_person_at", "person", "at"),
)

outage = Table(  # when a platform, or one place of it, could not be reached
    "outage",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("platform", String, nullable=False),
    Column("place", String, nullable=False),  # empty for the whole platform
    Column("began", Instant, nullable=False),
    Column("ended", Instant),
)

setting = Table(
    "setting",
    metadata,
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
)

process = Table(  # those that run on a database of a server
    "process",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("until", BigInteger, nullable=False),  # by the server's clock, in milliseconds
    sqlite_autoincrement=True,
)

lease = Table(  # what only one of them does at a time
    "lease",
    metadata,
    Column("name", String, primary_key=True),
    Column("holder", Integer, nullable=False),
)


def columns_of(table: Table, record: type) -> tuple[Column[Any], ...]:
    """The columns of *table* that a dataclass has fields for, in the order of the fields."""
    return tuple(table.c[field.name] for field in fields(record))


def values_of(row: DataclassInstance) -> dict[str, Any]:
    """The fields of a dataclass by their names."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


async def fetch_one(
    tx: AsyncConnection,
    record: Callable[..., T],
    asked: Select[Any],
    given: Mapping[str, Any] | None = None,
) -> T | None:
    """The only row of a query as a *record*; None if there is none."""
    row = (await tx.execute(asked, given)).one_or_none()
    return None if row is None else record(*row)


async def fetch_all(
    tx: AsyncConnection,
    record: Callable[..., T],
    asked: Executable,
    given: Mapping[str, Any] | None = None,
) -> tuple[T, ...]:
    """Every row of a statement as a *record*."""
    return tuple(record(*row) for row in await tx.execute(asked, given))


async def upsert(
    tx: AsyncConnection,
    table: Table,
    changed: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
) -> None:
    """Changes the row of the same primary key, or adds it with *defaults*."""
    adding = insert(table).values({**(defaults or {}), **changed})
    await tx.execute(adding.on_conflict_do_update(index_elements=table.primary_key, set_=changed))
