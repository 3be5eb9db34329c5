"""Settings of the bot itself, such as the key of its buttons: texts by name."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from sqlalchemy import select

from storage import schema
from storage.schema import Transaction

log = logging.getLogger(__name__)

_setting = schema.setting

T = TypeVar("T")


async def load_setting(tx: Transaction, key: str) -> str | None:
    """The value of a setting, None if it was never put."""
    found = await tx.execute(select(_setting.c.value).where(_setting.c.key == key))
    return found.scalar_one_or_none()


async def put_setting(tx: Transaction, key: str, value: str) -> None:
    """Adds or changes a setting."""
    await schema.upsert(tx, _setting, {"key": key, "value": value})


async def list_settings(tx: Transaction, prefix: str) -> dict[str, str]:
    """The settings whose keys begin with *prefix*, by key."""
    chosen = select(_setting.c.key, _setting.c.value)
    found = await tx.execute(chosen.where(_setting.c.key.startswith(prefix, autoescape=True)))
    return {str(key): str(value) for key, value in found}


async def delete_setting(tx: Transaction, key: str) -> None:
    """Deletes a setting, if it was ever put."""
    await tx.execute(_setting.delete().where(_setting.c.key == key))


async def read_setting(tx: Transaction, key: str, read: Callable[[str], T]) -> T | None:
    """What *read* makes of a setting, None if it was never put, or is damaged.

    *read* raises ``ValueError`` or ``TypeError`` for what it cannot read, which is logged.
    """
    kept = await load_setting(tx, key)
    if kept is None:
        return None
    try:
        return read(kept)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as wrong:
        _tell_once(key, hash(kept), type(wrong).__name__)  # whose words may hold the value
        return None


@lru_cache(1000)
def _tell_once(key: str, _kept: int, kind: str) -> None:
    """Tells of a damaged value once; of another one, by its hash, anew."""
    place = f"table setting, row {key[:40]}, column value"
    log.error("%s: it cannot be read (%s); it is read as if it were not set", place, kind)
