"""The port behind which every chat stands: what it hands in, and what it is asked to show.

A chat turns presses and commands into ``Press`` and ``Command``, hands them to the house and
shows the ``Answer`` to the asker alone. Boards are not part of an answer: they are owed to
views and shown by ``bot.boards.delivery``, which asks the chat to ``show`` a screen.
"""

from bot.port.answers import (
    Answer,
    Attachment,
    BoardAnswer,
    Card,
    FileAnswer,
    MenuAnswer,
    Poster,
    PrivateRefusal,
    Promised,
    Said,
    ShareableInvitation,
    Suggestion,
)
from bot.port.chat import BURIED, BURST, Chat, Diagnosis, Pace, Shown, Target
from bot.port.errors import ChatError, Later, MessageGone, PlaceMoved, PlaceShut, Stumbled, Uncalled
from bot.port.people import Asker, Home, PlaceStanding, Role, Where
from bot.port.requests import Command, Press
from bot.port.screen import Button, Choice, Countdown, Screen

__all__ = [
    "BURIED",
    "BURST",
    "Answer",
    "Asker",
    "Attachment",
    "BoardAnswer",
    "Button",
    "Card",
    "Chat",
    "ChatError",
    "Choice",
    "Command",
    "Countdown",
    "Diagnosis",
    "FileAnswer",
    "Home",
    "Later",
    "MenuAnswer",
    "MessageGone",
    "Pace",
    "PlaceMoved",
    "PlaceShut",
    "PlaceStanding",
    "Poster",
    "Press",
    "PrivateRefusal",
    "Promised",
    "Role",
    "Said",
    "Screen",
    "ShareableInvitation",
    "Shown",
    "Stumbled",
    "Suggestion",
    "Target",
    "Uncalled",
    "Where",
]
