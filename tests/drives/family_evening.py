"""An evening in a Telegram group: ``python -m tests.drives.family_evening evening|idle|…``.

``evening``: ten people of a family, three tables (or ``--games``), flood limits with their penalty,
every call a tenth of a second late. Who sees their turn thinks ``--thinks 6 14`` seconds and
presses what is offered; who does not play presses what is somebody else's. It counts from the
player's chair: *mine* is from a press to what says that it happened, *handed over* from a move
until the next player's screen shows their turn with keys. ``idle``: one person alone, eight
commands, one each four seconds, as three kinds of people. ``sheets``: a game asked for and chosen
a second later, nine times. ``tournament``: one of ``--entrants`` in ``--format``, opened by who has
a private chat with the bot, entered and played to its end by buttons alone. ``whole``: one game of
four to its end in a group of two languages; what a person alone hears is in their own, as calls
are, what else stands in the group in the group's. Ends with 1 where one of the limits below is
missed.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from bot.session.table import OPEN, PLAYING
from storage.schema import view
from tests.drives.report import Report, below
from tests.drives.world import Telegram, on_telegram, require_emulators

FAMILY = ("Ana", "Luis", "Mar", "Paco", "Nuria", "Javi", "Carmen", "Dani", "Begoña", "Tomás")

SEATS = {"parchis": 4}
"""How many sit at a table of a game; two, where nothing is said."""

LIMITS = {"mine": (0.5, 1.5), "handed over": (2.5, 8.0)}
"""Seconds of the median, and below which nine of ten are."""

ALONE = 1.5
"""Seconds within which nine of ten are handed over where one table plays alone."""

CALLS, REFUSED = 18, 0.02
"""Calls in any minute, and the share of presses in turn that may be refused."""

STEP = (1.5, 3.0)
"""Between how many seconds somebody goes on with a move that is begun."""

SPANISH = re.compile(r"\b(el|la|un|una|te|ya|no puedes|mesa|toca)\b", re.IGNORECASE)
ENGLISH = re.compile(r"\b(the|you|it|is|your|turn|table)\b", re.IGNORECASE)
"""Words by which a sentence of one language is told from one of the other."""

SILENT, LEFT = 5.0, 300.0
"""Seconds after which nothing visible is silence, and after which a message is left behind."""

COMMANDS = ("jugar", "mesas", "clasificacion", "aprender", "torneo", "perfil", "reglas", "ayuda")

PASSING = ("mesas", "ayuda", "clasificacion", "jugar")
"""What people who do not play ask for."""

OPENED, KEPT = 10.0, 10
"""Seconds within which a tournament is opened, and the messages that one of eight leaves."""

ANSWERED, SHOWN = 3.0, 1.5
"""Seconds within which one person alone is answered, and a press in a sheet is shown."""

LATE = 0.1
"""Seconds by which every call is late."""

SHOWN_VIEWS = select(view.c.message).where(view.c.platform == "telegram")

TABLES = text(
    "select seat.game, game.status from seat join person on person.id = seat.person "
    "join game on game.code = seat.game where person.name = :name order by game.rowid desc limit 1"
)


@dataclass
class FamilyTable:
    """A table, as the evening knows it: the people who sit there, and what is owed to whom."""

    game: str
    people: list[Any]
    code: str = ""
    actors: frozenset[str] = frozenset()
    """The names of those whose turn it is."""
    pressed: float = 0.0
    """When the last press that counted was made."""
    owed: float | None = None
    """Since when the turn of somebody is not shown."""
    seen: dict[str, float] = field(default_factory=dict)
    """Since when the screen of whose turn it is shows it, by name."""


@dataclass
class Family:
    """The group, its people and what came of their evening."""

    world: Telegram
    rng: random.Random
    thinks: tuple[float, float]
    games: Sequence[str] = ("parchis", "niya", "shogi")
    strangers: int = 2
    """How many who do not play press and ask besides."""
    unknown: bool = False
    """Whether nobody has written to the bot in private."""
    languages: Sequence[str] = ("es",)
    """What the clients of the people speak, in turn."""
    report: Report = field(default_factory=Report)
    tables: list[FamilyTable] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)
    """What was answered to the last press of each, by name."""
    until: float = 0.0
    busiest: int = 0

    # ---------------------------------------------------------------- who and where

    async def gather(self) -> None:
        """Let the family meet: every third one has an old client, every second wrote in private."""
        fake = self.world.fake
        fake.silence_after = SILENT
        fake.fail(r"^(?!getupdates)", times=10**9, delay=LATE)
        self.people = [
            fake.add_user(
                name,
                lang=self.languages[n % len(self.languages)],
                ephemeral=n % 3 != 2,
                started=n % 2 == 0,
            )
            for n, name in enumerate(FAMILY)
        ]
        self.group = fake.add_group("Familia", self.people, bot=None)
        self.group["_members"][self.people[0]["id"]] = "creator"
        await fake.add_bot(self.group, self.people[0])
        if not self.unknown:
            for who in self.people[::2]:
                await fake.start_bot(who)
        first = 0
        for game in self.games:
            last = first + SEATS.get(game, 2)
            self.tables.append(FamilyTable(game, self.people[first:last]))
            first = last
        self.looking = self.people[first:][: self.strangers]

    def screen(self, who: Any, code: str) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
        """The messages that *who* sees with keys of the table *code*, newest first."""
        for message in reversed(self.world.fake.sees(who, self.group)):
            keys = [one for one in message.buttons if one.get("callback_data")]
            here = [one for one in keys if one["callback_data"].split(".")[1] == code]
            if here:
                yield message, here

    def keys(self, who: Any, table: FamilyTable, letter: str) -> tuple[Any, list[dict[str, Any]]]:
        """The newest message with keys of *letter* at *table*, and these keys."""
        for message, keys in self.screen(who, table.code):
            found = [one for one in keys if _acts(one, letter)]
            # A list of open tables leads to a chair, too, but whoever asked for it alone.
            if found and (message.ephemeral or message.photo):
                return message, found
        return None, []

    def shows_turn(self, who: Any, table: FamilyTable) -> bool:
        """Whether the screen of *who* says that it is their turn, with keys."""
        message, keys = self.keys(who, table, "m")
        first = message.text.split("\n")[0] if message is not None else ""
        return bool(keys) and (message.ephemeral or who["first_name"] in first)

    # ---------------------------------------------------------------- what is true

    async def look(self, table: FamilyTable) -> bool:
        """Take down whose turn it is at *table*; answers whether a game is on."""
        known = await self.world.table(table.code) if table.code else None
        if known is None or known.status != PLAYING:
            table.actors, table.owed = frozenset(), None
            return False
        actors = frozenset(known.players[seat].name for seat in known.actors())
        if actors != table.actors:
            if table.owed is None and table.actors:
                table.owed = table.pressed
            table.actors = actors
            table.seen.clear()
        return True

    def hand_over(self, table: FamilyTable, now: float) -> None:
        """Note that the turn of somebody at *table* is shown."""
        assert table.owed is not None
        self.report.took("handed over", now - table.owed)
        table.owed = None

    async def watch(self) -> None:
        """Look at truth and screens: when is whose turn shown, how many calls were there."""
        fake = self.world.fake
        while time.monotonic() < self.until:
            now = time.monotonic()
            here = [t for t in fake._flood["group", self.group["id"]] if now - t <= 60.0]
            self.busiest = max(self.busiest, len(here))
            for table in self.tables:
                if not await self.look(table):
                    continue
                for who in table.people:
                    if who["first_name"] not in table.actors or who["first_name"] in table.seen:
                        continue
                    if self.shows_turn(who, table):
                        table.seen[who["first_name"]] = now
                        if table.owed is not None:
                            self.hand_over(table, now)
            await asyncio.sleep(0.1)

    # ---------------------------------------------------------------- what people do

    async def opens(self, table: FamilyTable) -> None:
        """Ask for a game, and sit down one after the other."""
        host, before = table.people[0], table.code
        seats = f" seats={len(table.people)}" if len(table.people) > 2 else ""
        await self.asks(host, f"/jugar {table.game}{seats}", "opens")
        name = {"name": host["first_name"]}

        async def there() -> str:
            async with self.world.store.reading() as tx:
                code, status = (await tx.execute(TABLES, name)).first() or ("", "")
            return str(code) if code != before and status in (OPEN, PLAYING) else ""

        table.code = await self.world.until(there, 180.0)
        for who in table.people[1:]:
            await asyncio.sleep(2.0)
            message, keys = await self.waits_for(who, table, "j")
            await self.presses(who, message, keys[0], "sit down")
        if not await self.look(table):
            message, keys = await self.waits_for(host, table, "g")
            if keys:
                await self.presses(host, message, keys[0], "start")

    async def waits_for(self, who: Any, table: FamilyTable, letter: str) -> Any:
        """The keys of *letter*, once they are there; none where the game is on without them."""

        async def there() -> Any:
            if letter == "g" and await self.look(table):
                return None, ()
            return found if (found := self.keys(who, table, letter))[1] else None

        return await self.world.until(there, 180.0)

    async def plays(self, table: FamilyTable) -> None:
        """Play at *table*, one game after the other."""
        # Two at once would be answers to each other.
        await asyncio.sleep(8.0 * self.tables.index(table))
        while time.monotonic() < self.until:
            await self.opens(table)
            async with asyncio.TaskGroup() as sitting:
                for who in table.people:
                    sitting.create_task(self.sits(who, table))
            await asyncio.sleep(self.rng.uniform(*self.thinks))

    async def sits(self, who: Any, table: FamilyTable) -> None:
        """Move whenever the own screen shows the own turn, until the game is over."""
        name, rng, begun = who["first_name"], random.Random(self.rng.random()), False
        await self.look(table)
        while time.monotonic() < self.until:
            await asyncio.sleep(0.1)
            if not table.actors:
                if await self.world.over(table.code):
                    return
                continue
            if name not in table.actors or name not in table.seen:
                begun = False
                continue
            await asyncio.sleep(rng.uniform(*(STEP if begun else self.thinks)))
            message, keys = self.keys(who, table, "m")
            if not keys or not await self.look(table) or name not in table.actors:
                continue
            # Who was told between what to choose presses one of these.
            named = [one for one in keys if one["text"] in self.told.get(name, "")] if begun else []
            key = rng.choice(named or keys)
            counted = await self.moves(who, table, message, key, len(keys))
            await self.look(table)
            begun = counted and name in table.actors

    async def moves(
        self, who: Any, table: FamilyTable, message: Any, key: Any, choices: int
    ) -> bool:
        """A press in turn; answers whether it was taken."""
        began = time.monotonic()
        table.pressed = began
        handle = await self.presses(who, message, key, "in turn")
        if handle is None:
            return False
        self.report.counts["presses in turn"] += 1
        answer = handle.answer or {"alert": False}
        self.told[who["first_name"]] = answer.get("text") or ""
        if answer["alert"] or _refuses(answer.get("text")):
            self.report.counts["refused in turn"] += 1
            self.report.counts["refused without a choice"] += choices == 1
            self.report.lines.append(f"{table.game}: {key['text']!r} refused: {answer['text']}")
            return False
        return True

    async def presses(self, who: Any, message: Any, key: Any, kind: str) -> Any:
        """A press, answered; ``None`` where the client sends nothing."""
        try:
            handle = await self.world.fake.press(who, message, None, stale=key)
        except Exception as refused:
            if type(refused).__name__ != "ClientRefused":
                raise
            return None
        handle.family = kind
        try:
            await handle.answered(15)
        except TimeoutError:
            self.report.counts["unanswered"] += 1
        return handle

    async def asks(self, who: Any, line: str, kind: str = "asks") -> None:
        """A command in the group."""
        (await self.world.fake.say(who, line, self.group)).family = kind

    async def passes_by(self, who: Any) -> None:
        """Press what is somebody else's, and ask for this and that."""
        rng = random.Random(self.rng.random())
        while time.monotonic() < self.until - 2 * SILENT:
            await asyncio.sleep(rng.uniform(8.0, 16.0))
            shown = [one for one in self.world.fake.sees(who, self.group) if one.buttons]
            if rng.random() < 0.15 or not shown:
                await self.asks(who, f"/{rng.choice(PASSING)}")
                continue
            message = rng.choice(shown[-4:])
            keys = [one for one in message.buttons if one.get("callback_data")]
            # Who passes by opens nothing, does not sit down, and ends nothing.
            if keys := [one for one in keys if one["callback_data"][0] not in "pPjcxkgnXr"]:
                await self.presses(who, message, rng.choice(keys), "stranger")

    # ---------------------------------------------------------------- what came of it

    def judge_presses(self) -> None:
        """Count waits and silences."""
        fake, told = self.world.fake, re.compile(r"\d+ (s|segundos?)\b")
        for handle in fake.handles:
            kind, wait = getattr(handle, "family", ""), fake.wait(handle)
            self.report.counts[f"of {kind}"] += bool(kind)
            words = (handle.answer or {}).get("text") or ""
            self.report.counts["waits told"] += bool(told.search(words))
            if kind in ("in turn", "sit down", "start", "opens"):
                happened = [wait.change] if _refuses(words) else [wait.toast, wait.change]
                seen = [one for one in happened if one is not None]
                if seen:
                    self.report.took("mine", min(seen))
        silent = [
            one
            for one in fake.silences
            if one.injected < self.until - SILENT and not self.names_in_time(one)
        ]
        self.report.forbid(len(silent), "silences")
        self.report.lines += [f"silent: {one} {fake.wait(one)}" for one in silent[:6]]

    def names_in_time(self, handle: Any) -> bool:
        """Whether a message of the group that begins with its person's name is there in time.

        What is no reply to words is the platform's answer to whatever was done there last, and a
        pointer to private chats stands for a while.
        """
        name, fake = handle.user["first_name"], self.world.fake
        gone = {message.id: at for at, message in fake.removals}
        for at, one, how, _ in fake.effects:
            words = _first_words(one) if how == "sent" and not one.ephemeral else ""
            pointed = "en privado" in words and name in words.partition(":")[0]
            after = at - handle.injected
            if pointed and after <= SILENT and gone.get(one.id, math.inf) > handle.injected:
                return True
            if words.startswith((f"{name}: ", f"{name} abre")) and 0 <= after <= SILENT:
                return True
        return False

    async def judge_litter(self) -> None:
        """Count what is left in the group: everything but what may stay there."""
        async with self.world.store.reading() as tx:
            views = set((await tx.execute(SHOWN_VIEWS)).scalars())
        now, left = self.world.fake.mono(), []
        for one in self.world.fake.messages.values():
            mine = one.chat_id == self.group["id"] and one.data.get("_mine") and not one.deleted
            if not mine or now - one.stirred <= LEFT or str(one.id) in views:
                continue
            kept = "document" in one.data or "animation" in one.data
            stands = "reply_to_message" in one.data and any(
                name in one.text for table in self.tables for name in table.actors
            )
            if not kept and not stands and one.id != self.greeting:
                left.append(one)
        self.report.forbid(len(left), "left lying about")
        self.report.lines += [f"left: {one}" for one in left[:6]]

    def judge(self) -> Report:
        """Hold everything against its limit."""
        report, alone = self.report, len(self.tables) == 1
        for what, (median, most) in LIMITS.items():
            took = report.times.get(what, [])
            most = ALONE if alone and what == "handed over" else most
            middle, nine = below(took, 0.5), below(took, 0.9)
            report.lines.append(f"{what}: p50 {middle:.2f} s, p90 {nine:.2f} s of {len(took)}")
            if middle > median or nine > most:
                report.breaches.append(f"{what} above {median:g} and {most:g} s")
        report.lines.append(f"{self.busiest} calls in the busiest minute")
        if self.busiest > CALLS:
            report.breaches.append(f"{self.busiest} calls in a minute")
        refused = report.counts["refused in turn"]
        if refused > REFUSED * report.counts["presses in turn"]:
            report.breaches.append(f"{refused} presses in turn refused")
        report.forbid(report.counts["refused without a choice"], "acts without a choice refused")
        report.forbid(sum(one.status == 429 for one in self.world.fake.records), "429")
        report.forbid(report.counts["unanswered"], "presses unanswered")
        report.breaches += self.world.breaches()
        return report

    async def evening(self, seconds: float) -> Report:
        """Let the family play for so many *seconds*."""
        await self.gather()
        await asyncio.sleep(3.0)
        greeted = [one for one in self.world.fake.messages.values() if one.data.get("_mine")]
        self.greeting = greeted[0].id if greeted else 0
        self.until = time.monotonic() + seconds
        works = [*map(self.plays, self.tables), *map(self.passes_by, self.looking)]
        await asyncio.gather(self.watch(), *works)
        await asyncio.sleep(2 * SILENT)
        self.judge_presses()
        await self.judge_litter()
        return self.judge()

    async def plays_whole(self, seconds: float) -> Report:
        """One game to its end within *seconds*; whose sentences are in which language?"""
        fake, report = self.world.fake, self.report
        await self.gather()
        began, (table,) = time.monotonic(), self.tables
        self.until = began + seconds
        watching = asyncio.create_task(self.watch())
        await self.opens(table)
        async with asyncio.TaskGroup() as sitting:
            for who in table.people:
                sitting.create_task(self.sits(who, table))
        watching.cancel()
        report.lines.append(f"ended after {time.monotonic() - began:.0f} s")
        report.forbid(int(not await self.world.over(table.code)), "games not played to their end")
        await asyncio.sleep(SILENT)
        told = [(one.user["language_code"], (one.answer or {}).get("text")) for one in fake.handles]
        alone = [one for one in fake.ephemerals if not one.incoming]
        told += [(fake.users[one.viewer]["language_code"], one.text) for one in alone]
        spoken = {who["first_name"]: who["language_code"] for who in self.people}
        for one in (one for one in fake.messages.values() if one.data.get("_mine")):
            called = "" if "photo" in one.data else one.text.partition(",")[0]
            told.append((spoken.get(called, "es"), one.text))
        for code, said in told:
            own, other = (SPANISH, ENGLISH) if code == "es" else (ENGLISH, SPANISH)
            report.counts[f"said in {code}"] += bool(own.search(said or ""))
            if other.search(said or "") and not own.search(said or ""):
                report.forbid(1, "sentences in another language")
                report.lines.append(f"to {code}: {said!r}")
        self.judge_presses()
        return self.judge()

    async def plays_tournament(self, entrants: int, form: str) -> Report:
        """A tournament of so many *entrants* in the format *form*, from its sheet to its podium."""
        fake, report, began = self.world.fake, self.report, time.monotonic()
        await self.gather()
        self.until = began + 3600
        host, guests = self.people[0], self.people[1 : entrants + 1]
        for n in range(len(guests), entrants):
            guests.append(fake.add_user(f"Persona{n}", lang="es", started=n % 2 == 0))
        for who in guests[len(self.people) - 1 :]:
            await fake.join(who, self.group)
        for who in (one for n, one in enumerate(guests) if n % 2):
            await fake.start_bot(who)  # else the bot knows nothing of their private chat
        began = time.monotonic()
        await self.asks(host, "/torneo", "opens")
        for label in ("Torneo de Niya", *(("Formato", form) if form else ()), "Abrir el torneo"):
            await self.presses_label(host, label)
        await self.label(host, "Apuntarme")
        report.took("opening", time.monotonic() - began)
        report.forbid(int(report.times["opening"][0] > OPENED), "tournaments opened late")
        for who in guests:
            handle = await self.presses_label(who, "Apuntarme")
            report.took("entering", fake.wait(handle).seen or 60.0)
            if url := (handle.answer or {}).get("url"):
                report.counts["led to the private chat"] += 1
                await fake.follow_link(who, url)
            await asyncio.sleep(1.0)
        more = await self.presses_label(host, "Más")
        if url := (more.answer or {}).get("url"):
            await fake.follow_link(host, url)
        await self.presses_label(host, "Empezar ya")
        print(f"begun after {time.monotonic() - began:.0f} s: {report}", flush=True)
        async with asyncio.TaskGroup() as playing:
            works = [playing.create_task(self.plays_on(who)) for who in guests]
            over = await self.label(host, "Tabla cruzada", 1800.0)
            for one in works:
                one.cancel()
        report.lines.append(f"over after {time.monotonic() - began:.0f} s: {over.text[:200]!r}")
        await asyncio.sleep(LEFT)
        left = [one for one in fake.sees(host, self.group) if one.data.get("_mine")]
        report.counts["messages left"] += len(left)
        report.forbid(
            int(len(left) > KEPT and entrants <= 8), "groups with more than ten messages left"
        )
        report.lines += [f"left: {one}" for one in left]
        report.breaches += self.world.breaches()
        return report

    async def label(self, who: Any, label: str, seconds: float = 60.0) -> Any:
        """The newest message that *who* sees with a key *label*, in the group or in private."""

        async def there() -> Any:
            chats = (self.group, self.world.fake.chats[who["id"]])
            seen = [one for chat in chats for one in self.world.fake.sees(who, chat)]
            return next((m for m in reversed(seen) if _key(m, label)), None)

        return await self.world.until(there, seconds)

    async def presses_label(self, who: Any, label: str) -> Any:
        """A press of the key *label*, once it is there."""
        message = await self.label(who, label)
        return await self.presses(who, message, _key(message, label), label)

    async def plays_on(self, who: Any) -> None:
        """Move wherever the own screen says that it is the own turn, until one is stopped."""
        rng = random.Random(self.rng.random())
        while True:
            await asyncio.sleep(rng.uniform(2.0, 4.5))
            for chat in (self.group, self.world.fake.chats[who["id"]]):
                for message in self.world.fake.sees(who, chat):
                    keys = [one for one in message.buttons if one.get("callback_data")]
                    keys = [one for one in keys if _acts(one, "m")]
                    if keys and who["first_name"] in message.text.split("\n")[0]:
                        await self.presses(who, message, rng.choice(keys), "in turn")

    async def alone(self) -> Report:
        """Eight commands by somebody alone, one each four seconds, as three kinds of people."""
        fake = self.world.fake
        fake.silence_after = SILENT
        fake.fail(r"^(?!getupdates)", times=10**9, delay=LATE)
        kinds = {"new": {}, "known": {"started": True}, "old client": {"ephemeral": False}}
        for kind, what in kinds.items():
            who = fake.add_user(kind.title(), lang="es", **what)
            group = fake.add_group(kind, [who])
            if what.get("started"):
                await fake.start_bot(who)
            asked = []
            for command in COMMANDS:
                asked.append(await fake.say(who, f"/{command}", group))
                await asyncio.sleep(4.0)
            await asyncio.sleep(8.0)
            for command, handle in zip(COMMANDS, asked, strict=True):
                seen, where = fake.wait(handle).seen, fake.wait(handle).where
                self.report.took(f"a command of {kind}", 60.0 if seen is None else seen)
                late = seen is None or seen > ANSWERED
                self.report.lines += [f"{kind}: /{command} after {seen} {where}"] * late
                self.report.forbid(int(late), "commands answered late or never")
        self.report.breaches += self.world.breaches()
        return self.report

    async def chooses(self) -> Report:
        """A game asked for, and chosen a second later, nine times."""
        fake = self.world.fake
        fake.fail(r"^(?!getupdates)", times=10**9, delay=LATE)
        who = fake.add_user("Ana", lang="es")
        group = fake.add_group("Sola", [who])
        for _ in range(9):
            sheet = await (await fake.say(who, "/jugar", group)).reply(20)
            await asyncio.sleep(1.0)
            keys = [one for one in sheet.buttons if one.get("callback_data")]
            pressed = await fake.press(who, sheet, None, stale=keys[0])
            await asyncio.sleep(8.0)
            seen = fake.wait(pressed).change
            self.report.took("a press in a sheet", 60.0 if seen is None else seen)
            self.report.forbid(int(seen is None or seen > SHOWN), "presses in a sheet shown late")
        self.report.breaches += self.world.breaches()
        return self.report


def _first_words(message: Any) -> str:
    """What *message* said when it was new."""
    sent = message.history[0][1]
    return str(sent.get("text") or sent.get("caption") or "")


def _key(message: Any, label: str) -> dict[str, Any] | None:
    """The key of *message* that begins with *label*."""
    named = [one for one in message.buttons if one["text"].startswith(label)]
    return named[0] if named else None


def _acts(key: dict[str, Any], letter: str) -> bool:
    """Whether *key* does what *letter* says, and is no blank square."""
    parts = key["callback_data"].split(".")
    blank = letter == "m" and any(one.startswith(("·", "-")) for one in parts[3:-1])
    return parts[0] == letter and not blank


def _refuses(words: str | None) -> bool:
    """Whether the toast *words* say that nothing was done."""
    return (words or "").startswith(("Acaba de pasar", "Ese botón", "Espera", "No te toca"))


async def lived(asked: argparse.Namespace, folder: Path) -> Report:
    """What came of what was *asked*."""
    async with on_telegram(folder, flood=True, flood_penalty=True) as world:
        rng, games = random.Random(asked.seed), asked.games.split(",")
        if asked.what == "whole":
            whole = Family(world, rng, tuple(asked.thinks), games[:1], languages=("es", "en"))
            return await whole.plays_whole(asked.minutes * 60)
        family = Family(world, rng, tuple(asked.thinks), games, asked.strangers, asked.unknown)
        if asked.what == "evening":
            return await family.evening(asked.minutes * 60)
        if asked.what == "tournament":
            return await family.plays_tournament(asked.entrants, asked.format)
        return await (family.alone() if asked.what == "idle" else family.chooses())


def main() -> int:
    """Drive what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("evening", "idle", "sheets", "tournament", "whole"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", default="parchis,niya,shogi")
    parser.add_argument("--thinks", type=float, nargs=2, default=(6.0, 14.0))
    parser.add_argument("--strangers", type=int, default=2)
    parser.add_argument("--unknown", action="store_true", help="nobody has a private chat")
    parser.add_argument("--entrants", type=int, default=6)
    parser.add_argument("--format", default="eliminatorias")
    parser.add_argument("--seed", type=int, default=56)
    asked = parser.parse_args()
    require_emulators()
    with tempfile.TemporaryDirectory(prefix="ludoteca-family-") as folder:
        return asyncio.run(lived(asked, Path(folder))).conclude()


if __name__ == "__main__":
    sys.exit(main())
