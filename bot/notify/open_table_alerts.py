"""Who is told of a new table that waits for players: by alerts of people, and by a role."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.notify.recipients import Reason
from bot.service.heartbeat import read_instant
from bot.service.table.changes import Change
from bot.session import preferences
from bot.session.preferences import Personal
from storage import bot_settings
from storage.person import people
from storage.records import NotificationRow
from storage.store import Transaction
from storage.table import open_table_alerts

APART = timedelta(hours=1)
"""The shortest time between two alerts of one person for one game in one place."""

ROLE = timedelta(minutes=10)
"""The shortest time between two calls of the role of one place."""

ROLE_CALLED = "role-called:"
"""How the setting begins that notes when the role of a place was called."""


async def alert(tx: Transaction, change: Change, now: datetime) -> Sequence[NotificationRow]:
    """The calls that *change*, which opens a table, makes due besides those to its players."""
    table, update = change.table, change.update
    if not table.seeks or not update.channel:
        return ()
    key, host = (update.platform, update.channel, table.game.key), table.host
    found = [
        NotificationRow(table.code, person, Reason.WANTED, table.version, now)
        for person in await open_table_alerts.take_alerts(tx, *key, now, now - APART)
        if table.seat_of(person) is None and not await _refuse(tx, person, host)
    ]
    if update.role_of and await _take_role(tx, f"{update.platform}:{update.role_of}", now):
        found.append(NotificationRow(table.code, host, Reason.SEEKING, table.version, now))
    return found


async def _take_role(tx: Transaction, place: str, now: datetime) -> bool:
    """Whether the role of *place* may be called *now*, which is noted as done."""
    key = f"{ROLE_CALLED}{place}"
    called = await bot_settings.read_setting(tx, key, read_instant)
    if called is not None and now - called < ROLE:
        return False
    await bot_settings.put_setting(tx, key, now.isoformat())
    return True


async def _refuse(tx: Transaction, one: int, other: int) -> bool:
    """Whether one of two people has refused challenges of the other."""
    return await _refuses(tx, one, other) or await _refuses(tx, other, one)


async def _refuses(tx: Transaction, person: int, other: int) -> bool:
    row = await people.load_person(tx, person)
    refused = () if row is None else preferences.read(Personal, row.settings).refused
    # A refused person may have been linked to another since.
    rows = [await people.load_person(tx, one) for one in refused]
    return any(one is not None and one.id == other for one in rows)
