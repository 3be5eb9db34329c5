"""The browser chat: a page on which people play without any token."""

from bot.chats.web.chat import WebChat
from bot.chats.web.origins import NotHome, NotLoopback
from bot.chats.web.server import CannotListen, PortBusy

__all__ = ["CannotListen", "NotHome", "NotLoopback", "PortBusy", "WebChat"]
