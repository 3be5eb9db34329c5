"""The browser chat: a page on which people play without any token."""

from bot.chats.web.chat import WebChat
from bot.chats.web.discord_app import DiscordApp
from bot.chats.web.doors import DoorKeys
from bot.chats.web.errors import CannotListen, NotHome, NotLoopback, PortBusy
from bot.chats.web.operator_page import OperatorKeys
from bot.chats.web.telegram_login import TelegramLogin

__all__ = [
    "CannotListen",
    "DiscordApp",
    "DoorKeys",
    "NotHome",
    "NotLoopback",
    "OperatorKeys",
    "PortBusy",
    "TelegramLogin",
    "WebChat",
]
