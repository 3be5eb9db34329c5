"""What seldom happens, one after the other: ``python -m tests.drives.hazards [NAME …]``.

- ``server``: a server of PostgreSQL that keeps what it has confirmed (fsync on) crashes while two
  play: what was answered as done is there afterwards.
- ``imports``: a bot is killed while it imports; the next one finishes, and nothing is there twice.
- ``readonly``: the disk lets nothing be written for a while.
- ``packets``: six of ten messages never come out; in the end every board shows the newest version.
- ``lag``: for how long the loop stands still while games are filmed, and files read.

The status is 1 where something was lost, doubled or stood still for a second.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from bot.app.runner import favour_loop
from bot.facade import Thinkers, open_facade
from bot.port import Command, Where
from bot.port.chat import ChatError
from bot.service.place.archive import PlaceHead, read_archive, write_archive
from games.core.record import Entry, Record
from storage.errors import StorageError
from storage.place import imports
from storage.store import Store
from storage.table import games
from tests import postgres
from tests.drives.kill_loop import KillLoop, begun_facade
from tests.drives.report import Report, below
from tests.fakes import UPDATES, Desk, FakeChat, desk, person

ANA, BRUNO = person("Ana"), person("Bruno")
HERE = Where("fake", "group")

LONG = Record("niya", ("red", "yellow"), log=(Entry(1, "M1"), Entry(0, "M2")) * 20)
HEAD = PlaceHead(ludoteca=1, source="0" * 32, made="2026-01-01T00:00:00+00:00")


def archive(games: int) -> bytes:
    """An export with so many *games*."""
    return write_archive(HEAD, {f"{number:04d}": LONG.text() for number in range(games)})


async def table_of_two(at: Desk) -> str:
    """A game of Niya of Ana and Bruno; its code."""
    await at.call(ANA, "play", game="niya")
    (line, *_) = await at.facade.services.tables.list_lines(("open",))
    await at.call(BRUNO, "join", table=line.code)
    return line.code


async def play(at: Desk, code: str, chance: random.Random) -> bool:
    """Whether a legal move, drawn by lot, was answered as done; a game that is over is replaced."""
    table = await at.facade.services.tables.get(code)
    seat = min(table.actors())
    ana = await at.facade.services.people.number(ANA)
    who = ANA if ana == table.players[seat].person else BRUNO
    move = chance.choice(sorted(table.position.legal_moves(seat), key=str))
    written = table.game.notation.written(table.position, move)
    moved = {"move": written, "table": code}
    call = Command(f"hazard{next(UPDATES)}", HERE, who, "move", moved)
    return (await at.facade.requests.call(call)).good


# ---------------------------------------------------------------- one each


async def crash_server(report: Report, times: int = 2) -> None:
    """Crash a server while two play; what was answered as done must be there."""
    postgres.FAST = ("fsync=on", "synchronous_commit=on", "max_connections=50")
    own, chance = postgres.OwnServer(), random.Random(1)
    own.start()
    try:
        store = await Store.open(f"{own.address}/postgres", shared=True)
        facade, chat = await open_facade(store, Thinkers(seconds=0.5), "es"), FakeChat()
        await facade.start([chat])
        at = Desk(facade, chat)
        for _ in range(times):
            kept = moves = 0
            code = await table_of_two(at)
            crash = asyncio.create_task(asyncio.to_thread(own.restart))
            async with asyncio.timeout(90):
                while not crash.done() or moves < 8:
                    if await quietly(play(at, code, chance)):
                        moves += 1
                        kept = (await facade.services.tables.get(code)).version
                    elif crash.done() and (await facade.services.tables.get(code)).outcome:
                        break
                    await asyncio.sleep(0.02)
            report.counts["moves confirmed"] += moves
            there = await store.read(games.load_versions, [code])
            report.forbid(int(there[code] < kept), "confirmed moves lost in a crash of the server")
        report.counts["crashes of the server"] += times
        await facade.stop()
        await store.close()
    finally:
        own.remove()


async def quietly(work: Awaitable[bool]) -> bool:
    """What *work* answers; false where it fails."""
    try:
        return await work
    except Exception:
        return False


def kill_imports(report: Report, kills: int = 6) -> None:
    """Kill a bot within imports, and let the next ones finish."""
    with tempfile.TemporaryDirectory() as folder:
        url, data = f"sqlite+aiosqlite:///{folder}/games.db", archive(1000)

        async def taken(data: bytes) -> bytes:
            return data

        async def work(slot: int, _: int, ready: int) -> None:
            facade = await begun_facade(url, slot, shared=False)
            while True:
                os.write(ready, b".")
                await facade.services.imports.take_in(partial(taken, data), HERE)

        async def count() -> Report:
            store, found = await Store.open(url), Report()
            places = await store.read(imports.imported_places, HERE.platform, HERE.place)
            found.counts["games imported"] = sum(many for _, many in places)
            found.forbid(len(places) > 1, "places imported twice")
            found.forbid(sum(many > 1000 for _, many in places), "games imported twice")
            await store.close()
            return found

        async def finish() -> None:
            facade = await begun_facade(url, 0, shared=False)
            result = await facade.services.imports.take_in(partial(taken, data), HERE)
            report.forbid(result.new + result.known != 1000, "games of an import lost")
            await facade.stop()
            await facade.store.close()

        rng = random.Random(1)
        report += KillLoop(work, lambda: asyncio.run(count()), 1, 0.3, rng).run(kills)
        asyncio.run(finish())


async def forbid_writing(report: Report) -> None:
    """Start on a disk that can only be read: a sentence, and a start once it can be written."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            report.lines.append("nobody may mount a disk here: not driven")
            return
        try:
            async with desk(Path(folder)) as at:
                code = await table_of_two(at)
            for how in ("ro", "rw"):
                subprocess.run(["mount", "-o", f"remount,{how}", folder], check=True)
                try:
                    async with desk(Path(folder)) as at:
                        played = await play(at, code, random.Random(1))
                        report.forbid(how == "ro" and played, "moves that nobody can keep")
                        report.forbid(how == "rw" and not played, "houses that stay shut")
                except StorageError as wrong:
                    report.lines.append(str(wrong))
                    report.forbid(how == "rw", "houses that do not start again")
        finally:
            subprocess.run(["umount", "-l", folder], check=False)


async def lose_packets(report: Report, moves: int = 20, share: float = 0.6) -> None:
    """Lose six of ten messages, and see every board come right."""
    chance, chat = random.Random(1), FakeChat()
    show = chat.show

    async def lossy(*told: object) -> object:
        if chance.random() < share:
            report.counts["messages lost"] += 1
            raise ChatError("lost")
        return await show(*told)

    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder), chat=chat) as at:
            code = await table_of_two(at)
            chat.show = lossy
            for _ in range(moves):
                if (await at.facade.services.tables.get(code)).outcome is not None:
                    break
                report.counts["moves"] += await play(at, code, chance)
            chat.show = show
            await at.settle(180)
            newest = (await at.facade.services.tables.get(code)).version
            boards = [one for one in chat.messages.values() if one.screen.table == code]
            report.forbid(boards[-1].screen.version != newest, "boards that stay old")


@asynccontextmanager
async def watched(report: Report, what: str) -> AsyncIterator[None]:
    """Note how late the loop is while something is done; asked a hundred times a second."""
    lags: list[float] = []

    async def watch() -> None:
        while True:
            due = time.perf_counter() + 0.01
            await asyncio.sleep(0.01)
            lags.append(max(0.0, time.perf_counter() - due))

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        report.times[f"lag, {what}"] = lags
        report.forbid(max(lags, default=0.0) > 1.0, f"loops that stand still: {what}")
        print(f"{what}: p99 {below(lags, 0.99) * 1000:.0f} ms", flush=True)


async def watch_lag(report: Report) -> None:
    """Watch the loop while games are filmed, and a file is read."""
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            code, chance = await table_of_two(at), random.Random(1)
            for _ in range(500):
                if (await at.facade.services.tables.get(code)).outcome is not None:
                    break
                await play(at, code, chance)
            else:
                await at.surely(ANA, "resign", table=code)
            favour_loop()
            async with watched(report, "calm"):
                await asyncio.sleep(2)
            for name in ("replay", "card"):
                async with watched(report, name):
                    await at.call(ANA, name, table=code)
            async with watched(report, "a file of 9,999 games"):
                await asyncio.to_thread(read_archive, io.BytesIO(archive(9999)))


DRIVES: Mapping[str, Callable[[Report], object]] = {
    "server": crash_server,
    "imports": kill_imports,
    "readonly": forbid_writing,
    "packets": lose_packets,
    "lag": watch_lag,
}


def main() -> int:
    """Drive what the command line names, or all."""
    asked = argparse.ArgumentParser(prog="python -m tests.drives.hazards")
    asked.add_argument("names", nargs="*", choices=[[], *DRIVES])
    whole = Report()
    for name in asked.parse_args().names or DRIVES:
        report = Report()
        driven = DRIVES[name](report)
        if asyncio.iscoroutine(driven):
            asyncio.run(driven)
        print(name, report, flush=True)
        whole += report
    return whole.conclude()


if __name__ == "__main__":
    sys.exit(main())
