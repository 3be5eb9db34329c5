"""Who looks at a screen, and what the players are called there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.table.table import Player
from bot.texts import Language
from games.core import Seat, phrase
from storage.records import SeatLine


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
    most: int | None = 24
    """How many choices are shown at once, none for no limit."""


MOST = {"telegram": 48, "web": None}
"""How many choices a chat shows at once where it is not 24, one page of Discord's buttons."""


def most_of(platform: str) -> int | None:
    """How many choices the chat *platform* shows at once, none for no limit."""
    return MOST.get(platform, Viewer.most)


def named(game: str, chairs: Sequence[Player | SeatLine], tongue: Language) -> Mapping[Seat, str]:
    """What every seat is called in *tongue*: names told apart where two are the same.

    Whoever has no name that can be seen is called by his side.
    """
    names = {}
    for seat, chair in enumerate(chairs):
        if chair.person is not None and chair.name:
            names[seat] = chair.name
        elif chair.level is not None:
            names[seat] = tongue.say(phrase("house.computer", level=chair.level))
        elif chair.person is not None and chair.side:
            names[seat] = tongue.say(phrase(f"{game}.side.{chair.side}"))
        else:
            names[seat] = tongue.say(phrase("core.seat", number=seat + 1))
    for seat, name in list(names.items()):
        side = chairs[seat].side
        if side and sum(other == name for other in names.values()) > 1:
            names[seat] = f"{name} ({tongue.say(phrase(f'{game}.side.{side}'))})"
    return names
