"""Where Telegram posts updates, behind a proxy that does TLS."""

from __future__ import annotations

import hmac
import logging
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web
from telegram import Bot, Update

from bot.chats.telegram.update_queue import NotWritten, ReceiptQueue

log = logging.getLogger(__name__)

PROOF = "X-Telegram-Bot-Api-Secret-Token"
"""The header that proves that Telegram posts (Bot API, setWebhook)."""

ENDING_SECONDS = 2.0
"""The seconds in which requests may end when no more are taken."""


@dataclass
class Webhook:
    """Puts what is posted to the path of *address* with the *secret* into *queue*."""

    bot: Bot
    queue: ReceiptQueue
    address: str
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        self.secret = self.secret or secrets.token_urlsafe(32)
        app = web.Application()
        app.router.add_post(f"/{urlsplit(self.address).path.strip('/')}{{end:/?}}", self._take)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=ENDING_SECONDS)

    async def listen(self, host: str, port: int) -> None:
        """Take updates at *port*; raises ``OSError`` where that is taken."""
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()

    async def close(self) -> None:
        """Take no more."""
        await self._runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        """200 once the update is on disk: only then Telegram may forget it."""
        given = request.headers.get(PROOF, "").encode(errors="surrogateescape")
        if request.content_type != "application/json" or not hmac.compare_digest(
            given, self.secret.encode()
        ):
            raise web.HTTPForbidden
        try:
            update = Update.de_json(await request.json(), self.bot)
        except Exception as wrong:  # whatever the library raises over what it cannot read
            log.error("an update cannot be read: %s", type(wrong).__name__)
            raise web.HTTPBadRequest from None
        try:
            await self.queue.put(update)
        except NotWritten:
            raise web.HTTPServiceUnavailable from None  # Telegram posts it again
        return web.Response()
