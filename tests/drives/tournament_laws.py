"""Tournaments by the thousand, and one of two hundred people.

    python -m tests.drives.tournament_laws laws 1000 --only swiss
    python -m tests.drives.tournament_laws crowd

*laws* plays so many tournaments of each format with people who leave, come late, stay away and
draw, and asks every law of each (``tests.tournament.laws``); of a Swiss one every report must give
the pairing that was made. *crowd* pairs nine Swiss rounds of 200 people in the program that the bot
uses, and measures its CPU, the lag of the event loop meanwhile and without it, and the pictures of
standings and crosstable beside those of boards.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import islice

from bot.presenters.crosstable import CrosstableScreens
from bot.presenters.tournament import SHOWN, TournamentScreens
from bot.service.tournament_progress import swiss_pairs
from bot.tournament import organizer, swiss
from bot.tournament.pairing import next_pairing
from bot.tournament.trf import trf
from bot.tournament.values import How, Rules, Tournament, TournamentFormat
from games.core.shelf import shelf
from render.crosstable import crosstable_picture
from render.kit.output import png
from render.kit.painters import paint
from render.standing import table_picture
from tests.benchmarks.pictures import scenes
from tests.tournament import laws
from tests.tournament.simulated import opened, played

BOARDS = 12
"""How many pictures of each kind are painted."""

TICK = 0.005
"""Every how many seconds the loop is asked whether it is there."""


def rules_for(form: TournamentFormat, dice: random.Random) -> tuple[Rules, int]:
    """Rules of *form*, and how many enter, by lot."""
    fewest, most = {
        TournamentFormat.SWISS: (4, 24),
        TournamentFormat.ROBIN: (3, 16),
        TournamentFormat.KNOCKOUT: (4, 24),
        TournamentFormat.TABLES: (6, 24),
        TournamentFormat.ARENA: (4, 24),
    }[form]
    count = dice.randint(fewest, most)
    return (
        Rules(
            "parchis" if form is TournamentFormat.TABLES else "niya",
            form,
            "5m+5s",
            rounds=dice.randint(1, min(9, count - 1)),
            double=dice.random() < 0.5,
            best_of=dice.choice((1, 3, 5)),
            minutes=dice.choice((15, 30, 60)),
        ),
        count,
    )


def lawful(many: int, only: str, first: int) -> int:
    """Play *many* tournaments of each format, or *only* one; how many broke a law.

    *first* is the seed of the first.
    """
    wrong = 0
    for form in TournamentFormat:
        if only not in ("", form):
            continue
        counted: Counter[str] = Counter()
        for seed in range(first, first + many):
            dice = random.Random(f"{form} {seed}")
            rules, count = rules_for(form, dice)
            hall = opened(rules, count, seed)
            try:
                tournament = played(hall)
                laws.check(tournament)
                for report, one in zip(hall.reports, tournament.rounds, strict=False):
                    pairs = swiss.pairs(report)
                    assert [m.entrants for m in one.meetings] == [p for p in pairs if all(p)]
            except Exception as broken:
                wrong += 1
                print(f"{form} {seed}: {type(broken).__name__}: {broken}", flush=True)
                continue
            counted[tournament.why] += 1
            counted["rounds"] += tournament.number
            counted["games"] += sum(1 for _ in tournament.games())
            counted["forfeits"] += sum(game.forfeited for _, _, game in tournament.games())
            counted["left"] += sum(one.gone is not None for one in tournament.entrants)
        print(f"{form}: {many} tournaments, {dict(counted)}", flush=True)
    print(f"wrong: {wrong}")
    return wrong


def finished(hall) -> None:
    """End every game of the newest round by lot."""
    for _, _, game in list(hall.now.games()):
        if game.result is None:
            points = hall.dice.choice(((2, 0), (2, 0), (1, 1), (0, 2)))
            organizer.tell(hall.work, game.code, How.PLAYED, points)


async def lag(work) -> tuple[float, object]:
    """The 99th percentile of the loop's lag in ms while *work* is awaited, and its result."""
    late: list[float] = []

    async def ticking() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK)
            late.append(1000 * (time.perf_counter() - began - TICK))

    ticker = asyncio.create_task(ticking())
    result = await work
    ticker.cancel()
    return statistics.quantiles(late, n=100)[98], result


def child_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def crowd() -> int:
    """Pair nine rounds of 200 people, and measure."""
    hall = opened(Rules("niya", TournamentFormat.SWISS, "5m+5s", rounds=9), 200, 40)
    organizer.begin(hall.work)
    alone, _ = await lag(asyncio.sleep(2))
    for number in range(1, 10):
        report, before, began = trf(hall.now, {}), child_cpu(), time.perf_counter()
        own = time.process_time()
        late, pairs = await lag(swiss_pairs(report))
        own = 1000 * (time.process_time() - own)
        took, cpu = time.perf_counter() - began, child_cpu() - before
        pairing = next_pairing(hall.now, pairs)
        assert pairing is not None
        assert len(pairing.meetings) == 100
        organizer.pair(hall.work, pairing, hall.codes)
        finished(hall)
        print(
            f"round {number}: {cpu:.2f} s of CPU beside the loop, {own:.0f} ms in its process, "
            f"{took:.2f} s, lag p99 {late:.1f} ms",
            flush=True,
        )
    print(f"lag p99 without a pairing {alone:.1f} ms")
    laws.swiss(hall.now)
    pictures(hall.now)
    return 0


def pictures(tournament: Tournament) -> None:
    """What the pictures of standings and crosstable cost beside those of boards, in one run."""
    names = {one.number: f"Player {one.number}" for one in tournament.entrants}
    screens = TournamentScreens("en", b"k" * 32, tournament, names)
    cross, dice = CrosstableScreens(screens), random.Random(40)
    boards = [list(islice(scenes(game, 3, dice), BOARDS)) for game in shelf().values()]
    taken: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, int] = {}

    def timed(name: str, paint: Callable[[], bytes]) -> None:
        began = time.process_time()
        sizes[name] = len(paint())
        taken[name].append(1000 * (time.process_time() - began))

    for turn in range(BOARDS):
        for shown in boards:
            scene = shown[turn % len(shown)]
            timed("board", lambda scene=scene: png(paint(scene)))
        # Another page and another reader: nothing of it was painted before.
        first, own = turn % max(1, len(names) // SHOWN) * SHOWN, len(names) - turn
        began = time.process_time()
        standing, table = screens.table(own, first), cross.table(own, first)
        taken["reckoning"].append(1000 * (time.process_time() - began))
        assert len(standing.rows) <= SHOWN + 1
        assert len(table.rows) <= SHOWN + 1
        timed("standings", lambda shown=standing: table_picture(shown, "light"))
        timed("crosstable", lambda shown=table: crosstable_picture(shown, "light"))
    # The first of each loads sprites and letters, as a start does.
    typical = {name: statistics.median(found[5:]) for name, found in taken.items()}
    for name, found in typical.items():
        ratio = found / typical["board"]
        print(f"{name}: {found:.0f} ms of CPU, {ratio:.2f} boards, {sizes.get(name, 0) // 1024} KB")


def main() -> int:
    """Run the drive that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("laws", "crowd"))
    parser.add_argument("many", type=int, nargs="?", default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--first", type=int, default=0)
    wanted = parser.parse_args()
    if wanted.which == "laws":
        return 1 if lawful(wanted.many, wanted.only, wanted.first) else 0
    return asyncio.run(crowd())


if __name__ == "__main__":
    sys.exit(main())
