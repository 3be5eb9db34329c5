"""What a chat shows of a table, in plain values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from bot.port.people import Asker
from render.scene import Scene


@dataclass(frozen=True)
class Button:
    """One button: what it says, its *code*, and how much it weighs.

    *style* is ``move`` for what continues the game, ``final`` for a move that is no piece's and
    ends a turn or a stage, ``blank`` for a cell of a board where there is nothing to choose,
    ``house`` for the rest, ``good`` for what joins or accepts, ``danger`` for what cannot be
    taken back. *step* is the spot on
    the picture that means the same choice, *tap* the code for it: a tap selects where the
    button plays a whole move that leads from one place to another. *plays* says that such a tap
    plays too: there is nothing else to choose.
    """

    label: str
    code: str
    style: str = "house"
    letter: str = ""
    step: str = ""
    tap: str = ""
    plays: bool = False
    face: str = ""
    """The picture that stands for the choice: a game and a name of ``render.kit.button_faces``."""


@dataclass(frozen=True)
class Choice:
    """One thing to be chosen of several: its *label*, its *options*, the number of the *chosen*.

    Without a label the options speak for themselves. A chat with lists shows a list; the others
    show buttons: all options, or where there is a label, or something *opens* a screen of them
    all, the one that says what is chosen, which opens that screen or chooses the next option.
    Without options it is people who are chosen from, and *person* the code of such a press: chats
    that cannot list people show nothing.
    """

    label: str
    options: tuple[Button, ...] = ()
    chosen: int | None = None
    opens: str = ""
    person: str = ""

    def rows(self) -> tuple[tuple[Button, ...], ...]:
        """The same as rows of buttons."""
        if self.options and (self.label or self.opens):
            number = self.chosen or 0
            following = self.options[(number + 1) % len(self.options)].code
            said = self.options[number].label
            if self.label:
                said = f"{self.label}: {said}"
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
    """What is chosen above the buttons."""
    marked: bool = False
    """Whether the lines bear the marks of ``bot.texts.marks``."""
    countdown: Countdown | None = None
    """The time that runs, shown below the lines."""
    accent: int | None = None
    """The colour of the side that is to move, red first."""
    invitation: str = ""
    """The words with which its reader may invite somebody from elsewhere to the table."""
    asks: bool = False
    """Whether it asks its reader if he means what he wants, and waits for yes or no."""

    @property
    def buttons(self) -> tuple[tuple[Button, ...], ...]:
        """The rows of buttons for a chat without lists: those of the choices first."""
        return (*(row for choice in self.choices for row in choice.rows()), *self.rows)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of everything shown: two equal screens need one edit."""
        shown = repr(
            (self.headline, self.lines, self.countdown, self.alt, self.scene, self.buttons)
        )
        return hashlib.sha256(shown.encode()).hexdigest()[:16]
