"""The pages of HTTP for supervisors and Prometheus: ``/healthz``, ``/readyz`` and ``/metrics``."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

from prometheus_client import CONTENT_TYPE_LATEST

from bot.app.settings import BadSettings, Settings
from bot.facade import Facade, ProcessDuties
from bot.runtime import metrics
from storage.database.availability import Availability
from storage.errors import StorageError
from storage.store import Store
from storage.table import games, views

log = logging.getLogger(__name__)

HOST = "127.0.0.1"

REQUEST_SECONDS = 5.0
"""The seconds that a request may take; it is one short line."""

AT_ONCE = 16
"""How many requests are served at once; others are closed."""

LONGEST_REQUEST = 4096
"""The most bytes of a request."""

EVERY = 15.0
"""The seconds between two queries for what only the database knows."""

STEP = 1.0
"""The seconds between two measurements of the event loop."""


@dataclass(frozen=True)
class Page:
    """A response: 200 with *body* if all is *well*, else 503 with it."""

    body: bytes
    well: bool = True
    kind: str = "text/plain"


Pages = Mapping[str, Callable[[], Page]]
"""By path, what makes each page when it is requested."""


@dataclass
class ProcessState:
    """How the bot stands: its *process_duties*, if any, and whether the database is reached."""

    process_duties: ProcessDuties | None = None
    availability: Availability = field(default_factory=Availability)

    def runs(self, facade: Facade) -> None:
        """Note that *facade* takes presses, and measure its transactions from now on."""
        self.process_duties = facade.process_duties
        facade.store.noted = lambda kind, took: metrics.TRANSACTIONS.labels(kind).observe(took)
        for user in tuple(self.availability.waiting):
            self.availability.note_answer(user)

    def ends(self) -> None:
        """Note that nothing takes presses any more."""
        self.process_duties = None

    def health(self) -> str:
        """Why the process is not well, an empty string where it is."""
        if self.process_duties is None:
            return "starting" if self.availability.is_reached else "the database is away"
        return "" if self.process_duties.is_connected() else "a chat is not connected"

    def readiness(self) -> str:
        """Why presses are not taken, an empty string where they are."""
        if not self.availability.is_reached:
            return "the database is away"
        if self.process_duties is None or not self.process_duties.takes_over():
            return "presses are not taken"
        return ""


def answering(unwell: Callable[[], str]) -> Callable[[], Page]:
    """Makes a page that says ``well``, or with 503 why it is *unwell*."""

    def page() -> Page:
        why = unwell()
        return Page(f"{why or 'well'}\n".encode(), well=not why)

    return page


@contextlib.asynccontextmanager
async def supervise(settings: Settings, state: ProcessState) -> AsyncIterator[None]:
    """The pages that the settings ask for, from before the start to after the end."""
    async with contextlib.AsyncExitStack() as listening:
        if settings.health_port is not None:
            server = await health(settings.health_port, state.health)
            listening.callback(server.close)
        if settings.metrics_port is not None:
            host = str(settings.metrics_host)
            server = await metrics_server(host, settings.metrics_port, state)
            listening.callback(server.close)
        yield


async def health(port: int, unwell: Callable[[], str]) -> asyncio.Server:
    """A server of ``/healthz`` on a loopback *port*; raises ``BadSettings``."""
    return await serving(HOST, port, {"/healthz": answering(unwell)}, "HEALTH_PORT")


async def metrics_server(host: str, port: int, state: ProcessState) -> asyncio.Server:
    """A server of ``/metrics`` and ``/readyz``; raises ``BadSettings``."""

    def counted() -> Page:
        metrics.REACHED.set(state.availability.is_reached)
        return Page(metrics.exposed(), kind=CONTENT_TYPE_LATEST)

    pages = {"/metrics": counted, "/readyz": answering(state.readiness)}
    return await serving(host, port, pages, "METRICS_PORT")


async def meter(store: Store, process_duties: ProcessDuties) -> None:
    """Update the gauges until cancelled."""
    asked = float("-inf")
    while True:
        begun = monotonic()
        await asyncio.sleep(STEP)
        metrics.LAG.set(monotonic() - begun - STEP)
        metrics.CONNECTED.clear()
        for name, connected in process_duties.connections().items():
            metrics.CONNECTED.labels(name).set(connected)
        for name, left in process_duties.sessions_left().items():
            metrics.SESSIONS.labels(name).set(left)
        for lease in process_duties.fleet.wanted:
            metrics.HELD.labels(lease).set(process_duties.fleet.holds(lease))
        if begun - asked >= EVERY:
            asked = begun
            try:
                await _looked_up(store)
            except StorageError as wrong:
                log.warning("nothing is counted: %s", wrong)


async def _looked_up(store: Store) -> None:
    async with store.reading() as tx:
        living, owed = await games.count_living_games(tx), await views.count_owing_views(tx)
    metrics.TABLES.clear()
    for (game, status), count in living.items():
        metrics.TABLES.labels(game, status).set(count)
    metrics.OWED.set(owed)


async def serving(host: str, port: int, pages: Pages, setting: str) -> asyncio.Server:
    """A server of *pages*; raises ``BadSettings``, which names the *setting* of the port."""
    heard = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        heard += 1
        try:
            if heard <= AT_ONCE:
                async with asyncio.timeout(REQUEST_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(_answer(head, pages, host))
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a broken request gets no response
        finally:
            heard -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    try:
        return await asyncio.start_server(answer, host, port, limit=LONGEST_REQUEST)
    except OSError as wrong:
        if wrong.errno == errno.EADDRINUSE:
            raise BadSettings(
                f"The port {port} of {setting} is taken by another program; stop it, or set "
                "another."
            ) from None
        why = wrong.strerror or type(wrong).__name__
        raise BadSettings(f"Nobody can listen on {setting}={port}: {why}.") from None


def _is_for_us(head: bytes, listening: str) -> bool:
    """Whether the Host of a request is one by which we are reached where we are *listening*.

    A foreign page that lets its own name lead here asks with that name. Names without a dot, such
    as a container's, are nobody else's; beyond this machine an operator may use them.
    """
    fields = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    told = [value.strip().decode("latin-1") for name, _, value in fields if name.lower() == b"host"]
    if len(told) != 1:
        return not told  # no browser leaves it out
    near = ip_address(listening).is_loopback
    try:
        name = urlsplit(f"//{told[0]}").hostname or ""
    except ValueError:
        return False
    try:
        return ip_address(name).is_loopback or not near
    except ValueError:
        return name == "localhost" or (not near and "." not in name)


def _answer(head: bytes, pages: Pages, host: str) -> bytes:
    method, _, rest = head.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0].decode("latin-1")
    page = Page(b"")
    if not _is_for_us(head, host):
        status = "421 Misdirected Request"
    elif path not in pages:
        status = "404 Not Found"
    elif method not in (b"GET", b"HEAD"):
        status = "405 Method Not Allowed"
    else:
        page = pages[path]()
        status = "200 OK" if page.well else "503 Service Unavailable"
    lines = (
        f"HTTP/1.1 {status}",
        f"Content-Type: {page.kind}",
        f"Content-Length: {len(page.body)}",
        "Cache-Control: no-store",
        "Connection: close",
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (b"" if method == b"HEAD" else page.body)
