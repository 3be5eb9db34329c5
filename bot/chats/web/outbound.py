"""The pages a guest has open, and what he asked lately: a visit for each guest."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import OrderedDict
from dataclasses import dataclass, field

from aiohttp import web
from cachetools import LRUCache

from bot.chats.web.writing import Json
from bot.pace import Limiter

FRAMES = ((30, 10.0),)
"""How many frames that are no completions the pages of a guest may send, whatever they ask."""

PAGES_OPEN = 8
"""How many pages a guest may have open; the oldest is closed for a ninth."""

ANSWERS_KEPT = 64
"""How many answers are kept for a page that lost its connection before it heard them."""


class Page:
    """One open page. What is sent waits under a key, and the newest of a key wins.

    A state is put together while tables move on: the boards in it that are older than what
    the page was sent meanwhile are left as the page has them.
    """

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._waiting: OrderedDict[str, Json] = OrderedDict()
        self._boards: dict[str, Json] = {}
        self._some = asyncio.Event()

    def send(self, key: str, message: Json) -> None:
        """Send *message* as soon as the page takes it, in place of one with the same key."""
        if message["kind"] == "board":
            self._boards[message["table"]] = message
        elif message["kind"] == "state":
            boards = [self._newer(board) for board in message["boards"]]
            self._boards = {board["table"]: board for board in boards}
            message = {**message, "boards": boards}
        self._waiting[key] = message
        self._some.set()

    def _newer(self, board: Json) -> Json:
        sent = self._boards.get(board["table"], board)
        return sent if sent["version"] > board["version"] else board

    async def write(self) -> None:
        """Send what waits, until the connection ends.

        A page that stops reading is ended by the heartbeat; until then the guest's limiters
        bound what can wait.
        """
        with contextlib.suppress(ConnectionError):
            while True:
                await self._some.wait()
                self._some.clear()
                while self._waiting:
                    _, message = self._waiting.popitem(last=False)
                    await self._socket.send_str(json.dumps(message, ensure_ascii=False))

    async def close(self, code: int) -> None:
        """End the connection."""
        await self._socket.close(code=code)


@dataclass
class Visit:
    """One guest's open pages, his limiter, and the answers to what he did lately."""

    pages: list[Page] = field(default_factory=list)
    frames: Limiter = field(default_factory=lambda: Limiter(FRAMES))
    answers: LRUCache[str, asyncio.Task[Json]] = field(
        default_factory=lambda: LRUCache(ANSWERS_KEPT)
    )
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def send(self, key: str, message: Json) -> None:
        """Send *message* to every open page."""
        for page in self.pages:
            page.send(key, message)
