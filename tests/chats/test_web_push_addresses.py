"""Which addresses web push calls: public ones alone, however they are spelled."""

from __future__ import annotations

import asyncio
import json

import aiohttp
import pytest

from bot.chats.web.person.devices import Subscription
from bot.chats.web.person.push import NotPublic, PushNotifier, is_public
from tests.chats.test_web_push import AUTH, OURS, THEIRS, at, browser

__all__ = ["at", "browser"]

GOOD = {"endpoint": "https://push.example.net/send/abc", "keys": {"p256dh": THEIRS, "auth": AUTH}}


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://10.0.0.8/x",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/x",
        "https://router/x",
        "https://printer.local/x",
        "https://2130706433/x",
        "https://127。0.0.1/x",
        "https://127．0．0．1/x",
        "https://127｡0.0.1/x",
        "https://１２７.0.0.1/x",
        "https://①②⑦.0.0.1/x",
        "https://169。254.169.254/x",
        "https://١٢٧.0.0.1/x",
        "https://127.1/x",
        "https://0177.0.0.1/x",
        "https://0x7f.1/x",
        "https://0.0/x",
        "https://127.0.0.1./x",
        "https://[64:ff9b::7f00:1]/x",
        "https://[64:ff9b::a00:8]/x",
        "https://[64:ff9b:1::a00:8]/x",
        "https://[2002:7f00:1::]/x",
        "https://[::7f00:1]/x",
        "https://[fec0::1]/x",
        "https://[::1%25lo]/x",
        "https://metadata.google.internal/x",
        "https://metadata.google.internal./x",
        "https://localhost./x",
        "https://foo.local./x",
        "https://ｌocalhost/x",
        "https://a%2eexample.net/x",
        "https://push..example.net/x",
        "https://push.example.net:8443/x",
        "https://me:secret@push.example.net/x",
        "ftp://push.example.net/x",
        "//push.example.net",
        "",
    ],
)
async def test_an_address_that_is_not_everybodys_is_refused(endpoint):
    pushes = PushNotifier(None, None, OURS)
    assert pushes.read(json.dumps({**GOOD, "endpoint": endpoint})) is None


@pytest.mark.parametrize(
    "told",
    [
        "",
        "null",
        "[]",
        "{}",
        json.dumps({**GOOD, "keys": {}}),
        json.dumps({**GOOD, "keys": {"p256dh": AUTH, "auth": AUTH}}),
        json.dumps({**GOOD, "keys": {"p256dh": THEIRS, "auth": THEIRS}}),
        json.dumps({**GOOD, "keys": {"p256dh": "é", "auth": AUTH}}),
    ],
)
async def test_what_no_browser_says_is_no_subscription(told):
    pushes = PushNotifier(None, None, OURS)
    assert pushes.read(told) is None
    assert pushes.read(json.dumps(GOOD)) == Subscription(GOOD["endpoint"], THEIRS, AUTH)


async def test_a_name_that_leads_home_is_not_called():
    pushes = PushNotifier(None, None, OURS)
    with pytest.raises(aiohttp.ClientConnectorError) as refused:
        await pushes._session().get("https://localhost/")
    assert isinstance(refused.value.os_error, NotPublic)
    await pushes.stop()


SPELLINGS = (
    *("127.0.0.1", "127。0.0.1", "１２７.0.0.1", "①②⑦.0.0.1", "127.1", "0177.0.0.1", "0x7f.1"),
    *("2130706433", "localhost", "localhost.", "ｌocalhost", "[::ffff:127.0.0.1]", "127.0.0.1."),
)


@pytest.mark.parametrize("host", SPELLINGS)
async def test_a_listener_at_home_is_never_reached_however_it_is_spelled(host):
    came: list[object] = []

    async def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(writer.get_extra_info("peername"))
        writer.close()

    listener = await asyncio.start_server(take, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    pushes = PushNotifier(None, None, OURS)
    try:
        with pytest.raises((aiohttp.ClientError, ValueError, OSError)):
            await pushes._session().post(f"http://{host}:{port}/x", data=b"x")
        await asyncio.sleep(0)
    finally:
        await pushes.stop()
        listener.close()
        await listener.wait_closed()
    assert not came


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1"]
)
def test_what_carries_a_public_address_is_public(address):
    assert is_public(address)


@pytest.mark.slow
async def test_a_refused_subscription_is_one_sentence_and_changes_nothing(at, browser):
    host = await at.first()
    async with host.open() as page:
        await page.ask("subscribe", subscription=browser.subscription())
        bad = browser.subscription().replace("127.0.0.1", "10.0.0.8")
        answer = await page.ask("subscribe", subscription=bad)
        assert not answer["good"]
        assert answer["said"].count(".") == 1
        assert (await page.ask("devices"))["push"]["on"]
