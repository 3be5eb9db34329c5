"""What chats hand in, and the places of which they are made."""

from __future__ import annotations

from typing import get_args

from sqlalchemy import Column, Index, Integer, Table, UniqueConstraint

from storage.column_types import FlagType, Instant, NumberType, ObjectType, TextType
from storage.records import EPOCH, InboxState
from storage.schema.base import metadata

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),  # the order of arrival
    Column("platform", TextType(), nullable=False),
    Column("update", TextType(), nullable=False),
    Column("payload", TextType(default=None)),
    Column("state", TextType(*get_args(InboxState), default="aside"), nullable=False),
    Column("attempts", NumberType(default=0), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
    UniqueConstraint("platform", "update"),
    Index("ix_inbox_state_at", "state", "at"),
)

place = Table(
    "place",
    metadata,
    Column("platform", TextType(), primary_key=True),
    Column("place", TextType(), primary_key=True),
    Column("retry_at", Instant()),
    Column("suspended", FlagType(default=False), nullable=False),
    Column("language", TextType(default=None)),
    Column("settings", ObjectType(default={}), nullable=False),
)

outage = Table(  # when a platform, or one place of it, could not be reached
    "outage",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("platform", TextType(), nullable=False),
    Column("place", TextType(), nullable=False),  # empty for the whole platform
    Column("began", Instant(default=EPOCH), nullable=False),
    Column("ended", Instant()),
)
