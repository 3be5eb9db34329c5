"""Drafts: choices for a new table that a person sets up, kept for an hour."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select

from storage import schema
from storage.person import people
from storage.records import JSON, DraftRow
from storage.schema import Transaction

DRAFT_LIFE = timedelta(hours=1)
"""How long an untouched draft is kept."""

_draft = schema.draft
_ROWS = select(*schema.columns_of(_draft, DraftRow))
_PRUNE = delete(_draft).where(_draft.c.at <= bindparam("until"))


async def begin_draft(tx: Transaction, row: DraftRow) -> DraftRow:
    """Adds a draft beside the person's other ones; answers it with its number.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    return await schema.add_numbered(tx, _draft, row)


async def find_drafts(tx: Transaction, now: datetime, /, **of: str | int) -> tuple[DraftRow, ...]:
    """The drafts with these columns that are neither used nor too old, the newest first."""
    asked = _ROWS.filter_by(**of).where(_draft.c.at > now - DRAFT_LIFE)
    return await schema.fetch_all(tx, DraftRow, asked.order_by(_draft.c.id.desc()))


async def update_draft(
    tx: Transaction, number: int, data: Mapping[str, JSON], at: datetime
) -> None:
    """Replaces the choices of a draft."""
    await tx.execute(_draft.update().where(_draft.c.id == number).values(data=dict(data), at=at))


async def take_draft(tx: Transaction, number: int) -> bool:
    """Deletes a draft because its table is opened; False if that was done before."""
    return (await tx.execute(delete(_draft).where(_draft.c.id == number))).rowcount > 0


async def prune_drafts(tx: Transaction, now: datetime) -> None:
    """Deletes the drafts that are too old."""
    await tx.execute(_PRUNE, {"until": now - DRAFT_LIFE})
