"""One person at a hundred times others' rate: ``python -m tests.drives.flooding [--share 1]``.

On an emulated Discord, an emulated Telegram and in the browser, each with the real process and its
limits as they are. Players play in turns with and without the abuser, so that both see the same
machine: the 99th percentile of their boards and of their first answers may not double. He may have
no table beyond his limit, hears something on each press, and a restart finds nothing of his.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import random
import re
import sqlite3
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

from bot.commands import quotas
from tests.chats.pages import Page, Visitor, named
from tests.drives.bench import Bench, bench
from tests.drives.findings import Dose, below, told
from tests.drives.patched_main import AS_PEOPLE
from tests.drives.stage import EMULATORS, ROOT, Stage, emulators, staged
from tests.drives.telegram_checks import groups

PERSON = 0.5
"""How often a person does something, a second."""

ABUSE = 100 * PERSON

ROUNDS = 10
"""How often the abuser comes and goes."""

PRESSES = 20
"""How many presses of the players a round has without him, and as many with him."""

UNDER_WAY = 20.0
"""Seconds after which nothing is under way that a passer-by asked: his answer waits at most 15."""

LIMITED = {AS_PEOPLE: "1"}

TABLES = """
select count(distinct game.code) from game
join seat on seat.game = game.code join identity on identity.person = seat.person
where identity.platform = ? and identity.external = ? and game.status = 'open'
"""
PENDING = "select count(*) from inbox where state = 'pending'"


@dataclass
class Seen:
    """What the players saw without the abuser and with him, in seconds."""

    boards: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    answers: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    abuse: int = 0
    wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        """All figures; what may not be is told among *wrong*."""
        parts = [f"{self.abuse} things asked by him"]
        for what, (calm, abused) in (("boards", self.boards), ("answers", self.answers)):
            times = below(abused, 0.99) / max(below(calm, 0.99), 1e-9)
            parts.append(f"{what} {told(calm)}, with him {told(abused)}: p99 {times:.2f} ×")
            if times >= 2:
                self.wrong.append(f"p99 of {what} {times:.2f} ×")
        return "; ".join(parts + self.wrong)


Press = Callable[[], Awaitable[tuple[float, float]]]
"""One press of the players: seconds to the answer and to the board."""


async def measured(press: Press, abuse: Callable[[int], Awaitable[None]], share: float) -> Seen:
    """Let the players press, in turns without and with somebody who does *abuse* all the time."""
    seen, numbers = Seen(), itertools.count()
    for _ in range(4):
        await press()  # the first pictures of a process take longer

    async def flood() -> None:
        began = time.monotonic()
        for number in itertools.count():
            with suppress(TimeoutError):
                await abuse(next(numbers))
            seen.abuse += 1
            await asyncio.sleep(max(0.0, began + number / ABUSE - time.monotonic()))

    for turn in range(2 * Dose(share).of(ROUNDS, 2)):
        # What this process allocates for the abuser must not stop its own clock.
        gc.collect()
        gc.disable()
        flooding = asyncio.create_task(flood()) if turn % 2 else None
        for _ in range(PRESSES):
            answer, board = await press()
            seen.answers[turn % 2].append(answer)
            seen.boards[turn % 2].append(board)
        if flooding is not None:
            flooding.cancel()
            with suppress(asyncio.CancelledError):
                await flooding
    gc.enable()
    return seen


# -------------------------------------------------------------------------------- Discord


async def discord(folder: Path, share: float) -> Seen:
    """In the players' channel: presses of their buttons, openings, boards, words, guesses."""
    async with bench(folder, env=LIMITED, human_delay=0.0) as at:
        fake, his = at.fake, []
        game = SimpleNamespace(message=await at.open())

        async def press() -> tuple[float, float]:
            await asyncio.sleep(0.5)
            shown = game.message
            await at.until(lambda: at.moves(shown) or at.over(shown), "the board")
            if at.over(shown):
                game.message = await at.open()
            board = await at.move(game.message)
            return at.handles[-1].latency or 9.0, board

        async def abuse(number: int) -> None:
            match number % 5:
                case 0:
                    asked = await fake.slash(fake.C, "play", {"game": "niya"})
                case 1:
                    asked = await fake.slash(fake.C, "board", {"table": at.code(game.message)})
                case 2:
                    asked = await fake.slash(fake.C, "board", {"table": f"ZZ{number % 10_000:04}"})
                case _:
                    if not (there := at.moves(game.message)):
                        return
                    asked = await fake.click(fake.C, game.message, stale=dict(at.rng.choice(there)))
            his.append(asked)

        seen = await measured(press, abuse, share)
        await _all_answered(seen, his)
        (tables,) = at.rows(TABLES, "discord", fake.C["id"])[0]
        _judge(seen, tables, await _left_after_a_restart(at))
        seen.wrong += at.faults()
        return seen


async def _all_answered(seen: Seen, his: list[Any]) -> None:
    """Discord says of what has no answer that the bot is broken."""
    until = time.monotonic() + 10.0
    while any(one.latency is None for one in his) and time.monotonic() < until:
        await asyncio.sleep(0.1)
    if silent := sum(one.latency is None for one in his):
        seen.wrong.append(f"{silent} of his without an answer")


async def _left_after_a_restart(at: Bench) -> int:
    await at.killed()
    return int(at.rows(PENDING)[0][0])


# -------------------------------------------------------------------------------- Telegram


async def telegram(folder: Path, share: float) -> Seen:
    """Twelve groups, so that none is pressed at faster than its pace; he is in all of them."""
    async with staged(folder, env=LIMITED) as stage:
        fake, rng = stage.fake, random.Random(14)
        places, turn = groups(stage, 12), itertools.count()
        codes = []
        for place in places:
            codes.append(await stage.opened(place, first=fake.A, second=fake.B))
            await asyncio.sleep(2.0)

        async def press() -> tuple[float, float]:
            slot = next(turn) % len(codes)
            if await stage.over(codes[slot]):
                codes[slot] = await stage.opened(places[slot], first=fake.A, second=fake.B)
            code = codes[slot]
            who, message = await stage.mover(code), await stage.shown(code)
            button = rng.choice(await stage.codes(code))
            await asyncio.sleep(0.4)
            edits, began = message.edits, time.monotonic()
            handle = await stage.press(who, message, code=button)
            await handle.answered()
            await fake.w.until(lambda: message.edits > edits, 60.0, "the next board")
            return handle.latency, time.monotonic() - began

        async def abuse(number: int) -> None:
            slot = number % len(codes)
            lines = ("/play niya", f"/board {codes[slot]}", f"/board ZZ{number % 10_000:04}")
            if number % 5 < len(lines):
                await fake.say(fake.C, lines[number % 5], places[slot])
                return
            message = await stage.message(codes[slot])
            if message is not None and message.buttons:
                button = {"text": "", **rng.choice(message.buttons)}
                await fake.press(fake.C, message, stale=button)

        seen = await measured(press, abuse, share)
        tables = await _tables(stage)
        for number in range(200):  # what he asks last is still on its way when the bot is killed
            await abuse(number)
        _judge(seen, tables, await _pending_after_a_restart(stage))
        seen.wrong += [f"violation {one}" for one in fake.violations[:3]]
        return seen


async def _tables(stage: Stage) -> int:
    his = ("telegram", str(stage.fake.C["id"]))
    async with stage.store.reading() as tx:
        return int((await tx.exec_driver_sql(TABLES, his)).scalar_one())


async def _pending_after_a_restart(stage: Stage) -> int:
    """What waits with Telegram or in the inbox after a while; what was under way is done then."""
    await stage.bot.kill()
    await stage.begin()

    async def waiting() -> int:
        return len(stage.fake.pending) + await stage.pending()

    async def settled() -> bool:
        return not await waiting()

    with suppress(TimeoutError):
        await stage.until(settled, UNDER_WAY)
    return await waiting()


# -------------------------------------------------------------------------------- browser


async def browser(folder: Path, share: float) -> Seen:
    """A guest who was let in once: lines, presses and pages without end."""
    async with served(folder) as (url, entrance, http):
        server = SimpleNamespace(http=http, url=url)
        host, guest, abuser = Visitor(server), Visitor(server), Visitor(server)
        assert await host.enter(entrance) == 200
        await named(host, "Ana")
        async with host.open() as first, invited(first, guest, "Bea") as (second, table):
            game = SimpleNamespace(table=table)

            async def press() -> tuple[float, float]:
                await asyncio.sleep(0.5)
                if first.boards[game.table]["over"]:
                    game.table = (await first.type("/play niya"))["open"]
                    assert (await second.type(f"/join {game.table}"))["good"]
                return await pressed((first, second), game.table)

            async with invited(first, abuser, "Eva") as (third, own):
                reading = asyncio.create_task(_read(third))

                async def abuse(number: int) -> None:
                    lines = ("/play niya", f"/board {table}", f"/board ZZ{number % 10_000:04}")
                    if number % 5 < len(lines):
                        await third.send("call", line=lines[number % 5], table="")
                    elif number % 5 == 3:
                        await third.send("press", code=f"m.{table}.x", message=own)
                    else:
                        await abuser.get(f"{abuser.path}/")

                seen = await measured(press, abuse, share)
                reading.cancel()
        _judge(seen, *_kept(folder, abuser))
        return seen


def _kept(folder: Path, visitor: Visitor) -> tuple[int, int]:
    """How many open tables *visitor* has, and how many updates wait."""
    address = f"file:{folder}/games.db?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as database:
        his = ("web", visitor.path.removeprefix("/p/"))
        (tables,), (pending,) = (
            database.execute(query, values).fetchone()
            for query, values in ((TABLES, his), (PENDING, ()))
        )
    return tables, pending


async def _read(page: Page) -> None:
    async for _ in page.socket:
        pass


@asynccontextmanager
async def invited(host: Page, visitor: Visitor, name: str) -> AsyncIterator[tuple[Page, str]]:
    """*visitor* at a table of *host*: his page, and the table."""
    table = (await host.type("/play niya"))["open"]
    assert await visitor.enter((await host.ask("invite", table=table))["link"]) == 200
    await named(visitor, name)
    async with visitor.open() as page:
        yield page, table


async def pressed(pages: tuple[Page, Page], table: str) -> tuple[float, float]:
    """One move by whoever may; the other page shows it, too."""
    boards = [await page.board(table, lambda board: not board["open"]) for page in pages]
    version = boards[0]["version"]
    mover, other = pages if boards[0]["mine"] else pages[::-1]
    began = time.monotonic()
    answer = await mover.press(table, mover.moves(table)[0])
    answered = time.monotonic() - began
    assert answer["good"], answer
    await other.board(table, lambda board: board["version"] > version)
    shown = time.monotonic() - began
    await mover.board(table, lambda board: board["version"] > version)
    return answered, shown


@asynccontextmanager
async def served(
    folder: Path, *, patched: bool = False
) -> AsyncIterator[tuple[str, str, aiohttp.ClientSession]]:
    """The process with the browser chat alone: its address, the way in, and a client.

    *patched* lifts the limits of people.
    """
    module = "tests.drives.patched_main" if patched else "bot.app.main"
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/games.db",
        "WEB_PORT": "0",
        "LUDOTECA_LANGUAGE": "en",
        "PYTHONPATH": str(ROOT),
    }
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module),
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert bot.stdout is not None
        entrance = (await asyncio.wait_for(bot.stdout.readline(), 240)).decode().strip()
        found = re.match(r"http://127\.0\.0\.1:\d+", entrance)
        assert found, entrance
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            yield found[0], entrance, http
    finally:
        bot.terminate()
        await bot.wait()


def _judge(seen: Seen, tables: int, pending: int) -> None:
    if tables > quotas.PERSON:
        seen.wrong.append(f"{tables} open tables of his")
    if pending:
        seen.wrong.append(f"{pending} updates wait after a restart")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.flooding", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full numbers")
    parser.add_argument("--only", choices=("discord", "telegram", "browser"))
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for drive in (discord, telegram, browser):
        if asked.only not in (None, drive.__name__):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                seen = asyncio.run(drive(Path(folder), asked.share))
                said = seen.line()
                mark = "FAIL" if seen.wrong else "ok  "
            except Exception as wrong:  # the report of one platform does not end the others
                mark = "FAIL"
                said = f"{type(wrong).__name__}: {wrong}\n{traceback.format_exc(limit=-4)}"
        failed |= mark == "FAIL"
        print(f"{mark} {drive.__name__:8} {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
