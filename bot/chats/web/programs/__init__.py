"""Programs of people play by JSON over HTTPS, which ``openapi.json`` describes."""

from bot.chats.web.programs.chat import ProgramChat

__all__ = ["ProgramChat"]
