"""The rows of all tables as values: what storage takes and gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias, TypedDict, dataclass_transform

# ------------------------------------------------------------------------------ values

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
Status: TypeAlias = Literal["open", "playing", "ended", "closed"]
InboxState: TypeAlias = Literal["pending", "done", "aside"]
PlaceKey: TypeAlias = tuple[str, str]
"""A platform, and the id of a place or of a person there."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class StoredRow:
    """A row as a value; what is derived from it is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


# ------------------------------------------------------------------------------ games


class GameRow(StoredRow):
    """A table: *version* is the number of its last event.

    *secret* is the 32-byte secret of its draws until it is published, *parent* the code of the
    game this one is the rematch of. *to_move* are the seats that may move now, None where only
    the events know; *computer* says whether one of them is a computer's. *match* is the match of
    which it is a game, as ``bot.session.match`` writes it, nothing where it is none.
    """

    code: str
    game: str
    status: Status
    version: int
    created: datetime
    touched: datetime
    secret: bytes | None
    parent: str | None
    to_move: tuple[int, ...] | None = ()
    computer: bool = False
    match: str = ""
    rated: bool = False


class Standing(StoredRow):
    """How a game stands after its last event: what lists and the start of the bot go by.

    *rated* says that it has begun, and counts for the ratings unless it is closed.
    """

    status: Status
    to_move: tuple[int, ...] = ()
    computer: bool = False
    match: str = ""
    rated: bool = False


class FaultRow(StoredRow):
    """Why a game is set aside: its *event* (None for the whole) cannot be read, and *why*."""

    game: str
    event: int | None
    why: str
    at: datetime


class EventRow(StoredRow):
    """One thing that happened at a table or in a tournament, never changed; numbers begin at 1.

    *data* is an object. A tournament's has neither *seat* nor *text*. *at* is the time of the
    machine's clock, *steady* that of the clock that is never set, by which durations are counted;
    None for events of releases up to 0.2.
    """

    number: int
    at: datetime
    kind: str
    seat: int | None
    text: str
    data: JSON
    steady: datetime | None = None


class SeatRow(StoredRow):
    """Who sits where: a *person*, or a computer of some *level*; *place* is the rank from 1."""

    seat: int
    person: int | None
    level: int | None
    side: str
    place: int | None


class SeatLine(StoredRow):
    """A seat in a list: the *name* of its *person*, or the *level* of its computer."""

    seat: int
    person: int | None
    name: str
    level: int | None
    side: str


class GameLine(StoredRow):
    """A game in a list, from its columns alone.

    *to_move* is None where only the events know; *fault* says why it is set aside, if it is.
    """

    code: str
    game: str
    status: Status
    touched: datetime
    to_move: tuple[int, ...] | None
    match: str
    seats: tuple[SeatLine, ...]
    fault: FaultRow | None

    def seat_of(self, person: int) -> int | None:
        """The seat of *person*, the first if there are several."""
        return next((one.seat for one in self.seats if one.person == person), None)

    def moves(self, person: int) -> bool:
        """Whether *person* is known to be to move."""
        return any(one.person == person and one.seat in (self.to_move or ()) for one in self.seats)


class TalkRow(StoredRow):
    """What a *person* said over a game: the name of a *preset*, or a *text* of their own.

    *seat* is their seat at that time, None for a spectator.
    """

    id: int
    game: str
    person: int
    seat: int | None
    preset: str
    text: str
    at: datetime


class OpenedFileRow(StoredRow):
    """The *text* of a file that a *person* has opened, by its *code*."""

    person: int
    code: str
    text: str
    at: datetime


class CommentRow(StoredRow):
    """What a *person* has written on a game after *number* entries of its log, for themselves.

    *moves* is a branch from there, each move by its steps (``a,b;c,d``).
    """

    person: int
    game: str
    number: int
    text: str
    moves: str
    at: datetime


class DeadlineRow(StoredRow):
    """An instant at which a table must be looked at, if its *version* is still the same.

    *person* is the one whose time runs, if any.
    """

    game: str
    kind: str
    version: int
    at: datetime
    person: int | None = None


# ------------------------------------------------------------------------------ views

BOARD: Final = "board"
"""The kind of the views that show a table."""


class ViewRow(StoredRow):
    """One message that shows something: what it shows, and what it owes.

    Its *kind* says what its *subject* names, such as the code of a table. *shown* and *owed* are
    versions of that, so the view is behind while ``shown < owed``;
    *token* is Discord's newest interaction token, of *token_at*; *digest* says what was drawn last.
    """

    id: int
    subject: str
    platform: str
    place: str
    language: str
    owed: int
    shown: int = 0
    message: str | None = None
    thread: str | None = None
    person: int | None = None
    theme: str = "light"
    side: int | None = None
    token: str | None = None
    token_at: datetime | None = None
    posted: datetime | None = None
    digest: str = ""
    kind: str = BOARD


class TokenRenewal(StoredRow):
    """A new interaction *token*, received *at*, by which a message may be edited from now on."""

    platform: str
    place: str
    message: str
    token: str
    at: datetime


# ------------------------------------------------------------------------------ people


class PersonRow(StoredRow):
    """A person who plays in any chats; *language* is ``es``, ``en`` or None."""

    id: int
    name: str
    language: str | None
    settings: Mapping[str, JSON] = field(default_factory=dict)


class PersonName(NamedTuple):
    """The present id and name of a person: an old id may mean another *person*.

    *owner* is the person whose program it is, ``None`` for people.
    """

    person: int
    name: str
    owner: int | None = None


class IdentityRow(StoredRow):
    """How one chat knows a person: *external* is that chat's id, as text."""

    platform: str
    external: str
    person: int


class BarRow(StoredRow):
    """Who is kept out of the tables of a place, or of all where it is "", by their id in a chat.

    *by* is the person who has barred them, None for the operator.
    """

    platform: str
    external: str
    at_platform: str
    at_place: str
    since: datetime
    by: int | None = None


class DraftRow(StoredRow):
    """The choices of a *person* for a new table in a place, changed last *at*."""

    id: int
    person: int
    platform: str
    place: str
    thread: str | None
    data: Mapping[str, JSON]
    at: datetime


class AlertRow(StoredRow):
    """That a *person* wants to be told when a table of a *game* is opened in a place, since *at*.

    *told* is when that was done last, None before the first time.
    """

    person: int
    platform: str
    place: str
    game: str
    at: datetime
    told: datetime | None = None


# ------------------------------------------------------------------------------ inbox and places


class InboxRow(StoredRow):
    """An update of a chat, which changes a game at most once.

    *at* is when it came, and from *done* or *aside* on, when that was settled.
    """

    platform: str
    update: str
    payload: str | None
    state: InboxState
    attempts: int
    at: datetime


class PlaceRow(StoredRow):
    """A chat, channel or group. *retry_at* is noted by releases up to 1.0.4 alone."""

    platform: str
    place: str
    retry_at: datetime | None
    suspended: bool
    language: str | None
    settings: Mapping[str, JSON]


class PlaceChange(TypedDict, total=False):
    """What may be noted of a place, by the names of ``PlaceRow``."""

    retry_at: datetime | None
    suspended: bool
    language: str | None
    settings: Mapping[str, JSON]


class OutageRow(StoredRow):
    """A time in which a *place*, or for "" the whole *platform*, could not be reached.

    *ended* is None while it lasts.
    """

    platform: str
    place: str
    began: datetime
    ended: datetime | None


# ------------------------------------------------------------------------------ notifications


class NotificationRow(StoredRow):
    """That a *person* is called to a game, or will be, and for what *kind* of reason.

    *kind* is empty once the person has answered. *turn* is the version of the game that gave the
    reason; *due* is the time to send it, None once it is sent, in *message*.
    """

    game: str
    person: int
    kind: str
    turn: int
    due: datetime | None
    platform: str | None = None
    place: str | None = None
    thread: str | None = None
    message: str | None = None


class PresenceRow(StoredRow):
    """The place from which a *person* plays a game: where they sat down or acted last."""

    game: str
    person: int
    platform: str
    place: str
    thread: str | None
    private: bool


# ------------------------------------------------------------------------------ ratings


class RatingEntryRow(StoredRow):
    """An entry of the ratings' journal; *number* is 0 before it is stored.

    *people* and their *places* are those of a game, *of* is the number of the game that a
    correction takes out; *data* is what else belongs to its *kind*.
    """

    number: int
    kind: str
    pool: str
    at: datetime
    game: str | None
    formula: str
    people: tuple[int, ...]
    places: tuple[int, ...]
    of: int | None
    data: Mapping[str, JSON]


class RatingChangeRow(StoredRow):
    """What the *entry* of this number made of the rating of a *person* in a *pool*.

    *mu*, *sigma* and *last*, when they played the last game that counts, are those after it.
    """

    entry: int
    person: int
    pool: str
    at: datetime
    mu_before: float
    sigma_before: float
    last_before: datetime | None
    mu: float
    sigma: float
    last: datetime | None


class RatingRow(StoredRow):
    """What a *person* has in a *pool*."""

    pool: str
    person: int
    mu: float
    sigma: float
    last: datetime | None


class TallyRow(StoredRow):
    """What a *person* has won, drawn and lost in a *place*, or in all places where it is "".

    *opponents* are the first few they met, *met* is how many those are, *last* is when the last
    game ended. *listed* says that others see the row. *mu* and *sigma* repeat the rating.
    """

    pool: str
    platform: str
    place: str
    person: int
    won: int
    drawn: int
    lost: int
    opponents: tuple[int, ...]
    met: int
    last: datetime
    mu: float
    sigma: float
    listed: bool


class MedalRow(StoredRow):
    """A medal of a *person* by its *key*, of the games of *pool* or, where that is "", of all.

    *game* is the table at whose end it was given, *data* says in which places that was played.
    """

    person: int
    key: str
    pool: str
    at: datetime
    game: str | None
    data: Mapping[str, JSON]


# ------------------------------------------------------------------------------ school


class AttemptRow(StoredRow):
    """What a *person* has tried at the *exercise* of this code, last *at* this instant.

    *step* is its name in the course of its *game*, "" for a puzzle; *state* are the right moves so
    far, *wrong* counts legal ones that were not, *solved* is when it was.
    """

    person: int
    exercise: str
    game: str
    step: str
    state: int
    wrong: int
    at: datetime
    solved: datetime | None = None


class SolverRow(StoredRow):
    """How a *person* does with the puzzles of a game, the *pool*, or of all games where it is "".

    *mu*, *sigma* and *last* are the rating; *streak* and *longest* count days in a row whose
    move of the day was solved, *day* is the ordinal of the last one. In the pool of the storms of a
    game *last* is when one began, *streak* what is solved in it, *longest* the record.
    """

    person: int
    pool: str
    mu: float
    sigma: float
    last: datetime | None
    streak: int
    longest: int
    day: int


class PuzzleRow(StoredRow):
    """How hard the puzzle of this *code* is, and how many people have *tried* and *solved* it."""

    code: str
    game: str
    mu: float
    sigma: float
    last: datetime | None
    tried: int
    solved: int


class MistakeRow(StoredRow):
    """A position of a finished game that a *person* has kept *at* this instant, by its *code*.

    *lesson* is it as JSON. It is put again on the day *due*, an ordinal, ``None`` for never, and
    was answered *last* on that day, 0 for never. *stability* in days and *difficulty* from 1 to 10
    are what FSRS knows of it.
    """

    person: int
    code: str
    game: str
    lesson: Mapping[str, JSON]
    at: datetime
    due: int | None
    last: int = 0
    stability: float | None = None
    difficulty: float | None = None


class HousePuzzleRow(StoredRow):
    """A puzzle of the house by its *code*, with the *lesson* as JSON, *added* then.

    *origin* is "shipped", "added" or "mined"; a shipped one is there for its verdict alone. It was
    proved last *at* this instant under these *rules* of its game: *fault* says why it is put no
    more, "" where it holds.
    """

    code: str
    game: str
    lesson: Mapping[str, JSON]
    origin: str
    added: datetime
    rules: int
    at: datetime
    fault: str = ""


class DailyRow(StoredRow):
    """The daily *puzzle* of a place, by its code: posted, or left out where that is "", *at* then.

    *day* is its ordinal; *idle* counts the days in a row before it that nobody cared for.
    """

    platform: str
    place: str
    day: int
    puzzle: str
    idle: int
    at: datetime


class DailyTryRow(StoredRow):
    """How a *person* did at the *exercise* of a *day*, by its ordinal; *signs* are their tries.

    *platform* and *place* are where they opened it, "" in private; *on_day* says that it was solved
    on their own day, *named* that they may be named in that place. The *day* 0 has in *signs* what
    they think of it: "+" or "-".
    """

    person: int
    day: int
    exercise: str
    platform: str = ""
    place: str = ""
    signs: str = ""
    on_day: bool = False
    named: bool = False

    @property
    def is_over(self) -> bool:
        """Whether it is solved or given up."""
        return self.signs.endswith(("s", "g"))


# ------------------------------------------------------------------------------ tournaments


class TournamentRow(StoredRow):
    """A tournament that was opened in a place; *due* is when it must be looked at."""

    code: str
    platform: str
    place: str
    thread: str | None
    private: bool
    phase: str
    version: int
    created: datetime
    touched: datetime
    due: datetime | None


class EntrantRow(StoredRow):
    """That a *person* has entered a tournament, and from where they play."""

    tournament: str
    person: int
    platform: str
    place: str
    thread: str | None
    private: bool


# ------------------------------------------------------------------------------ imports


class ImportedPlaceRow(StoredRow):
    """The place *source* of another house, as a place here has imported it: all of it is text."""

    platform: str
    place: str
    source: str
    title: str
    at: datetime
    data: Mapping[str, JSON]


class ImportedGameRow(StoredRow):
    """The *record* of a game that was played in the place *source*.

    *names* are those of its players, each on a line of its own, between line feeds.
    """

    platform: str
    place: str
    source: str
    code: str
    game: str
    day: str
    names: str
    record: str
