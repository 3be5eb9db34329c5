"""The tables of the database."""

from __future__ import annotations

from typing import Final, get_args

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
    false,
    text,
)

from storage.column_types import (
    SECRET,
    BlobType,
    FlagType,
    Instant,
    NumbersType,
    NumberType,
    ObjectType,
    RealType,
    SeatBits,
    TextType,
    deviation,
    strength,
)
from storage.records import EPOCH, InboxState, Status

# ------------------------------------------------------------------------------ base

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


# ------------------------------------------------------------------------------ people

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


# ------------------------------------------------------------------------------ games

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
    Column("to_move", SeatBits()),  # NULL until the events of an earlier release are read
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


# ------------------------------------------------------------------------------ views

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


# ------------------------------------------------------------------------------ chats

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


# ------------------------------------------------------------------------------ notifications

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


# ------------------------------------------------------------------------------ ratings

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


# ------------------------------------------------------------------------------ school

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

daily_try = Table(  # at the puzzle of a day: of somebody, and in which place they opened it
    "daily_try",
    metadata,
    Column("person", NumberType(1, default=0), ForeignKey("person.id"), primary_key=True),
    Column("day", NumberType(default=0), primary_key=True),  # since the year 1
    Column("exercise", TextType(), primary_key=True),
    Column("platform", TextType(), nullable=False),  # "" where it was opened in private alone
    Column("place", TextType(), nullable=False),
    Column("signs", TextType(), nullable=False),  # a letter a try
    Column("on_day", FlagType(default=False), nullable=False),  # solved on the person's own day
    Column("named", FlagType(default=False), nullable=False),  # whether they may be named there
    Index("ix_daily_try_platform_place_day", "platform", "place", "day"),
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


# ------------------------------------------------------------------------------ tournaments

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


# ------------------------------------------------------------------------------ imports

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


# ------------------------------------------------------------------------------ processes

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
