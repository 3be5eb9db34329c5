"""What Telegram says of the bot, for ``ludoteca doctor``: who it is, and how it is reached."""

from __future__ import annotations

from telegram import Bot, BotCommandScopeAllPrivateChats
from telegram.error import InvalidToken, TelegramError

from bot.facade import COMMANDS
from bot.port import Diagnosis

WAITING = 100
"""Waiting updates from which there is a warning: one batch."""


async def checkup(token: str, server: str | None, *, hooked: bool) -> list[Diagnosis]:
    """Ask Telegram, or *server*, with *token*; *hooked*: updates are to come by a webhook."""
    try:
        address = (server or "https://api.telegram.org").rstrip("/").removesuffix("/bot")
        async with Bot(token, base_url=f"{address}/bot") as bot:
            return await _asked(bot, hooked)
    except InvalidToken:
        return [Diagnosis("error", "Telegram refuses the token of TELEGRAM_TOKEN.")]
    except TelegramError as wrong:
        return [Diagnosis("warning", f"Telegram could not be asked ({type(wrong).__name__}).")]


async def _asked(bot: Bot, hooked: bool) -> list[Diagnosis]:
    me = await bot.get_me()
    sees = "all messages" if me.can_read_all_group_messages else "commands and replies only"
    found = [
        Diagnosis("fine", f"Telegram knows the bot as @{me.username}: https://t.me/{me.username}"),
        Diagnosis("fine", f"Privacy mode: in groups the bot sees {sees}."),
    ]
    if not me.can_join_groups:
        found.append(Diagnosis("warning", "The bot may not be added to groups (@BotFather)."))
    if not me.supports_inline_queries:
        told = f"Inline mode is off: send /setinline to @BotFather, so that @{me.username} niya"
        found.append(Diagnosis("warning", f"{told} offers invitations in any chat."))
    hook = await bot.get_webhook_info()
    if bool(hook.url) != hooked:
        stands = "a webhook is set" if hook.url else "no webhook is set"
        found.append(Diagnosis("warning", f"Until the bot starts {stands}, unlike the settings."))
    if hook.last_error_message:
        wrong = f"Telegram could not reach the webhook: {hook.last_error_message}"
        found.append(Diagnosis("warning", wrong))
    waiting = hook.pending_update_count
    told = f"Updates that wait for the bot: {waiting}."
    found.append(Diagnosis("warning" if waiting >= WAITING else "fine", told))
    menu = await bot.get_my_commands(scope=BotCommandScopeAllPrivateChats())
    if len(menu) < len(COMMANDS):
        told = f"Telegram shows {len(menu)} of {len(COMMANDS)} commands until the bot starts."
        return [*found, Diagnosis("warning", told)]
    return [*found, Diagnosis("fine", f"All {len(COMMANDS)} commands are in the menu.")]
