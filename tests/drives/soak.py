"""Hours of play in a browser's pages: ``python -m tests.drives.soak MINUTES [--load N]``.

Load 1 is five guests who make 5.5 presses and 3.3 calls a second together: all five games with one
another and with computers, every command, and whatever else a page asks for. The process has its
limits as they are, and is measured every fifteen seconds. At the end each page must show the stored
version of every table, and memory must be flat: the straight line through the samples of the
second half may rise by a twentieth of their mean, in the process that serves and in its workers.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

from bot.texts import LANGUAGES, language
from games.core import phrase
from tests.chats.pages import Visitor, named
from tests.drives.soak_guests import GAMES, Crowd, Player, Slot
from tests.drives.soak_samples import FLAT, Sample, ranges, risen, sample, second_half
from tests.live_bot import LiveBot, live_bot, until

GUESTS = 5
PRESSES = 5.5
CALLS = 3.3

HIDES = "storilljudhjorrayc"

EVERY = 15.0
"""Seconds between two samples."""

WARM = 60.0
"""Seconds of a start that are in no sample: caches fill."""

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/\?t=(\S+)")


@dataclass
class Soak:
    """A run: the bot, who plays there, and what was measured."""

    bot: LiveBot
    database: Path
    crowd: Crowd
    samples: list[Sample] = field(default_factory=list)
    seconds: float = 0.0

    async def measure(self) -> None:
        """Take a sample every fifteen seconds, for ever."""
        began = time.monotonic()
        while True:
            await asyncio.sleep(EVERY)
            at = time.monotonic() - began
            one = await asyncio.to_thread(
                sample, self.bot.process.pid, at, self.bot.metrics, self.database, self.bot.log
            )
            self.samples.append(one)
            print(f"{one.line()}, {dict(self.crowd.tally.counts)}", flush=True)

    async def settle(self) -> None:
        """Wait until every page shows what is stored, for a minute at most."""
        until = time.monotonic() + 60
        while self._versions() and time.monotonic() < until:
            await asyncio.sleep(1.0)

    def judge(self) -> None:
        """Find what may not be, and tell the figures."""
        tally, half = self.crowd.tally, second_half(self.samples)
        wrong, done = tally.breaches, tally.counts["presses"] + tally.counts["calls"]
        for player in self.crowd.players:
            if (broken := player.broken()) is not None:
                wrong.append(f"the drive lost {player.name}: {broken!r}")
        if self.bot.process.poll() is not None:
            wrong.append(f"the bot ended with {self.bot.process.returncode}")
        tally.forbid(sum(not one.metrics for one in self.samples), "times /metrics were silent")
        tally.forbid(len(self.bot.said("Traceback")), "tracebacks in the log")
        wrong += self._versions()
        rises = {what: risen(half, what) for what in ("bot", "workers", "descriptors")}
        wrong += [f"memory of {w} rises" for w in ("bot", "workers") if rises[w] > FLAT]
        used = self.samples[-1].seconds - self.samples[0].seconds
        tally.lines += [
            f"{len(self.crowd.players)} guests for {self.seconds / 60:.1f} minutes: "
            f"{done / self.seconds:.1f} presses and calls of {len(tally.calls)} kinds a second, "
            f"{1000 * used / max(1, done):.1f} ms of the processor each",
            f"refused presses {dict(tally.refused.most_common(6))}",
            f"declined calls of {len(tally.declined)} sentences: "
            f"{dict(tally.declined.most_common(6))}",
            f"all the time: {ranges(self.samples)}",
            f"second half ({len(half)} samples): {ranges(half)}",
            "rise along the line through the second half: "
            + ", ".join(f"{what} {part:+.1%}" for what, part in rises.items()),
        ]

    def _versions(self) -> list[str]:
        """The tables whose pages showed another version last than the one that is stored.

        A page of a game with hidden armies is not told of what its guest may not see.
        """
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            rows = database.execute("select code, version, game from game")
            stored = {code: (version, game) for code, version, game in rows}
        wrong = []
        for player in self.crowd.players:
            for table, shown in player.newest.items():
                version, game = stored.get(table, (-1, ""))
                old = table in player.boards and shown < version and game != HIDES
                if shown > version or old:
                    wrong.append(f"{player.name} saw version {shown} of {table}, not {version}")
        return wrong


async def _invited(host: Player, name: str, make: Any) -> Player:
    """Somebody whom *host* invites to a table of theirs."""
    table = (await host.ask("call", line="/play niya", table=""))["open"]
    link = (await host.ask("invite", table=table))["link"]
    visitor = Visitor(host.visitor.server)
    assert await visitor.enter(link) == 200
    await named(visitor, name)
    player: Player = make(visitor, name)
    player.start()
    return player


def _slots(players: Sequence[Player]) -> list[Slot]:
    """Tables of neighbours in circles of five, a game each, and a computer's in every circle."""
    slots = []
    for start in range(0, len(players), GUESTS):
        circle = players[start : start + GUESTS]
        for at, player in enumerate(circle):
            slots.append(Slot(player, circle[(at + 1) % len(circle)], GAMES[at]))
        slots.append(Slot(circle[0], None, GAMES[start // GUESTS % len(GAMES)]))
    return slots


def _failing() -> tuple[str, ...]:
    """How the sentences of our faults begin, in every language."""
    return tuple(language(code).say(phrase("house.try-again")) for code in LANGUAGES)


async def soaked(folder: Path, bot: LiveBot, minutes: float, load: float) -> Soak:
    """Play at *bot* for *minutes*; what was measured and found."""
    rng = random.Random(34)
    url, token = LINK.findall(bot.log.read_text())[0]
    jar = aiohttp.DummyCookieJar()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(cookie_jar=jar, connector=connector) as http:
        server = SimpleNamespace(url=url, http=http)

        def made(visitor: Visitor, name: str) -> Player:
            return Player(visitor, lambda: [server], random.Random(rng.random()), name=name)

        visitor = Visitor(server)  # type: ignore[arg-type]
        assert await visitor.enter(f"{url}/?t={token}") == 200
        await named(visitor, "Guest 0")
        players = [made(visitor, "Guest 0")]
        players[0].start()
        try:
            while len(players) < round(GUESTS * load):
                players.append(await _invited(players[-1], f"Guest {len(players)}", made))
            crowd = Crowd(players, _slots(players), rng, _failing())
            soak = Soak(bot, folder / "games.db", crowd)
            await crowd.drive(min(WARM, minutes * 6), PRESSES * load, CALLS * load)
            crowd.tally, began = type(crowd.tally)(), time.monotonic()
            measuring = asyncio.create_task(soak.measure())
            await crowd.drive(minutes * 60, PRESSES * load, CALLS * load)
            soak.seconds = time.monotonic() - began
            measuring.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await measuring
            await soak.settle()
            soak.judge()
            return soak
        finally:
            await asyncio.gather(*(player.close() for player in players))


def main() -> int:
    """Play for as long as the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--load", type=float, default=1.0, help="times five guests")
    parser.add_argument("--kept", type=Path, help="a folder for the database and the log")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = asked.kept or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        address = f"sqlite+aiosqlite:///{folder.resolve()}/games.db"
        with live_bot(folder, address, LUDOTECA_LANGUAGE="en") as bot:
            until(bot.answers, why="the bot does not answer")
            soak = asyncio.run(soaked(folder, bot, asked.minutes, asked.load))
            report, began = soak.crowd.tally, time.monotonic()
            status = bot.ended(60)
            report.lines.append(f"SIGTERM: {status} after {time.monotonic() - began:.1f} s")
    return report.conclude()


if __name__ == "__main__":
    sys.exit(main())
