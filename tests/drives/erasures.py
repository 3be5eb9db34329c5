"""Who is forgotten stays so: ``python -m tests.drives.erasures [--count 200] [--wait 10]``.

Page guests, people on Telegram and on Discord, each in one of five games and in one of eight
phases, ask to be forgotten, in one process with all three chats at small fakes. A while later, and
again after a restart, every file of the bot is searched for what was known of them: the database
with its journal, a copy made after, the sprites and the log. What may stay is listed by its place:
the words that they added to draws, and what others wrote of them. Somebody else stands in every
table of the schema, so that a table which nobody thought of is found.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.chats.discord import reply as discord_reply
from bot.commands import quotas
from bot.facade import open_facade
from bot.port import Asker
from bot.service import request_rate_limits
from bot.service.computers.pool import Thinkers
from games.core.shelf import shelf
from render.kit.sprite_cache import STORE
from storage import inbox, schema
from storage.database.backups import write_backup
from storage.person import people, personal_data
from storage.store import Store
from tests.chats.fake_discord import FakeDiscord, point_library_at
from tests.drives.erased_people import CHATS, House, Victim, arrive, bring, house, logged, until
from tests.drives.report import Report
from tests.telegram_api import Api, serving

PHASES = ("invitation", "set-up", "middle", "thinking", "ended", "review", "challenge", "call")
BATCH = 40
"""How many people live in one house."""

NUMBER_STAYS = {"seat.person", "rating.person", "rating_change.person", "tally.person"}
"""Where games name the number of a person."""

OF_NOBODY = {
    *("bar", "daily", "deadline", "event", "fault", "game", "house_puzzle", "imported_game"),
    *("inbox", "lease", "outage", "process", "puzzle", "rating_entry", "setting", "tournament"),
    *("imported_place", "tournament_event"),
}
"""The tables that name nobody by number; what some of them hold of a person is told apart below.

Whoever adds one here says in docs/privacy.md what becomes of it.
"""

STAYS = {"words": {"event.text"}, "said by others": {"talk.text"}}
"""What docs/privacy.md lets stay of a person, and where."""


Situation = tuple[str, str, str]
"""A chat, a game and a phase."""


def situations(count: int) -> list[Situation]:
    """The first *count* of all situations, which begin anew after the last."""
    every = list(itertools.product(CHATS, shelf(), PHASES))
    random.Random(1).shuffle(every)  # the houses of a drive are alike
    return list(itertools.islice(itertools.cycle(every), count))


# -- what is left ----------------------------------------------------------------------------


@dataclass
class Left:
    """What was found of people who were forgotten."""

    wrong: list[str] = field(default_factory=list)
    stays: Counter[str] = field(default_factory=Counter)
    """What may stay, by what it is and its place."""

    def look(self, folder: Path, forgotten: Sequence[Victim], when: str) -> None:
        """Search every file of *folder*."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self._search(file, forgotten, when)
        self._places(folder / "games.db", forgotten, when)

    def _search(self, file: Path, forgotten: Sequence[Victim], when: str) -> None:
        data = file.read_bytes().lower()
        for one in forgotten:
            data = data.replace(one.sentence.lower().encode(), b"")
        for one in forgotten:
            found = [what for what, secret in one.secrets().items() if secret in data]
            if found:
                self.wrong.append(f"{when}: {file.name}: {_about(one)}: {', '.join(found)}")
            if file.suffix == ".log" and one.words.encode() in data:
                self.wrong.append(f"{when}: {file.name}: {_about(one)}: words")

    def _places(self, file: Path, forgotten: Sequence[Victim], when: str) -> None:
        where: dict[str, str] = {}
        for one in forgotten:
            where |= {one.words: "words", one.sentence: "said by others"}
        with closing(sqlite3.connect(file)) as connection:
            for table in schema.metadata.tables.values():
                for row in connection.execute(f"SELECT * FROM {table.name}"):
                    for column, value in zip(table.columns, row, strict=True):
                        for word, what in where.items() if isinstance(value, str) else ():
                            if word in value:
                                self._stays(when, what, str(column))

    def _stays(self, when: str, what: str, column: str) -> None:
        self.stays[f"{when}: {what} in {column}"] += 1
        if column not in STAYS[what]:
            self.wrong.append(f"{when}: {what} in {column}")


def _about(one: Victim) -> str:
    return f"{one.chat}, {one.game}, {one.phase}"


# -- the drive -------------------------------------------------------------------------------


async def erased(folder: Path, wanted: Sequence[Situation], wait: float) -> Left:
    """Forget one person in each of the *wanted* situations, and look what is left of them."""
    left, fake, chats = Left(), FakeDiscord(), {chat for chat, _, _ in wanted}
    with pytest.MonkeyPatch.context() as patch, logged(folder / "bot.log"):
        _unhurried(patch)
        STORE.open(folder / "sprites.db")
        async with serving(Api()) as api, fake.running() as base:
            point_library_at(patch, base)
            async with house(folder, api, fake, chats) as at, AsyncExitStack() as stack:
                forgotten = [
                    Victim(number, *situation) for number, situation in enumerate(wanted, 1)
                ]
                for one in forgotten:
                    await _forgotten(at, one, stack)
                await at.settled()
                await asyncio.sleep(wait)
                left.look(folder, forgotten, f"{wait:g} s later")
            async with house(folder, api, fake, chats) as at:
                await at.settled()
                await write_backup(f"sqlite+aiosqlite:///{folder}/games.db", folder / "copy.db")
                left.look(folder, forgotten, "restarted")
        STORE.close()
        left.look(folder, forgotten, "stopped")
    return left


async def _forgotten(at: House, one: Victim, stack: AsyncExitStack) -> None:
    await arrive(at, one, stack)
    try:
        await bring(at, one)
    except Exception as wrong:
        raise AssertionError(f"{_about(one)} cannot be brought about") from wrong
    assert one.leave is not None
    await one.leave()
    at.gate.set()
    at.facade.services.computers.pause = 0.0
    for task in one.tasks:
        with suppress(Exception):
            await task

    async def gone() -> bool:
        return await at.facade.store.read(people.find_person, one.chat, one.external) is None

    # A slow press is answered before it is done.
    await until(gone)


def _unhurried(patch: pytest.MonkeyPatch) -> None:
    for name in ("PERSON", "PLACE"):
        patch.setattr(quotas, name, 10_000)
    for windows in ("SEATED", "OTHERS", "COMPLETION", "PLACE", "SHARE"):
        patch.setattr(request_rate_limits, windows, ())
    for name in ("ANSWER_DUE", "WATCHDOG"):
        patch.setattr(discord_reply, name, 60.0)


# -- what people are handed of themselves ----------------------------------------------------


def alike(count: int) -> list[str]:
    """*count* ids of which each stands within others: 12345, 912345678, 55512345 …"""
    found = ["12345", "912345678", "55512345"]
    for number in itertools.count(1):
        if len(found) >= count:
            return found[:count]
        inner = f"{10_000 + number}"
        found += [inner, f"9{inner}678", f"555{inner}", f"{inner}{inner}"]
    return found


def _update(number: int, sender: str, other: str) -> str:
    """A message of *sender* in a group, an answer to *other*, whose id and words it repeats."""
    them = {"id": int(other), "is_bot": False, "first_name": f"name of {other};"}
    me = {**them, "id": int(sender), "first_name": f"name of {sender};"}
    message = {
        "message_id": int(sender),
        "date": int(f"17{sender}"[:10]),
        "chat": {"id": -100, "type": "supergroup", "title": "Club"},
        "from": me,
        "text": f"/link CODE-OF-{sender}; my number is near {other}0",
        "entities": [{"type": "text_mention", "offset": 0, "length": 1, "user": them}],
        "reply_to_message": {"message_id": 1, "from": them, "text": f"said by {other};"},
    }
    return json.dumps({"update_id": number, "message": message})


async def exported(folder: Path, count: int) -> list[str]:
    """What the data of *count* people with ids alike hold of others, or lack of themselves."""
    ids, wrong = alike(count), []
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/games.db")
    facade = await open_facade(store, Thinkers(), "es")
    try:
        numbers = {}
        for number, one in enumerate(ids):
            asker = Asker("telegram", one, f"name of {one};", "es")
            numbers[one] = (await facade.services.people.of(asker)).id
            said = _update(number, one, ids[number - 1])
            now = facade.services.clock.steady()
            await store.write(inbox.receive_update, "telegram", f"n{number}", said, now)
            await store.write(people.put_link_code, f"CODE{number}X", numbers[one], now)
        for number, one in enumerate(ids):
            data = json.dumps(await store.read(personal_data.export_person, numbers[one]))
            for other in ids:
                tags = (f"name of {other};", f"CODE-OF-{other};", f"said by {other};")
                held = [tag for tag in tags if tag in data]
                if other != one and held:
                    wrong.append(f"the data of {one} hold {held}")
                if other == one and held != list(tags[:2]):
                    wrong.append(f"the data of {one} lack something: {held}")
            if [n for n in range(count) if f"CODE{n}X" in data] != [number]:
                wrong.append(f"the data of {one} have not their own code alone")
        gone = ids[::2]
        for one in gone:
            await store.write(personal_data.erase_person_data, numbers[one])
        left = {row.update for row in await store.read(inbox.pending_updates, "telegram")}
        if left != {f"n{number}" for number, one in enumerate(ids) if one not in gone}:
            wrong.append("the updates of others were erased")
    finally:
        await facade.stop()
    return wrong


# -- every table of the schema ---------------------------------------------------------------

CELLS: dict[str, object] = {
    "Instant": datetime(2026, 1, 1, tzinfo=UTC),
    "NumberType": 1,
    "RealType": 1.0,
    "FlagType": False,
    "ObjectType": {},
    "NumbersType": (1,),
    "SeatBits": (0,),
    "BlobType": b"x",
}
"""What a cell holds by the type of its column; texts hold a secret."""


async def emptied(folder: Path) -> list[str]:
    """The columns that still tell of a person who stood in every table and was erased."""
    store, secret = await Store.open(f"sqlite+aiosqlite:///{folder}/games.db"), "Zwitscher"
    rows: dict[str, dict[str, object]] = {}
    for table in schema.metadata.sorted_tables:
        row = rows[table.name] = {}
        for column in table.columns:
            kind = type(column.type).__name__
            refers = [one.column for one in column.foreign_keys]
            if refers:
                row[column.name] = rows[refers[0].table.name].get(refers[0].name)
            elif kind == "TextType":
                row[column.name] = (getattr(column.type, "words", None) or (secret,))[-1]
            else:
                row[column.name] = CELLS.get(kind, 1)
    try:
        async with store.transaction() as tx:
            for table in schema.metadata.sorted_tables:
                await tx.execute(table.insert().values(rows[table.name]))
        await store.write(personal_data.erase_person_data, 1)
        wrong = []
        async with store.reading() as tx:
            for table in schema.metadata.sorted_tables:
                known = {
                    str(column)
                    for column in table.columns
                    if "person.id" in {str(one.column) for one in column.foreign_keys}
                }
                if table.name in OF_NOBODY or (known and known <= NUMBER_STAYS):
                    continue
                for row in (await tx.execute(select(table))).all():
                    cells = {str(c): v for c, v in zip(table.columns, row, strict=True)}
                    wrong += [c for c, v in cells.items() if v == secret or (c in known and v == 1)]
        return wrong
    finally:
        await store.close()


def main() -> None:
    """Run it, and say what was found."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--count", type=int, default=200)
    asked.add_argument("--wait", type=float, default=10.0, help="seconds until it is looked at")
    given = asked.parse_args()
    report, began = Report(), time.monotonic()
    wanted = situations(given.count)
    for first in range(0, given.count, BATCH):
        with tempfile.TemporaryDirectory() as folder:
            some = wanted[first : first + BATCH]
            left = asyncio.run(erased(Path(folder), some, given.wait))
        report.breaches += left.wrong
        report.counts.update({f"times may stay, {what}": n for what, n in left.stays.items()})
        report.counts["forgotten"] += len(some)
        print(f"{first + len(some)} forgotten, {time.monotonic() - began:.0f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report.breaches += asyncio.run(exported(Path(folder), given.count))
    with tempfile.TemporaryDirectory() as folder:
        report.breaches += asyncio.run(emptied(Path(folder)))
    sys.exit(report.conclude())


if __name__ == "__main__":
    main()
