"""The menus of commands that Telegram shows beside the line where people type."""

from __future__ import annotations

import hashlib
import json

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.house import Notes
from bot.screen.commands import COMMANDS
from bot.texts import LANGUAGES

SCOPES: tuple[BotCommandScope, ...] = (
    BotCommandScopeAllPrivateChats(),
    BotCommandScopeAllGroupChats(),
)


def menu(code: str) -> tuple[BotCommand, ...]:
    """The commands in the language *code*."""
    return tuple(BotCommand(one.name_in(code), one.help_in(code)) for one in COMMANDS)


async def set_menus(bot: Bot, notes: Notes, default: str) -> bool:
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
