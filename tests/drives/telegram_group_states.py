"""Telegram's states of groups at every step of a game: who presses or types hears something true.

``python -m tests.drives.telegram_group_states`` runs every state alone at every step of ``/play``
and of every game, in both languages, and then two at a time by a covering array with a printed
seed.
Each cell switches a state on, presses and types, switches it off, gives a sign of life or none,
and looks whether each table has one board, the newest. ``--part 0/4`` runs a part of them.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.presenters.game_poster import poster
from games.core.shelf import find_game
from render.kit import paint
from tests.drives.outside_cells import SOON, STEPS, WAYS, Cell, singles
from tests.drives.outside_switches import PRIVATE, SWITCHES, fits, together
from tests.drives.outside_world import World, run, world

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


async def hold(at: World, spec: Spec) -> Cell:
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


async def drive(specs: Sequence[Spec], tell: bool = True) -> list[str]:
    """Run the cells of *specs*; returns what is wrong in them, a line each."""
    wrong: list[str] = []
    done, began = 0, time.monotonic()
    for start in range(0, len(specs), AT_ONCE):
        with tempfile.TemporaryDirectory() as folder:
            async with world(Path(folder)) as at:
                for spec in specs[start : start + AT_ONCE]:
                    try:
                        cell = await hold(at, spec)
                    except Exception as fault:
                        found = [f"{spec}: {type(fault).__name__}: {fault}"]
                    else:
                        found = [f"{cell.name}: {one}" for one in cell.wrong]
                    await at.rest(SOON)
                    if at.fake.unanswered:
                        found += [f"{spec}: a press was never answered"]
                        for handle in at.fake.unanswered:
                            handle.late = True
                    done += 1
                    wrong += found
                    if tell:
                        for line in found:
                            print(line, flush=True)
    if tell:
        print(f"{done} cells in {time.monotonic() - began:.0f} s, {len(wrong)} faults", flush=True)
    return wrong


def main() -> int:
    """Run what was asked for; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--part", default="0/1", help="such as 0/4")
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--only", choices=("singles", "pairs"))
    parser.add_argument("--all-ways", action="store_true", help="singles with each way back")
    parser.add_argument("--like", default="", help="only cells whose words contain this")
    asked = parser.parse_args()
    part, parts = map(int, asked.part.split("/"))
    specs: list[Spec] = []
    if asked.only != "pairs":
        specs += singles(all_ways=asked.all_ways)
    if asked.only != "singles":
        specs += covering(asked.seed)
        print(f"seed of the covering array: {asked.seed}", flush=True)
    specs = [one for one in specs if asked.like in " ".join((*one[0], *one[1:]))][part::parts]
    warm()
    print(f"{len(specs)} cells of {dict(Counter(len(one[0]) for one in specs))}", flush=True)
    return 1 if run(drive(specs)) else 0


if __name__ == "__main__":
    sys.exit(main())
