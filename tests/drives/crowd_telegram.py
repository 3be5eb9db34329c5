"""A crowd on an emulated Telegram, where people press what their own client shows."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from storage import views
from tests.drives.crowd import LASTS, PEOPLE, TABLES, Crowd, Silence
from tests.drives.telegram_conditions import BASIC, FORUM, HIDDEN, SWITCHES, TOPIC, Switch
from tests.drives.world import Telegram, on_telegram

THINKS = (7.0, 18.0)
"""Between how many seconds a person looks at the board again: a move in about twenty seconds at
each table, nearly as much as a group of three or four tables takes."""

LATENCY = 0.2
"""Seconds that Telegram takes over every call."""

GAMES = ("niya", "cirya", "shogi", "storill setup=fixed", "parchis")

UNFIT = ("none", "comments", "hidden members", "four minutes", "migrated", "General closed")
"""States that are no switches here: what a group is from the beginning, or is once."""

COMMANDS = {
    "en": ("/games", "/help", "/privacy", "/rules niya", "/board", "/hint"),
    "es": ("/partidas", "/ayuda", "/privacidad", "/reglas niya", "/tablero", "/pista"),
}
"""What people type, by the language of their client."""

_WAITS = re.compile("Somebody was faster|Acaba de pasar algo")


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
class TelegramCrowd(Crowd):
    """Four groups with their people and their tables."""

    world: Telegram
    seats: list[tuple[str, Place, list[dict]]] = field(default_factory=list)
    absent: set[int] = field(default_factory=set)
    """The groups in which nobody can press anything now, since the bot is not there."""
    moved: dict[int, dict] = field(default_factory=dict)
    """What groups have become, by the numbers that they had."""

    async def prepare(self) -> None:
        fake = self.world.fake
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
            self.seats.append((await self.opened(place, chairs, number), place, chairs))
        self._slow()

    def _slow(self) -> None:
        """Let Telegram take its time over every call; what else fails goes before."""
        fake = self.world.fake
        fake.faults.sort(key=lambda one: one["delay"])
        if not any(one["delay"] for one in fake.faults):
            fake.fail(r"(?i)^(send|edit|delete|answer|set)", delay=LATENCY, times=10**9)

    # ---------------------------------------------------------------- what people do

    def works(self) -> list[Coroutine[Any, Any, None]]:
        found = [self.table(number) for number in range(len(self.seats))]
        found += [self.passes_by(at.people[-1], at) for at in self.places]
        return found if self.calm else [*found, self._migrate()]

    async def opened(self, place: Place, people: list[dict], number: int) -> str:
        """A table of the game of this *number* between *people*; its code."""
        fake, world = self.world.fake, self.world
        line = f"/play {GAMES[number % len(GAMES)]}"
        asked = await fake.say(people[0], line, place.chat, thread=place.topic)
        board = await asked.reply(60, predicate=lambda m: not m.ephemeral and _begin(m, "j."))
        code = str(_begin(board, "j.")[0]["callback_data"].split(".")[1])
        for person in people[1:]:
            await (await fake.press(person, board, stale=_begin(board, "j.")[0])).answered()
            await asyncio.sleep(1.0)
        start = _begin(board, "g.")
        if (await world.table(code)).position is None and start:
            await (await fake.press(people[0], board, stale=start[0])).answered()

        async def playing() -> bool:
            return (await world.table(code)).position is not None

        await world.until(playing, 60)
        return code

    async def table(self, number: int) -> None:
        """Play games at the table *number*, one after the other."""
        from fake_telegram import ClientRefused

        code, place, chairs = self.seats[number]
        while time.monotonic() < self.until:
            await asyncio.gather(*(self.plays(who, place, code) for who in chairs))
            while time.monotonic() < self.until and await self.world.over(code):
                await asyncio.sleep(5.0)
                if place.chat["id"] in self.absent:
                    continue
                # One of them may leave the group meanwhile, or the group become another.
                with suppress(TimeoutError, IndexError, ClientRefused):
                    code = await self.opened(place, chairs, number)
                    self.seats[number] = (code, place, chairs)

    async def plays(self, who: dict, place: Place, code: str) -> None:
        """*who* plays at the table *code*, by what their client shows."""
        rng = random.Random(f"{who['id']} {code}")
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(*THINKS))
            if await self.world.over(code):
                return
            if not self._is_in(who, place):
                continue
            boards = [
                m for m in self.world.fake.sees(who, place.chat) if m.photo and _shows(m, code)
            ]
            if not boards or not _calls_on(who, boards[-1].text.split("\n")[0]):
                continue
            moves = [b for b in _begin(boards[-1], "m.") if b.get("style")]
            if rng.random() < 0.08:
                moves = _begin(boards[-1], "z.")
            if moves:
                await self.pressed(who, boards[-1], rng.choice(moves), code)

    def _is_in(self, who: dict, place: Place) -> bool:
        """Whether *who* can press something in *place*, and the bot hears of it."""
        here = place.chat
        return here["id"] not in self.absent and self.world.fake._in(here, who["id"])

    async def pressed(self, who: dict, board: Any, button: dict, code: str) -> None:
        before = (await self.world.table(code)).version
        handle = await self.world.fake.press(who, board, stale=button)
        self.note("player", board.chat_id, handle)
        with suppress(TimeoutError):
            await handle.answered(20)
        after = (await self.world.table(code)).version
        if after > before and handle.answer is not None:
            shown = self.pictured(code, after, handle.answer_t)
            asyncio.get_running_loop().create_task(shown)

    async def pictured(self, code: str, version: int, since: float) -> None:
        """Note when the board of *version* stood there."""

        async def stands() -> bool:
            rows = await self.world.store.read(views.views_of_game, code)
            return bool(rows) and min(row.shown for row in rows) >= version

        try:
            await self.world.until(stands, 60)
        except TimeoutError:
            self.report.counts["pictures not within 60 s"] += 1
        else:
            self.report.took("pictures after the answer", max(0.0, time.monotonic() - since))

    async def passes_by(self, who: dict, place: Place) -> None:
        """*who* presses what is not theirs, and types a command now and then."""
        rng, fake = random.Random(who["id"]), self.world.fake
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(4.0, 9.0))
            if not self._is_in(who, place):
                continue
            if rng.random() < 0.12:
                line = rng.choice(COMMANDS.get(who["language_code"], COMMANDS["en"]))
                await fake.say(who, line, place.chat, thread=place.topic)
                continue
            boards = [m for m in fake.sees(who, place.chat) if m.photo and _begin(m, "")]
            if boards:
                board = rng.choice(boards)
                handle = await fake.press(who, board, stale=rng.choice(_begin(board, "")))
                self.note("stranger", board.chat_id, handle)

    # ---------------------------------------------------------------- states that come and go

    def offered(self) -> list[tuple[Switch, Place]]:
        busy = {at.chat["id"] for at in self.places if at.on}
        free = [at for at in self.places if at.chat["id"] not in busy]
        fit = [one for one in SWITCHES.values() if one.name not in UNFIT]
        return [(one, at) for one in fit for at in free if one.needs <= at.kinds]

    async def state(self, switch: Switch, place: Place) -> None:
        place.on.add(switch.name)
        silence = Silence(place.chat["id"], time.monotonic())
        if switch.deaf:
            self.silences.append(silence)
            self.absent.add(place.chat["id"])
        try:
            await switch.on(place)  # type: ignore[arg-type]
            self._slow()
            await asyncio.sleep(LASTS)
        finally:
            await switch.off(place)  # type: ignore[arg-type]
            place.on.discard(switch.name)
            self.absent.discard(place.chat["id"])
            self._slow()
            silence.until = time.monotonic()

    async def away(self) -> None:
        """Somebody's client is out of reach and then starts anew, or Telegram asks for a pause."""
        fake, place = self.world.fake, self.rng.choice(self.places)
        if self.rng.random() < 0.5:
            who = self.rng.choice(place.people)
            self.switched["a client out of reach"] += 1
            fake.offline.add(who["id"])
            await asyncio.sleep(LASTS)
            fake.offline.discard(who["id"])
            fake.restart_client(who)
            return
        self.switched["asked to wait"] += 1
        fake.fail("editMessageMedia", status=429, retry_after=20, times=1)
        self._slow()

    async def _migrate(self) -> None:
        """Let the basic group become a supergroup, in the middle of the time."""
        (place,) = [at for at in self.places if BASIC in at.kinds]
        await asyncio.sleep(max(5.0, (self.until - time.monotonic()) / 2))
        if place.on:
            await asyncio.sleep(LASTS)
        self.switched["migrated"] += 1
        old = place.chat
        place.chat = await self.world.fake.migrate(old, place.first)
        self.moved[old["id"]] = place.chat
        place.kinds = frozenset()

    # ---------------------------------------------------------------- at rest

    async def write_everywhere(self) -> None:
        fake = self.world.fake
        fake.rights_on_edits = False
        fake.faults.clear()
        for place in self.places:
            line = self.rng.choice(("/games", "/partidas"))
            await fake.say(place.first, line, place.chat, thread=place.topic)

    def answered(self, handle: Any) -> float | None:
        return handle.latency if handle.answer is not None else None

    def tables(self) -> list[tuple[str, str]]:
        return [(code, f"{code} ({place.chat['title']})") for code, place, _ in self.seats]

    def boards(self, code: str) -> list[tuple[Any, list[str]]]:
        """What stood in a group before it became another cannot be reached any more."""
        found = []
        for message in self.world.fake.messages.values():
            gone = message.deleted or message.chat_id in self.moved
            if message.chat_id < 0 and not gone and message.data.get("_mine"):
                codes = [one["callback_data"] for one in _begin(message, "")]
                if any(one.startswith(f"m.{code}.") for one in codes):
                    found.append((message, codes))
        return found

    def count(self, began: float) -> None:
        records = [one for one in self.world.fake.records if one.t >= began]
        calls = Counter(one.method for one in records if one.method != "getUpdates")
        bad = Counter(f"{one.method} {one.status}" for one in records if (one.status or 0) >= 400)
        answers = [(one.handle.answer or {}).get("text") or "" for one in self.done]
        self.report.counts["told to wait"] = sum(bool(_WAITS.search(one)) for one in answers)
        self.report.lines += [
            f"calls {dict(calls.most_common())}",
            f"refused {dict(bad.most_common(8)) or 0}",
        ]


def _begin(message: Any, start: str) -> list[dict]:
    """The buttons of *message* whose code begins so."""
    found = [b for b in message.buttons if "callback_data" in b]
    return [b for b in found if b["callback_data"].startswith(start)]


def _shows(message: Any, code: str) -> bool:
    """Whether *message* has buttons of the table *code*."""
    return any(b["callback_data"].split(".")[1:2] == [code] for b in _begin(message, ""))


def _calls_on(who: dict, headline: str) -> bool:
    """Whether it is the turn of *who* by the first line of a board, or they are called by it."""
    name = who["first_name"]
    return name in headline if headline.startswith("▶") else headline.startswith(f"{name}:")


busy_telegram = partial(on_telegram, flood=True)
"""A Telegram that keeps its limits."""
