"""Who asks something of the house, and where."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Home:
    """The server to which a place belongs, by its *id*, and the *locale* it has chosen.

    *channel* is the channel in which a place stands that is a thread, else the place itself;
    *parts* says that we may make a thread there.
    """

    id: str
    locale: str | None = None
    channel: str = ""
    parts: bool = False


@dataclass(frozen=True)
class Where:
    """A place of a chat: a channel, a group, a private chat or a page of the browser.

    *thread* is the topic within it; *private* says that one person alone reads here. *home* is
    known of what comes from a place of a server: what is chosen there holds for all its places.
    """

    platform: str
    place: str
    thread: str | None = None
    private: bool = False
    home: Home | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Asker:
    """Somebody on a platform; *language* is what the platform says of him, if anything."""

    platform: str
    external: str
    name: str
    language: str | None = None
    handle: str | None = None
    """The name by which others mention him, without its @.

    Empty where he bears none, ``None`` where nobody of the platform does.
    """


@dataclass(frozen=True)
class Role:
    """A role of a place, by its *id* and its *name*: those who have it may be allowed more."""

    id: str
    name: str


@dataclass(frozen=True)
class PlaceStanding:
    """What somebody is in a place: whether he *manages* it, and his *roles* by their ids.

    *equals* says that nobody manages it.
    """

    manages: bool = False
    roles: frozenset[str] = frozenset()
    equals: bool = False
