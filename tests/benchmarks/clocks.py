"""What clocks cost: the next deadline among 100,000, idle minutes, 1,000 flags at once.

Run by hand: ``python -m tests.benchmarks.clocks [deadline|idle|burst]``. Ratios within one run;
CPU time where nothing waits.
"""

from __future__ import annotations

import asyncio
import itertools
import resource
import statistics
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from bot.commands import quotas
from bot.port import Command
from storage import schema
from storage.records import EPOCH
from storage.store import Store
from storage.table import deadlines
from tests.fakes import Desk, FakeClock, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
FEW, MANY = 100, 100_000
TIMES = 400
IDLE = 600.0
"""For how many seconds nothing happens."""

BURST = 1000
PRESSES = 150
NUMBERS = itertools.count()


def cpu() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def filled(folder: Path, clocks: int) -> Store:
    """A database with so many running clocks."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/{clocks}.db")
    now = EPOCH + timedelta(days=20_000)
    async with store.transaction() as tx:
        for first in range(0, clocks, 10_000):
            some = range(first, min(first + 10_000, clocks))
            at = [now + timedelta(seconds=(n * 7919) % 1_000_003) for n in some]
            game = {"game": "niya", "status": "playing", "version": 1, "created": now}
            rows = [{**game, "code": f"T{n:06}", "touched": now} for n in some]
            await tx.execute(schema.game.insert(), rows)
            flags = [
                {"game": f"T{n:06}", "kind": "flag", "version": 1, "at": when, "person": n % 5000}
                for n, when in zip(some, at, strict=True)
            ]
            await tx.execute(schema.deadline.insert(), flags)
    return store


async def next_deadline() -> None:
    """How long it takes to find what is next, and what is due, by the number of clocks."""
    found = {}
    now = EPOCH + timedelta(days=20_000, seconds=500_000)
    with tempfile.TemporaryDirectory() as folder:
        stores = {clocks: await filled(Path(folder), clocks) for clocks in (FEW, MANY)}
        for name, ask in (
            ("following", lambda store: store.read(deadlines.next_deadline, now)),
            ("due", lambda store: store.read(deadlines.due_deadlines, EPOCH, 200)),
        ):
            times: dict[int, list[float]] = {FEW: [], MANY: []}
            for _ in range(TIMES):  # in turns, so that both have the same weather
                for clocks, store in stores.items():
                    began = time.process_time()
                    await ask(store)
                    times[clocks].append(time.process_time() - began)
            few, many = (statistics.median(times[clocks]) for clocks in (FEW, MANY))
            found[name] = many / few
            print(f"{name}: {few * 1e6:.0f} µs of {FEW}, {many * 1e6:.0f} µs of {MANY}: ", end="")
            print(f"{many / few:.2f} × (at most 2)")
        for store in stores.values():
            await store.close()


async def began(at: Desk, clock: str) -> str:
    """A game of Niya between the two; its code."""
    wish = {"game": "niya", "clock": clock}
    await at.facade.requests.call(Command(f"b{next(NUMBERS)}", at.where, NEREA, "play", wish))
    (line,) = await at.facade.services.tables.list_lines(("open",), 1)
    seat = {"table": line.code}
    await at.facade.requests.call(Command(f"b{next(NUMBERS)}", at.where, BRUNO, "join", seat))
    return line.code


async def idle(clocks: int, seconds: float) -> float:
    """CPU seconds of *seconds* in which nothing happens, with so many running clocks, or none."""
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            codes = [await began(at, "9h" if clocks else "") for _ in range(20)]
            async with at.facade.store.transaction() as tx:
                later = at.facade.services.clock.steady() + timedelta(hours=8)
                game = {"game": "niya", "status": "ended", "version": 1}
                stamps = {"created": later, "touched": later}
                rows = [{**game, **stamps, "code": f"T{n:06}"} for n in range(clocks)]
                flags = [
                    {"game": row["code"], "kind": "flag", "version": 1, "at": later} for row in rows
                ]
                if rows:
                    await tx.execute(schema.game.insert(), rows)
                    await tx.execute(schema.deadline.insert(), flags)
            assert codes
            await at.settle()
            before = cpu()
            await asyncio.sleep(seconds)
            return cpu() - before


async def p99_of_presses(at: Desk, codes: list[str]) -> float:
    """The 99th percentile of what a refused and a stored press take, in seconds."""
    times = []
    for n in range(PRESSES):
        code = codes[n % len(codes)]
        table = await at.facade.services.tables.get(code)
        (seat,) = table.actors()
        who = NEREA if table.players[seat].name == NEREA.name else BRUNO
        move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        typed = Command(f"b{next(NUMBERS)}", at.where, who, "move", {"move": move, "table": code})
        began_at = time.perf_counter()
        await at.facade.requests.call(typed)
        times.append(time.perf_counter() - began_at)
        await asyncio.sleep(0.01)
    return statistics.quantiles(times, n=100)[98]


async def burst() -> None:
    """What presses wait while many flags fall at once, beside what they wait when none does."""
    clock = FakeClock()
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder), clock=clock) as at:
            quiet = [await began(at, "") for _ in range(PRESSES // 3)]
            flags = [await began(at, "1m") for _ in range(BURST)]
            await at.settle()
            calm = await p99_of_presses(at, quiet)
            quiet = [await began(at, "") for _ in range(PRESSES // 3)]
            await at.settle()
            clock.wait(timedelta(seconds=70))
            working = asyncio.create_task(all_met(at))
            busy = await p99_of_presses(at, quiet)
            during = not working.done()
            seconds = await working
            await at.settle()
            ended = [
                (await at.facade.services.tables.get(code)).status == "ended" for code in flags
            ]
            print(f"{sum(ended)} of {BURST} flags fallen in {seconds:.1f} s; ", end="")
            print(f"presses p99 {calm * 1e3:.0f} ms calm, {busy * 1e3:.0f} ms meanwhile: ", end="")
            print(f"{busy / calm:.2f} × (at most 2); still falling at the end: {during}")


async def all_met(at: Desk) -> float:
    """Meet all that is due, as the house does; answers for how many seconds."""
    began_at = time.perf_counter()
    while await at.facade.process_duties.deadlines.expire():
        pass
    return time.perf_counter() - began_at


async def main(what: list[str]) -> None:
    """Measure *what* is named, or everything."""
    quotas.PERSON = quotas.PLACE = 10_000
    if not what or "deadline" in what:
        await next_deadline()
    if not what or "burst" in what:
        await burst()
    if not what or "idle" in what:
        without = await idle(0, IDLE)
        many = await idle(MANY, IDLE)
        print(
            f"{IDLE:.0f} idle seconds: {without:.2f} s CPU with 20 games without clocks, ", end=""
        )
        print(f"{many:.2f} s with {MANY}: {many - without:+.2f} s (at most +0.1)")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
