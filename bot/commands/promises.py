"""Answers that take long: the asker hears at once that they come, and nobody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bot.commands.request import Request
from bot.port import Answer, Promised
from games.core import Phrase, RuleError, phrase

PROMPT = 0.4
"""After how many seconds the asker hears that the answer takes longer."""


LOOKING, STILL_LOOKING = phrase("house.looking"), phrase("house.still-looking")


async def in_time(
    request: Request,
    work: Coroutine[Any, Any, Answer],
    said: Phrase = LOOKING,
    waiting: Callable[[], Phrase] = lambda: STILL_LOOKING,
) -> Answer:
    """The answer that *work* finds, or the promise of it where that takes long.

    *work* changes nothing. *said* is the promise, *waiting* what is said while it lasts. Raises
    what *work* raises within ``PROMPT`` seconds.
    """
    task = asyncio.create_task(_polite(request, work))
    try:
        await asyncio.wait({task}, timeout=PROMPT)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if task.done():
        return task.result()
    say = request.tongue.say
    return Promised(say(said), task, lambda: say(waiting()))


async def _polite(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """What *work* answers; a refusal is told like any other."""
    try:
        return await work
    except RuleError as refused:
        return await request.refused(refused)
