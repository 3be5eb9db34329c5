"""Telegram's errors as the errors of the port."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from bot.chats.telegram.message_formatting import Key
from bot.port import (
    ChatError,
    FileTooLarge,
    Later,
    MessageGone,
    MessageStuck,
    NotTaken,
    PlaceMoved,
    PlaceShut,
    ThreadShut,
)

MARGIN = 0.5
"""Seconds added to the wait that Telegram asks for: its clock is not ours."""

_GONE = (
    *("message to (edit|delete) not found", "message can't be (edited|deleted)"),
    *("message_id_invalid", "message identifier is not specified"),
)
_MEDIA = r"not enough rights to send (?!text)|chat_send_(?!plain)\w+_forbidden"
"""How a kind of message is refused that is no text (tdlib, MessageContent.cpp and
https://core.telegram.org/method/messages.sendMedia)."""

_UNFIT = r"photo_|image_|media_|video_|document_|file_part|wrong (file|type)|failed to upload"
"""How one picture or file is refused (https://core.telegram.org/method/messages.sendMedia)."""

_PICTURE = ("file identifier", "file_id", "file reference", "url content", "webpage", "web page")
"""How a picture is refused that Telegram does not know, or cannot fetch at its address."""

_ANNOUNCED = ("kicked", "blocked", "not a member")
"""Why a place shuts us out where Telegram tells of it, and of the end as well."""

_SHUT = (
    *("chat not found", "peer_id_invalid", "user is deactivated", "group chat was deactivated"),
    *("not enough rights|need administrator rights", "have no (rights|write access)"),
    *("chat_(write|send_plain|guest_send)_forbidden", "chat_(restricted|admin_required)"),
    "bot is not a member",
)


class TokenRefused(ChatError):
    """Telegram does not know the token."""

    def __init__(self) -> None:
        super().__init__("Telegram refuses the token of TELEGRAM_TOKEN: ask @BotFather for one.")


class WebhookRefused(ChatError):
    """Telegram refuses the address of the webhook."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Telegram refuses the address of TELEGRAM_WEBHOOK_URL: {why}")


class TopicGone(ChatError):
    """The topic was deleted, or the chat is a forum no longer."""


class PictureForgotten(ChatError):
    """Telegram no longer knows the id of a picture: it must be sent again."""


class NoCaption(ChatError):
    """The message is one of words, and not a picture with words below it."""


class MediaRefused(NotTaken):
    """This picture, film or file is not taken, or not just now; words may be."""


class MediaForbidden(MediaRefused):
    """Pictures, films or files may not be sent here, while words may."""


class Unchanged(ChatError):
    """The message shows this already."""


_MEANINGS: Mapping[str, type[ChatError]] = {
    "message is not modified": Unchanged,
    # It is a picture: words alone cannot take its place.
    "there is no text in the message": MessageStuck,
    "there is no caption in the message": NoCaption,
    "file is too big": FileTooLarge,  # for getFile, above 20 MB
    "thread not found": TopicGone,
    "topic_closed": ThreadShut,
    "|".join(_PICTURE): PictureForgotten,
    _MEDIA: MediaForbidden,
    _UNFIT: MediaRefused,
    "|".join(_GONE): MessageGone,
    "|".join(_SHUT): PlaceShut,
}
"""What a refusal means, by words of it; the first that fit."""


def translate(wrong: TelegramError) -> ChatError:
    """The error of the port for *wrong*, without the token."""
    match wrong:
        case RetryAfter():
            wait = wrong.retry_after
            seconds = wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
            return Later(seconds + MARGIN)
        case ChatMigrated():
            return PlaceMoved(str(wrong.new_chat_id))
        case InvalidToken():
            return TokenRefused()
        case Forbidden():
            # Telegram tells by ``my_chat_member`` when it is one of these that is over.
            told = any(words in wrong.message.casefold() for words in _ANNOUNCED)
            return PlaceShut(wrong.message, announced=told)
        case BadRequest():
            return _bad_request(wrong.message)
    # The words of other errors may show an address, and so the token.
    return ChatError(type(wrong).__name__)


def _bad_request(message: str) -> ChatError:
    said = message.casefold()
    if "text buttons are unallowed" in said:
        # The server is older than keys that do nothing: the next attempt has none.
        Key.disables = False
    found = (meaning for words, meaning in _MEANINGS.items() if re.search(words, said))
    return next(found, NotTaken)(message)


@contextmanager
def translating() -> Iterator[None]:
    """Raise Telegram's errors in the block as errors of the port."""
    try:
        yield
    except TelegramError as wrong:
        raise translate(wrong) from wrong
