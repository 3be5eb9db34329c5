"""One damaged cell at a time: the house starts, everybody else plays on, the doctor names it.

``python -m tests.drives.damage 5000`` draws so many cells by lot over all tables and columns of a
house that was played in; ``--part 1/2`` does one of two halves, ``--several N`` damages N cells
before each start. Every second cell has one flipped bit, the others hold what nobody writes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from bot.app.doctor import examine
from bot.port import Command
from storage import Finding
from storage.errors import StorageError
from storage.schema import metadata
from tests.chats.pages import Visitor
from tests.drives.damaged_cells import Damage, damaged
from tests.drives.played_house import GROUP, PEOPLE, Base, House, house, made
from tests.drives.report import Report, portion

FAILED = re.compile(r"[Aa]lgo ha fallado|[Ss]omething failed")


@dataclass
class Result:
    """What came of one start: *wrong* are sentences on what may not be."""

    refused: str = ""
    named: bool = False
    silent: int = 0
    """Cells whose new value may be right, too, which the doctor does not name."""

    wrong: list[str] = field(default_factory=list)


class Heard(logging.Handler):
    """What was logged, and the tracebacks in it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.tracebacks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        if record.exc_info and record.exc_info[1] is not None:
            self.tracebacks.append("".join(traceback.format_exception(record.exc_info[1]))[-700:])


@asynccontextmanager
async def heard() -> AsyncIterator[Heard]:
    """What is logged in here."""
    handler, root = Heard(), logging.getLogger()
    root.addHandler(handler)
    try:
        yield handler
    finally:
        root.removeHandler(handler)


async def judged(
    file: Path, base: Base, done: Sequence[Damage], http: aiohttp.ClientSession
) -> Result:
    """Start a house on the damaged *file*, let everybody play, and ask the doctor before."""
    result = Result()
    errors = await _doctored(file, result)
    async with heard() as log:
        try:
            async with house(file, http) as at:
                await _played(at, base, done, result)
                with contextlib.suppress(TimeoutError):
                    await at.desk.settle(1.0)
        except StorageError as wrong:
            result.refused = str(wrong)
            result.wrong.append(f"does not start: {wrong}")
        except Exception as wrong:
            lines = traceback.format_exception(wrong)
            result.wrong.append(f"fell: {''.join(lines)[-900:]}")
    result.wrong += [f"traceback: {one}" for one in log.tracebacks]
    result.named = bool(errors)
    _compared(errors, done, result)
    return result


async def _doctored(file: Path, result: Result) -> list[Finding]:
    try:
        found = await examine(f"sqlite+aiosqlite:///{file}")
    except Exception as wrong:
        lines = traceback.format_exception(wrong)
        result.wrong.append(f"the doctor fell: {''.join(lines)[-900:]}")
        return []
    return [one for one in found if one.level == "error"]


def _compared(errors: Sequence[Finding], done: Sequence[Damage], result: Result) -> None:
    """Whether the doctor names what is impossible, and nothing that was not damaged."""
    cells = [one.text for one in errors if one.check == "cell"]
    told = " ".join(one.text for one in errors)
    for damage in done:
        place = f"table {damage.table}, row "
        here = [one for one in cells if place in one and f"column {damage.column}:" in one]
        broken = damage.game is not None and f"Table {damage.game}" in told
        result.silent += not (here or broken or damage.impossible)
        if damage.impossible and not here and not broken:
            result.wrong.append(f"the doctor does not name {damage}: {told[:300]}")
    for cell in cells:
        if not any(_follows(cell, damage) for damage in done):
            result.wrong.append(f"the doctor names {cell} for {done[0]}")


def _follows(cell: str, damage: Damage) -> bool:
    """Whether the doctor may name *cell* for what was done: it, or a row that refers to it."""
    keys = [one.name for one in metadata.tables[damage.table].primary_key]
    if f"table {damage.table}," in cell and (
        f"column {damage.column}:" in cell or damage.column in keys or damage.table == "event"
    ):
        return True
    beside = {"tournament_event": ("kind", "data"), "rating_entry": ("people", "places")}
    own, judged = beside.get(damage.table, ("", ""))  # the second is judged by what the first says
    if damage.column == own and f"table {damage.table}," in cell and f"column {judged}:" in cell:
        return True
    if damage.column in keys and "there is no such row of" in cell:
        return cell.split("there is no such row of ")[1].startswith(damage.table)
    if (damage.table, damage.column) == ("outage", "began") and "before the beginning" in cell:
        return True
    # What the rows repeat of the events differs where an event was changed to another valid one.
    derived = damage.table == "event" or damage.column in keys
    return derived and ("the events of the table say" in cell or "it is missing" in cell)


async def _played(at: House, base: Base, done: Sequence[Damage], result: Result) -> None:
    strangers = _strangers(base, done)
    aside = {damage.game for damage in done}
    for asker in PEOPLE:
        answer = await at.facade.requests.call(Command(f"g{asker.name}", GROUP, asker, "games"))
        if FAILED.search(answer.said):
            result.wrong.append(f"/games of {asker.name}: {answer.said}")
    for name, (path, cookie) in base.visitors.items():
        visitor = Visitor(at.server, path, cookie)
        try:
            async with visitor.open() as page:
                await _at_page(page, name, base, aside, strangers, result)
        except aiohttp.WSServerHandshakeError as wrong:
            if f"web {name}" not in strangers or wrong.status != 401:
                result.wrong.append(f"the page of {name}: {wrong.status}")
        except Exception as wrong:
            result.wrong.append(f"the page of {name} broke: {type(wrong).__name__} {wrong}")
    for code, (platform, name, text) in base.moves.items():
        if platform != "telegram" or code in aside or f"{platform} {name}" in strangers:
            continue
        asker = next(one for one in PEOPLE if one.name == name)
        call = Command(f"m{code}", GROUP, asker, "move", {"table": code, "move": text})
        answer = await at.facade.requests.call(call)
        if not answer.good:
            result.wrong.append(f"{name} cannot play {text} at {code}: {answer.said}")


async def _at_page(
    page: Any, name: str, base: Base, aside: set[str | None], strangers: set[str], result: Result
) -> None:
    if page.state.get("kind") != "state":
        result.wrong.append(f"the page of {name} has no state")
        return
    for code, (platform, mover, text) in base.moves.items():
        if (platform, mover) != ("web", name) or code in aside:
            continue
        answer = await page.type(f"/move {text} #{code}")
        if not answer.get("good") and f"web {name}" not in strangers:
            result.wrong.append(f"{name} at the page: {answer}")


def _strangers(base: Base, done: Sequence[Damage]) -> set[str]:
    """Those whom the damaged house may not know any more."""
    own = {damage.key for damage in done if damage.table in ("identity", "person", "setting")}
    return {name for name, keys in base.people.items() if keys & own}


async def tried(
    base: Base, number: int, *, several: int = 1, seed: int = 2026
) -> tuple[list[Damage], Result]:
    """The trial of this *number*: so many cells of a copy of *base* are damaged."""
    rng = random.Random(f"{seed} {number}")
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        file = Path(folder) / "games.db"
        shutil.copy(base.file, file)
        done: list[Damage] = []
        while len(done) < several:
            before = {row for one in done for row in one.rows}
            done.append(damaged(file, base.rows, rng, before, bit=bool(number % 2)))
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            return done, await judged(file, base, done, http)


async def drive(trials: Sequence[int], several: int) -> Report:
    """What came of *trials*, by their numbers."""
    report, began = Report(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        base = await made(Path(folder))
        for done, number in enumerate(trials):
            damages, result = await tried(base, number, several=several)
            report.counts.update(
                {
                    "cells": len(damages),
                    "impossible ones": sum(one.impossible for one in damages),
                    "starts": 1,
                    "starts of which the doctor named something": int(result.named),
                    "cells of which it said nothing": result.silent,
                }
            )
            where = "; ".join(map(str, damages))
            report.breaches += [f"{number} {where}\n    {one}" for one in result.wrong]
            if done % 20 == 0:
                print(f"{done} starts in {time.monotonic() - began:.0f} s\n{report}", flush=True)
    return report


def main() -> int:
    """Drive what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("count", type=int, nargs="?", default=200)
    asked.add_argument("--part", default="1/1")
    asked.add_argument("--several", type=int, default=1)
    given = asked.parse_args()
    trials = portion(range(given.count // given.several), given.part)
    return asyncio.run(drive(trials, given.several)).conclude()


if __name__ == "__main__":
    sys.exit(main())
