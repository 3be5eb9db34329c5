"""How many battles the computer player of Storilljuðjorrayc looks at, and how many plies it reads.

Run by hand from the root of the project::

    python -m tests.benchmarks.storilljudhjorrayc

It thinks with all its devices and no bound but the processor's time, in positions of one game
between computers.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from bot.service.computers.worker import Allowance
from games.core import Budget
from games.core.search import Search
from games.core.search_types import Strength
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.computer import CONTEMPT, choose
from games.storilljudhjorrayc.computer.bitboard import ground, search_field_of
from games.storilljudhjorrayc.computer.search_adapter import DEVICES, BattleTree

PLIES = (0, 12, 24, 48)
"""After how many plies of the game the positions stand."""

SECONDS = 2.0
"""Of the processor, a position."""


@dataclass
class Counted:
    """A budget that counts the battles that were looked at."""

    budget: Budget
    seen: int = 0

    def is_spent(self) -> bool:
        """Whether the budget beneath it is used up."""
        self.seen += 1
        return self.budget.is_spent()


def battles() -> list[Battle]:
    """The battles after so many plies of a game between computers."""
    below = random.Random(1).randrange
    position = GAME.start(GAME.setting({"setup": "fixed"}))
    found = []
    for ply in range(max(PLIES) + 1):
        assert isinstance(position.stage, Battle)
        if ply in PLIES:
            found.append(position.stage)
        budget = Allowance(float("inf"))
        position = position.after(choose(position, position.stage.turn, 3, budget, below).move)
    return found


def main() -> None:
    """Print the table."""
    print(f"{'after plies':>12}{'positions/s':>14}{f'depth in {SECONDS:g} s':>16}")
    for plies, battle in zip(PLIES, battles(), strict=True):
        tree, field = (
            BattleTree(ground(battle.variant), battle.turn, CONTEMPT),
            search_field_of(battle),
        )
        began = time.process_time()
        budget = Counted(Allowance(began + SECONDS))
        strength = Strength(nodes=10**9)
        search = Search(tree, DEVICES, strength, budget, random.Random(1).randrange)
        depth = search.think(field, tree.moves(field)).depth
        speed = budget.seen / (time.process_time() - began)
        print(f"{plies:>12}{speed:>14,.0f}{depth:>16}")


if __name__ == "__main__":
    main()
