"""Whether all is well, told on a loopback port of its own: ``GET /healthz``."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Callable

from bot.app.settings import BadSettings

HOST = "127.0.0.1"

PATIENCE = 5.0
"""How many seconds a request may take; it is one short line."""

AT_ONCE = 16
"""How many requests are heard at once; the others are closed."""

LONGEST = 4096
"""The most bytes of a request."""


async def health(port: int, well: Callable[[], bool]) -> asyncio.Server:
    """A server that answers on *port* whether it is *well*.

    Raises ``BadSettings`` where nobody can listen there: a supervisor would take us for dead.
    """
    heard = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        heard += 1
        try:
            if heard <= AT_ONCE:
                async with asyncio.timeout(PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(_answer(head, well))
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asks in no such way hears nothing
        finally:
            heard -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    try:
        return await asyncio.start_server(answer, HOST, port, limit=LONGEST)
    except OSError as wrong:
        if wrong.errno == errno.EADDRINUSE:
            raise BadSettings(
                f"The port {port} of HEALTH_PORT is taken by another program; stop it, or set "
                "another."
            ) from None
        why = wrong.strerror or type(wrong).__name__
        raise BadSettings(f"/healthz cannot listen on HEALTH_PORT={port}: {why}.") from None


def _answer(head: bytes, well: Callable[[], bool]) -> bytes:
    method, _, rest = head.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    if path != b"/healthz":
        status, said = "404 Not Found", ""
    elif method not in (b"GET", b"HEAD"):
        status, said = "405 Method Not Allowed", ""
    elif well():
        status, said = "200 OK", "well\n"
    else:
        status, said = "503 Service Unavailable", "a chat is not connected\n"
    lines = (
        f"HTTP/1.1 {status}",
        "Content-Type: text/plain",
        f"Content-Length: {len(said)}",
        "Cache-Control: no-store",
        "Connection: close",
    )
    body = "" if method == b"HEAD" else said
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
