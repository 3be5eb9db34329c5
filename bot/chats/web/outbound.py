"""The pages a guest has open, and what he asked lately: a visit for each guest."""

from __future__ import annotations

import asyncio
import contextlib
import json
from base64 import b64encode
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aiohttp import web
from cachetools import LRUCache

from bot.chats.web.writing import PICTURES, Json
from bot.facade import Limiter

FRAMES = ((30, 10.0),)
"""How many frames the pages of a guest may send that neither act nor read nor complete a line."""

READS_TAKEN = ((60, 12.0),)
"""How many of them may read something: sixty at once, then five a second."""

PAGES_OPEN = 8
"""How many pages a guest may have open; the oldest is closed for a ninth."""

ANSWERS_KEPT = 64
"""How many answers are kept for a page that lost its connection before it heard them."""

VISITS_KEPT = 64
"""How many guests without an open page keep the answers to what they did last."""

DRAWN_KEPT = 4
"""How many pictures of the table in view a page that was sent them still has."""


@dataclass(frozen=True)
class Sight:
    """What is in view on a page: a *table*, its *board* as the page was sent it last, the theme."""

    table: str = ""
    board: Json | None = None
    theme: str = ""


class Page:
    """One open page. What is sent waits under a key, and the newest of a key wins.

    A state is put together while tables move on: the boards in it that are older than what
    the page was sent meanwhile are left as the page has them. *device* is the id of the one it is
    open on, *theme* what its pictures are painted in, *looks_at* the table in view; *watches* says
    that nobody sits there who has this page. The board in view brings its picture along, where
    *ready* has it by its name: the page need not ask for it.
    """

    def __init__(
        self,
        socket: web.WebSocketResponse,
        device: str,
        theme: str,
        ready: Callable[[str], bytes | None],
    ) -> None:
        self.looks_at = ""
        self.watches = False
        self._socket = socket
        self.device, self.theme = device, theme
        self._ready = ready
        self._drawn: deque[str] = deque(maxlen=DRAWN_KEPT)
        self._waiting: OrderedDict[str, Json] = OrderedDict()
        self._boards: dict[str, Json] = {}
        self._some = asyncio.Event()

    def send(self, key: str, message: Json) -> None:
        """Send *message* as soon as the page takes it, in place of one with the same key."""
        if message["kind"] == "board":
            self._boards[message["table"]] = message
        elif message["kind"] == "answer" and message.get("board") is not None:
            self._boards[message["board"]["table"]] = message["board"]
        elif message["kind"] == "state":
            boards = [self._newer(board) for board in message["boards"]]
            self._boards = {board["table"]: board for board in boards}
            message = {**message, "boards": boards}
        self._waiting[key] = message
        self._some.set()

    def _newer(self, board: Json) -> Json:
        sent = self._boards.get(board["table"], board)
        return sent if sent["version"] > board["version"] else board

    @property
    def sight(self) -> Sight:
        """What is in view."""
        return Sight(self.looks_at, self._boards.get(self.looks_at), self.theme)

    def come(self, table: str, picture: str) -> None:
        """Note that the page opens at *table*, and shows this *picture* of it, if any."""
        self.looks_at = self.looks_at or table
        if picture:
            self._drawn.append(picture)

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
                    whole = self._with_picture(message)
                    await self._socket.send_str(json.dumps(whole, ensure_ascii=False))

    def _with_picture(self, message: Json) -> Json:
        """*message* with the picture of the board in view, if the page has not got it yet."""
        if message["kind"] == "answer":
            board = message.get("board")
            return message if board is None else {**message, "board": self._drawing(board)}
        if message["kind"] == "state":
            boards = message["boards"]
            self.looks_at = self.looks_at or foremost(boards)
            return {**message, "boards": [self._drawing(board) for board in boards]}
        return self._drawing(message) if message["kind"] == "board" else message

    def _drawing(self, board: Json) -> Json:
        name = picture_of(board)
        if board["table"] != self.looks_at or name in self._drawn:
            return board
        whole = drawing(board, self._ready)
        if whole is not board:
            self._drawn.append(name)
        return whole

    async def close(self, code: int) -> None:
        """End the connection."""
        await self._socket.close(code=code)


def foremost(boards: Sequence[Json]) -> str:
    """The table that a page shows first, as it does itself: what waits for the player."""
    first = sorted(boards, key=lambda board: not board["mine"])[:1]
    return "".join(board["table"] for board in first)


def picture_of(board: Json) -> str:
    """The name of the picture of *board*, or nothing."""
    address: str = board.get("picture", "")
    return address.removeprefix(PICTURES[0]).removesuffix(PICTURES[1])


def drawing(board: Json, ready: Callable[[str], bytes | None]) -> Json:
    """*board* with its picture, where *ready* has it by its name."""
    name = picture_of(board)
    data = ready(name) if name else None
    return board if data is None else {**board, "drawn": b64encode(data).decode()}


@dataclass
class Visit:
    """One guest's open pages, his limiters, and the answers to what he did lately."""

    pages: list[Page] = field(default_factory=list)
    frames: Limiter = field(default_factory=lambda: Limiter(FRAMES))
    reads: Limiter = field(default_factory=lambda: Limiter(READS_TAKEN))
    answers: LRUCache[str, asyncio.Task[Json]] = field(
        default_factory=lambda: LRUCache(ANSWERS_KEPT)
    )
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _left: dict[str, Sight] = field(default_factory=dict)
    """What was in view on a device whose page was closed last."""

    def close(self, page: Page) -> None:
        """Note that *page* is open no more."""
        self.pages.remove(page)
        self._left[page.device] = page.sight

    def sight(self, device: str) -> Sight:
        """What is or was in view on a *device*."""
        here = [page.sight for page in self.pages if page.device == device]
        return here[-1] if here else self._left.get(device, Sight())

    def send(self, key: str, message: Json, theme: str = "") -> None:
        """Send *message* to every open page, or to those that are painted in *theme*."""
        for page in self.pages:
            if theme in ("", page.theme):
                page.send(key, message)

    def themes(self) -> tuple[str, ...]:
        """What the open pages are painted in."""
        return tuple(dict.fromkeys(page.theme for page in self.pages))

    def dress(self, device: str, theme: str) -> None:
        """Let the pages on a *device* be painted in *theme* from now on."""
        for page in self.pages:
            if page.device == device:
                page.theme = theme


def tidy(visits: dict[str, Visit]) -> None:
    """Forget the *visits* that have been left longest, once there are many."""
    left = [guest for guest, visit in visits.items() if not visit.pages]
    for guest in left[: max(0, len(left) - VISITS_KEPT)]:
        del visits[guest]
