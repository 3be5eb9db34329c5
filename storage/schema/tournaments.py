"""Tournaments, and the messages that show them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Table

from storage.column_types import FlagType, Instant, NumberType, ObjectType, TextType
from storage.records import EPOCH
from storage.schema.base import metadata

PHASES: Final = ("open", "running", "ended")
"""How far a tournament is, which ``bot.tournament.values`` explains."""

tournament = Table(
    "tournament",
    metadata,
    Column("code", TextType(), primary_key=True),
    Column("platform", TextType(), nullable=False),  # where it was opened
    Column("place", TextType(), nullable=False),
    Column("thread", TextType(default=None)),
    Column("private", FlagType(default=False), nullable=False),
    Column("phase", TextType(*PHASES, default="ended"), nullable=False),
    Column("version", NumberType(default=-1), nullable=False),
    Column("created", Instant(default=EPOCH), nullable=False),
    Column("touched", Instant(default=EPOCH), nullable=False),
    Column("due", Instant(), index=True),  # when it must be looked at; NULL while people come first
    Index("ix_tournament_platform_place_phase", "platform", "place", "phase"),
)

tournament_event = Table(  # without defaults: a tournament with a damaged event is set aside
    "tournament_event",
    metadata,
    Column("tournament", TextType(), ForeignKey("tournament.code"), primary_key=True),
    Column("number", NumberType(1, default=...), primary_key=True, autoincrement=False),
    Column("at", Instant(default=...), nullable=False),
    Column("kind", TextType(default=...), nullable=False),
    Column("data", ObjectType(), nullable=False),
    Column("steady", Instant(default=...), nullable=False),
)

entrant = Table(  # who has entered, and from where they play
    "entrant",
    metadata,
    Column("tournament", TextType(), ForeignKey("tournament.code"), primary_key=True),
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("platform", TextType(), nullable=False),
    Column("place", TextType(), nullable=False),
    Column("thread", TextType(default=None)),
    Column("private", FlagType(default=False), nullable=False),
    Index("ix_entrant_person", "person"),
)
