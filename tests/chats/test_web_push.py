"""Calls by web push: sealed for one browser, sent to public addresses alone, dropped when gone."""

from __future__ import annotations

import asyncio
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.utils import formatdate

import jwt
import pytest
from aiohttp import ClientTimeout, web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from jwt.utils import base64url_decode, base64url_encode

from bot.chats.web.person import push
from bot.chats.web.person.devices import Subscription
from bot.port import Ping, Uncalled
from bot.session.daily_calendar import number_of
from tests.chats.pages import Visitor, guest_of, seated, server
from tests.loopback import listening

OURS = "https://play.example.org"

# RFC 8291, section 5 and appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
THEIRS = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_words_are_sealed_as_the_standard_shows():
    to = Subscription("https://push.example.net/x", THEIRS, AUTH)
    sent = push.encrypt(TEXT, to, push.read_key(SENDER), base64url_decode(SALT))
    assert base64url_encode(sent).decode() == BODY


@dataclass
class Browser:
    """A browser with keys of its own, and a push service of its own on loopback."""

    answers: list[int] = field(default_factory=list)
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(push.CURVE)
    )
    auth: bytes = b"0123456789abcdef"
    retry: str = "7"
    hangs: asyncio.Event | None = None
    """Where it is there, nothing is answered before it is set."""
    heard: list[tuple[dict[str, str], dict[str, str]]] = field(default_factory=list)
    url: str = ""

    async def take(self, request: web.Request) -> web.Response:
        data = json.loads(self.read(await request.read()))
        self.heard.append((dict(request.headers), data))
        if self.hangs is not None:
            await self.hangs.wait()
        status = self.answers.pop(0) if self.answers else 201
        headers = {"Retry-After": self.retry} if status == 429 else {}
        return web.Response(status=status, headers=headers)

    def read(self, body: bytes) -> bytes:
        """What was sealed in *body*; written from RFC 8291 by itself, not by what seals."""
        salt, length = body[:16], body[20]
        theirs, text = body[21 : 21 + length], body[21 + length :]
        assert int.from_bytes(body[16:20]) >= len(text)
        point = ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, theirs)
        shared = self.key.exchange(ec.ECDH(), point)
        ours = base64url_decode(push.public_key(self.key))
        info = b"WebPush: info\0" + ours + theirs
        ikm = HKDF(SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(ikm)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(ikm)
        plain = AESGCM(key).decrypt(nonce, text, None)
        assert plain.endswith(b"\2")
        return plain[:-1]

    def subscription(self) -> str:
        keys = {"p256dh": push.public_key(self.key), "auth": base64url_encode(self.auth).decode()}
        return json.dumps({"endpoint": self.url, "expirationTime": None, "keys": keys})


@asynccontextmanager
async def service() -> AsyncIterator[Browser]:
    """A browser whose push service is one of its own."""
    made = Browser()
    app = web.Application()
    app.router.add_post("/push/{id}", made.take)
    async with listening(app) as address:
        made.url = f"{address}/push/1"
        yield made
        if made.hangs is not None:
            made.hangs.set()


@pytest.fixture
async def browser():
    async with service() as made:
        yield made


@pytest.fixture
async def at(tmp_path):
    async with server(tmp_path) as opened:
        pushes = opened.chat._pushes
        pushes.contact, pushes.scheme = OURS, "http"
        pushes.allowed = lambda address: address == "127.0.0.1"
        await pushes.start()
        yield opened


async def called(at, visitor, table, nonce="n"):
    guest = await guest_of(at, visitor)
    await at.chat.ping(guest.where, Ping((guest.asker,), "te toca en Niya", table, nonce))


async def test_who_has_closed_the_page_is_called_in_words_that_his_browser_alone_reads(at, browser):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        answer = await page.ask("subscribe", subscription=browser.subscription())
        assert answer["good"]
        assert answer["push"] == {"key": at.chat._pushes.key, "on": True}
        await called(at, host, table)
        assert not browser.heard, "the page is open and calls by itself"
    await gone(at)
    await called(at, host, table)
    ((headers, data),) = browser.heard
    assert data == {"table": table, "said": "Te toca en Niya"}
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 3600
    assert len(headers["Topic"]) <= 32
    verified(headers["Authorization"], browser.url, at.chat._pushes.key)


async def gone(at) -> None:
    """Wait until no page is open."""
    while any(visit.pages for visit in at.chat._visits.values()):
        await asyncio.sleep(0)


def verified(told: str, endpoint: str, key: str) -> None:
    """The proof is signed by *key* and for that endpoint's origin (RFC 8292)."""
    scheme, token, ours = told.replace(",", "").split(" ")
    assert (scheme, ours) == ("vapid", f"k={key}")
    point = ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, base64url_decode(key))
    origin = endpoint.rpartition("/push")[0]
    claims = jwt.decode(token.removeprefix("t="), point, ["ES256"], audience=origin)
    assert claims["sub"] == OURS


async def test_each_device_is_called_that_has_no_page_open(at, browser):
    host = await at.first()
    async with host.open() as page:
        phone = Visitor(at)
        assert await phone.enter((await page.ask("back"))["link"]) == 200
        async with phone.open() as other:
            await other.ask("subscribe", subscription=browser.subscription())
        while len(at.chat._visits[host.path[3:]].pages) > 1:
            await page.type("/games")
        await called(at, host, "NIYA01")
        assert len(browser.heard) == 1
        assert (await page.until(lambda m: m["kind"] == "call"))["table"] == "NIYA01"


@pytest.mark.sampled
@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_is_gone_is_dropped(at, browser, status):
    host = await at.first()
    async with host.open() as page:
        await page.ask("subscribe", subscription=browser.subscription())
    await gone(at)
    browser.answers = [status]
    for _ in range(2):
        await called(at, host, "NIYA01")
    assert len(browser.heard) == 1
    async with host.open() as page:
        assert not (await page.ask("devices"))["push"]["on"]


@dataclass
class Steady:
    """A clock that goes on when somebody waits."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


async def patient(at, visitor) -> float:
    """How many seconds a call to *visitor* is put off; the clock of the calls goes on by them."""
    with pytest.raises(Uncalled) as put_off:
        await called(at, visitor, "NIYA01")
    at.chat._pushes.steady.now += put_off.value.seconds
    return put_off.value.seconds


async def subscribed(at, *browsers):
    """Somebody who has closed his page, and is called at each of *browsers*."""
    at.chat._pushes.steady = Steady()
    first, *others = browsers
    host = await at.first()
    async with host.open() as page:
        await page.ask("subscribe", subscription=first.subscription())
        for browser in others:
            phone = Visitor(at)
            assert await phone.enter((await page.ask("back"))["link"]) == 200
            async with phone.open() as other:
                await other.ask("subscribe", subscription=browser.subscription())
    await gone(at)
    return host


async def test_a_push_service_that_asks_for_patience_gets_it(at, browser):
    host = await subscribed(at, browser)
    browser.answers = [429, 503]
    assert await patient(at, host) == 7
    assert await patient(at, host) == 120
    await called(at, host, "NIYA01")
    assert len(browser.heard) == 3


async def test_nothing_is_asked_of_it_meanwhile(at, browser):
    host = await subscribed(at, browser)
    browser.answers = [429]
    with pytest.raises(Uncalled):
        await called(at, host, "NIYA01")
    with pytest.raises(Uncalled) as other:
        await called(at, host, "CIRY02", "another")
    assert other.value.seconds == 7
    assert len(browser.heard) == 1


async def test_patience_until_a_date_is_understood(at, browser):
    host = await subscribed(at, browser)
    browser.answers, browser.retry = [429], formatdate(time.time() + 300, usegmt=True)
    assert 200 < await patient(at, host) <= 300


async def test_a_service_that_never_takes_a_call_is_left_in_peace_after_four_tries(at, browser):
    host = await subscribed(at, browser)
    browser.answers = [500, 502, 503, 500]
    assert [await patient(at, host) for _ in range(3)] == [60, 120, 240]
    await called(at, host, "NIYA01")
    assert len(browser.heard) == 4


async def test_a_call_that_would_come_too_late_is_not_made(at, browser):
    host = await subscribed(at, browser)
    browser.answers, browser.retry = [429], "99999999"
    await called(at, host, "NIYA01")
    await called(at, host, "CIRY02", "another")
    assert len(browser.heard) == 1


async def test_a_service_that_says_nothing_holds_up_no_other_device(at, browser):
    at.chat._pushes.soon = ClientTimeout(total=1.0)
    browser.hangs = asyncio.Event()
    async with service() as good:
        host = await subscribed(at, browser, good)
        assert await patient(at, host) == 60
        assert len(good.heard) == 1
        browser.hangs.set()
        await called(at, host, "NIYA01")
        assert len(good.heard) == 1, "who has heard it is not called twice"
        assert len(browser.heard) == 2


async def test_who_wants_no_calls_any_more_and_an_ended_device_hear_none(at, browser):
    host = await at.first()
    async with host.open() as page:
        await page.ask("subscribe", subscription=browser.subscription())
        assert (await page.ask("subscribe"))["push"]["on"] is False
        phone = Visitor(at)
        assert await phone.enter((await page.ask("back"))["link"]) == 200
        async with phone.open() as other:
            await other.ask("subscribe", subscription=browser.subscription())
        await page.ask("end")
    await gone(at)
    await called(at, host, "NIYA01")
    assert not browser.heard


async def test_subscriptions_and_our_key_survive_a_restart(tmp_path, browser):
    keys = set()
    for _ in range(2):
        async with server(tmp_path) as at:
            at.chat._pushes.contact = OURS
            await at.chat._pushes.start()
            keys.add(at.chat._pushes.key)
    assert len(keys) == 1


async def test_without_a_public_address_nobody_is_called_and_nothing_is_kept(tmp_path, browser):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            assert (await page.ask("devices"))["push"] == {"key": "", "on": False}
            answer = await page.ask("subscribe", subscription=browser.subscription())
            assert not answer["good"]
        assert await at.facade.notes.read("web:push", str) is None


async def test_the_longest_words_fit():
    key = push.read_key(SENDER)
    to = Subscription("https://push.example.net/x", push.public_key(key), AUTH)
    assert len(push.encrypt(b"x" * push.LONGEST_MESSAGE, to, key, b"s" * 16)) == 4096
    padded = replace(to, auth=urlsafe_b64encode(b"x" * 16).decode())
    assert padded.auth.endswith("==")
    assert push.encrypt(b"x", padded, key, b"s" * 16)


@pytest.mark.parametrize("contact", [OURS, f"{OURS}:8443", "https://[2001:db8::1]"])
def test_any_public_address_of_ours_is_named_to_any_push_service(contact):
    key = push.read_key(SENDER)
    for endpoint in ("https://push.example.net/x", "https://[2001:db8::2]/x"):
        assert push.authorization(endpoint, contact, 1_800_000_000, key).startswith("vapid t=")


async def test_the_reminder_of_the_day_goes_by_push_and_ends_itself(at, browser, monkeypatch):
    clock, host = at.facade.services.clock, await at.first()
    begin = clock.now().replace(hour=12, minute=0)
    now = [begin]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    guest = await guest_of(at, host)
    assert not await at.chat.reaches(guest.where)
    async with host.open() as page:
        await page.type("/hoy")
        await page.ask("subscribe", subscription=browser.subscription())
    await gone(at)
    assert await at.chat.reaches(guest.where)
    person = await at.facade.services.people.of(guest.asker)
    await at.facade.services.daily_moves.remind(guest.where, person.id, "en")
    daily = at.facade.process_duties.daily
    for day in range(1, 8):
        now[0] = begin + timedelta(days=day, minutes=1)
        for _ in range(2):
            await daily.look()
            await asyncio.gather(*daily.delivery.busy())
    told = [data for _, data in browser.heard]
    assert {one["table"] for one in told} == {"puzzle/today"}
    numbers = [number_of((begin + timedelta(days=day)).toordinal()) for day in range(1, 4)]
    assert [one["said"].partition(" · ")[0] for one in told[:-1]] == [
        f"Move of the day #{number}" for number in numbers
    ]
    assert "three days" in told[-1]["said"]
    assert not (await at.facade.services.places.rules(guest.where)).daily


async def test_a_reminder_that_a_push_service_puts_off_comes_later_and_once(
    at, browser, monkeypatch
):
    host = await subscribed(at, browser)
    guest, daily = await guest_of(at, host), at.facade.process_duties.daily
    person = await at.facade.services.people.of(guest.asker)
    await at.facade.services.daily_moves.remind(guest.where, person.id, "es")
    browser.answers = [503]
    later = asyncio.Event()

    def paused(_, seconds):
        at.chat._pushes.steady.now += seconds
        later.set()

    monkeypatch.setattr("bot.runtime.rate_limiter.Limiter.pause", paused)
    await daily.look()
    await asyncio.gather(*daily.delivery.busy())
    assert later.is_set()
    assert [data["table"] for _, data in browser.heard] == ["puzzle/today"] * 2
