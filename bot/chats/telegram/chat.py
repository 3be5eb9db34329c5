"""Telegram behind the port: updates in, boards out, one connection kept alive."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any, Protocol
from urllib.parse import urlsplit

from cachetools import TTLCache
from pydantic import AnyHttpUrl, SecretStr
from telegram import Update
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, Conflict, InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder, TypeHandler

from bot.chats.telegram.answers import Answers
from bot.chats.telegram.commands import set_menu_button, set_menus, set_profile
from bot.chats.telegram.errors import TokenRefused, WebhookRefused
from bot.chats.telegram.inbound import Inbound
from bot.chats.telegram.membership import Membership
from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.overall import CONNECTIONS, Overall
from bot.chats.telegram.reading import PLATFORM
from bot.chats.telegram.receipts import PollingRequest, ReceiptQueue
from bot.chats.telegram.wire import Wire
from bot.chats.telegram.writing import mention_links, sentence
from bot.facade import Facade, StorageError
from bot.port import (
    Asker,
    Capabilities,
    Chat,
    ChatError,
    Later,
    Pace,
    PlaceStanding,
    Screen,
    Shown,
    Space,
    Stumbled,
    Target,
    Where,
)

log = logging.getLogger(__name__)

UPDATES = ("message", "edited_message", "callback_query", "my_chat_member", "inline_query")
"""What we want to hear of."""

SUPERGROUP = "-100"
"""How the ids of supergroups begin; messages of other chats have no address."""

GROUP = Pace(18, 60.0, burst=4)
"""Telegram takes about 20 calls a minute in a group, edits included (tdlib/td#3034), and about
one a second in any chat. A few are left, since what is sent apart may arrive together."""

PRIVATE = Pace(55, 60.0, burst=4)
"""About one call a second in a private chat, with short bursts."""

UNASKED = 120.0
"""After how many seconds without a request for updates nobody makes any; they last ten, and wait
thirty where Telegram is out of reach."""

ADMINISTRATORS = 60.0
"""For how many seconds who manages a group is remembered."""

WATCH = 15.0
"""Every how many seconds that is looked at."""

FIRST_TRY = 10.0
"""How many seconds the start waits for Telegram before the other chats go on without it."""

RECONNECT = (1.0, 2.0, 5.0, 10.0, 30.0)
"""After how many seconds connecting is tried again; the last one for ever."""

AT_ONCE = 1024
"""How many updates are handled at once; those of one person wait for each other."""


class TelegramSettings(Protocol):
    """What Telegram is told by the settings of the program."""

    telegram_token: SecretStr | None
    telegram_api_url: AnyHttpUrl | None
    telegram_webhook_url: AnyHttpUrl | None
    telegram_webhook_port: int
    telegram_webhook_secret: SecretStr | None

    @property
    def public_origin(self) -> str:
        """Where our page is for everybody; nothing where it is for this machine alone."""


class TelegramChat(Chat):
    """The bot in Telegram.

    ``start`` raises ``TokenRefused`` for a wrong token; where Telegram cannot be reached it
    goes on trying beside the other chats.
    """

    platform = PLATFORM
    capabilities = Capabilities(Space(48, 8, even=True), picks_people=True)

    def __init__(self, house: Facade, settings: TelegramSettings) -> None:
        if settings.telegram_token is None:
            raise TokenRefused
        self._house = house
        self._settings = settings
        hooked = settings.telegram_webhook_url is not None
        self._queue = ReceiptQueue(house.receipts(PLATFORM), at_once=hooked)
        polling = PollingRequest(self._asking, self._heard)
        self._app = self._built(settings.telegram_token.get_secret_value(), polling)
        self._queue.opened, polling.bot = polling.opened, self._app.bot
        page = f"{settings.public_origin}/m/" if settings.public_origin else ""
        self._outbound = Outbound(self._app.bot, page)
        self._answers = Answers(house, self._outbound)
        membership = Membership(house, self._answers)
        inbound = Inbound(house, self._app.bot, self._queue, self._answers, membership)
        self._queue.admits = inbound.admits
        self._app.add_handler(TypeHandler(Update, inbound.handle))
        self._connecting: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self._taken_up = False
        self._open = False
        self._silent = False
        self._hooked = hooked
        self._standings: TTLCache[tuple[str, str], PlaceStanding] = TTLCache(4096, ADMINISTRATORS)
        self._asked = monotonic()
        self._watching: asyncio.Task[None] | None = None

    def _built(
        self, token: str, polling: PollingRequest
    ) -> Application[Any, Any, Any, Any, Any, Any]:
        builder = ApplicationBuilder().token(token).update_queue(self._queue)
        if self._settings.telegram_api_url is not None:
            # With or without the /bot at the end, which the library wants.
            address = str(self._settings.telegram_api_url).rstrip("/").removesuffix("/bot")
            builder = builder.base_url(f"{address}/bot").base_file_url(f"{address}/file/bot")
        return (
            builder.request(Wire(CONNECTIONS, reading=15, waiting=10))
            .get_updates_request(polling)
            .rate_limiter(Overall())
            .concurrent_updates(AT_ONCE)
            .job_queue(None)
            .build()
        )

    # ---------------------------------------------------------------- life

    async def start(self) -> None:
        """Connect; raises ``ChatError`` where the token or the webhook's port is refused."""
        self._connecting = asyncio.create_task(self._connect())
        await self._first_try(self._connecting)
        if self._connecting.done():
            self._connecting.result()

    async def _first_try(self, connecting: asyncio.Task[None]) -> None:
        """Wait until Telegram has answered for the first time, or the connecting has ended."""
        tried = asyncio.create_task(self._tried.wait())
        await asyncio.wait(
            {connecting, tried}, timeout=FIRST_TRY, return_when=asyncio.FIRST_COMPLETED
        )
        tried.cancel()

    async def _connect(self) -> None:
        """Connect, however often it takes; one line says that Telegram is out of reach."""
        failures = 0
        while not self._answers.closing.is_set():
            try:
                await self._connected()
            except (InvalidToken, WebhookRefused) as wrong:
                refused = wrong if isinstance(wrong, WebhookRefused) else TokenRefused()
                if self._tried.is_set():
                    log.error("%s", refused)
                    return
                raise refused from None
            except TelegramError as wrong:
                self._unheard(wrong)
                self._tried.set()
                wait = RECONNECT[min(failures, len(RECONNECT) - 1)]
                failures += 1
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._answers.closing.wait()
            else:
                self._open, self._asked = True, monotonic()
                if not self._hooked:
                    self._watching = asyncio.create_task(self._watch())
                name = self._app.bot.username
                log.info("Telegram is connected as @%s", name)
                log.info(
                    "Write to the bot: https://t.me/%s; add it to a group: %s?startgroup=play",
                    name,
                    f"https://t.me/{name}",
                )
                self._tried.set()
                return

    async def _connected(self) -> None:
        """Every step of connecting that is still to be done."""
        app = self._app
        await app.initialize()
        if not app.running:
            await app.start()
        if not self._taken_up:
            # First of all what was received before and never settled.
            count = await self._queue.take_up(app.bot)
            self._taken_up = True
            if count:
                log.info("%d updates of the last run are handled now", count)
            await self._answers.fleeting.sweep()
        await self._tell_commands()
        updater = app.updater
        if updater is None or updater.running:
            return
        if self._settings.telegram_webhook_url is None:
            await updater.start_polling(
                allowed_updates=UPDATES, bootstrap_retries=0, error_callback=self._unheard
            )
            return
        try:
            await self._listen()
        except OSError as wrong:
            port = self._settings.telegram_webhook_port
            raise ChatError(f"The port {port} cannot be listened on: {wrong.strerror}.") from None

    async def _tell_commands(self) -> None:
        bot, notes, default = self._app.bot, self._house.notes, self._house.default_language
        try:
            await set_menus(bot, notes, default)
            await set_profile(bot, notes, default)
            await set_menu_button(bot, notes, default, self._outbound.page)
        except (TelegramError, StorageError) as wrong:
            log.info("the menus and the page wait for the next start: %s", type(wrong).__name__)

    async def _listen(self) -> None:
        """Take updates by a webhook, behind a proxy on this machine that speaks TLS."""
        settings, updater = self._settings, self._app.updater
        if updater is None or settings.telegram_webhook_url is None:
            return
        # Tried first, since the server leaves a socket open that it could not bind.
        socket.create_server(("127.0.0.1", settings.telegram_webhook_port)).close()
        secret = settings.telegram_webhook_secret
        address = str(settings.telegram_webhook_url)
        try:
            await updater.start_webhook(
                listen="127.0.0.1",
                port=settings.telegram_webhook_port,
                url_path=urlsplit(address).path.strip("/"),
                webhook_url=address,
                secret_token=secret.get_secret_value() if secret else secrets.token_urlsafe(32),
                allowed_updates=UPDATES,
                bootstrap_retries=0,
            )
        except BadRequest as wrong:
            raise WebhookRefused(wrong.message) from None

    def _unheard(self, wrong: TelegramError) -> None:
        """Say once that Telegram does not answer, or that another process takes our updates."""
        if self._silent:
            return
        self._silent = True
        if isinstance(wrong, Conflict):
            log.error("Another process asks Telegram for the updates of this token; stop it.")
        else:
            log.warning("Telegram cannot be reached (%s); trying again", type(wrong).__name__)

    async def _asking(self) -> None:
        """Told before every request for updates."""
        self._asked = monotonic()
        await self._queue.secure()

    async def _watch(self) -> None:
        """See to it that updates are asked for; where nobody does so any more we give up."""
        # It is the time that is watched, not an event.
        while self.connected() or monotonic() - self._asked < UNASKED:  # noqa: ASYNC110
            await asyncio.sleep(WATCH)
        self._house.failures.put_nowait(Stumbled("Nobody asks Telegram for updates any more."))

    def connected(self) -> bool:
        """Whether Telegram answers, and hands us updates or calls our webhook."""
        if not self._open or self._silent:
            return False
        return self._hooked or monotonic() - self._asked < UNASKED

    def _heard(self, status: int) -> None:
        """Say once that the token is refused now, and that Telegram answers again."""
        if status == HTTPStatus.UNAUTHORIZED and not self._silent:
            self._silent = True
            log.error("%s", TokenRefused())
        elif status == HTTPStatus.OK and self._silent and self._open:
            self._silent = False
            log.info("Telegram answers again")

    async def rest(self) -> None:
        """Take no more updates, and finish those taken."""
        self._answers.closing.set()
        if self._watching is not None:
            self._watching.cancel()
        if self._connecting is not None:
            await asyncio.wait({self._connecting}, timeout=1.0)
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        if self._app.updater is not None and self._app.updater.running:
            try:
                await self._app.updater.stop()
            except TelegramError as wrong:
                log.info("Telegram could not be told of the end: %s", type(wrong).__name__)
        if self._app.running:
            await self._app.stop()
        await self._answers.close()

    async def stop(self) -> None:
        """Disconnect."""
        self._open = False
        await self._app.shutdown()
        # An application that never reached Telegram leaves its connections open.
        await self._app.bot.shutdown()

    # ---------------------------------------------------------------- the port

    def pace(self, where: Where) -> Pace:
        """Groups have negative ids; they are counted more strictly."""
        return GROUP if where.place.startswith("-") else PRIVATE

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* as a new message, or in place of the one there, text or picture."""
        await self._opened()
        if target.message is None:
            message = await self._outbound.send(target.where, screen, picture)
            return Shown(message, fresh=True, called=True)
        return await self._outbound.edit(target.where, target.message, screen, picture)

    async def ping(
        self, where: Where, people: Sequence[Asker], text: str, board: str | None, nonce: str
    ) -> str | None:
        """Call *people* by a short message that answers *board*: edits call nobody."""
        del nonce
        await self._opened()
        words = sentence(text)
        # Whom a private chat belongs to is called by every message in it.
        called = words[:1].upper() + words[1:] if where.private else mention_links(people) + words
        return await self._outbound.say(where, called, reply_to=board)

    async def buried(self, where: Where, message: str, posted: float | None) -> bool:
        """Whether so many messages lie below, or it is so old, that the board comes down."""
        return self._outbound.depths.buried(where.place, int(message), posted)

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        """Whether *asker* is an administrator of the group *where*; nobody where it cannot be told.

        What Telegram answers counts for ``ADMINISTRATORS`` seconds.
        """
        if not where.place.startswith("-"):
            return PlaceStanding()
        key = (where.place, asker.external)
        known = self._standings.get(key)
        if known is None:
            await self._opened()
            try:
                member = await self._app.bot.get_chat_member(int(where.place), int(asker.external))
            except TelegramError as wrong:
                log.info("nobody knows who manages a group: %s", type(wrong).__name__)
                return PlaceStanding()
            manages = member.status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)
            known = self._standings[key] = PlaceStanding(manages)
        return known

    def link(self, where: Where, message: str = "") -> str:
        """The address that leads to *message*: in supergroups, for those who are in them."""
        if not (message and where.place.startswith(SUPERGROUP)):
            return ""
        return f"https://t.me/c/{where.place.removeprefix(SUPERGROUP)}/{message}"

    async def remove(self, where: Where, message: str) -> None:
        """Remove a message of ours."""
        await self._opened()
        await self._outbound.remove(where, message)

    async def _opened(self) -> None:
        """Wait for the first try to connect: what another process owed is shown right after it."""
        if not self._open and self._connecting is not None:
            await self._first_try(self._connecting)
        if not self._open:
            raise Later(RECONNECT[-1] / 3)
