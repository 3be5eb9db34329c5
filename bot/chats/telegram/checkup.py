"""What Telegram says of the bot, for ``ludoteca doctor``: who it is, and what groups let it do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from telegram import (
    Bot,
    BotCommandScopeAllPrivateChats,
    ChatFullInfo,
    ChatMember,
    ChatMemberAdministrator,
    ChatMemberRestricted,
)
from telegram.constants import ChatType
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, TelegramError

from bot.facade import short_menu
from bot.port import Diagnosis

Level: TypeAlias = Literal["fine", "warning", "error"]

WAITING = 100
"""Waiting updates from which there is a warning: one batch."""


GROUPS = 100
"""The groups that are asked about, those with the most tables first: two calls each."""

KINDS = {
    "can_send_messages": "write",
    "can_send_photos": "send pictures, so that boards come in words",
    "can_send_other_messages": "send films",
    "can_send_documents": "send files",
}
"""What a group may forbid its members, and so the bot (Bot API, ChatPermissions)."""


async def checkup(
    token: str,
    server: str | None,
    *,
    hooked: bool,
    paged: bool = False,
    pictured: bool = True,
    feedback: bool = True,
    tables: Mapping[str, Sequence[str]] | None = None,
) -> list[Diagnosis]:
    """Ask Telegram, or *server*, with *token*.

    *hooked*: updates are to come by a webhook; *paged*: everybody reaches our page; *pictured*:
    pictures reach chats where the bot is no member; *feedback*: no inline message was seen of which
    we were not told. *tables* are the codes of the tables that are played in each place.
    """
    try:
        address = (server or "https://api.telegram.org").rstrip("/").removesuffix("/bot")
        async with Bot(token, base_url=f"{address}/bot") as bot:
            found = [*_elsewhere(bot, pictured, feedback)]
            found += [one async for one in _ask(bot, hooked, paged)]
            return found + [one async for one in _groups(bot, tables or {})]
    except InvalidToken:
        return [Diagnosis("error", "Telegram refuses the token of TELEGRAM_TOKEN.")]
    except TelegramError as wrong:
        return [Diagnosis("warning", f"Telegram could not be asked ({type(wrong).__name__}).")]


async def _ask(bot: Bot, hooked: bool, paged: bool) -> AsyncIterator[Diagnosis]:
    me = await bot.get_me()
    sees = "all messages" if me.can_read_all_group_messages else "commands and replies only"
    yield Diagnosis("fine", f"Telegram knows the bot as @{me.username}: https://t.me/{me.username}")
    yield Diagnosis("fine", f"Privacy mode: in groups the bot sees {sees}.")
    if not me.can_join_groups:
        yield Diagnosis("warning", "The bot may not be added to groups (@BotFather).")
    if not me.supports_inline_queries:
        told = f"Inline mode is off: send /setinline to @BotFather, so that @{me.username} niya"
        yield Diagnosis("warning", f"{told} offers invitations in any chat.")
    if paged and not me.has_main_web_app:
        told = "The bot has no main Mini App (@BotFather, Bot Settings, Configure Mini App): boards"
        yield Diagnosis("warning", f"{told} in groups have no link to the page.")
    hook = await bot.get_webhook_info()
    if bool(hook.url) != hooked:
        stands = "a webhook is set" if hook.url else "no webhook is set"
        yield Diagnosis("warning", f"Until the bot starts {stands}, unlike the settings.")
    if wrong := hook.last_error_message:
        yield Diagnosis("warning", f"Telegram could not reach the webhook: {wrong}")
    waiting = hook.pending_update_count
    level: Level = "warning" if waiting >= WAITING else "fine"
    yield Diagnosis(level, f"Updates that wait for the bot: {waiting}.")
    menu = await bot.get_my_commands(scope=BotCommandScopeAllPrivateChats())
    ours = len(short_menu())
    if len(menu) == ours:
        yield Diagnosis("fine", f"All {ours} commands of the menu are there.")
    else:
        told = f"The menu of Telegram has {len(menu)} commands instead of {ours}"
        yield Diagnosis("warning", f"{told} until the bot starts.")


def _elsewhere(bot: Bot, pictured: bool, feedback: bool) -> Iterator[Diagnosis]:
    """What stands in the way of boards where the bot is no member."""
    if not bot.bot.supports_guest_queries:
        told = "Guest Mode is off (@BotFather, Bot Settings): nobody can call the bot to a chat"
        yield Diagnosis("warning", f"{told} where it is no member.")
    elif not pictured:
        told = "Boards where the bot is no member come in words: set WEB_PUBLIC_URL or"
        yield Diagnosis("warning", f"{told} TELEGRAM_STORE_CHAT.")
    if not feedback:
        told = "Telegram does not tell which inline results are chosen, so moves sent by them are"
        do = "send /setinlinefeedback to @BotFather, 100 %"
        yield Diagnosis("warning", f"{told} not played: {do}.")


async def _groups(bot: Bot, tables: Mapping[str, Sequence[str]]) -> AsyncIterator[Diagnosis]:
    """What the groups with *tables* forbid, and which tables suffer."""
    groups = [(place, codes) for place, codes in tables.items() if place.startswith("-")]
    groups.sort(key=lambda one: -len(one[1]))
    for place, codes in groups[:GROUPS]:
        async for level, text in _group(bot, place):
            yield Diagnosis(level, f"{text} Tables: {', '.join(codes)}.")
    if groups:
        asked = min(len(groups), GROUPS)
        said = f"Groups in which something is played: {len(groups)}; asked about: {asked}."
        yield Diagnosis("fine", said)


async def _group(bot: Bot, place: str) -> AsyncIterator[tuple[Level, str]]:
    """What is wrong in the group *place*, each with its level."""
    try:
        chat = await bot.get_chat(int(place))
        me = await bot.get_chat_member(int(place), bot.id)
    except ChatMigrated:
        yield "warning", f"The group {place} has become a supergroup; its boards go there."
    except (BadRequest, Forbidden) as wrong:
        yield "warning", f"The group {place} does not let the bot in: {wrong.message}."
    except TelegramError as wrong:
        why = type(wrong).__name__
        yield "warning", f"The group {place} could not be asked about ({why})."
    else:
        for one in _judge(chat, me):
            yield one


def _judge(chat: ChatFullInfo, me: ChatMember) -> Iterator[tuple[Level, str]]:
    name = chat.title or str(chat.id)
    if me.status in (ChatMember.LEFT, ChatMember.BANNED):
        yield "warning", f"The bot is no member of {name!r}: its boards there wait."
        return
    if chat.type == ChatType.CHANNEL:
        yield "warning", f"{name!r} is a channel: nobody can play there."
        return
    manages = isinstance(me, ChatMemberAdministrator)
    rules_topics = isinstance(me, ChatMemberAdministrator) and me.can_manage_topics
    if not manages:
        for right, what in KINDS.items():
            if not _may(chat, me, right):
                told = f"In {name!r} the bot may not {what}"
                yield "warning", f"{told}: an administrator can allow it."
    if chat.is_forum and not rules_topics:
        told = f"{name!r} has topics: in a closed one boards wait, unless the bot may manage topics"
        yield "fine", f"{told}, as an administrator."
    if chat.has_hidden_members and not manages:
        told = f"{name!r} hides its members: the bot knows who manages it, but not who has left"
        yield "fine", f"{told}, unless it is an administrator."


def _may(chat: ChatFullInfo, me: ChatMember, right: str) -> bool:
    """Whether the defaults of *chat*, and what it allows the bot itself, give a *right*."""
    own = getattr(me, right) if isinstance(me, ChatMemberRestricted) else True
    return bool(own) and getattr(chat.permissions, right, True) is not False
