"""What others wait for while somebody floods a public page.

    python -m tests.drives.floods                  every flood: the worst 60 seconds long, others 15
    python -m tests.drives.floods ping --rounds 5 --seconds 20 --by one

The house, the victim and the attacker are processes of their own. The victim is a guest who asks at
fixed instants, twenty a second; a time counts from when it should have been asked, and what is not
answered has waited for the rest of the round. The attacker sends as fast as TCP takes it, from one
address or from 200. Beside each round one of ``control`` does the same work of a client to nobody.
The law: p99 at most twice the control's, no wait above a second, 20 MB more memory at most, no
traceback, no row that a stranger leaves in the database, and no container of the house that has
grown and is not capped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from io import BufferedRWPair
from pathlib import Path

import aiohttp
import psutil

from bot.app.runner import favour_loop
from bot.chats.web import DiscordApp, DoorKeys, WebChat
from bot.facade import Facade, LimitVerdict
from bot.port import Asker, Command, PlaceStanding, Upload, Where
from bot.service.place.archive import PlaceHead, write_archive
from games.core.record import Entry, Record
from storage import schema
from tests.chats import fake_discord_sign_in
from tests.chats.doors import PUBLIC
from tests.chats.fake_discord_sign_in import ANA, DiscordApi
from tests.drives import containers
from tests.drives.report import Report
from tests.fakes import FakeChat
from tests.houses import open_house

SETTLES = 6.0
"""The seconds until what was spent in a round has come back."""

A_SECOND, MOST_WAIT, MOST_RATIO, MOST_MEMORY, MOST_HELD = 20, 1.0, 2.0, 20.0, 2e6

ADDRESSES, TOGETHER = 200, 16
"""How many addresses a flood of many has, and how many connections the attacker has at once."""

MANY: Mapping[str, tuple[bool, ...]] = {"one": (False,), "many": (True,), "both": (False, True)}

FRAMES: Mapping[str, dict[str, str]] = {
    "ping": {},
    "setup": {"code": "shogi"},
    "suggest": {"line": "/play ni"},
    "mydata": {"kind": "call", "line": "/mydata"},
}

REQUESTS: Mapping[str, tuple[str, str, dict[str, str], str]] = {
    "door": ("GET", "/door/discord/back?state=X&error=no", {"Cookie": "DOOR"}, ""),
    "begin": ("GET", "/door/discord", {}, ""),
    "enter": ("POST", "/d/enter", {"Origin": "FRAME"}, '{"code":"x","instance":"i"}'),
    "look": ("POST", "/d/look", {"Origin": "FRAME"}, '{"instance":"i-1"}'),
    "junk": ("POST", "/d/enter", {"Origin": "FRAME"}, "{"),
    "api": ("GET", "/api/1/tables", {"Authorization": "Bearer 1-1.x"}, ""),
    "forged": ("GET", f"/p/{'0' * 32}/", {"Cookie": f"__Host-ludoteca-{'0' * 32}=x"}, ""),
    "static": ("GET", "/static/page.js", {}, ""),
}

FILES = ("import", "damaged")
"""What managers of groups send with ``/import``: the most games of a file, and no export at all."""

WORST, LONG, SHORT = ("import", "ping", "junk"), 60.0, 15.0
"""The kinds that cost most, and how many seconds a round of them lasts, and one of others."""

KINDS = (*FRAMES, *REQUESTS, *FILES)

GAME = Record("niya", ("red", "yellow"), log=(Entry(1, "M1"), Entry(0, "M2")) * 20)


def proxied(address: str) -> dict[str, str]:
    """The headers by which a proxy passes on a request from *address*."""
    told = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
    return {"Host": "play.example.org", **told}


# ---------------------------------------------------------------- the house


async def serve(folder: Path) -> None:
    """A public house; prints its port and the cookies of a victim and of an attacker."""
    async with DiscordApi().running() as discord:
        app = DiscordApp(fake_discord_sign_in.TOKEN, fake_discord_sign_in.SECRET, discord.url)
        discord.opened("300", ANA)
        facade = await open_house(folder)
        chat = FakeChat()
        web = WebChat(
            facade,
            "127.0.0.1",
            0,
            lambda _: None,
            public=PUBLIC,
            discord=app,
            doors=DoorKeys(app, open_house=True),
        )
        await facade.start([web, chat])
        entrances = [await web._guests.welcome("", invited=True) for _ in range(2)]
        for one, name in zip(entrances, ("Nerea", "Bruno"), strict=True):
            named = await web._guests.change(
                one.guest.id, lambda it, name=name: replace(it, name=name)
            )
            await facade.requests.meet(named.asker)
        told = [f"{one.guest.id}.{one.secret}" for one in entrances]
        port = web._server.origins.port
        sending = await asyncio.start_server(partial(_send_files, facade, chat), "127.0.0.1", 0)
        files = sending.sockets[0].getsockname()[1]
        favour_loop()
        print(json.dumps({"port": port, "files": files, "guests": told}), flush=True)
        await asyncio.Event().wait()


async def _send_files(
    facade: Facade, chat: FakeChat, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Call ``/import`` once a line, as chats do: its words are the kind, and who sends it.

    An empty line asks which containers have grown since the last one.
    """
    head = PlaceHead(ludoteca=1, source="0" * 32, made="2026-01-01T00:00:00+00:00")
    if not chat.files:
        records = {f"{number:04d}": GAME.text() for number in range(9999)}
        chat.files.update(zip(FILES, (write_archive(head, records), b"x" * 2**22), strict=True))
    limits, before = facade.requests.limits, dict[int, int]()
    async for line in reader:
        if line == b"\n":
            writer.write(json.dumps(containers.grown(before) if before else []).encode() + b"\n")
            before = containers.lengths()
            continue
        kind, who = line.decode().split()
        where = Where("fake", f"group-{who}")
        asker = Asker("fake", who, who, "en")
        if await limits.judge(asker, where) is LimitVerdict.TAKEN:
            chat.standings[who, where.place] = PlaceStanding(manages=True)
            sent = Upload("export.zip", len(chat.files[kind]), kind)
            call = Command(str(uuid.uuid4()), where, asker, "import", upload=sent)
            facade.tasks.start(facade.requests.call(call))


# ---------------------------------------------------------------- the victim


async def suffer(port: int, guest: str, secret: str, seconds: float) -> None:
    """Ask at fixed instants; prints the waits."""
    loop, waits = asyncio.get_running_loop(), dict[str, float]()
    headers = {**proxied("198.51.100.1"), "Cookie": f"__Host-ludoteca-{guest}={secret}"}
    async with aiohttp.ClientSession() as http:
        url = f"http://127.0.0.1:{port}/p/{guest}/socket"
        socket = await http.ws_connect(url, headers={**headers, "Origin": PUBLIC})
        began = loop.time() + 0.2
        due = {str(uuid.uuid4()): began + n / A_SECOND for n in range(int(seconds * A_SECOND))}

        async def ask() -> None:
            for number, (update, when) in enumerate(due.items()):
                await asyncio.sleep(max(0.0, when - loop.time()))
                kind = "moves" if number % 4 == 0 else "ping"
                await socket.send_str(json.dumps({"kind": kind, "id": update}))

        async def hear() -> None:
            async for message in socket:
                update = json.loads(message.data).get("id")
                if update in due:
                    waits.setdefault(update, loop.time() - due[update])

        asking, hearing = asyncio.create_task(ask()), asyncio.create_task(hear())
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(asking, seconds + 1)
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(hearing), 0.5)
        hearing.cancel()
    end = began + seconds + 0.5
    print(json.dumps([waits.get(update, end - when) for update, when in due.items()]))


# ---------------------------------------------------------------- the attacker


async def attack(kind: str, port: int, guest: str, secret: str, seconds: float, many: bool) -> None:
    """Flood *port* for so many *seconds*; port 0 is nobody, who takes and answers all."""
    nobody = None
    if not port:
        nobody = await asyncio.start_server(_swallow, "127.0.0.1", 0)
        port = nobody.sockets[0].getsockname()[1]
    until = time.monotonic() + seconds
    one = _frames if kind in FRAMES else _files if kind in FILES else _requests
    sent = await asyncio.gather(
        *(one(kind, port, (guest, secret), until, many, n) for n in range(TOGETHER))
    )
    print(json.dumps(sum(sent)))


async def _swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
        head = await reader.readuntil(b"\r\n\r\n")
        if b"Upgrade" in head:
            writer.write(b"HTTP/1.1 101 X\r\n\r\n")
            while await reader.read(65536):
                pass
        else:
            writer.write(b"HTTP/1.1 429 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    writer.close()


def _address(many: bool, number: int) -> str:
    return f"203.0.113.{number % ADDRESSES}" if many else "203.0.113.7"


def _head(method: str, path: str, headers: Mapping[str, str], body: str = "") -> bytes:
    told = {**headers, "Content-Length": str(len(body))} if body else headers
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in told.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def _frame(text: str) -> bytes:
    """A frame of text under a mask of zeros (RFC 6455, 5.2)."""
    size = len(text)
    length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
    return b"\x81" + length + bytes(4) + text.encode()


async def _frames(
    kind: str, port: int, who: tuple[str, str], until: float, many: bool, number: int
) -> int:
    guest, secret = who
    upgrade = {
        **proxied(_address(many, number)),
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": PUBLIC,
        "Cookie": f"__Host-ludoteca-{guest}={secret}",
    }
    told = {"kind": kind, **FRAMES[kind]}
    sent = 0
    while time.monotonic() < until:
        with suppress(ConnectionError, OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(until - time.monotonic() + 0.1):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(_head("GET", f"/p/{guest}/socket", upgrade))
                head = await reader.readuntil(b"\r\n\r\n")
                reading = asyncio.create_task(_read_all(reader))
                while b" 101 " in head and time.monotonic() < until and not reading.done():
                    batch = (json.dumps({**told, "id": str(uuid.uuid4())}) for _ in range(50))
                    writer.write(b"".join(map(_frame, batch)))
                    await writer.drain()
                    sent += 50
                reading.cancel()
                writer.close()
    return sent


async def _read_all(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read(65536):
            pass


async def _files(
    kind: str, port: int, who: tuple[str, str], until: float, many: bool, number: int
) -> int:
    del who
    sent = 0
    with suppress(ConnectionError, OSError, asyncio.IncompleteReadError, TimeoutError):
        async with asyncio.timeout(until - time.monotonic() + 0.1):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            while time.monotonic() < until:
                number += TOGETHER
                writer.write(f"{kind} {_address(many, number)}\n".encode())
                await writer.drain()
                await asyncio.sleep(0.02)
                sent += 1
            writer.close()
    return sent


async def _requests(
    kind: str, port: int, who: tuple[str, str], until: float, many: bool, number: int
) -> int:
    del who
    method, path, headers, body = REQUESTS[kind]
    sent = 0
    while time.monotonic() < until:
        number += TOGETHER
        filled = {
            "DOOR": f"__Host-ludoteca-door=discord.{int(time.time())}.X{number:0>6999}.v.n",
            "FRAME": f"https://{fake_discord_sign_in.APPLICATION}.discordsays.com",
        }
        told = {key: filled.get(value, value) for key, value in headers.items()}
        with suppress(ConnectionError, OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(until - time.monotonic() + 0.1):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(_head(method, path, {**proxied(_address(many, number)), **told}, body))
                await reader.readuntil(b"\r\n\r\n")
                writer.close()
                sent += 1
    return sent


# ---------------------------------------------------------------- what is left

NOT_OF_STRANGERS = {*FRAMES, *FILES}
"""The kinds that a guest or a manager sends, whom the house knows and may store things of."""


@dataclass
class House:
    """The house as it is looked at from outside: its process, its database, and its containers."""

    process: psutil.Process
    port: int
    database: Path
    asking: BufferedRWPair
    rows: Counter[str] = field(default_factory=Counter)
    before: float = 0.0

    def _grown(self) -> list[containers.Grown]:
        self.asking.write(b"\n")
        self.asking.flush()
        return [containers.Grown(*one) for one in json.loads(self.asking.readline())]

    def _rows(self) -> Counter[str]:
        with closing(sqlite3.connect(self.database)) as at:
            count = "SELECT count(*) FROM"
            names = schema.metadata.tables
            return Counter({name: at.execute(f"{count} {name}").fetchone()[0] for name in names})

    def note(self) -> None:
        """Note what there is before a flood."""
        self._grown()
        self.rows, self.before = self._rows(), self.process.memory_info().rss / 1e6

    def compare(self, kind: str, report: Report) -> str:
        """What there is more after a flood of *kind*, in words."""
        more = self.process.memory_info().rss / 1e6 - self.before
        report.forbid(int(more > MOST_MEMORY), f"floods that fill memory: {kind}")
        # Connections that have ended are let go when another one comes.
        socket.create_connection(("127.0.0.1", self.port)).close()
        time.sleep(0.5)
        grown, rows = self._grown(), self._rows() - self.rows
        for one in grown:
            if one.name == "DiscordApi.requests":
                continue  # of the tests
            full = one.cap is None or one.entries > one.cap or one.size > MOST_HELD
            report.forbid(int(full), f"containers that grow: {kind}: {one}")
        if kind not in NOT_OF_STRANGERS:
            report.forbid(rows.total(), f"rows of strangers: {kind}: {dict(rows)}")
        held = [f"{one.name} {one.entries} of {one.cap}, {one.size / 1e6:.1f} MB" for one in grown]
        return f"{more:+.0f} MB, {rows.total()} rows, held: {', '.join(held) or 'nothing'}"


# ---------------------------------------------------------------- rounds


def run(*role: object) -> subprocess.Popen[str]:
    """A process of this drive in a *role*."""
    command = [sys.executable, "-m", "tests.drives.floods", *map(str, role)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)


def measure(
    told: dict, kind: str, seconds: float, many: bool, port: int
) -> tuple[list[float], int]:
    """The waits of the victim in one round, and what the attacker has sent."""
    victim, attacker = told["guests"]
    attacking = run("--attack", kind, port, attacker, seconds + 1.0, int(many))
    suffering = run("--suffer", told["port"], victim, seconds)
    waits, sent = suffering.communicate()[0], attacking.communicate()[0]
    return json.loads(waits), json.loads(sent)


def p99(waits: list[float]) -> float:
    """The wait that one in a hundred exceeds."""
    return sorted(waits)[int(len(waits) * 0.99)]


def drive(kinds: list[str], rounds: int, length: float | None, many: tuple[bool, ...]) -> Report:
    """Flood a house by each of *kinds*, in rounds of a *length* or of their usual one."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder, open(Path(folder) / "log", "w+") as log:
        command = [sys.executable, "-m", "tests.drives.floods", "--serve", folder]
        house = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert house.stdout is not None
            told = json.loads(house.stdout.readline())
            asking = socket.create_connection(("127.0.0.1", told["files"])).makefile("rwb")
            looked = House(
                psutil.Process(house.pid), told["port"], Path(folder) / "games.db", asking
            )
            for kind in kinds:
                seconds = length or (LONG if kind in WORST else SHORT)
                for of_many in many:
                    found: dict[str, list[float]] = {"flood": [], "control": []}
                    at = told["files" if kind in FILES else "port"]
                    measure(told, kind, 1.0, of_many, at)  # what is made once is made
                    time.sleep(SETTLES)
                    looked.note()
                    sent = 0
                    for _ in range(rounds):
                        for name, port in (("control", 0), ("flood", at)):
                            waits, count = measure(told, kind, seconds, of_many, port)
                            found[name] += waits
                            sent += count if port else 0
                    time.sleep(SETTLES)
                    left = looked.compare(kind, report)
                    flood, control = p99(found["flood"]), p99(found["control"])
                    worst = max(found["flood"])
                    line = (
                        f"{kind} of {ADDRESSES if of_many else 1}: p99 {flood * 1000:.0f} ms, "
                        f"control {control * 1000:.0f}, worst {worst * 1000:.0f}, control "
                        f"{max(found['control']) * 1000:.0f}; {sent} sent, {left}"
                    )
                    print(line, flush=True)
                    report.forbid(int(flood > MOST_RATIO * control), f"p99 above twice: {kind}")
                    report.forbid(int(worst > MOST_WAIT), f"waits above a second: {kind}")
        finally:
            house.terminate()
            house.wait()
            log.seek(0)
            text = log.read()
            report.forbid(text.count("Traceback"), "tracebacks")
            print(f"{len(text)} letters of log", flush=True)
    return report


def main() -> None:
    """Drive, or play one of the roles."""
    asked = argparse.ArgumentParser(prog="python -m tests.drives.floods")
    asked.add_argument("kinds", nargs="*", default=[])
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--seconds", type=float, help="the length of a round")
    asked.add_argument("--by", choices=MANY, default="both", help="how many addresses")
    asked.add_argument("--serve", type=Path)
    asked.add_argument("--attack", nargs=5)
    asked.add_argument("--suffer", nargs=3)
    told = asked.parse_args()
    if told.serve:
        asyncio.run(serve(told.serve))
    elif told.attack:
        kind, port, who, seconds, many = told.attack
        asyncio.run(attack(kind, int(port), *who.split("."), float(seconds), many == "1"))
    elif told.suffer:
        port, who, seconds = told.suffer
        asyncio.run(suffer(int(port), *who.split("."), float(seconds)))
    else:
        kinds = told.kinds or list(KINDS)
        report = drive(kinds, told.rounds, told.seconds, MANY[told.by])
        print(report)
        sys.exit(bool(report.breaches))


if __name__ == "__main__":
    main()
