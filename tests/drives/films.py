"""Films of whole games: what each must hold, how large it is, how long it runs and what it costs.

Run by hand from the root of the project, with how many games of each kind if not 30, and which::

    python -m tests.drives.films 30 parchis shogi

For each game the plan of its film is compared with the game itself: the turning point, the end
and the ten heaviest changes of the leader must be told, every jump in words, and in Parchís the
die of each move must lie in the casa of who moved. *Before* is what the film of 0.3.0 cost on the
same game: its last hundred moves, one picture each, in time of the processor.
"""

from __future__ import annotations

import io
import statistics
import sys
import time
from dataclasses import dataclass, replace

from PIL import Image

from bot.commands.film_and_card import LARGEST, film_of
from bot.presenters.composer import Composer
from bot.presenters.film import Shot, shots
from bot.presenters.film_highlights import (
    FEWEST,
    SWINGS,
    TOLD,
    WHOLE,
    Reel,
    changes_of_leader,
    reel_of,
    views_of,
)
from bot.presenters.viewers import Viewer
from bot.session.table import Table
from bot.session.visibility import VisibleTable
from games.core.shelf import shelf
from games.parchis.moves import Stage
from render.kit.film import FEW, FilmFrame, film
from render.kit.painters import paint
from render.parchis.layout import CASAS
from render.scene import Last, Scene
from tests.played import tables

GAMES = 30
SECONDS = 40.0
COST = 2.5
"""How many times what it cost before a film may cost."""

LOOKS = 3
SEATS = {"parchis": 4}


@dataclass(frozen=True)
class Measured:
    """What a film weighs, how long it runs, and what it cost, now and before."""

    size: int
    seconds: float
    now: float
    before: float


def checked(table: Table, reel: Reel, plan: list[Shot]) -> list[str]:
    """What the film of *table* lacks."""
    views = views_of(table, reel.told, reel.moves)
    heaviest = changes_of_leader(reel.moves, views)[:SWINGS]
    wrong = []
    if missing := {*heaviest, reel.moves[-1]} - set(reel.numbers):
        wrong.append(f"the moves {sorted(missing)} are not told")
    if reel.turning is not None and reel.turning not in reel.numbers:
        wrong.append("the turning point is not told")
    if plan[-1].scene.ended != table.outcome:
        wrong.append("the end is not shown")
    told = [one.foot.said for one in plan if one.foot.said.startswith("…")]
    left = sum(int(said.split()[1]) for said in told)
    if left != len(reel.moves) - len(reel.numbers):
        wrong.append(f"jumps of {left} moves are told, not all")
    if table.game.key == "parchis":
        wrong += [f"no die at «{one.foot.said}»" for one in plan if not _shows_die(one)]
    return wrong


def _shows_die(shot: Shot) -> bool:
    last = shot.scene.last[-1] if shot.scene.last else None
    if not shot.scene.calm or shot.tweens or last is None:
        return True
    if last.before.stage is not Stage.DIE:
        return True
    then = replace(shot.scene, seen=last.before, last=(), calm=False)
    x, y = CASAS[last.before.colours[last.before.turn]]
    box = (round(x) - 26, round(y) - 26, round(x) + 26, round(y) + 26)
    now, before = (paint(one).convert("RGB").crop(box) for one in (shot.scene, then))
    return now.tobytes() == before.tobytes()


def before(composer: Composer, table: Table) -> None:
    """The film of 0.3.0."""
    reel = reel_of(table)
    seen = VisibleTable(table)

    def scene(number: int) -> Scene:
        (one,) = seen.glimpses([(number, reel.told[number])])
        after = reel.told[number + 1].before if number + 1 < len(reel.told) else table.present
        last = (Last(one.before, one.seat, one.move),)
        return replace(composer.past(seen.then(after), last), calm=True)

    film((FilmFrame(paint(scene(number)), 50) for number in reel.moves[-100:]), FEW)


def measured(table: Table) -> tuple[Measured, list[str]]:
    """The film of *table* and what it lacks."""
    composer = Composer(table, Viewer(None), b"k" * 32)
    begun = time.process_time()
    before(composer, table)
    once = time.process_time()
    reel = reel_of(table)
    data = film_of(composer, reel, None, None)
    done = time.process_time()
    wrong = []
    for most in (WHOLE, TOLD, FEWEST):
        reel = reel_of(table, most=most)
        wrong += checked(table, reel, list(shots(composer, reel)))
    return Measured(len(data), seconds_of(data), done - once, once - begun), wrong


def seconds_of(data: bytes) -> float:
    """How long the film *data* runs."""
    opened = Image.open(io.BytesIO(data))
    passed = 0
    for number in range(getattr(opened, "n_frames", 1)):
        opened.seek(number)
        passed += opened.info["duration"]
    return passed / 1000


def main() -> int:
    """Film the games that the command line names; 1 where any film is not as it must be."""
    words = sys.argv[1:]
    games = int(words.pop(0)) if words and words[0].isdigit() else GAMES
    failed = False
    for key in words or sorted(shelf()):
        found = []
        for seed in range(1, games + 1):
            *_, table = tables(
                shelf()[key], seats=SEATS.get(key), seed=seed, looks=LOOKS, most=3000
            )
            one, wrong = measured(table)
            found.append(one)
            if one.size > LARGEST or one.seconds > SECONDS:
                wrong.append(f"{one.size} bytes, {one.seconds:.1f} s")
            for what in wrong:
                failed = True
                sys.stdout.write(f"{key} seed {seed}: {what}\n")
        cost = sum(one.now for one in found) / sum(one.before for one in found)
        failed |= cost > COST
        sys.stdout.write(
            f"{key:18} {len(found)} films: kB {min(one.size for one in found) // 1000} to"
            f" {max(one.size for one in found) // 1000}, seconds"
            f" {min(one.seconds for one in found):.1f} to {max(one.seconds for one in found):.1f},"
            f" {1000 * statistics.median(one.now for one in found):.0f} ms a film,"
            f" {cost:.2f} of what it cost before\n"
        )
        sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
