"""The port behind which every chat stands: what it hands in, and what it is asked to show.

A chat turns presses and commands into ``Press`` and ``Call``, hands them to the house and
shows the ``Answer`` to the asker alone. Boards are not part of an answer: they are owed to
views and shown by ``bot.outbox.delivery``, which asks the chat to ``show`` a screen.
"""

from bot.port.answers import (
    Answer,
    BoardAnswer,
    Card,
    Elsewhere,
    File,
    FileAnswer,
    MenuAnswer,
    Offer,
    Poster,
    Promised,
    Said,
    Suggestion,
)
from bot.port.asked import Call, Press
from bot.port.chat import BURIED, BURST, Chat, Diagnosis, Pace, Shown, Target
from bot.port.errors import ChatError, Later, MessageGone, PlaceMoved, PlaceShut, Stumbled, Uncalled
from bot.port.people import Asker, Home, Role, Standing, Where
from bot.port.screen import Button, Choice, Countdown, Screen

__all__ = [
    "BURIED",
    "BURST",
    "Answer",
    "Asker",
    "BoardAnswer",
    "Button",
    "Call",
    "Card",
    "Chat",
    "ChatError",
    "Choice",
    "Countdown",
    "Diagnosis",
    "Elsewhere",
    "File",
    "FileAnswer",
    "Home",
    "Later",
    "MenuAnswer",
    "MessageGone",
    "Offer",
    "Pace",
    "PlaceMoved",
    "PlaceShut",
    "Poster",
    "Press",
    "Promised",
    "Role",
    "Said",
    "Screen",
    "Shown",
    "Standing",
    "Stumbled",
    "Suggestion",
    "Target",
    "Uncalled",
    "Where",
]
