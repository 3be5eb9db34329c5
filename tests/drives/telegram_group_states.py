"""Telegram's states of groups at every step of a game: who presses or types hears something true.

``python -m tests.drives.telegram_group_states`` runs every state alone at every step of ``/play``
and of every game, in both languages, and then two at a time by a covering array with a printed
seed.
Each cell switches a state on, presses and types, switches it off, gives a sign of life or none,
and looks whether each table has one board, the newest. ``--part 1/4`` runs a part of them.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.presenters.game_poster import poster
from games.core.shelf import find_game
from render.kit import paint
from tests.drives.report import Report, portion
from tests.drives.telegram_cells import SOON, STEPS, WAYS, Cell, singles
from tests.drives.telegram_conditions import PRIVATE, SWITCHES, fits, together
from tests.drives.telegram_house import House, house, run

Spec = tuple[tuple[str, ...], str, str, str]
"""The states of a cell, its step, its language, and the way back."""

AT_ONCE = 60
"""Cells on one house: then a new one is begun, so that none is full."""

MOST = 400
"""The most cells of the covering array."""


def pairs() -> list[tuple[str, str]]:
    """Every two states in which a group can be at once."""
    names = [name for name in SWITCHES if name != "none"]
    found = itertools.combinations(names, 2)
    return [(one, two) for one, two in found if together(SWITCHES[one], SWITCHES[two])]


def covering(seed: int) -> list[Spec]:
    """Cells in which each two states meet, and each two of pair, step, language and way do.

    Greedy: of some cells by lot the one with the most that is not covered yet is taken.
    """
    chance = random.Random(seed)
    states, languages = pairs(), ("en", "es")
    left: set[tuple[object, object]] = set()
    for state in states:
        left |= {(state, language) for language in languages}
    names = {name for pair in states for name in pair}
    both = {one for pair in states if fits(pair, PRIVATE) for one in pair}
    left |= {(n, step) for n in names for step in STEPS if step != PRIVATE or n in both}
    left |= set(itertools.product(names, WAYS))
    left |= set(itertools.product(STEPS, WAYS))
    cells: list[Spec] = []
    while left and len(cells) < MOST:
        drawn = [
            (chance.choice(states), chance.choice(STEPS), chance.choice(languages), way)
            for way in WAYS
            for _ in range(40)
        ]
        drawn = [cell for cell in drawn if fits(cell[0], cell[1])]
        best = max(drawn, key=lambda cell: len(left & _covered(cell)))
        if not left & _covered(best):
            every = itertools.product(states, STEPS, languages, WAYS)
            best = next(c for c in every if fits(c[0], c[1]) and left & _covered(c))
        left -= _covered(best)
        cells.append(best)
    return cells


def _covered(cell: Spec) -> set[tuple[object, object]]:
    state, step, language, way = cell
    alone = {(one, other) for one in state for other in (step, way)}
    return {(state, language), (step, way), *alone}


async def hold(at: House, spec: Spec) -> Cell:
    """Run the cell *spec*."""
    names, step, language, way = spec
    cell = Cell(at, [SWITCHES[name] for name in names], step, language, way)
    await cell.run()
    return cell


def warm() -> None:
    """Paint the posters of the first tables of a process: that takes long on a machine at work."""
    for game in ("niya", "cirya"):
        for code in ("en", "es"):
            shown = poster(find_game(game), "light", code)
            if shown is not None:
                paint(shown)


async def drive(specs: Sequence[Spec]) -> Report:
    """What came of the cells of *specs*."""
    report = Report()
    for start in range(0, len(specs), AT_ONCE):
        with tempfile.TemporaryDirectory() as folder:
            async with house(Path(folder)) as at:
                for spec in specs[start : start + AT_ONCE]:
                    try:
                        found = (await hold(at, spec)).wrong
                    except Exception as fault:
                        found = [f"{type(fault).__name__}: {fault}"]
                    await at.rest(SOON)
                    if at.fake.unanswered:
                        found.append("a press was never answered")
                        for handle in at.fake.unanswered:
                            handle.late = True
                    report.cell(" · ".join((" + ".join(spec[0]), *spec[1:])), found)
    return report


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="1/1", help="such as 1/4")
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--only", choices=("singles", "pairs"))
    parser.add_argument("--all-ways", action="store_true", help="singles with each way back")
    parser.add_argument("--like", default="", help="only cells whose words contain this")
    asked = parser.parse_args()
    specs: list[Spec] = []
    if asked.only != "pairs":
        specs += singles(all_ways=asked.all_ways)
    if asked.only != "singles":
        specs += covering(asked.seed)
        print(f"seed of the covering array: {asked.seed}", flush=True)
    found = [one for one in specs if asked.like in " ".join((*one[0], *one[1:]))]
    warm()
    return run(drive(portion(found, asked.part))).conclude()


if __name__ == "__main__":
    sys.exit(main())
