"""Telegram: groups, topics and private chats, by polling or by a webhook."""

import logging
import os

from bot.chats.telegram.chat import TelegramChat

# The library gives waits as a timedelta only where this is set, and warns where it is not.
os.environ.setdefault("PTB_TIMEDELTA", "1")
# It would show whole pages of a proxy's errors, which come to us as exceptions anyway.
logging.getLogger("telegram.request").setLevel(logging.CRITICAL)


class _OneLine(logging.Filter):
    """Lets the library say in a line what it shows with a traceback, and with what people wrote."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        said, received, _ = str(record.msg).partition(" Received data was:")
        if received:
            record.msg, record.args = said, ()
        return True


for _logger in ("telegram.ext", "telegram.ext.Updater"):
    logging.getLogger(_logger).addFilter(_OneLine())

__all__ = ["TelegramChat"]
