"""Presses in an emulated Telegram that keeps its limits and takes its time over every call."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.drives.findings import told
from tests.drives.stage import PATIENCE, Stage
from tests.drives.telegram_checks import clean, ended

LATENCY = 0.2
"""Seconds that Telegram takes over every call, in these drives."""

TABLES = 40
"""Tables in as many groups, at a press a second each."""

SECONDS = 120.0
"""How long they are played, at the full share."""

_PACED = re.compile(r"(?i)^(send|edit)")
"""The calls that count against the pace of a place."""

_SLOW = re.compile(r"(?i)^(send|edit|delete|answer|set)")

_FOLLOWS = re.compile(r"The board follows in (\d+) s\.")


@dataclass
class Pressed:
    """What became of presses: which were blank, what was foretold, when the picture came."""

    handles: list[Any] = field(default_factory=list)
    foretold: list[tuple[int, float]] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def blank(self) -> int:
        """How many were answered with nothing."""
        answers = [one.answer for one in self.handles if one.answer is not None]
        return sum(not (one.get("text") or one.get("url")) for one in answers)

    def unanswered(self) -> int:
        return sum(one.answer is None for one in self.handles)

    def old(self) -> int:
        """How many were told to look at a board that was itself the old one."""
        return sum(_points_to_old(one) for one in self.handles)

    def seen(self, handle: Any, message: Any, before: int) -> None:
        """Note when the picture came that *handle* led to, and what was said of it."""
        if handle.answer is None or (handle.answer.get("text") or "").startswith("Done") is False:
            return
        shown = [at for at, _ in message.history[before:]]
        if not shown:
            return
        wait = max(0.0, shown[0] - handle.answer_t)
        self.waits.append(wait)
        foretold = _FOLLOWS.search(handle.answer["text"])
        if foretold is not None:
            self.foretold.append((int(foretold[1]), wait))

    def told(self) -> str:
        off = [wait - said for said, wait in self.foretold]
        spread = f" (off by {min(off):+.1f} to {max(off):+.1f} s)" if off else ""
        return (
            f"{len(self.handles)} presses: {self.unanswered()} unanswered, {self.blank()} blank, "
            f"{self.old()} sent to an old board; picture after its toast {told(self.waits)}, "
            f"{len(self.foretold)} foretold{spread}"
        )


def _points_to_old(handle: Any) -> bool:
    """Whether a press was told to look at the board, which bears its button even then."""
    words = (handle.answer or {}).get("text") or ""
    if "old one" not in words or handle.message.deleted:
        return False
    until = (handle.answer_t or 0.0) + 1.0
    shown = [board for at, board in handle.message.history if at <= until][-1]
    return handle.update["callback_query"]["data"] in json.dumps(shown.get("reply_markup"))


def slow(stage: Stage, seconds: float = LATENCY) -> None:
    """Let Telegram take *seconds* over every call."""
    stage.fake.fail(_SLOW.pattern, delay=seconds, times=10**9)


def shown_moves(message: Any) -> list[str]:
    """The codes of what can be chosen: the coloured buttons, not the blanks of a board."""
    codes = [one.get("callback_data", "") for one in message.buttons if one.get("style")]
    return [code for code in codes if code.startswith("m.")]


def mover(people: Sequence[dict], message: Any) -> dict:
    """Who of *people* is to move, by what the board says."""
    headline = message.text.split("\n")[0]
    return next(one for one in people if one["first_name"] in headline)


async def many(folder: Path, share: float) -> str:
    """A press a second at forty tables in forty groups, by what the boards show."""
    stage = await Stage.open(folder, flood=True)
    tables = max(4, round(TABLES * min(1.0, 5 * share)))
    fake = stage.fake
    pairs = [[fake.add_user(f"{name}{n}x") for name in ("First", "Second")] for n in range(tables)]
    places = [fake.add_group(f"Club {n}", pair) for n, pair in enumerate(pairs)]
    codes = [
        await stage.opened(place, first=first, second=second)
        for place, (first, second) in zip(places, pairs, strict=True)
    ]
    slow(stage)
    found, until = Pressed(), time.monotonic() + max(15.0, SECONDS * share)

    async def plays(code: str, people: Sequence[dict], rng: random.Random) -> None:
        await asyncio.sleep(rng.random())
        message = await stage.shown(code)
        while time.monotonic() < until and (moves := shown_moves(message)):
            before = len(message.history)
            handle = await stage.press(mover(people, message), message, code=rng.choice(moves))
            found.handles.append(handle)
            await asyncio.sleep(1.0)
            found.seen(handle, message, before)

    await asyncio.gather(*(plays(code, pairs[n], random.Random(n)) for n, code in enumerate(codes)))
    await stage.current(PATIENCE + 20)
    too_many = [one for one in stage.fake.records if one.status == 429]
    clean(stage)
    assert not found.unanswered()
    assert not found.old()
    late = stage.bot.output.count("answered blank")
    assert found.blank() == late, f"{found.blank()} blank, {late} of them late"
    return f"{tables} tables: {found.told()}; {len(too_many)} x 429; {await ended(stage)}"


async def lively(folder: Path, share: float) -> str:
    """Three lively tables in one group with the limits of Telegram; a private press meanwhile."""
    stage = await Stage.open(folder, flood=True)
    fake, rng = stage.fake, random.Random(4)
    codes = [await stage.opened(fake.group, first=fake.A, second=fake.B) for _ in range(3)]
    await fake.start_bot(fake.C)
    slow(stage)
    found, pressed = Pressed(), 0
    until = time.monotonic() + max(20.0, SECONDS * share)
    awaited: list[tuple[Any, Any, int]] = []
    while time.monotonic() < until:
        message = await stage.shown(codes[pressed % 3])
        pressed += 1
        if moves := shown_moves(message):
            handle = await stage.press(
                mover((fake.A, fake.B), message), message, code=rng.choice(moves)
            )
            found.handles.append(handle)
            awaited.append((handle, message, len(message.history)))
        await asyncio.sleep(2.0)
    await stage.current(PATIENCE + 20)
    for handle, message, before in awaited:
        found.seen(handle, message, before)
    too_many = [one for one in fake.records if one.status == 429]
    assert not too_many, too_many[:3]
    assert not found.old()
    clean(stage)
    return f"{found.told()}; no 429; {await ended(stage)}"


async def refused(folder: Path, share: float) -> str:
    """Every genuine button of a table pressed by who may not: what that costs the group."""
    stage = await Stage.open(folder, flood=True)
    fake = stage.fake
    code = await stage.opened(fake.group, first=fake.A, second=fake.B)
    await stage.current()
    message = await stage.shown(code)
    other = fake.B if mover((fake.A, fake.B), message) is fake.A else fake.A
    before, edits, heard = len(fake.records), len(message.history), 0
    for person in (other, fake.C):
        for one in shown_moves(message):
            handle = await stage.pressed(person, message, code=one)
            assert handle.answer["alert"], handle.answer
            heard += 1
            await asyncio.sleep(0.1)
    made = [one.method for one in fake.records[before:] if _PACED.match(one.method)]
    assert made == [], made
    assert len(message.history) == edits
    clean(stage)
    return f"{heard} refused presses, {len(made)} calls but their alerts; {await ended(stage)}"
