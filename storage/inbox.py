"""The inbox: every update of a chat changes a game at most once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import rows, schema
from storage.records import InboxRow

_inbox = schema.inbox
_KEY = (_inbox.c.platform, _inbox.c.update)

_RECEIVE = insert(_inbox).inline().on_conflict_do_nothing(index_elements=_KEY)
_FINISH = insert(_inbox).inline()
_FINISH = _FINISH.on_conflict_do_update(
    index_elements=_KEY,
    set_={"state": "done", "payload": None, "at": _FINISH.excluded.at},
    where=_inbox.c.state == "pending",
)


async def receive(
    tx: AsyncConnection, platform: str, update: str, payload: str | None, at: datetime
) -> bool:
    """Writes an update down as pending; False where it was written before, in whatever state."""
    row = InboxRow(platform, update, payload, "pending", 0, at)
    added = await tx.execute(_RECEIVE, rows.values(row))
    return added.rowcount > 0


async def finish(tx: AsyncConnection, platform: str, update: str, at: datetime) -> bool:
    """Marks an update as done, also one that was never written as pending.

    False where it was settled before: then the caller must change nothing.
    """
    row = InboxRow(platform, update, None, "done", 0, at)
    settled = await tx.execute(_FINISH, rows.values(row))
    return settled.rowcount > 0


async def finish_all(
    tx: AsyncConnection, platform: str, updates: Iterable[str], at: datetime
) -> None:
    """Marks updates as done that nothing else settles."""
    finished = [rows.values(InboxRow(platform, one, None, "done", 0, at)) for one in updates]
    if finished:
        await tx.execute(_FINISH, finished)


async def received(tx: AsyncConnection, platform: str, update: str) -> datetime | None:
    """When an update that waits was written down, if it was."""
    found = await tx.execute(select(_inbox.c.at).where(*_pending(platform, update)))
    return found.scalar_one_or_none()


async def is_done(tx: AsyncConnection, platform: str, update: str) -> bool:
    """Whether an update has changed what it was to change."""
    found = await tx.execute(
        select(_inbox.c.state).where(_inbox.c.platform == platform, _inbox.c.update == update)
    )
    return found.scalar_one_or_none() == "done"


async def pending(tx: AsyncConnection, platform: str) -> tuple[InboxRow, ...]:
    """The updates of a chat that are not settled, in the order of their arrival."""
    asked = select(*rows.columns(_inbox, InboxRow)).where(_inbox.c.platform == platform)
    return await rows.each(
        tx, InboxRow, asked.where(_inbox.c.state == "pending").order_by(_inbox.c.id)
    )


async def latest(tx: AsyncConnection, platform: str, most: int) -> tuple[str, ...]:
    """The last *most* updates of a chat, whatever became of them, the newest first."""
    found = await tx.execute(
        select(_inbox.c.update)
        .where(_inbox.c.platform == platform)
        .order_by(_inbox.c.id.desc())
        .limit(most)
    )
    return tuple(found.scalars())


async def failed(tx: AsyncConnection, platform: str, update: str, at: datetime) -> int:
    """Counts a failed attempt at a pending update; answers how many there are now.

    0 where the update is not pending, since a chat that keeps no payload cannot try again.
    """
    mine = _pending(platform, update)
    await tx.execute(_inbox.update().where(*mine).values(attempts=_inbox.c.attempts + 1, at=at))
    found = await tx.execute(select(_inbox.c.attempts).where(*mine))
    return int(found.scalar_one_or_none() or 0)


async def set_aside(tx: AsyncConnection, platform: str, update: str, at: datetime) -> bool:
    """Takes a poisonous update out of the queue and keeps it for study; False if not pending."""
    mine = _pending(platform, update)
    aside = await tx.execute(_inbox.update().where(*mine).values(state="aside", at=at))
    return aside.rowcount > 0


async def prune(tx: AsyncConnection, before: datetime) -> int:
    """Forgets what was done before an instant; answers how many rows went.

    What was set aside stays until the operator has seen it.
    """
    gone = await tx.execute(_inbox.delete().where(_inbox.c.state == "done", _inbox.c.at < before))
    return gone.rowcount


async def strip(tx: AsyncConnection, before: datetime) -> int:
    """Drops what updates of before an instant said; answers how many that were.

    One that still waits for its turn is set aside by it, since it cannot be done any more.
    """
    stale = (_inbox.c.state.in_(("pending", "aside")), _inbox.c.at < before)
    told = _inbox.update().where(*stale, _inbox.c.payload.is_not(None))
    return (await tx.execute(told.values(payload=None, state="aside"))).rowcount


def _pending(platform: str, update: str) -> tuple[ColumnElement[bool], ...]:
    return (_inbox.c.platform == platform, _inbox.c.update == update, _inbox.c.state == "pending")
