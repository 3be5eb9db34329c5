"""What strangers learn: ``python -m tests.drives.strangers [--people 40] [--seconds 40]``.

The real program as an open house behind a proxy. Forty strangers, each from an address of their
own, are there at once: half of them solve the puzzle of the day and play computers, the others try
codes, cookies and frames that are not theirs. Meanwhile two members play a table that is not
listed, talk, rename themselves and let somebody in. Two observers, one without a page and one who
came in as a guest, ask for everything that there is before and after. Ends with 1 where an answer
is another one afterwards, or tells a word of the members; where a table of theirs was touched;
where an honest stranger was refused or waited too long; or where the program failed. With
``--told`` the members open a table to all as well, and it must end with 1.
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
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from games.core.shelf import shelf
from tests.chats.doors import PROXIED, PUBLIC, Browser, Came
from tests.chats.pages import Page
from tests.drives.browsing import Program
from tests.drives.report import Report

PEOPLE, SECONDS, PATIENCE = 40, 40.0, 8.0
"""How many strangers there are, for how long, and the seconds that an honest one waits at most."""

SECRETS = ("Zenobia", "Quirico", "Evarista", "susurro")
"""What the members are called before and after, and what they say: nobody else may read it."""

PACE = 1.5
"""The seconds between two requests of an observer by their socket, who must not be told to wait."""

NOBODYS = "ZZZZZZ"
"""A code that no table has: letters and digits that are never drawn together."""


@dataclass
class Asked:
    """The house as a browser from *address* reaches it."""

    here: str
    http: aiohttp.ClientSession


class Person(Browser):
    """Somebody from an *address* of their own."""

    def __init__(self, at: Asked, address: str) -> None:
        super().__init__(at)
        self.address, self.id, self.name = address, "", ""

    async def ask(self, path: str, **headers: str) -> Came:
        return await self.get(path, **{"X-Forwarded-For": self.address, **headers})

    async def come(self, path: str, name: str) -> None:
        """Come in at *path*, and say a *name*."""
        came = await self.ask(path)
        while came.onward and not came.onward.startswith("/p/"):
            came = await self.ask(came.onward)
        found = re.match(r"/p/([0-9a-f]{32})/", came.onward)
        assert found, (path, came.status, came.said)
        self.id, self.name = found[1], name
        async with self.open() as page:
            assert (await page.ask("name", name=name))["good"]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Page]:
        """The page of this person."""
        cookie = f"__Host-ludoteca-{self.id}"
        headers = {**PROXIED, "Origin": PUBLIC, "X-Forwarded-For": self.address}
        headers["Cookie"] = f"{cookie}={self.cookies[cookie][0]}"
        url = f"{self.at.here}/p/{self.id}/socket"
        async with self.at.http.ws_connect(url, headers=headers) as socket:
            page = Page(socket)
            await page.ask("hello", theme="light", language="es")
            yield page


# ---------------------------------------------------------------- the members


@dataclass
class Members:
    """Two who play a *table* that is not listed."""

    host: Person
    guest: Person
    table: str = ""
    tells: bool = False
    """Whether they open a table to all meanwhile, which is no secret any more."""
    moves: int = 0
    over: bool = False

    async def meet(self, path: str) -> None:
        """Come in, open the table and sit down at it."""
        await self.host.come(path, SECRETS[0])
        async with self.host.open() as page:
            self.table = (await page.type("/play niya"))["open"]
            link = (await page.ask("invite", table=self.table))["link"]
        await self.guest.come(link.removeprefix(PUBLIC), SECRETS[1])

    async def play(self, most: int = 99) -> None:
        """Play *most* moves, or to the end; whoever was asked to be sure is."""
        async with self.host.open() as one, self.guest.open() as other:
            pages = (one, other)
            for _ in range(most):
                boards = [await page.board(self.table) for page in pages]
                self.over = all(board["over"] for board in boards)
                if self.over:
                    return
                mover = next(p for p, b in zip(pages, boards, strict=True) if b["mine"])
                before = mover.boards[self.table]["version"]
                answer = await mover.press(self.table, mover.moves(self.table)[0])
                assert answer["good"], answer
                self.moves += 1
                for page in pages:
                    await page.board(self.table, lambda it, old=before: it["version"] > old)

    async def live(self, invited: Person) -> None:
        """Everything that only they may know of."""
        await self.play(6)
        async with self.host.open() as page:
            assert (await page.ask("say", table=self.table, line=SECRETS[3]))["good"]
            assert (await page.ask("name", name=SECRETS[2]))["good"]
            more = (await page.type("/play cirya"))["open"]
            if self.tells:
                await page.ask("list", table=more, code="on")
            assert (await page.type("/play shogi opponent=computer level=1"))["good"]
            closed = (await page.type("/play parchis"))["open"]
            link = (await page.ask("invite", table=closed))["link"]
        await invited.come(link.removeprefix(PUBLIC), SECRETS[1])
        await self.play()


# ---------------------------------------------------------------- the observers

NAMING = ("/profile", "/versus")
"""The commands that name a member: the answer says that nobody is called so."""

FRAMES: Mapping[str, Mapping[str, str]] = {
    "lobby": {},
    "finished": {},
    **{line: {"kind": "call", "line": line} for line in ("/games", "/top", "/tournament")},
    **{line: {"kind": "call", "line": f"{line} {SECRETS[0]}"} for line in NAMING},
}
"""What the guest asks by their socket."""


@dataclass
class Observers:
    """One without a page, and one who came in as a guest."""

    nobody: Person
    passing: Person
    members: Members

    async def look(self) -> dict[str, str]:
        """What both are answered, by what they asked."""
        table, host = self.members.table, self.members.host.id
        paths = ["/", "/robots.txt", f"/p/{host}/", f"/p/{host}/sheets/people"]
        paths += [f"/p/{host}/t/{table}", f"/p/{host}/socket", f"/i/{table}-{'x' * 22}"]
        alike = ["/g/{}/1", "/g/{}/9", "/door/table/{}/light.webp", "/api/1/tables/{}"]
        seen = {path: await self._told(self.nobody, path) for path in paths}
        for path in alike:
            closed, unknown = path.format(table), path.format(NOBODYS)
            seen[closed] = await self._told(self.nobody, closed)
            seen[unknown] = await self._told(self.nobody, unknown)
        own = f"/p/{self.passing.id}"
        sheets = ("people", "people/niya", "people/niya/month", f"people/{'0' * 32}", "companions")
        for sheet in (*sheets, "tournaments"):
            seen[sheet] = await self._told(self.passing, f"{own}/sheets/{sheet}")
        async with self.passing.open() as page:
            page.state.pop("id")
            seen["state"] = json.dumps(page.state, sort_keys=True)
            for name, told in FRAMES.items():
                await asyncio.sleep(PACE)
                answer = await page.ask(**{"kind": name, **told})
                answer.pop("id")
                seen[name] = json.dumps(answer, sort_keys=True)
        return seen

    async def _told(self, by: Person, path: str) -> str:
        came = await by.ask(path)
        noise = {"Date"}
        headers = sorted(f"{k}: {v}" for k, v in came.headers.items() if k not in noise)
        return "\n".join((str(came.status), *headers, came.text))

    def alike(self, seen: Mapping[str, str]) -> list[str]:
        """The paths at which the members' code is answered otherwise than one of nobody."""
        table = self.members.table
        return [
            path
            for path in seen
            if table in path
            and (other := path.replace(table, NOBODYS)) in seen
            and seen[path].replace(table, NOBODYS) != seen[other]
        ]


# ---------------------------------------------------------------- the strangers


@dataclass
class Crowd:
    """The strangers, and what they were answered."""

    members: Members
    report: Report
    chance: random.Random
    statuses: Counter[int] = field(default_factory=Counter)
    until: float = 0.0

    def heard(self, text: str) -> None:
        """Nothing that a stranger hears may tell of the members."""
        self.report.forbid(sum(one in text for one in SECRETS), "words of members heard")

    async def honest(self, one: Person) -> None:
        """Solve the puzzle without a page, come in, and play a computer."""
        await self._timed(one, "/")
        game = self.chance.choice([*shelf()])
        await one.come("/door/guest?to=", f"Eva {one.address}")
        async with one.open() as page:
            opened = await page.type(f"/play {game} opponent=computer level=1")
            table = opened["open"]
            while time.monotonic() < self.until:
                await asyncio.sleep(self.chance.uniform(1.0, 3.0))
                begun = time.monotonic()
                answer = await page.ask("lobby")
                self.report.took("an honest question", time.monotonic() - begun)
                self.report.forbid(int(not answer["good"]), "honest questions refused")
                self.heard(json.dumps(answer))
                board = page.boards.get(table)
                moves = page.moves(table) if board and board["mine"] else []
                if moves:
                    await page.press(table, self.chance.choice(moves))

    async def _timed(self, one: Person, path: str) -> Came:
        begun = time.monotonic()
        came = await one.ask(path)
        self.report.took("an honest request", time.monotonic() - begun)
        self.report.forbid(int(came.status != 200), "honest requests refused")
        self.heard(came.text)
        return came

    async def hostile(self, one: Person) -> None:
        """Try whatever is not theirs."""
        framed = self.chance.random() < 0.5
        if framed:
            await one.come("/door/guest?to=", f"Mal {one.address}")
        while time.monotonic() < self.until:
            await (self._frames(one) if framed else self._requests(one))
            await asyncio.sleep(self.chance.uniform(0.0, 0.2))

    async def _requests(self, one: Person) -> None:
        table, host, drawn = self.members.table, self.members.host.id, self.chance.randbytes
        forged = {"Cookie": f"__Host-ludoteca-{host}={drawn(16).hex()}"}
        code = "".join(self.chance.choices("23456789ABCDEFGHJKLMNPQRSTUVWXYZ", k=6))
        tries: list[tuple[str, dict[str, str]]] = [
            (f"/g/{code}/1", {}),
            (f"/door/table/{table}/dark.webp", {}),
            (f"/p/{host}/", forged),
            (f"/p/{host}/sheets/people/{drawn(16).hex()}", forged),
            (f"/p/{host}/record/{table}/ptn", forged),
            (f"/i/{table}-{drawn(16).hex()}?on", {}),
            (f"/b/{host}-{drawn(16).hex()}?on", {}),
            (f"/?press=P.{code}.0.{table}", {}),
            ("/operator/", {}),
            (f"/api/1/tables/{table}", {"Authorization": f"Bearer {drawn(16).hex()}"}),
            ("/", {"Host": "evil.example"}),
        ]
        path, headers = self.chance.choice(tries)
        came = await one.ask(path, **headers)
        self.statuses[came.status] += 1
        self.heard(came.text)
        self.report.forbid(int(came.status >= 500 and came.status != 503), "answers of a fault")

    async def _frames(self, one: Person) -> None:
        """A socket of their own, at which the members' table is not theirs."""
        table = self.members.table
        told = [
            {"kind": kind, "table": table, "message": table, "line": "mal", "at": "0.5,0.5"}
            for kind in ("moves", "point", "plan", "comments", "comment", "say", "talk", "invite")
        ]
        told += [{"kind": "list", "table": table, "code": "on"}, {"kind": "away", "table": table}]
        told += [{"kind": "if", "table": table, "at": "1"}, {"kind": "junk", "code": "x" * 4000}]
        acts = ("/move M1", "/resign", "/undo", "/hint", "/film", "/record")
        told += [{"kind": "call", "line": line, "table": table} for line in acts]
        with suppress(aiohttp.ClientError, AssertionError, ConnectionError, TimeoutError):
            async with one.open() as page:
                for frame in self.chance.sample(told, 6):
                    await page.socket.send_str(json.dumps({"id": str(uuid.uuid4()), **frame}))
                async with asyncio.timeout(2):
                    while True:
                        message = await page.socket.receive()
                        if message.type is not aiohttp.WSMsgType.TEXT:
                            break
                        self.statuses[1] += 1
                        self.heard(message.data)


def difference(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Where what *name* is answered differs first."""
    old, new = before[name], after[name]
    at = max(
        0,
        next((n for n, two in enumerate(zip(old, new, strict=False)) if two[0] != two[1]), 0) - 40,
    )
    return f"CHANGED {name}: {old[at : at + 160]!r} is {new[at : at + 160]!r}"


async def _drive(origin: str, token: str, asked: argparse.Namespace) -> Report:
    report, people, seconds = Report(), asked.people, asked.seconds
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        at = Asked(origin, http)
        of = [Person(at, f"203.0.{n // 200}.{n % 200 + 1}") for n in range(people + 5)]
        members = Members(of[-1], of[-2], tells=asked.told)
        await members.meet(token)
        watching = Observers(of[-3], of[-4], members)
        await watching.passing.come("/door/guest?to=", "Mirón")
        crowd = Crowd(members, report, random.Random(asked.seed), until=time.monotonic() + seconds)
        acts = [(crowd.honest if n % 2 else crowd.hostile)(of[n]) for n in range(people)]
        strangers = [asyncio.create_task(one) for one in acts]
        await asyncio.sleep(min(8.0, seconds / 4))
        before, again = await watching.look(), await watching.look()
        noisy = {name for name in before if before[name] != again[name]}
        await members.live(of[-5])
        after = await watching.look()
        changed = {name for name in before if before[name] != after[name]}
        for told in (before, after):
            crowd.heard("".join(one for name, one in told.items() if name not in NAMING))
            report.forbid(len(watching.alike(told)), "closed codes answered unlike unknown ones")
        report.lines += [f"noise: {one}" for one in sorted(noisy)]
        report.lines += [difference(one, before, after) for one in sorted(changed - noisy)]
        report.forbid(len(changed - noisy), "answers that tell of something private")
        report.counts["things observed three times"] = len(before)
        found = await asyncio.gather(*strangers, return_exceptions=True)
        wrong = [repr(one) for one in found if isinstance(one, BaseException)]
        report.lines += wrong[:4]
        report.forbid(len(wrong), "strangers who broke off")
        report.forbid(int(not members.over), "games of members that were not played to their end")
        slowest = max((max(one) for one in report.times.values()), default=0.0)
        report.forbid(int(slowest > PATIENCE), "honest strangers who waited too long")
        report.counts["moves of the members"] = members.moves
        report.lines.append(f"hostile answers by status: {dict(sorted(crowd.statuses.items()))}")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--told", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="strangers-") as folder:
        running = Program(Path(folder))
        running.settings |= {"WEB_PUBLIC_URL": PUBLIC, "WEB_OPEN_HOUSE": "yes"}
        running.start()
        origin, token = f"http://127.0.0.1:{running.port}", running.address.removeprefix(PUBLIC)
        report = asyncio.run(_drive(origin, token, asked))
        report.forbid(abs(running.stop()), "programs that ended by a fault")
        report.forbid(running.log().count("Traceback"), "tracebacks")
        if "Traceback" in running.log():
            report.lines.append(running.log()[-2000:])
        return report.conclude()


if __name__ == "__main__":
    sys.exit(main())
