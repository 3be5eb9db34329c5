"""Processes of the bot: killed, and replaced by others, while people play.

    python -m tests.drives.fleet kills 50 --processes 3
    python -m tests.drives.fleet kills 50 --processes 1
    python -m tests.drives.fleet restarts 5
    python -m tests.drives.fleet upgrades 10
    python -m tests.drives.fleet releases 3 --pairs 12
    python -m tests.drives.fleet cost --processes 2
    python -m tests.drives.fleet kills 1000 --processes 4 --tables 10000 --tally FILE

People play by pages, which any process serves, and in an emulated Telegram, which one of them
polls; a process that is alone has a file of SQLite. *kills* ends a process by SIGKILL again and
again; *restarts* restarts the server of the database, of which no process may end; *upgrades*
starts a new one beside the others and ends an old one by SIGTERM; *releases* does the same with the
next release, whose schema has one step more, and kills one of the old ones beside it, which starts
again; *cost* tells presses a second and the processor's time of each, beside an *echo* that knows
nothing. With a *tally* every portion of the rounds, each in a world of its own, is a line of the
file: what is cut off is taken up again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import psutil
from aiohttp import web

from storage.database import server_process_cluster as server_cluster
from storage.errors import StorageError
from tests import postgres
from tests.drives.fleet_world import Fleet, Process, fleet, settled
from tests.drives.report import Report
from tests.drives.world import PATIENCE, require_emulators
from tests.loopback import listening

FREE = 10.0
"""Within how many seconds of a kill every lease must be held by a process that lives."""

STALE, ANEW = 5.0, 10.0
"""Within how many seconds every board must be the newest, with others and alone."""

PORTION = 25
"""How many rounds a world lives through, where there is a tally."""


async def telegram(there: Fleet, report: Report) -> None:
    """Two people in each of five groups press for ever, while the gate is open."""
    fake, chats = there.fake, list[tuple[dict[str, Any], str]]()
    for number in range(5):
        chat = fake.add_group(f"Club {number}", [fake.A, fake.B])
        chats.append((chat, await there.opened(chat, first=fake.A, second=fake.B)))
    while True:
        for number, (chat, code) in enumerate(chats):
            # Slower than the pace of a group, for which boards would wait.
            await asyncio.sleep(1.0)
            await there.gate.wait()
            if await there.over(code):
                code = await there.opened(chat, first=fake.A, second=fake.B)
                chats[number] = (chat, code)
            await there.shown(code)
            before, message = await there.table(code), await there.message(code)
            who, button = await there.mover(code), there.rng.choice(await there.codes(code))
            handle = await there.press(who, message, code=button)
            await handle.answered(PATIENCE)
            report.counts["presses"] += 1
            after, answered = await there.table(code), time.monotonic()
            while len(after.log) == len(before.log) and time.monotonic() < answered + PATIENCE:
                await asyncio.sleep(0.05)  # what takes long is answered before it is done
                after = await there.table(code)
            if (moved := len(after.log) - len(before.log)) != 1:
                report.breaches.append(f"{code}: {moved} moves by a press, {handle.answer}")


async def kill(there: Fleet, report: Report) -> None:
    """Kill one process, start it again, and look at what the others make of it."""
    await asyncio.sleep(there.rng.uniform(0.2, 1.0))
    victim = there.rng.choice(there.serving)
    await victim.kill()
    there.gate.clear()
    began, starved = time.monotonic(), there.starved()
    starting = asyncio.create_task(victim.start())
    for what, wait, most in (
        ("leases free after", there.leases_held, FREE),
        ("boards newest after", there.all_current, STALE if there.serving else ANEW),
    ):
        try:
            await wait(20.0)
        except TimeoutError as wrong:
            report.breaches.append(str(wrong))
        took = time.monotonic() - began
        report.took(what, took)
        if took > most:
            waits = {name: f"{s - starved.get(name, 0):.1f}" for name, s in there.starved().items()}
            late = f"{what} {took:.1f} s, at last for {there.last}; for a processor waited {waits}"
            report.breaches.append(late)
    await starting
    there.gate.set()


async def upgrade(there: Fleet, report: Report) -> None:
    """Start a new process beside the others, then end the oldest by SIGTERM."""
    old = there.serving[0]
    await there.process(len(there.processes)).start()
    await asyncio.sleep(1.0)
    await _ended(there, old, report)


async def release(there: Fleet, report: Report) -> None:
    """Start one of the next release, kill an old one, which starts again, and end the oldest."""
    old, *others = [one for one in there.serving if not one.later]
    await there.process(len(there.processes), later=True).start()
    for other in others[:1]:
        await asyncio.sleep(2.0)
        await other.kill()
        await other.start()
    await asyncio.sleep(2.0)
    await _ended(there, old, report)


async def _ended(there: Fleet, old: Process, report: Report) -> None:
    status, seconds = await old.end()
    report.took("leases free after", await there.leases_held(60.0))
    if status != 0:
        report.breaches.append(
            f"ended with {status} after {seconds:.0f} s: {old.bot.output[-500:]}"
        )
    await asyncio.sleep(2.0)


async def restart(there: Fleet, report: Report) -> None:
    """Restart the server of the database; no process may end of it."""
    there.gate.clear()
    await there.all_current(20.0)
    await asyncio.to_thread(postgres.restart)
    began = time.monotonic()
    while time.monotonic() < began + 20.0:
        with contextlib.suppress(StorageError):  # the connection of the drive itself was cut, too
            await there.leases_held(20.0)
            break
        await asyncio.sleep(0.2)
    report.took("leases free after", time.monotonic() - began)
    # Whoever would be buried is buried by then.
    await asyncio.sleep(server_cluster.TERM + 2.0)
    for one in there.processes:
        if not one.bot.alive:
            report.breaches.append(f"a process has ended: {one.bot.output[-200:]}")
            await one.start()
    there.gate.set()
    await asyncio.sleep(3.0)


async def cost(there: Fleet, report: Report) -> None:
    """Half a minute of play, and what it costs the processes."""

    def spent() -> float:
        found = [psutil.Process(one.bot.proc.pid) for one in there.serving]
        return sum(sum(one.cpu_times()[:2]) for one in found)

    before, presses = spent(), sum(len(pair.took) for pair in there.pairs)
    await asyncio.sleep(30.0)
    count = sum(len(pair.took) for pair in there.pairs) - presses
    each = (spent() - before) / count * 1000
    said = f"{count / 30:.1f} presses a second, {each:.1f} ms of CPU each"
    report.lines.append(f"{len(there.serving)} processes: {said}")
    report.lines.append(await bare(len(there.pairs)))


async def bare(lines: int, seconds: float = 10.0) -> str:
    """What a bot takes that knows nothing and echoes what comes by so many *lines*, in words."""
    command = [sys.executable, "-m", "tests.drives.fleet", "echo"]
    echo = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert echo.stdout is not None
    url, until, count = (
        (await echo.stdout.readline()).decode().strip(),
        time.monotonic() + seconds,
        0,
    )

    async def press() -> None:
        nonlocal count
        async with aiohttp.ClientSession() as http, http.ws_connect(url) as socket:
            while time.monotonic() < until:
                await socket.send_str("x" * 200)
                await socket.receive()
                count += 1

    await asyncio.gather(*(press() for _ in range(lines)))
    spent = sum(psutil.Process(echo.pid).cpu_times()[:2]) * 1000 / count
    echo.kill()
    await echo.wait()
    return f"an echo: {count / seconds:.0f} presses a second, {spent:.2f} ms of CPU each"


async def answer_echo() -> None:
    """Echo what comes by a WebSocket, and print the address."""

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        return socket

    app = web.Application()
    app.router.add_get("/", talk)
    async with listening(app) as address:
        print(f"{address}/", flush=True)
        await asyncio.Event().wait()


ROUNDS = {
    "kills": kill,
    "restarts": restart,
    "upgrades": upgrade,
    "releases": release,
    "cost": cost,
}


async def drive(told: argparse.Namespace, rounds: int, seed: int) -> Report:
    """*rounds* of what is told."""
    report, what = Report(), told.what
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        alone = f"sqlite+aiosqlite:///{folder}/games.db"
        address = await settled(told.tables) if told.processes > 1 else alone
        async with fleet(Path(folder), address, told.processes, told.pairs, seed) as there:
            there.gate.set()
            playing = [asyncio.create_task(pair.play(told.pause)) for pair in there.pairs]
            if what != "cost":
                playing.append(asyncio.create_task(telegram(there, report)))
            await asyncio.sleep(3.0)
            for number in range(rounds):
                await ROUNDS[what](there, report)
                report.counts["rounds"] += 1
                if number % 10 == 9:
                    print(report, file=sys.stderr, flush=True)
            there.gate.clear()
            try:
                await there.all_current(60.0)
            except TimeoutError as wrong:
                report.breaches.append(f"at the end: {wrong} {await there.told_of_stale()}")
            report.breaches += [repr(one.exception()) for one in playing if one.done()]
            for one in playing:
                one.cancel()
            await there.judge(report)
    return report


def portions(told: argparse.Namespace) -> Report:
    """What the file tells and what was still missing of the rounds, a line of it each portion."""
    known, whole = Report.read_from(told.tally), Report()
    for one in known:
        whole += one
    while (left := told.rounds - whole.counts["rounds"]) > 0:
        found = asyncio.run(drive(told, min(PORTION, left), seed=told.seed + len(known)))
        found.append_to(told.tally)
        known.append(found)
        whole += found
        print(whole, file=sys.stderr, flush=True)
    return whole


def main() -> int:
    """Drive what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=[*ROUNDS, "echo"])
    parser.add_argument("rounds", type=int, nargs="?", default=1)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between a pair's moves")
    parser.add_argument("--tables", type=int, default=0, help="finished games in the database")
    parser.add_argument("--seed", type=int, default=1, help="of all that is left to chance")
    parser.add_argument("--tally", type=Path, help="a file that keeps what was found")
    told = parser.parse_args()
    if told.what == "echo":
        asyncio.run(answer_echo())
    require_emulators()
    report = portions(told) if told.tally else asyncio.run(drive(told, told.rounds, told.seed))
    return report.conclude()


if __name__ == "__main__":
    sys.exit(main())
