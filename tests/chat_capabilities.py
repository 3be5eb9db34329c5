"""What each chat can do, by its platform."""

from bot.chats.discord.chat import DiscordChat
from bot.chats.telegram.chat import TelegramChat
from bot.chats.web.chat import WebChat
from bot.chats.web.programs import ProgramChat

_CHATS = (DiscordChat, TelegramChat, WebChat, ProgramChat)

CAPABILITIES = {one.platform: one.capabilities for one in _CHATS}
