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
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.drives.bench import Bench, bench
from tests.drives.findings import below
from tests.drives.kill_points import FOLDER
from tests.drives.stage import EMULATORS, ROOT, Stage, emulators, staged
from tests.drives.telegram_checks import groups

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

PLAIN = {FOLDER: ""}
"""Our process looks for no switches at the points where drives let it die."""

Press = Callable[[int], Awaitable[float]]


@dataclass
class Pressed:
    """How long presses took, ours and those of the bare bot, in seconds, and of the processor."""

    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=lambda: [0.0, 0.0])

    @property
    def ratio(self) -> float:
        return statistics.median(self.ours) / statistics.median(self.bare)

    def line(self) -> str:
        mine, other = (
            seconds * 1000 / len(times)
            for seconds, times in zip(self.spent, (self.ours, self.bare), strict=True)
        )
        return (
            f"ours {_told(self.ours)}; bare {_told(self.bare)}; ratio {self.ratio:.2f}; "
            f"of the processor {mine:.1f} and {other:.1f} ms a press"
        )


def _told(values: list[float]) -> str:
    middle, tail = statistics.median(values) * 1000, below(values, 0.9) * 1000
    return f"median {middle:.1f}, p90 {tail:.1f} ms of {len(values)}"


async def _in_turns(presses: int, ours: Press, bare: Press, *bots: Any) -> Pressed:
    """So many presses of each of the *bots*, in blocks; the first of each only warms up."""
    pressed, number = Pressed(), 0
    both = ((ours, pressed.ours), (bare, pressed.bare))
    while len(pressed.bare) < presses:
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
    async with bench(folder / "ours", env=PLAIN, human_delay=0.0, spec=checked) as at:
        tables = [await at.open() for _ in range(TABLES)]
        await _sample_of_discord(at, folder)

        async def ours(table: int) -> float:
            if at.over(tables[table]):
                tables[table] = await at.open()
                await at.nothing_owed(5.0)
            message = tables[table]
            who, code = at.mover(message), at.rng.choice(at.moves(message))["custom_id"]
            return await _edited(
                at.fake, message, lambda: at.fake.click(who, message, custom_id=code)
            )

        command = ("-m", "tests.drives.baseline_discord", str(folder))
        async with bench(folder / "bare", command=command, human_delay=0.0, spec=checked) as other:
            fake = other.fake
            boards = [await (await fake.slash(fake.A, "play")).reply() for _ in range(TABLES)]

            async def bare(table: int) -> float:
                message = boards[table]
                return await _edited(
                    fake, message, lambda: fake.click(fake.A, message, index=table % 2)
                )

            return await _in_turns(presses, ours, bare, at.bot, other.bot)


async def _sample_of_discord(at: Bench, folder: Path) -> None:
    """The board of middling size of a game, for the bare bot."""
    message = await at.open()
    while not at.over(message):
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
    async with staged(folder / "ours", PLAIN, spec=checked) as stage:
        fake, rng = stage.fake, random.Random(3)
        last = [0.0] * TABLES

        async def opened() -> str:
            (place,) = groups(stage, 1)
            return await stage.opened(place, first=fake.A, second=fake.B)

        codes = [await opened() for _ in range(TABLES)]
        await stage.current()
        await _sample_of_telegram(stage, folder, await opened(), rng)

        async def ours(table: int) -> float:
            if await stage.over(codes[table]):
                codes[table] = await opened()
                await stage.current()
            code = codes[table]
            message, who = await stage.shown(code), await stage.mover(code)
            move = rng.choice(await stage.codes(code))
            await asyncio.sleep(max(0.0, last[table] + PAUSE - time.monotonic()))
            last[table] = time.monotonic()
            return await _edited(fake, message, lambda: stage.press(who, message, code=move))

        async with _bare_telegram(folder, checked) as (other, bot):
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

            return await _in_turns(presses, ours, bare, stage.bot, bot)


async def _sample_of_telegram(stage: Stage, folder: Path, code: str, rng: random.Random) -> None:
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


@asynccontextmanager
async def _bare_telegram(folder: Path, checked: bool) -> AsyncIterator[tuple[Any, Any]]:
    """An emulated Telegram and the bare bot on it, both gone afterwards."""
    from fake_telegram import FakeTelegram
    from harness_common import BotProcess

    async with FakeTelegram(folder / "bare", human_delay=0, spec=checked) as fake:
        environment = {
            "TELEGRAM_TOKEN": fake.token,
            "TELEGRAM_API_URL": f"{fake.url.rstrip('/')}/bot",
            "PYTHONPATH": f"{EMULATORS}/inject:{ROOT}",
        }
        command = [sys.executable, "-m", "tests.drives.baseline_telegram", str(folder)]
        bot = BotProcess(command, fake, env=environment, cwd=ROOT, log=folder / "bare.log")
        await bot.start()
        try:
            await fake.wait_ready(bot=bot)
            yield fake, bot
        finally:
            await bot.stop(timeout=20)


PLATFORMS = {"discord": discord, "telegram": telegram}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.speed", description=__doc__)
    parser.add_argument("--presses", type=int, default=200, help="of each bot")
    parser.add_argument("--platform", choices=PLATFORMS, help="one of them alone")
    parser.add_argument("--unchecked", action="store_true", help="requests are not checked")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is measured.")
        return
    slow = False
    for name in (asked.platform,) if asked.platform else PLATFORMS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            pressed = asyncio.run(PLATFORMS[name](Path(folder), asked.presses, not asked.unchecked))
        late = pressed.ratio > MOST and not asked.unchecked
        mark = "FAIL" if late else "ok  "
        slow |= late
        print(f"{mark} {name}: {pressed.line()} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(slow)


if __name__ == "__main__":
    main()
