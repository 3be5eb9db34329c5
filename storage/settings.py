"""Settings of the house itself, such as the key of its buttons: words by name."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import queries, schema

_setting = schema.setting


async def load_setting(tx: AsyncConnection, key: str) -> str | None:
    """The value of a setting, None where it was never put."""
    found = await tx.execute(select(_setting.c.value).where(_setting.c.key == key))
    return found.scalar_one_or_none()


async def put_setting(tx: AsyncConnection, key: str, value: str) -> None:
    """Puts a setting, whether it was there or not."""
    await queries.upsert(tx, _setting, {"key": key, "value": value})
