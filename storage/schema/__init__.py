"""The tables, and how their rows become records and records rows.

``migrations/`` brings the tables of earlier releases here, and a test compares both. No foreign key
cascades: rows are deleted by name, or the database refuses.
"""

from storage.column_types import GuardedType
from storage.schema.base import metadata
from storage.schema.chats import inbox, outage, place
from storage.schema.games import comment, deadline, event, fault, game, seat, talk
from storage.schema.imports import imported_game, imported_place
from storage.schema.notifications import CALL_KINDS, call, presence
from storage.schema.people import alert, bar, draft, identity, link, person
from storage.schema.processes import lease, process, setting
from storage.schema.ratings import RATING_KINDS, medal, rating, rating_change, rating_entry, tally
from storage.schema.rows import (
    columns_of,
    fetch_all,
    fetch_one,
    read_events,
    upsert,
    values_of,
)
from storage.schema.school import attempt, daily, house_puzzle, mistake, puzzle, solver
from storage.schema.tournaments import (
    PHASES,
    entrant,
    tournament,
    tournament_event,
)
from storage.schema.views import view

__all__ = [
    "CALL_KINDS",
    "PHASES",
    "RATING_KINDS",
    "alert",
    "attempt",
    "bar",
    "call",
    "columns_of",
    "comment",
    "daily",
    "deadline",
    "draft",
    "entrant",
    "event",
    "fault",
    "fetch_all",
    "fetch_one",
    "game",
    "house_puzzle",
    "identity",
    "imported_game",
    "imported_place",
    "inbox",
    "lease",
    "link",
    "medal",
    "metadata",
    "mistake",
    "outage",
    "person",
    "place",
    "presence",
    "process",
    "puzzle",
    "rating",
    "rating_change",
    "rating_entry",
    "read_events",
    "seat",
    "setting",
    "solver",
    "talk",
    "tally",
    "tournament",
    "tournament_event",
    "upsert",
    "values_of",
    "view",
]

for _table in metadata.tables.values():
    for _column in _table.columns:
        if isinstance(_column.type, GuardedType):
            _column.type.place = (_table.name, _column.name)
