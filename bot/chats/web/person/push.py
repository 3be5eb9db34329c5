"""Web push: notifications for guests who have no page open, on the devices that asked for them.

``http-ece`` encrypts and ``PyJWT`` signs. The usual library above them, pywebpush, is not used:
it sends by a client of its own, while here only public addresses may be called.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import re
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, ip_network
from urllib.parse import urlsplit

import aiohttp
import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.utils import base64url_decode, base64url_encode

from bot.chats.web.doors.origins import ip_address
from bot.chats.web.person.devices import Device, Subscription
from bot.chats.web.person.guests import Guest, Guests, UnknownGuest
from bot.facade import ChatNotes
from bot.port import Uncalled

log = logging.getLogger(__name__)

_KEY = "web:push"

CURVE = ec.SECP256R1()
"""The curve of all keys of web push (RFC 8291, 3.1; RFC 8292, 2)."""

LONGEST_MESSAGE = 4096 - 16 - 1 - 86
"""The most bytes of a message: one record of 4,096 without tag, delimiter and header (RFC 8291)."""

KEPT_SECONDS = 24 * 3600
"""For how many seconds a push service keeps a message for a device that is off."""

SOON = aiohttp.ClientTimeout(total=10.0)

GONE = (404, 410)
"""The answers for a subscription that its browser has dropped (RFC 8030, 7.3)."""

BUSY = (429, 503)
"""The answers of a push service that wants no further message for a while."""

RETRY_SECONDS = 60.0
"""The seconds until the next try without a Retry-After; doubled with each try."""

SEND_TRIES = 4
"""How often one message is tried on a device."""

WORTH = 1800.0
"""A message that must wait for more seconds than this is dropped."""

UNFINISHED = 1024
"""How many messages are remembered that some devices have not received yet."""


class NotPublic(OSError):
    """A name leads to an address outside the public network."""


_CARRYING = tuple(
    (ip_network(network), shift)
    for network, shift in (("64:ff9b::/96", 0), ("64:ff9b:1::/48", 0), ("2002::/16", 80))
)
"""The networks whose addresses carry one of IPv4, and how many bits follow it there.

NAT64 (RFC 6052, 2.1; RFC 8215) and 6to4 (RFC 3056, 2).
"""


def is_public(address: str) -> bool:
    """Whether *address*, and the one of IPv4 that it may carry, belongs to the public network."""
    found = ip_address(address)
    if found is None or not found.is_global:
        return False
    if isinstance(found, IPv4Address):
        return True
    carried = [int(found) >> shift for network, shift in _CARRYING if found in network]
    if any(not IPv4Address(one & 0xFFFFFFFF).is_global for one in carried):
        return False
    # Compatible addresses (RFC 4291, 2.5.5.1) and site-local ones are out of use.
    return int(found) >> 32 != 0 and not found.is_site_local


_NAME = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
)
"""A name of the public network as browsers tell it: ASCII with a dot, its last label no number.

What is not ASCII might become an address (``127。0.0.1``), and so might numbers (``127.1``).
"""


def _is_public_name(host: str) -> bool:
    """Whether *host* may be that of a push service: neither odd nor of a local network."""
    name = host.removesuffix(".")
    local = name.endswith((".local", ".internal", ".localhost", ".localdomain", ".home.arpa"))
    return _NAME.fullmatch(name) is not None and not local


def encrypt(data: bytes, to: Subscription, key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """*data* encrypted for the browser of *to* alone (RFC 8291, aes128gcm of RFC 8188).

    *key* and *salt* (16 bytes) are for this message alone. Raises ``ValueError`` for bad keys.
    """
    theirs, auth = base64url_decode(to.p256dh), base64url_decode(to.auth)
    return http_ece.encrypt(data, salt=salt, private_key=key, dh=theirs, auth_secret=auth)


def authorization(endpoint: str, contact: str, until: int, key: ec.EllipticCurvePrivateKey) -> str:
    """The Authorization header that tells *endpoint* who sends (RFC 8292).

    *contact* is the operator's address, *until* in seconds since 1970, a day ahead at most.
    """
    parts = urlsplit(endpoint)
    origin = f"{parts.scheme}://{parts.netloc}"
    claims: dict[str, str | int] = {"aud": origin, "exp": until, "sub": contact}
    token = jwt.encode(claims, key, "ES256")
    return f"vapid t={token}, k={public_key(key)}"


def public_key(key: ec.EllipticCurvePrivateKey) -> str:
    """The public half of *key* as browsers take it: an uncompressed point in base64url."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64url_encode(point).decode()


def read_key(kept: str) -> ec.EllipticCurvePrivateKey:
    """The private key that is stored as *kept*: its number in base64url."""
    return ec.derive_private_key(int.from_bytes(base64url_decode(kept)), CURVE)


@dataclass
class UnfinishedPush:
    """A message that some devices have not received yet: its tries, and the devices that have."""

    tries: int = 0
    heard: set[str] = field(default_factory=set)


@dataclass
class PushNotifier:
    """Sends messages to devices of guests; *contact* is our public address, empty for no push.

    *allowed* says which addresses may be called, *scheme* by which scheme: public ones, by https.
    """

    guests: Guests
    notes: ChatNotes
    contact: str
    allowed: Callable[[str], bool] = is_public
    scheme: str = "https"
    steady: Callable[[], float] = time.monotonic
    soon: aiohttp.ClientTimeout = SOON
    _key: ec.EllipticCurvePrivateKey | None = None
    _http: aiohttp.ClientSession | None = None
    _unfinished: OrderedDict[tuple[str, str], UnfinishedPush] = field(default_factory=OrderedDict)
    _patient: dict[str, float] = field(default_factory=dict)
    """By host, until when a push service wants no further message."""

    async def start(self) -> None:
        """Load the key that browsers know us by; the first start makes it."""
        if not self.contact:
            return
        async with self.notes.noting() as notes:
            self._key = await notes.read(_KEY, read_key)
            if self._key is None:
                self._key = ec.generate_private_key(CURVE)
                number = self._key.private_numbers().private_value
                await notes.put(_KEY, base64url_encode(number.to_bytes(32)).decode())

    async def stop(self) -> None:
        """Close the HTTP client."""
        if self._http is not None:
            await self._http.close()

    @property
    def key(self) -> str:
        """The public key that a browser needs for a subscription; empty for no push."""
        return "" if self._key is None else public_key(self._key)

    def read(self, told: str) -> Subscription | None:
        """The subscription that a browser sends as *told*, ``None`` for one we refuse."""
        try:
            kept = json.loads(told)
            endpoint, keys = str(kept["endpoint"]), kept["keys"]
            found = Subscription(endpoint, str(keys["p256dh"]), str(keys["auth"]))
            where = urlsplit(endpoint)
            host, port = where.hostname or "", where.port
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, base64url_decode(found.p256dh))
            good = len(base64url_decode(found.auth)) == 16
        except (ValueError, KeyError, TypeError):
            return None
        good = good and where.scheme == self.scheme and "@" not in where.netloc
        good = good and (port in (None, 443) or self.scheme != "https")
        if ip_address(host) is not None:
            return found if good and self.allowed(host) else None
        return found if good and _is_public_name(host) else None

    async def send(self, guest: Guest, table: str, said: str, nonce: str, seen: set[str]) -> None:
        """Send *guest* to *table* on their devices, except those that have *seen* it on a page.

        *nonce* names the message. Raises ``Uncalled`` while some devices are to be tried again;
        the next call leaves out those that have received it.
        """
        if self._key is None:
            return
        push = self._unfinished.pop((guest.id, nonce), None) or UnfinishedPush()
        to = [
            (device, device.calls)
            for device in guest.devices
            if device.calls is not None and device.id not in seen | push.heard
        ]
        push.tries += 1
        waits = await asyncio.gather(
            *(self._try(guest, device, calls, table, said, nonce) for device, calls in to)
        )
        push.heard |= {device.id for (device, _), wait in zip(to, waits, strict=True) if not wait}
        late = [wait for wait in waits if 0 < wait <= WORTH]
        if not late or push.tries >= SEND_TRIES:
            return
        self._unfinished[guest.id, nonce] = push
        if len(self._unfinished) > UNFINISHED:
            self._unfinished.popitem(last=False)
        raise Uncalled(max(late) * 2 ** (push.tries - 1))

    async def _try(
        self, guest: Guest, device: Device, to: Subscription, table: str, said: str, nonce: str
    ) -> float:
        """Send to one device; answers after how many seconds to try again, 0 for never."""
        host, now = urlsplit(to.endpoint).netloc, self.steady()
        self._patient = {one: until for one, until in self._patient.items() if until > now}
        if host in self._patient:
            return self._patient[host] - now
        if self._key is None:
            return 0.0
        words = said.encode()[: LONGEST_MESSAGE - 200].decode(errors="ignore")
        data = json.dumps({"table": table, "said": words}, ensure_ascii=False).encode()
        until = int(time.time()) + KEPT_SECONDS // 2
        try:
            body = encrypt(data, to, ec.generate_private_key(CURVE), os.urandom(16))
            headers = {
                "Authorization": authorization(to.endpoint, self.contact, until, self._key),
                "Content-Encoding": "aes128gcm",
                "TTL": str(KEPT_SECONDS),
                "Urgency": "high",
                "Topic": base64url_encode(hashlib.sha256(nonce.encode()).digest()[:18]).decode(),
            }
            async with self._session().post(
                to.endpoint, data=body, headers=headers, allow_redirects=False
            ) as answer:
                status, wait = answer.status, answer.headers.get("Retry-After", "")
        except (aiohttp.ClientError, TimeoutError, ValueError) as wrong:
            log.info("a device was not called: %s", type(wrong).__name__)
            return self._spare(to, RETRY_SECONDS)
        return await self._outcome(guest, device, to, status, wait)

    async def _outcome(
        self, guest: Guest, device: Device, to: Subscription, status: int, wait: str
    ) -> float:
        """Act on an answered *status*; the seconds until the next try, 0 for never."""
        if status in GONE:
            await self.forget(guest, device)
        elif status == 429 or status >= 500:
            log.info("a push service answered %d to a call", status)
            return self._spare(to, _seconds(wait)) if status in BUSY else _seconds(wait)
        elif status >= 300:
            log.warning("a push service answered %d to a call", status)
        return 0.0

    def _spare(self, to: Subscription, seconds: float) -> float:
        """Send nothing to the push service of *to* for so many *seconds*, which are answered."""
        self._patient[urlsplit(to.endpoint).netloc] = self.steady() + seconds
        return seconds

    async def forget(self, guest: Guest, device: Device) -> None:
        """Drop the subscription of *device*, unless it has another one by now."""

        def silent(kept: Guest) -> Guest:
            there = kept.at(device.id).device
            if there is None or there.calls != device.calls:
                return kept
            return kept.with_device(replace(there, calls=None))

        with contextlib.suppress(UnknownGuest):
            await self.guests.change(guest.id, silent)

    def open_socket(self, to: aiohttp.AddrInfoType) -> socket.socket:
        """A socket for an address that is *allowed*; raises ``NotPublic`` for any other."""
        family, kind, protocol, _, address = to
        if not self.allowed(str(address[0])):
            # The same words for each address of a name, else aiohttp makes a plain OSError of them.
            raise NotPublic("not an address of the public network")
        return socket.socket(family, kind, protocol)

    def _session(self) -> aiohttp.ClientSession:
        if self._http is None:
            connector = aiohttp.TCPConnector(socket_factory=self.open_socket, limit=16)
            self._http = aiohttp.ClientSession(
                connector=connector, timeout=self.soon, trust_env=False
            )
        return self._http


def _seconds(wait: str) -> float:
    """The seconds that a Retry-After asks for: a number, or a date (RFC 9110, 10.2.3)."""
    if wait.isdecimal():
        return float(wait[:9]) or RETRY_SECONDS
    try:
        until = parsedate_to_datetime(wait).replace(tzinfo=UTC)
    except ValueError:
        return RETRY_SECONDS
    return max(until.timestamp() - time.time(), 1.0)
