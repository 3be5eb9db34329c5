"""Wishes whose answers take long: the page is told so, and again for as long as it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.chats.web.reading import Frame
from bot.chats.web.writing import Json

AGAIN = 5.5
"""Every how many seconds a page that waits is told so: a word over its pane stays for six."""


@dataclass(frozen=True)
class Awaited:
    """What a page hears *soon* of a wish and *again* while it waits, and its *answer*."""

    soon: str
    again: Callable[[], str]
    answer: Coroutine[Any, Any, Json]

    async def told(self, frame: Frame, send: Callable[[str, Json], None]) -> Json:
        """The answer to *frame*; until it is known the page is told by *send* that it waits."""
        answering, said = asyncio.create_task(self.answer), self.soon
        try:
            while True:
                send(f"soon {frame.id}", {"kind": "soon", "id": frame.id, "said": said})
                if (await asyncio.wait({answering}, timeout=AGAIN))[0]:
                    return answering.result()
                said = self.again()
        finally:
            answering.cancel()
