"""Whom to challenge from a private chat: Telegram lets people pick him by a keyboard of its own.

The button of the sheet brings that keyboard below the text field; who is picked comes as a message
of its own, which is a press of that button with the person. The sheet comes down then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cachetools import LRUCache
from telegram import (
    KeyboardButton,
    KeyboardButtonRequestUsers,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    Update,
)

from bot.chats.telegram.posting import Posting
from bot.chats.telegram.reading import PLATFORM, asker_of, place_of
from bot.chats.telegram.toast import Toast
from bot.facade import WHO, Action, Click, Facade
from bot.port import Answer, Asker, MenuAnswer, Press
from bot.texts import language
from games.core import phrase

ASKED = 4096
"""In how many private chats we know which messages a choice makes superfluous."""


@dataclass
class Picking:
    """Asks whom somebody challenges, and hands on who was picked."""

    house: Facade
    posting: Posting
    _stale: LRUCache[str, tuple[str, ...]] = field(default_factory=lambda: LRUCache(ASKED))
    """By private chat, the sheet and our question: both go when somebody is picked."""

    def asks(self, press: Press) -> Click | None:
        """What was pressed, where it is the button by which somebody is picked."""
        click = self.house.click(press.code)
        wants = click is not None and click.act is Action.SHEET and click.path == WHO
        return click if wants and press.where.private else None

    async def ask(self, press: Press, click: Click, said: Toast) -> None:
        """Bring the keyboard by which the presser picks somebody for his sheet."""
        where = press.where
        tongue = language(await self.house.language_of(press.asker, where))
        words = tongue.say(phrase("telegram.pick"))
        said.say(words)
        picks = KeyboardButtonRequestUsers(
            click.turn, user_is_bot=False, max_quantity=1, request_name=True, request_username=True
        )
        button = KeyboardButton(tongue.say(phrase("telegram.button.pick")), request_users=picks)
        markup = ReplyKeyboardMarkup([[button]], resize_keyboard=True, one_time_keyboard=True)
        asked = await self.posting.tell(where, words, markup=markup)
        self._stale[where.place] = tuple(one for one in (press.message, asked) if one is not None)

    def press_of(self, update: Update) -> Press | None:
        """The press of the sheet's button that the person is picked by whom *update* brings."""
        message = update.message
        if message is None or message.users_shared is None or message.from_user is None:
            return None
        shared, where = message.users_shared, place_of(message)
        if not where.private or not shared.users:
            return None
        user = shared.users[0]
        name = " ".join(filter(None, (user.first_name, user.last_name))) or user.username or "?"
        picked = Asker(PLATFORM, str(user.user_id), name, handle=user.username or "")
        code = self.house.who_code(shared.request_id)
        asker = asker_of(message.from_user)
        return Press(str(update.update_id), where, asker, code, person=picked)

    async def picked(self, press: Press, answer: Answer) -> None:
        """Take the keyboard away, and show the sheet with who was picked, or what is refused."""
        where = press.where
        tongue = language(await self.house.language_of(press.asker, where))
        words = answer.said
        if isinstance(answer, MenuAnswer) and answer.good and press.person is not None:
            words = tongue.say(phrase("telegram.picked", name=press.person.name))
        await self.posting.tell(where, words, markup=ReplyKeyboardRemove())
        if not isinstance(answer, MenuAnswer):
            return
        await self.posting.bring(where, answer, None, press.asker)
        for message in self._stale.pop(where.place, ()):
            await self.posting.outbound.remove(where, message)
