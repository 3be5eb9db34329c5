"""Press to edited picture on an emulated Telegram, beside a bare bot of the same library."""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from tests.drives.stage import EMULATORS, ROOT, Stage
from tests.drives.telegram_checks import clean, ended, groups

TABLES = 20


async def _edited(message: Any, began: float) -> float:
    """Seconds until *message* has one more edit than it had."""
    edits = message.edits
    while message.edits == edits:
        await asyncio.sleep(0.001)
        assert time.monotonic() - began < 20
    return time.monotonic() - began


async def _bare(folder: Path, picture: Path) -> list[float]:
    from fake_telegram import FakeTelegram
    from harness_common import BotProcess

    fake = await FakeTelegram(folder / "bare", human_delay=0).start()
    environment = {
        "TELEGRAM_TOKEN": fake.token,
        "TELEGRAM_API_URL": f"{fake.url.rstrip('/')}/bot",
        "PYTHONPATH": f"{EMULATORS}/inject:{ROOT}",
    }
    command = [sys.executable, "-m", "tests.drives.bare_telegram", str(picture)]
    bot = BotProcess(command, fake, env=environment, cwd=ROOT, log=folder / "bare.log")
    await bot.start()
    await fake.wait_ready(bot=bot)
    times = []
    for number in range(TABLES):
        group = fake.add_group(f"Bare {number}", [fake.A, fake.B])
        asked = await fake.say(fake.A, "/play", group)
        board = await asked.reply(predicate=lambda m: m.buttons)
        began = time.monotonic()
        waiting = asyncio.create_task(_edited(board, began))
        await asyncio.sleep(0)
        await fake.press(fake.A, board, "1")
        times.append(await waiting)
    await bot.stop(timeout=20)
    await fake.stop()
    return times


async def speed(folder: Path, share: float) -> str:
    """The median of first moves at tables of their own, against the bare bot's."""
    stage = await Stage.open(folder)
    fake, rng, times = stage.fake, random.Random(3), []
    picture = folder / "board.png"
    for group in groups(stage, TABLES):
        code = await stage.opened(group, first=fake.A, second=fake.B)
        await stage.current()
        board = await stage.shown(code)
        if board.photo.path:
            picture.write_bytes(Path(board.photo.path).read_bytes())
        moves = await stage.codes(code)
        mover = await stage.mover(code)
        began = time.monotonic()
        waiting = asyncio.create_task(_edited(board, began))
        await asyncio.sleep(0)
        await stage.press(mover, board, code=rng.choice(moves))
        times.append(await waiting)
        await stage.current()
    clean(stage)
    finished = await ended(stage)
    bare = await _bare(folder, picture)
    ours, theirs = statistics.median(times) * 1000, statistics.median(bare) * 1000
    ratio = ours / theirs
    assert ratio <= 2, f"{ours:.0f} ms against {theirs:.0f} ms: {ratio:.2f} times"
    return f"{ours:.0f} ms against {theirs:.0f} ms: {ratio:.2f} times; {finished}"
