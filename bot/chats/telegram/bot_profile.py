"""What Telegram shows of the bot: its menus, its profile and its page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    MenuButton,
    MenuButtonCommands,
    MenuButtonWebApp,
    WebAppInfo,
)

from bot.facade import ChatNotes, short_menu
from bot.texts import LANGUAGES, language
from games.core import phrase
from games.core.shelf import shelf

PROFILE = ("telegram.profile", "telegram.profile.short")
"""What the bot is: at most 512 characters before the first message, and 120 on its page."""


async def set_profile(bot: Bot, notes: ChatNotes, default: str, page: str) -> None:
    """Tell Telegram the menus, the profile and the menu button, each if it changed.

    The button opens *page*, if any; unknown languages see the *default*. Raises ``TelegramError``.
    """
    codes = {"": default} | {code: code for code in LANGUAGES}
    menus = {code: _menu(spoken) for code, spoken in codes.items()}
    told = _digest({code: [one.to_dict() for one in lines] for code, lines in menus.items()})
    key = f"telegram-menus:{bot.id}"
    if await notes.read(key, str) != told:
        for scope in (BotCommandScopeAllPrivateChats(), BotCommandScopeAllGroupChats()):
            for code, lines in menus.items():
                await bot.set_my_commands(lines, scope=scope, language_code=code or None)
        await notes.put(key, told)
    await _set_pages(bot, notes, codes)
    button: MenuButton = MenuButtonCommands()
    if page:
        said = language(default).say(phrase("telegram.button.menu"))
        button = MenuButtonWebApp(said, WebAppInfo(page))
    told, key = button.to_json(), f"telegram-menu-button:{bot.id}"
    if await notes.read(key, str) != told:
        await bot.set_chat_menu_button(menu_button=button)
        await notes.put(key, told)


def _menu(code: str) -> list[BotCommand]:
    """The short menu in a language. In groups those that speak privately are sent so as well."""
    found = []
    for one in short_menu():
        more = {"is_ephemeral": True} if one.private else None
        found.append(BotCommand(one.name_in(code), one.help_in(code), api_kwargs=more))
    return found


async def _set_pages(bot: Bot, notes: ChatNotes, codes: Mapping[str, str]) -> None:
    pages = {code: _profile(spoken) for code, spoken in codes.items()}
    told, key = _digest(pages), f"telegram-profile:{bot.id}"
    if await notes.read(key, str) != told:
        for code, (long, short) in pages.items():
            await bot.set_my_description(long, language_code=code or None)
            await bot.set_my_short_description(short, language_code=code or None)
        await notes.put(key, told)


def _digest(told: object) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _profile(code: str) -> tuple[str, str]:
    say = language(code).say
    games = tuple(phrase(f"{key}.name") for key in shelf())
    long, short = (say(phrase(key, games=games)) for key in PROFILE)
    return long, short
