"""Places that let us in or shut us out, groups that move, and greetings."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from telegram import (
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    User,
)
from telegram.constants import ChatMemberStatus

from bot.chats.telegram.answers import Answers
from bot.chats.telegram.reading import GREETING, PLATFORM, where_of
from bot.chats.telegram.writing import keyboard
from bot.facade import COMPUTER, Facade
from bot.port import Button, Where
from bot.texts import Language
from games.core import phrase
from games.core.shelf import shelf

log = logging.getLogger(__name__)

GREETED = "greeted"
"""The setting of a place that was greeted: a group that moves is not greeted again."""

_THERE = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


@dataclass
class Membership:
    """Follows what happens to the places we are in."""

    facade: Facade
    answers: Answers

    async def member(self, change: ChatMemberUpdated) -> None:
        """Note that we were added, removed, blocked, let in again, or silenced."""
        where = where_of(change.chat)
        welcome, before = _may_write(change.new_chat_member), _may_write(change.old_chat_member)
        if not welcome:
            await self.facade.places.shut(where)
            return
        await self.facade.places.let_in(where)
        if before or where.private:
            return
        if await self.facade.places.first_time(where, GREETED):
            await self.greet(where, change.from_user)

    async def greet(
        self, where: Where, user: User | None, words: str = "telegram.greeting"
    ) -> None:
        """Say *words* and show a button for each game: nobody has to learn a command."""
        tongue = self.tongue(user)
        games = {key: tongue.say(phrase(f"{key}.name")) for key in shelf()}
        if where.private:
            said = phrase(f"{words}.private", games=tuple(games.values()))
            against = {k: phrase("telegram.button.against", game=n) for k, n in games.items()}
            rows = [
                [Button(tongue.say(label), self.facade.play_code(key, COMPUTER))]
                for key, label in against.items()
            ]
        else:
            said = phrase("telegram.greeting.group", games=tuple(games.values()))
            buttons = [Button(name, self.facade.play_code(key)) for key, name in games.items()]
            rows = [buttons[n : n + 3] for n in range(0, len(buttons), 3)]
        markup = keyboard(rows)
        if where.private and markup is not None:
            link = self.answers.outbound.link(GREETING, "startgroup")
            add = InlineKeyboardButton(tongue.say(phrase("telegram.button.group")), url=link)
            markup = InlineKeyboardMarkup((*markup.inline_keyboard, (add,)))
        await self.answers.tell(where, tongue.say(said), markup=markup)

    def tongue(self, user: User | None) -> Language:
        """The language of *user*'s Telegram, if we speak it, else the default."""
        return self.facade.tongue(user.language_code if user else None)

    async def moved(self, old: int, new: int) -> None:
        """Move the tables of a group that has become a supergroup."""
        log.info("a group has moved; its boards are shown again")
        await self.facade.places.moved(Where(PLATFORM, str(old)), Where(PLATFORM, str(new)))


def _may_write(member: ChatMember) -> bool:
    if isinstance(member, ChatMemberRestricted):
        return bool(member.is_member and member.can_send_messages)
    return member.status in _THERE
