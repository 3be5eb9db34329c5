"""The browser chat: a page on which people play without any token."""

from bot.chats.web.chat import WebChat
from bot.chats.web.discord_app import DiscordApp
from bot.chats.web.errors import CannotListen, NotHome, NotLoopback, PortBusy

__all__ = ["CannotListen", "DiscordApp", "NotHome", "NotLoopback", "PortBusy", "WebChat"]
