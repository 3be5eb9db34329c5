"""Telegram: groups, topics and private chats, by polling or by a webhook."""

import logging
import os

from bot.chats.telegram.chat import TelegramChat

# The library gives waits as a timedelta only where this is set, and warns where it is not.
os.environ.setdefault("PTB_TIMEDELTA", "1")
# It would show whole pages of a proxy's errors, which come to us as exceptions anyway.
logging.getLogger("telegram.request").setLevel(logging.CRITICAL)

__all__ = ["TelegramChat"]
