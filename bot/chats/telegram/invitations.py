"""Invitations: into any chat, by ``@bot`` and a few letters there, or of a person who is picked.

We need be no member there: the invitation is written in its sender's name, or as the answer to a
guest message. Its first press opens the table in the message itself, and nothing is stored before.
A picked person arrives as a message, which counts as a press of the button that asked for one.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

from cachetools import LRUCache
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQuery,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
    KeyboardButton,
    KeyboardButtonRequestUsers,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    Update,
)
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from bot.chats.telegram.message_formatting import html_escaped
from bot.chats.telegram.outbound import NO_PREVIEW
from bot.chats.telegram.paced_messages import PacedPosting, Toast
from bot.chats.telegram.reading import PLATFORM, asker_of, chat_with, place_of
from bot.facade import ChatButtons, ChatNotes, ChatPlaces, Click, Requests, remembering
from bot.port import (
    Answer,
    Asker,
    Card,
    MenuAnswer,
    Press,
    ShareableInvitation,
    ShareableMove,
)
from games.core import phrase

log = logging.getLogger(__name__)

_MENTION = re.compile(r"@\w+")

FEEDBACK, MISSING, THERE = "telegram-inline-feedback", "missing", "there"
"""The note that says whether we are told of chosen inline results, as @BotFather is asked for."""

CACHED, LONGEST = 10, 60
"""Seconds for which Telegram may repeat an answer, and letters that are read."""


async def offer(
    requests: Requests, places: ChatPlaces, notes: ChatNotes, query: InlineQuery
) -> None:
    """Answer *query* with moves and invitations, by name of whoever has a chat with us."""
    asker, typed = asker_of(query.from_user), query.query[:LONGEST]
    home = chat_with(asker)
    try:
        if await places.is_open(home):
            await requests.meet(asker)
        moves = await notes.read(FEEDBACK, str) != MISSING
        offers = await requests.offers(asker, home, typed, moves=moves)
        cards = [_card(one) for one in offers if one.code]
        lasts = CACHED if offers and isinstance(offers[0], ShareableInvitation) else 0
        turns = [one for one in offers if isinstance(one, ShareableMove) and not one.code]
        leads = [InlineQueryResultsButton(one.title, start_parameter=one.more) for one in turns]
        button = leads[0] if leads else None
        await query.answer(
            cards, cache_time=lasts, is_personal=True, button=button, auto_pagination=True
        )
    except TelegramError as wrong:
        log.debug("invitations could not be offered: %s", wrong)
    except Exception:
        log.exception("offering invitations failed")


async def note_feedback(notes: ChatNotes, found: str) -> None:
    """Note whether we are told of chosen results; what was told once is never missing again."""
    if await notes.read(FEEDBACK, str) not in (found, THERE):
        await notes.put(FEEDBACK, found)


async def welcome_guest(requests: Requests, message: Message) -> None:
    """Answer the guest *message* with an invitation to the game it names, or to any of them.

    An answer that Telegram has already, or takes no more, is no fault.
    """
    user, query = message.from_user, message.guest_query_id
    if user is None or query is None:
        return
    asker, said = asker_of(user), _MENTION.sub("", message.text or "").strip()[:LONGEST]
    await requests.meet(asker)
    home = chat_with(asker)
    offers = await requests.offers(asker, home, said)
    if not offers and not (offers := await requests.offers(asker, home, "")):
        return
    card = _card(offers[0])
    if len(offers) > 1:
        words = requests.tongue(asker.language).say(phrase("house.sheet.games"))
        keys = [[InlineKeyboardButton(one.title, callback_data=one.code)] for one in offers]
        content = InputTextMessageContent(words)
        card = InlineQueryResultArticle("games", words, content, InlineKeyboardMarkup(keys))
    try:
        await message.get_bot().answer_guest_query(query, card)
    except BadRequest as wrong:
        log.debug("a guest message cannot be answered any more: %s", wrong)


def _card(offer: ShareableMove | ShareableInvitation) -> InlineQueryResultArticle:
    """*offer* as a result to be picked."""
    keys, line = None, None
    if isinstance(offer, ShareableInvitation):
        keys, line = InlineKeyboardButton(offer.sit, callback_data=offer.code), offer.line
    words = InputTextMessageContent(html_escaped(offer.words), ParseMode.HTML, None, NO_PREVIEW)
    markup = None if keys is None else InlineKeyboardMarkup([[keys]])
    return InlineQueryResultArticle(offer.code, offer.title, words, markup, description=line)


@dataclass
class Picking:
    """Asks people whom they challenge, and passes on the pick."""

    buttons: ChatButtons
    posting: PacedPosting
    _stale: LRUCache[str, tuple[str, ...]] = remembering(4096)
    """The sheet and our question by private chat: both are removed after the pick."""

    async def ask(self, press: Press, click: Click, said: Toast) -> None:
        """Bring the keyboard by which the presser picks a person for their sheet."""
        where, tongue = press.where, await self.posting.tongue(press.asker, press.where)
        words = tongue.say(phrase("telegram.pick" if click.turn else "telegram.pick-rival"))
        said.say(words)
        picks = KeyboardButtonRequestUsers(
            click.turn, user_is_bot=False, max_quantity=1, request_name=True, request_username=True
        )
        button = KeyboardButton(tongue.say(phrase("telegram.button.pick")), request_users=picks)
        markup = ReplyKeyboardMarkup([[button]], resize_keyboard=True, one_time_keyboard=True)
        asked = await self.posting.tell(where, words, markup=markup)
        self._stale[where.place] = tuple(one for one in (press.message, asked) if one is not None)

    def press_of(self, update: Update) -> Press | None:
        """The press of the sheet's button with the person whom *update* brings, if it does."""
        message = update.message
        if message is None or message.users_shared is None or message.from_user is None:
            return None
        shared, where = message.users_shared, place_of(message)
        if not where.private or not shared.users:
            return None
        user = shared.users[0]
        name = " ".join(filter(None, (user.first_name, user.last_name))) or user.username or "?"
        picked = Asker(PLATFORM, str(user.user_id), name, handle=user.username or "")
        code = self.buttons.who(shared.request_id)
        return Press(str(update.update_id), where, asker_of(message.from_user), code, person=picked)

    async def pick(self, press: Press, answer: Answer) -> None:
        """Remove the keyboard, and show the sheet with the person, or the refusal."""
        where, words = press.where, answer.said
        if isinstance(answer, MenuAnswer | Card) and answer.good and press.person is not None:
            key = "telegram.picked" if isinstance(answer, MenuAnswer) else "telegram.compared"
            words = await self.posting.words_for(press, key, name=press.person.name)
        await self.posting.tell(where, words, markup=ReplyKeyboardRemove())
        if not isinstance(answer, MenuAnswer | Card):
            return
        await self.posting.bring(where, answer, None, press.asker)
        for message in self._stale.pop(where.place, ()):
            await self.posting.outbound.remove(where, message)
