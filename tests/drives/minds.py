"""Who presses what: a clever player against a careless one, so that games come to their end."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from bot.presenters.keyboard import TURN, steps_of
from bot.session.table import Table
from games.core import Seat


@dataclass
class Looks:
    """A budget of so many looks."""

    left: int

    def spent(self) -> bool:
        self.left -= 1
        return self.left < 0


def wish(table: Table, seat: Seat, rng: random.Random) -> Any:
    """The move that *seat* wants: a good one for seat 0, any for the others."""
    position: Any = table.present.seen_by(seat)
    if seat == 0:
        level = min(2, table.game.levels)
        return table.game.choose(position, seat, level, Looks(4000), rng.randrange).move
    return rng.choice(position.legal_moves(seat))


def wanted(table: Table, seat: Seat, rng: random.Random) -> tuple[str, ...]:
    """The clicks of the move that *seat* wants."""
    position: Any = table.present.seen_by(seat)
    return tuple(table.game.menus.steps(position, wish(table, seat, rng)))


def written(table: Table, seat: Seat, rng: random.Random) -> str:
    """The move that *seat* wants, as it is typed; without Cirya's announcement."""
    position: Any = table.present.seen_by(seat)
    text: str = table.game.notation.written(position, wish(table, seat, rng))
    return text.rstrip("'\"")


def button_for(codes: list[str], steps: tuple[str, ...]) -> str | None:
    """The code among *codes* that leads to *steps*, or turns the page towards it."""
    page = None
    for code in codes:
        path = tuple(code.split(".")[3].split(","))
        if path[-1].startswith(TURN):
            page = code
            continue
        chosen = steps_of(path)
        if steps[: len(chosen)] == chosen:
            return code
    return page
