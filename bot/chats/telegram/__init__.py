"""Telegram: groups, topics and private chats, by polling or by a webhook."""

import logging
import os

from bot.chats.telegram.chat import TelegramChat

# Without this the library warns that it gives waits in seconds.
os.environ.setdefault("PTB_TIMEDELTA", "1")
# It would log whole pages of a proxy's errors, which are raised to us anyway.
logging.getLogger("telegram.request").setLevel(logging.CRITICAL)


class _OneLine(logging.Filter):
    """Logs in one line what the library logs with a traceback and with people's words."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        said, received, _ = str(record.msg).partition(" Received data was:")
        if received:
            record.msg, record.args = said, ()
        return True


for _logger in ("telegram.ext", "telegram.ext.Updater"):
    logging.getLogger(_logger).addFilter(_OneLine())

__all__ = ["TelegramChat"]
