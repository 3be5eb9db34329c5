"""Half requests by the hundred: the page goes on, and the log stays short."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import resource
import socket
import sys
import uuid

import aiohttp
import pytest
from aiohttp import web

from bot.app.logs import OneASecond, RatedLines
from bot.app.runner import favour_loop, raise_descriptors
from bot.chats.web import chat
from bot.chats.web import server as server_module
from bot.port import Stumbled
from tests.chats.pages import Server, server


async def half_open(at: Server, number: int) -> list[asyncio.StreamWriter]:
    """So many connections that begin a request and say no more."""
    opened = []
    for _ in range(number):
        _, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x")
        opened.append(writer)
    return opened


@contextlib.asynccontextmanager
async def storm(at: Server, number: int):
    opened = await half_open(at, number)
    try:
        yield opened
    finally:
        for writer in opened:
            writer.close()


async def held_out(at: Server, number: int, most: int, caplog: pytest.LogCaptureFixture) -> None:
    """*number* half requests neither keep a page from opening nor an open one from playing."""
    visitor = await at.first()
    async with visitor.open() as page, storm(at, number):
        assert (await page.type("/play niya"))["open"]
        assert (await visitor.get(f"{visitor.path}/"))[0] == 200
        async with visitor.open() as another:
            assert another.state["name"] == "Nerea"
        assert len(at.chat._server._runner.server.connections) <= most + 8
    assert len(caplog.records) < 100


async def test_a_frame_that_comes_by_two_connections_at_once_is_answered_alike(
    tmp_path, monkeypatch
):
    async with server(tmp_path) as at:
        visitor, both, update = await at.first(), asyncio.Barrier(2), str(uuid.uuid4())
        sessions = at.chat._sessions
        refuse_haste = sessions._refuse_haste

        async def judge_together(guest, frame):
            if frame.kind == "call":
                await both.wait()
            return await refuse_haste(guest, frame)

        async with visitor.open() as page, visitor.open() as other:
            monkeypatch.setattr(sessions, "_refuse_haste", judge_together)
            asked = (one.ask("call", update, line="/play niya") for one in (page, other))
            first, second = await asyncio.gather(*asked)
        assert first["open"] == second["open"]
        assert first["said"] == second["said"]


async def test_hundreds_of_half_requests_keep_nobody_out(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 50)
    async with server(tmp_path) as at:
        await held_out(at, 300, 50, caplog)


@pytest.mark.slow
async def test_two_thousand_half_requests_keep_nobody_out(tmp_path, caplog):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    raise_descriptors()
    try:
        async with server(tmp_path) as at:
            await held_out(at, 2000, server_module.MOST_CONNECTIONS, caplog)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


IDLE = "GET /static/page.js HTTP/1.1\r\nHost: {0}\r\n\r\n"
SLOW = "POST /m/enter HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 9\r\n\r\nx"


@pytest.mark.parametrize("asked", [IDLE, SLOW])
async def test_who_is_served_once_or_sends_slowly_keeps_nobody_out(tmp_path, monkeypatch, asked):
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 20)
    async with server(tmp_path) as at:
        visitor, opened = await at.first(), []
        try:
            async with visitor.open() as page:
                for _ in range(40):
                    _, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
                    writer.write(asked.format(f"127.0.0.1:{at.chat.port}").encode())
                    opened.append(writer)
                    await asyncio.sleep(0.01)
                async with visitor.open() as another:
                    assert another.state["name"] == "Nerea"
                assert (await page.type("/games"))["id"]
        finally:
            for writer in opened:
                writer.close()


async def test_few_of_many_connections_are_taken_in_one_turn_of_the_loop(tmp_path, monkeypatch):
    turns, loop = [0], asyncio.get_running_loop()
    take = server_module.Connections.__call__

    def counted(self):
        turns[-1] += 1
        if turns[-1] == 1:
            loop.call_soon(turns.append, 0)
        return take(self)

    monkeypatch.setattr(server_module.Connections, "__call__", counted)
    async with server(tmp_path) as at:
        address = ("127.0.0.1", at.chat.port)
        # The loop stands still meanwhile, so that all of them wait for it.
        opened = [socket.create_connection(address, timeout=5) for _ in range(60)]
        async with asyncio.timeout(30):
            while sum(turns) < len(opened):
                await asyncio.sleep(0.01)
        assert max(turns) <= server_module.TAKEN + 1
        for one in opened:
            one.close()


async def test_a_request_must_be_said_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(server_module, "HEAD", 0.3)
    async with server(tmp_path) as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
        writer.write(b"GET / HTTP/1.1\r\nX: ")
        async with asyncio.timeout(30):
            while True:
                # One letter now and then does not count as a request.
                writer.write(b"x")
                with contextlib.suppress(TimeoutError, ConnectionError):
                    assert await asyncio.wait_for(reader.read(1), 0.1) == b""
                    break
                if writer.is_closing() or reader.exception():
                    break
        writer.close()


async def test_an_open_page_is_not_cut_off_by_the_patience_for_requests(tmp_path, monkeypatch):
    monkeypatch.setattr(server_module, "HEAD", 0.3)
    async with server(tmp_path) as at:
        visitor = await at.first()
        async with visitor.open() as page:
            await asyncio.sleep(0.8)
            assert (await page.type("/games"))["id"]


async def test_where_everybody_has_asked_a_new_one_is_turned_away(tmp_path, monkeypatch):
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 1)
    async with server(tmp_path) as at:
        visitor = await at.first()
        async with visitor.open() as page:
            reader, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
            assert await reader.read() == b""
            writer.close()
            assert (await page.type("/games"))["id"]


def test_a_storm_writes_one_line_a_second_and_counts_the_rest():
    now = [0.0]
    sparing = OneASecond(lambda: now[0])
    written = []
    for number in range(3000):
        now[0] = number / 1000
        said = f"socket.accept() out of system resource\nsocket: <{number}>"
        record = logging.LogRecord("asyncio", logging.ERROR, "", 1, said, (), None)
        if sparing.filter(record):
            written.append(record.getMessage())
    assert len(written) == 3
    assert "(and 999 more like this)" in written[1]
    other = logging.LogRecord("asyncio", logging.ERROR, "", 1, "another matter", (), None)
    assert sparing.filter(other)


def test_the_limit_of_open_files_is_raised_as_far_as_it_goes():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        raise_descriptors()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 65_536)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _replaced(listening: socket.socket) -> None:
    """As another part of the process does it that mixes up its descriptors."""
    with open(os.devnull, "rb") as other:
        os.dup2(other.fileno(), listening.fileno())


def _shut_down(listening: socket.socket) -> None:
    with socket.socket(fileno=os.dup(listening.fileno())) as same:
        same.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("dies", [_replaced, _shut_down], ids=lambda dies: dies.__name__)
async def test_a_listening_socket_that_dies_ends_the_process_for_a_supervisor(
    tmp_path, monkeypatch, dies
):
    monkeypatch.setattr(chat, "WATCH", 0.02)
    async with server(tmp_path) as at:
        assert at.facade.process_duties.is_connected()
        (listening,) = at.chat._server._listening[0].sockets
        asyncio.get_running_loop().remove_reader(listening.fileno())
        dies(listening)
        assert not at.facade.process_duties.is_connected(), "/healthz tells it at once"
        async with asyncio.timeout(30):
            assert isinstance(await at.facade.failures.get(), Stumbled)


async def test_a_server_that_is_closed_by_our_own_end_gives_nothing_up(tmp_path, monkeypatch):
    monkeypatch.setattr(chat, "WATCH", 0.0)
    async with server(tmp_path) as at:
        facade = at.facade
        await asyncio.sleep(0.05)
    assert facade.failures.empty()


@pytest.mark.sampled
@pytest.mark.parametrize("gone", [True, False], ids=["gone", "going"])
async def test_a_page_that_has_left_before_it_was_answered_is_no_fault(
    tmp_path, monkeypatch, caplog, gone
):
    prepare = web.WebSocketResponse.prepare

    async def left(response: web.WebSocketResponse, request: web.BaseRequest):
        assert request.transport is not None
        request.transport.abort()
        while gone and request.transport is not None:
            await asyncio.sleep(0)
        return await prepare(response, request)

    async with server(tmp_path) as at:
        visitor = await at.first()
        monkeypatch.setattr(web.WebSocketResponse, "prepare", left)
        with pytest.raises(aiohttp.ClientError):
            async with visitor.open():
                pass
        await asyncio.sleep(0)
    ours = [one for one in caplog.records if one.name.startswith("bot.")]
    assert not [one for one in ours if one.levelno >= logging.ERROR]


@pytest.mark.slow
async def test_a_ping_is_answered_with_what_is_left_of_the_countdown_whose_time_runs(tmp_path):
    async with server(tmp_path) as at:
        visitor = await at.first()
        async with visitor.open() as page:
            table = (await page.type("/play niya opponent=computer clock=10m+5s"))["open"]
            board = await page.board(table, lambda board: board["countdown"] is not None)
            assert 590_000 < board["countdown"]["left"] <= 605_000
            assert "until" not in board["countdown"]
            assert (board["clocks"][0]["who"], board["runs"][0]) == ("Nerea", True)
            assert [left < 0 for left in board["left"]] == [False, True], "a computer has no clock"
            assert not any("Nerea 10" in line for line in board["lines"]), "its clock says it"
            pong = await page.ask("ping")
            assert pong["kind"] == "pong"
            assert 0 <= board["countdown"]["left"] - pong["left"][table] < 10_000
        async with at.http.get(f"{at.url}{visitor.path}/", headers=visitor.headers()) as first:
            assert '"left":' in (await first.text()).replace(" ", "")


async def test_faults_of_a_page_reach_the_log_a_few_a_minute_and_end_nothing(tmp_path, caplog):
    caplog.handler.addFilter(RatedLines())
    async with server(tmp_path) as at:
        visitor = await at.first()
        async with visitor.open() as page:
            for number in range(30):
                await page.send("wrong", line=f"TypeError {number}\nat page.js:1:1")
            assert (await page.ask("ping"))["kind"] == "pong"
    told = [one.getMessage() for one in caplog.records if "script" in one.getMessage()]
    assert told == [f"a page's script failed: 'TypeError {n}\\nat page.js:1:1'" for n in range(20)]


def test_the_loop_waits_for_no_collector_and_not_long_for_threads():
    before, often = sys.getswitchinterval(), gc.get_threshold()
    try:
        favour_loop()
        assert sys.getswitchinterval() < before / 4
        assert gc.get_freeze_count() > 10_000
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()
        gc.set_threshold(*often)
