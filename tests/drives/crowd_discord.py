"""A crowd on an emulated Discord."""

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
from types import SimpleNamespace
from typing import Any

from sqlalchemy import text

from bot.session.table import CLOSED, ENDED, OPEN, PLAYING
from tests.drives.crowd import LASTS, Crowd, Silence
from tests.drives.discord_conditions import SWITCHES, Switch
from tests.drives.world import MOVE, Discord, on_discord

THINKS = (3.0, 9.0)

GAMES = ("niya", "cirya", "shogi", "storilljudhjorrayc", "parchis")

JOIN = "j."
"""How the code of a button begins that sits somebody down."""

ELSEWHERE = ("foreign", "dm", "group", "private")
"""Kinds of places in which none of the tables stand."""

COMMANDS = ("games", "help", "board", "privacy", "join")

NEWEST = text(
    "select seat.game from seat join person on person.id = seat.person "
    "join game on game.code = seat.game where person.name = :name order by game.rowid desc limit 1"
)


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
class DiscordCrowd(Crowd):
    """Two servers with their channels, threads and people."""

    world: Discord
    seated: list[Seated] = field(default_factory=list)
    passers: list[tuple[Any, Any]] = field(default_factory=list)
    """People without a table, each with their server."""

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
                game = GAMES[len(self.seated) % len(GAMES)]
                self.seated.append(Seated(here[n % len(here)], pair, game))
            self.passers += [(one, guild) for one in people[2 * seats :]]
        fake.latency_ms = 150

    def _place(self, guild: Any, channel: Any, kind: str, person: Any) -> Place:
        return Place(SimpleNamespace(fake=self.world.fake), guild, channel, kind, person)

    async def _thread(self, guild: Any, parent: Any, kind: str, owner: Any) -> Place:
        thread = self.world.fake.add_channel(
            *(guild, kind), type=11, parent=parent["id"], owner_id=owner["id"]
        )
        await self.world.fake.set_thread(thread, archived=False)
        return self._place(guild, thread, kind, owner)

    # ---------------------------------------------------------------- what people do

    def works(self) -> list[Coroutine[Any, Any, None]]:
        playing = [self.plays(table) for table in self.seated]
        return playing + [self.passes_by(*one) for one in self.passers]

    async def did(self, kind: str, place: Place, asking: Any) -> None:
        """Note what came of *asking*, a press or a command that the client may refuse."""
        from fake_discord import ClientRefused

        try:
            handle = await asking
        except (ClientRefused, AttributeError) as refused:
            # The bot may be put out of the server while the client is on its way.
            if isinstance(refused, AttributeError) and place.guild["id"] in self.world.fake.guilds:
                raise
            self.report.counts["refused by the client"] += 1
            return
        self.note(kind, place.channel["id"], handle)
        with suppress(TimeoutError):
            await handle.acked()

    async def begin(self, table: Seated) -> None:
        """Open a game at *table*, and sit the other one down."""
        host, guest = table.people
        wish = {"game": table.game, "opponent": guest}
        if table.game.startswith("storill"):
            wish["options"] = "setup=fixed"
        asked = self.world.fake.slash(host, "play", wish, channel=table.place.channel)
        await self.did("command", table.place, asked)
        await asyncio.sleep(1.0)
        async with self.world.store.reading() as tx:
            found = await tx.execute(NEWEST, {"name": host["global_name"]})
            table.code = found.scalar() or ""

    async def accept(self, table: Seated) -> None:
        """Let the challenged one say yes, where the invitation is shown."""
        shown = self.boards(table.code, JOIN)
        if shown:
            code = next(one for one in shown[-1][1] if one.startswith(JOIN))
            press = self.world.fake.click(table.people[1], shown[-1][0], custom_id=code)
            await self.did("player", table.place, press)

    def boards(self, code: str, begin: str = MOVE) -> list[tuple[Any, list[str]]]:
        shown = [m for m in self.world.fake.messages.values() if not m.deleted and not m.ephemeral]
        found = [(m, _codes(m)) for m in shown]
        return [one for one in found if any(c.startswith(f"{begin}{code}.") for c in one[1])]

    async def plays(self, table: Seated) -> None:
        """Play games at *table*, one after the other."""
        fake, rng = self.world.fake, random.Random(f"{table.people[0]['id']}")
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(*THINKS))
            if table.place.absent:
                continue
            known = await self.world.table(table.code) if table.code else None
            status = known.status if known is not None else CLOSED
            if status in (ENDED, CLOSED):
                await self.begin(table)
            elif status == OPEN:
                await self.accept(table)
            if known is None or status != PLAYING or not (boards := self.boards(table.code)):
                continue
            names = {known.players[seat].name for seat in known.actors()}
            who = next((one for one in table.people if one["global_name"] in names), None)
            board, offered = boards[-1]
            codes = [one for one in offered if one.startswith(MOVE)]
            if who is None or not codes:
                continue
            more = [one for one in offered if one.startswith("z.")]
            chosen = rng.choice(more) if more and rng.random() < 0.06 else rng.choice(codes)
            await self.did("player", table.place, fake.click(who, board, custom_id=chosen))

    async def passes_by(self, who: Any, guild: Any) -> None:
        """Press what is somebody else's, and type commands."""
        fake, rng = self.world.fake, random.Random(who["id"])
        here = [table for table in self.seated if table.place.guild is guild]
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(4.0, 10.0))
            table = rng.choice(here)
            if table.place.absent:
                continue
            if rng.random() < 0.25:
                asked = fake.slash(who, rng.choice(COMMANDS), {}, channel=table.place.channel)
                await self.did("command", table.place, asked)
            elif boards := self.boards(table.code):
                press = fake.click(who, boards[-1][0], custom_id=rng.choice(boards[-1][1]))
                await self.did("stranger", table.place, press)

    # ---------------------------------------------------------------- states that come and go

    def offered(self) -> list[tuple[Switch, Place]]:
        found = []
        for one in SWITCHES:
            if one.kind in ELSEWHERE or one.from_begin:
                continue
            places = [at for at in self.places if one.kind in ("", at.kind)]
            # A whole server goes away where fewer tables stand.
            places = [at for at in places if at.guild is self.places[-1].guild or not one.absent]
            found += [(one, at) for at in places if one.name not in at.on]
        return found

    async def state(self, switch: Switch, place: Place) -> None:
        place.on[switch.name] = switch
        whole = switch.absent
        touched = [at for at in self.places if at.guild is place.guild] if whole else [place]
        silences = []
        if switch.absent or not switch.speaks:
            silences = [Silence(at.channel["id"], time.monotonic()) for at in touched]
            self.silences += silences
        for at in touched:
            at.absent = at.absent or switch.absent
        try:
            await switch.turned(place, True)  # type: ignore[arg-type]
            await asyncio.sleep(LASTS)
        finally:
            await switch.turned(place, False)  # type: ignore[arg-type]
            del place.on[switch.name]
            for at in touched:
                at.absent = False
            for silence in silences:
                silence.until = time.monotonic()

    async def away(self) -> None:
        table = self.rng.choice(self.seated)
        if table.place.absent:
            return
        who, guild = self.rng.choice(table.people), table.place.guild
        self.switched["a member left"] += 1
        await self.world.fake.leave(who, guild)
        await asyncio.sleep(LASTS)
        await self.world.fake.join(who, guild)

    # ---------------------------------------------------------------- at rest

    async def write_everywhere(self) -> None:
        for place in self.places:
            person = next(t.people[0] for t in self.seated if t.place.guild is place.guild)
            asked = self.world.fake.slash(person, "games", {}, channel=place.channel)
            await self.did("command", place, asked)

    def answered(self, handle: Any) -> float | None:
        found: float | None = handle.latency
        return found

    def tables(self) -> list[tuple[str, str]]:
        found = [one for one in self.seated if one.code]
        return [(one.code, f"{one.code} ({one.game}, {one.place.kind})") for one in found]

    def count(self, began: float) -> None:
        fake = self.world.fake
        records = [one for one in fake.records if one.t >= began]
        kinds = Counter(_kind(one.method, one.path) for one in records)
        bad = Counter(one.status for one in records if (one.status or 0) >= 400)
        called = Counter(
            who["global_name"]
            for who in fake.users.values()
            for _ in fake.notified(who, since=began)
        )
        self.report.lines += [
            f"requests {dict(kinds.most_common())}",
            f"refused {dict(bad) or 0}; 401, 403 and 429 within ten minutes {fake.invalid}; "
            f"busiest second {fake.busiest_second}",
            f"calls {sum(called.values())} to {len(called)} people",
        ]


def _codes(message: Any) -> list[str]:
    return [b["custom_id"] for b in message.buttons if not b.get("disabled") and b.get("custom_id")]


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


busy_discord = partial(on_discord, ratelimits=True, human_delay=0.05)
"""A Discord that keeps its limits."""
