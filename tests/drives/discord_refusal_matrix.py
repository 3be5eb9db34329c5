"""What the real Discord refuses, at every step of /play and in the middle of every game.

``python -m tests.drives.discord_refusal_matrix [--pairs] [--part 1/4] [--seed N] [--only TEXT]``:
each cell turns one switch of the emulator (or two) on, lets somebody press or type, turns it off,
and lets somebody act again. What must hold is said in ``Cell``. A line a cell that fails, and a
sum.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import logging
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

import tests.fakes  # noqa: F401  # facades keep what they are made of
from bot.chats.discord import reading
from storage import schema
from storage.table import views
from tests.drives.discord_conditions import SWITCHES, Switch
from tests.drives.discord_house import MOVE, House, house, now
from tests.drives.report import Report, portion
from tests.drives.world import full_name

ANSWER, NEWEST, REFUSED = 3.0, 10.0, 4
"""Seconds for an answer, seconds for the newest board, and requests refused for one cause."""

MOST_PAIRS = 400

STEPS = ("play", "game", "opponent", "challenge", "accept", "move")
GAMES = ("niya", "cirya", "shogi", "storilljudhjorrayc", "parchis")
PLACES = (*STEPS, *GAMES)
"""Where a cell stands: at a step of /play, or in the middle of a game."""

LOCALES = {"en": "en-US", "es": "es-ES"}


@dataclass
class Cell:
    """One cell: its people and its place, with *switches* on for one act, at *stands*."""

    at: House
    number: int
    switches: tuple[Switch, ...]
    stands: str
    language: str
    old: bool = False
    """Whether the tokens so far are over when the switches are on."""
    where: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    board: Any = None
    sheet: Any = None
    since: float = 0.0

    @property
    def name(self) -> str:
        said = f"{'+'.join(one.name for one in self.switches)} @ {self.stands}, {self.language}"
        return f"{said}, old tokens" if self.old else said

    async def prepared(self) -> None:
        """A server with two people, and the place in it that the switches need."""
        fake = self.at.fake
        kinds = {one.kind for one in self.switches} - {""}
        kind = kinds.pop() if kinds else "channel"
        locale = LOCALES[self.language]
        self.a, self.b = (fake.add_user(f"{n}{self.number}", False) for n in ("ana", "bea"))
        for one in (self.a, self.b):
            one["_locale"] = locale
        people = [self.a, self.b, fake.owner, fake.bot]
        foreign = kind == "foreign"
        self.guild = fake.add_guild(f"S{self.number}", people, locale, foreign=foreign)
        self.channel = self.guild["channels"][0]
        if kind in ("dm", "group"):
            more = (fake.owner,) if kind == "group" else ()
            self.channel = fake.private_channel(self.a, self.b, *more)
            self.where = {"channel": self.channel, "user_install": True}
        elif foreign:
            self.where = {"guild": self.guild, "user_install": True}
        else:
            await fake.join_guild(self.guild)
            # As an ordinary member, without administrator.
            await fake.set_permissions(self.guild, send_messages=True)
            if kind == "forum":
                self.channel = fake.add_channel(self.guild, "forum", type=15)
            elif kind == "voice":
                self.channel = fake.add_channel(self.guild, "voice", type=2)
            if kind in ("thread", "private", "forum"):
                self.channel = fake.add_channel(
                    self.guild, "t", type=12 if kind == "private" else 11,
                    parent=self.channel["id"], owner_id=self.a["id"],
                )  # fmt: skip
                await fake.set_thread(self.channel, archived=False)
            self.where = {"channel": self.channel}
        self.since = now()

    # ---------------------------------------------------------------- acts

    async def acted(self, handle: Any) -> Any:
        """*handle*, once it is answered or can no longer be."""
        self.at.handles.append(handle)
        speaks = not self.on or all(one.speaks for one in self.switches)
        try:
            await handle.acked(ANSWER if speaks else 0.5)
        except TimeoutError:
            if speaks:
                self.wrong.append(f"{handle.kind} {handle.label[:12]} is not answered")
        return handle

    on: bool = False

    async def slash(self, who: Any, name: str, **values: Any) -> Any:
        return await self.acted(
            await self.at.fake.slash(who, full_name(name), values, **self.where)
        )

    async def click(self, who: Any, message: Any, code: str) -> Any:
        return await self.acted(await self.at.fake.click(who, message, custom_id=code))

    async def step(self, name: str) -> Any:
        """Take the step *name* of /play, or one move."""
        return await getattr(self, f"_{name}")()

    async def _play(self) -> Any:
        handle = await self.slash(self.a, "play")
        self.sheet = handle.message
        return handle

    async def _game(self) -> Any:
        return await self.click(self.a, self.sheet, _labelled(self.sheet, "Niya"))

    async def _opponent(self) -> Any:
        code = next(c["custom_id"] for c in self.sheet.components if c["type"] == 5)
        handle = await self.at.fake.select(self.a, self.sheet, self.b, custom_id=code)
        return await self.acted(handle)

    async def _challenge(self) -> Any:
        return await self.click(self.a, self.sheet, _labelled(self.sheet, "Challenge", "Retar"))

    async def _accept(self) -> Any:
        await self._found("Accept", "Aceptar")
        code = _labelled(self.board, "Accept", "Aceptar")
        return await self.click(self.b, self.board, code)

    async def _move(self) -> Any:
        await self._found()
        fresh = [b["custom_id"] for b in self.at.moves(self.board)]
        return await self.click(self._mover(), self.board, fresh[0])

    async def _found(self, *labels: str) -> None:
        """The board of the table, wherever it stands by now."""
        code = await self.code()

        def stands() -> Any:
            for one in reversed(list(self.at.fake.messages.values())):
                codes = [b.get("custom_id", "") for b in one.buttons]
                ours = any(c.split(".")[1:2] == [code] for c in codes)
                if ours and one is not self.sheet and _is_board(one, labels):
                    return one
            return None

        await self.at.until(stands, NEWEST)
        self.board = stands()

    async def code(self) -> str:
        """The code of the only table of this cell's first person."""
        hers = schema.seat.join(schema.person, schema.person.c.id == schema.seat.c.person)
        asked = select(schema.seat.c.game).select_from(hers)
        asked = asked.where(schema.person.c.name == self.a["global_name"])
        async with self.at.facade.store.reading() as tx:
            rows = (await tx.scalars(asked)).all()
        return rows[-1] if rows else ""

    def _mover(self) -> Any:
        head = self.board.text.split("\n")[0]
        return self.a if self.a["global_name"] in head else self.b

    async def begun(self, game: str) -> None:
        """A game between the two, two moves old."""
        options = {"options": "setup=fixed"} if game.startswith("storill") else {}
        await self.slash(self.a, "play", game=game, opponent=self.b, **options)
        await self._accept()
        for _ in range(2):
            await self.at.settle()
            await self._a_step()

    async def _a_step(self) -> None:
        """A press that goes on with the game, a half move at least."""
        await self._found()
        await self.at.until(lambda: self.at.moves(self.board), NEWEST)
        await self._move()

    async def typed(self) -> Any:
        """A move by ``/move``, by whoever is to move."""
        table = await self.at.facade.services.tables.get(await self.code())
        (seat,) = sorted(table.actors())[:1]
        text = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        who = self.a if table.players[seat].name == self.a["global_name"] else self.b
        return await self.slash(who, "move", move=text, table=table.code)

    # ---------------------------------------------------------------- what must hold

    async def heard(self, handle: Any) -> None:
        """Whether whoever made *handle* has heard something, or sees the newest board."""
        until = time.monotonic() + ANSWER

        def said() -> bool:
            new = [m for m in self.at.fake.messages.values() if m.owner is handle.user]
            told = any(m.ephemeral and m.text for m in new)
            shown = handle.message is not None and bool(handle.message.text)
            return told or (shown and not handle.message.loading) or handle.modal is not None

        while not said() and time.monotonic() < until:
            await asyncio.sleep(0.02)
        if not said():
            self.wrong.append(f"{handle.kind} heard nothing")

    async def owing(self) -> list[Any]:
        rows = await self.at.facade.store.read(views.views_of_game, await self.code())
        return [row for row in rows if row.shown < row.owed or row.message is None]

    async def newest(self) -> None:
        """Whether the board is the newest within ten seconds."""
        until = time.monotonic() + NEWEST
        while await self.owing():
            if time.monotonic() > until:
                self.wrong.append("the board is not the newest")
                return
            await asyncio.sleep(0.05)

    async def run(self) -> None:
        """Come to where the cell stands, act with the switches on, and act once more."""
        await self.prepared()
        steps = STEPS[: STEPS.index(self.stands)] if self.stands in STEPS else ()
        for one in self.switches:
            if one.from_begin:
                await one.turned(self, True)
                self.on = True
        if self.stands in GAMES:
            await self.begun(self.stands)
        for step in steps:
            shown = (await self.step(step)).message
            await self.at.until(lambda at=shown: at is None or not at.loading, NEWEST)
            await self.at.settle()
        await self._with_switches()
        await self._without()
        await self._judged()

    async def _with_switches(self) -> None:
        await self.at.settle()
        for one in self.switches:
            if not one.from_begin:
                await one.turned(self, True)
        self.on = True
        if any(one.absent for one in self.switches):
            return
        life = reading.TOKEN_LIFE
        if self.old:
            reading.TOKEN_LIFE = timedelta(0)
        try:
            await self._acts()
        finally:
            reading.TOKEN_LIFE = life

    async def _acts(self) -> None:
        """Press or type, and look at what whoever did it hears."""
        try:
            if self.stands in STEPS:
                handles = [await self.step(self.stands)]
            else:
                handles = [await self.typed() if self.old else await self._move()]
                await self.at.settle()
                handles.append(await self.typed())
        except (TimeoutError, LookupError, StopIteration) as wrong:
            self.wrong.append(f"with it on: {type(wrong).__name__} {wrong}")
            handles = []
        if all(one.speaks for one in self.switches):
            for handle in handles:
                await self.heard(handle)
        await self.at.settle()

    async def _without(self) -> None:
        for one in reversed(self.switches):
            await one.turned(self, False)
        self.on = False
        if any(one.kind in ("foreign", "dm", "group") for one in self.switches):
            return
        if await self.code():
            await self._knocks()
            await self.newest()

    async def _knocks(self) -> None:
        """The next press or line after the switches went back: a command in that place."""
        await self.slash(self.a, "games")

    async def _judged(self) -> None:
        await self.at.settle()
        fake, code = self.at.fake, await self.code()
        if code and len(self.at.live(code)) > 1:
            self.wrong.append(f"{len(self.at.live(code))} live boards")
        refused = self.at.asked(self.since, 401, 403, 429)
        if len(refused) > REFUSED:
            lines = Counter(re.sub(r"\d{6,}|tok\w+", "#", f"{r.method} {r.path}") for r in refused)
            self.wrong.append(f"{len(refused)} refused requests: {dict(lines)}")
        violations = [v for v in fake.violations if v[0] >= 0]
        if violations:
            self.wrong.append(f"violations: {violations[:2]}")


def _labelled(message: Any, *starts: str) -> str:
    found = [b for b in message.buttons if str(b.get("label", "")).startswith(starts)]
    if not found:
        raise LookupError(f"none of {starts} below {message.text[:200]!r}")
    return str(found[0]["custom_id"])


def _is_board(message: Any, labels: Sequence[str]) -> bool:
    buttons = [] if message.deleted else message.buttons
    if labels:
        return any(str(b.get("label", "")) in labels for b in buttons)
    return any(b.get("custom_id", "").startswith(MOVE) for b in buttons)


BY_NAME = {one.name: one for one in SWITCHES}


def reachable(switches: Sequence[Switch], stands: str) -> bool:
    """Whether people can come to where a cell stands: nobody else sees an unseen invitation."""
    denied = any(one.name == "outside apps denied" for one in switches)
    return not (denied and (stands in ("accept", "move") or stands in GAMES))


Plan = tuple[tuple[str, ...], str, str, bool]


def singles() -> list[Plan]:
    """Every switch at every step and in every game, in both languages."""
    found: list[Plan] = []
    for one, stands, language in itertools.product(SWITCHES, PLACES, LOCALES):
        if reachable((one,), stands):
            found.append(((one.name,), stands, language, False))
            if stands in GAMES and not one.absent:
                found.append(((one.name,), stands, language, True))
    return found


def _fit(one: Switch, two: Switch) -> bool:
    if {"filter of a name", "filter of everything"} <= {one.name, two.name}:
        return False
    threads = {"archived", "locked", "locked and archived"}
    if {one.name, two.name} <= threads:
        return False
    kinds = {one.kind, two.kind} - {""}
    members = {"writing off", "history off", "files off", "view off", "outage", "put out"}
    elsewhere = kinds & {"foreign", "dm", "group"}
    return len(kinds) <= 1 and not (elsewhere and members & {one.name, two.name})


def pairs(seed: int) -> list[Plan]:
    """A covering array: every two switches, and each of them at every step and in every game."""
    rng = random.Random(seed)
    twos = [(a, b) for a, b in itertools.combinations(SWITCHES, 2) if _fit(a, b)]
    wanted: set[tuple[str, str]] = set()
    for a, b in twos:
        wanted.add((a.name, b.name))
        for stands in PLACES:
            wanted |= {(one.name, stands) for one in (a, b) if reachable((a, b), stands)}
    found: list[Plan] = []
    while wanted and len(found) < MOST_PAIRS:
        tried = []
        for _ in range(60):
            (a, b), stands = rng.choice(twos), rng.choice(PLACES)
            if reachable((a, b), stands):
                covers = {(a.name, b.name), (a.name, stands), (b.name, stands)} & wanted
                tried.append((len(covers), a.name, b.name, stands, covers))
        best = max(tried, key=lambda one: one[0])
        if not best[0]:
            continue
        wanted -= best[4]
        language, old = rng.choice(list(LOCALES)), rng.random() < 0.5
        found.append(((best[1], best[2]), best[3], language, old and best[3] in GAMES))
    return found


class _Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


async def driven(folder: Path, plans: Sequence[Plan]) -> Report:
    """What came of the cells of *plans*, one after the other on one house."""
    errors, report = _Errors(), Report()
    logging.getLogger().addHandler(errors)
    try:
        async with house(folder) as at:
            for number, (names, stands, language, old) in enumerate(plans):
                switches = tuple(BY_NAME[name] for name in names)
                cell = Cell(at, number, switches, stands, language, old)
                errors.lines.clear()
                try:
                    async with asyncio.timeout(60):
                        await cell.run()
                except Exception as wrong:
                    cell.wrong.append(f"{type(wrong).__name__}: {wrong}")
                    at.fake.word_filter, at.fake.gateway_ms = [], None
                cell.wrong += [f"logged: {line[:200]}" for line in errors.lines[:2]]
                report.cell(cell.name, cell.wrong)
    finally:
        logging.getLogger().removeHandler(errors)
    return report


def main() -> int:
    """Drive the cells that the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pairs", action="store_true")
    asked.add_argument("--seed", type=int, default=35)
    asked.add_argument("--part", default="1/1")
    asked.add_argument("--only", default="")
    wish = asked.parse_args()
    plans = pairs(wish.seed) if wish.pairs else singles()
    plans = [plan for plan in plans if wish.only in f"{'+'.join(plan[0])} @ {plan[1]}, {plan[2]}"]
    mine = portion(plans, wish.part)
    print(f"seed {wish.seed}; {len(mine)} of {len(plans)} cells", flush=True)
    with tempfile.TemporaryDirectory(prefix="ludoteca-switches-") as folder:
        return asyncio.run(driven(Path(folder), mine)).conclude()


if __name__ == "__main__":
    sys.exit(main())
