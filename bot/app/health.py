"""What a supervisor may ask over HTTP: a few short pages, each on a port of its own."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.app.settings import BadSettings

HOST = "127.0.0.1"

PATIENCE = 5.0
"""How many seconds a request may take; it is one short line."""

AT_ONCE = 16
"""How many requests are heard at once; the others are closed."""

LONGEST = 4096
"""The most bytes of a request."""


@dataclass(frozen=True)
class Page:
    """What is answered: 200 with *body*, or 503 where all is not *well*."""

    body: bytes
    well: bool = True
    kind: str = "text/plain"


Pages = Mapping[str, Callable[[], Page]]
"""The pages by their paths, made when they are asked for."""


def wellness(well: Callable[[], bool], unwell: str) -> Callable[[], Page]:
    """A page that says whether it is *well*, and in one line what is not."""

    def page() -> Page:
        return Page(b"well\n") if well() else Page(f"{unwell}\n".encode(), well=False)

    return page


async def health(port: int, well: Callable[[], bool]) -> asyncio.Server:
    """A server that answers ``GET /healthz`` on a loopback *port*; raises as ``serving`` does."""
    pages = {"/healthz": wellness(well, "a chat is not connected")}
    return await serving(HOST, port, pages, "HEALTH_PORT")


async def serving(host: str, port: int, pages: Pages, setting: str) -> asyncio.Server:
    """A server of *pages*.

    Raises ``BadSettings``, which names the *setting*, where nobody can listen there: a supervisor
    would take us for dead.
    """
    heard = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        heard += 1
        try:
            if heard <= AT_ONCE:
                async with asyncio.timeout(PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(_answer(head, pages))
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asks in no such way hears nothing
        finally:
            heard -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    try:
        return await asyncio.start_server(answer, host, port, limit=LONGEST)
    except OSError as wrong:
        if wrong.errno == errno.EADDRINUSE:
            raise BadSettings(
                f"The port {port} of {setting} is taken by another program; stop it, or set "
                "another."
            ) from None
        why = wrong.strerror or type(wrong).__name__
        raise BadSettings(f"Nobody can listen on {setting}={port}: {why}.") from None


def _answer(head: bytes, pages: Pages) -> bytes:
    method, _, rest = head.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0].decode("latin-1")
    page = Page(b"")
    if path not in pages:
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
