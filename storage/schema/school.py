"""What people have tried of courses and puzzles."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from storage.column_types import (
    Instant,
    NumberType,
    ObjectType,
    RealType,
    TextType,
    deviation,
    strength,
)
from storage.records import EPOCH
from storage.schema.base import metadata

attempt = Table(  # at an exercise: a step of a course or a puzzle
    "attempt",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("exercise", TextType(), primary_key=True),
    Column("game", TextType(), nullable=False),
    Column("step", TextType(), nullable=False),  # its name in the course; "" for a puzzle
    Column("state", NumberType(default=0), nullable=False),
    Column("wrong", NumberType(default=0), nullable=False),  # moves that were legal and not it
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("solved", Instant()),  # NULL before it is
    Index("ix_attempt_person_game", "person", "game"),
)

solver = Table(  # how somebody does with the puzzles of a game, or of all ("")
    "solver",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("pool", TextType(), primary_key=True),
    Column("mu", strength(), nullable=False),
    Column("sigma", deviation(), nullable=False),
    Column("last", Instant()),
    Column("streak", NumberType(default=0), nullable=False),  # days in a row, of all games
    Column("longest", NumberType(default=0), nullable=False),
    Column("day", NumberType(default=0), nullable=False),  # the last of them, since the year 1
)

puzzle = Table(  # how hard a puzzle has proved for those who tried it
    "puzzle",
    metadata,
    Column("code", TextType(), primary_key=True),
    Column("game", TextType(), nullable=False),
    Column("mu", strength(), nullable=False),
    Column("sigma", deviation(), nullable=False),
    Column("last", Instant()),
    Column("tried", NumberType(default=0), nullable=False),
    Column("solved", NumberType(default=0), nullable=False),
)

mistake = Table(  # position of a finished game that somebody has kept to try again
    "mistake",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("code", TextType(), primary_key=True),
    Column("game", TextType(), nullable=False),
    Column("lesson", ObjectType(default={}), nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
    Column("due", NumberType()),  # the day it is put again, since the year 1; NULL for never
    Column("last", NumberType(default=0), nullable=False),  # the day it was answered last
    Column("stability", RealType(0.0, 100_000.0, default=1.0)),  # in days; NULL before an answer
    Column("difficulty", RealType(1.0, 10.0, default=5.0)),
    Index("ix_mistake_person_due", "person", "due"),
)

house_puzzle = Table(  # puzzle beside those that ship, or the verdict on one of those
    "house_puzzle",
    metadata,
    Column("code", TextType(), primary_key=True),
    Column("game", TextType(), nullable=False),
    Column("lesson", ObjectType(default={}), nullable=False),
    Column("origin", TextType("shipped", "added", "mined", default="added"), nullable=False),
    Column("added", Instant(default=EPOCH), nullable=False),
    Column("rules", NumberType(default=0), nullable=False),  # of the game when it was proved last
    Column("at", Instant(default=EPOCH), nullable=False),  # when that was
    Column("fault", TextType(), nullable=False),  # why it is put no more; "" where it holds
)

daily = Table(  # the daily puzzle of a place
    "daily",
    metadata,
    Column("platform", TextType(), primary_key=True),
    Column("place", TextType(), primary_key=True),
    Column("day", NumberType(default=0), nullable=False),  # the last one, since the year 1
    Column("puzzle", TextType(), nullable=False),  # "" where the day was left out
    Column("idle", NumberType(default=0), nullable=False),  # days in a row that nobody cared for
    Column("at", Instant(default=EPOCH), nullable=False),
)
