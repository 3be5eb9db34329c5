"""From whose side a board is shown. Pure."""

from __future__ import annotations

from bot.presenters.viewers import Viewer
from bot.session.table import Table
from games.core import Seat
from render.kit import painter


def can_turn(game: str) -> bool:
    """Whether the board of *game* can be seen from more sides than one."""
    return painter(game).TURNS


def bottom_seat(viewer: Viewer, table: Table) -> Seat:
    """The seat at the bottom for *viewer*: as he turned it, else his own if he wants that.

    What everybody sees is as the game is used to be shown, or from the side of the only person.
    """
    if viewer.bottom is not None:
        return viewer.bottom
    usual = painter(table.game.key).BOTTOM
    if viewer.seat is not None:
        return viewer.seat if viewer.look.own_side else usual
    people = [seat for seat, player in enumerate(table.players) if player.person is not None]
    return people[0] if len(people) == 1 else usual
