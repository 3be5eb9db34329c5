"""Who is called to a game, and where they play from."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Table, text

from storage.column_types import FlagType, Instant, NumberType, TextType
from storage.schema.base import metadata

CALL_KINDS: Final = (
    *("challenge", "accepted", "begun", "declined", "expired", "unfilled", "cancelled", "idle"),
    *("turn", "draw", "undo", "pause", "rematch", "over", "left", "moved"),
    *("half", "time", "waits", "long", "late", "claim", "flagged", "uncounted", "ruled", "missed"),
    *("tournament", "wanted", "seeking"),
)
"""The reasons of notifications, which ``bot.notify.recipients`` explains."""

call = Table(  # notifications, sent or due
    "call",
    metadata,
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("kind", TextType("", *CALL_KINDS), nullable=False),  # empty once they have answered
    Column("turn", NumberType(default=0), nullable=False),
    Column("due", Instant(), index=True),  # NULL once it was sent
    Column("platform", TextType(default=None)),
    Column("place", TextType(default=None)),
    Column("thread", TextType(default=None)),
    Column("message", TextType(default=None)),
    Index("ix_call_platform_place", "platform", "place"),
)
_answered = call.c.kind == ""
Index("ix_call_answered", call.c.game, sqlite_where=text("kind = ''"), postgresql_where=_answered)

presence = Table(  # from where each person plays at a table
    "presence",
    metadata,
    Column("game", TextType(), ForeignKey("game.code"), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("platform", TextType(), nullable=False),
    Column("place", TextType(), nullable=False),
    Column("thread", TextType(default=None)),
    Column("private", FlagType(default=False), nullable=False),
    Index("ix_presence_platform_place", "platform", "place"),
)
