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
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bot.session.table import OPEN, PLAYING
from tests.drives import discord_conditions, telegram_conditions
from tests.drives.report import Report
from tests.drives.telegram_conditions import FORUM, HIDDEN, TOPIC
from tests.drives.world import (
    MOVE,
    Discord,
    Telegram,
    full_name,
    on_discord,
    on_telegram,
    require_emulators,
)

PEOPLE, TABLES = 30, 12

EVERY, LASTS = 30.0, 22.0
"""Seconds between two states that come, and for which each stays."""

FLIP = 3.5
"""Seconds around the flip of a switch in which it may have been on or off for a press."""

LATE, REST, OPENS = 3.0, 120.0, 20.0
"""Seconds within which everybody is to hear something, every board is the newest at the end, and a
table is there that was asked for."""

GAMES = ("niya", "cirya", "shogi", "storilljudhjorrayc", "parchis")

COMMANDS = ("games", "help", "board", "privacy")

NEWEST = text(
    "select seat.game from seat join person on person.id = seat.person "
    "join game on game.code = seat.game where person.name = :name order by game.rowid desc limit 1"
)


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


@dataclass(eq=False)
class Place:
    """A channel, group or topic, as the switches of both matrices take it."""

    fake: Any
    chat: Any
    people: list[Any]
    kinds: frozenset[str]
    guild: Any = None
    topic: int | None = None
    absent: bool = False
    """Whether nobody can do anything there now."""
    on: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.at = self.world = self
        self.channel, self.a, self.first, self.other = (
            self.chat,
            *self.people[:1] * 2,
            *self.people[1:2],
        )

    async def rest(self) -> None:
        """Wait for nothing: here time goes as it goes."""


@dataclass
class Seated:
    """A table and the two who play there."""

    place: Place
    people: list[Any]
    game: str
    code: str = ""
    joined: str = ""
    """The table at which the second one has sat down."""


@dataclass
class Crowd:
    """People who play, people who pass by, and the states that come over their places.

    Those of a platform *prepare* places and people, whom it calls by *name*, and say how somebody
    *asks* for a game, *types* and *presses*, which *boards* a table has, which switches are
    *offered*, how one is *turned*, where it is *silenced*, and how somebody is *away*.
    """

    world: Any
    rng: random.Random
    calm: bool = False
    report: Report = field(default_factory=Report)
    until: float = 0.0
    done: list[Pressed] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    switched: Counter[str] = field(default_factory=Counter)
    places: list[Place] = field(default_factory=list)
    seated: list[Seated] = field(default_factory=list)

    name = "global_name"
    unheard = ()
    """What has no first answer on the platform."""
    thinks = (3.0, 9.0)
    """Between how many seconds somebody looks again."""

    def answered(self, handle: Any) -> float | None:
        """After how many seconds somebody heard something."""
        return handle.latency  # type: ignore[no-any-return]

    def seats(self, count: int, places: list[Place]) -> None:
        """Seat people of *places* at so many tables there."""
        for number in range(count):
            place = places[number % len(places)]
            pair = number // len(places) * 2
            people = [place.people[(pair + n) % len(place.people)] for n in (0, 1)]
            self.seated.append(Seated(place, people, GAMES[len(self.seated) % len(GAMES)]))

    # ---------------------------------------------------------------- what people do

    async def did(self, kind: str, place: Place, asking: Any) -> None:
        """Note what came of *asking*, a press or a line that the client may refuse."""
        try:
            handle = await asking
        except Exception as refused:
            # The bot may be put out while the client is on its way.
            if type(refused).__name__ != "ClientRefused" and not place.absent:
                raise
            self.report.counts["refused by the client"] += 1
            return
        if kind in self.unheard:
            return
        self.done.append(Pressed(kind, place.chat["id"], time.monotonic(), handle))
        with suppress(TimeoutError):
            await (handle.acked if hasattr(handle, "acked") else handle.answered)()

    async def opens(self, table: Seated) -> None:
        """Open a game at *table*, and wait for it."""
        before, name = table.code, {"name": table.people[0][self.name]}
        await self.asks(table)

        async def there() -> str:
            async with self.world.store.reading() as tx:
                found = (await tx.execute(NEWEST, name)).scalar() or ""
            return found if found != before else ""

        with suppress(TimeoutError):
            table.code = await self.world.until(there, OPENS)

    async def plays(self, table: Seated) -> None:
        """Play games at *table*, one after the other."""
        rng = random.Random(f"{table.people[0]['id']}")
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(*self.thinks))
            if table.place.absent:
                continue
            known = await self.world.table(table.code) if table.code else None
            if known is None or known.status not in (OPEN, PLAYING):
                await self.opens(table)
                continue
            host, guest = table.people
            if known.status == PLAYING:
                names = {known.players[seat].name for seat in known.actors()}
                who, letters = (guest if guest[self.name] in names else host), (MOVE, MOVE, "z.")
            else:
                who, letters = (host, ("g.",)) if table.joined == table.code else (guest, ("j.",))
            letter = rng.choices(letters, (30, 30, 4)[: len(letters)])[0]
            if boards := self.boards(table.code):
                board, offered = boards[-1]
                if codes := [one for one in offered if one.startswith(letter)]:
                    await self.did(
                        "player", table.place, self.presses(who, board, rng.choice(codes))
                    )

    async def passes_by(self, who: Any, place: Place) -> None:
        """Press what is somebody else's, and type commands."""
        rng = random.Random(f"{who['id']}")
        here = [one for one in self.seated if one.place.people is place.people]
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(4.0, 10.0))
            table = rng.choice(here)
            if table.place.absent:
                continue
            if rng.random() < 0.2:
                typing = self.types(who, table.place, rng.choice(COMMANDS))
                await self.did("command", table.place, typing)
            elif boards := self.boards(table.code):
                board, codes = boards[-1]
                pressing = self.presses(who, board, rng.choice(codes))
                await self.did("stranger", table.place, pressing)

    # ---------------------------------------------------------------- states that come and go

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

    async def state(self, switch: Any, place: Place) -> None:
        """Let *switch* come over *place*, stay, and go again."""
        place.on.add(switch.name)
        silent = self.silenced(switch, place)
        silences = [Silence(one.chat["id"], time.monotonic()) for one in silent]
        self.silences += silences
        absent = getattr(switch, "absent", False) or getattr(switch, "deaf", False)
        for one in silent:
            one.absent |= absent
        try:
            await self.turn(switch, place, True)
            await asyncio.sleep(LASTS)
        finally:
            await self.turn(switch, place, False)
            place.on.discard(switch.name)
            for one, silence in zip(silent, silences, strict=True):
                one.absent, silence.until = False, time.monotonic()

    # ---------------------------------------------------------------- at rest

    def judge(self) -> None:
        """Count what was done, and what nobody heard of."""
        self.report.counts.update(f"of {one.kind}s" for one in self.done)
        self.report.forbid(
            self.report.counts["of players"] < len(self.seated), "times nobody played"
        )
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
        for one in self.seated:
            if not one.code:
                self.report.counts["tables never opened"] += 1
                continue
            table = await self.world.table(one.code)
            if table.status != PLAYING:
                continue
            boards = [
                [c for c in codes if c.startswith(MOVE)] for _, codes in self.boards(one.code)
            ]
            boards = [codes for codes in boards if codes]
            turns = {int(code.split(".")[2], 36) for code in (boards or [[]])[-1]}
            name = f"{one.code} ({one.game})"
            if not turns or not turns <= set(table.turns):
                self.report.breaches.append(f"{name} is stale at rest")
            if len(boards) > 1:
                self.report.breaches.append(f"{name} has {len(boards)} live boards")
        self.report.counts["tables looked at"] = len(self.seated)

    async def drive(self, seconds: float) -> Report:
        """Let everybody live for so many *seconds*; what came of it."""
        await self.prepare()
        self.until = time.monotonic() + seconds
        playing = {one["id"] for table in self.seated for one in table.people}
        homes = {id(place.people): place for place in self.places}.values()
        passers = [(one, at) for at in homes for one in at.people if one["id"] not in playing]
        works = [*map(self.plays, self.seated), *(self.passes_by(*one) for one in passers)]
        await asyncio.gather(*works, self.switches())
        await asyncio.sleep(4.0)
        for place in self.places:
            await self.did("command", place, self.types(place.first, place, "games"))
        try:
            await self.world.until(self.world.is_at_rest, REST)
        except TimeoutError:
            self.report.breaches.append("some views are behind at rest")
        self.judge()
        await self.look()
        self.report.lines.append(f"states {dict(self.switched.most_common())}")
        errors = [line for line in self.world.bot.output.splitlines() if " ERROR " in line]
        self.report.breaches += [f"logged: {line[:200]}" for line in errors[:3]]
        self.report.breaches += self.world.breaches()
        return self.report


@dataclass
class DiscordCrowd(Crowd):
    """Two servers with their channels, threads and people."""

    world: Discord

    async def prepare(self) -> None:
        fake = self.world.fake
        for number, count in enumerate((20, 10)):
            people = [fake.add_user(f"p{number}x{n:02}", False) for n in range(count)]
            for n, one in enumerate(people):
                one["_locale"] = ("en-US", "es-ES", "es-419", "de")[n % 4]
            members = [*people, fake.owner, fake.bot]
            guild = fake.add_guild(f"Club {number}", members, ("en-US", "es-ES")[number])
            await fake.join_guild(guild)
            await fake.set_permissions(guild, send_messages=True)
            here = [(one, "channel") for one in guild["channels"][:2]]
            parents = [(guild["channels"][0], "thread")]
            if not number:
                parents.append((fake.add_channel(guild, "forum", type=15), "forum"))
                here.append((fake.add_channel(guild, "voice", type=2), "voice"))
                here.append((fake.add_channel(guild, "news", type=5), "channel"))
            for parent, kind in parents:
                where = {"type": 11, "parent": parent["id"], "owner_id": people[0]["id"]}
                here.append((fake.add_channel(guild, kind, **where), kind))
                await fake.set_thread(here[-1][0], archived=False)
            places = [Place(fake, at, people, frozenset((kind,)), guild) for at, kind in here]
            self.places += places
            self.seats(4 if number else TABLES - 4, places)
        fake.latency_ms = 150

    def asks(self, table: Seated) -> Any:
        wish = {"game": table.game, "opponent": table.people[1]}
        if table.game.startswith("storill"):
            wish["options"] = "setup=fixed"
        at = table.place
        asking = self.world.fake.slash(
            table.people[0], "play", wish, guild=at.guild, channel=at.chat
        )
        return self.did("command", at, asking)

    def types(self, who: Any, place: Place, command: str) -> Any:
        where = {"guild": place.guild, "channel": place.chat}
        found: Any = self.world.fake.slash(who, full_name(command), {}, **where)
        return found

    def presses(self, who: Any, board: Any, code: str) -> Any:
        return self.world.fake.click(who, board, custom_id=code)

    def boards(self, code: str) -> list[tuple[Any, list[str]]]:
        shown = [m for m in self.world.fake.messages.values() if not m.deleted and not m.ephemeral]
        return _of_table(code, shown, "custom_id")

    def offered(self) -> list[tuple[Any, Place]]:
        fit = [one for one in discord_conditions.SWITCHES if not one.from_begin]
        # A whole server goes away where fewer tables stand.
        small = self.places[-1].guild
        return [
            (one, at) for one in fit for at in self.places
            if one.kind in ("", *at.kinds) and one.name not in at.on
            and (at.guild is small or not one.absent)
        ]  # fmt: skip

    async def turn(self, switch: Any, place: Place, on: bool) -> None:
        await switch.turned(place, on)

    def silenced(self, switch: Any, place: Place) -> list[Place]:
        if switch.absent:
            return [one for one in self.places if one.guild is place.guild]
        return [] if switch.speaks else [place]

    async def away(self) -> None:
        table = self.rng.choice(self.seated)
        who, guild = self.rng.choice(table.people), table.place.guild
        if not table.place.absent:
            self.switched["a member left"] += 1
            await self.world.fake.leave(who, guild)
            await asyncio.sleep(LASTS)
            await self.world.fake.join(who, guild)


UNFIT = ("none", "comments", "hidden members", "four minutes", "migrated", "General closed")
"""States that are no switches here: what a group is from the beginning, or is once."""


@dataclass
class TelegramCrowd(Crowd):
    """Four groups with their people; who has left cannot press."""

    world: Telegram

    name = "first_name"
    unheard = ("command",)
    thinks = (7.0, 18.0)
    """A move in about twenty seconds at each table: as much as a group of three tables takes."""

    async def prepare(self) -> None:
        fake = self.world.fake
        people = [
            fake.add_user(f"P{n}x", lang=("es", "en", "de")[n % 3], ephemeral=n % 4 != 3)
            for n in range(PEOPLE)
        ]
        groups = (("Lively", ()), ("Forum", (FORUM, TOPIC)), ("Quiet", ()), ("Hidden", (HIDDEN,)))
        for number, (title, kinds) in enumerate(groups):
            part = people[8 * number : 8 * number + 8]
            more = {kind: True for kind in kinds if kind != TOPIC}
            chat = fake.add_group(title, part, **more)
            chat["_members"][part[0]["id"]] = "creator"
            for person in part[::2]:
                await fake.start_bot(person)
            for topic in [fake.add_topic(chat, one) for one in ("One", "Two")] if kinds else [None]:
                self.places.append(Place(fake, chat, part, frozenset(kinds), topic=topic))
        self.seats(TABLES, self.places)

    def asks(self, table: Seated) -> Any:
        game = "storill setup=fixed" if table.game.startswith("storill") else table.game
        return self.types(table.people[0], table.place, f"play {game}")

    def types(self, who: Any, place: Place, command: str) -> Any:
        return self.world.fake.say(who, f"/{command}", place.chat, thread=place.topic)

    def presses(self, who: Any, board: Any, code: str) -> Any:
        return self.world.press(who, board, code=code)

    def boards(self, code: str) -> list[tuple[Any, list[str]]]:
        shown = [m for m in self.world.fake.messages.values() if not m.deleted and m.chat_id < 0]
        return _of_table(code, [m for m in shown if m.data.get("_mine")], "callback_data")

    def offered(self) -> list[tuple[Any, Place]]:
        busy = {at.chat["id"] for at in self.places if at.on}
        free = [at for at in self.places if at.chat["id"] not in busy]
        fit = [one for one in telegram_conditions.SWITCHES.values() if one.name not in UNFIT]
        return [(one, at) for one in fit for at in free if one.needs <= at.kinds]

    async def turn(self, switch: Any, place: Place, on: bool) -> None:
        await (switch.on if on else switch.off)(place)

    def silenced(self, switch: Any, place: Place) -> list[Place]:
        return [at for at in self.places if switch.deaf and at.chat is place.chat]

    async def away(self) -> None:
        """Somebody's client is out of reach and then starts anew."""
        who = self.rng.choice(self.rng.choice(self.places).people)
        self.switched["a client out of reach"] += 1
        self.world.fake.offline.add(who["id"])
        await asyncio.sleep(LASTS)
        self.world.fake.offline.discard(who["id"])
        self.world.fake.restart_client(who)

    def answered(self, handle: Any) -> float | None:
        return handle.latency if handle.answer is not None else None


def _of_table(code: str, shown: list[Any], name: str) -> list[tuple[Any, list[str]]]:
    """Those of *shown* that have buttons of the table *code*, with what they can do."""
    found = [
        (m, [b[name] for b in m.buttons if b.get(name) and not b.get("disabled")]) for m in shown
    ]
    return [one for one in found if any(c.split(".")[1:2] == [code] for c in one[1])]


async def lived(platform: str, folder: Path, seconds: float, seed: int, *, calm: bool) -> Report:
    """What came of so many *seconds* on *platform*."""
    rng = random.Random(seed)
    if platform == "telegram":
        async with on_telegram(folder, flood=True) as group:
            return await TelegramCrowd(group, rng, calm).drive(seconds)
    async with on_discord(folder, ratelimits=True, human_delay=0.05) as server:
        return await DiscordCrowd(server, rng, calm).drive(seconds)


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
