"""What many tables cost: lists in a place with 10,000 finished games, a start with 100,000 tables.

Run by hand: ``python -m tests.benchmarks.crowd``. CPU time, and ratios within one run; the start is
timed in a process of its own, as the bot starts, from opening the file to the owed boards shown.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.port import Command
from tests.bot.many_tables import change, copied
from tests.fakes import Desk, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
FINISHED = 10_000
TABLES = 100_000
OWED = 5
TIMES = 15


async def begun(at: Desk) -> str:
    """A table of Niya between two people."""
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    message = list(at.chat.messages.values())[-1]
    await at.press(BRUNO, message, "Aceptar")
    return message.screen.table


async def begun_and_over(folder: Path) -> tuple[str, str]:
    """A house with three tables that are being played and one that is over."""
    async with desk(folder) as at:
        playing, _, _, over = [await begun(at) for _ in range(4)]
        await at.surely(NEREA, "resign", table=over)
    return playing, over


async def asked(folder: Path) -> dict[str, float]:
    """CPU milliseconds of each question: the median, the first apart."""
    found = {}
    async with desk(folder) as at:
        questions: dict[str, Callable[[], Awaitable[object]]] = {
            "completing /move": lambda: at.facade.requests.suggest(
                Command("s", at.where, NEREA, "move", {}), "move", ""
            ),
            "completing table=": lambda: at.facade.requests.suggest(
                Command("s", at.where, NEREA, "board", {}), "table", ""
            ),
            "/games": lambda: at.facade.requests.call(Command("g", at.where, NEREA, "games", {})),
            "/rules": lambda: at.facade.requests.call(Command("r", at.where, NEREA, "rules", {})),
            "the page": lambda: at.facade.boards.on_page(at.where),
        }
        for name, ask in questions.items():
            times = []
            for _ in range(TIMES):
                began = time.process_time()
                await ask()
                times.append(1e3 * (time.process_time() - began))
            found[name] = statistics.median(times[1:])
            found[f"{name}, first"] = times[0]
    return found


async def started(folder: Path) -> dict[str, float]:
    """Seconds until a house is open and shows what it owes, and megabytes then."""
    began, cpu = time.perf_counter(), time.process_time()
    async with desk(folder) as at:
        listening = time.perf_counter() - began
        while len(at.chat.messages) < OWED:
            await asyncio.sleep(0.01)
        shown, used = time.perf_counter() - began, time.process_time() - cpu
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        megabytes = pages * resource.getpagesize() / 1e6
        await at.settle()
    return {"listening": listening, "shown": shown, "CPU": used, "MB": megabytes}


def start(folder: Path) -> dict[str, float]:
    """``started``, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.crowd", "start", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def lists() -> None:
    """The lists, with and without finished games."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        few, many = Path(one), Path(other)
        for folder in (few, many):
            _, over = asyncio.run(begun_and_over(folder))
            if folder is few:
                change(folder, f"DELETE FROM view WHERE subject = '{over}'")
                change(folder, f"UPDATE seat SET person = NULL WHERE game = '{over}'")
            else:
                copied(folder, over, range(FINISHED), views=True)
        before, after = asyncio.run(asked(few)), asyncio.run(asked(many))
    print(f"{'CPU ms of a question':<26}{'none over':>12}{f'{FINISHED} over':>14}{'ratio':>8}")
    for name, base in before.items():
        print(f"{name:<26}{base:>12.2f}{after[name]:>14.2f}{after[name] / base:>8.2f}")


def starts() -> None:
    """A start with nothing, and with many tables."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        few, many = Path(one), Path(other)
        for folder in (few, many):
            playing, over = asyncio.run(begun_and_over(folder))
            if folder is many:
                living = TABLES // 5
                copied(folder, playing, range(living), views=True)
                copied(folder, over, range(living, TABLES), views=True)
                change(folder, "UPDATE view SET shown = owed")
        found = {}
        for folder, name in ((few, "4 tables"), (many, f"{TABLES} tables")):
            code = "(SELECT min(code) FROM game WHERE status = 'playing')"
            change(folder, "UPDATE view SET shown = owed")
            for number in range(OWED):
                change(
                    folder,
                    "INSERT INTO view (kind, subject, platform, place, language, theme, shown, "
                    f"owed, digest) VALUES ('board', {code}, 'fake', 'p{number}', 'es', 'light', "
                    "0, 99, '')",
                )
            size = (folder / "games.db").stat().st_size / 1e6
            found[f"{name} ({size:.0f} MB)"] = start(folder)
    print(f"{'a start':<26}" + "".join(f"{key:>12}" for key in ("listening", "shown", "CPU", "MB")))
    for name, row in found.items():
        print(f"{name:<26}" + "".join(f"{value:>12.2f}" for value in row.values()))
    base, full = found.values()
    print(f"{'ratio':<26}" + "".join(f"{full[key] / base[key]:>12.2f}" for key in base))


if __name__ == "__main__":
    if sys.argv[1:2] == ["start"]:
        print(json.dumps(asyncio.run(started(Path(sys.argv[2])))))
    else:
        lists()
        starts()
