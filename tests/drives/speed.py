"""Press to edited picture beside a bare bot: ``python -m tests.drives.speed [--presses 200]``.

On each platform two emulators stand side by side: one serves our process, the other a bot of the
same library that knows no game and answers each press by the same calls, with one of our boards.
Both are alive all the time and are pressed at in turns, a few presses each, through whole games of
Niya at several tables; a press is over when its message is changed. The status is 1 where the
median of ours is more than twice the other's. Needs ``../shared/emulators``.

The emulators check every request, as in every other drive, which takes them the same time for
both bots. ``--unchecked`` lets them answer at once, faster than any platform: then what is measured
is nearly the work of the two processes alone, and nothing is judged.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.drives.report import Report
from tests.drives.world import Discord, Telegram, on_discord, on_telegram, require_emulators

MOST = 2.0
"""How many times as long as the bare bot ours may take, by the medians."""

TABLES = 16
"""At how many tables is played at once: none is pressed at faster than a group's pace."""

BLOCK = 8
"""After how many presses the other bot has its turn."""

REST = 0.03
"""Seconds between two presses: what is done after a board belongs to no other press."""

PAUSE = 1.6
"""Seconds between two presses at one table: what Telegram's pace of a group allows."""

Press = Callable[[int], Awaitable[float]]


@dataclass
class Pressed:
    """How long presses took, ours and those of the bare bot, in seconds, and of the processor."""

    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def report(self, name: str, most: float) -> Report:
        """The figures; ours may take at most so many times as long."""
        report = Report()
        for who, times, spent in zip(
            ("ours", "bare"), (self.ours, self.bare), self.spent, strict=True
        ):
            report.times[f"{name}, {who}"] = times
            each = spent * 1000 / len(times)
            report.lines.append(f"{name}, {who}: {each:.1f} ms of the processor a press")
        ratio = statistics.median(self.ours) / statistics.median(self.bare)
        report.lines.append(f"{name}: ratio {ratio:.2f}")
        if ratio > most:
            report.breaches.append(f"{name} takes {ratio:.2f} times as long")
        return report


async def _in_turns(
    presses: int, opened: Callable[[int], Awaitable[None]], ours: Press, bare: Press, *bots: Any
) -> Pressed:
    """So many presses of each of the *bots*, in blocks; the first of each only warms up.

    Before each block *opened* opens games for those of our tables that are over.
    """
    for bot in bots:
        await _at_rest(bot)
    pressed, number = Pressed(), 0
    both = ((ours, pressed.ours), (bare, pressed.bare))
    while len(pressed.bare) < presses:
        for table in range(number, number + BLOCK):
            await opened(table % TABLES)
        await asyncio.sleep(1.0)
        for which, (press, times) in enumerate(both):
            before = _spent(bots[which])
            for table in range(number, number + BLOCK):
                times.append(await press(table % TABLES))
                await asyncio.sleep(REST)
            pressed.spent[which] += _spent(bots[which]) - before
            if number == 0:
                times.clear()
                pressed.spent[which] = 0.0
        number += BLOCK
    return pressed


async def _at_rest(bot: Any) -> None:
    """Wait until the *bot* has done what it does ahead after a start, posters one by one."""
    for _ in range(10):
        before = _spent(bot)
        await asyncio.sleep(8.0)
        if _spent(bot) - before < 0.2:
            return


def _spent(bot: Any) -> float:
    """Seconds of the processor that the process of *bot* has taken."""
    return sum(psutil.Process(bot.proc.pid).cpu_times()[:2])


async def _edited(fake: Any, message: Any, act: Callable[[], Awaitable[Any]]) -> float:
    """Seconds from *act* to the next change of *message*."""
    edits, began = message.edits, time.monotonic()
    await act()
    await fake.w.until(lambda: message.edits > edits, 20.0, "the picture")
    return time.monotonic() - began


# -------------------------------------------------------------------- Discord


async def discord(folder: Path, presses: int, checked: bool) -> Pressed:
    async with on_discord(folder / "ours", human_delay=0.0, spec=checked) as at:
        tables = [await at.open() for _ in range(TABLES)]
        await _sample_of_discord(at, folder)

        async def opened(table: int) -> None:
            if at.is_over(tables[table]):
                tables[table] = await at.open()
                await at.until(at.is_at_rest)

        async def ours(table: int) -> float:
            message = tables[table]
            who, code = at.mover(message), at.rng.choice(at.moves(message))["custom_id"]
            return await _edited(
                at.fake, message, lambda: at.fake.click(who, message, custom_id=code)
            )

        command = ("-m", "tests.drives.baseline_discord", str(folder))
        bare_bot = on_discord(folder / "bare", {}, command, human_delay=0.0, spec=checked)
        async with bare_bot as other:
            fake = other.fake
            boards = [await (await fake.slash(fake.A, "play")).reply() for _ in range(TABLES)]

            async def bare(table: int) -> float:
                message = boards[table]
                return await _edited(
                    fake, message, lambda: fake.click(fake.A, message, index=table % 2)
                )

            return await _in_turns(presses, opened, ours, bare, at.bot, other.bot)


async def _sample_of_discord(at: Discord, folder: Path) -> None:
    """The board of middling size of a game, for the bare bot."""
    message = await at.open()
    while not at.is_over(message):
        await at.move(message)
    sent = [r for r in at.fake.records if r.files and "data" in r.body]  # answers to presses
    sample = sorted(sent, key=lambda record: record.files[0].size)[len(sent) // 2]
    (container,) = sample.body["data"]["components"]
    text, gallery, *rows = container["components"]
    board = {
        "text": text["content"],
        "alt": gallery["items"][0]["description"],
        "rows": [
            [(one["label"], one["custom_id"], one["style"]) for one in row["components"]]
            for row in rows
        ],
    }
    (folder / "board.json").write_text(json.dumps(board))
    (folder / "board.png").write_bytes(sample.files[0].data)


# -------------------------------------------------------------------- Telegram


async def telegram(folder: Path, presses: int, checked: bool) -> Pressed:
    async with on_telegram(folder / "ours", spec=checked) as stage:
        fake, rng = stage.fake, random.Random(3)
        last = [0.0] * TABLES

        async def begun() -> str:
            place = fake.add_group("Club", [fake.A, fake.B])
            return await stage.opened(place, first=fake.A, second=fake.B)

        codes = [await begun() for _ in range(TABLES)]
        await stage.current()
        await _sample_of_telegram(stage, folder, await begun(), rng)

        async def opened(table: int) -> None:
            if await stage.over(codes[table]):
                codes[table] = await begun()
                await stage.current()

        async def ours(table: int) -> float:
            code = codes[table]
            message, who = await stage.shown(code), await stage.mover(code)
            move = rng.choice(await stage.codes(code))
            await asyncio.sleep(max(0.0, last[table] + PAUSE - time.monotonic()))
            last[table] = time.monotonic()
            return await _edited(fake, message, lambda: stage.press(who, message, code=move))

        command = ("-m", "tests.drives.baseline_telegram", str(folder))
        async with on_telegram(folder / "bare", {}, command, spec=checked) as bare_bot:
            other = bare_bot.fake
            boards = []
            for number in range(TABLES):
                place = other.add_group(f"Bare {number}", [other.A, other.B])
                asked = await other.say(other.A, "/play", place)
                boards.append(await asked.reply(predicate=lambda m: m.buttons))

            async def bare(table: int) -> float:
                message = boards[table]
                return await _edited(
                    other, message, lambda: other.press(other.A, message, index=table % 2)
                )

            return await _in_turns(presses, opened, ours, bare, stage.bot, bare_bot.bot)


async def _sample_of_telegram(stage: Telegram, folder: Path, code: str, rng: random.Random) -> None:
    """The board of middling size of a game, for the bare bot."""
    handles = []
    while not await stage.over(code):
        who, message = await stage.mover(code), await stage.shown(code)
        handles.append(await stage.pressed(who, message, code=rng.choice(await stage.codes(code))))
        await asyncio.sleep(PAUSE)
    await stage.current(60.0)
    sent = [r for r in stage.fake.calls("editMessageMedia") if r.files]
    sample = sorted(sent, key=lambda record: _file(record).size)[len(sent) // 2]
    board = {
        "caption": json.loads(sample.params["media"])["caption"],
        "rows": json.loads(sample.params["reply_markup"])["inline_keyboard"],
        "toast": handles[len(handles) // 2].answer["text"],
    }
    (folder / "board.json").write_text(json.dumps(board))
    (folder / "board.png").write_bytes(_file(sample).data)


def _file(record: Any) -> Any:
    (file,) = record.files.values()
    return file


PLATFORMS = {"discord": discord, "telegram": telegram}


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=200, help="of each bot")
    parser.add_argument("--platform", choices=PLATFORMS, help="one of them alone")
    parser.add_argument("--unchecked", action="store_true", help="requests are not checked")
    asked = parser.parse_args()
    require_emulators()
    report = Report()
    for name in (asked.platform,) if asked.platform else PLATFORMS:
        with tempfile.TemporaryDirectory() as folder:
            measure = PLATFORMS[name](Path(folder), asked.presses, not asked.unchecked)
            pressed = asyncio.run(measure)
        report += pressed.report(name, math.inf if asked.unchecked else MOST)
    return report.conclude()


if __name__ == "__main__":
    sys.exit(main())
