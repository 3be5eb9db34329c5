"""The wiring: tables, the game session manager, screens, commands and chats."""

__version__ = "0.4.0.dev0"
