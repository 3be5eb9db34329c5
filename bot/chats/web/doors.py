"""By which names the server is reached, and who comes through each.

Nobody but this machine reaches it, unless its operator says otherwise: by a public address, where
a proxy on this machine speaks TLS for us, or by an address of the network at home.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from aiohttp import web

from bot.chats.web.errors import NotHome, NotLoopback
from bot.facade import Limiters, Window

PASSED_ON = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded")
"""What proxies add: who sends one of these is not on this machine himself."""

NEWCOMERS: tuple[Window, ...] = ((12, 600.0), (40, 86400.0))
"""How many new guests may come from one address: twelve in ten minutes, forty a day."""

EVERYBODY: tuple[Window, ...] = ((120, 600.0),)
"""The same from everywhere."""


class Reach(Enum):
    """From where a door is reached."""

    HERE = "this machine"
    HOME = "the network at home, unencrypted"
    EVERYWHERE = "everywhere, encrypted"


@dataclass(frozen=True)
class Door:
    """A name of the server: the *origin* of its pages, such as ``https://play.example.org``."""

    origin: str
    reach: Reach

    @property
    def authority(self) -> str:
        """What the Host header says of who comes through it."""
        return self.origin.partition("://")[2]

    @property
    def secure(self) -> bool:
        """Whether what travels is encrypted."""
        return self.reach is Reach.EVERYWHERE


@dataclass
class Doors:
    """Every door: on the loopback *host*, at *public* and at *home* where those are not empty.

    *public* is an origin, *home* an address of this machine. Raises ``NotLoopback`` or ``NotHome``
    for what others reach than it says.
    """

    host: str
    public: str = ""
    home: str = ""
    port: int = 0
    _newcomers: Limiters[str] = field(default_factory=Limiters)

    def __post_init__(self) -> None:
        _loopback(self.host)
        if self.home:
            _at_home(self.home)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses to listen on."""
        return tuple(filter(None, (self.host, self.home)))

    def all(self) -> Sequence[Door]:
        """Every door, the one that links to us lead to first."""
        doors = []
        if self.public:
            doors.append(Door(self.public, Reach.EVERYWHERE))
        if self.home:
            doors.append(Door(f"http://{authority(self.home, self.port)}", Reach.HOME))
        names = dict.fromkeys((self.host, "localhost"))
        here = (Door(f"http://{authority(name, self.port)}", Reach.HERE) for name in names)
        return (*doors, *here)

    def by(self, request: web.Request) -> Door:
        """The door through which *request* comes.

        Refuses who comes by another name or another way (421), unencrypted where it is encrypted
        (308 to the right address), or from another page (403).
        """
        host = request.headers.get("Host", "").lower()
        # A foreign name that leads to this machine would make its page one of ours.
        door = next((door for door in self.all() if door.authority == host), None)
        near = _is_loopback(request.remote)
        passed_on = any(name in request.headers for name in PASSED_ON)
        if door is None or (door.reach is not Reach.HOME and not near):
            raise web.HTTPMisdirectedRequest(text="421: not by this name.")
        if door.reach is Reach.HERE and passed_on:
            # What a proxy passes on comes from elsewhere, and may come by the public name only.
            raise web.HTTPMisdirectedRequest(text="421: not through a proxy.")
        if door.secure and request.headers.get("X-Forwarded-Proto", "https").lower() != "https":
            raise web.HTTPPermanentRedirect(f"{door.origin}{request.rel_url}")
        # Whatever it would be upgraded to: others read this header more leniently than we would.
        safe = request.method in ("GET", "HEAD") and "Upgrade" not in request.headers
        if not safe and request.headers.get("Origin", "").lower() != door.origin:
            raise web.HTTPForbidden(text="403: not from another page.")
        return door

    def client(self, request: web.Request) -> str:
        """The address *request* comes from, as a proxy of this machine tells it and nobody else."""
        told = request.headers.getall("X-Forwarded-For", [])
        if told and _is_loopback(request.remote):
            # The last is the one that our own proxy has seen; what stands before it anybody wrote.
            return told[-1].rpartition(",")[2].strip()
        return request.remote or ""

    def crowded(self, request: web.Request) -> bool:
        """Whether no further guest may come from where *request* does, for a while.

        Who sits at this machine may bring as many as he likes.
        """
        client = self.client(request)
        if _is_loopback(client):
            return False
        each, every = (
            self._newcomers.at(_network(client), NEWCOMERS),
            self._newcomers.at("", EVERYBODY),
        )
        if each.wait() > 0 or every.wait() > 0:
            return True
        each.note()
        every.note()
        return False


def authority(host: str, port: int) -> str:
    """*host* and *port* as an address says them."""
    shown = f"[{host}]" if ":" in host else host
    return shown if port == 80 else f"{shown}:{port}"


def _loopback(host: str) -> None:
    if not _is_loopback(host):
        raise NotLoopback(host)


def _at_home(host: str) -> None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise NotHome(host) from None
    if not address.is_private or address.is_loopback or address.is_unspecified:
        raise NotHome(host)


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def _network(client: str) -> str:
    """*client* without what he chooses by himself: of IPv6 the first half is one customer."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return client[:64]
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
