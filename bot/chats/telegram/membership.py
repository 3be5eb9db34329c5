"""Places that let us in or shut us out, groups that move, and greetings."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass

from telegram import (
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    Message,
    User,
)
from telegram.constants import ChatMemberStatus, ChatType

from bot.chats.telegram.answers import Answers
from bot.chats.telegram.message_formatting import keyboard
from bot.chats.telegram.photo_permission import PhotoPermissions
from bot.chats.telegram.reading import GREETING, PLATFORM, asker_of, where_of
from bot.port import Button, Where
from bot.texts import Language
from games.core import phrase
from games.core.shelf import shelf

log = logging.getLogger(__name__)

GREETED = "greeted"
"""The setting of a place that was greeted: a group that moves is not greeted again."""

OWED = "greeting-owed"
"""The setting of a group that could not be greeted, as where the topic General is closed."""

_THERE = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


@dataclass
class Membership:
    """Follows what happens to the places we are in."""

    answers: Answers
    photo_permissions: PhotoPermissions

    def __post_init__(self) -> None:
        self.places, self.buttons = self.answers.places, self.answers.buttons
        self.requests = self.answers.facade.requests

    async def member(self, change: ChatMemberUpdated) -> None:
        """Note that we were added, removed, blocked, let in again, or silenced.

        Nobody plays in a channel: there nothing is said, since each subscriber would read it.
        Whoever added us is told so in private, if they have opened that chat.
        """
        if change.chat.type == ChatType.CHANNEL:
            if _may_write(change.new_chat_member) and not _may_write(change.old_chat_member):
                await self._explain(change.from_user)
            return
        where, now = where_of(change.chat), change.new_chat_member
        welcome, before = _may_write(now), _may_write(change.old_chat_member)
        if not welcome:
            await self.places.shut(where)
            return
        await self.places.let_in(where)
        if isinstance(now, ChatMemberRestricted) and not now.can_send_photos:
            self.photo_permissions.forbid(where.place)
        else:
            await self.photo_permissions.look(where.place, now=True)
        if before or where.private:
            return
        first = await self.places.first_time(where, GREETED)
        if first and not await self.greet(where, change.from_user):
            await self.places.note(where, OWED, on=True)

    async def _explain(self, user: User) -> None:
        """Tell *user*, who has added us to a channel, where people play instead."""
        private = Where(PLATFORM, str(user.id), private=True)
        if await self.places.is_open(private):
            tongue = self.tongue(user)
            words, add = tongue.say(phrase("telegram.channel-added")), self._adding(tongue)
            await self.answers.tell(private, words, markup=InlineKeyboardMarkup([[add]]))

    def _adding(self, tongue: Language) -> InlineKeyboardButton:
        """The button that adds us to a group."""
        link = self.answers.outbound.link(GREETING, "startgroup")
        return InlineKeyboardButton(tongue.say(phrase("telegram.button.group")), url=link)

    async def greet_now(self, where: Where, user: User | None) -> None:
        """Greet *where*, a group or its topic, if that could not be done when we came."""
        places = self.places
        if await places.is_noted(where, OWED) and await self.greet(where, user):
            await places.note(where, OWED, on=False)

    async def of_others(self, message: Message) -> None:
        """Note who has left a group, or has come into it."""
        where, left = where_of(message.chat), message.left_chat_member
        if left is not None and not left.is_bot:
            await self.places.note_left(where, str(left.id))
        for user in message.new_chat_members:
            if not user.is_bot:
                await self.places.note_joined(where, str(user.id))

    async def greet(self, where: Where, user: User | None, stays: float = math.inf) -> bool:
        """Greet and show a button for each game: nobody has to learn a command.

        In a group it stands until its first use, at most for *stays* seconds. Returns whether that
        could be said.
        """
        tongue = self.tongue(user)
        games = {key: tongue.say(phrase(f"{key}.name")) for key in shelf()}
        keys = [Button(name, self.buttons.play(key)) for key, name in games.items()]
        rows = [keys[n : n + 3] for n in range(0, len(keys), 3)]
        if where.private and user is not None:
            keys = await self.requests.first_keys(asker_of(user), tongue.code)
            rows = [*([one] for one in keys[:-2]), keys[-2:]]
        markup, kind = keyboard(rows), "private" if where.private else "group"
        if where.private and markup is not None:
            markup = InlineKeyboardMarkup((*markup.inline_keyboard, (self._adding(tongue),)))
        said = phrase(f"telegram.greeting.{kind}", games=tuple(games.values()))
        greeting = await self.answers.tell(where, tongue.say(said), markup=markup, stays=stays)
        if stays == math.inf and not where.private:
            await self.answers.fleeting.note(where, greeting, stays, table=where.place)
        return greeting is not None

    def tongue(self, user: User | None) -> Language:
        """The language of *user*'s Telegram, if we speak it, else the default."""
        return self.requests.tongue(user.language_code if user else None)

    async def move(self, old: int, new: int) -> None:
        """Move the tables of a group that has become a supergroup."""
        log.info("a group has moved; its boards are shown again")
        self.answers.own.registry.left_behind(str(old))
        await self.places.move_place(Where(PLATFORM, str(old)), Where(PLATFORM, str(new)))


def is_of_members(message: Message) -> bool:
    """Whether *message* is Telegram's own, of people who have left a group or come into it."""
    return message.left_chat_member is not None or bool(message.new_chat_members)


def is_out(member: ChatMember) -> bool:
    """Whether *member* has left their group or was put out of it."""
    if isinstance(member, ChatMemberRestricted):
        return not member.is_member
    return member.status in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


def _may_write(member: ChatMember) -> bool:
    if isinstance(member, ChatMemberRestricted):
        return bool(member.is_member and member.can_send_messages)
    return member.status in _THERE
