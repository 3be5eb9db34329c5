"""What seldom happens, one after the other: ``python -m tests.drives.hazards [NAME …]``.

- ``server``: a server of PostgreSQL that keeps what it has confirmed (fsync on) crashes while two
  play: what was answered as done is there afterwards.
- ``partition``: the line to such a server carries nothing for a while; what is on its way comes
  late, or never.
- ``migrations``: a bot is killed within its first start on a file of an old release, or on an empty
  server, at instants drawn by lot.
- ``imports``: a bot is killed while it imports; the next one finishes, and nothing is there twice.
- ``readonly``: the disk lets nothing be written for a while.
- ``packets``: six of ten messages never come out; in the end every board shows the newest version.
- ``requests``: six of ten requests to Telegram and Discord are lost, or their answers are.
- ``markup``: people whose names are markup play in three chats; nobody reads it as such.
- ``lag``: for how long the loop stands still while 500 moves are filmed, a game is reviewed and
  mined, and files are read; ``pairing``: while 200 people are paired and sit down.
- ``presses``: how many presses a second one process and two answer, beside a bare echo.

The status is 1 where something was lost, doubled or stood still for a second.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from multiprocessing import get_context
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
from tests.chats.pages import Visitor, named
from tests.drives.erased_people import GROUPS, House, house
from tests.drives.kill_loop import KillLoop, begun_facade
from tests.drives.report import Report, below
from tests.fakes import UPDATES, Desk, FakeChat, desk, person
from tests.storage.killed_upgrades import in_a_child, opened
from tests.storage.releases import restored
from tests.telegram_api import Api, serving

ANA, BRUNO = person("Ana"), person("Bruno")
HERE = Where("fake", "group")

LONG = Record("niya", ("red", "yellow"), log=(Entry(1, "M1"), Entry(0, "M2")) * 20)
NAMES = (
    "<b>bold <i>",
    "</script><script>x()",
    "[x](https://x.example)",
    '<a href="//x.example">',
    "*b* _i_ `c` ~~s~~",
    "@everyone <@1>",
)

FILE_KILLS, SERVER_KILLS = 20, 5
"""How often work is killed on SQLite and on PostgreSQL."""

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
    """Kill upgrades of an old file, and first starts on a server, at any instant; finish them."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        file, took, met = Path(folder) / "games.db", 1.0, 0
        while met < FILE_KILLS + SERVER_KILLS:
            for one in file.parent.glob("games.db*"):
                one.unlink()
            restored("0.2.0", file)
            url = f"sqlite+aiosqlite:///{file}"
            if met >= FILE_KILLS:
                url = postgres.database(f"{folder}{chance.random()}")
            child = get_context("fork").Process(target=lambda: asyncio.run(Store.open(url)))  # noqa: B023
            child.start()
            time.sleep(chance.random() * took)
            child.kill()
            child.join()
            met += child.exitcode == -signal.SIGKILL
            began = time.monotonic()
            report.forbid(int(in_a_child(partial(opened, url)) != 0), "upgrades that a kill spoils")
            took = time.monotonic() - began
        report.counts["kills"] += met


async def quietly(work: Awaitable[bool]) -> bool:
    """What *work* answers; false where it fails."""
    try:
        return await work
    except Exception:
        return False


def kill_imports(report: Report) -> None:
    """Kill a bot within imports, and let the next ones finish: on a file, and on a server."""
    with tempfile.TemporaryDirectory() as folder:
        _kill_imports(report, f"sqlite+aiosqlite:///{folder}/games.db", FILE_KILLS)
        _kill_imports(report, postgres.database(folder), SERVER_KILLS)


def _kill_imports(report: Report, url: str, kills: int) -> None:
    data, shared = archive(1000), "postgresql" in url

    async def taken(data: bytes) -> bytes:
        return data

    async def work(slot: int, _: int, ready: int) -> None:
        facade = await begun_facade(url, slot, shared=shared)
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
        facade = await begun_facade(url, 0, shared=shared)
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

    def __init__(self, handle: Callable[[web.Request], Awaitable[Any]]) -> None:
        self.handle, self.count = handle, 0
        self.share, self.chance = 0.0, random.Random(1)

    async def __call__(self, request: web.Request) -> web.Response:
        """Answer *request*, or cut its connection before or after it was done."""
        lost = self.chance.random() < self.share
        if lost and request.transport is not None and self.chance.random() < 0.5:
            request.transport.abort()
        self.count += lost
        answer = web.Response() if lost and request.transport is None else None
        answer = answer or await self.handle(request)
        if lost and request.transport is not None:
            request.transport.abort()
        return answer


async def lose_requests(
    report: Report, least: int = 100, share: float = 0.6, couples: int = 8
) -> None:
    """Lose six of ten requests to Telegram and to Discord, and see every board come right."""
    discord, api = FakeDiscord(), Api()
    losses = {"telegram": Loss(api.handle), "discord": Loss(discord._request)}
    api.handle, discord._request = losses.values()  # type: ignore[method-assign, assignment]
    chance, desks = random.Random(1), dict[str, tuple[Where, list[Asker]]]()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with serving(api), discord.running() as base:
            point_library_at(patch, base)
            async with house(Path(folder), api, discord, tuple(GROUPS)) as at:

                async def sit(where: Where, couple: list[Asker]) -> None:
                    await at.call(couple[0], where, "play", game="niya")
                    code = await at.table_of(couple[0])
                    await at.call(couple[1], where, "join", table=code)
                    desks[code] = where, couple

                for (platform, place), number in product(GROUPS.items(), range(couples)):
                    couple = [person(name, platform) for name in ("Ana", "Bruno")]
                    couple = [
                        replace(one, external=f"71{number}{n}555") for n, one in enumerate(couple)
                    ]
                    await sit(Where(platform, place), couple)
                await at.settled()
                for one in losses.values():
                    one.share = share
                playing, until = dict(desks), time.monotonic() + 240
                while time.monotonic() < until:
                    if min(one.count for one in losses.values()) > least:
                        break
                    for code, (where, couple) in [*playing.items()]:
                        if await play(at, code, chance, where, couple):
                            report.counts["moves"] += 1
                            continue
                        await sit(where, couple)
                        del playing[code]
                        playing = {one: desks[one] for one in (*playing, next(reversed(desks)))}
                    await asyncio.sleep(0.5)
                for platform, one in losses.items():
                    one.share = 0.0
                    report.counts[f"requests lost: {platform}"] = one.count
                    report.forbid(int(one.count <= least), f"times too few were lost: {platform}")
                began = time.monotonic()
                async with asyncio.timeout(300):
                    await at.facade.settled()
                report.took("until all boards were right", time.monotonic() - began)
                for code, (where, _) in desks.items():
                    newest = (await at.facade.services.tables.get(code)).version
                    rows = await at.facade.store.read(views.views_of_game, code)
                    old = [one for one in rows if one.message is None or one.shown < newest]
                    report.forbid(len(old) + (not rows), f"boards that stay old: {where.platform}")


def told_in(body: object, key: str) -> Iterator[Any]:
    """All values of *key* anywhere in *body*."""
    if isinstance(body, dict):
        yield from (value for name, value in body.items() if name == key)
    for part in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from told_in(part, key)


async def mark_names_up(report: Report) -> None:
    """Let people play whose names are markup, in three chats: nobody reads anything but names."""
    discord, api = FakeDiscord(), Api()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with serving(api), discord.running() as base:
            point_library_at(patch, base)
            async with house(Path(folder), api, discord, tuple(GROUPS)) as at:
                visitor, chance = Visitor(at.web), random.Random(1)
                await visitor.enter(f"{at.web.url}/?t={await at.web.chat._guests.first_token()}")
                for number, name in enumerate(NAMES):
                    for platform, place in GROUPS.items():
                        where = Where(platform, place)
                        couple = [Asker(platform, f"72{number}{n}555", name, "es") for n in (0, 1)]
                        await at.call(couple[0], where, "play", game="niya")
                        code = await at.table_of(couple[0])
                        await at.call(couple[1], where, "join", table=code)
                        for _ in range(4):
                            report.counts["moves"] += await play(at, code, chance, where, couple)
                    await named(visitor, name)
                    async with visitor.open() as page:
                        await page.type("/play niya")
                    page_text = (await visitor.get(f"{visitor.path}/"))[1].decode()
                    report.forbid("<" in name and name in page_text, f"names in a page: {name}")
                await at.settled()
    wrong = [one for one in api.asked if "parse" in one.refused]
    report.forbid(len(wrong), "messages that Telegram cannot parse")
    seen = " ".join(one.text for one in api.messages.values()).replace("\u2060", "")
    links = [link for one in api.messages.values() for link in one.links if "x.example" in link]
    report.forbid(len(links), "links made of names on Telegram")
    report.forbid(sum(name not in seen for name in NAMES), "names that Telegram does not show")
    bodies = [body for _, body in discord.requests]
    contents = " ".join(map(str, told_in(bodies, "content")))
    report.forbid(sum(name in contents for name in NAMES), "names that Discord takes for markup")
    calls = [one for one in told_in(bodies, "allowed_mentions") if one.get("parse")]
    report.forbid(len(calls), "messages on Discord that may call everybody")
    report.counts |= Counter({"messages": len(api.messages) + len(discord.messages)})


@asynccontextmanager
async def watched(report: Report, what: str) -> AsyncIterator[None]:
    """Note how late the loop is while something is done; asked a hundred times a second.

    How long this process computed meanwhile is told beside it: the rest it waited for others.
    """
    lags: list[float] = []
    own: list[float] = []

    async def watch() -> None:
        while True:
            due, busy = time.perf_counter() + 0.01, time.process_time()
            await asyncio.sleep(0.01)
            lags.append(max(0.0, time.perf_counter() - due))
            own.append(min(lags[-1], time.process_time() - busy))

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        report.times[f"lag, {what}"] = lags
        report.forbid(max(lags, default=0.0) > 1.0, f"loops that stand still: {what}")
        told = f"p99 {below(lags, 0.99) * 1000:.0f} ms, worst {max(lags, default=0.0):.2f} s"
        print(f"{what}: {told}, {max(own, default=0.0):.2f} s of its own", flush=True)


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


async def pair_hall(report: Report, entrants: int = 200) -> None:
    """Watch the loop while a tournament of so many *entrants* begins, and its tables open."""
    with tempfile.TemporaryDirectory() as folder:
        async with desk(Path(folder)) as at:
            favour_loop()
            await _pair_hall(at, report, entrants)


async def _pair_hall(at: Desk, report: Report, entrants: int) -> None:
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


def press_sustainedly(report: Report) -> None:
    """Let 24 pairs press as fast as they may at one process and at two, beside an echo."""
    for processes in "12":
        command = [sys.executable, "-m", "tests.drives.fleet", "cost", "--pairs", "24"]
        command += ["--pause", "0", "--processes", processes]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        report.lines += done.stdout.splitlines()
        report.forbid(done.returncode, f"fleets of {processes} that fail")


DRIVES: Mapping[str, Callable[[Report], object]] = {
    "server": crash_server,
    "partition": part_from_server,
    "migrations": kill_migrations,
    "imports": kill_imports,
    "readonly": forbid_writing,
    "packets": lose_packets,
    "requests": lose_requests,
    "markup": mark_names_up,
    "lag": watch_lag,
    "pairing": pair_hall,
    "presses": press_sustainedly,
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
