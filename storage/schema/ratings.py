"""The journal of the ratings, and what follows from it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Integer, Table

from storage.column_types import (
    FlagType,
    Instant,
    NumbersType,
    NumberType,
    ObjectType,
    TextType,
    deviation,
    strength,
)
from storage.records import EPOCH
from storage.schema.base import metadata

RATING_KINDS: Final = ("game", "link", "correction", "since", "formula")
"""The kinds of entries of the ratings' journal, which ``bot.standing.journal`` explains."""

rating_entry = Table(  # what counts for ratings, in the order in which it counted
    "rating_entry",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("kind", TextType(*RATING_KINDS, default="formula"), nullable=False),
    Column("pool", TextType(), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("game", TextType(default=None), ForeignKey("game.code"), index=True),
    Column("formula", TextType(), nullable=False),
    Column("people", NumbersType(), nullable=False),
    Column("places", NumbersType(), nullable=False),
    Column("of", NumberType(1), index=True),  # the game that a correction takes out
    Column("data", ObjectType(default={}), nullable=False),  # where it counts, who took it out
    sqlite_autoincrement=True,  # a correction must not mean another game
)

rating_change = Table(  # what an entry made of somebody's rating
    "rating_change",
    metadata,
    Column("entry", NumberType(1, default=0), ForeignKey("rating_entry.number"), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("pool", TextType(), primary_key=True),  # a link has a row in each
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("mu_before", strength(), nullable=False),
    Column("sigma_before", deviation(), nullable=False),
    Column("last_before", Instant()),
    Column("mu", strength(), nullable=False),
    Column("sigma", deviation(), nullable=False),
    Column("last", Instant()),
    Index("ix_rating_change_person_pool_entry", "person", "pool", "entry"),
)

rating = Table(  # what somebody has now
    "rating",
    metadata,
    Column("pool", TextType(), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("mu", strength(), nullable=False),
    Column("sigma", deviation(), nullable=False),
    Column("last", Instant()),
    Index("ix_rating_person", "person"),
)

tally = Table(  # what somebody has won, drawn and lost in a place, or in all of them ("")
    "tally",
    metadata,
    Column("pool", TextType(), primary_key=True),
    Column("platform", TextType(), primary_key=True),
    Column("place", TextType(), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    *(Column(name, NumberType(default=0), nullable=False) for name in ("won", "drawn", "lost")),
    Column("opponents", NumbersType(), nullable=False),
    Column("met", NumberType(default=0), nullable=False),  # how many those are
    Column("last", Instant(default=EPOCH), nullable=False),
    Column("mu", strength(), nullable=False),  # as in rating, for the order of the ladder
    Column("sigma", deviation(), nullable=False),
    Column("listed", FlagType(default=False), nullable=False),  # whether others see the row
    Index(
        "ix_tally_ladder",
        *("pool", "platform", "place", "listed", "mu", "person", "sigma", "met", "last"),
    ),
    Index("ix_tally_person", "person"),
)

medal = Table(  # what somebody was given, once
    "medal",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("key", TextType(), primary_key=True),
    Column("pool", TextType(), primary_key=True),  # empty for one that is of no single game
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("game", TextType(default=None), ForeignKey("game.code"), index=True),
    Column("data", ObjectType(default={}), nullable=False),  # where that was played
)
