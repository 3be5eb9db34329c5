"""Programs of people against the real process: ``python -m tests.drives.programs [--share 1]``.

Two programs play 20 games of each game (Parchís 5), eight tables at a time, by their streams and
by acts with ids of their own, without the limits of people. One of them is cut off 50 times: its
stream is closed, or the answer to a move is not waited for and the move sent again. Nothing may be
lost or played twice: the log of each table holds what its programs have sent, in that order, and
both have read all of it. Every answer and every line of a stream is held against ``openapi.json``.

With ``--tally FILE`` each finished game is noted there, and a drive that was cut off goes on.

Then two people play on pages, in turns with and without two programs that play at the real
limits: the 99th percentile of their boards may not grow by more than a fifth.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import aiohttp

from games.core.shelf import shelf
from tests.chats.pages import Page, Visitor, named
from tests.chats.programs import ProgramClient
from tests.drives.findings import below, told
from tests.drives.flooding import invited, pressed, served

GAMES = 20
LONG = {"parchis": 5}
CUTS = 50
BESIDE = 8
"""How many tables are played at a time: on a busy machine one alone waits for others most of it."""

PATIENCE = 60
"""After so many moves of its own a program resigns, by lot, in one turn of ten: by chance alone
shogi and Storilljuðjorrayc go on for many hundreds of moves, which show nothing new."""

READY = "ready"
"""The move that ends a set-up of Storilljuðjorrayc."""

ROUNDS = 6
PRESSES = 30
"""How many presses of the people a round has without programs, and as many with them."""

MOST = 1.2


@dataclass
class Player:
    """A program that plays by its stream: what it sent, and what it read of each table."""

    client: ProgramClient
    rng: random.Random
    cuts: int = 0
    """How often it still is to be cut off."""
    cut: Counter[str] = field(default_factory=Counter)
    """How often it was cut off, by the table about which it read or to which it sent."""
    last: str = ""
    sent: dict[str, list[str]] = field(default_factory=dict)
    read: dict[str, dict[int, str]] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    """By table, the version in the answer to the last move."""
    over: dict[str, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    _newest: dict[str, dict] = field(default_factory=dict)
    """By table, what was read of it and not yet looked at."""
    _moving: set[str] = field(default_factory=set)
    """The tables at which a move is on its way."""

    async def play(self) -> None:
        """Play at all tables, until cancelled, from where the last stream broke off."""
        async with asyncio.TaskGroup() as moves:
            while True:
                async with self.client.stream(self.last) as lines:
                    async for line in lines:
                        self.last = line["id"]
                        if line["kind"] == "table" and self._turn(line["table"], moves):
                            break

    def _turn(self, table: dict, moves: asyncio.TaskGroup) -> bool:
        """Read *table* and let it be played; whether the stream is to be cut now."""
        code = table["code"]
        seen, first = self.read.setdefault(code, {}), table["moves_from"]
        assert set(range(first)) <= {*seen}, (code, first, len(seen))
        self.read[code] = {number: text for number, text in seen.items() if number < first}
        self.read[code] |= {move["number"]: move["text"] for move in table["moves"]}
        if table["status"] not in ("open", "playing"):
            self.over[code].set()
            return False
        self._newest[code] = table
        if code not in self._moving:
            self._moving.add(code)
            moves.create_task(self._moves(code))
        return self._is_cut(code)

    async def _moves(self, code: str) -> None:
        """Move at *code* as long as it is our turn there by what was read last."""
        while (table := self._newest.pop(code, None)) is not None:
            # While both set up, a line may be on its way that is older than our last answer.
            if table["legal"] and table["version"] >= self.answered.get(code, 0):
                await self._act(code, table)
        self._moving.remove(code)

    async def _act(self, code: str, table: dict) -> None:
        """Move by lot, or resign."""
        sent, update = self.sent.setdefault(code, []), f"{code}-{table['version']}"
        if len(sent) > PATIENCE and self.rng.random() < 0.1:
            await self._send(code, "resign", {}, update)
            return
        # A set-up could go on for ever.
        done = READY in table["legal"] and self.rng.random() < 0.2
        move = READY if done else self.rng.choice(table["legal"])
        sent.append(move)
        await self._send(code, "moves", {"move": move}, update)

    def _is_cut(self, code: str) -> bool:
        """Whether it is cut off now, by lot, at the table *code*."""
        if not self.cuts or self.rng.random() >= 0.05:
            return False
        self.cuts -= 1
        self.cut[code] += 1
        return True

    async def _send(self, code: str, act: str, told: dict, update: str) -> None:
        path = f"/tables/{code}/{act}"
        if self._is_cut(code):
            losing = asyncio.create_task(self.client.post(path, told, update))
            await asyncio.sleep(self.rng.choice((0.0, 0.002, 0.01, 0.03)))
            losing.cancel()
            await asyncio.gather(losing, return_exceptions=True)
        try:
            answer = await self.client.surely(path, told, update)
        except aiohttp.ServerDisconnectedError:
            # The connection had rested for so long that the server had just closed it.
            answer = await self.client.surely(path, told, update)
        self.answered[code] = answer["version"]


@dataclass
class Tally:
    """What was played, also by drives before this one, in a *file* with a line of JSON a game."""

    file: Path | None = None
    played: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.file is not None and self.file.exists():
            self.played = [json.loads(line) for line in self.file.read_text().splitlines()]

    def add(self, **told: object) -> None:
        self.played.append(told)
        if self.file is not None:
            with self.file.open("a") as kept:
                kept.write(f"{json.dumps(told)}\n")

    def left(self, plans: list[str]) -> list[str]:
        """Those of *plans* that are still to be played."""
        done, left = Counter(one["game"] for one in self.played), []
        for game in plans:
            if done[game]:
                done[game] -= 1
            else:
                left.append(game)
        return left

    @property
    def cuts(self) -> int:
        return sum(one["cuts"] for one in self.played)


async def games(folder: Path, share: float, kinds: list[str], tally: Tally, cuts: int) -> list[str]:
    """Whole games of two programs, of those games alone; what went wrong."""
    wrong = [one for game in tally.played for one in game["wrong"]]
    async with served(folder, patched=True) as (url, entrance, http):
        secrets = await new_keys(url, entrance, http, 2)
        clients = [ProgramClient(url, key, http) for key in secrets]
        one, other = Player(clients[0], random.Random(1)), Player(clients[1], random.Random(2))
        counts = {game: max(1, round(share * LONG.get(game, GAMES))) for game in kinds}
        # One of each in turn, so that a drive that is cut off has played them all.
        turns = range(max(counts.values()))
        plans = [game for turn in turns for game, count in counts.items() if turn < count]
        other.cuts = max(0, cuts - tally.cuts)
        left = tally.left(plans)

        async def one_after_another() -> None:
            while left:
                wrong.extend(await played(left.pop(0), one, other, tally))

        async with asyncio.TaskGroup() as tasks:
            playing = [tasks.create_task(player.play()) for player in (one, other)]
            async with asyncio.TaskGroup() as tables:
                for _ in range(BESIDE):
                    tables.create_task(one_after_another())
            for task in playing:
                task.cancel()
        if other.cuts:
            wrong.append(f"{other.cuts} cuts were not made")
    told_of = Counter(one["game"] for one in tally.played)
    print(*(f"{game}: {count} games" for game, count in told_of.items()), sep=", ")
    print(f"{sum(one['entries'] for one in tally.played)} entries, cut off {tally.cuts} times")
    return wrong


async def played(game: str, one: Player, other: Player, tally: Tally) -> list[str]:
    """A game of both to its end; what is wrong with it."""
    began = time.monotonic()
    code = (await one.client.surely("/tables", {"game": game, "seats": 2}))["code"]
    await other.client.surely(f"/tables/{code}/join", {})
    for player in (one, other):
        await player.over[code].wait()
    faults, many = [], 0
    for program in (one, other):
        # Each knows its own hidden set-up.
        table = await program.client.get(f"/tables/{code}")
        log, many = {move["number"]: move["text"] for move in table["moves"]}, table["moves_total"]
        mine = [move["text"] for move in table["moves"] if move["seat"] == table["you"]]
        if not _is_within(program.sent.get(code, []), mine):
            faults.append(f"{game} {code}: what was sent is not what was played")
        if program.read[code] != log:
            faults.append(f"{game} {code}: what was read is not what was played")
    cuts, took = other.cut[code], time.monotonic() - began
    tally.add(game=game, entries=many, cuts=cuts, wrong=faults)
    print(f"{game} {code}: {many} entries, {took:.0f} s, cut off {cuts} times", flush=True)
    return faults


def _is_within(sent: list[str], played: list[str]) -> bool:
    """Whether *played* is what was *sent*, with forced moves of the rules in between alone."""
    rest = iter(played)
    return all(move in rest for move in sent)


async def new_keys(url: str, entrance: str, http: aiohttp.ClientSession, count: int) -> list[str]:
    """The keys of new programs, made on the page as a person makes them."""
    server = SimpleNamespace(http=http, url=url)
    visitor = Visitor(server)
    assert await visitor.enter(entrance) == 200
    await named(visitor, "Ana")
    async with visitor.open(language="en") as page:
        return [await new_key(page) for _ in range(count)]


async def new_key(page: Page) -> str:
    """The key of a new program, by the buttons of ``/settings``."""
    card = await page.type("/settings")
    for label in ("My programs »", "Add a program"):
        rows = (card.get("card") or card["menu"])["rows"]
        (button,) = [one for row in rows for one in row if one["label"] == label]
        card = await page.ask("press", code=button["code"])
    return re.search(r"\d+-[0-9a-f]{8}\.[\w-]+", str(card))[0]


async def others(folder: Path, share: float) -> tuple[list[float], list[float]]:
    """How long people wait for boards without programs, and with two that never rest."""
    without, beside = [], []
    async with served(folder) as (url, entrance, http):
        server = SimpleNamespace(http=http, url=url)
        host, guest = Visitor(server), Visitor(server)
        assert await host.enter(entrance) == 200
        await named(host, "Ana")
        async with host.open(language="en") as first:
            keys = [await new_key(first) for _ in range(2)]
            clients = [ProgramClient(url, key, http) for key in keys]
            async with invited(first, guest, "Bea") as (second, table):
                game = SimpleNamespace(table=table)

                async def press() -> float:
                    await asyncio.sleep(0.4)  # as fast as people may be
                    if first.boards[game.table]["over"]:
                        game.table = (await first.type("/play niya"))["open"]
                        assert (await second.type(f"/join {game.table}"))["good"]
                    return (await pressed((first, second), game.table))[1]

                for _ in range(5):
                    await press()
                for _ in range(max(1, round(share * ROUNDS))):
                    without += [await press() for _ in range(PRESSES)]
                    async with hasty(clients):
                        beside += [await press() for _ in range(PRESSES)]
    return without, beside


@asynccontextmanager
async def hasty(clients: list[ProgramClient]) -> AsyncIterator[None]:
    """Two programs that play as fast as the limits let them, and ask on where they are refused."""
    tasks = [asyncio.create_task(_hurry(client)) for client in clients]
    streams = [asyncio.create_task(_follow(client)) for client in clients]
    try:
        yield
    finally:
        for task in (*tasks, *streams):
            task.cancel()
        await asyncio.gather(*tasks, *streams, return_exceptions=True)


async def _hurry(client: ProgramClient) -> None:
    rng = random.Random(3)
    while True:
        tables = await client.get("/tables")
        playing = [one for one in tables.get("tables", ()) if one["legal"]]
        if not playing:
            await client.post("/tables", {"game": "cirya", "level": 1})
            await asyncio.sleep(0.05)
            continue
        table = rng.choice(playing)
        move = rng.choice(table["legal"])
        await client.post(f"/tables/{table['code']}/moves", {"move": move})
        await asyncio.sleep(0.02)


async def _follow(client: ProgramClient) -> None:
    while True:
        with suppress(AssertionError):
            async with client.stream() as lines:
                async for _ in lines:
                    pass
        await asyncio.sleep(0.5)


async def drive(share: float, only: str, kinds: list[str], tally: Tally, cuts: int) -> int:
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        if only != "others":
            wrong += await games(Path(folder), share, kinds, tally, cuts)
    with tempfile.TemporaryDirectory() as folder:
        if only != "games":
            without, beside = await others(Path(folder), share)
            print("without programs:", told(without))
            print("beside programs: ", told(beside))
            ratio = below(beside, 0.99) / below(without, 0.99)
            print(f"p99 {ratio:.2f} times")
            if ratio > MOST:
                wrong.append(f"p99 of others' boards is {ratio:.2f} times as long")
    print(*wrong, sep="\n")
    return int(bool(wrong))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.programs", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--games", nargs="*", default=[*shelf()])
    parser.add_argument("--only", choices=("games", "others"), default="")
    parser.add_argument("--cuts", type=int, help=f"{CUTS} by default, or a share of them")
    parser.add_argument("--tally", type=Path, help="goes on where it was cut off")
    given = parser.parse_args()
    cuts = max(1, round(given.share * CUTS)) if given.cuts is None else given.cuts
    tally = Tally(given.tally)
    sys.exit(asyncio.run(drive(given.share, given.only, given.games, tally, cuts)))


if __name__ == "__main__":
    main()
