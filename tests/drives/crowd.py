"""A crowd in lively places: ``python -m tests.drives.crowd discord|telegram [--minutes 20]``.

Thirty people at twelve tables of an emulated Discord or Telegram, with its limits, while a state
of ``discord_conditions`` or ``telegram_conditions`` comes over a place every half minute, by lot,
and goes again; with ``--calm`` none does. At the end all is as usual, somebody writes in every
place, and every board is looked at. Ends with 1 where a press was not answered, or a board is not
the newest.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.session.table import PLAYING
from tests.drives.report import Report
from tests.drives.world import World, require_emulators

PEOPLE, TABLES = 30, 12

EVERY, LASTS = 30.0, 22.0
"""Seconds between two states that come, and for which each stays."""

FLIP = 3.5
"""Seconds around the flip of a switch in which it may have been on or off for a press."""

LATE = 3.0
"""Seconds within which everybody is to hear something."""

REST = 120.0
"""Seconds in which every board becomes the newest at the end."""


@dataclass(frozen=True)
class Pressed:
    """Something that somebody did: a *kind* of press or line, in *place*, *at* an instant."""

    kind: str
    place: Any
    at: float
    handle: Any


@dataclass
class Silence:
    """A time in which a place lets nothing be said; ``None`` of *until* lasts still."""

    place: Any
    since: float
    until: float | None = None

    def covers(self, one: Pressed) -> bool:
        """Whether *one* may have met it."""
        ended = self.until is not None and one.at > self.until + FLIP
        return self.place == one.place and one.at > self.since - FLIP and not ended


@dataclass
class Crowd(ABC):
    """People who play, people who pass by, and the states that come over their places."""

    world: Any
    rng: random.Random
    report: Report = field(default_factory=Report)
    calm: bool = False
    until: float = 0.0
    done: list[Pressed] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    switched: Counter[str] = field(default_factory=Counter)
    places: list[Any] = field(default_factory=list)

    @abstractmethod
    async def prepare(self) -> None:
        """Make the places, the people and their tables."""

    @abstractmethod
    def works(self) -> list[Coroutine[Any, Any, None]]:
        """What everybody does until the time is over."""

    @abstractmethod
    def offered(self) -> list[tuple[Any, Any]]:
        """The switches that may come now, each with a place."""

    @abstractmethod
    async def state(self, switch: Any, place: Any) -> None:
        """Let *switch* come over *place*, stay, and go again."""

    @abstractmethod
    async def away(self) -> None:
        """Let somebody be away for a while, or something of the kind."""

    @abstractmethod
    async def write_everywhere(self) -> None:
        """Let somebody write in every place."""

    @abstractmethod
    def answered(self, handle: Any) -> float | None:
        """After how many seconds somebody heard something."""

    @abstractmethod
    def tables(self) -> list[tuple[str, str]]:
        """The codes of the tables, and what each is called in the report."""

    @abstractmethod
    def boards(self, code: str) -> list[tuple[Any, list[str]]]:
        """The messages from which *code* can be played, the newest last, with their codes."""

    @abstractmethod
    def count(self, began: float) -> None:
        """Count the requests since *began*."""

    def note(self, kind: str, place: Any, handle: Any) -> None:
        """Note that *handle* came of something done just now."""
        self.done.append(Pressed(kind, place, time.monotonic(), handle))

    async def switches(self) -> None:
        """Let a state come over a place every half minute, and go again."""
        lasting = set()
        while not self.calm and time.monotonic() < self.until - LASTS:
            names = sorted({one.name for one, _ in self.offered()})
            wanted = min(names, key=lambda one: (self.switched[one], self.rng.random()))
            chosen = self.rng.choice([pair for pair in self.offered() if pair[0].name == wanted])
            self.switched[wanted] += 1
            lasting.add(asyncio.create_task(self.state(*chosen)))
            if self.rng.random() < 0.3:
                lasting.add(asyncio.create_task(self.away()))
            await asyncio.sleep(EVERY)
        await asyncio.gather(*lasting)

    def judge(self) -> None:
        """Count what was done, and what nobody heard of."""
        self.report.counts.update(f"of {one.kind}s" for one in self.done)
        silent = []
        for one in self.done:
            wait = self.answered(one.handle)
            if wait is not None:
                self.report.took("first answers", wait)
                self.report.counts[f"after {LATE:g} s"] += wait > LATE
            elif any(silence.covers(one) for silence in self.silences):
                self.report.counts["where nothing can be said"] += 1
            else:
                silent.append(f"{one.kind} in {one.place}")
        self.report.forbid(len(silent), "unanswered")
        self.report.lines += silent[:5]

    async def look(self) -> None:
        """Compare each table with its boards.

        A board may ask for the next step of a move that somebody has begun.
        """
        stale, double = [], []
        for code, name in self.tables():
            table = await self.world.table(code)
            if table.status != PLAYING:
                continue
            boards = self.boards(code)
            codes = boards[-1][1] if boards else []
            turns = {int(one.split(".")[2], 36) for one in codes if one.startswith("m.")}
            if not turns or not turns <= set(table.turns):
                stale.append(f"{name} is stale at rest")
            if len(boards) > 1:
                double.append(f"{name} has {len(boards)} live boards")
        self.report.counts["tables looked at"] = len(self.tables())
        self.report.breaches += [*stale, *double]

    async def drive(self, seconds: float) -> Report:
        """Let everybody live for so many *seconds*; what came of it."""
        await self.prepare()
        began = time.monotonic()
        self.until = began + seconds
        await asyncio.gather(*self.works(), self.switches())
        await asyncio.sleep(4.0)
        await self.write_everywhere()
        try:
            await self.world.until(self.world.is_at_rest, REST)
        except TimeoutError:
            self.report.breaches.append("some views are behind at rest")
        self.judge()
        await self.look()
        self.count(began)
        self.report.lines.append(f"states {dict(self.switched.most_common())}")
        self.report.lines.append("load average {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()))
        errors = [line for line in self.world.bot.output.splitlines() if " ERROR " in line]
        self.report.breaches += [f"logged: {line[:200]}" for line in errors[:3]]
        self.report.breaches += self.world.breaches()
        return self.report


async def lived(platform: str, folder: Path, seconds: float, seed: int, *, calm: bool) -> Report:
    """What came of so many *seconds* on *platform*."""
    from tests.drives.crowd_discord import DiscordCrowd, busy_discord
    from tests.drives.crowd_telegram import TelegramCrowd, busy_telegram

    kind: type[Crowd] = TelegramCrowd if platform == "telegram" else DiscordCrowd
    world: World
    async with (busy_telegram if platform == "telegram" else busy_discord)(folder) as world:
        return await kind(world, random.Random(seed), calm=calm).drive(seconds)


def main() -> int:
    """Drive what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", choices=("discord", "telegram"))
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--calm", action="store_true", help="no state comes over a place")
    asked = parser.parse_args()
    require_emulators()
    print(f"seed {asked.seed}, {asked.minutes:g} minutes", flush=True)
    with tempfile.TemporaryDirectory(prefix="ludoteca-crowd-") as folder:
        lives = lived(asked.platform, Path(folder), asked.minutes * 60, asked.seed, calm=asked.calm)
        return asyncio.run(lives).conclude()


if __name__ == "__main__":
    sys.exit(main())
