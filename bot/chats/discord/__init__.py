"""Discord behind the port ``Chat``; the library is imported here and nowhere else."""

from bot.chats.discord.chat import DiscordChat
from bot.chats.discord.errors import TokenRefused

__all__ = ["DiscordChat", "TokenRefused"]
