"""Places of other houses, as their exports tell of them."""

from __future__ import annotations

from sqlalchemy import Column, Table

from storage.column_types import Instant, ObjectType, TextType
from storage.records import EPOCH
from storage.schema.base import metadata

imported_place = Table(  # another place, as its export tells of it: text, and nobody's here
    "imported_place",
    metadata,
    Column("platform", TextType(), primary_key=True),
    Column("place", TextType(), primary_key=True),
    Column("source", TextType(), primary_key=True),
    Column("title", TextType(), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("data", ObjectType(default={}), nullable=False),
)

imported_game = Table(  # the record of a game that was played there; it counts nowhere
    "imported_game",
    metadata,
    Column("platform", TextType(), primary_key=True),
    Column("place", TextType(), primary_key=True),
    Column("source", TextType(), primary_key=True),
    Column("code", TextType(), primary_key=True),
    Column("game", TextType(), nullable=False),
    Column("day", TextType(), nullable=False),
    Column("names", TextType(), nullable=False),  # each on a line, with an empty one around all
    Column("record", TextType(), nullable=False),
)
