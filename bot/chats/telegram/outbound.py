"""Messages out: screens, words, files and removals, in whatever place they belong."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from weakref import WeakValueDictionary

from cachetools import LRUCache
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    ReplyParameters,
    WebAppInfo,
)
from telegram.constants import ParseMode

from bot.chats.telegram.depths import Depths
from bot.chats.telegram.errors import (
    NoText,
    PictureForgotten,
    TopicGone,
    Unchanged,
    translating,
)
from bot.chats.telegram.reading import GREETING
from bot.chats.telegram.writing import (
    CAPTION,
    TEXT,
    body,
    keyboard,
    share_link,
    without_letters,
)
from bot.facade import NO_TABLE
from bot.port import Attachment, Button, ChatError, MessageGone, Screen, Shown, Where
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

PICTURES_KEPT = 2048
"""Of how many pictures we remember by which id Telegram has them."""

MESSAGES_KEPT = 4096
"""Of how many messages we remember which version of their table they show."""

Markup: TypeAlias = InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove
"""What may stand below our words: buttons, a keyboard of its own, or that this one goes."""

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


@dataclass
class Outbound:
    """Writes, edits and removes messages of ours; raises the errors of the port."""

    bot: Bot
    page: str = ""
    """The address of our page within Telegram, where there is one."""
    depths: Depths = field(default_factory=Depths)
    _pictures: LRUCache[str, str] = field(default_factory=lambda: LRUCache(PICTURES_KEPT))
    _versions: LRUCache[tuple[str, str], int] = field(
        default_factory=lambda: LRUCache(MESSAGES_KEPT)
    )
    _locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    # ---------------------------------------------------------------- screens

    async def send(
        self, where: Where, screen: Screen, picture: bytes | None, reply_to: str | None = None
    ) -> str:
        """Show *screen* as a new message; answers its id."""
        markup = self._keyboard(screen, where)
        if picture is None:
            words = body(screen, TEXT, self._link(screen))
            message = await self.say(where, words, reply_to=reply_to, markup=markup)
        else:
            words = body(screen, CAPTION, self._link(screen))
            message = await self.photo(
                where,
                picture,
                words,
                reply_to=reply_to,
                markup=markup,
                above=screen.scene is not None,
            )
        self._versions[where.place, message] = screen.version
        return message

    async def edit(
        self,
        where: Where,
        message: str,
        screen: Screen,
        picture: bytes | None,
        *,
        unless_newer: bool = False,
    ) -> Shown:
        """Show *screen* in place of what *message* shows; a text takes a picture, too.

        With *unless_newer* a board that shows a later version of the table stays.
        """
        async with self._lock(where, message):
            if unless_newer and self._newer(where, message, screen):
                return Shown(message)
            try:
                if picture is None:
                    await self._edit_text(where, message, screen)
                else:
                    await self._edit_photo(where, message, screen, picture)
            except Unchanged:
                pass
            except NoText:
                fresh = await self.send(where, screen, picture)
                await self.remove(where, message)
                return Shown(fresh, fresh=True, called=True)
            self._versions[where.place, message] = screen.version
        return Shown(message)

    async def rekey(self, where: Where, message: str, screen: Screen) -> bool:
        """Change the words and the buttons under a picture; False where a newer board is there.

        The picture stays, so buttons bear letters only where they are the letters on it.
        """
        chosen = screen.scene is not None and bool(screen.scene.path)
        rows = without_letters(screen.buttons) if chosen else screen.buttons
        async with self._lock(where, message):
            if self._newer(where, message, screen):
                return False
            with contextlib.suppress(Unchanged), translating():
                await self.bot.edit_message_caption(
                    chat_id=int(where.place),
                    message_id=int(message),
                    caption=body(screen, CAPTION, self._link(screen)),
                    parse_mode=ParseMode.HTML,
                    show_caption_above_media=True,
                    reply_markup=self._keyboard(screen, where, rows),
                )
        return True

    async def react(self, where: Where, message: str, emoji: str) -> None:
        """Put *emoji* on somebody's message, where the place lets us."""
        try:
            with translating():
                await self.bot.set_message_reaction(int(where.place), int(message), emoji)
        except ChatError as wrong:
            log.debug("no reaction: %s", wrong)

    def wrote(self, where: Where, message: str) -> bool:
        """Whether this process wrote *message* or edited it, as far as it remembers."""
        return (where.place, message) in self._versions

    async def _edit_text(self, where: Where, message: str, screen: Screen) -> None:
        with translating():
            await self.bot.edit_message_text(
                body(screen, TEXT, self._link(screen)),
                chat_id=int(where.place),
                message_id=int(message),
                parse_mode=ParseMode.HTML,
                link_preview_options=NO_PREVIEW,
                reply_markup=self._keyboard(screen, where),
            )

    async def _edit_photo(self, where: Where, message: str, screen: Screen, picture: bytes) -> None:
        words = body(screen, CAPTION, self._link(screen))
        for known in (self._pictures.get(_name(picture)), None):
            # Without a name it would be sent as application/octet-stream.
            media = InputMediaPhoto(
                known or picture,
                words,
                parse_mode=ParseMode.HTML,
                filename="board.png",
                show_caption_above_media=screen.scene is not None,
            )
            try:
                with translating():
                    edited = await self.bot.edit_message_media(
                        media,
                        chat_id=int(where.place),
                        message_id=int(message),
                        reply_markup=self._keyboard(screen, where),
                    )
            except PictureForgotten:
                if known is None:
                    raise
                self._pictures.pop(_name(picture), None)
                continue
            if isinstance(edited, Message):
                self._keep(picture, edited)
            return

    # ---------------------------------------------------------------- words and files

    async def say(
        self,
        where: Where,
        words: str,
        *,
        reply_to: str | None = None,
        markup: Markup | None = None,
        silent: bool = False,
    ) -> str:
        """Send *words*, which are HTML; answers the id of the message."""

        async def post(thread: int | None) -> Message:
            return await self.bot.send_message(
                int(where.place),
                words,
                parse_mode=ParseMode.HTML,
                message_thread_id=thread,
                link_preview_options=NO_PREVIEW,
                disable_notification=silent,
                reply_parameters=_reply(reply_to),
                reply_markup=markup,
            )

        return self._sent(where, await _posted(where, post))

    async def file(
        self, where: Where, file: Attachment, words: str, reply_to: str | None = None
    ) -> str:
        """Send *file* with *words*, which are HTML; answers the id of the message."""

        async def post(thread: int | None) -> Message:
            return await self.bot.send_document(
                int(where.place),
                InputFile(file.data, filename=file.name),
                caption=words or None,
                parse_mode=ParseMode.HTML,
                message_thread_id=thread,
                disable_content_type_detection=True,
                reply_parameters=_reply(reply_to),
            )

        return self._sent(where, await _posted(where, post))

    async def poster(
        self, where: Where, file: Attachment, words: str, reply_to: str | None = None
    ) -> str:
        """Send *file*, a film or a picture, with *words*, which are HTML; answers the id."""
        if not file.name.endswith(".gif"):
            return await self.photo(where, file.data, words, reply_to=reply_to)

        async def post(thread: int | None) -> Message:
            return await self.bot.send_animation(
                int(where.place),
                InputFile(file.data, filename=file.name),
                caption=words or None,
                parse_mode=ParseMode.HTML,
                message_thread_id=thread,
                reply_parameters=_reply(reply_to),
            )

        return self._sent(where, await _posted(where, post))

    async def photo(
        self,
        where: Where,
        picture: bytes,
        words: str = "",
        *,
        reply_to: str | None = None,
        markup: InlineKeyboardMarkup | None = None,
        above: bool = False,
    ) -> str:
        """Send *picture* with *words*, which are HTML; answers the id of the message.

        With *above* the words stand over the picture, so that a board touches its buttons.
        """
        known = self._pictures.get(_name(picture))

        async def post(thread: int | None) -> Message:
            return await self.bot.send_photo(
                int(where.place),
                known or InputFile(picture, filename="board.png"),
                caption=words or None,
                parse_mode=ParseMode.HTML,
                message_thread_id=thread,
                reply_parameters=_reply(reply_to),
                reply_markup=markup,
                show_caption_above_media=above,
            )

        try:
            sent = await _posted(where, post)
        except PictureForgotten:
            if known is None:
                raise
            known = None
            sent = await _posted(where, post)
        self._keep(picture, sent)
        return self._sent(where, sent)

    async def remove(self, where: Where, message: str) -> None:
        """Remove *message*; one that is too old for that loses at least its buttons."""
        place, number = int(where.place), int(message)
        try:
            with translating():
                await self.bot.delete_message(place, number)
            self.depths.removed(where.place, number)
        except MessageGone as gone:
            if "not found" in str(gone):
                return
            try:
                with translating():
                    await self.bot.edit_message_reply_markup(
                        chat_id=place, message_id=number, reply_markup=None
                    )
            except (MessageGone, Unchanged):
                return

    def link(self, payload: str) -> str:
        """The address that opens the private chat with us and gives us *payload*."""
        return f"https://t.me/{self.bot.username}?start={payload}"

    def group_link(self) -> str:
        """The address by which somebody adds us to a group of his, where we greet."""
        return f"https://t.me/{self.bot.username}?startgroup={GREETING}"

    # ---------------------------------------------------------------- what is remembered

    def _link(self, screen: Screen) -> str | None:
        """Where the code of a table leads that others may join from elsewhere."""
        if screen.table == NO_TABLE or screen.scene is not None:
            return None
        return self.link(screen.table)

    def _keyboard(
        self, screen: Screen, where: Where, buttons: Sequence[Sequence[Button]] | None = None
    ) -> InlineKeyboardMarkup | None:
        """The *buttons* of *screen*, all of them for none; below them those that lead elsewhere."""
        markup = keyboard(screen.buttons if buttons is None else buttons)
        say = language(screen.language).say
        rows = list(markup.inline_keyboard) if markup is not None else []
        if screen.invitation:
            link = share_link(self.link(screen.table), screen.invitation)
            rows.append((InlineKeyboardButton(say(phrase("telegram.button.send")), url=link),))
        if self.page and screen.scene is not None and screen.table != NO_TABLE:
            said = say(phrase("telegram.button.page"))
            if where.private:
                app = WebAppInfo(f"{self.page}?table={screen.table}")
                rows.append((InlineKeyboardButton(said, web_app=app),))
            elif self.bot.bot.has_main_web_app:
                # In groups Telegram takes no button of an app, but a link to the main one.
                link = f"https://t.me/{self.bot.username}?startapp={screen.table}"
                rows.append((InlineKeyboardButton(said, url=link),))
        return InlineKeyboardMarkup(rows) if rows else None

    def _lock(self, where: Where, message: str) -> asyncio.Lock:
        return self._locks.setdefault((where.place, message), asyncio.Lock())

    def _newer(self, where: Where, message: str, screen: Screen) -> bool:
        """Whether *message* shows a later version of the table than *screen*."""
        return self._versions.get((where.place, message), 0) > screen.version

    def _sent(self, where: Where, message: Message) -> str:
        """The id of *message*, which is the newest in *where*."""
        self.depths.seen(where.place, message.message_id)
        return str(message.message_id)

    def _keep(self, picture: bytes, shown: Message) -> None:
        if shown.photo:
            self._pictures[_name(picture)] = shown.photo[-1].file_id


def _name(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()


async def _posted(where: Where, post: Callable[[int | None], Awaitable[Message]]) -> Message:
    """What *post* posts in the topic of *where* or, if that is gone, beside all topics."""
    if where.thread is not None:
        with contextlib.suppress(TopicGone), translating():
            return await post(int(where.thread))
    with translating():
        return await post(None)


def _reply(message: str | None) -> ReplyParameters | None:
    if message is None:
        return None
    return ReplyParameters(int(message), allow_sending_without_reply=True)
