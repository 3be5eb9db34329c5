"""The inbox, by which every update of a chat changes a game at most once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT

from storage import schema
from storage.records import InboxRow
from storage.schema import Transaction

_inbox = schema.inbox
_KEY = (_inbox.c.platform, _inbox.c.update)

_RECEIVE = insert(_inbox).inline().on_conflict_do_nothing(index_elements=_KEY)
_FINISH = insert(_inbox).inline()
_FINISH = _FINISH.on_conflict_do_update(
    index_elements=_KEY,
    set_={"state": "done", "payload": None, "at": _FINISH.excluded.at},
    where=_inbox.c.state == "pending",
)
_STATE = select(_inbox.c.state).where(*(one == bindparam(f"of_{one.name}") for one in _KEY))
_OLD = _inbox.c.at < bindparam("until")
_PRUNE = _inbox.delete().where(_inbox.c.state == "done", _OLD)
_STRIP = (
    _inbox.update()
    .where(_inbox.c.state.in_(("pending", "aside")), _OLD, _inbox.c.payload.is_not(None))
    .values(payload=None, state="aside")
)


async def receive_update(
    tx: Transaction, platform: str, update: str, payload: str | None, at: datetime
) -> bool:
    """Stores an update as pending; False if it was stored before, in any state."""
    row = InboxRow(platform, update, payload, "pending", 0, at)
    return (await tx.execute(_RECEIVE, schema.values_of(row))).rowcount > 0


async def finish_update(tx: Transaction, platform: str, update: str, at: datetime) -> bool:
    """Marks an update as done, pending or new.

    False if it was settled before: then the caller must change nothing.
    """
    row = InboxRow(platform, update, None, "done", 0, at)
    return (await tx.execute(_FINISH, schema.values_of(row))).rowcount > 0


async def finish_updates(
    tx: Transaction, platform: str, updates: Iterable[str], at: datetime
) -> None:
    """Marks updates as done that no change settles."""
    finished = [schema.values_of(InboxRow(platform, one, None, "done", 0, at)) for one in updates]
    if finished:
        await tx.execute(_FINISH, finished)


async def last_noted(tx: Transaction, before: datetime) -> datetime | None:
    """The latest instant at which an update was received or done, at most *before*."""
    asked = select(_inbox.c.at).where(_inbox.c.at <= before)
    return (await tx.execute(asked.order_by(_inbox.c.at.desc()).limit(1))).scalar_one_or_none()


async def last_done(tx: Transaction) -> datetime | None:
    """The latest instant at which an update was done, of those that are remembered."""
    asked = select(_inbox.c.at).where(_inbox.c.state == "done")
    return (await tx.execute(asked.order_by(_inbox.c.at.desc()).limit(1))).scalar_one_or_none()


async def received_at(tx: Transaction, platform: str, update: str) -> datetime | None:
    """When a pending update was stored, if it was."""
    found = await tx.execute(select(_inbox.c.at).where(*_pending(platform, update)))
    return found.scalar_one_or_none()


async def is_update_done(tx: Transaction, platform: str, update: str) -> bool:
    """Whether an update is done."""
    found = await tx.execute(_STATE, {"of_platform": platform, "of_update": update})
    return found.scalar_one_or_none() == "done"


async def is_beginning_done(tx: Transaction, platform: str, beginning: str, but: str) -> bool:
    """Whether an update is done whose id has this *beginning*, another one than *but*."""
    begins = _inbox.c.update.startswith(beginning, autoescape=True)
    asked = select(_inbox.c.id).where(_inbox.c.platform == platform, begins)
    return (await tx.execute(asked.where(_inbox.c.update != but).limit(1))).first() is not None


async def pending_updates(tx: Transaction, platform: str) -> tuple[InboxRow, ...]:
    """The pending updates of a chat in the order of their arrival."""
    asked = select(*schema.columns_of(_inbox, InboxRow)).where(_inbox.c.platform == platform)
    return await schema.fetch_all(
        tx, InboxRow, asked.where(_inbox.c.state == "pending").order_by(_inbox.c.id)
    )


async def latest_updates(tx: Transaction, platform: str, most: int) -> tuple[str, ...]:
    """The last *most* updates of a chat in any state, the newest first."""
    found = await tx.execute(
        select(_inbox.c.update)
        .where(_inbox.c.platform == platform)
        .order_by(_inbox.c.id.desc())
        .limit(most)
    )
    return tuple(found.scalars())


async def count_failure(tx: Transaction, platform: str, update: str, at: datetime) -> int:
    """Counts a failed attempt at a pending update; answers the number of attempts.

    0 if the update is not pending: a chat that keeps no payload cannot try again.
    """
    mine = _pending(platform, update)
    await tx.execute(_inbox.update().where(*mine).values(attempts=_inbox.c.attempts + 1, at=at))
    return int((await tx.execute(select(_inbox.c.attempts).where(*mine))).scalar_one_or_none() or 0)


async def set_update_aside(tx: Transaction, platform: str, update: str, at: datetime) -> bool:
    """Takes an update that always fails out of the queue; False if it was not pending."""
    mine = _pending(platform, update)
    aside = await tx.execute(_inbox.update().where(*mine).values(state="aside", at=at))
    return aside.rowcount > 0


async def prune_inbox(tx: Transaction, before: datetime) -> int:
    """Deletes the updates that were done before an instant; answers their number.

    Those that were set aside stay until the operator has seen them.
    """
    return (await tx.execute(_PRUNE, {"until": before})).rowcount


async def strip_payloads(tx: Transaction, before: datetime) -> int:
    """Deletes the payloads of updates from before an instant; answers their number.

    A pending one is set aside, since it cannot be done without its payload.
    """
    return (await tx.execute(_STRIP, {"until": before})).rowcount


def _pending(platform: str, update: str) -> tuple[ColumnElement[bool], ...]:
    return (_inbox.c.platform == platform, _inbox.c.update == update, _inbox.c.state == "pending")
