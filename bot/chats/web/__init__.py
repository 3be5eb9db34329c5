"""The browser chat: a page on which people play without any token."""

from bot.chats.web.chat import WebChat
from bot.chats.web.doors.discord_app import DiscordApp
from bot.chats.web.doors.doors import DoorKeys
from bot.chats.web.doors.telegram_login import TelegramLogin
from bot.chats.web.errors import CannotListen, NotHome, NotLoopback, PortBusy
from bot.chats.web.operator_page import OperatorKeys
