"""Why a chat could not do what it was asked."""

from __future__ import annotations


class ChatError(Exception):
    """A chat could not do what it was asked; the operator's matter, not the player's."""


class Later(ChatError):
    """The place takes nothing for *seconds*: the platform asks for patience."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds


class Uncalled(ChatError):
    """Somebody is to be called again in *seconds*; what is shown in his place goes on meanwhile."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not called; again in {seconds:g} s")
        self.seconds = seconds


class MessageGone(ChatError):
    """The message to edit was deleted, or may not be edited any more: post a new one."""


class PlaceShut(ChatError):
    """The bot was removed, blocked or may not write here: nothing more to this place."""


class PlaceMoved(ChatError):
    """The place has a new id (a Telegram group became a supergroup)."""

    def __init__(self, place: str) -> None:
        super().__init__(f"moved to {place}")
        self.place = place


class Stumbled(ChatError):
    """A chat falls again and again: the process is to end, and to be started anew."""
