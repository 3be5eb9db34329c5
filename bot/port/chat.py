"""The port itself: what a chat must be able to do, and why it could not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.port.requests import Asker, PlaceStanding, Role, Upload, Where
from bot.port.screen import Button, Screen

Skips: TypeAlias = Callable[[str], Awaitable[bool]]
"""Whether the message with an id is to be left alone."""


class ChatError(Exception):
    """A chat could not do what it was asked; the operator is told, not the player."""


class Later(ChatError):
    """The platform takes nothing more in this place for *seconds*."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds


class Uncalled(ChatError):
    """A call did not arrive and is repeated in *seconds*; boards are shown meanwhile."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not called; again in {seconds:g} s")
        self.seconds = seconds


class MessageGone(ChatError):
    """The message was deleted or cannot be edited any more: a new one is posted."""


class BoardGone(MessageGone):
    """The board that a call answers was deleted; the call stands all the same, as *call*."""

    def __init__(self, call: str) -> None:
        super().__init__("the board that was called to is gone")
        self.call = call


class MessageStuck(MessageGone):
    """The message stands but cannot be edited: a new one is posted, and this one removed."""


class BlockedByFilter(ChatError):
    """A filter of the place refused the words; it may let others through."""


class FileTooLarge(ChatError):
    """What was to be fetched is larger than was asked for."""


class RequestRefused(ChatError):
    """The platform refused what was sent, for a reason that nobody expected."""


class NotTaken(ChatError):
    """The platform has certainly not taken what was sent, and may take it the next time."""


class PlaceShut(ChatError):
    """The bot was removed, blocked or may not write here: the place gets nothing more.

    *announced* says that the platform will tell when the bot is let in again, so that a press
    does not.
    """

    def __init__(self, why: str = "", *, announced: bool = False) -> None:
        super().__init__(why)
        self.announced = announced


class ThreadShut(ChatError):
    """The thread takes no new message, such as a closed topic; the rest of the place does."""


class PlaceMoved(ChatError):
    """The place has a new id (a Telegram group became a supergroup)."""

    def __init__(self, place: str) -> None:
        super().__init__(f"moved to {place}")
        self.place = place


class Stumbled(ChatError):
    """A chat fails again and again: the process must end and be started anew."""


@dataclass(frozen=True)
class Target:
    """Where a screen is shown: the *message* to edit, ``None`` for a new one.

    *token* is the newest interaction token for a place without the bot, or for an answer that is
    still due. *nonce* names this posting, so that a repeated one is recognized.
    """

    where: Where
    message: str | None
    token: str | None = None
    nonce: str = ""
    posted: float | None = None
    """When the message was posted, in seconds since the epoch."""


@dataclass(frozen=True)
class Shown:
    """A screen was shown as *message*, a *fresh* one or one that was there.

    *called* says that the people whom the screen mentions were notified, *by_token* that it was
    shown by the token of a press or command, which tells nothing of what the place takes, *same*
    that the message had shown it before.
    """

    message: str
    fresh: bool = False
    called: bool = False
    by_token: bool = False
    same: bool = False


@dataclass(frozen=True)
class Diagnosis:
    """What a platform said of the bot, for its operator."""

    level: Literal["fine", "warning", "error"]
    text: str


LONG_WAIT = 3.0
"""Seconds above which whoever waits for a board is told of it."""

BURST = 5.0
"""The seconds over which a burst of calls is counted."""

BURIED = 8
"""How many messages below a board make a call post it anew."""


@dataclass(frozen=True)
class Pace:
    """How many calls a place takes: *count* in *seconds*, *burst* of them in ``BURST`` seconds.

    ``None`` stands for no limit.
    """

    count: int | None = None
    seconds: float = 60.0
    burst: int | None = None

    @property
    def windows(self) -> tuple[tuple[int, float], ...]:
        """The limits as pairs of a count and seconds, as a ``Limiter`` takes them."""
        pairs = ((self.count, self.seconds), (self.burst, BURST))
        return tuple((count, seconds) for count, seconds in pairs if count is not None)


@dataclass(frozen=True)
class Space:
    """How many *choices* a chat shows at once, ``None`` for no limit.

    A board of at most *widest* rows and columns is laid out as it is, however many choices it has.
    *even* says that all buttons of a row are as wide as the widest of them. Moves of several steps
    have one button each if at most *whole_moves* are legal. *landscape* says that pictures are
    shown in a box that is wider than high, so that bars stand beside the board.
    """

    choices: int | None = 24
    widest: int = 5
    even: bool = False
    whole_moves: int = 0
    landscape: bool = False


@dataclass(frozen=True)
class Capabilities:
    """What a chat can do and other chats cannot."""

    space: Space = Space()
    theme: str = ""
    """The theme of its boards if nobody has chosen one; empty for the theme of all chats."""
    threads: bool = False
    """Whether a table may have a thread of its own."""
    roles: bool = False
    """Whether people have roles."""
    lists_people: bool = False
    """Whether a person is picked from a list while a command is typed."""
    picks_people: bool = False
    """Whether a button lets the reader of a private chat pick a person."""
    takes_unasked: bool = False
    """Whether a private place takes boards of which its reader has not asked for any yet."""
    opens_page: bool = False
    """Whether a button opens the page within the chat."""
    cheers: bool = False
    """Whether a new message may celebrate that its reader has won; an edit cannot."""
    calls_by_boards: bool = True
    """Whether a new board that mentions people tells them in words why; else a call follows it."""
    forms: bool = False
    """Whether choices are made together in a form."""
    programs: bool = False
    """Whether programs of people play here, each in a place of its own."""
    whole_moves: int = 0
    """Up to how many moves have one button each on a shared board where calls are scarce."""


@dataclass(frozen=True)
class PublicAddress:
    """How a stranger finds the bot: its *name*, and a *link* that anybody may follow, or ""."""

    name: str = "Ludoteca"
    link: str = ""


@dataclass(frozen=True)
class Ping:
    """A short message that calls *people* to the message *board*, as a reply to it.

    It mentions the *roles*, by their ids, where there are any. A repeated *nonce* is recognized.
    The *key* shows the board, also once that message is gone.
    """

    people: tuple[Asker, ...]
    text: str
    board: str | None = None
    nonce: str = ""
    roles: Sequence[str] = ()
    key: Button | None = None


class Chat(ABC):
    """A chat: Discord, Telegram or the browser."""

    platform: str
    capabilities: Capabilities = Capabilities()
    everywhere: bool = False
    """Whether each of several processes runs it, not only the one with its lease.

    The ids of its messages are the codes of their tables.
    """
    paints: bool = False
    """Whether it has the pictures of boards painted itself, for each reader."""
    misses: bool = False
    """Whether what people do while nobody is connected is lost."""

    shares: tuple[str, ...] = ("",)
    """The parts that several processes divide among them; most chats have only one."""

    def share_of(self, home: str) -> str:
        """The share of *home*, a server or a place without one."""
        return self.shares[0]

    async def reaches(self, where: Where) -> bool:
        """Whether whoever reads the private place *where* is told while they are away."""
        return where.private and not self.everywhere

    async def take(self, share: str) -> None:
        """Begin to serve *share*; raises ``ChatError``."""

    async def drop(self, share: str) -> None:
        """Leave *share* as soon as another process serves it, which gets its lease at once."""

    @abstractmethod
    async def start(self) -> None:
        """Connect, and begin to take presses and commands."""

    @abstractmethod
    async def rest(self) -> None:
        """Take nothing more, and finish what was taken; boards are shown until ``stop``."""

    @abstractmethod
    async def stop(self) -> None:
        """Disconnect."""

    @abstractmethod
    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* with its *picture* as a new message, or in place of the *target*'s.

        Raises ``Later``, ``MessageGone``, ``PlaceShut``, ``ThreadShut``, ``PlaceMoved`` or
        ``ChatError``.
        """

    def newest(self, where: Where, board: str | None) -> str | None:
        """A mark of what stands in *where*, and perhaps a *board* of ours, before one is sent.

        ``None`` where the platform knows a repeated posting itself.
        """
        return None

    async def remove_repeated(self, where: Where, after: str, before: str, skips: Skips) -> None:
        """Remove our messages with buttons between the marks *after* and *before*, if unknown.

        *before* may be a message. *skips* is asked before one is touched, and waits for its turn.
        Raises ``ChatError``.
        """

    @abstractmethod
    async def ping(self, where: Where, ping: Ping) -> str | None:
        """Post *ping* in *where*; returns its id for ``remove``, or ``None``.

        Raises ``BoardGone`` where it was posted and its board was not there.
        """

    @abstractmethod
    async def remove(self, where: Where, message: str) -> None:
        """Remove a message of ours; one that is gone already is no error."""

    async def lead_on(self, where: Where, message: str, to: str, tongue: str) -> bool:
        """Let *message* of ours say that *to* goes on with it, in the language *tongue*.

        Only where somebody has just pressed it, and may look for it. Whether it does; raises
        ``ChatError``.
        """
        return False

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        """What *asker* is in *where*, as far as the platform tells."""
        return PlaceStanding()

    async def has_left(self, where: Where, person: Asker) -> bool:
        """Whether *person* is no member of *where* any more: left, put out or deleted.

        Asks the platform, which may not say; raises ``ChatError``.
        """
        return False

    async def kept_back(self, where: Where, person: Asker) -> float:
        """For how many seconds *person* can do nothing in *where*, as far as its platform says.

        A moderator has silenced them, or they have still to accept its rules. Raises ``ChatError``.
        """
        return 0.0

    def roles(self, where: Where) -> Sequence[Role]:
        """The roles that people may have in *where*."""
        return ()

    async def may_part(self, where: Where) -> bool:
        """Whether ``part`` may make places within *where*, as far as the platform tells."""
        return self.capabilities.threads and where.home is not None and where.home.parts

    async def part(self, where: Where, name: str) -> Where:
        """Make a place *name* within *where* for a table; raises ``PlaceShut`` or ``ChatError``."""
        raise PlaceShut(f"nothing is made within a place of {where.platform}")

    async def lead(self, where: Where, people: Sequence[Asker]) -> None:
        """Bring *people* to *where*, the place of their table; raises ``ChatError``."""

    async def keep(self, where: Where, *, played: bool) -> None:
        """Keep *where* while its table is *played*, else let it go soon; raises ``ChatError``."""

    def link(self, where: Where, message: str = "") -> str:
        """The address of *message* in *where*, or of the place; empty for none."""
        return ""

    async def forget(self, external: str) -> None:
        """End the sessions of the person with the id *external*, and drop what is known of them.

        They are being forgotten. It is called before and after they are erased; only the answer
        to what they asked last may still be told.
        """

    async def fetch(self, upload: Upload, most: int) -> bytes:
        """The file *upload* of at most *most* bytes; raises ``FileTooLarge`` where it is larger.

        Raises ``ChatError``, also where nothing can be sent to us.
        """
        raise ChatError(f"nothing can be sent: {upload.name[:40]}")

    async def shut_out(self, external: str) -> None:
        """End what the person with the id *external*, who was banned, has open."""

    async def is_buried(self, where: Where, message: str, posted: float | None) -> bool:
        """Whether *message* is so far up in *where* that a new one is better than a reply to it.

        *posted* is when it was posted, in seconds since the epoch. Raises ``ChatError``.
        """
        return False

    def open_here(self, place: str) -> bool:
        """Whether somebody reads *place* through this process."""
        return False

    def versions_open_here(self) -> Mapping[str, set[int]]:
        """By table, the versions on the boards that are open through this process.

        Nothing where the platform itself keeps what was shown last.
        """
        return {}

    async def rewind(self) -> None:
        """Show whatever is open anew: an older database has taken the place of ours."""

    def is_connected(self) -> bool:
        """Whether the chat takes presses and commands now."""
        return True

    async def handed_over(self, has_heirs: Callable[[], bool]) -> None:
        """Take presses by shares that were dropped until others do, or nobody ``has_heirs``."""

    def sessions_left(self) -> int | None:
        """How many more sessions the platform lets begin, ``None`` where it does not count."""
        return None

    def held_up(self) -> bool:
        """Whether a session waits because the platform lets too few begin."""
        return False

    def public_address(self) -> PublicAddress:
        """How a stranger finds the bot here; never the address of a table or a server."""
        return PublicAddress()

    def pace(self, where: Where) -> Pace:
        """How often *where* may be written to."""
        return Pace()


def capabilities_of(chats: Mapping[str, Chat], platform: str) -> Capabilities:
    """What the chat of *platform* can do; the least if it is none of *chats*."""
    chat = chats.get(platform)
    return Capabilities() if chat is None else chat.capabilities
