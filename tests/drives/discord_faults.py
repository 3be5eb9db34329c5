"""F3, F5 to F10 and F14 of the real process in an emulated Discord."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.drives.bench import Bench, bench
from tests.drives.discord_checks import concluded, legal
from tests.drives.findings import Dose, Findings, below


async def _living(at: Bench, message: Any, **where: Any) -> Any:
    """*message* while its game goes on, else that of a new game."""
    return message if message is not None and not at.over(message) else await at.open(**where)


async def repeated(folder: Path, dose: Dose) -> Findings:
    """F3: interactions delivered one to five times are done once and answered once."""
    async with bench(folder, dose.rng(5), human_delay=0.0) as at:
        count, times = dose.of(2000, 20), 0
        found, message = Findings(count, "presses"), None
        for _ in range(count):
            message = await _living(at, message)
            before, edits = at.log_length(message), message.edits
            code = at.rng.choice(at.moves(message))["custom_id"]
            handle = at.kept(await at.fake.click(at.mover(message), message, custom_id=code))
            again = at.rng.randrange(5)
            times += 1 + again
            # Some come again before the answer, some after it.
            early = at.rng.randrange(again + 1)
            for number in range(again):
                if number == early:
                    await handle.acked()
                await at.fake.redeliver(handle)
            await handle.acked()
            await at.until(lambda m=message, e=edits: m.edits > e, "the next board")
            done = at.log_length(message) - before
            found.lost += done < 1
            found.doubled += done > 1
        await asyncio.sleep(0.5)
        found.also["deliveries"] = times
        answers = [r for r in at.fake.records if r.path.endswith("/callback")]
        twice = len(answers) - len([h for h in at.handles if h.callbacks])
        if twice:
            found.wrong.append(f"{twice} answered a second time")
        return await concluded(at, found)


async def simultaneous(folder: Path, dose: Dose) -> Findings:
    """F5: of eight clicks at once exactly one is accepted."""
    async with bench(folder, dose.rng(5), human_delay=0.0) as at:
        rounds, message = dose.of(200, 5), None
        found = Findings(rounds, "rounds of 8")
        for _ in range(rounds):
            message = await _living(at, message)
            before, edits = at.log_length(message), message.edits
            buttons = [dict(at.rng.choice(at.moves(message))) for _ in range(8)]
            people = [at.mover(message)] * 6 + [at.fake.A, at.fake.B]
            pressed = zip(people, buttons, strict=True)
            await asyncio.gather(*(at.click(who, message, stale=b) for who, b in pressed))
            await at.until(lambda m=message, e=edits: m.edits > e, "the next board")
            found.stale += not await at.nothing_owed(5.0)
            done = at.log_length(message) - before
            found.lost += done < 1
            found.doubled += done > 1
        return await concluded(at, found)


async def stale(folder: Path, dose: Dose) -> Findings:
    """F6: old, foreign and forged buttons after a restart: all refused, all answered."""
    async with bench(folder, dose.rng(5), human_delay=0.0) as at:
        count, fake = dose.of(1000, 20), at.fake
        found, message = Findings(count, "presses"), await at.open()
        old: list[Any] = []
        for _ in range(4):
            old += map(dict, at.moves(message))
            await at.move(message)
        await at.killed()
        at.handles.clear()
        version, fresh = at.table(at.code(message)).version, [dict(b) for b in at.moves(message)]
        told = 0
        for number in range(count):
            who, button = at.rng.choice((fake.A, fake.B)), at.rng.choice(old)
            if number % 3 == 1:
                code = at.rng.choice(fresh)["custom_id"]
                button = {**button, "custom_id": code[:-1] + at.rng.choice("~é💥") + code[-1:]}
            elif number % 3 == 2:
                who, button = fake.C, at.rng.choice(fresh)
            handle = await at.click(who, message, stale=button)
            told += handle.type == 4 and handle.message.ephemeral
        found.also["told so in private"] = told
        applied = at.table(at.code(message)).version - version
        if applied:
            found.wrong.append(f"{applied} applied")
        if told < count:
            found.wrong.append("some were not refused in words")
        return await concluded(at, found)


async def slow(folder: Path, dose: Dose) -> Findings:
    """F7: pictures that take ten seconds: everybody is answered, no move is lost."""
    async with bench(folder, dose.rng(5)) as at:
        count, fake, messages = dose.of(50, 5), at.fake, []
        found = Findings(count, "moves", slowest=1.5)
        for number in range(count):
            people = fake.add_user(f"a{number:03}"), fake.add_user(f"b{number:03}")
            messages.append(await at.open(*people))
        await at.nothing_owed(30.0)
        at.handles.clear()
        at.switches.slow_pictures(10)
        for message in messages:
            before = at.log_length(message)
            code = at.rng.choice(at.moves(message))["custom_id"]
            await at.click(at.mover(message), message, custom_id=code)
            found.lost += at.log_length(message) != before + 1
        began = time.monotonic()
        found.stale += not await at.nothing_owed(60.0 + 10.0 * count)
        found.took("boards newest after", time.monotonic() - began)
        found.stale += sum(not at.current(m, at.table(at.code(m)).turns) for m in messages)
        return await concluded(at, found)


class _Refusing:
    """Matches every second request that writes to one of *channels*."""

    def __init__(self, fake: Any, channels: set[str]) -> None:
        self.fake, self.channels, self.count = fake, channels, 0

    def search(self, line: str) -> bool:
        method, path = line.split(" ", 1)
        parts = path.strip("/").split("/")
        writing = ("interactions", "webhooks", "channels")
        if method not in ("POST", "PATCH") or parts[0] not in writing:
            return False
        place = parts[1]
        if parts[0] != "channels":
            handle = self.fake.interactions.get(parts[2])
            place = handle.channel["id"] if handle is not None else ""
        if place not in self.channels:
            return False
        self.count += 1
        return self.count % 2 == 0


async def refused(folder: Path, dose: Dose) -> Findings:
    """F8: half of all writes to one channel refused: none lost, none early, others as before."""
    async with bench(folder, dose.rng(5)) as at:
        fake, moves = at.fake, dose.of(100, 8)
        found = Findings(moves, "moves there, twice as many elsewhere")
        loud = {"channel": fake.guild["channels"][1]}

        async def play(where: dict[str, Any], count: int = moves) -> list[float]:
            taken: list[float] = []
            message = None
            while len(taken) < count:
                message = await _living(at, message, **where)
                taken.append(await at.move(message))
            return taken

        # The first pictures of a process take longer.
        await play({}, 4)
        before = await play({})
        coin = _Refusing(fake, {loud["channel"]["id"]})
        fault = {
            "rx": coin, "status": 429, "times": 10**9, "retry_after": 0.5, "code": 0,
            "message": "", "drop": False, "delay": 0, "after": False,
        }  # fmt: skip
        fake.faults.append(fault)
        _, meanwhile = await asyncio.gather(play(loud), play({}))
        fake.faults.clear()
        found.stale += not await at.nothing_owed(30.0)
        found.also["writes refused"] = coin.count // 2
        if early := _early(fake):
            found.wrong.append(f"{early} repeated early")
        found.took("others before, p99", below(before, 0.99))
        found.took("others meanwhile, p99", below(meanwhile, 0.99))
        if below(meanwhile, 0.99) > 2 * below(before, 0.99) + 0.1:
            found.wrong.append("others had to wait")
        return await concluded(at, found)


def _early(fake: Any) -> int:
    """The refused requests that were repeated before their time."""
    early, until = 0, {}
    for one in fake.records:
        early += one.t < until.get((one.method, one.path), 0.0)
        if one.fault == 429:
            until[one.method, one.path] = one.t + 0.49
    return early


async def gone(folder: Path, dose: Dose) -> Findings:
    """F9: boards deleted, and servers that show us the door: one repost, no knocking."""
    async with bench(folder, dose.rng(5)) as at:
        fake, count = at.fake, dose.of(100, 4)
        found = Findings(count, "deleted and as many shut")
        for number in range(count):
            people = fake.add_user(f"a{number:03}"), fake.add_user(f"b{number:03}")
            message = await at.open(*people)
            code, who, move = at.code(message), at.mover(message), legal(at, message)
            await fake.delete_message(message)
            await at.kept(await fake.slash(who, "move", {"move": move})).reply()
            found.stale += not await at.nothing_owed(10.0)
            boards = [
                m
                for m in fake.messages.values()
                if m.images and any(f".{code}." in x["custom_id"] for x in m.buttons)
            ]
            found.lost += not boards
            found.duplicates += max(0, len(boards) - 1)
        left: list[tuple[str, int]] = []
        for _ in range(count):
            home = fake.add_guild("Home")
            await fake.emit("GUILD_CREATE", fake._guild_payload(home), home["id"])
            message = await at.open(guild=home)
            await fake.leave_guild(home)
            left.append((message.data["channel_id"], len(fake.records)))
            # The next move comes from a private chat.
            before, who = at.log_length(message), at.mover(message)
            values = {"move": legal(at, message), "table": at.code(message)}
            await at.kept(await fake.slash(who, "move", values, dm=True)).reply()
            found.lost += at.log_length(message) != before + 1
        await asyncio.sleep(2.0)
        knocks = sum(_knocks(fake, channel, since) for channel, since in left)
        found.also["writes to places that are shut"] = knocks
        if knocks:
            found.wrong.append("knocks")
        return await concluded(at, found)


def _knocks(fake: Any, channel: str, since: int) -> int:
    """How often a channel was written to after the record of that number."""
    tokens = {t for t, h in fake.interactions.items() if h.channel["id"] == channel}
    return sum(
        f"/channels/{channel}" in r.path or bool(tokens & set(r.path.split("/")))
        for r in fake.records[since:]
    )


async def _sent(at: Bench, type_: int, data: dict[str, Any], kind: str, message: Any) -> Any:
    fake = at.fake
    place = (fake.guild, fake.channel, 0)
    return await fake._interact(fake.A, type_, data, *place, kind, None, message)


def _poisoned(at: Bench, message: Any, rng: random.Random) -> list[Callable[[], Awaitable[Any]]]:
    """Interactions that no client of ours sends: forged, of another release, or of a new kind."""
    known = at.fake.command("play")
    moving = at.fake.command("move")
    rubbish = "".join(rng.choice("\x00\u202e💥.,@`a1ñ<>") for _ in range(rng.choice((1, 90, 3000))))

    def press(custom_id: Any, **more: Any) -> Callable[[], Awaitable[Any]]:
        data = {"custom_id": custom_id, "component_type": 2, "id": 1, **more}
        return lambda: _sent(at, 3, data, "button", message)

    def command(of: dict[str, Any], options: Any, **more: Any) -> Callable[[], Awaitable[Any]]:
        data = {"id": of["id"], "name": of["name"], "type": 1, "options": options, **more}
        return lambda: _sent(at, 2, data, "slash", None)

    def said(name: str, value: Any, type_: int = 3) -> dict[str, Any]:
        return {"name": name, "type": type_, "value": value}

    return [
        press(rubbish[:100]),
        press("m.AAAAAA.0..aaaaaa"),
        press("challenge.nothing.x"),
        press("x", component_type=99),
        press("x", component_type=3, values=["m", rubbish]),
        press("x", component_type=3, values=[]),
        command(known, [said("game", rubbish)]),
        command(known, [said("game", "niya"), said("options", rubbish)]),
        command(known, [said("game", 7, 4)]),
        command(known, []),
        command(moving, [said("move", rubbish), said("table", rubbish)]),
        command({"id": "1", "name": "gone"}, []),
        command({"id": "1", "name": "Gone"}, [], type=2, target_id=at.fake.B["id"]),
        lambda: _sent(at, 5, {"custom_id": rubbish[:100], "components": []}, "modal", None),
    ]


async def poison(folder: Path, dose: Dose) -> Findings:
    """F10: interactions that nobody can read are refused or ignored, the others are done."""
    async with bench(folder, dose.rng(5), human_delay=0.0) as at:
        rng, count = dose.rng(12), dose.of(1000, 40)
        message, done = None, 0
        bad = set(rng.sample(range(count), max(14, count // 20)))
        found = Findings(count, "interactions")
        strange: list[Any] = []
        for number in range(count):
            message = await _living(at, message)
            if number in bad:
                kinds = _poisoned(at, message, rng)
                strange.append(await kinds[len(strange) % len(kinds)]())
                continue
            before = at.log_length(message)
            await at.move(message)
            done += at.log_length(message) == before + 1
        await asyncio.sleep(1.0)
        found.lost += count - len(bad) - done
        ignored = [handle for handle in strange if handle.latency is None]
        found.also["done"], found.also["refused"] = done, len(strange) - len(ignored)
        # We open no forms, so one that is sent to us is nobody's.
        found.also["ignored"] = len(ignored)
        found.unanswered += sum(handle.kind != "modal" for handle in ignored)
        found.also["tracebacks"] = at.bot.output.count("Traceback")
        return await concluded(at, found, traced=True)


async def stopped(folder: Path, dose: Dose) -> Findings:
    """F14: SIGTERM under load: out in time; a press is done and answered, or fails visibly."""
    async with bench(folder, dose.rng(5), human_delay=0.0) as at:
        times, message = dose.of(50, 3), None
        found = Findings(times, "times")
        for _ in range(times):
            message = await _living(at, message)
            before = at.log_length(message)
            code = at.rng.choice(at.moves(message))["custom_id"]
            handle = await at.fake.click(at.mover(message), message, custom_id=code)
            await asyncio.sleep(at.rng.random() * 0.05)
            status, seconds = await at.bot.stop(timeout=30)
            if status != 0:
                found.wrong.append(f"ended with {status}")
            found.took("out", seconds)
            await at.bot.start()
            await at.ready()
            found.stale += not await at.nothing_owed(5.0)
            done = at.log_length(message) - before
            found.lost += done < 1 and handle.latency is not None
            found.doubled += done > 1
            found.also["failed visibly"] += not done
            if handle.latency is not None:
                at.kept(handle)
            elif done:
                found.also["done, answered by the board alone"] += 1
        return await concluded(at, found)
