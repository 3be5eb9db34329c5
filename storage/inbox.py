"""The inbox: every update of a chat changes a game at most once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import InboxRow

_inbox = schema.inbox
_COLUMNS = (
    _inbox.c.platform,
    _inbox.c.update,
    _inbox.c.payload,
    _inbox.c.state,
    _inbox.c.attempts,
    _inbox.c.at,
)
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
    added = await tx.execute(
        _RECEIVE,
        {
            "platform": platform,
            "update": update,
            "payload": payload,
            "state": "pending",
            "attempts": 0,
            "at": at,
        },
    )
    return added.rowcount > 0


async def finish(tx: AsyncConnection, platform: str, update: str, at: datetime) -> bool:
    """Marks an update as done, also one that was never written as pending.

    False where it was settled before: then the caller must change nothing.
    """
    settled = await tx.execute(
        _FINISH,
        {
            "platform": platform,
            "update": update,
            "payload": None,
            "state": "done",
            "attempts": 0,
            "at": at,
        },
    )
    return settled.rowcount > 0


async def is_done(tx: AsyncConnection, platform: str, update: str) -> bool:
    """Whether an update has changed what it was to change."""
    found = await tx.execute(
        select(_inbox.c.state).where(_inbox.c.platform == platform, _inbox.c.update == update)
    )
    return found.scalar_one_or_none() == "done"


async def pending(tx: AsyncConnection, platform: str) -> tuple[InboxRow, ...]:
    """The updates of a chat that are not settled, in the order of their arrival."""
    found = await tx.execute(
        select(*_COLUMNS)
        .where(_inbox.c.platform == platform, _inbox.c.state == "pending")
        .order_by(_inbox.c.id)
    )
    return tuple(InboxRow(*row) for row in found)


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
    mine = (_inbox.c.platform == platform, _inbox.c.update == update, _inbox.c.state == "pending")
    await tx.execute(_inbox.update().where(*mine).values(attempts=_inbox.c.attempts + 1, at=at))
    found = await tx.execute(select(_inbox.c.attempts).where(*mine))
    return int(found.scalar_one_or_none() or 0)


async def set_aside(tx: AsyncConnection, platform: str, update: str, at: datetime) -> bool:
    """Takes a poisonous update out of the queue and keeps it for study; False if not pending."""
    aside = await tx.execute(
        _inbox.update()
        .where(
            _inbox.c.platform == platform,
            _inbox.c.update == update,
            _inbox.c.state == "pending",
        )
        .values(state="aside", at=at)
    )
    return aside.rowcount > 0


async def prune(tx: AsyncConnection, before: datetime) -> int:
    """Forgets what was done before an instant; answers how many rows went.

    What was set aside stays until the operator has seen it.
    """
    gone = await tx.execute(_inbox.delete().where(_inbox.c.state == "done", _inbox.c.at < before))
    return gone.rowcount
