"""Answers as ephemeral messages: words, buttons, a picture or a file."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.chats.telegram.ephemeral_messages import EDITED, Content
from bot.chats.telegram.ephemeral_registry import EphemeralMessage
from bot.chats.telegram.message_formatting import CAPTION, TEXT, TOAST, linked, sentence, units
from bot.chats.telegram.paced_messages import Posting
from bot.port import (
    Answer,
    Asker,
    Card,
    FileAnswer,
    MenuAnswer,
    PrivateRefusal,
    Said,
    Screen,
    Where,
)
from games.core import phrase


@dataclass(frozen=True)
class EphemeralContents:
    """Makes messages of answers."""

    posting: Posting

    async def of(self, where: Where, asker: Asker, answer: Answer) -> Content | None:
        """*answer* as a message to *asker* in *where*, ``None`` where a toast holds it."""
        match answer:
            case Card(screen, picture) | MenuAnswer(screen, picture):
                return await self._screen(where, screen, picture)
            case FileAnswer(words, file):
                return Content(sentence(words, CAPTION), file=file)
            case PrivateRefusal(said, payload):
                return Content(sentence(said), await self._link(where, asker, payload))
            case Said() if units(answer.said) > TOAST:
                return self.words(answer)
            case _:
                return None

    @staticmethod
    def words(answer: Answer) -> Content:
        """The words of *answer* alone."""
        links = answer.links if isinstance(answer, Said) else ()
        return Content(linked(answer.said, links) if links else sentence(answer.said))

    async def _screen(self, where: Where, screen: Screen, picture: bytes | None) -> Content:
        length = units(screen.headline) + 1 + units("\n".join(screen.lines))
        if length > CAPTION:
            # The words tell what a figure shows.
            picture = None
        elif picture is None and screen.scene is not None:
            picture = await self.posting.facade.picture(screen.scene)
        outbound = self.posting.outbound
        words = outbound.words(screen, TEXT if length > EDITED else CAPTION)
        return Content(words, outbound.markup(screen, where), picture)

    async def _link(self, where: Where, asker: Asker, payload: str) -> InlineKeyboardMarkup:
        """A button that leads to *payload* in the private chat."""
        tongue, link = await self.posting.tongue(asker, where), self.posting.outbound.link(payload)
        said = tongue.say(phrase("telegram.button.private"))
        return InlineKeyboardMarkup([[InlineKeyboardButton(said, url=link)]])


def fits(shown: EphemeralMessage, content: Content) -> bool:
    """Whether *content* can be shown in place of the message *shown*."""
    if content.file is not None:
        return False
    if content.picture is not None:
        return True
    # The words of a board may change below its picture; other pictures belong to their words.
    return shown.board if shown.pictured else units(content.words) <= EDITED
