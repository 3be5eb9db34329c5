"""Guests whose pages are served by any of several processes, and who play by whichever lives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp

from tests.chats.pages import Visitor

Json = dict[str, Any]

PATIENCE = 60.0
"""Seconds after which a press that nobody has answered is lost."""


class Serving(Protocol):
    """A process that serves pages, as a visitor knows it."""

    url: str
    http: aiohttp.ClientSession


@dataclass
class Guest:
    """A page that is opened anew by another process whenever the one that served it is gone."""

    visitor: Visitor
    serving: Any
    """Which processes serve pages just now: a callable."""
    rng: random.Random
    boards: dict[str, Json] = field(default_factory=dict)
    again: int = 0
    """How often something was asked again."""
    heartbeat: float | None = 5.0
    """Every so many seconds it is asked whether the connection lives."""
    _answers: dict[str, asyncio.Future[Json]] = field(default_factory=dict)
    _socket: aiohttp.ClientWebSocketResponse | None = None
    _open: asyncio.Event = field(default_factory=asyncio.Event)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            there: Sequence[Serving] = self.serving()
            if there:
                self.visitor.server = self.rng.choice(there)  # type: ignore[assignment]
                with contextlib.suppress(aiohttp.ClientError, OSError, ConnectionError):
                    await self._visit()
            self._open.clear()
            await asyncio.sleep(0.05)

    async def _visit(self) -> None:
        server = self.visitor.server
        headers = self.visitor.headers(**{"Origin": server.url, "User-Agent": "drive"})
        address = f"{server.url}{self.visitor.path}/socket"
        async with server.http.ws_connect(
            address, headers=headers, heartbeat=self.heartbeat
        ) as socket:
            hello = {"kind": "hello", "id": str(uuid.uuid4()), "theme": "light", "language": "en"}
            await socket.send_str(json.dumps(hello))
            self._socket = socket
            async for message in socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                self._heard(json.loads(message.data))
        self._socket = None

    def _heard(self, told: Json) -> None:
        if told["kind"] == "state":
            self.boards |= {board["table"]: board for board in told["boards"]}
            self._open.set()
        board = told.get("current") if told["kind"] == "answer" else told
        if board is not None and board["kind"] == "board":
            self.boards[board["table"]] = board
        if told["kind"] == "answer" and told["id"] in self._answers:
            future = self._answers[told["id"]]
            if not future.done():
                future.set_result(told)
        self._changed.set()

    async def changed(self, seconds: float) -> None:
        """Wait until the page has heard something."""
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def ask(self, kind: str, **told: str) -> Json:
        """What is answered, by whichever process, to something asked until it is."""
        update = str(uuid.uuid4())
        answer = self._answers[update] = asyncio.get_running_loop().create_future()
        asked_by: object = None
        deadline = time.monotonic() + PATIENCE
        while not answer.done():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{kind} {told}")
            await asyncio.wait_for(self._open.wait(), PATIENCE)
            socket = self._socket
            if socket is not None and socket is not asked_by and not socket.closed:
                self.again += asked_by is not None
                asked_by = socket
                with contextlib.suppress(ConnectionError):
                    await socket.send_str(json.dumps({"kind": kind, "id": update, **told}))
            await asyncio.wait({answer}, timeout=0.05)
        del self._answers[update]
        return answer.result()

    def moves(self, table: str) -> list[Json]:
        board = self.boards.get(table)
        rows = [] if board is None else board["rows"]
        return [b for row in rows for b in row if b["style"] == "move"]


@dataclass
class Pair:
    """Two guests who play one game of Niya after the other."""

    first: Guest
    second: Guest
    rng: random.Random
    gate: asyncio.Event
    tables: list[str] = field(default_factory=list)
    moves: dict[str, int] = field(default_factory=dict)
    """How many moves were told to be done, by table."""
    done: dict[str, int] = field(default_factory=dict)
    """At which version of each table the last of them was made."""
    refused: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    busy: bool = False

    async def play(self, pause: float) -> None:
        """Play for ever, a move every *pause* seconds or so, while the gate is open."""
        while True:
            await self.gate.wait()
            self.busy = True
            try:
                await self._step()
            finally:
                self.busy = False
            await asyncio.sleep(pause * self.rng.uniform(0.5, 1.5))

    async def _step(self) -> None:
        table = self.tables[-1] if self.tables else ""
        two = (self.first, self.second)
        boards = [guest.boards[table] for guest in two if table in guest.boards]
        newest = max(boards, key=lambda board: board["version"], default=None)
        if newest is None or newest.get("over"):
            await self._begin()
            return
        if newest["version"] <= self.done.get(table, 0):
            await self.first.changed(0.1)  # what was done is not on the pages yet
            return
        shown = [g for g in two if g.boards.get(table, {}).get("version") == newest["version"]]
        moving = [guest for guest in shown if guest.moves(table)]
        if not moving:
            await self.first.changed(0.1)
            return
        guest = moving[0]
        button, began = self.rng.choice(guest.moves(table)), time.monotonic()
        answer = await guest.ask("press", code=button["code"], message=table)
        self.took.append(time.monotonic() - began)
        if answer["good"]:
            self.moves[table] = self.moves.get(table, 0) + 1
            self.done[table] = newest["version"]
        else:
            self.refused.append(f"{table} {newest['version']}: {answer['said']}")

    async def _begin(self) -> None:
        opened = await self.first.ask("call", line="/play niya", table="")
        table = opened.get("open") or ""
        if not table:
            # Asked again, it says no more than that it was done.
            if not opened["good"]:
                self.refused.append(f"play: {opened}")
            return
        link = (await self.first.ask("invite", table=table))["link"]
        path = link[link.index("/i/") :]
        status, deadline = 0, time.monotonic() + PATIENCE
        while status not in (200, 410) and time.monotonic() < deadline:
            for server in self.first.serving():
                self.second.visitor.server = server
                with contextlib.suppress(aiohttp.ClientError, OSError):
                    status, _ = await self.second.visitor.get(f"{path}?as=me")
                    break
            await asyncio.sleep(0.05)
        self.tables.append(table)
