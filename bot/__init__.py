"""The wiring: tables, the game session manager, screens, commands and chats."""

__version__ = "1.1.0.dev0"
