"""An evening with switches on an emulated Discord."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.session.table import CLOSED, ENDED, OPEN, PLAYING
from tests.drives.bench import MOVE, Bench, bench
from tests.drives.discord_conditions import SWITCHES, Switch
from tests.drives.evening_report import Report, Silence

PEOPLE, TABLES = 30, 12

EVERY, LASTS = 30.0, 22.0
"""Seconds between two states that come, and for which each stays."""

THINKS = (3.0, 9.0)

REST = 100.0
"""Seconds in which every board becomes the newest at the end."""

GAMES = ("niya", "cirya", "shogi", "storilljudhjorrayc", "parchis")

JOIN = "j."
"""How the code of a button begins that sits somebody down."""

ELSEWHERE = ("foreign", "dm", "group", "private")
"""Kinds of places in which none of the tables stand."""

COMMANDS = ("games", "help", "board", "privacy", "join")


@dataclass
class Place:
    """A channel or thread of a server, as the switches of the matrix take it."""

    at: Any
    guild: Any
    channel: Any
    kind: str
    a: Any
    absent: bool = False
    on: dict[str, Switch] = field(default_factory=dict)


@dataclass
class Seated:
    """A table and the two who play there."""

    place: Place
    people: tuple[Any, Any]
    game: str
    code: str = ""


@dataclass
class Evening:
    """The servers, the tables, and what everybody does."""

    bench: Bench
    rng: random.Random
    report: Report
    until: float
    places: list[Place] = field(default_factory=list)
    tables: list[Seated] = field(default_factory=list)
    passers: list[tuple[Any, Any]] = field(default_factory=list)
    """People without a table, each with their server."""

    async def prepare(self) -> None:
        """Two servers with their channels, threads and people."""
        fake = self.bench.fake
        for number, count in enumerate((20, 10)):
            people = [fake.add_user(f"p{number}x{n:02}", False) for n in range(count)]
            for n, one in enumerate(people):
                one["_locale"] = ("en-US", "es-ES", "es-419", "de")[n % 4]
            members = [*people, fake.owner, fake.bot]
            guild = fake.add_guild(f"Evening {number}", members, ("en-US", "es-ES")[number])
            await fake.join_guild(guild)
            await fake.set_permissions(guild, send_messages=True)
            here = [self._place(guild, one, "channel", people[0]) for one in guild["channels"][:2]]
            here.append(await self._thread(guild, guild["channels"][0], "thread", people[0]))
            if not number:
                forum = fake.add_channel(guild, "forum", type=15)
                here.append(await self._thread(guild, forum, "forum", people[0]))
                voice = fake.add_channel(guild, "voice", type=2)
                here.append(self._place(guild, voice, "voice", people[0]))
                news = fake.add_channel(guild, "news", type=5)
                here.append(self._place(guild, news, "channel", people[0]))
            self.places += here
            seats = 8 if not number else 4
            for n in range(seats):
                pair = (people[2 * n], people[2 * n + 1])
                game = GAMES[len(self.tables) % len(GAMES)]
                self.tables.append(Seated(here[n % len(here)], pair, game))
            self.passers += [(one, guild) for one in people[2 * seats :]]

    def _place(self, guild: Any, channel: Any, kind: str, person: Any) -> Place:
        return Place(SimpleNamespace(fake=self.bench.fake), guild, channel, kind, person)

    async def _thread(self, guild: Any, parent: Any, kind: str, owner: Any) -> Place:
        thread = self.bench.fake.add_channel(
            *(guild, kind), type=11, parent=parent["id"], owner_id=owner["id"]
        )
        await self.bench.fake.set_thread(thread, archived=False)
        return self._place(guild, thread, kind, owner)

    # ---------------------------------------------------------------- what people do

    async def did(self, kind: str, place: Place, asking: Any) -> Any:
        """Note what came of *asking*, a press or a command; ``None`` where the client refuses."""
        from fake_discord import ClientRefused

        try:
            handle = await asking
        except ClientRefused:
            self.report.refused += 1
            return None
        except AttributeError:
            if place.guild["id"] in self.bench.fake.guilds:
                raise
            # The bot was put out of the server while the client was on its way.
            self.report.refused += 1
            return None
        self.report.note(kind, place.channel["id"], handle)
        with suppress(TimeoutError):
            await handle.acked()
        return handle

    async def begin(self, table: Seated) -> None:
        """Open a game at *table*, and sit the other one down."""
        fake, (host, guest) = self.bench.fake, table.people
        wish = {"game": table.game, "opponent": guest}
        if table.game.startswith("storill"):
            wish["options"] = "setup=fixed"
        asked = fake.slash(host, "play", wish, channel=table.place.channel)
        await self.did("command", table.place, asked)
        await asyncio.sleep(1.0)
        query = (
            "select seat.game from seat join person on person.id = seat.person "
            "join game on game.code = seat.game where person.name = ? "
            "order by game.rowid desc limit 1"
        )
        found = self.bench.rows(query, host["global_name"])
        table.code = found[0][0] if found else ""

    async def accept(self, table: Seated) -> None:
        """Let the challenged one say yes, where the invitation is shown."""
        shown = self.boards(table.code, JOIN)
        if shown:
            code = next(one for one in _codes(shown[-1]) if one.startswith(JOIN))
            press = self.bench.fake.click(table.people[1], shown[-1], custom_id=code)
            await self.did("player", table.place, press)

    def boards(self, code: str, begin: str = MOVE) -> list[Any]:
        """The messages from which the table *code* can be played, the newest last."""
        shown = [m for m in self.bench.fake.messages.values() if not m.deleted and not m.ephemeral]
        return [m for m in shown if any(one.startswith(f"{begin}{code}.") for one in _codes(m))]

    async def plays(self, table: Seated) -> None:
        """Play games at *table*, one after the other."""
        fake, rng = self.bench.fake, random.Random(f"{table.people[0]['id']}")
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(*THINKS))
            if table.place.absent:
                continue
            status = self.bench.table(table.code).status if table.code else CLOSED
            if status in (ENDED, CLOSED):
                await self.begin(table)
            elif status == OPEN:
                await self.accept(table)
            if status != PLAYING:
                continue
            boards = self.boards(table.code)
            if not boards:
                continue
            board, who = boards[-1], self._mover(table)
            codes = [one for one in _codes(board) if one.startswith(MOVE)]
            if who is None or not codes:
                continue
            more = [one for one in _codes(board) if one.startswith("z.")]
            chosen = rng.choice(more) if more and rng.random() < 0.06 else rng.choice(codes)
            await self.did("player", table.place, fake.click(who, board, custom_id=chosen))

    def _mover(self, table: Seated) -> Any:
        shown = self.bench.table(table.code)
        names = {shown.players[seat].name for seat in shown.actors()}
        return next((one for one in table.people if one["global_name"] in names), None)

    async def passes_by(self, who: Any, guild: Any) -> None:
        """Press what is somebody else's, and type commands."""
        fake, rng = self.bench.fake, random.Random(who["id"])
        here = [table for table in self.tables if table.place.guild is guild]
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(4.0, 10.0))
            table = rng.choice(here)
            if table.place.absent:
                continue
            if rng.random() < 0.25:
                asked = fake.slash(who, rng.choice(COMMANDS), {}, channel=table.place.channel)
                await self.did("command", table.place, asked)
                continue
            boards = self.boards(table.code)
            if boards:
                press = fake.click(who, boards[-1], custom_id=rng.choice(_codes(boards[-1])))
                await self.did("stranger", table.place, press)

    # ---------------------------------------------------------------- states that come and go

    def _offered(self) -> list[tuple[Switch, Place]]:
        found = []
        for one in SWITCHES:
            if one.kind in ELSEWHERE or one.from_begin:
                continue
            places = [at for at in self.places if one.kind in ("", at.kind)]
            # A whole server goes away where fewer tables stand.
            places = [at for at in places if at.guild is self.places[-1].guild or not one.absent]
            found += [(one, at) for at in places if one.name not in at.on]
        return found

    async def switches(self) -> None:
        """Let a state come over a place every half minute, and go again."""
        lasting = set()
        while time.monotonic() < self.until - LASTS:
            names = sorted({one.name for one, _ in self._offered()})
            wanted = min(names, key=lambda one: (self.report.switched[one], self.rng.random()))
            chosen = [pair for pair in self._offered() if pair[0].name == wanted]
            lasting.add(asyncio.create_task(self._state(*self.rng.choice(chosen))))
            if self.rng.random() < 0.3:
                lasting.add(asyncio.create_task(self._away()))
            await asyncio.sleep(EVERY)
        await asyncio.gather(*lasting)

    async def _state(self, one: Switch, place: Place) -> None:
        self.report.switched[one.name] += 1
        place.on[one.name] = one
        touched = [at for at in self.places if at.guild is place.guild] if one.absent else [place]
        silences = []
        if one.absent or not one.speaks:
            silences = [Silence(at.channel["id"], time.monotonic()) for at in touched]
            self.report.silences += silences
        for at in touched:
            at.absent = at.absent or one.absent
        try:
            await one.turned(place, True)  # type: ignore[arg-type]
            await asyncio.sleep(LASTS)
        finally:
            await one.turned(place, False)  # type: ignore[arg-type]
            del place.on[one.name]
            for at in touched:
                at.absent = False
            for silence in silences:
                silence.until = time.monotonic()

    async def _away(self) -> None:
        """Somebody leaves their server, and comes back."""
        table = self.rng.choice(self.tables)
        if table.place.absent:
            return
        who, guild = self.rng.choice(table.people), table.place.guild
        self.report.switched["a member left"] += 1
        await self.bench.fake.leave(who, guild)
        await asyncio.sleep(LASTS)
        await self.bench.fake.join(who, guild)

    # ---------------------------------------------------------------- at rest

    async def rests(self) -> None:
        """Write in every place once more, and wait until all boards are the newest."""
        fake = self.bench.fake
        await asyncio.sleep(4.0)
        for place in self.places:
            person = next(t.people[0] for t in self.tables if t.place.guild is place.guild)
            asked = fake.slash(person, "games", {}, channel=place.channel)
            await self.did("command", place, asked)
        with suppress(TimeoutError):
            await self.bench.nothing_owed(REST)

    def looked(self) -> tuple[list[str], list[str]]:
        """The tables whose board is not the newest, and those with two."""
        stale, double = [], []
        for table in self.tables:
            if not table.code or self.bench.table(table.code).status != PLAYING:
                continue
            known, boards = self.bench.table(table.code), self.boards(table.code)
            if not boards or not self.bench.current(boards[-1], known.turns):
                stale.append(f"{table.code} ({table.game}, {table.place.kind})")
            if len(boards) > 1:
                double.append(table.code)
        return stale, double


def _codes(message: Any) -> list[str]:
    if message is None:
        return []
    return [b["custom_id"] for b in message.buttons if not b.get("disabled") and b.get("custom_id")]


def _counted(at: Bench, report: Report, began: float) -> None:
    """Count the requests, and who was called."""
    fake = at.fake
    records = [one for one in fake.records if one.t >= began]
    kinds = Counter(_kind(one.method, one.path) for one in records)
    bad = Counter(one.status for one in records if (one.status or 0) >= 400)
    called = Counter(
        who["global_name"] for who in fake.users.values() for _ in fake.notified(who, since=began)
    )
    report.lines += [
        f"requests | {len(records)}: {dict(kinds.most_common())}",
        f"refused | {dict(bad) or 0}; 401, 403 and 429 within ten minutes {fake.invalid}; "
        f"busiest second {fake.busiest_second}",
        f"calls | {sum(called.values())} to {len(called)} people",
    ]
    errors = [line for line in at.bot.output.splitlines() if " ERROR " in line]
    report.lines.append(f"errors in the log | {len(errors)}")
    report.wrong += [f"violation {one}" for one in fake.violations[:3]]
    report.wrong += [f"logged: {line[:200]}" for line in errors[:3]]
    if "Traceback" in at.bot.output:
        report.wrong.append("a traceback in the log")


def _kind(method: str, path: str) -> str:
    """What a request is for."""
    if path.endswith("/callback"):
        return "answers"
    if "/webhooks/" in path:
        return "boards and words by token"
    if re.search(r"/messages/\d+$", path):
        return {"PATCH": "board edits", "DELETE": "removed"}.get(method, "messages read")
    if path.endswith("/messages"):
        return "new messages" if method == "POST" else "messages read"
    return "others"


async def discord(folder: Path, seconds: float, seed: int) -> Report:
    """Drive an evening of so many *seconds*; what came of it."""
    report = Report(f"Discord: {PEOPLE} people, {TABLES} tables, {seconds:.0f} s")
    rng = random.Random(seed)
    async with bench(folder, rng, ratelimits=True, human_delay=0.05) as at:
        evening = Evening(at, rng, report, 0.0)
        await evening.prepare()
        at.fake.latency_ms = 150
        began = time.monotonic()
        evening.until = began + seconds
        works = [evening.plays(table) for table in evening.tables]
        works += [evening.passes_by(*one) for one in evening.passers]
        await asyncio.gather(*works, evening.switches())
        await evening.rests()
        report.judge(lambda handle: handle.latency)
        stale, double = evening.looked()
        report.boards(len(evening.tables), stale, double)
        _counted(at, report, began)
    return report
