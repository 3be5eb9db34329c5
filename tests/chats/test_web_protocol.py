"""Random sequences against the socket of a page: nothing but answers and closes, and no fault."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.chats.web.reading import KINDS, LARGEST
from tests.chats.pages import Page, server

TEXTS = st.text(max_size=8)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "line": TEXTS
        | st.sampled_from(["/play niya", "/play niya computer", "/games", "/board", "1", "a1"]),
        "code": st.sampled_from(["niya", "shogi", "storilljudhjorrayc", "no such"]) | TEXTS,
        "name": TEXTS,
        "theme": st.sampled_from(["light", "dark", "x"]),
        "path": st.sampled_from(["", "clear", "turn", "put,1a", "a,b", ","]) | TEXTS,
        "at": st.sampled_from(["0", "1", "-1", "99999", "0.5,0.5", "nan,inf", "x"]) | TEXTS,
        "moves": st.sampled_from(["", "a,b;c", ";;", "1;2;3"]) | TEXTS,
        "device": TEXTS,
        "subscription": TEXTS | st.just('{"endpoint":"https://x"}'),
    },
)
JUNK = st.sampled_from(["", "{", "null", "[]", '{"kind":1}', "[" * 5000, "x" * (LARGEST + 1)])
FORGETS = ("forget", "olvid", "end")
"""What would end the guest: all else must leave them their page."""


class Protocol(RuleBasedStateMachine):
    """One guest whose page sends anything, loses its connection, and opens again."""

    @initialize()
    def open(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.sent: list[tuple[str, str]] = []
        self.tables = [""]
        self.run(self._open())

    async def _open(self) -> None:
        self.house = server(Path(self.folder.name))
        self.at = await self.house.__aenter__()
        self.visitor = await self.at.first()
        await self._connect()

    async def _connect(self) -> None:
        self.opening = self.visitor.open()
        self.page: Page = await self.opening.__aenter__()

    def run(self, what: Any) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(what, 60))

    @rule(
        kind=st.sampled_from(sorted(KINDS - {"wrong", "look", "end"})), told=FIELDS, data=st.data()
    )
    def ask(self, kind: str, told: dict[str, str], data: st.DataObject) -> None:
        """A frame of a known shape is answered under its id, whatever it says."""
        told = {**told, "table": data.draw(st.sampled_from(self.tables))}
        if any(word in told.get("line", "").lower() for word in FORGETS):
            return
        answer = self.run(self.page.ask(kind, **told))
        assert answer["kind"] in ("answer", "state", "pong", "completions")
        assert "Algo ha fallado" not in answer.get("said", ""), (kind, told)
        if answer.get("open"):
            self.tables.append(answer["open"])

    @rule(told=FIELDS)
    def ask_twice(self, told: dict[str, str]) -> None:
        """A repeated frame is answered as it was, and done once."""
        update = str(uuid.uuid4())
        line = {**told, "line": "/play niya"}
        first, again = (self.run(self.page.ask("call", update, **line)) for _ in range(2))
        assert first.get("open") == again.get("open")

    @rule(junk=JUNK)
    def send_junk(self, junk: str) -> None:
        """What is no frame closes the page, which opens again."""

        async def junked() -> None:
            await self.page.socket.send_str(junk)
            while (await self.page.socket.receive()).type is WSMsgType.TEXT:
                pass
            assert self.page.socket.close_code in (1008, 1009)
            await self.opening.__aexit__(None, None, None)
            await self._connect()

        self.run(junked())

    @rule(told=FIELDS)
    def leave_while_it_is_answered(self, told: dict[str, str]) -> None:
        """A page that goes before its answer comes does no harm."""

        async def left() -> None:
            await self.page.send("setup", **told)
            await self.opening.__aexit__(None, None, None)
            await self._connect()

        self.run(left())

    @invariant()
    def lives(self) -> None:
        if hasattr(self, "page"):
            assert self.run(self.page.ask("ping"))["kind"] == "pong"

    def teardown(self) -> None:
        async def end() -> None:
            await self.opening.__aexit__(None, None, None)
            await self.house.__aexit__(None, None, None)

        if hasattr(self, "page"):
            self.run(end())
            self.loop.close()
            self.folder.cleanup()


@pytest.mark.slow
class TestProtocol(Protocol.TestCase):
    settings = settings(
        max_examples=15,
        stateful_step_count=20,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
