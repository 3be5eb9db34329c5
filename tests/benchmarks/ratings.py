"""What ratings cost: the end of a game that counts, and a large ladder beside a small one.

    python -m tests.benchmarks.ratings

Both are counted in the processor's time of this process, in turns, on one machine; what is wanted
is at most 1.15 times the end of a casual game, and 1.5 times the ladder of ten.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from bot.port import Asker
from storage import schema
from tests.fakes import Desk, FakeClock, desk
from tests.standing.simulated import Hall

GAMES = 60
ASKED = 40
MEMBERS, PLAYED = 5000, 100_000


async def ends(at: Desk) -> tuple[float, float]:
    """Milliseconds of CPU of the end of a rated game, board and all, and of a casual one."""
    hall, spent = Hall(at), {True: list[float](), False: list[float]()}
    people = [one.id for one in await hall.invite(12)]
    for number in range(GAMES):
        # In turns, since whoever ends the first game of somebody looks up more.
        for rated in (True, False) if number % 2 else (False, True):
            two = (people[number % 11], people[11])
            table = await hall.seat("niya", two, rated=rated)
            await hall.open(table)
            await at.settle()
            began = time.process_time()
            await hall.end(table, [[two[0]], [two[1]]])
            await at.settle()
            spent[rated].append(1000 * (time.process_time() - began))
    return statistics.median(spent[True]), statistics.median(spent[False])


async def filled(at: Desk, members: int, games: int) -> None:
    """Put so many people on the ladder of Niya, who have played so many games."""
    services = at.facade.services
    now = services.clock.now()
    person, entry, change = schema.person, schema.rating_entry, schema.rating_change
    first = 1000

    def mu(number: int) -> float:
        return 15 + 20 * ((number * 7919) % members) / members

    rows = range(members)
    common = {"won": 5, "drawn": 1, "lost": 4, "opponents": (1, 2, 3), "met": 3, "last": now}
    async with services.store.transaction() as tx:
        await tx.execute(
            person.insert(),
            [
                {"id": first + n, "name": f"Member {n}", "created": now, "settings": {}}
                for n in rows
            ],
        )
        await tx.execute(
            schema.tally.insert(),
            [
                {
                    **common,
                    "pool": "niya",
                    "platform": "fake",
                    "place": "group",
                    "person": first + n,
                    "mu": mu(n),
                    "sigma": 3.0,
                    "listed": True,
                }
                for n in rows
            ],
        )
        at_ = now - timedelta(days=40)
        for start in range(0, games, 5000):
            some = range(start + 1, min(start + 5000, games) + 1)
            await tx.execute(
                entry.insert(),
                [
                    {
                        "number": n,
                        "kind": "game",
                        "pool": "niya",
                        "at": at_,
                        "game": None,
                        "formula": "",
                        "people": (1, 2),
                        "places": (1, 2),
                        "of": None,
                        "data": {},
                    }
                    for n in some
                ],
            )
            await tx.execute(
                change.insert(),
                [
                    {
                        "entry": n,
                        "person": first + (n + k) % members,
                        "pool": "niya",
                        "at": at_,
                        "mu_before": 25.0,
                        "sigma_before": 3.0,
                        "last_before": None,
                        "mu": 25.0,
                        "sigma": 3.0,
                        "last": at_,
                    }
                    for n in some
                    for k in (0, 1)
                ],
            )


async def ladder(members: int, games: int) -> float:
    """Milliseconds of CPU of ``/top``, with its picture, in a place of so many."""
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder), clock=FakeClock()) as at:
            await filled(at, members, games)
            reader = Asker("fake", "reader", "Reader", "en", handle="reader")
            await at.call(reader, "top", game="niya")
            spent = []
            for _ in range(ASKED):
                began = time.process_time()
                await at.call(reader, "top", game="niya")
                spent.append(1000 * (time.process_time() - began))
            return statistics.median(spent)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder), clock=FakeClock()) as at:
            rated, casual = await ends(at)
    print(f"end of a rated game {rated:.1f} ms, of a casual one {casual:.1f}: {rated / casual:.2f}")
    few, many = await ladder(10, 200), await ladder(MEMBERS, PLAYED)
    print(f"/top of {MEMBERS} {many:.1f} ms, of 10 {few:.1f}: {many / few:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
