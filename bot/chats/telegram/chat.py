"""Telegram behind the port: updates in, boards out, one connection kept alive."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
from collections import OrderedDict
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from telegram import Message, Update, User
from telegram.error import Conflict, InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder, TypeHandler
from telegram.request import HTTPXRequest

from bot.chats.port import (
    Asker,
    Call,
    Chat,
    ChatError,
    Later,
    Pace,
    Shown,
    Target,
    Where,
)
from bot.chats.telegram.answers import Answers, Toast
from bot.chats.telegram.arrivals import Arrivals
from bot.chats.telegram.errors import TokenRefused
from bot.chats.telegram.menus import set_menus
from bot.chats.telegram.post import Post
from bot.chats.telegram.reading import (
    PLATFORM,
    START,
    Known,
    asker_of,
    call_of,
    command_of,
    is_person,
    press_of,
)
from bot.chats.telegram.receipts import (
    NotWritten,
    PollingRequest,
    ReceiptQueue,
    check_readable,
)
from bot.chats.telegram.writing import mention, sentence
from bot.house import House
from bot.screens import Screen
from bot.settings import Settings
from games.core import phrase
from storage import inbox
from storage.errors import StorageError

log = logging.getLogger(__name__)

UPDATES = ("message", "callback_query", "my_chat_member")
"""What we want to hear of."""

GROUP = Pace(18, 60.0, burst=4)
"""Telegram takes about 20 calls a minute in a group, edits included (tdlib/td#3034), and about
one a second in any chat. A few are left, since what is sent apart may arrive together."""

PRIVATE = Pace(55, 60.0, burst=4)
"""About one call a second in a private chat, with short bursts."""

FIRST_TRY = 10.0
"""How many seconds the start waits for Telegram before the other chats go on without it."""

RECONNECT = (1.0, 2.0, 5.0, 10.0, 30.0)
"""After how many seconds connecting is tried again; the last one for ever."""

ATTEMPTS = 3
"""After how many failures an update is set aside."""

HANDLES_KEPT = 4096
"""How many @names we know the bearers of."""

AT_ONCE = 1024
"""How many updates are handled at once; those of one person wait for each other."""


class TelegramChat(Chat):
    """The bot in Telegram.

    ``start`` raises ``TokenRefused`` for a wrong token; where Telegram cannot be reached it
    goes on trying beside the other chats.
    """

    platform = PLATFORM

    def __init__(self, house: House, settings: Settings) -> None:
        if settings.telegram_token is None:
            raise TokenRefused
        self._house = house
        self._settings = settings
        hooked = settings.telegram_webhook_url is not None
        self._queue = ReceiptQueue(house.store, house.manager.now, at_once=hooked)
        house.manager.settling[PLATFORM] = self._queue.settled
        self._app = self._built(settings.telegram_token.get_secret_value())
        self._post = Post(self._app.bot)
        self._answers = Answers(house, self._post)
        self._arrivals = Arrivals(house, self._answers)
        self._handles: OrderedDict[str, Asker] = OrderedDict()
        self._persons: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._connecting: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self._taken_up = False
        self._open = False
        self._silent = False

    def _built(self, token: str) -> Application[Any, Any, Any, Any, Any, Any]:
        builder = ApplicationBuilder().token(token).update_queue(self._queue)
        if self._settings.telegram_api_url is not None:
            # With or without the /bot at the end, which the library wants.
            address = str(self._settings.telegram_api_url).rstrip("/").removesuffix("/bot")
            builder = builder.base_url(f"{address}/bot").base_file_url(f"{address}/file/bot")
        app = (
            builder.request(HTTPXRequest(connection_pool_size=64, read_timeout=15, pool_timeout=10))
            .get_updates_request(
                PollingRequest(self._queue.secure, self._heard, connection_pool_size=1)
            )
            .concurrent_updates(AT_ONCE)
            .job_queue(None)
            .build()
        )
        app.add_handler(TypeHandler(Update, self._handle))
        return app

    # ---------------------------------------------------------------- life

    async def start(self) -> None:
        """Connect; raises ``ChatError`` where the token or the webhook's port is refused."""
        self._connecting = asyncio.create_task(self._connect())
        tried = asyncio.create_task(self._tried.wait())
        await asyncio.wait(
            {self._connecting, tried}, timeout=FIRST_TRY, return_when=asyncio.FIRST_COMPLETED
        )
        tried.cancel()
        if self._connecting.done():
            self._connecting.result()

    async def _connect(self) -> None:
        """Connect, however often it takes; one line says that Telegram is out of reach."""
        failures = 0
        while not self._answers.closing.is_set():
            try:
                await self._connected()
            except InvalidToken:
                if self._tried.is_set():
                    log.error("%s", TokenRefused())
                    return
                raise TokenRefused from None
            except TelegramError as wrong:
                self._unheard(wrong)
                self._tried.set()
                wait = RECONNECT[min(failures, len(RECONNECT) - 1)]
                failures += 1
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._answers.closing.wait(), wait)
            else:
                self._open = True
                log.info("Telegram is connected as @%s", self._app.bot.username)
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
        default = self._house.manager.default_language
        try:
            await set_menus(self._app.bot, self._house.store, default)
        except (TelegramError, StorageError) as wrong:
            log.info("the menus of commands wait for the next start: %s", type(wrong).__name__)

    async def _listen(self) -> None:
        """Take updates by a webhook, behind a proxy on this machine that speaks TLS."""
        settings, updater = self._settings, self._app.updater
        if updater is None or settings.telegram_webhook_url is None:
            return
        # Tried first, since the server leaves a socket open that it could not bind.
        socket.create_server(("127.0.0.1", settings.telegram_webhook_port)).close()
        secret = settings.telegram_webhook_secret
        address = str(settings.telegram_webhook_url)
        await updater.start_webhook(
            listen="127.0.0.1",
            port=settings.telegram_webhook_port,
            url_path=urlsplit(address).path.strip("/"),
            webhook_url=address,
            secret_token=secret.get_secret_value() if secret else secrets.token_urlsafe(32),
            allowed_updates=UPDATES,
            bootstrap_retries=0,
        )

    def _unheard(self, wrong: TelegramError) -> None:
        """Say once that Telegram does not answer, or that another process takes our updates."""
        if self._silent:
            return
        self._silent = True
        if isinstance(wrong, Conflict):
            log.error("Another process asks Telegram for the updates of this token; stop it.")
        else:
            log.warning("Telegram cannot be reached (%s); trying again", type(wrong).__name__)

    def _heard(self, status: int) -> None:
        """Say once that the token is refused now, and that Telegram answers again."""
        if status == HTTPStatus.UNAUTHORIZED and not self._silent:
            self._silent = True
            log.error("%s", TokenRefused())
        elif status == HTTPStatus.OK and self._silent and self._open:
            self._silent = False
            log.info("Telegram answers again")

    async def stop(self) -> None:
        """Take no more updates, finish those taken, disconnect."""
        self._answers.closing.set()
        if self._connecting is not None:
            await asyncio.wait({self._connecting}, timeout=1.0)
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        self._open = False
        if self._app.updater is not None and self._app.updater.running:
            try:
                await self._app.updater.stop()
            except TelegramError as wrong:
                log.info("Telegram could not be told of the end: %s", type(wrong).__name__)
        if self._app.running:
            await self._app.stop()
        await self._answers.close()
        await self._app.shutdown()
        # An application that never reached Telegram leaves its connections open.
        await self._app.bot.shutdown()

    # ---------------------------------------------------------------- updates

    async def _handle(self, update: Update, _context: object) -> None:
        """Handle one update; what fails three times is set aside, and the others go on."""
        key = str(update.update_id)
        said = Toast(update.callback_query) if update.callback_query is not None else None
        while True:
            try:
                check_readable(update)
                async with self._one_by_one(update.effective_user):
                    if self._answers.closing.is_set():
                        # First at the next start: it is not settled, so it is written down.
                        if said is not None:
                            said.leave()
                        return
                    await self._handled(update, said)
                await self._settle(key)
            except StorageError as wrong:
                log.error("update %s stays for the next start: %s", key, wrong)
            except Exception:
                log.exception("update %s failed", key)
                if await self._failed(key):
                    continue
            break
        if said is not None:
            await said.say()

    async def _settle(self, key: str) -> None:
        """Note that an update is done, unless the change it made has done so.

        Where that cannot be noted the asker has heard so: it must not be done at the next start.
        """
        if self._queue.is_settled(key):
            return
        try:
            async with self._house.store.transaction() as tx:
                await inbox.finish(tx, PLATFORM, key, self._house.manager.now())
        except StorageError as wrong:
            log.error("update %s is done and cannot be noted as such: %s", key, wrong)
        self._queue.settled(key)

    async def _failed(self, key: str) -> bool:
        """Count a failure of an update; whether it should be tried again."""
        store, now = self._house.store, self._house.manager.now
        try:
            await self._queue.secure(grace=0.0)
            async with store.transaction() as tx:
                attempts = await inbox.failed(tx, PLATFORM, key, now())
                if attempts >= ATTEMPTS:
                    await inbox.set_aside(tx, PLATFORM, key, now())
        except (StorageError, NotWritten) as wrong:
            log.error("update %s stays for the next start: %s", key, wrong)
            return False
        if attempts >= ATTEMPTS:
            self._queue.settled(key)
            log.error("update %s failed %d times and is set aside", key, attempts)
            return False
        return attempts > 0

    def _one_by_one(self, user: User | None) -> asyncio.Lock:
        """The lock of a person: one who presses a hundred times waits for nobody but himself."""
        number = user.id if user is not None else 0
        lock = self._persons.get(number)
        if lock is None:
            lock = self._persons[number] = asyncio.Lock()
        return lock

    async def _handled(self, update: Update, said: Toast | None) -> None:
        if update.callback_query is not None and said is not None:
            await self._pressed(update, said)
        elif update.my_chat_member is not None:
            await self._arrivals.member(update.my_chat_member)
        elif update.message is not None:
            await self._spoken(update, update.message)

    async def _pressed(self, update: Update, said: Toast) -> None:
        query = update.callback_query
        self._remember(query.from_user if query is not None else None)
        press = press_of(update)
        if press is None:
            await said.say()
            return
        given = command_of(press.code)
        if given is not None:
            await said.say()
            call = Call(press.update, press.where, press.asker, *given)
            await self._call(call, press.message or "")
            return
        answer = await self._house.press(press)
        await self._answers.pressed(press, answer, said)

    async def _spoken(self, update: Update, message: Message) -> None:
        if message.migrate_to_chat_id is not None:
            await self._arrivals.moved(message.chat.id, message.migrate_to_chat_id)
            return
        call = call_of(update, Known(self._app.bot.username, self._handles))
        if call is None:
            return
        if not is_person(message):
            tongue = self._arrivals.tongue(None)
            reply = str(message.message_id)
            words = tongue.say(phrase("telegram.anonymous"))
            await self._answers.tell(call.where, words, reply_to=reply)
            return
        self._remember(message.from_user)
        await self._arrivals.asked_from(call.where)
        if call.name == START:
            await self._arrivals.greet(call.where, message.from_user)
            return
        await self._call(call, str(message.message_id))

    async def _call(self, call: Call, message: str) -> None:
        answer = await self._house.call(call)
        await self._answers.called(call, answer, message)

    def _remember(self, user: User | None) -> None:
        """Note who bears an @name, so that he may be challenged by it."""
        if user is None or not user.username or user.is_bot:
            return
        name = user.username.casefold()
        self._handles[name] = asker_of(user)
        self._handles.move_to_end(name)
        while len(self._handles) > HANDLES_KEPT:
            self._handles.popitem(last=False)

    # ---------------------------------------------------------------- the port

    def pace(self, where: Where) -> Pace:
        """Groups have negative ids; they are counted more strictly."""
        return GROUP if where.place.startswith("-") else PRIVATE

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* as a new message, or in place of the one there, text or picture."""
        self._check_open()
        if target.message is None:
            return Shown(await self._post.send(target.where, screen, picture), fresh=True)
        return await self._post.edit(target.where, target.message, screen, picture)

    async def ping(self, where: Where, people: Sequence[Asker], text: str) -> str | None:
        """Call *people* by a short message of its own: edits call nobody."""
        self._check_open()
        called = ", ".join(mention(person.external, person.name) for person in people)
        return await self._post.say(where, f"{called}: {sentence(text)}")

    async def remove(self, where: Where, message: str) -> None:
        """Remove a message of ours."""
        self._check_open()
        await self._post.remove(where, message)

    def _check_open(self) -> None:
        if not self._open:
            raise Later(RECONNECT[-1] / 3)
