"""The wiring: tables, the game session manager, screens, commands and chats."""
