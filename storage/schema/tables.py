"""The tables of the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final, get_args

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
    BlobType,
    FlagType,
    GuardedType,
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
from storage.records import (
    EPOCH,
    AlertRow,
    AttemptRow,
    BarRow,
    CommentRow,
    DailyRow,
    DailyTryRow,
    DeadlineRow,
    DraftRow,
    EntrantRow,
    EventRow,
    FaultRow,
    GameRow,
    HousePuzzleRow,
    IdentityRow,
    ImportedGameRow,
    ImportedPlaceRow,
    InboxRow,
    InboxState,
    MedalRow,
    MistakeRow,
    NotificationRow,
    OpenedFileRow,
    OutageRow,
    PersonRow,
    PlaceRow,
    PresenceRow,
    PuzzleRow,
    RatingChangeRow,
    RatingEntryRow,
    RatingRow,
    SeatRow,
    SolverRow,
    Status,
    TalkRow,
    TallyRow,
    TournamentRow,
    ViewRow,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from sqlalchemy.schema import SchemaItem

# ------------------------------------------------------------------------------ base

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


# ------------------------------------------------------------------------------ columns

_TYPES: Mapping[str, Callable[[], GuardedType[Any]]] = {
    "str": TextType,
    "str | None": partial(TextType, default=None),
    "int": partial(NumberType, default=0),
    "int | None": NumberType,
    "bool": partial(FlagType, default=False),
    "datetime": partial(Instant, default=EPOCH),
    "datetime | None": Instant,
    "tuple[int, ...]": partial(NumbersType, default=()),
    "Mapping[str, JSON]": partial(ObjectType, default={}),
}
"""The type of a column, by the annotation of the field that it keeps."""

_RATED = {"mu": strength, "sigma": deviation}


def _table(
    name: str,
    record: type[DataclassInstance],
    keys: int,
    *own: SchemaItem,
    first: Column[Any] | None = None,
    **options: Any,
) -> Table:
    """The table *name*, with a column for each field of *record*; *keys* of them are its key.

    A field's type says that of its column, and whether it may be empty; a *person* is one of the
    table of people, and a primary key called *id* is counted by the database. Among its *own* items
    are columns of other types, or in relations or indexes, which stand in the places of their
    names, and columns that no record has: below the others, or above them the *first*.
    """
    given = {one.name: one for one in own if isinstance(one, Column)}
    made = [] if first is None else [first]
    for number, of in enumerate(fields(record)):
        column = given.pop(of.name, None)
        if column is None:
            column = _column(of.name, str(of.type), counted=number == 0 and keys == 1)
        column.nullable = number >= keys and str(of.type).endswith("None")
        column.primary_key = number < keys
        made.append(column)
    rest = (one for one in own if not isinstance(one, Column))
    return Table(name, metadata, *made, *given.values(), *rest, **options)


def _column(name: str, kept: str, *, counted: bool) -> Column[Any]:
    if counted and kept == "int":
        return Column(name, Integer)
    if (name, kept) == ("person", "int"):
        return _person()
    rated = _RATED.get(name.removesuffix("_before")) if kept == "float" else None
    return Column(name, (rated or _TYPES[kept])())


def _person(**more: Any) -> Column[int]:
    return Column("person", NumberType(1, default=0), ForeignKey("person.id"), **more)


def _game(*, default: object = "", **more: Any) -> Column[str]:
    return Column("game", TextType(default=default), ForeignKey("game.code"), **more)


# ------------------------------------------------------------------------------ people

person = _table(
    "person",
    PersonRow,
    1,
    Column("settings", ObjectType(default={}), server_default="{}"),
    Column("created", Instant(default=EPOCH), nullable=False),
    Column("same_as", NumberType()),  # the person that this one was joined to
    Column("reminded", Instant()),  # when they were last told that time runs out
    sqlite_autoincrement=True,  # an id is never given twice
)

identity = _table("identity", IdentityRow, 2, _person(index=True))

link = Table(  # codes, each good once, by which two identities become one person
    "link",
    metadata,
    Column("code", TextType(), primary_key=True),
    _person(nullable=False),
    Column("at", Instant(default=EPOCH), nullable=False),
)

bar = _table(  # outlives the identity: forgotten, they stay out
    "bar",
    BarRow,
    4,
    Column("by", NumberType(1)),  # the manager; NULL for the operator
    Index("ix_bar_at_platform_at_place", "at_platform", "at_place"),
)

draft = _table(  # choices for new tables
    "draft",
    DraftRow,
    1,
    _person(index=True),
    Column("at", Instant(default=EPOCH), index=True),
    sqlite_autoincrement=True,  # a button of a sheet must not mean another one
)

alert = _table(  # what people want to be told of: tables that are opened in a place
    "alert", AlertRow, 4, Index("ix_alert_platform_place_game", "platform", "place", "game")
)


# ------------------------------------------------------------------------------ games

game = _table(
    "game",
    GameRow,
    1,
    Column("status", TextType(*get_args(Status), default="open"), index=True),
    Column("version", NumberType(default=-1)),
    Column("secret", BlobType(default=b"")),
    Column("parent", TextType(default=None), ForeignKey("game.code")),
    Column("to_move", SeatBits()),  # NULL until the events of an earlier release are read
    Column("computer", FlagType(default=False), server_default=false()),
    Column("match", TextType(), server_default=""),
    Column("rated", FlagType(default=False), server_default=false()),
    Column("over_at", Instant()),  # NULL while it lives; seat and view repeat it for their indexes
    Column("holder", NumberType(default=0), nullable=False, server_default="0"),  # it thinks
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

seat = _table(
    "seat",
    SeatRow,
    1,
    Column("seat", NumberType(default=-1), autoincrement=False),
    Column("person", NumberType(1), ForeignKey("person.id")),
    Column("over_at", Instant()),
    Index("ix_seat_person_over_at_game", "person", "over_at", "game"),
    first=_game(primary_key=True),
)

event = _table(  # without defaults: a table with a damaged event is set aside
    "event",
    EventRow,
    1,
    Column("number", NumberType(1, default=...), autoincrement=False),
    Column("at", Instant(default=...)),
    Column("kind", TextType(default=...)),
    Column("seat", NumberType(default=...)),
    Column("text", TextType(default=...)),
    Column("data", ObjectType(default=...)),
    Column("steady", Instant(default=...)),
    sqlite_with_rowid=False,  # one tree to write instead of two
    first=_game(primary_key=True),
)

fault = _table("fault", FaultRow, 1, _game())

talk = _table(  # what people said to one another over a table
    "talk",
    TalkRow,
    1,
    _game(),
    _person(index=True),
    Index("ix_talk_game_id", "game", "id"),
    sqlite_autoincrement=True,  # a page asks for what is newer than what it has
)

comment = _table("comment", CommentRow, 3, _game())

opened_file = _table(  # a game that somebody has opened from a file
    "opened_file", OpenedFileRow, 2, Column("at", Instant(default=EPOCH), index=True)
)

deadline = _table(
    "deadline",
    DeadlineRow,
    2,
    _game(),
    Column("at", Instant(default=EPOCH), index=True),
    Column("person", NumberType()),  # whose time runs: one message tells of all their tables
    Index("ix_deadline_person_at", "person", "at"),
)


# ------------------------------------------------------------------------------ views

view = _table(
    "view",
    ViewRow,
    1,
    Column("person", NumberType(1), ForeignKey("person.id")),
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

inbox = _table(
    "inbox",
    InboxRow,
    0,
    Column("state", TextType(*get_args(InboxState), default="aside")),
    UniqueConstraint("platform", "update"),
    Index("ix_inbox_state_at", "state", "at"),
    first=Column("id", Integer, primary_key=True),  # the order of arrival
)

place = _table("place", PlaceRow, 2)

outage = _table("outage", OutageRow, 0, first=Column("id", Integer, primary_key=True))


# ------------------------------------------------------------------------------ notifications

CALL_KINDS: Final = (
    *("challenge", "accepted", "begun", "declined", "expired", "unfilled", "cancelled", "idle"),
    *("turn", "draw", "undo", "pause", "rematch", "over", "left", "moved"),
    *("half", "time", "waits", "long", "late", "claim", "flagged", "uncounted", "ruled", "missed"),
    *("tournament", "wanted", "seeking"),
)
"""The reasons of notifications, which ``bot.notify.recipients`` explains."""

call = _table(  # notifications, sent or due
    "call",
    NotificationRow,
    2,
    _game(),
    Column("kind", TextType("", *CALL_KINDS)),  # empty once they have answered
    Column("due", Instant(), index=True),  # NULL once it was sent
    Index("ix_call_platform_place", "platform", "place"),
)
_answered = call.c.kind == ""
Index("ix_call_answered", call.c.game, sqlite_where=text("kind = ''"), postgresql_where=_answered)

presence = _table(  # from where each person plays at a table
    "presence", PresenceRow, 2, _game(), Index("ix_presence_platform_place", "platform", "place")
)


# ------------------------------------------------------------------------------ ratings

RATING_KINDS: Final = ("game", "link", "correction", "since", "formula")
"""The kinds of entries of the ratings' journal, which ``bot.standing.journal`` explains."""

rating_entry = _table(  # what counts for ratings, in the order in which it counted
    "rating_entry",
    RatingEntryRow,
    1,
    Column("kind", TextType(*RATING_KINDS, default="formula")),
    _game(default=None, index=True),
    Column("of", NumberType(1), index=True),  # the game that a correction takes out
    sqlite_autoincrement=True,  # a correction must not mean another game
)

rating_change = _table(  # what an entry made of somebody's rating
    "rating_change",
    RatingChangeRow,
    3,  # a link has a row in each pool
    Column("entry", NumberType(1, default=0), ForeignKey("rating_entry.number")),
    Index("ix_rating_change_person_pool_entry", "person", "pool", "entry"),
)

rating = _table(  # what somebody has now
    "rating", RatingRow, 2, Index("ix_rating_person", "person")
)

tally = _table(  # what somebody has won, drawn and lost in a place, or in all of them ("")
    "tally",
    TallyRow,
    4,
    Index(
        "ix_tally_ladder",
        *("pool", "platform", "place", "listed", "mu", "person", "sigma", "met", "last"),
    ),
    Index("ix_tally_person", "person"),
)

medal = _table("medal", MedalRow, 3, _game(default=None, index=True))


# ------------------------------------------------------------------------------ school

attempt = _table(  # at an exercise: a step of a course or a puzzle
    "attempt", AttemptRow, 2, Index("ix_attempt_person_game", "person", "game")
)

solver = _table("solver", SolverRow, 2)

puzzle = _table("puzzle", PuzzleRow, 1)

daily_try = _table(  # at the puzzle of a day: of somebody, and in which place they opened it
    "daily_try",
    DailyTryRow,
    3,
    Index("ix_daily_try_platform_place_day", "platform", "place", "day"),
)

mistake = _table(  # position of a finished game that somebody has kept to try again
    "mistake",
    MistakeRow,
    2,
    Column("stability", RealType(0.0, 100_000.0, default=1.0)),  # NULL before an answer
    Column("difficulty", RealType(1.0, 10.0, default=5.0)),
    Index("ix_mistake_person_due", "person", "due"),
)

house_puzzle = _table(  # puzzle beside those that ship, or the verdict on one of those
    "house_puzzle",
    HousePuzzleRow,
    1,
    Column("origin", TextType("shipped", "added", "mined", default="added")),
)

daily = _table("daily", DailyRow, 2)


# ------------------------------------------------------------------------------ tournaments

PHASES: Final = ("open", "running", "ended")
"""How far a tournament is, which ``bot.tournament.values`` explains."""

tournament = _table(
    "tournament",
    TournamentRow,
    1,
    Column("phase", TextType(*PHASES, default="ended")),
    Column("version", NumberType(default=-1)),
    Column("due", Instant(), index=True),  # NULL while people come first
    Index("ix_tournament_platform_place_phase", "platform", "place", "phase"),
)

tournament_event = Table(  # without defaults: a tournament with a damaged event is set aside
    "tournament_event",
    metadata,
    Column("tournament", TextType(), ForeignKey("tournament.code"), primary_key=True),
    Column("number", NumberType(1, default=...), primary_key=True, autoincrement=False),
    Column("at", Instant(default=...), nullable=False),
    Column("kind", TextType(default=...), nullable=False),
    Column("data", ObjectType(default=...), nullable=False),
    Column("steady", Instant(default=...), nullable=False),
)

entrant = _table(  # who has entered, and from where they play
    "entrant",
    EntrantRow,
    2,
    Column("tournament", TextType(), ForeignKey("tournament.code")),
    Index("ix_entrant_person", "person"),
)


# ------------------------------------------------------------------------------ imports

imported_place = _table("imported_place", ImportedPlaceRow, 3)

imported_game = _table("imported_game", ImportedGameRow, 4)


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
