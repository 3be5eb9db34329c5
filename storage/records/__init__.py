"""What the database keeps, as plain values.

Every datetime is aware and in UTC; the database keeps whole milliseconds, so what is read back
is the written instant cut to a millisecond.
"""

from storage.records.aggregate import (
    BrokenAggregate,
    EventCodec,
    EventWriter,
    Fold,
    KeptEvent,
    Written,
)
from storage.records.games import (
    CommentRow,
    DeadlineRow,
    EventRow,
    FaultRow,
    GameLine,
    GameRow,
    SeatLine,
    SeatRow,
    Standing,
    TalkRow,
)
from storage.records.imports import ImportedGameRow, ImportedPlaceRow
from storage.records.inbox_and_places import InboxRow, OutageRow, PlaceChange, PlaceRow
from storage.records.notifications import NotificationRow, PresenceRow
from storage.records.people import AlertRow, BarRow, DraftRow, IdentityRow, PersonName, PersonRow
from storage.records.ratings import MedalRow, RatingChangeRow, RatingEntryRow, RatingRow, TallyRow
from storage.records.school import (
    AttemptRow,
    DailyRow,
    HousePuzzleRow,
    MistakeRow,
    PuzzleRow,
    SolverRow,
)
from storage.records.tournaments import (
    EntrantRow,
    TournamentRow,
)
from storage.records.values import EPOCH, JSON, MILLISECOND, InboxState, Status
from storage.records.views import BOARD, TokenRenewal, ViewRow

__all__ = [
    "BOARD",
    "EPOCH",
    "JSON",
    "MILLISECOND",
    "AlertRow",
    "AttemptRow",
    "BarRow",
    "BrokenAggregate",
    "CommentRow",
    "DailyRow",
    "DeadlineRow",
    "DraftRow",
    "EntrantRow",
    "EventCodec",
    "EventRow",
    "EventWriter",
    "FaultRow",
    "Fold",
    "GameLine",
    "GameRow",
    "HousePuzzleRow",
    "IdentityRow",
    "ImportedGameRow",
    "ImportedPlaceRow",
    "InboxRow",
    "InboxState",
    "KeptEvent",
    "MedalRow",
    "MistakeRow",
    "NotificationRow",
    "OutageRow",
    "PersonName",
    "PersonRow",
    "PlaceChange",
    "PlaceRow",
    "PresenceRow",
    "PuzzleRow",
    "RatingChangeRow",
    "RatingEntryRow",
    "RatingRow",
    "SeatLine",
    "SeatRow",
    "SolverRow",
    "Standing",
    "Status",
    "TalkRow",
    "TallyRow",
    "TokenRenewal",
    "TournamentRow",
    "ViewRow",
    "Written",
]
