"""What a house costs that has many finished games behind it.

Run by hand: ``python -m tests.benchmarks.growth [MOST]``. For 1, 100, 10,000 … finished games of
ten events, up to MOST (100,000), a process of its own says the processor's time and the memory of
its start, and the processor's time of a press from its arrival to the board shown.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.commands import quotas
from bot.port import Press
from bot.service import request_rate_limits
from tests.bot.many_tables import copied
from tests.fakes import UPDATES, Desk, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
EVENTS = 10
PRESSES = 150
TOGETHER = 50_000
"""How many games are copied in one transaction."""


async def _begun(at: Desk) -> str:
    await at.call(NEREA, "play", game="cirya")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def _move(at: Desk, code: str, rng: random.Random) -> bool:
    """Play something at the table, by as many presses as it takes; False where it is over."""
    board = at.chat.board(code)
    if board.screen.over:
        return False
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == NEREA.name else BRUNO
    legal = rng.choice(table.present.legal_moves(seat))
    typed = table.game.notation.written(table.present, legal)
    await at.call(who, "move", move=typed, table=code)
    return True


async def ended(folder: Path) -> tuple[str, int]:
    """A finished game of so many events; its code, and how many moves it has."""
    rng = random.Random(3)
    async with desk(folder) as at:
        code = await _begun(at)
        while (await at.facade.services.tables.get(code)).version < EVENTS - 1:
            await _move(at, code, rng)
        await at.surely(BRUNO, "resign", table=code)
        table = await at.facade.services.tables.get(code)
        return code, len(table.log)


async def measured(folder: Path, turn: int) -> dict[str, float]:
    """What this process, the *turn*-th one, costs on the house in *folder*."""
    for _ in range(10_000 * turn):  # the ids of the processes before have been used
        next(UPDATES)
    began = time.process_time()
    async with desk(folder) as at:
        started = time.process_time() - began
        rng, spent, presses = random.Random(5), [], 0
        code = await _begun(at)
        while presses < PRESSES:
            board = at.chat.board(code)
            if board.screen.over:
                code = await _begun(at)
                continue
            buttons = [b for row in board.screen.rows for b in row if b.style in ("move", "final")]
            if not buttons:
                await _move(at, code, rng)
                continue
            table = await at.facade.services.tables.get(code)
            (seat,) = table.actors()
            who = NEREA if table.players[seat].name == NEREA.name else BRUNO
            chosen = rng.choice(buttons).code
            press = Press(f"g{next(UPDATES)}", board.where, who, chosen, board.id)
            before = time.process_time()
            await at.facade.requests.press(press)
            await at.settle()
            spent.append(time.process_time() - before)
            presses += 1
            if presses % 10 == 0:
                await _move(at, code, rng)
        listing = time.process_time()
        await at.call(NEREA, "games")
        listing = time.process_time() - listing
    spent.sort()
    return {
        "start": started,
        "press": spent[len(spent) // 2],
        "games": listing,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def curve(most: int) -> Iterator[tuple[int, dict[str, float]]]:
    """What is measured for ever more games, each time ten or a hundred times as many."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        code, moves = asyncio.run(ended(folder))
        have, file = 1, folder / "games.db"
        small = file.stat().st_size
        for turn, tables in enumerate((1, 100, 10_000, 100_000, 1_000_000), 1):
            if tables > most:
                return
            for first in range(have - 1, tables - 1, TOGETHER):
                copied(folder, code, range(first, min(first + TOGETHER, tables - 1)), views=True)
            have = tables
            command = [sys.executable, "-m", "tests.benchmarks.growth", "in", kept, str(turn)]
            told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            found = json.loads(told.splitlines()[-1])
            size = file.stat().st_size
            found["bytes"] = (size - small) / ((tables - 1) * moves) if tables > 1 else 0.0
            found["megabytes"] = size / 2**20
            yield tables, found


def main() -> None:
    # Two people here do what a whole club does.
    quotas.PERSON = quotas.PLACE = 10_000
    request_rate_limits.SEATED = request_rate_limits.OTHERS = request_rate_limits.PLACE = (
        request_rate_limits.SHARE
    ) = ()
    if sys.argv[1:2] == ["in"]:
        print(json.dumps(asyncio.run(measured(Path(sys.argv[2]), int(sys.argv[3])))))
        return
    for tables, found in curve(int(sys.argv[1]) if sys.argv[1:] else 100_000):
        print(
            f"{tables:>9,} finished games: start {found['start'] * 1000:.0f} ms, a press "
            f"{found['press'] * 1000:.1f} ms, /games {found['games'] * 1000:.0f} ms of CPU; "
            f"{found['memory']:.0f} MB; {found['megabytes']:.0f} MB on disk, "
            f"{found['bytes']:.0f} bytes a move",
            flush=True,
        )


if __name__ == "__main__":
    main()
