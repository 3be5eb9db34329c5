"""Answers to presses and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.port.chat import ChatError, Shown, Target
from bot.port.screen import Screen

Posted: TypeAlias = Callable[[str], None]
"""Is told the id of the message in which something was posted."""


@dataclass(frozen=True)
class Attachment:
    """A file handed to a person."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Said:
    """Words alone; *good* tells an outcome from a refusal, which is always private.

    The boards of *table*, if any, show what was done; the words lead to the address *link*, if any.
    *cells* are the places of the picture that the words are about, by the names that its painter
    gives them; what is none of them is passed over. *leads* are the words above the buttons that
    lead on, for chats that show some beside words.
    """

    said: str = ""
    good: bool = True
    private: bool = True
    table: str = ""
    link: str = ""
    cells: tuple[str, ...] = ()
    leads: Screen | None = None


@dataclass(frozen=True)
class FaultAnswer(Said):
    """A fault of ours in words, not *good*: the same may be asked again."""

    good: bool = False


@dataclass(frozen=True)
class PrivateRefusal:
    """A refusal of what the asker can do in their private chat, at *table*."""

    said: str
    table: str
    good: bool = False


@dataclass(frozen=True, eq=False)
class ReservedBoard:
    """A board that the chat shows as part of its answer; no lane edits its message meanwhile.

    The chat shows *screen* in *target* as in ``Chat.show``, with the *picture* once it is painted;
    that is ``None`` for a board without one, and for a chat that paints. It must always report.
    """

    target: Target
    screen: Screen
    picture: asyncio.Task[bytes] | None = None
    reported: asyncio.Future[Shown | None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def is_held(self) -> bool:
        """Whether the board may still be shown: not after a report, nor when it took too long."""
        return not self.reported.done()

    def report(self, shown: Shown | None) -> None:
        """Report how the board was *shown*, once; ``None`` leaves it to a lane."""
        if self.is_held:
            self.reported.set_result(shown)

    def refuse(self, why: ChatError) -> None:
        """Report *why* the platform refused the board, which is left to a lane."""
        if self.is_held:
            self.reported.set_exception(why)


@dataclass(frozen=True)
class BoardAnswer:
    """A board shows what was done: the pressed one, or that of *view*.

    A chat whose words stay on the screen need not say it, unless *aloud*. *link* leads to a board
    elsewhere; *note* is a further sentence to the asker alone.
    """

    said: str = ""
    view: int | None = None
    private: bool = True
    aloud: bool = False
    good: bool = True
    link: str = ""
    note: str = ""
    board: ReservedBoard | None = None
    """The board itself for a chat with ``takes_board``; ``None`` if a lane shows it."""


@dataclass(frozen=True)
class ScreenAnswer:
    """A *screen*, with its *picture*, and words that are *said* with it."""

    screen: Screen
    picture: bytes | None = None
    said: str = ""
    good: bool = True
    renewal: str = ""
    """The code whose press shows it anew: a chat gives it when its table or tournament changes."""


class MenuAnswer(ScreenAnswer):
    """*screen* replaces the keyboard of the pressed message, *picture* its picture.

    On a message that others see, this is only the next step of a move. A screen of words alone
    ends a question to the asker. Where the message shows *screen* already, a chat says so.
    """


class Card(ScreenAnswer):
    """*screen* with its *picture*, for the asker alone, in a message of its own.

    The board that others see stays as it is. Without a *picture* it is a question to the asker,
    or what else they may do, and nothing in it is secret.
    """


@dataclass(frozen=True)
class _WithFile:
    """A file with a few words; *leads* are these with the buttons that lead on.

    *alt* says in words what a picture or a film shows.
    """

    said: str
    file: Attachment
    good: bool = True
    leads: Screen | None = None
    alt: str = ""


@dataclass(frozen=True)
class FileAnswer(_WithFile):
    """A file for the asker."""


@dataclass(frozen=True)
class Poster(_WithFile):
    """A picture or a film for all readers of the place.

    The name of the *file* ends in ``.png`` or ``.gif``. The chat tells *posted* the id of the
    message.
    """

    posted: Posted = lambda message: None  # noqa: ARG005


@dataclass(frozen=True)
class Promised:
    """*said* now; the *answer* follows, for the asker alone, as soon as it is known.

    It changes no table, so the asker can do anything meanwhile. *waiting* says how far it is, to
    be repeated from time to time.
    """

    said: str
    answer: asyncio.Task[Answer]
    waiting: Callable[[], str]
    good: bool = True
    in_place: bool = False
    """Whether the answer takes the place of the pressed message, which the asker alone sees."""

    async def wait(self, seconds: float) -> bool:
        """Whether the answer is known within *seconds*; raises nothing."""
        return bool((await asyncio.wait({self.answer}, timeout=seconds))[0])


Answer: TypeAlias = (
    Said | PrivateRefusal | BoardAnswer | MenuAnswer | Card | FileAnswer | Poster | Promised
)
"""What the asker is told first; each has *said* and *good*."""


@dataclass(frozen=True)
class Suggestion:
    """One completion of a command's parameter: the *label* shown, and the *value* typed."""

    label: str
    value: str


@dataclass(frozen=True)
class ShareableMove:
    """A whole move that its player makes by a message of their own, with its *words*.

    *title* stands in a list, *code* is that of its button. Where nothing can be listed, *title*
    says whose turn it is, without a code, and *more* is the code of the table.
    """

    title: str
    words: str
    code: str
    more: str = ""


@dataclass(frozen=True)
class ShareableInvitation:
    """An invitation to be sent into any chat: its *title* and *line* in a list.

    The message says *words*; the button *sit* with its *code* seats the presser.
    """

    title: str
    line: str
    words: str
    sit: str
    code: str
