"""The origins under which the server is reached, and who is let in through each.

Without settings only this machine reaches it. The operator may add a public origin, where a proxy
on this machine, or in a network that they name, speaks TLS, and an address of the home network.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

from aiohttp import web

from bot.chats.web.errors import NotHome, NotLoopback

PASSED_ON = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded")
"""The headers that proxies add; a request with one of them does not come from this machine."""

WITHIN_DISCORD = "/d/"
"""The beginning of the addresses that come by Discord's proxy, from the origin of its frames."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
"""Addresses of trusted proxies."""


class Reach(Enum):
    """From where an origin is reached."""

    HERE = "this machine"
    HOME = "the network at home, unencrypted"
    EVERYWHERE = "everywhere, encrypted"


@dataclass(frozen=True)
class Origin:
    """An origin of the server's pages: its *url*, such as ``https://play.example.org``."""

    url: str
    reach: Reach

    @property
    def authority(self) -> str:
        """The Host header of requests to it."""
        return self.url.partition("://")[2]

    @property
    def secure(self) -> bool:
        """Whether the connection is encrypted."""
        return self.reach is Reach.EVERYWHERE


PROGRAMS = "/api/"
"""Where programs ask, whom their key lets in and no cookie."""


@dataclass
class Origins:
    """All origins: on *host*, at *public* and at *home* where those are not empty.

    *public* is a URL, *home* an address of this machine. *host* is a loopback address, unless
    *proxies* in other networks are to reach it: of requests that come from elsewhere, and by
    *public* only, those alone are taken and believed. Raises ``NotLoopback`` or ``NotHome`` for an
    address that others can reach.
    """

    host: str
    public: str = ""
    home: str = ""
    port: int = 0
    proxies: Sequence[Network] = ()
    frame: str = ""
    """The origin of the frames in which Discord shows the page; "" while none is known."""

    def __post_init__(self) -> None:
        if not _is_loopback(self.host) and not (self.proxies and self.public):
            raise NotLoopback(self.host)
        if self.home and not _is_private(self.home):
            raise NotHome(self.home)

    @property
    def address(self) -> str:
        """The start of all our links, such as ``http://127.0.0.1:8765``."""
        return self.all()[0].url

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses to listen on."""
        return tuple(filter(None, (self.host, self.home)))

    def all(self) -> Sequence[Origin]:
        """All origins, first the one that our links use."""
        origins = []
        if self.public:
            origins.append(Origin(self.public, Reach.EVERYWHERE))
        if self.home:
            origins.append(Origin(f"http://{authority(self.home, self.port)}", Reach.HOME))
        names = dict.fromkeys((self.host, "localhost") if _is_loopback(self.host) else ())
        here = (Origin(f"http://{authority(name, self.port)}", Reach.HERE) for name in names)
        return (*origins, *here)

    def of(self, request: web.Request) -> Origin:
        """The origin that *request* is for.

        Refuses a foreign name or way (421) and a foreign page (403), and redirects an unencrypted
        request to the encrypted address (308).
        """
        host = request.headers.get("Host", "").lower()
        # A foreign name that resolves to this machine would make its page one of ours.
        origin = next((one for one in self.all() if one.authority == host), None)
        passed_on = any(name in request.headers for name in PASSED_ON)
        if origin is None or not self._is_by_name_of(origin, request):
            raise web.HTTPMisdirectedRequest(text="421: not by this name.")
        if origin.reach is Reach.HERE and (passed_on or not _is_loopback(request.remote)):
            # A proxy passes on requests from elsewhere, which may use the public name only.
            raise web.HTTPMisdirectedRequest(text="421: not through a proxy.")
        # One of several proxies may write ``http`` beside another's ``https``.
        ways = request.headers.get("X-Forwarded-Proto", "https").lower().split(",")
        if origin.secure and "https" not in map(str.strip, ways):
            raise web.HTTPPermanentRedirect(f"{origin.url}{request.rel_url}")
        self._refuse_foreign(request, origin)
        return origin

    def _refuse_foreign(self, request: web.Request, origin: Origin) -> None:
        """Refuse what a page of another origin asks for by *origin* (403).

        The page within Discord stands at the origin of its frame, and at the encrypted one only.
        """
        framed = request.path.startswith(WITHIN_DISCORD)
        if framed and not origin.secure:
            raise web.HTTPNotFound
        if _is_foreign_page(self.frame if framed else origin.url, request):
            raise web.HTTPForbidden(text="403: not from another page.")

    def _is_by_name_of(self, origin: Origin, request: web.Request) -> bool:
        """Whether *request* is for *origin* by its target too, and comes from where it may."""
        if _is_foreign(request.raw_path, origin.authority):
            return False
        return origin.reach is Reach.HOME or self._is_trusted(request.remote)

    def _is_trusted(self, host: str | None) -> bool:
        """Whether a proxy at *host* is believed."""
        address = ip_address(host or "")
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return _is_loopback(host) or (
            address is not None and any(address in network for network in self.proxies)
        )

    def client(self, request: web.Request) -> str:
        """The address of the client, which only a trusted proxy may tell."""
        told = ",".join(request.headers.getall("X-Forwarded-For", []))
        if not told or not self._is_trusted(request.remote):
            return request.remote or ""
        # A proxy adds the address it was asked from; the client may have written those before it.
        addresses = [one.strip() for one in told.split(",")]
        while len(addresses) > 1 and self.proxies and self._is_trusted(addresses[-1]):
            addresses.pop()
        return addresses[-1]


def _is_foreign_page(origin: str, request: web.Request) -> bool:
    """Whether *request* may change something, and is not known to come from a page of *origin*.

    An empty *origin* has no pages.
    """
    told = request.headers.get("Origin", "").lower()
    if told == "" and request.path.startswith(PROGRAMS):
        return False  # a program has no page, and its key is in no browser
    # Any upgrade counts as unsafe: others read this header more leniently than we would.
    safe = request.method in ("GET", "HEAD") and "Upgrade" not in request.headers
    return not safe and (not origin or told != origin)


def _is_foreign(target: str, host: str) -> bool:
    """Whether the *target* of a request for *host* is a whole URL of another (RFC 9112, 3.2.2)."""
    return not target.startswith("/") and urlsplit(target).netloc.lower() != host


def authority(host: str, port: int) -> str:
    """*host* and *port* as a URL writes them."""
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if port == 80 else f"{bracketed}:{port}"


def ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """*host* as an address, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_private(host: str) -> bool:
    address = ip_address(host)
    here = address is None or address.is_loopback or address.is_unspecified
    return address is not None and address.is_private and not here


def _is_loopback(host: str | None) -> bool:
    address = ip_address(host or "")
    return host == "localhost" or (address is not None and address.is_loopback)
