"""The house: the one door for chats."""

from bot.house.house import House
from storage.errors import StorageError

__all__ = ["House", "StorageError"]
