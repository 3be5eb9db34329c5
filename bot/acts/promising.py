"""Answers that take long: the asker hears at once that they come, and nobody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from bot.acts.asked import Asked
from bot.port import Answer, Promised
from games.core import RuleError, phrase

PROMPT = 0.4
"""After how many seconds the asker hears that the answer takes longer."""


async def promised(asked: Asked, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The answer that *work* finds, or the promise of it where that takes long.

    *work* changes nothing. Raises what it raises within ``PROMPT`` seconds.
    """
    task = asyncio.create_task(_polite(asked, work))
    try:
        await asyncio.wait({task}, timeout=PROMPT)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if task.done():
        return task.result()
    return Promised(asked.tongue.say(phrase("house.looking")), task)


async def _polite(asked: Asked, work: Coroutine[Any, Any, Answer]) -> Answer:
    """What *work* answers; a refusal is told like any other."""
    try:
        return await work
    except RuleError as refused:
        return await asked.refused(refused)
