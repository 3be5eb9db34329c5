"""The port behind which every chat stands: what it hands in, and what it is asked to show.

A chat turns presses and commands into ``Press`` and ``Call``, hands them to the house and
shows the ``Answer`` to the asker alone. Boards are not part of an answer: they are owed to
views and shown by ``bot.outbox.delivery``, which asks the chat to ``show`` a screen.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeAlias

from render.scene import Scene


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
class Standing:
    """What somebody is in a place: whether he *manages* it, and his *roles* by their ids.

    *equals* says that nobody manages it.
    """

    manages: bool = False
    roles: frozenset[str] = frozenset()
    equals: bool = False


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
    standing: Standing | None = None
    """What the presser is in the place, where the press says so by itself."""
    text: str = ""
    """What was typed into the field that the button opened, where a chat has such fields."""
    sent: datetime | None = None
    """When it was pressed, by the clock of the platform, where it tells."""
    arrived: datetime | None = None
    """When it was pressed by the steady clock, as far as the house believes it."""


@dataclass(frozen=True)
class Call:
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
    standing: Standing | None = None
    """What the asker is in the place, where the command says so by itself."""
    sent: datetime | None = None
    """When it was given, by the clock of the platform, where it tells."""
    arrived: datetime | None = None
    """When it was given by the steady clock, as far as the house believes it."""


@dataclass(frozen=True)
class Button:
    """One button: what it says, its *code*, and how much it weighs.

    *style* is ``move`` for what continues the game, ``final`` for a move that is no piece's and
    ends a turn or a stage, ``blank`` for a cell of a board where there is nothing to choose,
    ``house`` for the rest, ``good`` for what joins or accepts, ``danger`` for what cannot be
    taken back. *step* is the spot on
    the picture that means the same choice, *tap* the code for it: a tap selects where the
    button plays a whole move that leads from one place to another.
    """

    label: str
    code: str
    style: str = "house"
    letter: str = ""
    step: str = ""
    tap: str = ""


@dataclass(frozen=True)
class Choice:
    """One thing to be chosen of several: its *label*, its *options*, the number of the *chosen*.

    Without a label the options speak for themselves. A chat with lists shows a list; the others
    show buttons: all options, or where there is a label the one that says what is chosen, which
    chooses the next option or *opens* a screen of them all. Without options it is people who are
    chosen from, and *person* the code of such a press: chats that cannot list people show nothing.
    """

    label: str
    options: tuple[Button, ...] = ()
    chosen: int | None = None
    opens: str = ""
    person: str = ""

    def rows(self) -> tuple[tuple[Button, ...], ...]:
        """The same as rows of buttons."""
        if self.label and self.options:
            number = self.chosen or 0
            following = self.options[(number + 1) % len(self.options)].code
            said = f"{self.label}: {self.options[number].label}"
            return ((Button(said, self.opens or following),),)
        shown = tuple(
            replace(one, label=f"✓ {one.label}") if number == self.chosen else one
            for number, one in enumerate(self.options)
        )
        # Rows keep their widths whatever is chosen.
        longest = max((len(one.label) for one in self.options), default=0)
        width = next((width for most, width in _WIDTHS if longest <= most), 1)
        return tuple(shown[n : n + width] for n in range(0, len(shown), width))


_WIDTHS = ((13, 3), (22, 2))
"""How many options stand in a row while the longest has at most so many characters."""


@dataclass(frozen=True)
class Countdown:
    """Something that is over at the instant *until*, which chats show in the reader's own time.

    *said* stands before it; *plain* is the day and time, for whoever sees no such times.
    """

    said: str
    until: datetime
    plain: str


@dataclass(frozen=True)
class Screen:
    """What a chat shows of a table to one viewer.

    *headline* begins with whose turn it is; *lines* tell what happened and what is asked;
    *alt* says in words all that the picture shows. *mentions* are people whom a new message
    calls before its headline. Chats escape every text themselves.
    """

    table: str
    version: int
    headline: str
    lines: tuple[str, ...] = ()
    alt: str = ""
    scene: Scene | None = None
    rows: tuple[tuple[Button, ...], ...] = ()
    mentions: tuple[Asker, ...] = ()
    over: bool = False
    language: str = "es"
    title: str = ""
    choices: tuple[Choice, ...] = ()
    marked: bool = False
    """Whether the lines bear the marks of ``bot.texts.marks``."""
    """What is chosen above the buttons."""
    countdown: Countdown | None = None
    """The time that runs, shown below the lines."""
    invitation: str = ""
    """The words with which its reader may invite somebody from elsewhere to the table."""

    @property
    def buttons(self) -> tuple[tuple[Button, ...], ...]:
        """The rows of buttons for a chat without lists: those of the choices first."""
        return (*(row for choice in self.choices for row in choice.rows()), *self.rows)

    def digest(self) -> str:
        """A fingerprint of everything shown: two equal screens need one edit."""
        shown = repr(
            (self.headline, self.lines, self.countdown, self.alt, self.scene, self.buttons)
        )
        return hashlib.sha256(shown.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class File:
    """A file handed to a person."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Said:
    """Words and nothing else; *good* tells an outcome from a refusal, which is always private.

    The boards of *table*, if it has a code, show what was done. *links* are addresses to be shown
    behind the lines of it, one a line, empty where there is none.
    """

    said: str = ""
    good: bool = True
    private: bool = True
    table: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Elsewhere:
    """A refusal: what was asked for can be done in the asker's private chat, at *table*."""

    said: str
    table: str
    good: bool = False


@dataclass(frozen=True)
class BoardAnswer:
    """A board shows what was done: the one that was pressed, or *view*, which is owed it.

    A chat whose words stay on the screen need not say it, unless *aloud* wants it said too. *link*
    leads to a board that stands elsewhere; *note* is a further sentence to the asker alone.
    """

    said: str = ""
    view: int | None = None
    private: bool = True
    aloud: bool = False
    good: bool = True
    link: str = ""
    note: str = ""


@dataclass(frozen=True)
class MenuAnswer:
    """*screen* takes the place of the pressed message's keyboard, *picture* that of its picture.

    On a message that others see this is the next step of whoever is asked there, and nothing
    else. A screen of words alone ends a question that was put to the asker by himself.
    """

    screen: Screen
    picture: bytes | None = None
    said: str = ""
    good: bool = True


@dataclass(frozen=True)
class Card:
    """*screen* with its *picture*, for the asker alone, in a message of its own.

    The board that others see stays as it is. Without a *picture* it is words and buttons: a
    question to the asker, or what else he may do; nothing in it is hidden from anybody.
    """

    screen: Screen
    picture: bytes | None = None
    said: str = ""
    good: bool = True


@dataclass(frozen=True)
class FileAnswer:
    """A file with a few words."""

    said: str
    file: File
    good: bool = True


Answer: TypeAlias = Said | Elsewhere | BoardAnswer | MenuAnswer | Card | FileAnswer
"""What the asker hears, before anything else is shown: *said* and *good* are in each."""


@dataclass(frozen=True)
class Suggestion:
    """One completion of a command's parameter: what is shown, and what is typed."""

    label: str
    value: str


@dataclass(frozen=True)
class Offer:
    """An invitation that its reader may send into any chat: its *title* and *line* in a list.

    What is sent says *words*, with a button *sit* by whose *code* whoever presses it sits down.
    """

    title: str
    line: str
    words: str
    sit: str
    code: str


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


class ChatError(Exception):
    """A chat could not do what it was asked; the operator's matter, not the player's."""


class Later(ChatError):
    """The place takes nothing for *seconds*: the platform asks for patience."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} s")
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


class Chat(ABC):
    """A chat: Discord, Telegram or the browser."""

    platform: str

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
        """Show *screen* as a new message or in place of the one there.

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

    async def standing(self, where: Where, asker: Asker) -> Standing:
        """What *asker* is in *where*, as far as the platform tells: nobody in particular."""
        del where, asker
        return Standing()

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

    def connected(self) -> bool:
        """Whether the chat takes presses and commands just now."""
        return True

    def pace(self, where: Where) -> Pace:
        """How often *where* may be written to."""
        del where
        return Pace()
