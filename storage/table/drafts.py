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
    """Adds a draft in place of the person's last one there; answers it with its number.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    mine = (_draft.c.person == row.person, _draft.c.platform == row.platform)
    await tx.execute(delete(_draft).where(*mine, _draft.c.place == row.place))
    return await schema.add_numbered(tx, _draft, row)


async def find_draft(tx: Transaction, now: datetime, /, **of: str | int) -> DraftRow | None:
    """The draft with these columns, None if there is none, or it is used or too old."""
    asked = _ROWS.filter_by(**of).where(_draft.c.at > now - DRAFT_LIFE)
    return await schema.fetch_one(tx, DraftRow, asked)


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
