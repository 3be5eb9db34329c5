"""A server of a test on a free port of the loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ssl import SSLContext

from aiohttp import web


@asynccontextmanager
async def listening(app: web.Application, tls: SSLContext | None = None) -> AsyncIterator[str]:
    """The address at which *app* answers meanwhile, such as ``http://127.0.0.1:54321``."""
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
