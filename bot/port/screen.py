"""What a chat shows of a table, in plain values."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

from bot.port.requests import Asker
from render.scene import Poster, Scene


@dataclass(frozen=True)
class Button:
    """One button: its *label*, its *code* and its *style*.

    *style* is ``move`` for what continues the game, ``final`` for a move without a piece that ends
    a turn or a stage, ``blank`` for a cell of a board where there is nothing to choose, ``good``
    for what joins or accepts, ``danger`` for what cannot be taken back, ``house`` for the rest.
    *step* is the spot on the picture that means the same choice, *tap* the code for a tap on it:
    that only selects where the button plays a whole move from one place to another. *plays* says
    that the tap plays too, since there is nothing else to choose.
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
    quiet: bool = False
    """Whether it is hardly ever wanted, as a pass is, and should not stand out."""
    line: int | None = None
    """The number of the line that says what it is about, for chats that put both side by side."""
    game: str = ""
    """The game that the line is about, for chats that show its board beside it."""
    part: tuple[str, int, int] | None = None
    """A game, how much of it is done, and of how much, for chats that draw that."""

    @property
    def full_label(self) -> str:
        """What it shows: its label behind its letter."""
        return f"{self.letter} · {self.label}" if self.letter else self.label


KeyRows: TypeAlias = Sequence[Sequence[Button]]
"""Buttons in rows, as they are made."""


@dataclass(frozen=True)
class Preview:
    """What stands beside an option where a chat can draw it.

    Either a *colour* (0xRRGGBB), or the board of a *game* in a *theme* (``render.kit.themed``).
    """

    colour: int | None = None
    game: str = ""
    theme: str = ""


@dataclass(frozen=True)
class Choice:
    """A choice: its *label*, its *options*, and the number of the *chosen* one.

    A chat with lists shows a list, another one buttons: all options, or for a choice with a label
    or with a code that *opens* a screen of all options, one button that says what is chosen. It
    opens that screen, or chooses the next option. A choice without options is one of people, and
    *person* the code of its press; chats that cannot list people do not show it.
    """

    label: str
    options: tuple[Button, ...] = ()
    chosen: int | None = None
    opens: str = ""
    person: str = ""
    name: str = ""
    """What it asks for, where the label is left out: for chats that show it as part of a form."""
    previews: tuple[Preview, ...] = ()
    """What stands beside each of the options, or nothing."""

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
"""The most characters of an option, and how many options then stand in a row."""


@dataclass(frozen=True)
class Form:
    """Choices of a screen that a chat with forms asks for together, and takes with one key.

    *label* is what they are about, *code* the code of a button that shows the screen, and
    *choices* are their numbers among the choices of the screen, five at most.
    """

    label: str
    code: str
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Countdown:
    """The instant *until*, which chats show in the reader's own time, after the words *said*.

    *plain* is the day and time for chats that cannot.
    """

    said: str
    until: datetime
    plain: str


@dataclass(frozen=True)
class Screen:
    """What a chat shows of a table to one viewer.

    *headline* begins with whose turn it is; *lines* tell what happened and what is asked; *alt*
    says in words all that the picture shows. *mentions* are the people whom a new message calls
    before its headline. Each chat escapes all texts itself.
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
    """The choices above the buttons."""
    forms: tuple[Form, ...] = ()
    """Those of the choices that go together, for chats with forms."""
    marked: bool = False
    """Whether the lines bear the marks of ``bot.texts.inline_markup``."""
    countdown: Countdown | None = None
    """The time that runs, shown below the lines."""
    accent: int | None = None
    """The colour of the side to move, as 0xRRGGBB."""
    invitation: str = ""
    """The words with which the reader may invite somebody from elsewhere to the table."""
    game: str = ""
    """The game that a screen without a table is about."""
    asks: bool = False
    """Whether it asks the reader to confirm, and waits for yes or no."""
    poster: Poster | None = None
    """The poster above the words, where there is no board yet."""
    silent: bool = False
    """Whether a new message with it notifies nobody."""
    won: bool = False
    """Whether it shows its reader that they have just won."""
    crowded: bool = False
    """Whether its place takes boards but seldom now."""
    pasted: tuple[str, ...] = ()
    """The last lines, where the reader may copy them with one key and paste them anywhere."""
    source: object = field(default=None, compare=False, repr=False)
    """The table as it was then, or the draft on a sheet, for what stands beside the screen."""

    @property
    def buttons(self) -> tuple[tuple[Button, ...], ...]:
        """The rows of buttons for a chat without lists, those of the choices first."""
        return (*(row for choice in self.choices for row in choice.rows()), *self.rows)

    @property
    def picture(self) -> Scene | Poster | None:
        """What is to be painted, if anything."""
        return self.poster if self.scene is None else self.scene

    def description_beyond(self, said: Sequence[str]) -> str:
        """What ``alt`` tells besides the lines *said* above it."""
        rest = self.alt
        for line in said:
            rest = rest.removeprefix(line).lstrip()
        return "\n".join(line for line in rest.split("\n") if line not in said)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of all that is shown, so that an equal screen needs no second edit."""
        shown = repr(
            (self.headline, self.lines, self.countdown, self.alt, self.picture, self.buttons)
        )
        return hashlib.sha256(shown.encode()).hexdigest()[:16]
