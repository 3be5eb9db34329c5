"""Telegram as a chat: its connection, and what it is asked to show."""

from __future__ import annotations

import asyncio
import logging
import time
from http import HTTPStatus
from time import monotonic
from typing import Any, Protocol

from pydantic import AnyHttpUrl, SecretStr
from telegram import Update
from telegram.error import BadRequest, Conflict, InvalidToken, TelegramError, TimedOut
from telegram.ext import Application, ApplicationBuilder, TypeHandler

from bot.chats.telegram.answers import Answers
from bot.chats.telegram.boards_sent_twice import mark, remove_repeated
from bot.chats.telegram.bot_profile import set_profile
from bot.chats.telegram.errors import TokenRefused, WebhookRefused, translating
from bot.chats.telegram.inbound import Inbound
from bot.chats.telegram.membership import Membership, is_out
from bot.chats.telegram.message_formatting import keyboard, mention_links, sentence
from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.paced_messages import LISTS
from bot.chats.telegram.photo_permission import PhotoPermissions
from bot.chats.telegram.reading import PLATFORM, chat_with
from bot.chats.telegram.standings import Standings
from bot.chats.telegram.topic_creation import Topics
from bot.chats.telegram.update_queue import PollingRequest, ReceiptQueue
from bot.chats.telegram.webhook import Webhook
from bot.chats.telegram.wire import CONNECTIONS, Wire
from bot.facade import Facade, StorageError, log_unstored, wait_until_set
from bot.port import (
    Asker,
    Capabilities,
    Chat,
    ChatError,
    FileTooLarge,
    Later,
    Pace,
    Ping,
    PlaceShut,
    PlaceStanding,
    PublicAddress,
    Screen,
    Shown,
    Skips,
    Space,
    Stumbled,
    Target,
    ThreadShut,
    Upload,
    Where,
)

log = logging.getLogger(__name__)

UPDATES = (
    *("message", "edited_message", "callback_query", "my_chat_member"),
    *("inline_query", "chosen_inline_result", "guest_message"),
)
"""The updates that we ask for."""

GROUP = Pace(18, 60.0, burst=4)
"""Telegram takes about 20 calls a minute in a group, edits included (tdlib/td#3034), and about
one a second in any chat. A few are left, since calls that are sent apart may arrive together."""

PRIVATE = Pace(55, 60.0, burst=4)
"""Telegram takes about one call a second in a private chat, with short bursts."""

UNASKED, WATCH = 120.0, 15.0
"""Seconds without a request for updates after which the library has stopped asking, and between
two checks of that. Requests last ten seconds, and are thirty apart if Telegram is not reached."""

FIRST_TRY, RECONNECT = 10.0, (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds for which the start waits for Telegram, and between attempts; the last one repeats."""

AT_ONCE = 1024
"""Updates that are handled at once; those of one person wait for each other."""


class TelegramSettings(Protocol):
    """The settings of the program for Telegram."""

    telegram_token: SecretStr | None
    telegram_api_url: AnyHttpUrl | None
    telegram_webhook_url: AnyHttpUrl | None
    telegram_webhook_port: int
    telegram_webhook_secret: SecretStr | None
    telegram_store_chat: int | None

    @property
    def webhook_host(self) -> str:
        """The address to listen on for a webhook: loopback, or where trusted proxies reach us."""

    @property
    def public_origin(self) -> str:
        """The address of our page for everybody; "" if only this machine reaches it."""


class TelegramChat(Chat):
    """The bot in Telegram; if that cannot be reached, it goes on trying in the background."""

    platform = PLATFORM
    capabilities = Capabilities(
        Space(48, 8, even=True), picks_people=True, cheers=True, whole_moves=40
    )

    def __init__(self, facade: Facade, settings: TelegramSettings) -> None:
        if settings.telegram_token is None:
            raise TokenRefused
        self._facade = facade
        self._settings = settings
        hooked = settings.telegram_webhook_url is not None
        self._queue = ReceiptQueue(facade.notes.receipts(PLATFORM), at_once=hooked)
        self._polling = PollingRequest(self._queue, self._log_answer)
        self._app = self._build(settings.telegram_token.get_secret_value())
        self._polling.bot = self._app.bot
        page = f"{settings.public_origin}/m/" if settings.public_origin else ""
        self._outbound = Outbound(self._app.bot, page)
        boards = facade.boards
        self._outbound.store = settings.telegram_store_chat
        if origin := settings.public_origin:
            to_page = boards.address_of_shown
            self._outbound.shown_address = lambda *shown: f"{origin}{to_page(*shown)}"
        self._answers = Answers(facade, self._outbound)
        photos = PhotoPermissions(facade.notes, boards.places, self._outbound, self._answers.tasks)
        self._photo_permissions = photos
        self._outbound.when_forbidden = photos.forbid
        self._inbound = Inbound(self._queue, self._answers, Membership(self._answers, photos))
        self._queue.admits = self._inbound.admits
        self._app.add_handler(TypeHandler(Update, self._inbound.handle))
        self._connecting: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self._taken_up = False
        self._open = False
        self._silent = False
        self._hooked = hooked
        self._standings = Standings(self._app.bot)
        self._topics = Topics(self._app.bot, facade.notes)
        self._watching: asyncio.Task[None] | None = None
        self._webhook: Webhook | None = None

    def _build(self, token: str) -> Application[Any, Any, Any, Any, Any, Any]:
        builder = ApplicationBuilder().token(token).update_queue(self._queue)
        if self._settings.telegram_api_url is not None:
            # The setting may end in /bot, which the library wants.
            address = str(self._settings.telegram_api_url).rstrip("/").removesuffix("/bot")
            builder = builder.base_url(f"{address}/bot").base_file_url(f"{address}/file/bot")
        return (
            builder.request(Wire(CONNECTIONS, reading=15))
            .get_updates_request(self._polling)
            .concurrent_updates(AT_ONCE)
            .job_queue(None)
            .build()
        )

    async def start(self) -> None:
        """Connect; raises ``ChatError`` if the token or the webhook is refused."""
        self._connecting = asyncio.create_task(self._connect())
        self._connecting.add_done_callback(lambda _: self._tried.set())
        await wait_until_set(self._tried, FIRST_TRY)
        if self._connecting.done():
            self._connecting.result()

    def public_address(self) -> PublicAddress:
        """The bot's name and link, once Telegram has told them."""
        if not self._open:
            return PublicAddress()
        name = self._app.bot.username
        return PublicAddress(f"@{name}", f"https://t.me/{name}")

    async def _connect(self) -> None:
        failures = 0
        while not self._answers.closing.is_set():
            try:
                await self._after_connect()
            except (InvalidToken, WebhookRefused) as wrong:
                refused = wrong if isinstance(wrong, WebhookRefused) else TokenRefused()
                if self._tried.is_set():
                    log.error("%s", refused)
                    return
                raise refused from None
            except TelegramError as wrong:
                self._log_silence(wrong)
                self._tried.set()
                wait = RECONNECT[min(failures, len(RECONNECT) - 1)]
                failures += 1
                await self._answers.posting.pause(wait)
            else:
                self._open, self._polling.asked = True, monotonic()
                if not self._hooked:
                    self._watching = asyncio.create_task(self._watch())
                link = f"https://t.me/{self._app.bot.username}"
                log.info("Telegram is connected as @%s", self._app.bot.username)
                log.info("Write to the bot: %s; add it to a group: %s?startgroup=play", link, link)
                self._tried.set()
                return

    async def _after_connect(self) -> None:
        app = self._app
        await app.initialize()
        if not app.running:
            await app.start()
        if not self._taken_up:
            # What was received before and never settled comes first.
            count = await self._queue.take_up(app.bot)
            self._taken_up = True
            if count:
                log.info("%d updates of the last run are handled now", count)
            await self._answers.fleeting.take_up()
            await self._answers.cards.take_up()
            with log_unstored():
                await self._photo_permissions.take_up()
                await self._topics.take_up()
            await self._answers.own.registry.take_up()
        try:
            notes, default = self._facade.notes, self._facade.requests.default_language
            await set_profile(app.bot, notes, default, self._outbound.page)
        except (TelegramError, StorageError) as wrong:
            log.info("the menus and the page wait for the next start: %s", type(wrong).__name__)
        address, updater = self._settings.telegram_webhook_url, app.updater
        if address is not None and self._webhook is None:
            await self._listen(str(address))
        elif address is None and updater is not None and not updater.running:
            await updater.start_polling(
                allowed_updates=UPDATES, bootstrap_retries=0, error_callback=self._log_silence
            )

    async def _listen(self, address: str) -> None:
        """Take updates by a webhook at *address*."""
        host, port = self._settings.webhook_host, self._settings.telegram_webhook_port
        secret, bot = self._settings.telegram_webhook_secret, self._app.bot
        webhook = Webhook(bot, self._queue, address, secret.get_secret_value() if secret else "")
        try:
            await webhook.listen(host, port)
            await bot.set_webhook(address, allowed_updates=UPDATES, secret_token=webhook.secret)
            self._webhook = webhook
        except BadRequest as wrong:
            raise WebhookRefused(wrong.message) from None
        except OSError as wrong:
            raise ChatError(f"The port {port} cannot be listened on: {wrong.strerror}.") from None
        finally:
            if self._webhook is None:
                await webhook.close()

    def _log_silence(self, wrong: TelegramError) -> None:
        """Log once that Telegram does not answer, or that another process takes our updates."""
        if self._silent:
            return
        self._silent = True
        if isinstance(wrong, Conflict):
            log.error("Another process asks Telegram for the updates of this token; stop it.")
        else:
            log.warning("Telegram cannot be reached (%s); trying again", type(wrong).__name__)

    async def _watch(self) -> None:
        # Time is awaited here, not an event.
        while self.is_connected() or monotonic() - self._polling.asked < UNASKED:  # noqa: ASYNC110
            await asyncio.sleep(WATCH)
        self._facade.failures.put_nowait(Stumbled("Nobody asks Telegram for updates any more."))

    def is_connected(self) -> bool:
        """Whether Telegram answers, and is asked for updates or calls our webhook."""
        if not self._open or self._silent:
            return False
        return self._hooked or monotonic() - self._polling.asked < UNASKED

    def _log_answer(self, status: int) -> None:
        """Log once that the token is refused now, or that Telegram answers again."""
        if status == HTTPStatus.UNAUTHORIZED and not self._silent:
            self._silent = True
            log.error("%s", TokenRefused())
        elif status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.GATEWAY_TIMEOUT):
            self._log_silence(TimedOut(HTTPStatus(status).phrase))
        elif status == HTTPStatus.OK and self._silent and self._open:
            self._silent = False
            log.info("Telegram answers again")

    async def rest(self) -> None:
        """Take no more updates, and finish those that were taken."""
        self._answers.closing.set()
        self._photo_permissions.close()
        if self._watching is not None:
            self._watching.cancel()
        if self._connecting is not None:
            await asyncio.wait({self._connecting}, timeout=1.0)
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        if self._webhook is not None:
            await self._webhook.close()
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

    def pace(self, where: Where) -> Pace:
        """Telegram is stricter with groups, which have negative ids."""
        return GROUP if where.place.startswith("-") else PRIVATE

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* as a new message, or in place of the target's."""
        await self._wait_for_connection()
        screen = self._answers.cards.name_board(screen, target.where, target.message)
        try:
            edited = target.message or target.where.lone
            if edited is None:
                there = await self._topics.of_table(target.where, screen)
                message = await self._outbound.send(there, screen, picture)
                self._answers.commands.serve(target.where, None)
                return Shown(message, fresh=True, called=True)
            shown = await self._outbound.edit(target.where, edited, screen, picture)
        except (PlaceShut, ThreadShut):
            if target.message is None:
                self._answers.commands.shut_out(target.where)
            raise
        except Later as later:
            self._answers.commands.held_up(target.where, later.seconds)
            raise
        if screen.over and screen.scene is None and not screen.buttons and not target.where.private:
            # An invitation that has come to nothing is no board.
            await self._answers.fleeting.note(target.where, shown.message, LISTS)
        return shown

    def newest(self, where: Where, board: str | None) -> str | None:
        """The newest message known in *where*, and the time: no repeated posting is known."""
        return mark(max(self._outbound.depths.newest(where.place), int(board or 0)), time.time())

    async def remove_repeated(self, where: Where, after: str, before: str, skips: Skips) -> None:
        """Remove boards between *after* and *before* that were sent and never noted."""
        await self._wait_for_connection()
        await remove_repeated(self._outbound, self._outbound.depths, where, after, before, skips)

    async def ping(self, where: Where, ping: Ping) -> str | None:
        """Mention whom *ping* calls in a new message that answers its board: edits call nobody."""
        await self._wait_for_connection()
        words = sentence(ping.text)
        alone = words[:1].upper() + words[1:]
        if where.lone is not None:
            # Nobody is called there: whoever has a chat with us is called in that.
            for home in map(chat_with, ping.people):
                if await self._facade.boards.places.is_open(home):
                    await self._outbound.say(home, alone)
            return None
        # Every message in a private chat notifies its owner.
        called = alone if where.private else mention_links(ping.people) + words
        apart = where.private and self._app.bot.bot.has_topics_enabled
        board = None if apart else ping.board  # in its topic, where a reply would stand
        markup = None if ping.key is None else keyboard([[ping.key]])
        return await self._outbound.say(where, called, reply_to=board, markup=markup, calls=True)

    async def forget(self, external: str) -> None:
        """Drop what waits of a person, and remove what stands for them alone in groups."""
        await self._inbound.forget(external)
        await self._answers.fleeting.forget(external)
        await self._answers.cards.forget(external)
        await self._answers.own.forget(external)
        await self._topics.forget(external)
        self._standings.forget(external)

    async def is_buried(self, where: Where, message: str, posted: float | None) -> bool:
        """Whether *message* lies too far up in *where*, or is too old."""
        if where.lone is not None:
            return False
        return self._outbound.depths.is_buried(where.place, int(message), posted)

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        """Whether *asker* manages the group *where*, as remembered for a while."""
        if not where.place.startswith("-"):
            return PlaceStanding()
        await self._wait_for_connection()
        return await self._standings.of(where, asker)

    async def has_left(self, where: Where, person: Asker) -> bool:
        """Whether *person* has left the group *where*; Telegram does not tell every bot."""
        if not where.place.startswith("-"):
            return False
        await self._wait_for_connection()
        try:
            with translating():
                member = await self._app.bot.get_chat_member(int(where.place), int(person.external))
        except ChatError as wrong:
            raise ChatError(f"nobody knows who is in a group: {wrong}") from None
        return is_out(member)

    async def may_part(self, where: Where) -> bool:
        """Whether *where* is a forum whose topics the bot manages."""
        await self._wait_for_connection()
        return await self._topics.may_make(where)

    async def part(self, where: Where, name: str) -> Where:
        """Open a topic called *name* in the forum *where*."""
        await self._wait_for_connection()
        return await self._topics.make(where, name)

    async def keep(self, where: Where, *, played: bool) -> None:
        """Remove the topic *where*, unless it is *played* in: no table came to stand there."""
        await self._wait_for_connection()
        if not played:
            await self._topics.remove(where)

    def link(self, where: Where, message: str = "") -> str:
        """The address of *message* in a supergroup, for its members."""
        return self._outbound.address(where, message)

    async def fetch(self, upload: Upload, most: int) -> bytes:
        """The file that somebody has sent."""
        await self._wait_for_connection()
        with translating():
            file = await self._app.bot.get_file(upload.key)
            if (file.file_size or 0) > most:
                raise FileTooLarge
            return bytes(await file.download_as_bytearray())

    async def remove(self, where: Where, message: str) -> None:
        """Remove a message of ours."""
        await self._wait_for_connection()
        await self._outbound.remove(where, message)

    async def _wait_for_connection(self) -> None:
        """Wait for the first attempt to connect; raises ``Later`` if it failed."""
        if not self._open and self._connecting is not None:
            await wait_until_set(self._tried, FIRST_TRY)
        if not self._open:
            raise Later(RECONNECT[-1] / 3)
