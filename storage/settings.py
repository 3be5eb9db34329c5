"""Settings of the bot itself, such as the key of its buttons: texts by name."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema

_setting = schema.setting


async def load_setting(tx: AsyncConnection, key: str) -> str | None:
    """The value of a setting, None if it was never put."""
    found = await tx.execute(select(_setting.c.value).where(_setting.c.key == key))
    return found.scalar_one_or_none()


async def put_setting(tx: AsyncConnection, key: str, value: str) -> None:
    """Adds or changes a setting."""
    await schema.upsert(tx, _setting, {"key": key, "value": value})
