"""Games and what belongs to them."""

from __future__ import annotations

from typing import get_args

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, false, text

from storage.column_types import (
    SECRET,
    BlobType,
    FlagType,
    Instant,
    NumberType,
    ObjectType,
    Seats,
    TextType,
)
from storage.records import EPOCH, Status
from storage.schema.base import metadata

game = Table(
    "game",
    metadata,
    Column("code", TextType(), primary_key=True),
    Column("game", TextType(), nullable=False),
    Column("status", TextType(*get_args(Status), default="open"), nullable=False, index=True),
    Column("version", NumberType(default=-1), nullable=False),
    Column("created", Instant(default=EPOCH), nullable=False),
    Column("touched", Instant(default=EPOCH), nullable=False),
    Column("secret", BlobType(SECRET)),
    Column("parent", TextType(default=None), ForeignKey("game.code")),
    Column("over_at", Instant()),  # NULL while it lives; seat and view repeat it for their indexes
    Column("to_move", Seats()),  # NULL until the events of an earlier release are read
    Column("computer", FlagType(default=False), nullable=False, server_default=false()),
    Column("match", TextType(), nullable=False, server_default=""),
    Column("holder", NumberType(default=0), nullable=False, server_default="0"),  # it thinks
    Column("rated", FlagType(default=False), nullable=False, server_default=false()),
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
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("seat", NumberType(default=-1), primary_key=True, autoincrement=False),
    Column("person", NumberType(1), ForeignKey("person.id")),
    Column("level", NumberType()),
    Column("side", TextType(), nullable=False),
    Column("place", NumberType()),
    Column("over_at", Instant()),
    Index("ix_seat_person_over_at_game", "person", "over_at", "game"),
)

event = Table(  # without defaults: a table with a damaged event is set aside
    "event",
    metadata,
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("number", NumberType(1, default=...), primary_key=True, autoincrement=False),
    Column("at", Instant(default=...), nullable=False),
    Column("kind", TextType(default=...), nullable=False),
    Column("seat", NumberType(default=...)),
    Column("text", TextType(default=...), nullable=False),
    Column("data", ObjectType(), nullable=False),
    Column("steady", Instant(default=...)),
    sqlite_with_rowid=False,  # one tree to write instead of two
)

fault = Table(  # games set aside because their events cannot be read
    "fault",
    metadata,
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("event", NumberType()),
    Column("why", TextType(), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
)

talk = Table(  # what people said to one another over a table
    "talk",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", TextType(), ForeignKey("game.code"), nullable=False),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), nullable=False, index=True),
    Column("seat", NumberType()),  # NULL for a spectator
    Column("preset", TextType(), nullable=False),  # the name of a sentence of ours, or empty
    Column("text", TextType(), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
    Index("ix_talk_game_id", "game", "id"),
    sqlite_autoincrement=True,  # a page asks for what is newer than what it has
)

comment = Table(  # what somebody has written for themselves on a moment of a finished game
    "comment",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("number", NumberType(default=0), primary_key=True),  # after how many entries of the log
    Column("text", TextType(), nullable=False),
    Column("moves", TextType(), nullable=False),  # a branch from there: a,b;c,d
    Column("at", Instant(default=EPOCH), nullable=False),
)

deadline = Table(
    "deadline",
    metadata,
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("kind", TextType(), primary_key=True),
    Column("version", NumberType(default=0), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False, index=True),
    Column("person", NumberType()),  # whose time runs: one message tells of all their tables
    Index("ix_deadline_person_at", "person", "at"),
)
