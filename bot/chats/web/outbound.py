"""Messages out: the open pages of each guest, and the answers to their latest requests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from aiohttp import web
from cachetools import LRUCache

from bot.chats.web.differences import board_difference
from bot.chats.web.message_formatting import Json, scenery_json
from bot.chats.web.reading import ClientFrame, number_in
from bot.facade import NO_TABLE, remembering
from bot.texts import language
from render.kit.sprite_placements import Scenery
from render.scene import Scene

PAGES_OPEN = 8
"""How many pages a guest may have open; a ninth closes the oldest."""

ANSWERS_KEPT = 64
"""How many answers are kept for a page that loses its connection before they arrive."""

VISITS_KEPT = 64
"""How many guests without an open page keep their answers."""

MOST_WAITING = 32
"""How many frames of a page may wait for their answers, or answers for the page to take them."""

SLOWEST = 30.0
"""The seconds after which a page that takes no answers is closed."""

BOARDS = ("board", "current")
"""The boards in an answer: a menu or a private board, and the table's board after the request."""

BESIDE = ("if", "card")
"""What else in an answer may have a scene."""

_COMMON = re.compile(r"house\.(done|computer|turn\.yours|button\.back)|\w+\.(ask|kind)\..+")
"""The texts that boards often have."""


@cache
def primed_packer(tongue: str) -> tuple[Any, bytes]:
    """A packer whose copies pack a board each, and what it has packed for pages to go on from.

    That is one line of what boards in the language *tongue* have in common: none of it is secret.
    """
    said = language(tongue).templates.items()
    words = " ".join(str(text) for key, text in said if _COMMON.fullmatch(key)).split()
    frames = resources.files(__package__).joinpath("prime.txt").read_text("utf-8")
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(f"{' '.join(words)}{frames}".encode())
    return packer, data + packer.flush(zlib.Z_SYNC_FLUSH)


@dataclass(eq=False)
class OpenPage:
    """One open page. A message waits under a key until it is sent; the newest of a key wins.

    *device* is the id of its device, *looks_at* the table in view; *watches* says that the guest
    only looks on there. *differs* says that the page takes boards as differences.
    """

    socket: web.WebSocketResponse
    device: str
    theme: str
    now: Callable[[], float] = time.time
    """The seconds since 1970, as countdowns end by them."""
    scenery: Callable[[Scene], Awaitable[Scenery]] | None = None
    """Puts a scene together from sprites; without it the page shows pictures."""
    looks_at: str = ""
    watches: bool = False
    differs: bool = False
    _packer: Any = None
    """Copies of it pack boards; None until the first one."""
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The boards that the page compares the next ones with, by table."""
    _sprites: set[str] = field(default_factory=set)
    """The names of the sprites that the page was told of beside its boards."""
    _numbers: dict[str, int] = field(default_factory=dict)
    """The numbers that stand for sprites in the boards that it was told as differences."""
    _waiting: OrderedDict[str, Json] = field(default_factory=OrderedDict)
    boards: dict[str, Json] = field(default_factory=dict)
    _awaited: dict[str, Json | None] = field(default_factory=dict)
    _some: asyncio.Event = field(default_factory=asyncio.Event)
    leaves: int = 0
    """The code with which the connection ends once what is awaited has been sent; 0 for none."""

    async def make_room(self) -> None:
        """Wait until another frame may be read; raises ``TimeoutError``.

        Raises ``ConnectionError`` for a page that is gone, whatever it has sent before.
        """
        line = self.socket.get_extra_info("socket")
        async with asyncio.timeout(SLOWEST):
            while line is not None and line.fileno() >= 0:
                if len(self._waiting) + len(self._awaited) < MOST_WAITING:
                    return
                await asyncio.sleep(0.05)
        raise ConnectionResetError

    def leave(self, answered: int, ended: int) -> None:
        """Send nothing more but the answers that are awaited, and end the connection then.

        Its code is *answered*, or *ended* where none is awaited.
        """
        self.leaves = self.leaves or (answered if self._awaited else ended)
        self._some.set()
        for key in [key for key, told in self._waiting.items() if told["kind"] != "answer"]:
            del self._waiting[key]

    def send(self, key: str, message: Json) -> None:
        """Send *message* in place of a waiting one with the same key; newer boards stay."""
        if self.leaves and message["kind"] != "answer":
            return
        if message["kind"] == "board":
            self.boards[message["table"]] = message
        elif message["kind"] == "answer":
            # The page turns to the table that it has opened.
            self.looks_at = message.get("open") or self.looks_at
            # A frame that is sent twice is answered twice, maybe before the first answer is out.
            current = self._awaited.pop(key, None) or self._waiting.get(key, {}).get("current")
            if current is not None:
                message = {**message, "current": self._newer(current)}
            for board in filter(None, map(message.get, BOARDS)):
                self.boards[board["table"]] = board
        elif message["kind"] == "state":
            boards = [self._newer(board) for board in message["boards"]]
            self.boards = {board["table"]: board for board in boards}
            message = {**message, "boards": boards}
        self._waiting[key] = message
        self._some.set()

    def awaits(self, frame: str) -> None:
        """Note that the page awaits the answer to the frame with this id."""
        self._awaited.setdefault(frame, None)

    def attach(self, frame: str, board: Json) -> bool:
        """Send *board* in the answer to a frame; whether the page awaits that."""
        if frame not in self._awaited:
            return False
        self._awaited[frame] = board
        return True

    def _newer(self, board: Json) -> Json:
        sent = self.boards.get(board["table"], board)
        return sent if sent["version"] > board["version"] else board

    def version(self, frame: ClientFrame) -> int:
        """The version of the board that *frame*, a press, was made on; -1 for none."""
        board, seen = self.boards.get(frame.message), number_in(frame.at)
        return board["version"] if board is not None and told_version(board) == seen else seen

    def pong(self, frame: str) -> Json:
        """The answer to a ping, with what is left of the countdowns of the boards sent last."""
        counts = {code: board.get("countdown") for code, board in self.boards.items()}
        left = {code: _left(count, self.now()) for code, count in counts.items() if count}
        return {"kind": "pong", "id": frame, "left": left}

    async def write(self) -> None:
        """Send the waiting messages until the connection ends.

        The heartbeat ends a page that stops reading; until then few of its frames are read.
        """
        with contextlib.suppress(ConnectionError):
            while True:
                await self._some.wait()
                self._some.clear()
                while self._waiting:
                    _, message = self._waiting.popitem(last=False)
                    await self._write(message, packed(await self._tell(message)))
                if self.leaves and not self._awaited:
                    # Its reader ends with it, and would cut this off.
                    await asyncio.shield(self.socket.close(code=self.leaves))
                    return

    async def _write(self, message: Json, text: str) -> None:
        """Write *text*, packed where it is a board and repeats nothing that others have typed.

        The length of what is packed tells whether parts of it are alike: others could try words.
        So each board is packed by itself, whatever those before it have told.
        """
        board = message.get("current") or message.get("board") or message
        seats = board.get("clocks", ())
        others = [one["who"] for one in seats if one["typed"] and not one["mine"]]
        if not self.differs or not seats or any(who in text for who in others):
            await self.socket.send_str(text)
        else:
            if self._packer is None:
                self._packer, prime = primed_packer(board["language"])
                await self.socket.send_bytes(prime)
            packer = self._packer.copy()
            await self.socket.send_bytes(packer.compress(text.encode()) + packer.flush())

    async def _tell(self, message: Json) -> Json:
        """*message* as it travels: its boards as differences, where the page takes those."""
        if message["kind"] == "board":
            return {"kind": "board", **await self._tell_board(message, keeps=True)}
        found: dict[str, Any] = {
            key: await self._tell_board(message[key], keeps=key == "current")
            for key in BOARDS
            if message.get(key)
        }
        for key in filter(message.get, BESIDE):
            found[key] = as_told(await self._draw(message[key]), self.now())
        if self.differs and "id" in message:
            found["id"] = message["id"][:8]
        for board in message.get("boards", ()):
            found.setdefault("boards", []).append(await self._tell_board(board, keeps=True))
        return {**message, **found}

    async def _tell_board(self, board: Json, *, keeps: bool) -> Json:
        whole = as_told(await self._draw(board, whole=self.differs), self.now())
        if not self.differs:
            return whole
        known = self._known.setdefault(board["table"], {})
        return board_difference(known, whole, self._numbers, keeps=keeps)

    async def _draw(self, board: Json, *, whole: bool = False) -> Json:
        """*board* as sprites at places if it is in view; *whole* tells all of them."""
        scene, shown = board.get("scene"), board["table"] in (self.looks_at, NO_TABLE)
        if scene is None or self.scenery is None or not shown:
            return {**board, **({"scene": None} if "scene" in board else {})}
        scenery = await self.scenery(scene)
        if whole:
            return {**board, "scene": scenery_json(scenery, ())}
        told = scenery_json(scenery, self._sprites | self._numbers.keys())
        self._sprites.update(scenery.cutouts)
        return {**board, "scene": told}

    def again(self, table: str) -> None:
        """Send the board of *table* as it was sent last once more: it has come into view."""
        board = self.boards.get(table)
        if board is not None:
            self.send(f"board {table}", {**board, "kind": "board"})


def packed(message: Json) -> str:
    """*message* as it travels, without blanks."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def as_told(board: Json, now: float) -> Json:
    """*board* as it travels at *now*: with what is left of its countdown in place of its end.

    Its version leaves out what its viewer is not told of (``told_version``).
    """
    told = {**board, "version": told_version(board)}
    told.pop("unknown", None)
    if count := board.get("countdown"):
        kept = {key: count[key] for key in count if key != "until"}
        told["countdown"] = {**kept, "left": _left(count, now)}
    return told


def told_version(board: Json) -> int:
    """The version of *board* that its page knows."""
    return int(board["version"]) - int(board.get("unknown", 0))


def _left(countdown: Json, now: float) -> int:
    """The milliseconds until *countdown* ends; none where it should have ended."""
    return max(0, int(countdown["until"]) - int(now * 1000))


@dataclass
class Visit:
    """A guest's open pages and latest answers."""

    pages: list[OpenPage] = field(default_factory=list)
    answers: LRUCache[str, asyncio.Task[Json]] = remembering(ANSWERS_KEPT)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    last: dict[str, OpenPage] = field(default_factory=dict)
    """By device, the page that was opened last."""

    def send(self, key: str, message: Json, theme: str = "") -> None:
        """Send *message* to all open pages, or to those in *theme*."""
        for page in self.pages:
            if theme in ("", page.theme):
                page.send(key, message)

    def send_board(self, forms: Mapping[str, Json], frame: str = "") -> None:
        """Send open pages a board in each theme's form, to one of them as the answer to *frame*."""
        for page in self.pages:
            form = forms.get(page.theme)
            if form is not None:
                board = {"kind": "board", **form}
                if not page.attach(frame, board):
                    page.send(f"board {form['table']}", board)

    def themes(self) -> tuple[str, ...]:
        """The themes of the open pages."""
        return tuple(dict.fromkeys(page.theme for page in self.pages))

    def dress(self, device: str, theme: str) -> None:
        """Give the pages on a *device* another *theme*."""
        for page in self.pages:
            if page.device == device:
                page.theme = theme


def forget_visits(visits: dict[str, Visit]) -> None:
    """Forget the oldest *visits* without an open page above ``VISITS_KEPT``."""
    left = [guest for guest, visit in visits.items() if not visit.pages]
    for guest in left[: max(0, len(left) - VISITS_KEPT)]:
        del visits[guest]
