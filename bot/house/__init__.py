"""The house: the one door for chats."""

from bot.house.house import House
from bot.house.limits import Verdict
from bot.house.notes import Notes, Noting
from bot.house.receipts import Receipt, Receipts
from bot.table.places import OPENED
from bot.table.play import LONGEST_WORDS
from storage.errors import StorageError

__all__ = [
    "LONGEST_WORDS",
    "OPENED",
    "House",
    "Notes",
    "Noting",
    "Receipt",
    "Receipts",
    "StorageError",
    "Verdict",
]
