"""How long a click takes in a full house, and how calm the event loop stays.

Run by hand: ``python -m tests.benchmarks.click_latency``. One run measures clicks at one
table, clicks at random among a thousand, the memory of an idle table, and the lag of a ticker of
5 ms while two computer players think.
"""

from __future__ import annotations

import asyncio
import gc
import random
import statistics
import tempfile
import time
import tracemalloc
from pathlib import Path

from bot.commands import quotas
from bot.port import Press
from bot.service.table.tables import Tables
from tests.fakes import UPDATES, Desk, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
TABLES = 1000
CLICKS = 400
TICK = 0.005


async def _game(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def _click(at: Desk, code: str, rng: random.Random) -> float | None:
    """Seconds from a press to the board shown; None where the game is over."""
    board = at.chat.board(code)
    if board.screen.over or not board.moves:
        return None
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == NEREA.name else BRUNO
    press = Press(f"b{next(UPDATES)}", board.where, who, rng.choice(board.moves).code, board.id)
    edits = at.chat.messages[board.id].edits
    began = time.perf_counter()
    await at.facade.requests.press(press)
    while at.chat.messages[board.id].edits == edits:
        await asyncio.sleep(0)
    return time.perf_counter() - began


async def clicks(tables: int, count: int) -> list[float]:
    """The times of *count* clicks at random among *tables* games."""
    rng = random.Random(7)
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            codes = [await _game(at) for _ in range(tables)]
            while len(times) < count:
                index = rng.randrange(len(codes))
                taken = await _click(at, codes[index], rng)
                if taken is None:
                    codes[index] = await _game(at)
                else:
                    times.append(taken)
                await at.settle()
    return times


async def memory(tables: int) -> float:
    """Kilobytes that a table takes which is kept in memory."""
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            await _game(at)
            gc.collect()
            tracemalloc.start()
            before, _ = tracemalloc.get_traced_memory()
            codes = [await _game(at) for _ in range(tables)]
            at.chat.messages.clear()
            at.facade.services.gallery.__init__()
            gc.collect()
            after, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            return (after - before) / 1024 / len(codes)


async def lag(seconds: float) -> list[float]:
    """How late a ticker is while two computer players think."""
    late: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            await at.facade.services.thinkers.warm()
            until = time.perf_counter() + seconds

            async def tick() -> None:
                while time.perf_counter() < until:
                    began = time.perf_counter()
                    await asyncio.sleep(TICK)
                    late.append(time.perf_counter() - began - TICK)

            async def play(level: str) -> None:
                while time.perf_counter() < until:
                    await at.call(NEREA, "play", game="niya", opponent="ordenador", level=level)
                    board = list(at.chat.messages.values())[-1]
                    for _ in range(9):
                        if board.screen.over or time.perf_counter() > until:
                            break
                        if board.moves:
                            await at.press(NEREA, board, board.moves[0].label)
                        await asyncio.sleep(0.05)
                        board = at.chat.board(board.screen.table)

            await asyncio.gather(tick(), play("3"), play("2"))
    return late


def p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def main() -> None:
    one = asyncio.run(clicks(1, CLICKS))
    many = asyncio.run(clicks(TABLES, CLICKS))
    idle = asyncio.run(memory(min(Tables.most_kept, 200)))
    late = asyncio.run(lag(10))
    print(
        f"click to shown board, 1 table: median {statistics.median(one) * 1000:.1f} ms, "
        f"p99 {p99(one) * 1000:.1f} ms"
    )
    print(
        f"click to shown board, {TABLES} tables: median {statistics.median(many) * 1000:.1f} ms, "
        f"p99 {p99(many) * 1000:.1f} ms = {p99(many) / p99(one):.1f} times"
    )
    print(f"memory of a table kept: {idle:.1f} KB ({Tables.most_kept} are kept at most)")
    print(f"event-loop lag while computers think: p99 {p99(late) * 1000:.1f} ms")


if __name__ == "__main__":
    # Two people here do what a whole club does.
    quotas.PERSON = quotas.PLACE = 10_000
    main()
