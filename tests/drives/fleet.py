"""Several processes on one PostgreSQL: killed, and replaced by others, while people play.

    python -m tests.drives.fleet kills 50 --processes 3
    python -m tests.drives.fleet restarts 5
    python -m tests.drives.fleet upgrades 10
    python -m tests.drives.fleet releases 3 --pairs 12
    python -m tests.drives.fleet cost --processes 2
    python -m tests.drives.fleet kills 1000 --processes 4 --tables 10000 --tally FILE

People play by pages, which any process serves, and in an emulated Telegram, which one of them
polls. *kills* ends a process by SIGKILL again and again; *restarts* restarts the server of the
database, of which no process may end; *upgrades* starts a new one beside the others and ends an old
one by SIGTERM; *releases* does the same with the next release, whose schema
has one step more, and kills one of the old ones beside it, which starts again; *cost* tells the
processor's time of a press. With a *tally* every portion of the rounds, each in a world of its own,
is a line of the file: what is cut off is taken up again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import psutil

from storage import server_cluster
from storage.errors import StorageError
from tests import postgres
from tests.drives.fleet_world import Process, World, settled, world
from tests.drives.stage import PATIENCE, emulators

FREE = 10.0
"""Within how many seconds of a kill every lease must be held by a process that lives."""

STALE = 5.0
"""Within how many seconds every board must be the newest."""

PORTION = 25
"""How many rounds a world lives through, where there is a tally."""


@dataclass
class Tally:
    """What was found."""

    rounds: int = 0
    seconds: float = 0.0
    lost: int = 0
    doubled: int = 0
    stale: int = 0
    late_leases: int = 0
    presses: int = 0
    again: int = 0
    refused: list[str] = field(default_factory=list)
    leases: list[float] = field(default_factory=list)
    current: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        counted = (self.lost, self.doubled, self.stale, self.late_leases)
        return not (any(counted) or self.refused or self.wrong)

    def __iadd__(self, more: Tally) -> Self:
        for name, value in asdict(more).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def line(self) -> str:
        """All of it, in one line and what is wrong below."""
        took = sorted(self.took) or [0.0]
        told = (
            f"{self.rounds} rounds, {self.presses} presses ({self.again} asked again) in "
            f"{self.seconds:.0f} s: "
            f"{self.lost} lost, {self.doubled} doubled, {len(self.refused)} refused, "
            f"{self.stale} stale after {STALE:g} s, {self.late_leases} leases after {FREE:g} s; "
            f"leases free after {_spread(self.leases)}, boards newest after "
            f"{_spread(self.current)}, a press {statistics.median(took) * 1000:.0f} ms, "
            f"99 of 100 within {took[int(len(took) * 0.99)] * 1000:.0f} ms"
        )
        return "\n".join([told, *self.wrong[:5], *self.refused[:5]])


def _spread(seconds: list[float]) -> str:
    if not seconds:
        return "-"
    return f"{statistics.median(seconds):.1f} s (worst {max(seconds):.1f})"


async def telegram(there: World, chats: list[tuple[dict[str, Any], str]], tally: Tally) -> None:
    """Two people in each group press for ever, while the gate is open."""
    while True:
        for number, (chat, code) in enumerate(chats):
            # Slower than the pace of a group, for which boards would wait.
            await asyncio.sleep(1.0)
            await there.gate.wait()
            if await there.over(code):
                first, second = there.fake.A, there.fake.B
                code = await there.opened(chat, first=first, second=second)
                chats[number] = (chat, code)
            await there.shown(code)
            before, message = await there.table(code), await there.message(code)
            who, button = await there.mover(code), there.rng.choice(await there.codes(code))
            handle = await there.press(who, message, code=button)
            await handle.answered(PATIENCE)
            tally.presses += 1
            after, answered = await there.table(code), time.monotonic()
            while len(after.log) == len(before.log) and time.monotonic() < answered + PATIENCE:
                await asyncio.sleep(0.05)  # what takes long is answered before it is done
                after = await there.table(code)
            if len(after.log) == len(before.log):
                tally.lost += 1
                tally.wrong.append(f"{code}: {handle.answer}")
            tally.doubled += len(after.log) > len(before.log) + 1


async def kill(there: World, tally: Tally) -> None:
    """Kill one process, start it again, and look at what the others make of it."""
    await asyncio.sleep(there.rng.uniform(0.2, 1.0))
    victim = there.rng.choice(there.serving)
    await victim.kill()
    there.gate.clear()
    began, starved = time.monotonic(), there.starved()
    starting = asyncio.create_task(_anew(victim))
    for what, seconds, found in (
        (there.leases_held, FREE, tally.leases),
        (there.all_current, STALE, tally.current),
    ):
        try:
            await what(20.0)
        except TimeoutError as wrong:
            tally.wrong.append(str(wrong))
        found.append(time.monotonic() - began)
        if found[-1] > seconds:
            tally.late_leases += what == there.leases_held
            tally.stale += what == there.all_current
            waits = ", ".join(
                f"{name} {waited - starved.get(name, 0.0):.1f}"
                for name, waited in there.starved().items()
            )
            tally.wrong.append(
                f"{what.__name__} {found[-1]:.1f} s, at last for {there.last}; "
                f"for a processor waited {waits}"
            )
    await starting
    there.gate.set()


async def _anew(process: Process) -> None:
    await process.start()
    await process.begun()


async def upgrade(there: World, tally: Tally) -> None:
    """Start a new process beside the others, then end the oldest by SIGTERM."""
    old = there.serving[0]
    new = there.process(len(there.processes))
    await _anew(new)
    await asyncio.sleep(1.0)
    await _ended(there, old, tally)


async def release(there: World, tally: Tally) -> None:
    """Start one of the next release, kill an old one, which starts again, and end the oldest."""
    old, *others = [one for one in there.serving if not one.later]
    await _anew(there.process(len(there.processes), later=True))
    for other in others[:1]:
        await asyncio.sleep(2.0)
        await other.kill()
        await _anew(other)
    await asyncio.sleep(2.0)
    await _ended(there, old, tally)


async def _ended(there: World, old: Process, tally: Tally) -> None:
    status, seconds = await old.end()
    tally.leases.append(await there.leases_held(60.0))
    if status != 0:
        tally.wrong.append(f"ended with {status} after {seconds:.0f} s: {old.bot.output[-500:]}")
    await asyncio.sleep(2.0)


async def restart(there: World, tally: Tally) -> None:
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
    tally.leases.append(time.monotonic() - began)
    # Whoever would be buried is buried by then.
    await asyncio.sleep(server_cluster.TERM + 2.0)
    for one in there.processes:
        if not one.bot.alive:
            tally.wrong.append(f"a process has ended: {one.bot.output[-200:]}")
            await _anew(one)
    there.gate.set()
    await asyncio.sleep(3.0)


async def cost(there: World, tally: Tally) -> None:
    """Half a minute of play; what it costs the processes stands in ``wrong`` for nobody."""

    def spent() -> float:
        found = [psutil.Process(one.bot.proc.pid) for one in there.serving]
        return sum(sum(one.cpu_times()[:2]) for one in found)

    before, presses = spent(), _presses(there)
    await asyncio.sleep(30.0)
    count = _presses(there) - presses
    said = (
        f"{count / 30:.1f} presses a second, {(spent() - before) / count * 1000:.1f} ms of CPU each"
    )
    print(f"{len(there.serving)} processes: {said}", flush=True)


def _presses(there: World) -> int:
    return sum(len(pair.took) for pair in there.pairs)


ROUNDS = {
    "kills": kill,
    "restarts": restart,
    "upgrades": upgrade,
    "releases": release,
    "cost": cost,
}


async def drive(told: argparse.Namespace, rounds: int, seed: int) -> Tally:
    """*rounds* of what is told."""
    tally, what = Tally(), told.what
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        address = await settled(told.tables)
        async with world(Path(folder), address, told.processes, told.pairs, seed) as there:
            there.gate.set()
            playing = [asyncio.create_task(pair.play(told.pause)) for pair in there.pairs]
            if what != "cost":
                groups = [
                    there.fake.add_group(f"Club {n}", [there.fake.A, there.fake.B])
                    for n in range(5)
                ]
                first, second = there.fake.A, there.fake.B
                chats = [(g, await there.opened(g, first=first, second=second)) for g in groups]
                playing.append(asyncio.create_task(telegram(there, chats, tally)))
            await asyncio.sleep(3.0)
            began = time.monotonic()
            for number in range(rounds):
                await ROUNDS[what](there, tally)
                tally.rounds += 1
                if number % 10 == 9:
                    print(tally.line(), file=sys.stderr, flush=True)
            tally.seconds = time.monotonic() - began
            there.gate.clear()
            try:
                await there.all_current(60.0)
            except TimeoutError as wrong:
                stale = [line.partition(":")[0] for line in await there.pages_stale()]
                told = [await there.told_of(code) for code in stale]
                tally.wrong.append(f"at the end: {wrong} {told}")
            tally.wrong += [repr(one.exception()) for one in playing if one.done()]
            for one in playing:
                one.cancel()
            lost, doubled, where = await there.miscounted()
            tally.lost, tally.doubled = tally.lost + lost, tally.doubled + doubled
            tally.wrong += where
            tally.wrong += [f"violation {one}" for one in there.fake.violations[:3]]
            tally.wrong += [
                one.bot.output[max(0, at - 300) : at + 1500]
                for one in there.processes
                if (at := one.bot.output.find("Traceback")) >= 0
            ]
            for pair in there.pairs:
                tally.refused += pair.refused
                tally.took += pair.took
                tally.presses += len(pair.took)
                tally.again += pair.first.again + pair.second.again
    return tally


def portions(told: argparse.Namespace) -> Tally:
    """What the file tells and what was still missing of the rounds, a line of it each portion."""
    file: Path = told.tally
    lines = file.read_text().splitlines() if file.exists() else []
    whole = Tally()
    for line in lines:
        whole += Tally(**json.loads(line))
    while whole.rounds < told.rounds:
        rounds = min(PORTION, told.rounds - whole.rounds)
        found = asyncio.run(drive(told, rounds, seed=told.seed + len(lines)))
        lines.append(json.dumps(asdict(found)))
        file.write_text("\n".join(lines) + "\n")
        whole += found
        print(whole.line(), file=sys.stderr, flush=True)
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.fleet", description=__doc__)
    parser.add_argument("what", choices=ROUNDS)
    parser.add_argument("rounds", type=int, nargs="?", default=1)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between a pair's moves")
    parser.add_argument("--tables", type=int, default=0, help="finished games in the database")
    parser.add_argument("--seed", type=int, default=1, help="of all that is left to chance")
    parser.add_argument("--tally", type=Path, help="a file that keeps what was found")
    told = parser.parse_args()
    if not emulators():
        sys.exit("there are no emulators beside this checkout")
    tally = portions(told) if told.tally else asyncio.run(drive(told, told.rounds, told.seed))
    print(tally.line(), flush=True)
    sys.exit(not tally.good)


if __name__ == "__main__":
    main()
