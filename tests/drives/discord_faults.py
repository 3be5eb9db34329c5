"""What must survive on Discord: F1 and F3 to F9 of the quality plan, on the real process."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.drives.bench import Bench, bench, share, told
from tests.drives.discord_games import judged


async def f1_killed(folder: Path, full: bool) -> tuple[bool, str]:
    """SIGKILL while a move is under way: the successor shows the newest board."""
    kills, slowest, lost, owed = 200 if full else 6, 0.0, 0, 0
    async with bench(folder) as at:
        pushes = len(at.fake.command_pushes)
        message = await at.open()
        for number in range(kills):
            if at.over(message):
                message = await at.open()
            before = at.log_length(message)
            code = at.rng.choice(at.moves(message))["custom_id"]
            await at.fake.click(at.mover(message), message, custom_id=code)
            # From the moment of receipt until long after the answer.
            await asyncio.sleep(at.rng.choice((0.0, 0.003, 0.006, 0.01, 0.015, 0.02, 0.04)))
            began = time.monotonic()
            await at.killed()
            owed += not await at.nothing_owed(5.0)
            slowest = max(slowest, time.monotonic() - began)
            after = at.log_length(message)
            lost += not before <= after <= before + 1
            # The board takes the next press, whatever it shows.
            if not at.over(message):
                await at.move(message)
            del number
        boards = [m for m in at.fake.messages.values() if m.images]
        tables = at.rows("select count(*) from game")[0][0]
        again = len(at.fake.command_pushes) - pushes
        said = (
            f"{kills} kills, {owed} boards not newest after 5 s, {lost} half or double moves, "
            f"{len(boards) - tables} duplicate boards, slowest successor {slowest:.1f} s, "
            f"commands sent again {again} times"
        )
        return judged(at, said, good=not (owed or lost or again or len(boards) > tables))


async def f3_repeated(folder: Path, full: bool) -> tuple[bool, str]:
    """Interactions delivered one to five times move once."""
    presses, double = 2000 if full else 40, 0
    async with bench(folder, human_delay=0.0) as at:
        message = await at.open()
        delivered = 0
        for _ in range(presses):
            if at.over(message):
                message = await at.open()
            before, edits = at.log_length(message), message.edits
            code = at.rng.choice(at.moves(message))["custom_id"]
            handle = at.kept(await at.fake.click(at.mover(message), message, custom_id=code))
            times = at.rng.randrange(5)
            delivered += 1 + times
            for _ in range(times):
                await at.fake.redeliver(handle)
            await handle.acked()
            await at.until(lambda m=message, e=edits: m.edits > e, "the next board")
            double += at.log_length(message) != before + 1
        said = f"{presses} presses delivered {delivered} times, {double} double moves"
        return judged(at, said, good=not double)


async def f4_sent(folder: Path, full: bool) -> tuple[bool, str]:
    """SIGKILL after a board was posted and before that is noted: it is not posted again."""
    kills = 200 if full else 5
    async with bench(folder) as at:
        for number in range(kills):
            seen = len(at.fake.records)
            where = {"channel": at.fake.channel}
            values = {"game": "niya", "level": "1"}
            if number % 2:
                await at.fake.slash(at.fake.A, "play", values, **where)
            else:
                menu = await at.fake.context_menu(at.fake.A, "Challenge", at.fake.bot)
                question = await menu.reply()
                await at.fake.click(at.fake.A, question, label="Niya")

            def arrived(seen: int = seen) -> bool:
                return any(
                    r.files and r.status == 200 and r.method in ("POST", "PATCH")
                    for r in at.fake.records[seen:]
                )

            await at.until(arrived, "a board")
            await at.killed()
            await at.nothing_owed(5.0)
        boards = [m for m in at.fake.messages.values() if m.images]
        tables = at.rows("select count(*) from game")[0][0]
        said = f"{kills} kills, {len(boards)} boards of {tables} tables"
        return judged(at, said, good=len(boards) == tables)


async def f5_at_once(folder: Path, full: bool) -> tuple[bool, str]:
    """Eight presses at the same moment: exactly one is accepted."""
    rounds, wrong = 200 if full else 8, 0
    async with bench(folder) as at:
        message = await at.open()
        for _ in range(rounds):
            if at.over(message):
                message = await at.open()
            before, edits = at.log_length(message), message.edits
            buttons = [dict(at.rng.choice(at.moves(message))) for _ in range(8)]
            people = [at.mover(message)] * 6 + [at.fake.A, at.fake.B]
            await asyncio.gather(
                *(at.click(w, message, stale=b) for w, b in zip(people, buttons, strict=True))
            )
            await at.until(lambda m=message, e=edits: m.edits > e, "the next board")
            await at.nothing_owed(5.0)
            wrong += at.log_length(message) != before + 1
        return judged(at, f"{rounds} rounds of 8, {wrong} wrong", good=not wrong)


async def f6_stale(folder: Path, full: bool) -> tuple[bool, str]:
    """Buttons of earlier boards, pressed after a restart."""
    clicks = 1000 if full else 30
    async with bench(folder) as at:
        message = await at.open()
        old: list[Any] = []
        for _ in range(4):
            old += map(dict, at.moves(message))
            await at.move(message)
        await at.killed()
        before = at.log_length(message)
        for _ in range(clicks):
            who = at.rng.choice((at.fake.A, at.fake.B))
            await at.click(who, message, stale=at.rng.choice(old))
        applied = at.log_length(message) - before
        return judged(at, f"{clicks} stale presses, {applied} applied", good=not applied)


async def f7_slow(folder: Path, full: bool) -> tuple[bool, str]:
    """Pictures that take ten seconds: everybody is answered, no move is lost."""
    presses, lost = 100 if full else 6, 0
    env = {"SLOW_PICTURES": "10"}
    async with bench(folder, env) as at:
        fake = at.fake
        codes: list[Any] = []
        for number in range(presses):
            a, b = fake.add_user(f"a{number:03}"), fake.add_user(f"b{number:03}")
            handle = at.kept(await fake.slash(a, "play", {"game": "niya", "opponent": b}))
            message = await handle.reply()
            await at.click(b, message, label="Accept")
            codes.append(message)
        await at.nothing_owed(30.0 + 12.0 * presses)
        for message in codes:
            before = at.log_length(message)
            code = at.rng.choice(at.moves(message))["custom_id"]
            await at.click(at.mover(message), message, custom_id=code)
            lost += at.log_length(message) != before + 1
        first = at.latencies()
        said = f"{presses} moves, {lost} lost, p99 {share(first, 0.99) * 1000:.0f} ms"
        return judged(at, said, good=not lost)


class _Refusing:
    """Matches every second request that writes to one of *channels*."""

    def __init__(self, fake: Any, channels: set[str]) -> None:
        self.fake, self.channels, self.count = fake, channels, 0

    def search(self, line: str) -> bool:
        method, path = line.split(" ", 1)
        parts = path.strip("/").split("/")
        if method not in ("POST", "PATCH") or parts[0] not in ("webhooks", "channels"):
            return False
        place = parts[1]
        if parts[0] == "webhooks":
            handle = self.fake.interactions.get(parts[2])
            place = handle.channel["id"] if handle is not None else ""
        if place not in self.channels:
            return False
        self.count += 1
        return self.count % 2 == 0


async def f8_refused(folder: Path, full: bool) -> tuple[bool, str]:
    """Half of all writes to one channel are answered with 429: others notice nothing."""
    moves = 100 if full else 12
    async with bench(folder) as at:
        fake = at.fake
        loud = {"channel": fake.guild["channels"][1]}

        async def play(where: dict[str, Any]) -> list[float]:
            found: list[float] = []
            while len(found) < moves:
                message = await at.open(**where)
                while not at.over(message) and len(found) < moves:
                    found.append(await at.move(message))
            return found

        before = await play({})
        fault = {
            "rx": _Refusing(fake, {loud["channel"]["id"]}), "status": 429,
            "times": 10**9, "retry_after": 0.5, "code": 0, "message": "", "drop": False,
            "delay": 0, "after": False,
        }  # fmt: skip
        fake.faults.append(fault)
        refused, during = await asyncio.gather(play(loud), play({}))
        fake.faults.clear()
        lost = not await at.nothing_owed(10.0)
        early = _early(fake)
        said = (
            f"{fault['rx'].count // 2} refused, {early} repeated early, "
            f"others before {told(before)}, meanwhile {told(during)}, there {told(refused)}"
        )
        calm_still = share(sorted(during), 0.99) < 2 * share(sorted(before), 0.99) + 0.1
        return judged(at, said, good=calm_still and not lost and not early)


def _early(fake: Any) -> int:
    """The refused requests that were repeated before their time."""
    found = 0
    for number, refused in enumerate(fake.records):
        if refused.fault != 429:
            continue
        later = fake.records[number + 1 :]
        again = next(
            (r for r in later if (r.method, r.path) == (refused.method, refused.path)), None
        )
        found += again is not None and again.t - refused.t < 0.49
    return found


async def f9_gone(folder: Path, full: bool) -> tuple[bool, str]:
    """Boards deleted, and servers that show us the door."""
    count = 100 if full else 4
    async with bench(folder) as at:
        fake = at.fake
        wrong = 0
        for number in range(count):
            a, b = fake.add_user(f"a{number:03}"), fake.add_user(f"b{number:03}")
            message = await at.open(a, b)
            code = message.buttons[0]["custom_id"].split(".")[1]
            mover = at.mover(message)
            await fake.delete_message(message)
            await at.kept(await fake.slash(mover, "move", {"move": _legal(at, message)})).reply()
            await at.nothing_owed(10.0)
            boards = [
                m
                for m in fake.messages.values()
                if m.images and any(f".{code}." in x["custom_id"] for x in m.buttons)
            ]
            wrong += len(boards) != 1
        retries = 0
        for _ in range(count):
            home = fake.add_guild("Home")
            await fake.emit("GUILD_CREATE", fake._guild_payload(home), home["id"])
            message = await at.open(guild=home)
            await fake.leave_guild(home)
            channel = message.data["channel_id"]
            seen = len(fake.records)
            # The computer of nobody: the next move comes from a private chat.
            mover = at.mover(message)
            values = {"move": _legal(at, message), "table": _code(message)}
            await at.kept(await fake.slash(mover, "move", values, dm=True)).reply()
            await asyncio.sleep(1.5)
            tokens = {t for t, h in fake.interactions.items() if h.channel["id"] == channel}
            tried = [
                r
                for r in fake.records[seen:]
                if f"/channels/{channel}" in r.path or tokens & set(r.path.split("/"))
            ]
            retries += len(tried)
        said = f"{count} deleted, {wrong} not posted once; {count} left, {retries} retries"
        return judged(at, said, good=not wrong and not retries)


def _code(message: Any) -> str:
    return message.buttons[0]["custom_id"].split(".")[1]


def _legal(at: Bench, message: Any) -> str:
    """A legal move as it is typed: what stands behind the dot of a button."""
    return random.Random(1).choice(at.moves(message))["label"].rpartition("· ")[2]


async def reconnected(folder: Path, full: bool) -> tuple[bool, str]:
    """The gateway cut, asked to go elsewhere and forgotten: the game goes on."""
    async with bench(folder) as at:
        fake, cuts = at.fake, 0
        message = await at.open()
        for _ in range(10 if full else 1):
            for cut in (fake.drop_gateway, fake.request_reconnect, fake.invalidate_session):
                if at.over(message):
                    message = await at.open()
                before = len(fake.gateway_log)
                await cut()

                def back(before: int = before) -> bool:
                    return any(
                        e in ("RESUMED", "IDENTIFY") for _, e, _ in fake.gateway_log[before:]
                    )

                await at.until(back, "a new connection", 30.0)
                await asyncio.sleep(0.3)
                await at.move(message)
                cuts += 1
        return judged(at, f"{cuts} cuts")


async def expired(folder: Path, full: bool) -> tuple[bool, str]:
    """Tokens that run out: a member edits as a member, a visitor waits for the next press."""
    async with bench(folder, token_ttl=2.0) as at:
        fake = at.fake
        message = await at.open()
        away = fake.add_guild("Elsewhere", foreign=True)
        visited = await at.open(guild=away, user_install=True)
        await asyncio.sleep(2.5)
        wrong = 0
        for shown, where in ((message, {}), (visited, {"dm": True})):
            edits = shown.edits
            values = {"move": _legal(at, shown), "table": _code(shown)}
            handle = at.kept(await fake.slash(at.mover(shown), "move", values, **where))
            wrong += "Done" not in (await handle.reply()).text
            if shown is message:
                await at.until(lambda m=shown, e=edits: m.edits > e, "an edit as a member")
        # The old board of the visitor answers, and shows the present one again.
        await at.click(at.mover(visited), visited, custom_id=at.moves(visited)[0]["custom_id"])
        await at.until(lambda: "took" in visited.text or "takes" in visited.text, "the board")
        return judged(at, f"{wrong} moves refused", good=not wrong)


async def speed(folder: Path, full: bool) -> tuple[bool, str]:
    """From the press to the new picture, against a bot that knows no game."""
    presses = 400 if full else 60
    async with bench(folder / "ours", human_delay=0.0) as at:
        ours: list[float] = []
        while len(ours) < presses:
            message = await at.open()
            while not at.over(message) and len(ours) < presses:
                ours.append(await at.move(message))
        picture = message.images[0].path
    bare: list[float] = []
    command = ("-m", "tests.drives.bare", str(picture))
    async with bench(folder / "bare", command=command, human_delay=0.0) as at:
        message = await (await at.fake.slash(at.fake.A, "play")).reply()
        for number in range(presses):
            edits, began = message.edits, time.monotonic()
            await at.click(at.fake.A, message, custom_id=f"b{number % 5}")
            await at.until(lambda e=edits: message.edits > e, "the picture")
            bare.append(time.monotonic() - began)
    ratio = statistics.median(ours) / statistics.median(bare)
    return ratio <= 2, f"ours {told(ours)}; bare {told(bare)}; ratio {ratio:.2f}"


async def unreachable(folder: Path, full: bool) -> tuple[bool, str]:
    """No Discord, and a token that it refuses."""
    import sys

    from fake_discord import FakeDiscord
    from harness_common import BotProcess

    from tests.drives.bench import ROOT

    command = [sys.executable, "-m", "tests.drives.entry"]
    env = {"DATABASE_URL": f"sqlite+aiosqlite:///{folder}/games.db", "WEB_PORT": "0"}
    async with FakeDiscord(folder / "out") as fake:
        wrong = BotProcess(
            command, fake, env={**env, "DISCORD_TOKEN": "CANARY.wrong.token"}, cwd=ROOT,
            log=folder / "wrong.log",
        )  # fmt: skip
        await wrong.start()
        status = await asyncio.wait_for(wrong.proc.wait(), 20)
        leaked = "CANARY" in wrong.output
        sentence = wrong.output.strip().splitlines()[-1]
    away = SimpleNamespace(bot_env=lambda: {"FAKE_DISCORD_URL": "http://127.0.0.1:9"})
    lonely = BotProcess(
        command, away, env={**env, "DISCORD_TOKEN": "x.y.z"}, cwd=ROOT, log=folder / "away.log"
    )
    await lonely.start()
    await asyncio.sleep(8)
    alive = lonely.alive
    lines = [line for line in lonely.output.splitlines() if "Discord" in line]
    code, seconds = await lonely.stop()
    good = status == 2 and not leaked and alive and len(lines) == 1 and code == 0
    return good, (
        f"refused with status {status} («{sentence}»), token in the log: {leaked}; "
        f"unreachable: alive {alive}, {len(lines)} line, ends with {code} in {seconds:.1f} s"
    )


DRIVES = {
    "f1": f1_killed,
    "f3": f3_repeated,
    "f4": f4_sent,
    "f5": f5_at_once,
    "f6": f6_stale,
    "f7": f7_slow,
    "f8": f8_refused,
    "f9": f9_gone,
    "reconnected": reconnected,
    "expired": expired,
    "unreachable": unreachable,
    "speed": speed,
}
