"""Guests on pages who play all games at once and ask for everything that can be asked."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from bot.presenters.command_specs import COMMANDS
from tests.drives.fleet_pages import Guest, Json
from tests.drives.report import Report

GAMES = ("cirya", "niya", "shogi", "storilljudhjorrayc", "parchis")

LIGHT = 10
"""How many calls of each common kind come upon one of a kind that takes long."""

LONG = {"card", "replay", "review", "hint", "odds", "record", "mydata"}
"""The commands that think, paint or write out whole games."""

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
    "holidays": ("/holidays",),
    "link": ("/link ABCD-EFGH",),
    "help": ("/help", "/help play", "/help {game}"),
    "card": ("/card {table}",),
    "verify": ("/verify {table}",),
    "record": ("/record {table}",),
}
"""What is typed for commands that want values; all others are typed bare or with a table."""

FRAMES = ("moves", "lobby", "suggest", "point", "invite", "devices", "say", "rules", "theme")
"""What a page asks for besides commands."""

CONFIRMED = 0.02
"""How often somebody means it who is asked whether they do."""


@dataclass
class Player(Guest):
    """A guest with few boards in mind: those that are played, and their latest questions."""

    name: str = ""
    heartbeat: float | None = None  # as in a browser: a busy machine is no reason to come anew
    questions: dict[str, Json] = field(default_factory=dict)
    """What they alone are asked next, by table."""
    newest: dict[str, int] = field(default_factory=dict)
    """The newest version that was ever shown, by table."""
    over: list[str] = field(default_factory=list)
    pressing: bool = False
    calling: bool = False

    def _heard(self, told: Json) -> None:
        if told["kind"] == "completions":
            told = {"kind": "answer", "id": told["id"], "good": True}
        super()._heard(told)
        if told["kind"] == "state":  # a table that was closed while no page was open is not in it
            listed = {board["table"] for board in told["boards"]}
            self.boards = {code: one for code, one in self.boards.items() if code in listed}
        asked = told.get("board") if told["kind"] == "answer" else None
        if asked and asked.get("table"):
            self.questions[asked["table"]] = _small(asked)
        for table in list(self.boards):
            board = self.boards[table] = _small(self.boards[table])
            if board["version"] > self.newest.get(table, -1):
                self.newest[table] = board["version"]
                if not asked:
                    self.questions.pop(table, None)
            if board["over"]:
                del self.boards[table]
                self.over = [*self.over[-3:], table]

    def choices(self) -> list[tuple[str, Json]]:
        """The buttons of moves and of questions, each with its table."""
        found = []
        for table in self.boards:
            asked = self.questions.get(table, self.boards[table])
            found += [(table, one) for one in asked["buttons"] if one["style"] in MOVES]
        return found

    def broken(self) -> BaseException | None:
        """Why the drive itself has lost this page, if it has."""
        ended = self._running is not None and self._running.done()
        return self._running.exception() if ended and self._running is not None else None

    async def reopen(self) -> None:
        """Close the page; another is opened at once."""
        if self._socket is not None:
            await self._socket.close()


MOVES = ("move", "final")


def _small(board: Json) -> Json:
    """What is looked at of *board*, so that guests need little memory themselves."""
    if "buttons" in board:
        return board
    buttons = [
        {key: one[key] for key in ("code", "style", "label")}
        for row in board["rows"]
        for one in row
    ]
    kept = {key: board.get(key) for key in ("table", "version", "over", "asks", "picture")}
    return {**kept, "buttons": buttons}


@dataclass
class Slot:
    """A table that is played at again and again: a host, a guest or a computer, and a game."""

    host: Player
    guest: Player | None
    game: str
    code: str = ""
    busy: bool = False

    @property
    def wanted(self) -> bool:
        """Whether a new table is due."""
        return not self.busy and (not self.code or self.code not in self.host.boards)

    async def renew(self) -> None:
        """Open the next table."""
        self.busy = True
        try:
            seats = " seats=2" if self.game == "parchis" else ""
            against = "" if self.guest else " opponent=computer level=1"
            line = f"/play {self.game}{seats}{against}"
            opened = await self.host.ask("call", line=line, table="")
            self.code = opened.get("open") or ""
            if self.code and self.guest is not None:
                await self.guest.ask("call", line=f"/join {self.code}", table="")
            await asyncio.sleep(1.0)
        finally:
            self.busy = False


@dataclass
class Tally(Report):
    """What was asked and what became of it; *counts* are presses, calls, and the like."""

    calls: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """Presses that were refused, by what was said."""
    declined: Counter[str] = field(default_factory=Counter)
    """The same of calls."""

    def noted(self, seconds: float) -> None:
        """Note what a press took; of the many, every fourth of the older ones is kept."""
        taken = self.times.setdefault("a press", [])
        taken.append(seconds)
        if len(taken) > 20_000:
            self.times["a press"] = taken[::4]


@dataclass
class Crowd:
    """All guests, and what drives them at a rate."""

    players: list[Player]
    slots: list[Slot]
    rng: random.Random
    failed: tuple[str, ...]
    """How the sentences of our faults begin."""
    tally: Tally = field(default_factory=Tally)
    _running: set[asyncio.Task[None]] = field(default_factory=set)

    async def drive(self, seconds: float, presses: float, calls: float) -> None:
        """Let so many *presses* and *calls* a second be made for *seconds*."""
        rates = (
            (presses, self._press_one),
            (calls, self._call_one),
            (2.0, self._renew_one),
            (calls / 90, self._reopen_one),
            (presses / 20, self._fetch_one),
        )
        async with asyncio.timeout(seconds + 60):
            await asyncio.gather(*(self._paced(seconds, rate, what) for rate, what in rates))
        if self._running:
            await asyncio.wait(self._running, timeout=70)

    async def _paced(self, seconds: float, rate: float, what: Callable[[], Any]) -> None:
        """Start *what* so often a second; what cannot be started in time is left out."""
        due = time.monotonic()
        end = due + seconds
        while True:
            due = max(due + self.rng.expovariate(rate), time.monotonic() - 1.0)
            await asyncio.sleep(max(0.0, min(due, end) - time.monotonic()))
            if time.monotonic() >= end:
                return
            if (coroutine := what()) is not None:
                task = asyncio.create_task(coroutine)
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    # ---------------------------------------------------------------- deeds

    def _press_one(self) -> Any:
        for player in self.rng.sample(self.players, min(12, len(self.players))):
            if not player.pressing and (choices := player.choices()):
                return self._press(player, *self.rng.choice(choices))
        return None

    def _call_one(self) -> Any:
        free = [player for player in self.players if not player.calling]
        return self._call(self.rng.choice(free)) if free else None

    def _renew_one(self) -> Any:
        wanted = [slot for slot in self.slots if slot.wanted]
        return self._renew(self.rng.choice(wanted)) if wanted else None

    def _reopen_one(self) -> Any:
        self.tally.counts["pages opened anew"] += 1
        return self.rng.choice(self.players).reopen()

    def _fetch_one(self) -> Any:
        return self._fetch(self.rng.choice(self.players))

    async def _renew(self, slot: Slot) -> None:
        self.tally.counts["games over"] += bool(slot.code)
        with contextlib.suppress(TimeoutError):
            await slot.renew()

    async def _fetch(self, player: Player) -> None:
        """Load the page itself, or a picture again that it shows."""
        shown = [board["picture"] for board in player.boards.values() if board["picture"]]
        path = self.rng.choice(("", *shown[:1]))
        with contextlib.suppress(aiohttp.ClientError):
            await player.visitor.get(f"{player.visitor.path}/{path}")
            self.tally.counts["pages and pictures loaded"] += 1

    async def _press(self, player: Player, table: str, button: Json) -> None:
        player.pressing, began = True, time.monotonic()
        player.questions.pop(table, None)
        try:
            answer = await player.ask("press", code=button["code"], message=table)
        except TimeoutError as lost:
            self.tally.breaches.append(f"never answered: press {lost}")
        else:
            self.tally.noted(time.monotonic() - began)
            self._judged(answer, self.tally.refused)
        finally:
            self.tally.counts["presses"] += 1
            player.pressing = False

    def _judged(self, answer: Json, refused: Counter[str]) -> None:
        said = answer.get("said") or ""
        if said.startswith(self.failed):
            self.tally.breaches.append(f"answered by a fault: {said[:100]}")
        elif not answer["good"]:
            refused[said[:100]] += 1

    async def _call(self, player: Player) -> None:
        player.calling = True
        kind, told = self._wish(player)
        try:
            answer = await player.ask(kind, **told)
        except TimeoutError as lost:
            self.tally.breaches.append(f"never answered: call {lost}")
        else:
            self._judged(answer, self.tally.declined)
            await self._answered(player, answer)
        finally:
            self.tally.counts["calls"] += 1
            self.tally.calls[told["line"].split()[0] if kind == "call" else kind] += 1
            player.calling = False

    async def _answered(self, player: Player, answer: Json) -> None:
        """Say yes to what asks back, seldom, so that games are given up now and then."""
        asked = answer.get("board") or answer.get("card")
        if asked and asked.get("asks") and self.rng.random() < CONFIRMED:
            code = asked["rows"][0][0]["code"]
            with contextlib.suppress(TimeoutError):
                await player.ask("press", code=code, message=asked["table"] or "")

    def _wish(self, player: Player) -> tuple[str, Json]:
        """A call of any kind."""
        tables = [*player.boards, *player.over]
        table = self.rng.choice(tables) if tables else ""
        kind = self.rng.choice(KINDS)
        if kind.startswith("/"):
            name = kind[1:]
            line = self.rng.choice(LINES.get(name, (f"/{name}",)))
            return "call", {
                "line": line.format(game=self.rng.choice(GAMES), table=table or "AAAAAA"),
                "table": table,
            }
        return kind, _frame(kind, table, self.rng)


KINDS = (
    tuple(
        kind
        for command in COMMANDS
        if command.name != "forgetme"
        for kind in (f"/{command.name}",) * (1 if command.name in LONG else LIGHT)
    )
    + FRAMES * LIGHT
)
"""All kinds of calls, each as often as its share."""


def _frame(kind: str, table: str, rng: random.Random) -> Json:
    """What the page tells when it asks for *kind*."""
    match kind:
        case "suggest":
            line = rng.choice(("/pl", "/play n", "/move ", "/rules s", "/help "))
            return {"line": line, "table": table}
        case "point":
            return {"table": table, "at": f"{rng.random():.3f},{rng.random():.3f}"}
        case "say":
            return {"table": table, "line": f"well played {rng.randrange(1000)}"}
        case "rules":
            return {"code": rng.choice(GAMES)}
        case "theme":
            return {"theme": rng.choice(("light", "dark"))}
        case "moves" | "invite":
            return {"table": table}
    return {}
