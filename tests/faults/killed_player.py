"""A process that plays Niya in a house until it kills itself at a point asked for.

Run as ``python -m tests.faults.killed_player FOLDER SEED KILLS``: the database and the journal of
what a chat's server has seen live in FOLDER. At start it checks that every board is the newest,
resends the press that was never answered, and plays on. One line of JSON tells the result
of the check; then it dies, or ends after a bounded number of moves.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.facade import Facade, open_facade
from bot.port import Asker, Command, Press, Screen, Shown, Target
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.fakes import FakeChat, Where, person

POINTS = ("received", "before-commit", "after-commit", "before-send", "after-send")
PEOPLE = (person("Nerea"), person("Bruno"))
WHERE = Where("fake", "group")
PRESSES = 60


@dataclass
class Bomb:
    """Kills the process the *left*-th time that *point* is passed."""

    point: str
    left: int

    def pass_by(self, point: str) -> None:
        if point != self.point:
            return
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DeadlyStore(Store):
    """A store that dies just before or just after it commits."""

    bomb: Bomb | None = None

    @asynccontextmanager
    async def transaction(self, *, beside: bool = False) -> AsyncIterator:
        async with super().transaction(beside=beside) as tx:
            yield tx
            if self.bomb is not None:
                self.bomb.pass_by("before-commit")
        if self.bomb is not None:
            self.bomb.pass_by("after-commit")


@dataclass
class Journal:
    """What the outside world remembers: presses sent and answered, boards on the screen."""

    file: Path
    lines: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.file.exists():
            self.lines = [json.loads(line) for line in self.file.read_text().splitlines()]

    def write(self, **line: object) -> None:
        self.lines.append(line)
        with self.file.open("a") as out:
            out.write(json.dumps(line) + "\n")

    def unanswered(self) -> dict | None:
        answered = {line["update"] for line in self.lines if line["what"] == "answered"}
        sent = [line for line in self.lines if line["what"] == "sent"]
        return next((line for line in sent if line["update"] not in answered), None)


@dataclass
class JournalChat(FakeChat):
    """A chat whose server outlives us: posts are known by their nonce, edits replace.

    Nobody paints its pictures: each of many processes would draw all anew.
    """

    paints = True

    journal: Journal | None = None
    bomb: Bomb | None = None

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        assert self.bomb is not None
        assert self.journal is not None
        self.bomb.pass_by("before-send")
        message = target.message
        if message is None:
            posted = [line for line in self.journal.lines if line.get("nonce") == target.nonce]
            message = posted[0]["message"] if posted else f"m-{target.nonce}"
        codes = [
            button.code
            for row in screen.rows
            for button in row
            if button.style in ("move", "final")
        ]
        self.journal.write(
            what="shown",
            message=message,
            table=screen.table,
            version=screen.version,
            over=screen.over,
            codes=codes,
            nonce=None if target.message else target.nonce,
        )
        self.bomb.pass_by("after-send")
        return Shown(message, fresh=target.message is None)

    def boards(self) -> dict[str, dict]:
        """The newest state of each message, by table."""
        assert self.journal is not None
        return {line["table"]: line for line in self.journal.lines if line["what"] == "shown"}


async def settled(facade: Facade, seconds: float) -> bool:
    """Whether nothing was under way any more within *seconds*."""
    try:
        async with asyncio.timeout(seconds):
            await facade.settled()
    except TimeoutError:
        return False
    return True


async def send(facade: Facade, chat: JournalChat, journal: Journal, line: dict) -> bool:
    """Press a button as a client does that keeps what was not answered."""
    assert chat.bomb is not None
    chat.bomb.pass_by("received")
    answer = await facade.press(
        Press(line["update"], WHERE, PEOPLE[line["who"]], line["code"], line["message"])
    )
    journal.write(what="answered", update=line["update"], good=answer.good)
    return answer.good


async def check(facade: Facade, chat: JournalChat, journal: Journal) -> dict:
    """Whether every table shows its newest board, and the press never answered is done once."""
    began = time.monotonic()
    quick = await settled(facade, 5.0)
    stale = []
    for code, board in chat.boards().items():
        table = await facade.services.tables.get(code)
        if board["version"] != table.version:
            stale.append(code)
    lost = doubled = 0
    again = journal.unanswered()
    if again is not None:
        table = await facade.services.tables.get(again["table"])
        before = len(table.log)
        expected = again["moves"] + 1
        await send(facade, chat, journal, again)
        await settled(facade, 5.0)
        after = len((await facade.services.tables.get(again["table"])).log)
        lost, doubled = int(after < expected), int(after > expected or before > expected)
    return {
        "settled": quick,
        "seconds": round(time.monotonic() - began, 3),
        "stale": len(stale),
        "lost": lost,
        "doubled": doubled,
        "messages": len({line["message"] for line in journal.lines if line["what"] == "shown"}),
        "tables": len(chat.boards()),
    }


async def play(facade: Facade, chat: JournalChat, journal: Journal, rng: random.Random) -> None:
    """Play until the bomb goes off, at most ``PRESSES`` moves."""
    for _ in range(PRESSES):
        boards = [board for board in chat.boards().values() if not board["over"]]
        living = [board for board in boards if board["codes"]]
        if not living:
            await open_table(facade, rng)
            await settled(facade, 5.0)
            continue
        board = rng.choice(living)
        table = await facade.services.tables.get(board["table"])
        (seat,) = table.actors()
        who = int(table.players[seat].name == PEOPLE[1].name)
        line = {
            "update": f"u{rng.getrandbits(60):x}",
            "who": who,
            "code": rng.choice(board["codes"]),
            "table": board["table"],
            "message": board["message"],
            "moves": len(table.log),
        }
        journal.write(what="sent", **line)
        await send(facade, chat, journal, line)
        await settled(facade, 5.0)


async def open_table(facade: Facade, rng: random.Random) -> None:
    first, second = PEOPLE
    call = Command(f"p{rng.getrandbits(60):x}", WHERE, first, "play", {"game": "niya"}, {})
    await facade.call(call)
    tables = await facade.services.tables.listed(
        ("open",), person=(await facade.services.people.of(first)).id
    )
    for table in tables:
        await join(facade, table.code, second, rng)


async def join(facade: Facade, code: str, who: Asker, rng: random.Random) -> None:
    update = f"j{rng.getrandbits(60):x}"
    await facade.call(Command(update, WHERE, who, "join", {"table": code}))


async def main(folder: Path, seed: int, point: str) -> None:
    rng = random.Random(seed)
    journal = Journal(folder / "journal.jsonl")
    bomb = Bomb("", 0)
    store = await DeadlyStore.open(f"sqlite+aiosqlite:///{folder}/games.db")
    assert isinstance(store, DeadlyStore)
    facade = await open_facade(store, Thinkers(), "es")
    chat = JournalChat(journal=journal, bomb=bomb)
    await facade.start([chat])
    print(json.dumps(await check(facade, chat, journal)), flush=True)
    if point == "none":
        await facade.stop()
        return
    store.bomb = chat.bomb = Bomb(point, rng.randrange(1, 12))
    bomb.point = point
    await play(facade, chat, journal, rng)
    await facade.stop()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
