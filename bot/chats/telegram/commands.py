"""What Telegram shows of the bot: the menus of commands, and its page."""

from __future__ import annotations

import hashlib
import json

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    MenuButton,
    MenuButtonCommands,
    MenuButtonWebApp,
    WebAppInfo,
)

from bot.facade import COMMANDS, ChatNotes
from bot.texts import LANGUAGES, language
from games.core import phrase
from games.core.shelf import shelf

SCOPES: tuple[BotCommandScope, ...] = (
    BotCommandScopeAllPrivateChats(),
    BotCommandScopeAllGroupChats(),
)

PROFILE = ("telegram.profile", "telegram.profile.short")
"""What the bot is: in at most 512 characters before the first word, in 120 on its page."""


def menu(code: str) -> tuple[BotCommand, ...]:
    """The commands in the language *code*."""
    return tuple(BotCommand(one.name_in(code), one.help_in(code)) for one in COMMANDS)


async def set_menus(bot: Bot, notes: ChatNotes, default: str) -> bool:
    """Tell Telegram the commands, where they are not those it was told last.

    People whose language we do not speak see those of the language *default*. Answers whether
    anything was sent; raises a ``TelegramError``.
    """
    menus = {"": menu(default)} | {code: menu(code) for code in LANGUAGES}
    told = json.dumps({code: [c.to_dict() for c in lines] for code, lines in menus.items()})
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    key = f"telegram-menus:{bot.id}"
    if await notes.get(key) == digest:
        return False
    for scope in SCOPES:
        for code, lines in menus.items():
            await bot.set_my_commands(lines, scope=scope, language_code=code or None)
    await notes.put(key, digest)
    return True


async def set_profile(bot: Bot, notes: ChatNotes, default: str) -> bool:
    """Tell Telegram what stands on the bot's page before anybody writes to it, where it changed.

    Answers whether anything was sent; raises a ``TelegramError``.
    """
    pages = {"": _profile(default)} | {code: _profile(code) for code in LANGUAGES}
    digest = hashlib.sha256(json.dumps(pages).encode()).hexdigest()[:16]
    key = f"telegram-profile:{bot.id}"
    if await notes.get(key) == digest:
        return False
    for code, (long, short) in pages.items():
        await bot.set_my_description(long, language_code=code or None)
        await bot.set_my_short_description(short, language_code=code or None)
    await notes.put(key, digest)
    return True


async def set_menu_button(bot: Bot, notes: ChatNotes, default: str, page: str) -> bool:
    """Let the button beside the text field of private chats open our *page*, else the commands.

    Answers whether anything was sent; raises a ``TelegramError``.
    """
    key = f"telegram-menu-button:{bot.id}"
    wanted: MenuButton = MenuButtonCommands()
    if page:
        said = language(default).say(phrase("telegram.button.menu"))
        wanted = MenuButtonWebApp(said, WebAppInfo(page))
    if await notes.get(key) == wanted.to_json():
        return False
    await bot.set_chat_menu_button(menu_button=wanted)
    await notes.put(key, wanted.to_json())
    return True


def _profile(code: str) -> tuple[str, str]:
    """The bot in a few sentences, and in one."""
    say = language(code).say
    games = tuple(phrase(f"{key}.name") for key in shelf())
    long, short = (say(phrase(key, games=games)) for key in PROFILE)
    return long, short
