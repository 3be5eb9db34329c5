"""Floods of one stranger: the loop goes on, the flooder is closed, and nobody else is refused."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import uuid

import aiohttp
import pytest
from aiohttp import WSMsgType

from bot.chats.web import budget, outbound, websocket_sessions
from bot.chats.web.budget import PURSES
from bot.chats.web.doors import admission
from bot.chats.web.outbound import OpenPage
from tests.chats.pages import seated


def frames(kind: str, number: int, **told: str) -> list[str]:
    return [json.dumps({"kind": kind, "id": str(uuid.uuid4()), **told}) for _ in range(number)]


def stop_refilling(at) -> None:
    """Let nothing come back to purses, however slow this machine is."""
    now = time.monotonic()
    at.chat._budget.clock = lambda: now


async def closed(page) -> int | None:
    """With which code the page's connection ends."""
    async with asyncio.timeout(60):
        while (await page.socket.receive()).type is WSMsgType.TEXT:
            pass
    return page.socket.close_code


async def until_closed(page, flood) -> int | None:
    reading = asyncio.create_task(closed(page))
    for one in flood:
        if reading.done():
            break
        await page.socket.send_str(one)
    return await reading


FLOODS = {
    "ping": {},
    "suggest": {"line": "/play ni"},
    "setup": {"code": "niya"},
    "call": {"line": "/mydata"},
    "wrong": {"line": "x"},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.usefixtures("strangers_pay")
async def test_who_floods_is_closed_may_come_back_later_and_hinders_nobody(at, kind):
    visitor = await at.first()
    async with visitor.open() as page:
        _, other = await seated(at, page)
    now = [time.monotonic()]
    at.chat._budget.clock = lambda: now[0]
    async with visitor.open() as page, other.open() as beside:
        assert await until_closed(page, frames(kind, 3000, **FLOODS[kind])) == 1008
        assert (await beside.ask("ping"))["kind"] == "pong"
        assert (await beside.type("/games"))["good"]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        async with visitor.open():
            pass
    assert refused.value.status == 429
    now[0] += 2 * PURSES["guest"].at_once / PURSES["guest"].a_second
    async with visitor.open() as page:
        assert (await page.ask("ping"))["kind"] == "pong"


@pytest.mark.usefixtures("strangers_pay")
async def test_pings_of_the_line_are_answered_and_paid_like_any_frame(at):
    visitor = await at.first()
    async with visitor.open() as page, visitor.open() as beside:
        stop_refilling(at)
        await page.socket.ping(b"calm")
        assert (await page.ask("ping"))["kind"] == "pong"
        reading = asyncio.create_task(closed(page))
        with contextlib.suppress(ConnectionError):
            for _ in range(3000):
                await page.socket.ping()
        assert await reading == 1008
        assert not beside.socket.closed


@pytest.mark.usefixtures("strangers_pay")
async def test_what_is_no_whole_message_is_read_no_faster_than_it_can_be_paid(at):
    visitor = await at.first()
    stop_refilling(at)
    async with visitor.open() as page:
        line, (guest,) = page.socket._conn.transport, at.chat._visits
        line.write(b"\x01\x80" + bytes(4))
        async with asyncio.timeout(60):
            while not at.chat._budget.wait("line", guest):
                if not line.get_write_buffer_size():
                    line.write((b"\x00\x80" + bytes(4)) * 5000)
                await asyncio.sleep(0)
        (served,) = at.chat._server._runner.server.connections
        assert not served.transport.is_reading()
        line.abort()


@pytest.mark.usefixtures("strangers_pay")
async def test_what_is_for_another_name_or_from_another_page_is_paid_too(at):
    stop_refilling(at)
    budget_of, whose = at.chat._budget, ("junk", "127.0.0.1")
    for headers, status in (
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ):
        budget_of._spent.clear()
        for expected in (status, 429):
            async with at.http.post(f"{at.url}/m/enter", headers=headers, data="{}") as answer:
                assert answer.status == expected
            assert budget_of._debt(whose) > 0
            budget_of.spend(*whose, PURSES["junk"].at_once)


async def test_of_frames_that_come_together_one_is_taken_in_a_turn_of_the_loop(at, monkeypatch):
    turns, taken = [0], []
    read = websocket_sessions.read_frame

    def noting(text):
        taken.append(turns[0])
        return read(text)

    async def turn():
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    visitor = await at.first()
    async with visitor.open() as page:
        monkeypatch.setattr(websocket_sessions, "read_frame", noting)
        turning = asyncio.create_task(turn())
        for one in frames("ping", 400):
            await page.socket.send_str(one)
        await page.ask("ping")
        turning.cancel()
    assert len(taken) == 401
    assert len(set(taken)) == 401


@pytest.mark.usefixtures("strangers_pay")
async def test_haste_is_refused_in_words_and_ends_nothing(at, monkeypatch):
    monkeypatch.setattr(budget, "PURSES", {**PURSES, "guest": budget.Purse(150, 0.01)})
    visitor = await at.first()
    async with visitor.open() as page:
        answers = [await page.ask("devices") for _ in range(200)]
        assert answers[0]["good"]
        assert not answers[-1]["good"]
        slow = [one for one in answers if not one["good"]]
        assert "despacio" in slow[0]["said"]
        assert len([one for one in slow if one["said"]]) < 20, "once a second"
        assert (await page.ask("ping"))["id"]


class Stuck:
    """A connection whose other end reads nothing."""

    def get_extra_info(self, name):
        return self

    def fileno(self):
        return 3

    async def send_str(self, text):
        await asyncio.Event().wait()


async def test_of_a_page_that_takes_no_answers_no_more_frames_are_read(monkeypatch):
    monkeypatch.setattr(outbound, "SLOWEST", 0.2)
    page = OpenPage(Stuck(), "1", "light")
    writing = asyncio.create_task(page.write())
    taken = 0
    with contextlib.suppress(TimeoutError):
        for number in range(100):
            await page.make_room()
            page.send(str(number), {"kind": "answer", "id": str(number)})
            taken += 1
            await asyncio.sleep(0)
    writing.cancel()
    assert taken <= outbound.MOST_WAITING + 1


@pytest.mark.usefixtures("strangers_pay")
async def test_junk_of_an_address_is_refused_and_closed_and_its_guests_play_on(at):
    visitor = await at.first()
    async with visitor.open() as page:
        seen = set()
        for _ in range(400):
            url, forged = f"{at.url}/p/{'0' * 32}/", {"Cookie": "ludoteca=forged"}
            async with at.http.get(url, headers=forged) as response:
                seen.add(response.status)
                if response.status == 429:
                    assert response.headers["Connection"] == "close"
                    assert int(response.headers["Retry-After"]) >= 1
                    break
        assert seen == {401, 429}
        assert (await visitor.get(f"{visitor.path}/"))[0] == 200
        assert (await visitor.get("/static/page.js"))[0] == 200
        assert (await page.ask("ping"))["kind"] == "pong"


async def test_of_strangers_that_come_together_one_is_let_in_in_a_turn_of_the_loop(at, monkeypatch):
    turns, taken = [0], []
    judge = admission.refuse_unreadable

    async def noting(*told):
        taken.append(turns[0])
        await judge(*told)

    async def turn():
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    async def ask():
        async with at.http.get(f"{at.url}/"):
            pass

    monkeypatch.setattr(admission, "refuse_unreadable", noting)
    turning = asyncio.create_task(turn())
    await asyncio.gather(*(ask() for _ in range(60)))
    turning.cancel()
    assert len(taken) == len(set(taken)) == 60


async def test_a_body_that_never_ends_is_given_up(at, monkeypatch):
    monkeypatch.setattr("bot.chats.web.server.HEAD", 0.2)
    host = at.url.removeprefix("http://")
    reader, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
    head = f"POST /api/1/tables HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100\r\n\r\n{{"
    writer.write(head.encode())
    assert b" 408 " in await asyncio.wait_for(reader.readline(), 20)
    writer.close()


ODD = {
    "a ticket": ("GET", "/door/go", {"Cookie": '__Host-ludoteca-ticket="abc.\udcff"'}, b""),
    "a home": ("GET", "/", {"Cookie": 'ludoteca-home="abc.\udcff"'}, b""),
    "a charset": ("POST", "/api/1/tables", {"Content-Type": "text/x; charset=nosuch"}, b"{}"),
    "no charset of text": ("POST", "/api/1/me", {"Content-Type": "text/x; charset=base64"}, b"{}"),
    "no gzip": ("POST", "/api/1/tables", {"Content-Encoding": "gzip"}, b"{}"),
    "no UTF-8": ("POST", "/api/1/tables", {"Content-Type": "application/json"}, b"\xff"),
    "an address": ("GET", "/p/%ff%fe/", {}, b""),
    "a query": ("GET", "/?t=%ff", {}, b""),
    "a press": ("GET", "/?press=K.0000.0.%ff.aaaaaa", {}, b""),
}


@pytest.mark.parametrize("name", ODD)
async def test_what_cannot_be_decoded_is_refused_without_a_traceback(at, name, caplog):
    method, path, headers, body = ODD[name]
    reader, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
    told = {"Host": at.url.removeprefix("http://"), "Content-Length": str(len(body)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in told.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode(errors="surrogateescape") + body)
    status = int((await asyncio.wait_for(reader.readline(), 20)).split()[1])
    writer.close()
    # With a cookie or a press that says nothing one is a stranger at the front door.
    assert status == 200 if name in ("a home", "a press") else 400 <= status < 500
    assert not [one for one in caplog.records if one.exc_info]


@pytest.mark.usefixtures("strangers_pay")
async def test_who_is_gone_keeps_no_turn_among_strangers(at, monkeypatch):
    budget_of, served = at.chat._budget, []
    monkeypatch.setattr(budget_of, "pause", lambda purse, _: 0.2 if purse == "strangers" else 0.0)
    monkeypatch.setattr(at.chat._server.doors, "ways", lambda: served.append(1) or ())
    line = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{at.chat.port}\r\n\r\n".encode()
    for _ in range(50):
        _, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
        writer.write(line)
        await writer.drain()
        writer.close()
    async with asyncio.timeout(5), at.http.get(at.url) as answer:
        assert answer.status == 200
    assert len(served) < 25


async def test_of_a_page_that_is_gone_no_frame_is_taken_any_more(at, monkeypatch):
    answering, taken = asyncio.Event(), []
    setup = at.chat._inbound._handlers["setup"]

    async def slow(guest, frame):
        taken.append(frame)
        await answering.wait()
        return await setup(guest, frame)

    monkeypatch.setitem(at.chat._inbound._handlers, "setup", slow)
    visitor = await at.first()
    async with visitor.open() as page:
        for one in frames("setup", 100, code="niya"):
            await page.socket.send_str(one)
        (visit,) = at.chat._visits.values()
        async with asyncio.timeout(10):
            while len(visit.pages[0]._awaited) < outbound.MOST_WAITING:
                await asyncio.sleep(0.01)
        page.socket._conn.transport.abort()
        page.socket._closed = True
        async with asyncio.timeout(outbound.SLOWEST / 3):
            while visit.pages:
                await asyncio.sleep(0.01)
    answering.set()
