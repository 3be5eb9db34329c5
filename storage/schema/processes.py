"""The processes that share a database, and what they note in it."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, Table

from storage.column_types import NumberType, TextType
from storage.schema.base import metadata

setting = Table(
    "setting",
    metadata,
    Column("key", TextType(), primary_key=True),
    Column("value", TextType(), nullable=False),
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
    Column("name", TextType(), primary_key=True),
    Column("holder", NumberType(default=0), nullable=False),
)
