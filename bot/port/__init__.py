"""The port behind which every chat stands: what it hands in, and what it is asked to show.

A chat turns presses and commands into ``Press`` and ``Command``, hands them to the facade and
shows the ``Answer`` to the asker alone. The board of the message that was pressed, or that a
command opens, is part of the answer where the chat takes it (``BoardAnswer.board``). All other
boards are owed to views: ``bot.boards.delivery`` asks the chat to ``show`` them.
"""

from bot.port.answers import (
    Answer,
    Attachment,
    BoardAnswer,
    Card,
    FaultAnswer,
    FileAnswer,
    MenuAnswer,
    Posted,
    Poster,
    PrivateRefusal,
    Promised,
    ReservedBoard,
    Said,
    ScreenAnswer,
    ShareableInvitation,
    ShareableMove,
    Suggestion,
)
from bot.port.chat import (
    BURIED,
    LONG_WAIT,
    BlockedByFilter,
    BoardGone,
    Capabilities,
    Chat,
    ChatError,
    Diagnosis,
    FileTooLarge,
    Later,
    MessageGone,
    MessageStuck,
    NotTaken,
    Pace,
    Ping,
    PlaceMoved,
    PlaceShut,
    PublicAddress,
    RequestRefused,
    Shown,
    Skips,
    Space,
    Stumbled,
    Target,
    ThreadShut,
    Uncalled,
    capabilities_of,
)
from bot.port.requests import LONE, Asker, Command, Home, PlaceStanding, Press, Role, Upload, Where
from bot.port.screen import Button, Choice, Countdown, Form, KeyRows, Preview, Screen
