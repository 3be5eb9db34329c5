"""Answers to presses and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.port.chat import Shown, Target
from bot.port.errors import ChatError
from bot.port.screen import Screen


@dataclass(frozen=True)
class Attachment:
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
class PrivateRefusal:
    """A refusal: what was asked for can be done in the asker's private chat, at *table*."""

    said: str
    table: str
    good: bool = False


@dataclass(frozen=True, eq=False)
class ReservedBoard:
    """A board that the chat shows as part of its answer; no lane touches its message meanwhile.

    The chat shows *screen* in *target* as in ``Chat.show``, with the *picture* once it is painted;
    that is ``None`` if there is none, or the chat paints. In any case it must report.
    """

    target: Target
    screen: Screen
    picture: asyncio.Task[bytes] | None = None
    reported: asyncio.Future[Shown | None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def held(self) -> bool:
        """Whether the board may still be shown: false once reported, or when it took too long."""
        return not self.reported.done()

    def report(self, shown: Shown | None) -> None:
        """Report how the board was *shown*, once; ``None`` leaves it to a lane."""
        if self.held:
            self.reported.set_result(shown)

    def refuse(self, why: ChatError) -> None:
        """Say that the platform refused the board, and *why*: a lane shows it accordingly."""
        if self.held:
            self.reported.set_exception(why)


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
    board: ReservedBoard | None = None
    """The board itself, if the chat takes it (``takes_board``); ``None`` where a lane shows it."""


@dataclass(frozen=True)
class MenuAnswer:
    """*screen* takes the place of the pressed message's keyboard, *picture* that of its picture.

    On a message that others see, this is only the next step of a move. A screen of words alone
    ends a question to the asker.
    """

    screen: Screen
    picture: bytes | None = None
    said: str = ""
    good: bool = True


@dataclass(frozen=True)
class Card:
    """*screen* with its *picture*, for the asker alone, in a message of its own.

    The board that others see stays as it is. Without a *picture* it is words and buttons: a
    question to the asker, or what else they may do, and nothing in it is secret.
    """

    screen: Screen
    picture: bytes | None = None
    said: str = ""
    good: bool = True


@dataclass(frozen=True)
class FileAnswer:
    """A file with a few words."""

    said: str
    file: Attachment
    good: bool = True


@dataclass(frozen=True)
class Poster:
    """A picture or a film for everybody where it was asked for; *alt* says in words what it shows.

    The name of the *file* ends in ``.png`` or ``.gif``.
    """

    said: str
    file: Attachment
    alt: str = ""
    good: bool = True


@dataclass(frozen=True)
class Promised:
    """*said* now; the *answer* follows, for the asker alone, as soon as it is known.

    It changes no table, so the asker can do anything meanwhile. *waiting* words the progress, to be
    told from time to time.
    """

    said: str
    answer: asyncio.Task[Answer]
    waiting: Callable[[], str]
    good: bool = True

    async def known(self, seconds: float) -> bool:
        """Whether the answer is known within so many *seconds*; nothing is raised."""
        return bool((await asyncio.wait({self.answer}, timeout=seconds))[0])


Answer: TypeAlias = (
    Said | PrivateRefusal | BoardAnswer | MenuAnswer | Card | FileAnswer | Poster | Promised
)
"""What the asker hears, before anything else is shown: *said* and *good* are in each."""


@dataclass(frozen=True)
class Suggestion:
    """One completion of a command's parameter: what is shown, and what is typed."""

    label: str
    value: str


@dataclass(frozen=True)
class ShareableInvitation:
    """An invitation that its reader may send into any chat: its *title* and *line* in a list.

    What is sent says *words*, with a button *sit* whose *code* lets its presser sit down.
    """

    title: str
    line: str
    words: str
    sit: str
    code: str
