"""Ephemeral messages: sent, edited and removed in a group, for one person's eyes (Bot API 10.3).

The library does not know them: what is theirs travels as ``api_kwargs``. A server that does not
know them either ignores those and shows the message to all. So a process tries one without
words first, and sends none where that was public.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from telegram import InlineKeyboardMarkup, InputFile, InputMediaPhoto, Message
from telegram.constants import ParseMode

from bot.chats.telegram.errors import PictureForgotten, Unchanged, translating
from bot.chats.telegram.outbound import NO_PREVIEW, Outbound
from bot.chats.telegram.reading import EPHEMERAL, ephemeral_id
from bot.port import Attachment, MessageGone, Where

log = logging.getLogger(__name__)

EDITED = 1024
"""Units of a text that takes the place of another (telegram-bot-api#881)."""

TRIAL = "…"
"""What the first ephemeral message of a process says."""

Photo: TypeAlias = str | InputFile


@dataclass(frozen=True)
class Occasion:
    """Why we may write to *receiver* alone in *where*, within fifteen seconds.

    They pressed a button, by the *query*, or wrote the ephemeral message *reply_to*. *covers* says
    that ours stands in place of the message that was pressed.
    """

    where: Where
    receiver: str
    query: str = ""
    reply_to: str = ""
    covers: bool = False

    def parameters(self) -> dict[str, Any]:
        """What a method that sends is told besides its own parameters."""
        told: dict[str, Any] = {"receiver_user_id": int(self.receiver)}
        if self.query:
            told["callback_query_id"] = self.query
        if self.covers:
            told["replace_callback_query_message"] = True
        found: dict[str, Any] = {"ephemeral_message_parameters": told}
        if self.reply_to:
            number = int(self.reply_to.removeprefix(EPHEMERAL))
            found["reply_parameters"] = {"ephemeral_message_id": number}
        if (self.where.thread or "").isdecimal() and not self.covers:
            found["message_thread_id"] = int(self.where.thread or 0)
        return found


@dataclass(frozen=True)
class Content:
    """What a message shows: *words* as HTML, buttons, and a *picture* below them or a *file*."""

    words: str
    markup: InlineKeyboardMarkup | None = None
    picture: bytes | None = None
    file: Attachment | None = None


@dataclass
class EphemeralMessages:
    """The calls for ephemeral messages; they raise the errors of the port.

    None may be sent before ``tried`` has found that the server knows them.
    """

    outbound: Outbound
    known: bool | None = None
    """Whether the server knows them; ``None`` before the first."""

    async def send(self, occasion: Occasion, content: Content) -> str:
        """Send *content*; returns its id, which begins with ``EPHEMERAL``."""
        message = await self._sent(int(occasion.where.place), content, occasion.parameters())
        return f"{EPHEMERAL}{ephemeral_id(message)}"

    async def tried(self, occasion: Occasion) -> bool:
        """Learn from a message that holds nothing whether the server knows them."""
        apart = replace(occasion, covers=False)
        place = int(occasion.where.place)
        message = await self._sent(place, Content(TRIAL), apart.parameters())
        number = ephemeral_id(message)
        self.known = number is not None
        if number is not None:
            shown = f"{EPHEMERAL}{number}"
            await self.remove(occasion.where, occasion.receiver, shown)
            return True
        log.warning("This server of the Bot API knows no ephemeral messages; none are sent.")
        await self.outbound.remove(occasion.where, str(message.message_id))
        return False

    async def _sent(self, place: int, content: Content, told: dict[str, Any]) -> Message:
        bot = self.outbound.bot
        if content.picture is not None:
            picture = content.picture

            async def photo(one: Photo) -> Message:
                return await bot.send_photo(
                    place,
                    one,
                    caption=content.words,
                    parse_mode=ParseMode.HTML,
                    show_caption_above_media=True,
                    reply_markup=content.markup,
                    api_kwargs=told,
                )

            return await self._pictured(picture, photo)
        with translating():
            if content.file is not None:
                return await bot.send_document(
                    place,
                    InputFile(content.file.data, filename=content.file.name),
                    caption=content.words,
                    parse_mode=ParseMode.HTML,
                    disable_content_type_detection=True,
                    reply_markup=content.markup,
                    api_kwargs=told,
                )
            return await bot.send_message(
                place,
                content.words,
                parse_mode=ParseMode.HTML,
                link_preview_options=NO_PREVIEW,
                reply_markup=content.markup,
                api_kwargs=told,
            )

    async def _pictured(
        self, picture: bytes, show: Callable[[Photo], Awaitable[Message]]
    ) -> Message:
        """*show* the picture by its id where Telegram has it, else upload it."""
        whole = InputFile(picture, filename="board.png")
        known = self.outbound.picture_id(picture)
        try:
            with translating():
                message = await show(known or whole)
        except PictureForgotten:
            if known is None:
                raise
            with translating():
                message = await show(whole)
        self.outbound.remember(picture, message)
        return message

    async def edit(self, where: Where, receiver: str, message: str, content: Content) -> None:
        """Show *content*, which has a picture or is words alone as before, in place of *message*.

        Words alone are at most ``EDITED`` units. Raises ``MessageGone`` where the server has it
        no more.
        """
        named = _named(where, receiver, message)
        try:
            if content.picture is None:
                await self._call(
                    "editEphemeralMessageText",
                    text=content.words,
                    parse_mode=ParseMode.HTML,
                    link_preview_options=NO_PREVIEW,
                    reply_markup=content.markup,
                    **named,
                )
                return
            known = self.outbound.picture_id(content.picture)
            for photo in (known, content.picture) if known else (content.picture,):
                media = InputMediaPhoto(
                    photo,
                    content.words,
                    parse_mode=ParseMode.HTML,
                    filename="board.png",
                    show_caption_above_media=True,
                )
                try:
                    await self._call(
                        "editEphemeralMessageMedia",
                        media=media,
                        reply_markup=content.markup,
                        **named,
                    )
                    return
                except PictureForgotten:
                    if photo is content.picture:
                        raise
        except Unchanged:
            return

    async def recaption(self, where: Where, receiver: str, message: str, content: Content) -> None:
        """Change the words and the buttons of a picture."""
        try:
            await self._call(
                "editEphemeralMessageCaption",
                caption=content.words,
                parse_mode=ParseMode.HTML,
                show_caption_above_media=True,
                reply_markup=content.markup,
                **_named(where, receiver, message),
            )
        except Unchanged:
            return

    async def remove(self, where: Where, receiver: str, message: str) -> None:
        """Remove *message*; one that is gone already is no error."""
        try:
            await self._call("deleteEphemeralMessage", **_named(where, receiver, message))
        except MessageGone:
            return

    async def _call(self, method: str, **told: Any) -> None:
        with translating():
            asked = {key: value for key, value in told.items() if value is not None}
            await self.outbound.bot.do_api_request(method, api_kwargs=asked)


def _named(where: Where, receiver: str, message: str) -> dict[str, int]:
    """How a method is told which *message* is meant."""
    return {
        "chat_id": int(where.place),
        "receiver_user_id": int(receiver),
        "ephemeral_message_id": int(message.removeprefix(EPHEMERAL)),
    }
