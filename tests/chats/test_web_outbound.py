"""What is sent to a page: the newest, whatever it was put together from."""

from __future__ import annotations

import asyncio
import json

from bot.chats.web.outbound import Page


class Socket:
    """Keeps what is sent."""

    def __init__(self):
        self.sent = []

    async def send_str(self, text):
        self.sent.append(json.loads(text))


def board(version, table="AAAAAA"):
    return {"kind": "board", "table": table, "version": version}


def form(version, table="AAAAAA"):
    return {"table": table, "version": version}


async def sent(*messages):
    """What a page is sent of *messages*, each with its key."""
    socket = Socket()
    page = Page(socket)
    writing = asyncio.create_task(page.write())
    for key, message in messages:
        page.send(key, message)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    return socket.sent


async def test_a_state_that_took_long_does_not_bring_an_old_board_back():
    late = {"kind": "state", "boards": [form(4), form(9, "BBBBBB")]}
    first, state = await sent(("board AAAAAA", board(5)), ("1", late))
    assert first["version"] == 5
    assert [one["version"] for one in state["boards"]] == [5, 9]


async def test_a_state_of_the_same_version_is_shown_as_it_is():
    dark = {"kind": "state", "boards": [{**form(5), "picture": "dark"}]}
    *_, state = await sent(("board AAAAAA", board(5)), ("1", dark), ("2", dark))
    assert state["boards"] == dark["boards"]


async def test_of_several_boards_of_a_table_that_wait_only_the_newest_is_sent():
    socket = Socket()
    page = Page(socket)
    for version in (3, 4, 5):
        page.send("board AAAAAA", board(version))
    writing = asyncio.create_task(page.write())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert [one["version"] for one in socket.sent] == [5]
