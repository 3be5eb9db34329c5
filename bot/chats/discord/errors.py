"""Discord's errors as the errors of the port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord

from bot.port import ChatError, Later, MessageGone, PlaceShut

UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE = 10003, 10004, 10008
UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION = 10015, 10062
MISSING_ACCESS, CANNOT_WRITE_TO_PERSON, MISSING_PERMISSIONS = 50001, 50007, 50013
BAD_TOKEN, ANSWERED_ALREADY = 50027, 40060
TOO_OLD_TO_EDIT = 30046
ARCHIVED = 50083

SHUT = frozenset(
    {UNKNOWN_CHANNEL, UNKNOWN_GUILD, MISSING_ACCESS, CANNOT_WRITE_TO_PERSON, MISSING_PERMISSIONS}
)
TOKEN_OVER = frozenset({UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION, BAD_TOKEN})
TOO_LATE = frozenset({UNKNOWN_INTERACTION, ANSWERED_ALREADY, UNKNOWN_WEBHOOK, BAD_TOKEN})

PATIENCE = 45.0
"""Seconds for one call, the library's own waiting for rate limits included."""

AFTER_PATIENCE = 30.0
"""Seconds to leave a place alone after that: the library waits no longer by itself."""


def token_over(wrong: discord.HTTPException) -> bool:
    """Whether a token no longer reaches its message, or Discord is in trouble."""
    return wrong.code in TOKEN_OVER or wrong.status in (401, 404) or wrong.status >= 500


def too_late(wrong: discord.HTTPException) -> bool:
    """Whether an interaction was answered before, or can no longer be answered."""
    return wrong.code in TOO_LATE


def translated(wrong: discord.HTTPException) -> ChatError | None:
    """The error of the port for *wrong*; ``None`` if our request was bad."""
    if wrong.code == UNKNOWN_MESSAGE or wrong.code in (TOO_OLD_TO_EDIT, ARCHIVED):
        return MessageGone(f"error {wrong.code}")
    if wrong.code in SHUT:
        return PlaceShut(f"error {wrong.code}")
    if wrong.status == 429:
        return Later(_seconds(wrong))
    if wrong.status == 400:
        return None
    return ChatError(f"Discord answered {wrong.status}, error {wrong.code}")


def _seconds(wrong: discord.HTTPException) -> float:
    try:
        return float(wrong.response.headers.get("Retry-After", ""))
    except ValueError:
        return AFTER_PATIENCE


def short(wrong: BaseException) -> str:
    """*wrong* in a few words, without addresses."""
    code = getattr(wrong, "code", None) or getattr(wrong, "status", None)
    name = type(wrong).__name__
    return f"{name} {code}" if code and code != UNKNOWN_MESSAGE else name


@asynccontextmanager
async def bounded(seconds: float = PATIENCE) -> AsyncIterator[None]:
    """Limit calls to Discord to *seconds*; raises the errors of the port."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except discord.RateLimited as limited:
        raise Later(limited.retry_after) from None
    except discord.HTTPException as wrong:
        known = translated(wrong)
        if known is None:
            raise
        raise known from None
    except TimeoutError:
        raise Later(AFTER_PATIENCE) from None
    except (OSError, aiohttp.ClientError) as wrong:
        raise ChatError(f"Discord cannot be reached: {type(wrong).__name__}") from None
