"""A process that begins rematch after rematch until it is killed inside one, and its successors.

Run as ``python -m tests.faults.rematches FOLDER SEED POINT``: at start it checks that every table
being played has its board and no table two children, sends the consent that was never answered
once more, and goes on. ``inside`` kills process after process and adds up what was found.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select

from bot.facade import Facade, open_facade
from bot.port import Card, Command, Press
from bot.service.computers.pool import Thinkers
from storage import views
from storage.schema import game
from storage.store import Store
from tests.faults.killed_player import PEOPLE, WHERE, Bomb, DeadlyStore, Journal, JournalChat

ROOT = Path(__file__).resolve().parents[2]
POINTS = ("before-commit", "after-commit", "before-send", "after-send", "any-moment")
REMATCHES = 8
"""How many rematches a process begins at most."""

LONGEST = 0.02
"""Within so many seconds of the consent the process dies at any moment."""


@dataclass
class Found:
    """What successors found after kills inside rematches."""

    kills: int = 0
    boardless: int = 0
    children: int = 0
    lost: int = 0
    points: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        """Whether no table lacks its board, none has two children and no consent was lost."""
        return not (self.boardless or self.children or self.lost)


def inside(folder: Path, kills: int, seed: int = 3) -> Found:
    """Kill *kills* processes inside a rematch, all on one database in *folder*."""
    rng = random.Random(seed)
    found = Found()
    for attempt in range(3 * kills + 10):
        point = POINTS[attempt % len(POINTS)] if found.kills < kills else "none"
        command = [sys.executable, "-m", "tests.faults.rematches", str(folder)]
        command += [str(rng.getrandbits(30)), point]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, -signal.SIGKILL):
            raise RuntimeError(f"it ended with {done.returncode}: {done.stderr[-2000:]}")
        for name, count in json.loads(done.stdout.splitlines()[0]).items():
            setattr(found, name, getattr(found, name) + count)
        if point == "none":
            break
        if done.returncode == -signal.SIGKILL:
            found.kills += 1
            found.points[point] += 1
    return found


async def check(facade: Facade, store: Store, journal: Journal) -> dict[str, int]:
    """Tables without a board, second children, and consents that came to nothing."""
    lost = 0
    again = journal.unanswered()
    if again is not None:
        await consent(facade, journal, again)
        table = await facade.services.tables.get(again["table"])
        agreed = table.child is not None or (again["who"] == 0 and bool(table.offers))
        lost = int(not agreed)
    boardless = 0
    async with store.reading() as tx:
        tables = list(await tx.execute(select(game.c.code, game.c.status, game.c.parent)))
        for code, status, _ in tables:
            boardless += int(status == "playing" and not await views.views_of_game(tx, code))
    parents = Counter(parent for _, _, parent in tables if parent is not None)
    return {
        "boardless": boardless,
        "children": sum(count - 1 for count in parents.values()),
        "lost": lost,
    }


async def consent(facade: Facade, journal: Journal, line: dict) -> None:
    """One of the two asks for the rematch, as a client does that keeps what was not answered."""
    who = PEOPLE[line["who"]]
    await facade.call(Command(line["update"], WHERE, who, "rematch", {"table": line["table"]}))
    journal.write(what="answered", update=line["update"])
    await facade.settled()


async def go_on(
    facade: Facade, journal: Journal, bomb: Bomb, point: str, rng: random.Random
) -> None:
    """Give up and begin again, until the bomb goes off inside a rematch."""
    for number in range(REMATCHES):
        async with facade.store.reading() as tx:
            begun = await tx.execute(select(game.c.code).where(game.c.status == "playing"))
            code = begun.scalars().first()
        if code is None:
            code = await open_table(facade, rng)
        resigning = Command(
            f"g{rng.getrandbits(60):x}", WHERE, PEOPLE[0], "resign", {"table": code}
        )
        question = await facade.call(resigning)
        assert isinstance(question, Card)
        yes = question.screen.rows[0][0].code
        await facade.press(Press(f"g{rng.getrandbits(60):x}", WHERE, PEOPLE[0], yes, own=True))
        await facade.settled()
        for who in (0, 1):
            line = {"update": f"r{rng.getrandbits(60):x}", "who": who, "table": code}
            if who and number >= REMATCHES // 4:
                arm(bomb, point, rng)
            journal.write(what="sent", **line)
            await consent(facade, journal, line)


async def open_table(facade: Facade, rng: random.Random) -> str:
    """A game of Niya between the two."""
    wish = {"game": "niya", "rated": "no"}
    opening = Command(f"p{rng.getrandbits(60):x}", WHERE, PEOPLE[0], "play", wish)
    await facade.call(opening)
    async with facade.store.reading() as tx:
        opened = await tx.execute(select(game.c.code).where(game.c.status == "open"))
        code: str = opened.scalars().one()
    await facade.call(
        Command(f"j{rng.getrandbits(60):x}", WHERE, PEOPLE[1], "join", {"table": code})
    )
    return code


def arm(bomb: Bomb, point: str, rng: random.Random) -> None:
    """From now on the process dies at *point*, or at any moment of the next ``LONGEST``."""
    if point == "any-moment":
        late = rng.random() * LONGEST
        threading.Timer(late, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
        return
    bomb.point, bomb.left = point, rng.randrange(1, 4)


async def main(folder: Path, seed: int, point: str) -> None:
    rng = random.Random(seed)
    journal, bomb = Journal(folder / "journal.jsonl"), Bomb("", 0)
    store = await DeadlyStore.open(f"sqlite+aiosqlite:///{folder}/games.db")
    assert isinstance(store, DeadlyStore)
    facade = await open_facade(store, Thinkers(), "es")
    await facade.start([JournalChat(journal=journal, bomb=bomb)])
    await facade.settled()
    print(json.dumps(await check(facade, store, journal)), flush=True)
    if point != "none":
        store.bomb = bomb
        await go_on(facade, journal, bomb, point, rng)
    await facade.stop()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
