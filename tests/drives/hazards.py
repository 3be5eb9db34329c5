"""What seldom happens, one after the other: ``python -m tests.drives.hazards [NAME …]``.

- ``server``: a server of PostgreSQL that keeps what it has confirmed (fsync on) crashes while two
  play: what was answered as done is there afterwards.
- ``partition``: the line to such a server carries nothing for a while; what is on its way comes
  late, or never.
- ``migrations``: a bot is killed before each step of an upgrade.
- ``imports``: a bot is killed while it imports; the next one finishes, and nothing is there twice.
- ``readonly``: the disk lets nothing be written for a while.
- ``packets``: six of ten messages never come out; in the end every board shows the newest version.
- ``requests``: six of ten requests to Telegram and Discord are lost, or their answers are.
- ``lag``: for how long the loop stands still while 500 moves are filmed, a game is reviewed and
  mined, 200 people are paired, and files are read.

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
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.app.runner import favour_loop
from bot.facade import Thinkers, open_facade
from bot.port import Asker, Command, Promised, Where
from bot.port.chat import ChatError
from bot.service.place.archive import PlaceHead, read_archive, write_archive
from bot.service.table.changes import Update
from bot.tournament import organizer
from bot.tournament.values import Rules, TournamentFormat
from games.core.record import Entry, Record
from storage import tournaments
from storage.errors import StorageError
from storage.place import imports
from storage.records import EntrantRow, TournamentRow
from storage.store import Store
from storage.table import games, views
from tests import postgres
from tests.chats.fake_discord import FakeDiscord, point_library_at
from tests.drives.erased_people import GROUPS, House, house
from tests.drives.kill_loop import KillLoop, begun_facade
from tests.drives.report import Report, below
from tests.fakes import UPDATES, Desk, FakeChat, desk, person
from tests.telegram_api import Api, serving

ANA, BRUNO = person("Ana"), person("Bruno")
HERE = Where("fake", "group")

LONG = Record("niya", ("red", "yellow"), log=(Entry(1, "M1"), Entry(0, "M2")) * 20)
HEAD = PlaceHead(ludoteca=1, source="0" * 32, made="2026-01-01T00:00:00+00:00")


def archive(games: int) -> bytes:
    """An export with so many *games*."""
    return write_archive(HEAD, {f"{number:04d}": LONG.text() for number in range(games)})


async def table_of_two(at: Desk, game: str = "niya") -> str:
    """A *game* of Ana and Bruno; its code."""
    await at.call(ANA, "play", game=game)
    (line, *_) = await at.facade.services.tables.list_lines(("open",))
    await at.call(BRUNO, "join", table=line.code)
    return line.code


async def play(
    at: Desk | House,
    code: str,
    chance: random.Random,
    where: Where = HERE,
    couple: Sequence[Asker] = (ANA, BRUNO),
) -> bool:
    """Whether a legal move of the *couple*, drawn by lot, was answered as done."""
    table = await at.facade.services.tables.get(code)
    if table.outcome is not None:
        return False
    seat = min(table.actors())
    ana = await at.facade.services.people.number(couple[0])
    who = couple[ana != table.players[seat].person]
    move = chance.choice(sorted(table.position.legal_moves(seat), key=str))
    written = table.game.notation.written(table.position, move)
    moved = {"move": written, "table": code}
    call = Command(f"hazard{next(UPDATES)}", where, who, "move", moved)
    return (await at.facade.requests.call(call)).good


# ---------------------------------------------------------------- one each


async def crash_server(report: Report, times: int = 2) -> None:
    """Crash a server while two play; what was answered as done must be there."""
    async with own_server() as own, playing_on(own.port) as at:
        for _ in range(times):
            await play_through(at, report, asyncio.to_thread(own.restart))
            report.counts["crashes of the server"] += 1


async def part_from_server(report: Report, seconds: float = 15.0) -> None:
    """Cut the line to a server while two play: what is on its way comes late, or never."""
    async with own_server() as own, Line(own.port).open() as line, playing_on(line.at) as at:
        for lost in (False, True):

            async def part(lost: bool = lost) -> None:
                line.whole.clear()
                await asyncio.sleep(seconds)
                line.mend(lost=lost)

            await play_through(at, report, part())
            report.counts["partitions"] += 1


@asynccontextmanager
async def own_server() -> AsyncIterator[postgres.OwnServer]:
    """A server of PostgreSQL that keeps what it has confirmed."""
    postgres.FAST = ("fsync=on", "synchronous_commit=on", "max_connections=50")
    own = postgres.OwnServer()
    own.start()
    try:
        yield own
    finally:
        own.remove()


@asynccontextmanager
async def playing_on(port: int) -> AsyncIterator[Desk]:
    """A house on the server at *port*."""
    address = f"postgresql+asyncpg://ludoteca@127.0.0.1:{port}/postgres"
    store = await Store.open(address, shared=True)
    facade, chat = await open_facade(store, Thinkers(seconds=0.5), "es"), FakeChat()
    await facade.start([chat])
    yield Desk(facade, chat)
    await facade.stop()
    await store.close()


async def play_through(at: Desk, report: Report, trouble: Coroutine[None, None, None]) -> None:
    """Play while there is *trouble* and after it, and see that what was confirmed is there."""
    kept = moves = 0
    chance, code = random.Random(1), await table_of_two(at)
    troubled, ended = asyncio.create_task(trouble), list[float]()
    troubled.add_done_callback(lambda _: ended.append(time.monotonic()))
    async with asyncio.timeout(120):
        while not troubled.done() or moves < 8:
            if await quietly(play(at, code, chance)):
                moves += 1
                kept = (await at.facade.services.tables.get(code)).version
                if len(ended) == 1:
                    ended.append(time.monotonic())
                    report.took("until a move after it", ended[1] - ended[0])
            elif troubled.done() and (await at.facade.services.tables.get(code)).outcome:
                break
            await asyncio.sleep(0.02)
    report.counts["moves confirmed"] += moves
    there = await at.facade.store.read(games.load_versions, [code])
    report.forbid(int(there[code] < kept), "confirmed moves lost")


@dataclass(eq=False)
class Line:
    """A line to a *port* of this machine, which can be cut without a word to either end."""

    port: int
    at: int = 0
    whole: asyncio.Event = field(default_factory=asyncio.Event)
    _ends: list[asyncio.StreamWriter] = field(default_factory=list)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Line]:
        """The line, whole, at a port of its own."""
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.at = server.sockets[0].getsockname()[1]
        self.whole.set()
        yield self
        server.close()

    def mend(self, *, lost: bool) -> None:
        """Make it whole again; who was connected is cut off where what was sent is *lost*."""
        for one in self._ends if lost else ():
            one.transport.abort()
        self.whole.set()

    async def _carry(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, forth = await asyncio.open_connection("127.0.0.1", self.port)
        self._ends += [back, forth]
        await asyncio.gather(self._pump(here, forth), self._pump(there, back))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                await self.whole.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


def kill_migrations(report: Report) -> None:
    """Kill an upgrade of a released database before each of its steps, and finish it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.storage.killed_upgrades", "upgrade", "0.2.0"]
        done = subprocess.run([*command, folder, "1"], check=False, capture_output=True, text=True)
        report.counts["kills"] += int(done.stdout or 0)
        report.forbid(int(done.returncode != 0), f"upgrades that a kill spoils: {done.stderr}")


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


class Loss:
    """Lets a *share* of the requests to a server come to nothing, or only their answers."""

    def __init__(self, report: Report, handle: Callable[[web.Request], Awaitable[Any]]) -> None:
        self.report, self.handle = report, handle
        self.share, self.chance = 0.0, random.Random(1)

    async def __call__(self, request: web.Request) -> web.Response:
        """Answer *request*, or cut its connection before or after it was done."""
        lost = self.chance.random() < self.share
        if lost and request.transport is not None and self.chance.random() < 0.5:
            request.transport.abort()
        self.report.counts["requests lost"] += lost
        answer = web.Response() if lost and request.transport is None else None
        answer = answer or await self.handle(request)
        if lost and request.transport is not None:
            request.transport.abort()
        return answer


async def lose_requests(report: Report, moves: int = 30, share: float = 0.6) -> None:
    """Lose six of ten requests to Telegram and to Discord, and see every board come right."""
    discord, api = FakeDiscord(), Api()
    losses = [Loss(report, api.handle), Loss(report, discord._request)]
    api.handle, discord._request = losses  # type: ignore[method-assign, assignment]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with serving(api), discord.running() as base:
            point_library_at(patch, base)
            async with house(Path(folder), api, discord, tuple(GROUPS)) as at:
                desks = {}
                for platform, place in GROUPS.items():
                    couple = [person(name, platform) for name in ("Ana", "Bruno")]
                    couple = [
                        replace(one, external=f"71{n}5550") for n, one in enumerate(couple, 1)
                    ]
                    where = Where(platform, place)
                    await at.call(couple[0], where, "play", game="niya")
                    code = await at.table_of(couple[0])
                    await at.call(couple[1], where, "join", table=code)
                    desks[code] = where, couple
                await at.settled()
                for one in losses:
                    one.share = share
                chance = random.Random(1)
                for _ in range(moves):
                    for code, (where, couple) in desks.items():
                        report.counts["moves"] += await play(at, code, chance, where, couple)
                        await asyncio.sleep(0.5)
                for one in losses:
                    one.share = 0.0
                began = time.monotonic()
                async with asyncio.timeout(300):
                    await at.facade.settled()
                report.took("until all boards were right", time.monotonic() - began)
                for code, (where, _) in desks.items():
                    newest = (await at.facade.services.tables.get(code)).version
                    rows = await at.facade.store.read(views.views_of_game, code)
                    old = [one for one in rows if one.message is None or one.shown < newest]
                    report.forbid(len(old) + (not rows), f"boards that stay old: {where.platform}")


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
    """Watch the loop while games are filmed, reviewed, mined and paired, and a file is read."""
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            chance, services = random.Random(1), at.facade.services
            for _ in range(20):
                code = await table_of_two(at, "storilljudhjorrayc")
                for _ in range(500):
                    if (await services.tables.get(code)).outcome is not None:
                        break
                    report.counts["moves"] += await play(at, code, chance)
                else:
                    await at.surely(ANA, "resign", table=code)
                    break
            favour_loop()
            async with watched(report, "calm"):
                await asyncio.sleep(2)
            for name in ("replay", "card", "review"):
                async with watched(report, name):
                    answer = await at.call(ANA, name, table=code)
                    if isinstance(answer, Promised):
                        await answer.answer
            miner = at.facade.process_duties.miner
            miner.mines = True
            async with watched(report, "mining"):
                report.took("mining, of CPU", await miner.step())
            async with watched(report, "a file of 9,999 games"):
                await asyncio.to_thread(read_archive, io.BytesIO(archive(9999)))
            await pair_hall(at, report)


async def pair_hall(at: Desk, report: Report, entrants: int = 200) -> None:
    """Watch the loop while a tournament of so many *entrants* begins, and its tables open."""
    services = at.facade.services
    people = [await services.people.of(person(f"G{n}")) for n in range(entrants)]
    now, steady, code = services.clock.now(), services.clock.steady(), "HALL22"
    work = organizer.open_tournament(
        code, Rules("niya", TournamentFormat.SWISS, "5m", rounds=5), people[0].id, now, steady
    )
    for number, one in enumerate(people):
        organizer.enter(work, one.id, 1500 + number)
    shown, version = (HERE.platform, HERE.place, None), len(work.rows())
    row = TournamentRow(code, *shown, False, "open", version, now, now, None)
    entered = (EntrantRow(code, one.id, HERE.platform, HERE.place, None, False) for one in people)
    async with services.store.transaction() as tx:
        await tournaments.create_tournament(tx, row, work.rows())
        await tournaments.put_entrants(tx, list(entered))
    async with watched(report, f"pairing {entrants}"):
        update = Update("test", f"{code}:begin")
        await services.tournaments.change(update, code, organizer.begin)
        async with asyncio.timeout(300):
            count = 0
            while count < entrants // 2:
                await asyncio.sleep(0.2)
                played = (await services.tournaments.get(code)).games()
                codes = [game.code for _, _, game in played]
                count = len(await services.store.read(games.load_versions, codes))
        report.counts["tables of a round"] = count


DRIVES: Mapping[str, Callable[[Report], object]] = {
    "server": crash_server,
    "partition": part_from_server,
    "migrations": kill_migrations,
    "imports": kill_imports,
    "readonly": forbid_writing,
    "packets": lose_packets,
    "requests": lose_requests,
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
