"""The messages that show something."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from storage.column_types import Instant, NumberType, TextType
from storage.schema.base import metadata

view = Table(
    "view",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", TextType(), nullable=False),
    Column("subject", TextType(), nullable=False),  # of a board the code of its game
    Column("platform", TextType(), nullable=False),
    Column("place", TextType(), nullable=False),
    Column("message", TextType(default=None)),
    Column("thread", TextType(default=None)),
    Column("person", NumberType(1), ForeignKey("person.id")),
    Column("language", TextType(), nullable=False),
    Column("theme", TextType(), nullable=False),
    Column("side", NumberType()),
    Column("shown", NumberType(default=0), nullable=False),
    Column("owed", NumberType(default=0), nullable=False),
    Column("token", TextType(default=None)),
    Column("token_at", Instant()),
    Column("posted", Instant()),
    Column("digest", TextType(), nullable=False),
    Column("over_at", Instant()),
    UniqueConstraint("kind", "subject", "platform", "place", "message"),
    Index("ix_view_platform_place_message", "platform", "place", "message"),
    Index("ix_view_platform_place_over_at_subject", "platform", "place", "over_at", "subject"),
    sqlite_autoincrement=True,  # a late report about a dropped view must not hit a new one
)
# Few views are behind at any time, so the index that finds them stays small.
_behind = view.c.shown < view.c.owed
Index("ix_view_behind", view.c.id, sqlite_where=_behind, postgresql_where=_behind)
