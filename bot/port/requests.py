"""What a chat hands in: presses and commands, with who asks and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Home:
    """The server of a place, by its *id*, and the *locale* it has chosen.

    *channel* is the channel of a place that is a thread, else the place itself; *parts* says that
    the bot may make threads there, *closed* that not everybody of the channel reads the thread.
    """

    id: str
    locale: str | None = None
    channel: str = ""
    parts: bool = False
    closed: bool = False


LONE = "="
"""The beginning of the id of a place that is one message, whose id follows."""


@dataclass(frozen=True)
class Where:
    """A place of a chat: a channel, a group, a private chat or a page of the browser.

    *thread* is the topic within it; *private* says that only one person reads here. *home* is the
    server whose settings hold here, where a request tells it, and *about* the place in which the
    buttons of a private message act; neither makes another place of it.

    >>> Where("discord", "hall") == Where("discord", "hall", home=Home("server"))
    True
    """

    platform: str
    place: str
    thread: str | None = None
    private: bool = False
    home: Home | None = field(default=None, compare=False)
    about: Where | None = field(default=None, compare=False)
    circle: bool = field(default=False, compare=False)
    """Whether it is a talk of a few who know each other: nothing that they play counts."""

    @property
    def key(self) -> tuple[str, str]:
        """By what storage knows it, apart from its threads."""
        return self.platform, self.place

    @property
    def lone(self) -> str | None:
        """The message that the place is: where the bot is no member it has nothing else."""
        return self.place.removeprefix(LONE) if self.place.startswith(LONE) else None


@dataclass(frozen=True)
class Asker:
    """A person on a platform; *language* is theirs, if the platform tells it.

    *speaks* is that of what they have written, which counts where nobody has told another.
    """

    platform: str
    external: str
    name: str
    language: str | None = None
    handle: str | None = None
    """The name by which others mention the person, without its @.

    Empty for a person without one, ``None`` on a platform without such names.
    """
    theme: str | None = field(default=None, compare=False)
    """The theme of what they look at, where the platform tells it."""
    speaks: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Role:
    """A role that people may have in a place, by its *id* and its *name*."""

    id: str
    name: str


@dataclass(frozen=True)
class PlaceStanding:
    """What a person is in a place: whether the person *manages* it, and the ids of their *roles*.

    *equals* says that nobody manages it, *unknown* that the platform does not tell the person's.
    """

    manages: bool = False
    roles: frozenset[str] = frozenset()
    equals: bool = False
    unknown: bool = False


@dataclass(frozen=True)
class PlatformEvent:
    """What *asker* did; *update* is the platform's id of the event.

    *token* lets Discord's answers be edited. *whispered* says that only the asker reads the words
    of the answer.
    """

    update: str
    where: Where
    asker: Asker
    _: KW_ONLY
    token: str | None = None
    whispered: bool = False
    standing: PlaceStanding | None = None
    """What the asker is in the place, if the event tells it."""
    sent: datetime | None = None
    """When it was done by the platform's clock, if that is told."""
    arrived: datetime | None = None
    """When it was done by the steady clock, as ``bot.service.clock.Arrivals`` judges it."""
    takes_board: bool = False
    """Whether the chat shows a new board itself, as the answer (``BoardAnswer.board``)."""


@dataclass(frozen=True)
class Press(PlatformEvent):
    """A press of a button, by its *code*.

    *message* holds the button; *own* says that only the presser sees it, so that it may show what
    others may not see. A board that the chat shows itself is that of *message*.
    """

    code: str
    message: str | None = None
    own: bool = False
    person: Asker | None = None
    """The person who was picked from a list."""
    text: str = ""
    """What was typed into the field that the button opened, in chats with such fields."""
    by_itself: bool = False
    """Whether nobody presses: the chat renews what the presser looks at."""
    seen: int = -1
    """The version of the table that the presser saw; -1 if the chat does not know."""
    covers: bool = False
    """Whether the next screen stands in place of a shared board, for the presser alone.

    *message* is that board, or with *own* the message that stands in its place by now.
    """


@dataclass(frozen=True)
class Upload:
    """A file that somebody sends: its *name* and *size* in bytes, and the *key* to fetch it by."""

    name: str
    size: int
    key: str = field(repr=False)


@dataclass(frozen=True)
class Command(PlatformEvent):
    """A command: its English *name* and its *values* by parameter.

    *people* are the persons mentioned, by parameter; *reply_to* is the message replied to, with
    the codes of its *keys* by what stands on them.
    """

    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, Asker] = field(default_factory=dict)
    reply_to: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    upload: Upload | None = None
    """The file that came with it, where the command takes one."""
