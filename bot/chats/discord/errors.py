"""Discord's errors as the errors of the port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import aiohttp
import discord

from bot.chats.discord.refusals import (
    REFUSALS,
    UNKNOWN_MESSAGE,
    Family,
    Meaning,
    family_of,
)
from bot.port import ChatError, Later

CALL_SECONDS = 45.0
"""Seconds for one call, the library's own waiting for rate limits included."""

AFTER_PATIENCE = 30.0
"""Seconds to leave a place alone where Discord does not say how many."""

AFTER_SILENCE = 2.0
"""The same after such a call: long waits the library tells, so Discord was away and may be back."""


class TokenRefused(ChatError):
    """Discord does not know the token."""

    def __init__(self) -> None:
        super().__init__("Discord refuses the token in DISCORD_TOKEN.")


@contextmanager
def outliving_token() -> Iterator[None]:
    """Go on after the block where its token no longer reaches its message.

    Where Discord is away that is not known.
    """
    try:
        yield
    except discord.HTTPException as wrong:
        if wrong.status not in (401, 404):
            raise


def translate(wrong: discord.HTTPException) -> ChatError:
    """The error of the port for *wrong*."""
    if wrong.status >= 500:
        return ChatError(f"Discord answered {wrong.status}, error {wrong.code}")
    error = refusal_of(wrong).error
    return Later(_seconds(wrong)) if error is Later else error(f"error {wrong.code}")


def refusal_of(wrong: discord.HTTPException) -> Meaning:
    """What *wrong* means for us."""
    return REFUSALS[family_of(wrong.code, wrong.status)]


def family(wrong: BaseException | None) -> Family | None:
    """The family of *wrong*, an answer of Discord or the error of the port made of one."""
    if isinstance(wrong, discord.HTTPException):
        return family_of(wrong.code, wrong.status)
    return None if wrong is None else family(wrong.__cause__)


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
async def limit_call(seconds: float = CALL_SECONDS) -> AsyncIterator[None]:
    """Limit calls to Discord to *seconds*; raises the errors of the port."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except discord.RateLimited as limited:
        raise Later(limited.retry_after) from None
    except discord.HTTPException as wrong:
        raise translate(wrong) from wrong
    except TimeoutError:
        raise Later(AFTER_SILENCE) from None
    except (OSError, aiohttp.ClientError) as wrong:
        raise ChatError(f"Discord cannot be reached: {type(wrong).__name__}") from None
