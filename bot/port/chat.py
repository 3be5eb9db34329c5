"""The port itself: what a chat must be able to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.port.errors import PlaceShut
from bot.port.people import Asker, PlaceStanding, Role, Where
from bot.port.screen import Screen


@dataclass(frozen=True)
class Target:
    """Where a screen is to be shown: a message to edit, or none yet.

    *token* is the newest interaction token of a place the bot is no member of (or of an
    answer still to be given). *nonce* names this posting, so that a repeated one is known: what
    was posted then may show the table as it was.
    """

    where: Where
    message: str | None
    token: str | None = None
    nonce: str = ""
    posted: float | None = None
    """When the message was posted, in seconds since the epoch."""


@dataclass(frozen=True)
class Shown:
    """A screen was shown as *message*; *fresh* when it is a new one.

    *called* says that whom the screen mentions has heard of it.
    """

    message: str
    fresh: bool = False
    called: bool = False


@dataclass(frozen=True)
class Diagnosis:
    """What a platform said of the bot, for its operator: ``fine``, ``warning`` or ``error``."""

    level: Literal["fine", "warning", "error"]
    text: str


BURST = 5.0
"""Over how many seconds a burst of calls is counted."""


BURIED = 8
"""How many messages below a board make a call bring it down."""


@dataclass(frozen=True)
class Pace:
    """How often a place may be written to: *count* calls in *seconds*, none for no limit.

    *burst* is how many of them may come within ``BURST`` seconds.
    """

    count: int | None = None
    seconds: float = 60.0
    burst: int | None = None

    @property
    def windows(self) -> tuple[tuple[int, float], ...]:
        """The same as counts and the seconds within any of which there may be no more."""
        pairs = ((self.count, self.seconds), (self.burst, BURST))
        return tuple((count, seconds) for count, seconds in pairs if count is not None)


@dataclass(frozen=True)
class Space:
    """How much a chat shows at once: *choices*, none for no limit, and boards of buttons.

    A board of at most *widest* rows and columns is laid out as it is, however many choices it has.
    *even* says that the buttons of a row are all as wide as the widest of them.
    """

    choices: int | None = 24
    widest: int = 5
    even: bool = False


@dataclass(frozen=True)
class Capabilities:
    """What a chat can do and other chats cannot."""

    space: Space = Space()
    theme: str = ""
    """The theme of its boards where nobody has chosen one; "" for the theme of all chats."""
    threads: bool = False
    """Whether a table may have a thread of its own."""
    roles: bool = False
    """Whether people have roles."""
    lists_people: bool = False
    """Whether people are picked from a list while a command is typed."""
    picks_people: bool = False
    """Whether a button lets the reader of a private chat pick a person."""


class Chat(ABC):
    """A chat: Discord, Telegram or the browser."""

    platform: str
    capabilities: Capabilities = Capabilities()
    everywhere: bool = False
    """Whether each of several processes runs it, not only the one that holds it.

    Its messages are called by the codes of their tables.
    """
    paints: bool = False
    """Whether it has the pictures of boards painted itself, as each reader wants them."""

    shares: tuple[str, ...] = ("",)
    """What several processes divide among them, by names: most chats are one process's alone."""

    def share_of(self, home: str) -> str:
        """The share to which *home* belongs, a server or a place that belongs to none."""
        del home
        return self.shares[0]

    async def take(self, share: str) -> None:
        """*share* is ours from now on; raises ``ChatError``."""
        del share

    async def drop(self, share: str) -> None:
        """Another process asks for *share*: take nothing more of it."""
        del share

    @abstractmethod
    async def start(self) -> None:
        """Connect and take presses and commands from now on."""

    @abstractmethod
    async def rest(self) -> None:
        """Take nothing more and finish what was taken; boards are shown until ``stop``."""

    @abstractmethod
    async def stop(self) -> None:
        """Disconnect."""

    @abstractmethod
    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen*, with its *picture*, as a new message or in place of the one there.

        Raises ``Later``, ``MessageGone``, ``PlaceShut``, ``PlaceMoved`` or ``ChatError``.
        """

    @abstractmethod
    async def ping(
        self, where: Where, people: Sequence[Asker], text: str, board: str | None, nonce: str
    ) -> str | None:
        """Post a short message that calls *people* to the message *board*, as an answer to it.

        Answers its id, to be removed later, or ``None`` where there is nothing to remove. *nonce*
        names the posting, so that a repeated one is known.
        """

    @abstractmethod
    async def remove(self, where: Where, message: str) -> None:
        """Remove a message of our own; one that is gone already is no error."""

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        """What *asker* is in *where*, as far as the platform tells: nobody in particular."""
        del where, asker
        return PlaceStanding()

    def roles(self, where: Where) -> Sequence[Role]:
        """The roles that people may have in *where*."""
        del where
        return ()

    async def part(self, where: Where, name: str) -> Where:
        """Make a place within *where*, called *name*, for one table alone.

        Raises ``PlaceShut`` where that is not allowed, else ``ChatError``.
        """
        del name
        raise PlaceShut(f"nothing is made within a place of {where.platform}")

    async def lead(self, where: Where, people: Sequence[Asker]) -> None:
        """Bring *people* to *where*, which was made for their table; raises ``ChatError``."""
        del where, people

    async def keep(self, where: Where, *, played: bool) -> None:
        """*where* was made for one table: it stays while that is *played*, else it may go soon.

        Raises ``ChatError``.
        """
        del where, played

    def link(self, where: Where, message: str = "") -> str:
        """The address of *message* in *where*, or of the place; nothing where it has none."""
        del where, message
        return ""

    async def forgotten(self, external: str) -> None:
        """Nobody knows any more who bears the id *external*: keep nothing of him either."""
        del external

    async def buried(self, where: Where, message: str, posted: float | None) -> bool:
        """Whether *message* lies so far up in *where* that a new one is better than an answer.

        *posted* is when it was posted, in seconds since the epoch. Raises ``ChatError``.
        """
        del where, message, posted
        return False

    def open_here(self, place: str) -> bool:
        """Whether somebody reads *place* by this very process, whoever holds the chat."""
        del place
        return False

    def connected(self) -> bool:
        """Whether the chat takes presses and commands just now."""
        return True

    def pace(self, where: Where) -> Pace:
        """How often *where* may be written to."""
        del where
        return Pace()


def capabilities_of(chats: Mapping[str, Chat], platform: str) -> Capabilities:
    """What the chat of *platform* can do, if it is one of *chats*."""
    chat = chats.get(platform)
    return Capabilities() if chat is None else chat.capabilities
