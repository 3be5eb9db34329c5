"""An evening with switches on an emulated Telegram."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.session.table import PLAYING
from storage import views as stored
from tests.drives.evening_report import Report, Silence
from tests.drives.outside_switches import BASIC, FORUM, HIDDEN, SWITCHES, TOPIC, Switch
from tests.drives.stage import Stage, staged
from tests.drives.telegram_group import Group, spread
from tests.drives.telegram_pace import slow

PEOPLE, TABLES = 30, 12

EVERY, LASTS = 30.0, 22.0
"""Seconds between two states that come, and for which each stays."""

REST = 120.0
"""Seconds in which every board becomes the newest at the end."""

GAMES = ("niya", "cirya", "shogi", "storill setup=fixed", "parchis")

UNFIT = ("none", "comments", "hidden members", "four minutes", "migrated", "General closed")
"""States that are no switches here: what a group is from the beginning, or is once."""

SIGNS = ("/games", "/partidas")


@dataclass
class Place:
    """A group, or a topic of one, as the switches of the matrix take it."""

    fake: Any
    chat: dict
    topic: int | None
    people: list[dict]
    kinds: frozenset[str] = frozenset()
    on: set[str] = field(default_factory=set)

    @property
    def first(self) -> dict:
        return self.people[0]

    @property
    def other(self) -> dict:
        return self.people[1]

    @property
    def world(self) -> Place:
        return self

    async def rest(self) -> None:
        """Wait for nothing: here time goes as it goes."""


@dataclass
class Evening:
    """The groups, their tables, and the states that come over them."""

    stage: Stage
    rng: random.Random
    report: Report
    group: Group
    places: list[Place] = field(default_factory=list)
    seats: list[tuple[str, Place, list[dict]]] = field(default_factory=list)

    async def table(self, number: int) -> None:
        """Play games at the table *number*, one after the other."""
        from fake_telegram import ClientRefused

        code, place, chairs = self.seats[number]
        while time.monotonic() < self.group.until:
            game = GAMES[number % len(GAMES)]
            await asyncio.gather(*(self.group.plays(who, place.chat, code) for who in chairs))
            while time.monotonic() < self.group.until and await self.stage.over(code):
                await asyncio.sleep(5.0)
                if place.chat["id"] in self.group.absent:
                    continue
                # One of them may leave the group meanwhile, or the group become another.
                with suppress(TimeoutError, IndexError, ClientRefused):
                    code = await self.group.opened(place.chat, chairs, game, place.topic)
                    self.seats[number] = (code, place, chairs)

    async def prepare(self) -> None:
        """Four groups with thirty people, and twelve tables."""
        fake = self.stage.fake
        people = [
            fake.add_user(f"P{n}x", lang=("es", "en", "de")[n % 3], ephemeral=n % 4 != 3)
            for n in range(PEOPLE)
        ]
        parts = [people[:8], people[8:16], people[16:23], people[23:]]
        groups = [
            fake.add_group("Lively", parts[0]),
            fake.add_group("Forum", parts[1], forum=True),
            fake.add_group("Basic", parts[2], basic=True),
            fake.add_group("Hidden", parts[3], hidden=True),
        ]
        kinds = [frozenset(), frozenset((FORUM, TOPIC)), frozenset((BASIC,)), frozenset((HIDDEN,))]
        for chat, part, kind in zip(groups, parts, kinds, strict=True):
            chat["_members"][part[0]["id"]] = "creator"
            for person in part[::2]:
                await fake.start_bot(person)
            topics = [fake.add_topic(chat, one) for one in ("One", "Two")] if FORUM in kind else []
            for topic in topics or [None]:
                self.places.append(Place(fake, chat, topic, part, kind))
        for number in range(TABLES):
            place = self.places[number % len(self.places)]
            pair = number // len(self.places) * 2
            chairs = [place.people[(pair + n) % len(place.people)] for n in (0, 1)]
            game = GAMES[number % len(GAMES)]
            code = await self.group.opened(place.chat, chairs, game, place.topic)
            self.seats.append((code, place, chairs))

    # ---------------------------------------------------------------- states that come and go

    async def switches(self) -> None:
        """Let a state come over a group every half minute, and go again."""
        lasting, names = set(), [name for name in SWITCHES if name not in UNFIT]
        while time.monotonic() < self.group.until - LASTS:
            free = [name for name in names if self._fitting(name)]
            wanted = min(free, key=lambda one: (self.report.switched[one], self.rng.random()))
            place = self.rng.choice(self._fitting(wanted))
            lasting.add(asyncio.create_task(self._state(SWITCHES[wanted], place)))
            if self.rng.random() < 0.3:
                lasting.add(asyncio.create_task(self._client()))
            await asyncio.sleep(EVERY)
        await asyncio.gather(*lasting)

    def _fitting(self, name: str) -> list[Place]:
        one = SWITCHES[name]
        busy = {at.chat["id"] for at in self.places if at.on}
        return [at for at in self.places if one.needs <= at.kinds and at.chat["id"] not in busy]

    async def _state(self, one: Switch, place: Place) -> None:
        self.report.switched[one.name] += 1
        place.on.add(one.name)
        silence = Silence(place.chat["id"], time.monotonic())
        if one.deaf:
            self.report.silences.append(silence)
            self.group.absent.add(place.chat["id"])
        try:
            await one.on(place)  # type: ignore[arg-type]
            self._faults_first()
            await asyncio.sleep(LASTS)
        finally:
            await one.off(place)  # type: ignore[arg-type]
            place.on.discard(one.name)
            self.group.absent.discard(place.chat["id"])
            self._faults_first()
            silence.until = time.monotonic()

    def _faults_first(self) -> None:
        """Let a refusal go before the time that every call takes."""
        faults = self.stage.fake.faults
        faults.sort(key=lambda one: one["delay"])
        if not faults:
            slow(self.stage)

    async def _client(self) -> None:
        """Somebody's client is out of reach and then starts anew, or Telegram asks for a pause."""
        fake, place = self.stage.fake, self.rng.choice(self.places)
        if self.rng.random() < 0.5:
            who = self.rng.choice(place.people)
            self.report.switched["a client out of reach"] += 1
            fake.offline.add(who["id"])
            await asyncio.sleep(LASTS)
            fake.offline.discard(who["id"])
            fake.restart_client(who)
            return
        self.report.switched["asked to wait"] += 1
        fake.fail("editMessageMedia", status=429, retry_after=20, times=1)
        self._faults_first()

    async def migrate(self) -> None:
        """Let the basic group become a supergroup, in the middle of the evening."""
        (place,) = [at for at in self.places if BASIC in at.kinds]
        await asyncio.sleep(max(5.0, (self.group.until - time.monotonic()) / 2))
        if place.on:
            await asyncio.sleep(LASTS)
        self.report.switched["migrated"] += 1
        old = place.chat
        place.chat = await self.stage.fake.migrate(old, place.first)
        self.group.moved[old["id"]] = place.chat
        place.kinds = frozenset()

    # ---------------------------------------------------------------- at rest

    async def rests(self) -> None:
        """Write in every group once more, and wait until all boards are the newest."""
        fake = self.stage.fake
        fake.rights_on_edits = False
        fake.faults.clear()
        await asyncio.sleep(4.0)
        for place in self.places:
            await fake.say(place.first, self.rng.choice(SIGNS), place.chat, thread=place.topic)
        with suppress(TimeoutError):
            await self.stage.until(self._is_at_rest, REST)

    async def _is_at_rest(self) -> bool:
        async with self.stage.store.reading() as tx:
            owed = await stored.owing_views(tx)
        return not owed and not self.stage.fake.pending

    def _boards(self, code: str) -> list[Any]:
        """The messages of the groups from which the table *code* can be played.

        What stood in a group before it became another cannot be reached any more.
        """
        found = []
        for message in self.stage.fake.messages.values():
            gone = message.deleted or message.chat_id in self.group.moved
            if message.chat_id < 0 and not gone and message.data.get("_mine"):
                codes = [b.get("callback_data", "") for b in message.buttons]
                if any(one.startswith(f"m.{code}.") for one in codes):
                    found.append(message)
        return found

    async def looked(self) -> tuple[list[str], list[str]]:
        """The tables whose board is not the newest, and those with two living ones.

        A board may ask for the next step of a move that somebody has begun.
        """
        stale, double = [], []
        for code, place, _ in self.seats:
            table = await self.stage.table(code)
            if table.status != PLAYING:
                continue
            boards = self._boards(code)
            codes = [b.get("callback_data", "") for m in boards[-1:] for b in m.buttons]
            turns = {int(one.split(".")[2], 36) for one in codes if one.startswith("m.")}
            if not turns or not turns <= set(table.turns):
                stale.append(f"{code} ({table.game.key}, {place.chat['title']})")
            if len(boards) > 1:
                double.append(f"{code} ({place.chat['title']})")
        return stale, double


def _counted(stage: Stage, report: Report, group: Group, asked: int) -> None:
    """Count the calls, and how soon moves were shown."""
    fake = stage.fake
    records = [one for one in fake.records[asked:] if one.method != "getUpdates"]
    calls = Counter(one.method for one in records)
    bad = Counter(f"{one.method} {one.status}" for one in records if (one.status or 0) >= 400)
    shown = [wait for _, wait in group.seen.pictures]
    report.lines += [
        f"moves done, and their picture | {len(shown) + group.seen.late}: {spread(shown)}, "
        f"{group.seen.late} not within 60 s",
        f"told to wait | {group.seen.waits()}",
        f"calls | {dict(calls.most_common())}",
        f"refused | {dict(bad.most_common(8)) or 0}",
    ]
    errors = [line for line in stage.bot.output.splitlines() if " ERROR " in line]
    report.lines.append(f"errors in the log | {len(errors)}")
    report.wrong += [f"violation {one}" for one in fake.violations[:3]]
    report.wrong += [f"logged: {line[:200]}" for line in errors[:3]]
    if "Traceback" in stage.bot.output:
        report.wrong.append("a traceback in the log")


async def telegram(folder: Path, seconds: float, seed: int) -> Report:
    """Drive an evening of so many *seconds*; what came of it."""
    report = Report(f"Telegram: {PEOPLE} people, {TABLES} tables, {seconds:.0f} s")
    rng = random.Random(seed)
    async with staged(folder, flood=True) as stage:
        group = Group(stage, rng)
        evening = Evening(stage, rng, report, group)
        await evening.prepare()
        slow(stage)
        asked = len(stage.fake.records)
        group.until = time.monotonic() + seconds
        works = [evening.table(number) for number in range(len(evening.seats))]
        passers = [(at.people[-1], at) for at in evening.places]
        works += [group.passes_by(who, at.chat, (at.topic,)) for who, at in passers]
        await asyncio.gather(*works, evening.switches(), evening.migrate())
        await evening.rests()
        for kind, handles in (("player", group.seen.handles), ("stranger", group.seen.strangers)):
            for handle in handles:
                report.note(kind, handle.chat_id, handle)
                report.done[-1] = _at(report.done[-1], handle)
        report.judge(lambda handle: handle.latency if handle.answer is not None else None)
        report.boards(len(evening.seats), *await evening.looked())
        _counted(stage, report, group, asked)
    return report


def _at(one: Any, handle: Any) -> Any:
    """*one* at the instant at which *handle* came."""
    return type(one)(one.kind, one.place, handle.injected, handle)
