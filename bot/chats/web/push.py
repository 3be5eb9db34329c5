"""Calls to guests who have closed the page: sent to the devices where they wish for that."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import json
import logging
import os
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver
from cryptography.hazmat.primitives.asymmetric import ec

from bot.chats.web.devices import Device
from bot.chats.web.guests import Guest, Guests
from bot.chats.web.sealing import (
    CURVE,
    LONGEST,
    Subscription,
    new_key,
    private,
    proof,
    public,
    sealed,
    shown,
    taken,
)
from bot.facade import ChatNotes
from bot.port import Uncalled

log = logging.getLogger(__name__)

_KEY = "web:push"

KEPT = 24 * 3600
"""For how many seconds a call is kept for a device that is off."""

SOON = aiohttp.ClientTimeout(total=10.0)

GONE = (404, 410)
"""What is answered for a subscription that its browser has dropped (RFC 8030, 7.3)."""

BUSY = (429, 503)
"""What a push service answers that is to hear nothing of us for a while."""

PATIENCE = 60.0
"""After how many seconds it is tried again where nothing else is said; twice as long each time."""

TRIES = 4
"""How often a device is called to one thing before it is left in peace."""

WORTH = 1800.0
"""A call that could only be made after so many seconds is not made any more."""

BEGUN = 1024
"""How many calls are remembered of which some devices have not heard yet."""


class NotPublic(OSError):
    """A name leads to an address that is not everybody's."""


def everybodys(address: str) -> bool:
    """Whether *address* is one of the public network."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


@dataclass
class Resolver(AbstractResolver):
    """Names to addresses, of which *allowed* must take every one: nothing is called at home."""

    allowed: Callable[[str], bool]
    _inner: AbstractResolver = field(default_factory=DefaultResolver)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of *host*; raises ``NotPublic``."""
        found = await self._inner.resolve(host, port, family)
        if not all(self.allowed(one["host"]) for one in found):
            raise NotPublic(host)
        return found

    async def close(self) -> None:
        """Ask for no name any more."""
        await self._inner.close()


@dataclass
class Begun:
    """A call that some devices have not heard yet: how often it was tried, and which have."""

    tries: int = 0
    heard: set[str] = field(default_factory=set)


@dataclass
class Pushes:
    """Calls devices of guests; *ours* is our public address, where there is one.

    *allowed* says which addresses may be called, and *scheme* how: https and public ones.
    """

    guests: Guests
    notes: ChatNotes
    ours: str
    allowed: Callable[[str], bool] = everybodys
    scheme: str = "https"
    steady: Callable[[], float] = time.monotonic
    soon: aiohttp.ClientTimeout = SOON
    _key: ec.EllipticCurvePrivateKey | None = None
    _http: aiohttp.ClientSession | None = None
    _begun: OrderedDict[tuple[str, str], Begun] = field(default_factory=OrderedDict)
    _patient: dict[str, float] = field(default_factory=dict)
    """Until when a push service wants to hear nothing of us, by its host."""

    async def start(self) -> None:
        """Make the key by which browsers know us, the first time, and read it."""
        if not self.ours:
            return
        async with self.notes.noting() as notes:
            kept = await notes.get(_KEY)
            if kept is None:
                kept = new_key()
                await notes.put(_KEY, kept)
        self._key = private(kept)

    async def stop(self) -> None:
        """Call nobody any more."""
        if self._http is not None:
            await self._http.close()

    @property
    def key(self) -> str:
        """What a browser must know to let itself be called by us; nothing where we call nobody."""
        return "" if self._key is None else shown(public(self._key))

    def read(self, told: str) -> Subscription | None:
        """The subscription that a browser *told*, ``None`` where we would not call there."""
        try:
            kept = json.loads(told)
            endpoint, keys = str(kept["endpoint"]), kept["keys"]
            found = Subscription(endpoint, str(keys["p256dh"]), str(keys["auth"]))
            where = urlsplit(endpoint)
            host, port = where.hostname or "", where.port
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, taken(found.p256dh))
            good = len(taken(found.auth)) == 16
        except (ValueError, KeyError, TypeError):
            return None
        literal = _is_address(host)
        good = good and where.scheme == self.scheme and "@" not in where.netloc
        good = good and (port in (None, 443) or self.scheme != "https")
        # What has no dot, or ends in a name of the network at home, is nobody's push service.
        named = "." in host and not host.endswith((".local", ".internal", ".localhost"))
        return found if good and (self.allowed(host) if literal else named) else None

    async def call(self, guest: Guest, table: str, said: str, nonce: str, seen: set[str]) -> None:
        """Call *guest* to *table* at his devices, but for those that have *seen* it on a page.

        Raises ``Uncalled`` where some are to be tried again; those that have heard it are not.
        """
        if self._key is None:
            return
        begun = self._begun.pop((guest.id, nonce), None) or Begun()
        to = [
            (device, device.calls)
            for device in guest.devices
            if device.calls is not None and device.id not in seen | begun.heard
        ]
        begun.tries += 1
        waits = await asyncio.gather(
            *(self._tried(guest, device, calls, table, said, nonce) for device, calls in to)
        )
        begun.heard |= {device.id for (device, _), wait in zip(to, waits, strict=True) if not wait}
        late = [wait for wait in waits if 0 < wait <= WORTH]
        if not late or begun.tries >= TRIES:
            return
        self._begun[guest.id, nonce] = begun
        if len(self._begun) > BEGUN:
            self._begun.popitem(last=False)
        raise Uncalled(max(late) * 2 ** (begun.tries - 1))

    async def _tried(
        self, guest: Guest, device: Device, to: Subscription, table: str, said: str, nonce: str
    ) -> float:
        """Call one device, unless its push service asks for patience.

        Answers after how many seconds that may be tried again, 0 where it is done.
        """
        host, now = urlsplit(to.endpoint).netloc, self.steady()
        self._patient = {one: until for one, until in self._patient.items() if until > now}
        if host in self._patient:
            return self._patient[host] - now
        return await self._sent(guest, device, to, table, said, nonce)

    async def _sent(
        self, guest: Guest, device: Device, to: Subscription, table: str, said: str, nonce: str
    ) -> float:
        """Call one device; after how many seconds that may be tried again, 0 where it is done."""
        if self._key is None:
            return 0.0
        words = said.encode()[: LONGEST - 200].decode(errors="ignore")
        data = json.dumps({"table": table, "said": words}, ensure_ascii=False).encode()
        topic = hashlib.sha256(nonce.encode()).digest()[:18]
        try:
            body = sealed(data, to, ec.generate_private_key(CURVE), os.urandom(16))
            headers = {
                "Authorization": proof(
                    to.endpoint, self.ours, int(time.time()) + KEPT // 2, self._key
                ),
                "Content-Encoding": "aes128gcm",
                "TTL": str(KEPT),
                "Urgency": "high",
                "Topic": shown(topic),
            }
            async with self._session().post(
                to.endpoint, data=body, headers=headers, allow_redirects=False
            ) as answer:
                status, wait = answer.status, answer.headers.get("Retry-After", "")
        except (aiohttp.ClientError, TimeoutError, ValueError) as wrong:
            log.info("a device was not called: %s", type(wrong).__name__)
            return self._spare(to, PATIENCE)
        if status in GONE:
            await self.forget(guest, device)
        elif status == 429 or status >= 500:
            log.info("a push service answered %d to a call", status)
            return self._spare(to, _seconds(wait)) if status in BUSY else _seconds(wait)
        elif status >= 300:
            log.warning("a push service answered %d to a call", status)
        return 0.0

    def _spare(self, to: Subscription, seconds: float) -> float:
        """Ask nothing of the push service of *to* for so many *seconds*, which are answered."""
        self._patient[urlsplit(to.endpoint).netloc] = self.steady() + seconds
        return seconds

    async def forget(self, guest: Guest, device: Device) -> None:
        """Call *guest* at *device* no more."""

        def silent(kept: Guest) -> Guest:
            there = kept.at(device.id).device
            if there is None or there.calls != device.calls:
                return kept
            return kept.with_device(replace(there, calls=None))

        await self.guests.change(guest.id, silent)

    def _session(self) -> aiohttp.ClientSession:
        if self._http is None:
            connector = aiohttp.TCPConnector(resolver=Resolver(self.allowed), limit=16)
            self._http = aiohttp.ClientSession(
                connector=connector, timeout=self.soon, trust_env=False
            )
        return self._http


def _seconds(wait: str) -> float:
    """How long *wait* is, as ``Retry-After`` says it: in seconds, or until a date (RFC 9110)."""
    if wait.isdecimal():
        return float(wait[:9]) or PATIENCE
    try:
        until = parsedate_to_datetime(wait).replace(tzinfo=UTC)
    except ValueError:
        return PATIENCE
    return max(until.timestamp() - time.time(), 1.0)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
