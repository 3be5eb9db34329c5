"""An evening in a Discord server: ``python -m tests.drives.club_evening evening|burst``.

``evening``: twelve people at twelve tables in four channels, all five games, while a filter of
words, a limit of uploads, a moderator who times somebody out and one who purges a channel, and
somebody who has not read the rules come and go. ``burst``: fifty ask for a game at one instant,
soon after the start. Every call is 0.15 s late. Ends with 1 where something stays unanswered or
unseen for five seconds, two boards of a table can be pressed, somebody is called for what they
saw, or a phone's push says nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import text

from tests.drives.crowd import DiscordCrowd, Place, Seated
from tests.drives.report import Report, below
from tests.drives.world import MOVE, Discord, on_discord, require_emulators

PEOPLE, CHANNELS, TABLES, BURST = 12, 4, 12, 50

SILENT, LATE = 5.0, 5.0
"""Seconds after which nothing visible is silence, and below which nine of ten boards come."""

DOUBLE = 0.5
"""Seconds within which the same press again is a double tap."""

MOVES = text(
    "select game.game, count(*) from event join game on game.code = event.game "
    "where event.kind = 'move' group by game.game"
)

GAMES_OF = text("select code, game from game")

OVER = ("over", "terminado", "gana", "wins")
"""Words of a push about an end."""


@dataclass
class ClubEvening(DiscordCrowd):
    """A server with four channels, one of them a thread."""

    pressed: Counter[str] = field(default_factory=Counter)
    """The presses on moves by those who play, by table."""

    async def prepare(self) -> None:
        fake = self.world.fake
        self.people = [fake.add_user(f"c{n:02}", False) for n in range(PEOPLE)]
        for n, one in enumerate(self.people):
            one["_locale"] = ("en-US", "es-ES")[n % 2]
        self.guild = fake.add_guild("Club", [*self.people, fake.owner, fake.bot], "es-ES")
        await fake.join_guild(self.guild)
        await fake.set_permissions(self.guild, send_messages=True)
        channels = self.guild["channels"][:1]
        channels += [fake.add_channel(self.guild, f"sala{n}") for n in range(CHANNELS - 2)]
        where = {"type": 11, "parent": channels[0]["id"], "owner_id": self.people[0]["id"]}
        channels.append(fake.add_channel(self.guild, "hilo", **where))
        await fake.set_thread(channels[-1], archived=False)
        for at in channels:
            kind = frozenset(("thread" if at["type"] == 11 else "channel",))
            self.places.append(Place(fake, at, self.people, kind, self.guild))
        self.seats(TABLES, self.places)
        fake.latency_ms, fake.silence_after = 150, SILENT

    def presses(self, who: Any, board: Any, code: str) -> Any:
        if code.startswith(MOVE) and any(who in one.people for one in self.seated):
            self.pressed[code.split(".")[1]] += 1
        return super().presses(who, board, code)

    async def switches(self) -> None:
        """Let everything come and go once, spread over the evening."""
        fake, lasts = self.world.fake, max(20.0, (self.until - time.monotonic()) / 3)
        victim = self.seated[2]
        await asyncio.sleep(lasts / 3)
        fake.word_filter = [self.people[0]["global_name"]]
        await fake.set_pending(self.people[-1], guild=self.guild)
        await asyncio.sleep(lasts / 3)
        fake.word_filter = []
        fake.limit_uploads(self.guild)
        await self.purges(victim)
        await fake.time_out(victim.people[0], lasts, self.guild)
        await asyncio.sleep(lasts)
        await fake.time_out(victim.people[0], None, self.guild)
        fake.limit_uploads(self.guild, False)
        await fake.set_pending(self.people[-1], False, guild=self.guild)
        await self.purges(self.seated[-1])

    async def purges(self, table: Seated) -> None:
        """Delete whatever the bot has said in the channel of *table*."""
        for message in list(self.world.fake.channel_messages(table.place.chat, False)):
            if message.data["author"]["id"] == self.world.fake.bot["id"]:
                await self.world.fake.delete_message(message)

    def doubled(self, wait: Any) -> bool:
        """Whether the press of *wait* is the second of a double tap, which shows nothing more."""
        return any(
            0.0 < wait.at - one.at < DOUBLE and one.user is wait.user and one.label == wait.label
            for one in self.world.fake.waits
        )

    def judge(self) -> None:
        super().judge()
        fake, report = self.world.fake, self.report
        silent = [one for one in fake.silences if not self.doubled(one)]
        report.forbid(len(silent), "silences")
        report.lines += [f"silent: {one}" for one in silent[:6]]
        pings = fake.pings()
        report.counts["pings"] = len(pings)
        report.forbid(sum(not one.text.strip() for one in pings), "empty pushes")
        seen = [one for one in pings if one.saw and any(word in one.text for word in OVER)]
        report.forbid(len(seen), "pings for what was seen")
        report.lines += [f"{one}" for one in seen[:6]]

    async def look(self) -> None:
        await super().look()
        async with self.world.store.reading() as tx:
            moves: dict[str, int] = dict((await tx.execute(MOVES)).all())
            of: dict[str, str] = dict((await tx.execute(GAMES_OF)).all())
        pressed = Counter[str]()
        for code, n in self.pressed.items():
            pressed[of.get(code, "")] += n
        told = {game: f"{pressed[game] / n:.2f}" for game, n in moves.items() if n}
        self.report.lines.append(f"presses a move {told}, moves {moves}")


async def burst(world: Discord) -> Report:
    """What came of fifty who ask for a game at one instant."""
    report, fake = Report(), world.fake
    people = [fake.add_user(f"b{n:02}", False) for n in range(BURST)]
    guild = fake.add_guild("Burst", [*people, fake.owner, fake.bot], "en-US")
    await fake.join_guild(guild)
    fake.latency_ms, fake.silence_after = 150, SILENT
    names = ("niya", "cirya", "shogi", "storilljudhjorrayc", "parchis")
    channels = [fake.add_channel(guild, f"c{n}") for n in range(5)]

    async def asks(n: int) -> Any:
        wish = {"game": names[n % 5], "opponent": people[n - 1]}
        return await fake.slash(people[n], "play", wish, guild=guild, channel=channels[n % 5])

    await asyncio.sleep(2.0)
    handles = await asyncio.gather(*map(asks, range(BURST)))
    await asyncio.sleep(45.0)
    took = [fake.wait(one).seen for one in handles]
    seen = [one for one in took if one is not None]
    for one in seen:
        report.took("an invitation", one)
    report.forbid(BURST - len(seen), "invitations never seen")
    report.lines.append(f"p90 {below(seen, 0.9):.2f} s, violations {len(fake.violations)}")
    if below(seen, 0.9) > LATE:
        report.breaches.append(f"nine of ten invitations later than {LATE:g} s")
    report.breaches += world.breaches()
    return report


async def lived(asked: argparse.Namespace, folder: Path) -> Report:
    """What came of what was *asked*."""
    async with on_discord(folder, ratelimits=True, human_delay=0.05) as server:
        if asked.what == "burst":
            return await burst(server)
        return await ClubEvening(server, random.Random(asked.seed)).drive(asked.minutes * 60)


def main() -> int:
    """Drive what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("evening", "burst"))
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=56)
    asked = parser.parse_args()
    require_emulators()
    with tempfile.TemporaryDirectory(prefix="ludoteca-club-") as folder:
        return asyncio.run(lived(asked, Path(folder))).conclude()


if __name__ == "__main__":
    sys.exit(main())
