"""What a chat shows, as plain values: screens, their buttons, and who looks at them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from bot.table import Table
from bot.texts import Language
from games.core import Seat, phrase
from render.scene import Scene


@dataclass(frozen=True)
class Button:
    """One button: what it says, its *code*, and how much it weighs.

    *style* is ``move`` for what continues the game, ``house`` for the rest, ``good`` for
    what joins or accepts, ``danger`` for what cannot be taken back. *step* is the spot on
    the picture that does the same.
    """

    label: str
    code: str
    style: str = "house"
    letter: str = ""
    step: str = ""


@dataclass(frozen=True)
class Screen:
    """What a chat shows of a table to one viewer.

    *headline* begins with whose turn it is; *lines* tell what happened and what is asked;
    *alt* says in words all that the picture shows. *calls* are the persons whose turn it
    is, by id. Chats escape every text themselves.
    """

    table: str
    version: int
    headline: str
    lines: tuple[str, ...] = ()
    alt: str = ""
    scene: Scene | None = None
    rows: tuple[tuple[Button, ...], ...] = ()
    calls: frozenset[int] = frozenset()
    over: bool = False
    language: str = "es"
    title: str = ""

    def digest(self) -> str:
        """A fingerprint of everything shown: two equal screens need one edit."""
        shown = repr((self.headline, self.lines, self.alt, self.scene, self.rows))
        return hashlib.sha256(shown.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Viewer:
    """Who looks: a *seat* on a private page, or everybody in a shared place (``None``).

    *bottom* is the seat shown at the bottom where the viewer has turned the board.
    """

    seat: Seat | None = None
    language: str = "es"
    theme: str = "light"
    bottom: Seat | None = None
    personal: bool = False
    """Whether only one person reads here, so that buttons need not be for others."""


def named(table: Table, tongue: Language) -> Mapping[Seat, str]:
    """What every seat is called in *tongue*: names told apart where two are the same."""
    names = {}
    for seat, player in enumerate(table.players):
        if player.person is not None:
            names[seat] = player.name
        elif player.level is not None:
            names[seat] = tongue.say(phrase("house.computer", level=player.level))
        else:
            names[seat] = tongue.say(phrase("core.seat", number=seat + 1))
    for seat, name in list(names.items()):
        side = table.players[seat].side
        if side is not None and sum(other == name for other in names.values()) > 1:
            said = tongue.say(phrase(f"{table.game.key}.side.{side}"))
            names[seat] = f"{name} ({said})"
    return names
