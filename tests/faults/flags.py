"""A process in which flags fall until it is killed at it, and its successors.

Run as ``python -m tests.faults.flags FOLDER SEED POINT``: at start it lets the flags fall that are
due and counts, of every table so far, the flags, the ends and who was called how often. Then it
begins more games, lets their time run out and dies between flag and display. ``between`` kills
process after process and adds up what was found.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.facade import Facade, open_facade
from bot.port import Asker, Command, Screen, Shown, Target, Where
from bot.service.clock import SteadyClock
from bot.service.computers.pool import Thinkers
from storage import games
from storage.store import Store
from tests.faults.killed_player import PEOPLE, WHERE, Bomb, DeadlyStore, Journal, JournalChat
from tests.faults.rematches import POINTS, ROOT, arm

TABLES = 3
"""How many flags fall at once."""

BEGAN = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass
class Fallen:
    """What successors found after kills between a flag and what shows it."""

    kills: int = 0
    tables: int = 0
    standing: int = 0
    """Tables whose time is over and that go on."""
    doubled: int = 0
    """Second flags, ends and calls of the same table."""
    uncalled: int = 0
    stale: int = 0
    points: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        """Whether each table has one flag, one end, one call to each and a board that says so."""
        return not (self.standing or self.doubled or self.uncalled or self.stale)


def between(folder: Path, kills: int, seed: int = 5) -> Fallen:
    """Kill *kills* processes between a flag and its display, all on one database in *folder*."""
    rng, found = random.Random(seed), Fallen()
    for attempt in range(3 * kills + 10):
        point = POINTS[attempt % len(POINTS)] if found.kills < kills else "none"
        command = [sys.executable, "-m", "tests.faults.flags", str(folder)]
        command += [str(rng.getrandbits(30)), point]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, -signal.SIGKILL):
            raise RuntimeError(f"it ended with {done.returncode}: {done.stderr[-2000:]}")
        for name, count in json.loads(done.stdout.splitlines()[0]).items():
            setattr(found, name, count)
        if point == "none":
            break
        if done.returncode == -signal.SIGKILL:
            found.kills += 1
            found.points[point] += 1
    return found


@dataclass
class CallingChat(JournalChat):
    """A chat whose server remembers whom it has called, each call by its nonce."""

    async def ping(
        self,
        where: Where,
        people: Sequence[Asker],
        text: str,
        board: str | None,
        nonce: str,
        roles: Sequence[str] = (),
    ) -> str | None:
        assert self.journal is not None
        assert self.bomb is not None
        self.bomb.pass_by("before-send")
        if all(line.get("nonce") != nonce for line in self.journal.lines):
            called = sorted(one.name for one in people)
            self.journal.write(what="called", nonce=nonce, board=board, text=text, called=called)
        self.bomb.pass_by("after-send")
        return f"c-{nonce}"

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        shown = await super().show(target, screen, picture)
        assert self.journal is not None
        self.journal.lines[-1]["headline"] = screen.headline
        return shown


class Time:
    """Time that passes when somebody says so."""

    passed = 0.0

    def shown(self) -> datetime:
        return BEGAN + timedelta(seconds=self.passed)


async def fall(facade: Facade, time: Time) -> None:
    """Let a minute pass, and what is due then happen."""
    time.passed += 70
    await facade.leases.deadlines.expire()
    facade.notifications.look_now()
    await facade.settled()


async def check(facade: Facade, journal: Journal, codes: Sequence[str]) -> dict[str, int]:
    """What became of the tables *codes*, all of which have run out of time by now."""
    found: Counter[str] = Counter(tables=len(codes), standing=0, doubled=0, uncalled=0, stale=0)
    boards = {one["table"]: one for one in journal.lines if one["what"] == "shown"}
    for code in codes:
        events = Counter(row.kind for row in await facade.store.read(games.load_events, code))
        found["standing"] += not (events["flag"] and events["end"])
        found["doubled"] += max(0, events["flag"] - 1) + max(0, events["end"] - 1)
        found["stale"] += not boards[code]["over"]
        message = boards[code]["message"]
        calls: Counter[str] = Counter()
        for line in journal.lines:
            if line["what"] == "called" and line["board"] == message and "acabado" in line["text"]:
                calls.update(line["called"])
        for person in PEOPLE:
            found["uncalled"] += not calls[person.name]
            found["doubled"] += max(0, calls[person.name] - 1)
    return dict(found)


async def begin(facade: Facade, rng: random.Random, journal: Journal) -> None:
    """A game of a minute a move between the two."""
    wish = {"game": "niya", "clock": "1m"}
    await facade.call(Command(f"p{rng.getrandbits(60):x}", WHERE, PEOPLE[0], "play", wish))
    (line,) = await facade.services.tables.listed(("open",), 1)
    seat = {"table": line.code}
    await facade.call(Command(f"j{rng.getrandbits(60):x}", WHERE, PEOPLE[1], "join", seat))
    await facade.settled()
    journal.write(what="begun", table=line.code)


async def main(folder: Path, seed: int, point: str) -> None:
    rng, time = random.Random(seed), Time()
    journal, bomb = Journal(folder / "journal.jsonl"), Bomb("", 0)
    store = await DeadlyStore.open(f"sqlite+aiosqlite:///{folder}/games.db")
    assert isinstance(store, Store)
    facade = await open_facade(store, Thinkers(), "es")
    facade.services.clock.now = time.shown
    facade.services.clock.steady = SteadyClock(time.shown, lambda: time.passed)
    await facade.start([CallingChat(journal=journal, bomb=bomb)])
    await facade.settled()
    await fall(facade, time)
    begun = [line["table"] for line in journal.lines if line["what"] == "begun"]
    print(json.dumps(await check(facade, journal, begun)), flush=True)
    if point != "none":
        for _ in range(TABLES):
            await begin(facade, rng, journal)
        async with facade.store.transaction() as tx:
            await facade.heartbeat.alive(tx)
        store.bomb = bomb
        arm(bomb, point, rng)
        await fall(facade, time)
    await facade.stop()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
