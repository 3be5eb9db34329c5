"""Parchís with one die, for two, three or four."""

from games.core import Game, Option
from games.parchis.board import SIDES
from games.parchis.computer import choose
from games.parchis.position import Parchis, read, start
from games.parchis.words import describe

GAME = Game(
    key="parchis",
    title="Parchís",
    sides=SIDES,
    # P2: the rolls for the start are draws of the game itself.
    begins=("rolls",),
    seats=range(2, 5),
    # B12: two sit opposite each other.
    default_sides={2: ("yellow", "red")},
    options=(
        Option("first_five", ("one", "two")),
        Option("mixed_barriers", ("no", "yes")),
        Option("barriers_only_safe", ("no", "yes")),
        Option("overshoot", ("bounce", "exact")),
        Option("exit_captures", ("full", "always")),
        Option("ending", ("all", "first")),
        Option("rolling", ("hand", "auto")),
    ),
    start=start,
    read=read,
    describe=describe,
    choose=choose,
    aliases=("parchis", "parcheesi", "parchisi"),
)

__all__ = ["GAME", "Parchis"]
