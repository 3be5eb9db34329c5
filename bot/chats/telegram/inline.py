"""Invitations into any chat: what ``@bot`` and a few letters offer wherever somebody writes.

What is sent has no living board, since nothing can be uploaded into it; its button leads into the
private chat, where the table is opened by whoever presses it first. So nobody need tell us what was
chosen, and nothing is kept of what was typed.
"""

from __future__ import annotations

import logging

from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQuery,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
)
from telegram.constants import ParseMode
from telegram.error import TelegramError

from bot.chats.telegram.outbound import NO_PREVIEW, Outbound
from bot.chats.telegram.reading import GREETING, PLATFORM, asker_of, payload_of
from bot.chats.telegram.writing import html_escaped
from bot.facade import Facade
from bot.port import ShareableInvitation, Where
from games.core import phrase

log = logging.getLogger(__name__)

CACHED = 10
"""For how many seconds Telegram may repeat an answer: each invitation is a table of its own."""

LONGEST = 60
"""How many letters may be typed of a game."""


async def offer(house: Facade, outbound: Outbound, query: InlineQuery) -> None:
    """Answer *query* with an invitation to each game that fits; it is no worse for being lost.

    Who has never opened the private chat is led there first: his board will stand in it.
    """
    asker = asker_of(query.from_user)
    home = Where(PLATFORM, asker.external, private=True)
    try:
        button, cards = None, []
        if await house.places.opened(home):
            offers = await house.offers(asker, home, query.query[:LONGEST])
            cards = [card for one in offers if (card := _card(outbound, one)) is not None]
        else:
            words = house.tongue(asker.language).say(phrase("telegram.inline.open"))
            button = InlineQueryResultsButton(words, start_parameter=GREETING)
        await query.answer(cards, cache_time=CACHED, is_personal=True, button=button)
    except TelegramError as wrong:
        log.debug("invitations could not be offered: %s", wrong)
    except Exception:
        log.exception("offering invitations failed")


def _card(outbound: Outbound, offer: ShareableInvitation) -> InlineQueryResultArticle | None:
    """*offer* as a card with a title and a line; ``None`` where no link is long enough for it."""
    payload = payload_of(offer.code)
    if payload is None:
        return None
    sit = InlineKeyboardButton(offer.sit, url=outbound.link(payload))
    words = InputTextMessageContent(html_escaped(offer.words), ParseMode.HTML, None, NO_PREVIEW)
    return InlineQueryResultArticle(
        offer.code,
        offer.title,
        words,
        reply_markup=InlineKeyboardMarkup([[sit]]),
        description=offer.line,
    )
