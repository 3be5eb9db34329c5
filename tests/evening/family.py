"""Family evenings in virtual time: ``python -m tests.evening family 1 --to 12``.

People, measure and platform are those of ``python -m tests.drives.family_evening evening``: the
emulator answers each call a tenth of a second late and holds to its limits. But ten minutes take
some seconds of a processor, however busy the machine is, and a seed is the same evening again: so
many can be played, before and after a change. The house runs in this process, and its pictures
have one pixel. It tells who takes the calls of the group, with ``--tell`` minute by minute, and
what was called while somebody waited long for their turn. Ends with 1 where all evenings together
miss a limit, or one of them does what may not be.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.session.table import Table
from storage.store import Store
from tests.drives.family_evening import ALONE, LATE, LIMITS, Family, FamilyTable
from tests.drives.report import Report, below
from tests.drives.world import Telegram, require_emulators
from tests.evening import loop
from tests.evening.house import House
from tests.evening.story import Story
from tests.evening.wire import Call, Net, told_as_json
from tests.telegram_api import TOKEN

COUNTED = ("send", "edit")
"""How the calls begin that count against the pace of a group."""


class EmulatedNet(Net):
    """Hands the calls of a house to the emulator, as its server would."""

    async def deliver(self, call: Call, answer: asyncio.Future[Any]) -> None:
        """The way there, and what the emulator answers."""
        from fake_telegram import ApiError, Record, store

        fake, values = self.telegram, dict(call.values)
        number = next(fake._n)
        files = {
            name: store(fake.outdir, number, name, filename, data)
            for name, (filename, data) in call.files.items()
        }
        record = Record(number, call.line, values, files)
        if call.line != "getUpdates":
            fake.records.append(record)
            await asyncio.sleep(LATE)
        told: dict[str, Any]
        try:
            result = await fake._call(call.line, values, files, record)
            record.status, told = 200, {"ok": True, "result": result}
        except ApiError as wrong:
            record.status, record.error = wrong.code, wrong.description
            told = {"ok": False, "error_code": wrong.code, "description": wrong.description}
            told |= {"parameters": wrong.parameters} if wrong.parameters else {}
        fake.w.poke()
        if not answer.done():
            answer.set_result(told_as_json(record.status, told))


@dataclass
class VirtualTelegram(Telegram):
    """The emulated Telegram, and the house in this process."""

    house: Any = None

    async def table(self, code: str) -> Table:
        """The table as the house knows it, which is quicker than to read it."""
        return await self.house.facade.services.tables.get(code)


@dataclass
class CountedFamily(Family):
    """A family that knows who takes the calls of its group."""

    handed: list[tuple[str, float, float]] = field(default_factory=list)
    """At which game, since when and until when somebody's turn was not shown."""

    def hand_over(self, table: FamilyTable, now: float) -> None:
        """Note besides since when."""
        self.handed.append((table.game, table.owed or now, now))
        super().hand_over(table, now)

    def calls(self, began: float, ended: float) -> list[tuple[float, str]]:
        """When which kinds of counted calls went to the group."""
        group = str(self.group["id"])
        here = [
            one
            for one in self.world.fake.records
            if began <= one.t < ended and str(one.params.get("chat_id")) == group
        ]
        return [(one.t, kind_of(one)) for one in here if one.method.startswith(COUNTED)]

    def tell(self, began: float) -> None:
        """Print who took the calls of each minute, and what kept long those who waited."""
        for minute in range(int((self.until - began) // 60)):
            here = self.calls(began + 60 * minute, began + 60 * minute + 60)
            print(f"  minute {minute}: {len(here)} calls", dict(Counter(kind for _, kind in here)))
        for game, owed, seen in self.handed:
            if seen - owed > LIMITS["handed over"][1]:
                calls = [f"{at - owed:.1f} {kind}" for at, kind in self.calls(owed, seen)]
                print(f"  {game} after {seen - owed:.1f} s, at {owed - began:.0f} s:", *calls)


def kind_of(record: Any) -> str:
    """What a call to a group is for."""
    values, name = record.params, record.method
    codes = [one.split(".") for one in json.dumps(values.get("reply_markup", "")).split('\\"')]
    codes = [one for one in codes if len(one) == 5]
    table = any(one[1] != "0000" for one in codes)
    words = str(values.get("text", values.get("caption", "")))
    if "Ephemeral" in name or "ephemeral_message_parameters" in values:
        return "own screen"
    if name.startswith("edit"):
        keys = name.endswith(("Caption", "ReplyMarkup"))
        return "menu" if not table else "keys" if keys else "board"
    if table and name == "sendPhoto":
        return "new board"
    return "call" if "tg://user" in words else "card" if codes else "words"


async def lived(
    world: loop.World, folder: Path, seed: int, asked: argparse.Namespace
) -> CountedFamily:
    """The evening of *seed*."""
    from fake_telegram import FakeTelegram

    fake = FakeTelegram(folder / "out", token=TOKEN, human_delay=0, flood=True, flood_penalty=True)
    net = EmulatedNet(world, Story(world), fake, None)
    house = House(world, net.story, folder, ("telegram",), "es")
    await house.open()
    bot = SimpleNamespace(blocked_connections=(), output="")
    there = VirtualTelegram(folder, fake, bot, house=house)
    there._store = await Store.open(f"sqlite+aiosqlite:///{folder}/games.db", readonly=True)
    rng, games = random.Random(seed), asked.games.split(",")
    family = CountedFamily(there, rng, tuple(asked.thinks), games, asked.strangers, asked.unknown)
    began = time.monotonic()
    await family.evening(asked.minutes * 60)
    if asked.tell:
        family.tell(began)
    return family


def options(words: list[str]) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.evening family", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--to", type=int, help="play all seeds up to this one")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", default="parchis,niya,shogi")
    parser.add_argument("--thinks", type=float, nargs=2, default=(6.0, 14.0))
    parser.add_argument("--strangers", type=int, default=2)
    parser.add_argument("--unknown", action="store_true", help="nobody has a private chat")
    parser.add_argument("--tell", action="store_true", help="say who took the calls")
    return parser.parse_args(words)


def play_families(words: list[str], folder: Path) -> int:
    """Play what is asked for in *folder*; answers the status."""
    asked, whole, calls = options(words), Report(), Counter[str]()
    require_emulators()
    for seed in range(asked.seed, (asked.to or asked.seed) + 1):
        House.numbers = itertools.count(1)
        world = loop.World(str(seed))
        (folder / str(seed)).mkdir()
        family = world.loop.run_until_complete(lived(world, folder / str(seed), seed, asked))
        report = family.report
        kinds = Counter(kind for _, kind in family.calls(0.0, family.until))
        late = [f"{what} p90 {below(report.times.get(what, []), 0.9):.2f}" for what in LIMITS]
        print(f"{seed}: {', '.join(late)}, {family.busiest} calls in a minute", flush=True)
        # How long nine of ten wait is judged for all evenings together.
        report.breaches = [one for one in report.breaches if " above " not in one]
        report.breaches = [f"{seed}: {one}" for one in report.breaches]
        told = [one for one in report.lines if one.startswith(("silent", "left"))]
        report.lines, calls = [f"{seed}: {one}" for one in told], calls + kinds
        whole += report
        world.close()
    for what, (median, most) in LIMITS.items():
        took = whole.times.get(what, [])
        most = ALONE if "," not in asked.games and what == "handed over" else most
        middle, nine = below(took, 0.5), below(took, 0.9)
        whole.lines.append(f"{what}: p50 {middle:.2f} s, p90 {nine:.2f} s of {len(took)}")
        if middle > median or nine > most:
            whole.breaches.append(f"{what} above {median:g} and {most:g} s")
    whole.lines.append(f"calls: {dict(calls.most_common())}")
    return whole.conclude()
