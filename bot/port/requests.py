"""What a chat hands in: presses and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.port.people import Asker, PlaceStanding, Where


@dataclass(frozen=True)
class Press:
    """A button pressed. *update* is the platform's id of the event, *code* the button's code.

    *message* is the message it stands on; *token* lets Discord's answers be edited.
    *whispered* says that nobody but the presser will read the words of the answer; *own* that
    nobody but him sees the message, so that it may show what is his.
    """

    update: str
    where: Where
    asker: Asker
    code: str
    message: str | None = None
    token: str | None = None
    whispered: bool = False
    own: bool = False
    person: Asker | None = None
    """Who was picked from a list of people."""
    standing: PlaceStanding | None = None
    """What the presser is in the place, where the press says so by itself."""
    text: str = ""
    """What was typed into the field that the button opened, where a chat has such fields."""
    sent: datetime | None = None
    """When it was pressed, by the clock of the platform, where it tells."""
    arrived: datetime | None = None
    """When it was pressed by the steady clock, as far as the house believes it."""
    seen: int = -1
    """The version of the table that the presser had before him; -1 where his chat knows none."""
    takes_board: bool = False
    """Whether the chat shows the new board of *message* itself (``BoardAnswer.board``)."""


@dataclass(frozen=True)
class Command:
    """A command given: its English *name* and its *values* by parameter.

    *people* are the persons mentioned, by parameter; *reply_to* the message replied to;
    *whispered* says that nobody but the asker will read the answer.
    """

    update: str
    where: Where
    asker: Asker
    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, Asker] = field(default_factory=dict)
    reply_to: str | None = None
    token: str | None = None
    whispered: bool = False
    standing: PlaceStanding | None = None
    """What the asker is in the place, where the command says so by itself."""
    sent: datetime | None = None
    """When it was given, by the clock of the platform, where it tells."""
    arrived: datetime | None = None
    """When it was given by the steady clock, as far as the house believes it."""
    takes_board: bool = False
    """Whether the chat posts a new board itself, as the answer (``BoardAnswer.board``)."""
