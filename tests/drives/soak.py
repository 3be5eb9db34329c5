"""Hours of play in a browser's pages: ``python -m tests.drives.soak MINUTES [--load N]``.

Load 1 is five guests who make 5.5 presses and 3.3 calls a second together: all five games with one
another and with computers, every command, and whatever else a page asks for. The process has its
limits as they are, and is measured every fifteen seconds. At the end each page must show the stored
version of every table, and memory must be flat: the straight line through the samples of the
second half may rise by a twentieth of their mean, in the process that serves and in its workers.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

from bot.presenters.command_specs import COMMANDS
from bot.texts import LANGUAGES, language
from games.core import phrase
from games.core.shelf import shelf
from tests.chats.pages import Visitor, named
from tests.drives.fleet_pages import Guest, Json
from tests.drives.report import Report
from tests.live_bot import LiveBot, asked, live_bot, until

GUESTS, TABLES = 5, 3
"""How many guests a load is, and at how many tables of their own each plays."""

PRESSES, CALLS = 1.1, 0.66
"""Of each guest, a second."""

EVERY, WARM, SETTLES = 15.0, 60.0, 60.0
"""Seconds between two samples, of a start that are in none, and until all is shown at the end."""

FLAT = 0.05
"""The part of its mean by which memory may rise along the second half of a run."""

HIDES = "storilljudhjorrayc"
"""Where a page is not told of what its guest may not see."""

CONFIRMED = 0.02
"""How often somebody means it who is asked whether they do."""

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/\?t=(\S+)")

FAILED = tuple(language(code).say(phrase("house.try-again")) for code in LANGUAGES)
"""How the sentences of our faults begin."""

LONG = {"card", "replay", "review", "hint", "odds", "record", "mydata"}
"""The commands that think, paint or write out whole games: one for ten of the others."""

LINES: dict[str, tuple[str, ...]] = {
    "play": ("/play {game}", "/play {game} opponent=computer level=1"),
    "move": ("/move 1", "/move a1"),
    "board": ("/board", "/board {table}", "/board {table} text"),
    "join": ("/join {table}",),
    "rules": ("/rules {game}",),
    "why": ("/why 1", "/why a1"),
    "ask": ("/ask who won?", "/ask how does a game end?"),
    "words": ("/words hello there",),
    "replay": ("/replay 1-8",),
    "language": ("/language en", "/language es"),
    "link": ("/link ABCD-EFGH",),
    "help": ("/help", "/help play", "/help {game}"),
    "card": ("/card {table}",),
    "verify": ("/verify {table}",),
    "record": ("/record {table}",),
}
"""What is typed for commands that want values; all others are typed bare."""

FRAMES: dict[str, Json] = {
    "moves": {"table": "{table}"},
    "lobby": {},
    "suggest": {"line": "/play n", "table": "{table}"},
    "point": {"table": "{table}", "at": "0.512,0.431"},
    "invite": {"table": "{table}"},
    "devices": {},
    "say": {"table": "{table}", "line": "well played"},
    "rules": {"code": "{game}"},
    "theme": {"theme": "light"},
}
"""What a page asks for besides commands."""

KINDS = tuple(
    kind
    for kind in (*(f"/{one.name}" for one in COMMANDS if one.name != "forgetme"), *FRAMES)
    for _ in range(1 if kind[1:] in LONG else 10)
)
"""All kinds of calls, each as often as its share."""


@dataclass
class Player(Guest):
    """A guest who remembers what is played and what they alone are asked."""

    name: str = ""
    heartbeat: float | None = None  # as in a browser: a busy machine is no reason to come anew
    report: Report = field(default_factory=Report)
    questions: dict[str, Json] = field(default_factory=dict)
    """What they alone are asked next, by table."""
    newest: dict[str, int] = field(default_factory=dict)
    """The newest version that was ever shown, by table."""
    over: list[str] = field(default_factory=list)

    def _heard(self, told: Json) -> None:
        if told["kind"] == "completions":
            told = {"kind": "answer", "id": told["id"], "good": True}
        super()._heard(told)
        if told["kind"] == "state":  # a table that was closed while no page was open is not in it
            listed = {board["table"] for board in told["boards"]}
            self.boards = {code: one for code, one in self.boards.items() if code in listed}
        asks = told.get("board") if told["kind"] == "answer" else None
        if asks and asks.get("table"):
            self.questions[asks["table"]] = asks
        for table, board in list(self.boards.items()):
            if board["version"] > self.newest.get(table, -1):
                self.newest[table] = board["version"]
                if not asks:
                    self.questions.pop(table, None)
            if board["over"]:
                del self.boards[table]
                self.over = [*self.over[-3:], table]

    async def asked(self, kind: str, **told: str) -> Json:
        """What is answered in time, and not by a fault; nothing where it is not."""
        try:
            answer = await self.ask(kind, **told)
        except TimeoutError as lost:
            self.report.breaches.append(f"never answered: {lost}")
            return {}
        if (answer.get("said") or "").startswith(FAILED):
            self.report.breaches.append(f"answered by a fault: {answer['said'][:100]}")
        if kind == "press":
            self.report.counts["presses" if answer["good"] else "presses refused"] += 1
        return answer

    async def presses(self) -> None:
        """Press for ever what moves, at any table."""
        while True:
            await asyncio.sleep(self.rng.expovariate(PRESSES))
            found = [
                (table, one["code"])
                for table, board in self.boards.items()
                for row in self.questions.get(table, board)["rows"]
                for one in row
                if one["style"] in ("move", "final")
            ]
            if found:
                table, code = self.rng.choice(found)
                self.questions.pop(table, None)
                began = time.monotonic()
                await self.asked("press", code=code, message=table)
                self.report.took("a press", time.monotonic() - began)

    async def calls(self) -> None:
        """Ask for anything for ever, and open a page anew now and then."""
        while True:
            await asyncio.sleep(self.rng.expovariate(CALLS))
            if self.rng.random() < 1 / 90 and self._socket is not None:
                await self._socket.close()
            kind = self.rng.choice(KINDS)
            table = self.rng.choice([*self.boards, *self.over] or ["AAAAAA"])
            known = {"game": self.rng.choice([*shelf()]), "table": table}
            told = FRAMES.get(kind, {})
            if kind.startswith("/"):
                line = self.rng.choice(LINES.get(kind[1:], (kind,)))
                kind, told = "call", {"line": line, "table": "{table}"}
            told = {name: value.format(**known) for name, value in told.items()}
            answer = await self.asked(kind, **told)
            self.report.counts["calls"] += 1
            asks = answer.get("board") or answer.get("card") or {}
            if asks.get("asks") and self.rng.random() < CONFIRMED:
                code = asks["rows"][0][0]["code"]
                await self.asked("press", code=code, message=asks["table"] or "")

    async def opens(self, other: Player) -> None:
        """Keep some tables going with *other* and with the computer."""
        for number in range(10**9):
            game = [*shelf()][number % len(shelf())]
            seats = " seats=2" if game == "parchis" else ""
            against = " opponent=computer level=1" if number % 3 == 2 else ""
            if len(self.boards) < 2 * TABLES:
                line = f"/play {game}{seats}{against}"
                code = (await self.asked("call", line=line, table="")).get("open")
                if code and not against:
                    await other.asked("call", line=f"/join {code}", table="")
            await asyncio.sleep(2.0)


# ---------------------------------------------------------------- what is measured


def sample(pid: int, log: Path) -> dict[str, float]:
    """Megabytes of the bot of process *pid*, of those that think for it, and of its log (Linux)."""
    children = list(_descendants(pid))
    return {
        "bot": _resident(pid),
        "workers": sum(map(_resident, children)),
        "processes": 1 + len(children),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "log": log.stat().st_size / 2**20,
    }


def _descendants(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from _descendants(int(child))


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):  # a worker that has just ended
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def rise(values: Sequence[float]) -> float:
    """By what part of their mean *values* rise from the first to the last.

    Along the straight line through them (least squares), so that one sample, high or low by
    chance, does not decide. 0 for fewer than two.
    """
    if len(values) < 2 or not any(values):
        return 0.0
    slope = statistics.linear_regression(range(len(values)), values).slope
    return slope * (len(values) - 1) / statistics.fmean(values)


def judge_memory(samples: Sequence[dict[str, float]], report: Report) -> None:
    """Tell how all sizes went, and whether memory rises along the second half of *samples*."""
    half = samples[len(samples) // 2 :]
    for what in samples[0]:
        values, part = [one[what] for one in samples], rise([one[what] for one in half])
        report.lines.append(f"{what} {min(values):.1f}-{max(values):.1f}, rises {part:+.1%}")
        if what in ("bot", "workers") and part > FLAT:
            report.breaches.append(f"memory of {what} rises")


def behind(players: Sequence[Player], database: Path) -> list[str]:
    """The tables whose pages showed another version last than the one that is stored."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        rows = opened.execute("select code, version, game from game")
        stored = {code: (version, game) for code, version, game in rows}
    wrong = []
    for player in players:
        for table, shown in player.newest.items():
            version, game = stored.get(table, (-1, ""))
            old = table in player.boards and shown < version and game != HIDES
            if shown > version or old:
                wrong.append(f"{player.name} saw version {shown} of {table}, not {version}")
    return wrong


async def came(bot: LiveBot, http: aiohttp.ClientSession, count: int, report: Report) -> Any:
    """So many guests of the house, each invited by the first."""
    url, token = LINK.findall(bot.log.read_text())[0]
    server, players, link = SimpleNamespace(url=url, http=http), [], f"{url}/?t={token}"
    for number in range(count):
        if players:
            table = (await players[0].ask("call", line="/play niya", table=""))["open"]
            link = (await players[0].ask("invite", table=table))["link"]
        visitor = Visitor(server)  # type: ignore[arg-type]
        assert await visitor.enter(link) == 200
        await named(visitor, name := f"Guest {number}")
        rng = random.Random(number)
        players.append(Player(visitor, lambda: [server], rng, name=name, report=report))
        players[-1].start()
    return players


async def soaked(bot: LiveBot, database: Path, seconds: float, load: float) -> Report:
    """Play at *bot* for so many *seconds*; what was measured and found."""
    report, samples = Report(), []
    connector, jar = aiohttp.TCPConnector(limit=0), aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar, connector=connector) as http:
        players = await came(bot, http, round(GUESTS * load), report)
        others = [*players[1:], players[0]]
        deeds = [one for p in players for one in (p.presses(), p.calls())]
        deeds += [p.opens(other) for p, other in zip(players, others, strict=True)]
        tasks = [asyncio.create_task(one) for one in deeds]
        await asyncio.sleep(min(WARM, seconds / 10))
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(EVERY, left))
            samples.append(await asyncio.to_thread(sample, bot.process.pid, bot.log))
            silent = not (await asyncio.to_thread(asked, bot.metrics, "/metrics"))[1]
            report.forbid(silent, "times /metrics were silent")
            print(f"{samples[-1]}, {dict(report.counts)}", flush=True)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                report.breaches.append(f"the drive lost somebody: {ended!r}")
        until_shown = time.monotonic() + SETTLES
        while behind(players, database) and time.monotonic() < until_shown:
            await asyncio.sleep(1.0)
        report.breaches += behind(players, database)
        await asyncio.gather(*(player.close() for player in players))
    if bot.process.poll() is not None:
        report.breaches.append(f"the bot ended with {bot.process.returncode}")
    report.forbid(len(bot.said("Traceback")), "tracebacks in the log")
    judge_memory(samples, report)
    return report


def main() -> int:
    """Play for as long as the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--load", type=float, default=1.0, help="times five guests")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        address = f"sqlite+aiosqlite:///{folder}/games.db"
        with live_bot(folder, address, LUDOTECA_LANGUAGE="en") as bot:
            until(bot.answers, why="the bot does not answer")
            report = asyncio.run(soaked(bot, folder / "games.db", wish.minutes * 60, wish.load))
            began = time.monotonic()
            status = bot.ended(60)
            report.lines.append(f"SIGTERM: {status} after {time.monotonic() - began:.1f} s")
    return report.conclude()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
