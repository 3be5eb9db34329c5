"""The tables, and how their rows become records and records rows.

``migrations/`` brings the tables of earlier releases here, and a test compares both. No foreign key
cascades: rows are deleted by name, or the database refuses.
"""

from storage.column_types import GuardedType
from storage.schema.row_conversion import (
    Transaction,
    add_new,
    add_numbered,
    columns_of,
    fetch_all,
    fetch_one,
    read_events,
    replace_id,
    upsert,
    upserting,
    values_of,
)
from storage.schema.tables import (
    CALL_KINDS,
    PHASES,
    RATING_KINDS,
    alert,
    attempt,
    bar,
    call,
    comment,
    daily,
    daily_try,
    deadline,
    draft,
    entrant,
    event,
    fault,
    game,
    house_puzzle,
    identity,
    imported_game,
    imported_place,
    inbox,
    lease,
    link,
    medal,
    metadata,
    mistake,
    opened_file,
    outage,
    person,
    place,
    presence,
    process,
    puzzle,
    rating,
    rating_change,
    rating_entry,
    seat,
    setting,
    solver,
    talk,
    tally,
    tournament,
    tournament_event,
    view,
)

for _table in metadata.tables.values():
    for _column in _table.columns:
        if isinstance(_column.type, GuardedType):
            _column.type.place = (_table.name, _column.name)
