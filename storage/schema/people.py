"""People, and what is theirs in chats."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table

from storage.column_types import Instant, NumberType, ObjectType, TextType
from storage.records import EPOCH
from storage.schema.base import metadata

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", TextType(), nullable=False),
    Column("language", TextType(default=None)),
    Column("created", Instant(default=EPOCH), nullable=False),
    Column("settings", ObjectType(default={}), nullable=False, server_default="{}"),
    Column("same_as", NumberType()),  # the person that this one was joined to
    Column("reminded", Instant()),  # when they were last told that time runs out
    sqlite_autoincrement=True,  # an id is never given twice
)

identity = Table(
    "identity",
    metadata,
    Column("platform", TextType(), primary_key=True),
    Column("external", TextType(), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), nullable=False, index=True),
)

link = Table(  # codes, each good once, by which two identities become one person
    "link",
    metadata,
    Column("code", TextType(), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
)

bar = Table(  # who is kept out of the tables of a place, or of the whole house ("")
    "bar",
    metadata,
    Column("platform", TextType(), primary_key=True),
    Column(
        "external", TextType(), primary_key=True
    ),  # outlives the identity: forgotten, they stay out
    Column("at_platform", TextType(), primary_key=True),
    Column("at_place", TextType(), primary_key=True),
    Column("since", Instant(default=EPOCH), nullable=False),
    Column("by", NumberType(1)),  # the manager; NULL for the operator
    Index("ix_bar_at_platform_at_place", "at_platform", "at_place"),
)

draft = Table(  # choices for new tables
    "draft",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), nullable=False, index=True),
    Column("platform", TextType(), nullable=False),
    Column("place", TextType(), nullable=False),
    Column("thread", TextType(default=None)),
    Column("data", ObjectType(default={}), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False, index=True),
    sqlite_autoincrement=True,  # a button of a sheet must not mean another one
)

alert = Table(  # what people want to be told of: tables that are opened in a place
    "alert",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("platform", TextType(), primary_key=True),
    Column("place", TextType(), primary_key=True),
    Column("game", TextType(), primary_key=True),
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("told", Instant()),  # NULL before the first time
    Index("ix_alert_platform_place_game", "platform", "place", "game"),
)
