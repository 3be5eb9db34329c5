"""The house: the one door for chats."""

from bot.facade.chat_notes import ChatNotes, Noting
from bot.facade.composition import open_facade
from bot.facade.facade import Facade
from bot.facade.inbox import Inbox, Receipt
from bot.service.limits import Verdict
from bot.service.places import OPENED
from bot.session.play import LONGEST_WORDS
from storage.errors import StorageError

__all__ = [
    "LONGEST_WORDS",
    "OPENED",
    "ChatNotes",
    "Facade",
    "Inbox",
    "Noting",
    "Receipt",
    "StorageError",
    "Verdict",
    "open_facade",
]
