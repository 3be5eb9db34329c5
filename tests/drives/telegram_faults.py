"""F3, F5 to F10 and F14 of the real process in an emulated Telegram."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import text

from tests.drives.findings import Dose, Findings, below
from tests.drives.stage import Stage, staged
from tests.drives.telegram_checks import concluded, groups, nothing_pending


@dataclass
class Tables:
    """As many games at once as are wanted, each in a group of its own, so that none waits."""

    stage: Stage
    count: int
    codes: list[str] = field(default_factory=list)
    _turn: int = 0

    async def next(self) -> str:
        """The table whose turn it is to be pressed at; a new one where its game is over."""
        if len(self.codes) < self.count:
            self.codes.append(await self._opened())
            return self.codes[-1]
        self._turn = (self._turn + 1) % self.count
        if await self.stage.over(self.codes[self._turn]):
            self.codes[self._turn] = await self._opened()
        return self.codes[self._turn]

    async def _opened(self) -> str:
        fake = self.stage.fake
        (place,) = groups(self.stage, 1)
        return await self.stage.opened(place, first=fake.A, second=fake.B)


async def _press(stage: Stage, code: str, rng: random.Random) -> Any:
    """Any move at a table by a button, not waited for."""
    who, message = await stage.mover(code), await stage.shown(code)
    return await stage.press(who, message, code=rng.choice(await stage.codes(code)))


async def _answered(stage: Stage, handle: Any) -> Any:
    await handle.answered()
    stage.latencies.append(handle.latency)
    return handle


async def repeated(folder: Path, dose: Dose) -> Findings:
    """F3: updates delivered one to five times are done once and answered once."""
    async with staged(folder) as stage:
        fake, rng = stage.fake, dose.rng(6)
        count, times = dose.of(2000, 20), 0
        found = Findings(count, "updates", latencies=stage.latencies)
        tables, handles = Tables(stage, 8), []
        for _ in range(count):
            code = await tables.next()
            before = len((await stage.table(code)).log)
            handle = await _press(stage, code, rng)
            handles.append(handle)
            again = rng.randrange(5)
            times += 1 + again
            # Some come again before the answer, some after it.
            early = rng.randrange(again + 1)
            for number in range(again):
                if number == early:
                    await handle.answered()
                fake.redeliver(handle)
                await asyncio.sleep(0.005)
            await _answered(stage, handle)
            done = len((await stage.table(code)).log) - before
            found.lost += done < 1
            found.doubled += done > 1
        await stage.until(lambda: nothing_pending(stage), 60)
        await stage.current(90.0)
        answers = Counter(r.params["callback_query_id"] for r in fake.calls("answerCallbackQuery"))
        twice = sum(answers[handle.id] > 1 for handle in handles)
        found.also["deliveries"] = times
        if twice:
            found.wrong.append(f"{twice} answered a second time")
        await concluded(stage, found)
        return found


async def simultaneous(folder: Path, dose: Dose) -> Findings:
    """F5: of eight clicks at once exactly one is accepted."""
    async with staged(folder) as stage:
        rounds, rng = dose.of(200, 5), dose.rng(7)
        found = Findings(rounds, "rounds of 8", latencies=stage.latencies)
        tables = Tables(stage, 4)
        for _ in range(rounds):
            code = await tables.next()
            before = len((await stage.table(code)).log)
            people = [await stage.mover(code)] * 6 + [stage.fake.A, stage.fake.B]
            message, moves = await stage.shown(code), await stage.codes(code)
            pressed = [await stage.press(who, message, code=rng.choice(moves)) for who in people]
            for handle in pressed:
                await _answered(stage, handle)
            done = len((await stage.table(code)).log) - before
            # A machine under load answers blank where the decision takes too long.
            blank = sum(not handle.answer["text"] for handle in pressed)
            accepted = sum(not handle.answer["alert"] for handle in pressed) - blank
            found.lost += done < 1
            found.doubled += done > 1
            if accepted > 1 or (accepted < 1 and not blank):
                found.wrong.append(f"{accepted} of 8 were told that theirs was accepted")
        await stage.current(90.0)
        await concluded(stage, found)
        return found


async def stale(folder: Path, dose: Dose) -> Findings:
    """F6: old, foreign and forged buttons after a restart: all refused, all answered."""
    async with staged(folder) as stage:
        fake, rng = stage.fake, dose.rng(8)
        count = dose.of(1000, 20)
        found = Findings(count, "presses", latencies=stage.latencies)
        code = await stage.opened(fake.group, first=fake.A, second=fake.B)
        old: list[str] = []
        for _ in range(6):
            codes = await stage.codes(code)
            old += codes
            await stage.pressed(await stage.mover(code), await stage.shown(code), code=codes[0])
        await stage.bot.stop(signal.SIGTERM)
        await stage.begin()
        version, fresh = (await stage.table(code)).version, await stage.codes(code)
        stage.latencies.clear()
        for number in range(count):
            message, who = await stage.message(code), rng.choice((fake.A, fake.B, fake.C))
            if number % 3 == 1:
                # Telegram's clients may send any bytes.
                button = forged(rng.choice(fresh), rng)
            elif number % 3 == 2:
                who, button = fake.C, rng.choice(fresh)
            else:
                button = rng.choice(old)
            handle = await stage.pressed(who, message, code=button)
            if not handle.answer["alert"]:
                found.wrong.append(f"{button} was not refused: {handle.answer}")
        applied = (await stage.table(code)).version - version
        if applied:
            found.wrong.append(f"{applied} applied")
        await stage.current(90.0)
        await concluded(stage, found)
        return found


def forged(code: str, rng: random.Random) -> str:
    """*code* with a byte changed, cut, doubled or put in."""
    at = rng.randrange(len(code))
    letter = rng.choice("abcXYZ019.,~ñ💥")
    return (
        rng.choice((code[:at] + letter + code[at + 1 :], code[:at] or ".", code[at:] + code[:at]))
        .encode()[:64]
        .decode("utf-8", "ignore")
        .replace(code, "x")
    )


async def slow(folder: Path, dose: Dose) -> Findings:
    """F7: pictures that take ten seconds, and queries too old after fifteen; the moves stand."""
    async with staged(folder, callback_ttl=15) as stage:
        count, rng = dose.of(50, 5), dose.rng(9)
        found = Findings(count, "moves", latencies=stage.latencies, slowest=1.5)
        tables = Tables(stage, count)
        codes = [await tables.next() for _ in range(count)]
        await stage.current(60.0)
        stage.latencies.clear()
        stage.switches.slow_pictures(10)
        for code in codes:
            before = len((await stage.table(code)).log)
            await _answered(stage, await _press(stage, code, rng))
            found.lost += len((await stage.table(code)).log) != before + 1
        found.took("boards newest after", await stage.current(60.0 + 10.0 * count))
        await concluded(stage, found)
        return found


class Coin:
    """A pattern that finds every other write to one of *places*."""

    def __init__(self, stage: Stage, places: set[str], rng: random.Random) -> None:
        self._fake, self._places, self._rng = stage.fake, places, rng

    def search(self, method: str) -> bool:
        # The emulator has noted the request that it asks about.
        place = str(self._fake.records[-1].params.get("chat_id"))
        writes = method.casefold().startswith(("send", "edit"))
        return writes and place in self._places and self._rng.random() < 0.5


async def _to_the_board(stage: Stage, code: str, rng: random.Random) -> float:
    """Seconds from a press at a table to its new board."""
    message, began = await stage.shown(code), time.monotonic()
    edits = message.edits
    await _answered(stage, await _press(stage, code, rng))
    await stage.fake.w.until(lambda: message.edits > edits, 60.0, "the next board")
    return time.monotonic() - began


async def refused(folder: Path, dose: Dose) -> Findings:
    """F8: half of all writes to some groups refused: none lost, none early, others as before."""
    async with staged(folder) as stage:
        fake, rng = stage.fake, dose.rng(10)
        moves = dose.of(100, 8)
        found = Findings(moves, "moves there, twice as many elsewhere", latencies=stage.latencies)
        loud = groups(stage, 6)
        codes = [await stage.opened(place, first=fake.A, second=fake.B) for place in loud]
        quiet = Tables(stage, 16)

        async def elsewhere(count: int = moves) -> list[float]:
            taken = []
            for _ in range(count):
                taken.append(await _to_the_board(stage, await quiet.next(), rng))
                # So that a group is never pressed at faster than its pace.
                await asyncio.sleep(0.25)
            return taken

        # The first pictures of a process take longer.
        await elsewhere(4)
        before = await elsewhere()
        await stage.current(90.0)
        coin = Coin(stage, {str(place["id"]) for place in loud}, rng)
        fake.fail("x", status=429, retry_after=1, times=10**6)
        fake.faults[-1]["rx"] = coin

        async def there() -> None:
            for number in range(moves):
                slot = number % len(codes)
                if await stage.over(codes[slot]):
                    place = loud[slot]
                    codes[slot] = await stage.opened(place, first=fake.A, second=fake.B)
                handle = await _press(stage, codes[slot], rng)
                await _answered(stage, handle)
                await asyncio.sleep(0.1)

        _, meanwhile = await asyncio.gather(there(), elsewhere())
        await stage.current(180.0)
        found.also["writes refused"] = sum(one.fault == 429 for one in fake.records)
        if early := _early(fake):
            found.wrong.append(f"{early} repeated early")
        found.took("others before, p99", below(before, 0.99))
        found.took("others meanwhile, p99", below(meanwhile, 0.99))
        if below(meanwhile, 0.99) > 2 * below(before, 0.99) + 0.1:
            found.wrong.append("others had to wait")
        await concluded(stage, found)
        return found


def _early(fake: Any) -> int:
    """The writes to a place that came before the time it had asked for."""
    early, until = 0, {}
    for one in fake.records:
        place = str(one.params.get("chat_id"))
        if not one.method.casefold().startswith(("send", "edit")):
            continue
        early += one.t < until.get(place, 0.0)
        if one.fault == 429:
            until[place] = one.t + 1
    return early


async def gone(folder: Path, dose: Dose) -> Findings:
    """F9: boards deleted, the bot thrown out or blocked: one repost, no knocking."""
    async with staged(folder) as stage:
        fake, rng = stage.fake, dose.rng(11)
        count = dose.of(100, 4)
        found = Findings(count, "deleted and as many shut", latencies=stage.latencies)
        for place in groups(stage, count):
            code = await stage.opened(place, first=fake.A, second=fake.B)
            message = await stage.shown(code)
            handle = await _press(stage, code, rng)
            await fake.delete_message(message)
            await _answered(stage, handle)
            await stage.current()
            boards = [m for m in fake.messages.values() if m.chat_id == place["id"] and m.buttons]
            found.lost += not boards
            found.duplicates += max(0, len(boards) - 1)
        knocks = 0
        for number, place in enumerate(groups(stage, count)):
            code = await stage.opened(place, first=fake.A, second=fake.B)
            await stage.shown(code)
            await stage.current()
            if number % 2:
                guest = fake.add_user(f"Guest {number}")
                await fake.start_bot(guest, code)
                await stage.until(lambda m=guest: _board_in(stage, m["id"]))
                await stage.current()
                await fake.block(guest)
                shut = guest["id"]
            else:
                await fake.kick_bot(place, fake.A)
                shut = place["id"]
            await asyncio.sleep(0.1)
            asked, before = len(fake.records), len((await stage.table(code)).log)
            await _moved_from_elsewhere(stage, code)
            found.lost += len((await stage.table(code)).log) != before + 1
            await asyncio.sleep(0.2)
            tried = [r for r in fake.records[asked:] if r.params.get("chat_id") == str(shut)]
            knocks += len(tried)
        found.also["writes to places that are shut"] = knocks
        if knocks:
            found.wrong.append("knocks")
        await concluded(stage, found)
        return found


async def _board_in(stage: Stage, chat: int) -> bool:
    return any(place == chat and m.buttons for (place, _), m in stage.fake.messages.items())


async def _moved_from_elsewhere(stage: Stage, code: str) -> None:
    """A move typed in the mover's private chat."""
    table, who = await stage.table(code), await stage.mover(code)
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    await stage.fake.say(who, f"/move {move} table={code}")

    async def done() -> bool:
        return len((await stage.table(code)).log) > len(table.log)

    await stage.until(done)


POISON: tuple[tuple[str, dict], ...] = (
    ("message", {"bogus": 1}),
    ("callback_query", {"id": "5"}),
    ("my_chat_member", {"chat": "nowhere"}),
    ("message", {"message_id": "x", "date": "never", "chat": {}}),
)
"""Updates that nobody can read."""


async def poison(folder: Path, dose: Dose) -> Findings:
    """F10: updates that cannot be read are set aside, the others are done."""
    async with staged(folder) as stage:
        fake, rng = stage.fake, dose.rng(12)
        count = dose.of(1000, 20)
        bad = set(rng.sample(range(count), max(len(POISON), count // 20)))
        found = Findings(count, "updates", latencies=stage.latencies)
        tables, done = Tables(stage, 8), 0
        for number in range(count):
            if number in bad:
                kind, body = POISON[number % len(POISON)]
                fake._push(kind, dict(body))
                continue
            code = await tables.next()
            before = len((await stage.table(code)).log)
            await _answered(stage, await _press(stage, code, rng))
            done += len((await stage.table(code)).log) == before + 1
        await stage.until(lambda: nothing_pending(stage), 60)
        await stage.current(90.0)
        async with stage.store.reading() as tx:
            asked = text("select count(*) from inbox where state='aside'")
            aside = (await tx.execute(asked)).scalar()
        found.lost += count - len(bad) - done
        found.also["done"], found.also["set aside"] = done, aside
        reported = stage.bot.output.count("is set aside")
        if not aside == reported == len(bad):
            found.wrong.append(f"{len(bad)} poisoned, {reported} reported")
        await concluded(stage, found, traced=True)
        return found


async def stopped(folder: Path, dose: Dose) -> Findings:
    """F14: SIGTERM under load: out in time, and nothing lost."""
    async with staged(folder) as stage:
        rng, times = dose.rng(13), dose.of(50, 3)
        found = Findings(times, "times", latencies=stage.latencies)
        tables = Tables(stage, 1)
        for _ in range(times):
            code = await tables.next()
            before = len((await stage.table(code)).log)
            handle = await _press(stage, code, rng)
            await asyncio.sleep(rng.random() * 0.05)
            status, seconds = await stage.bot.stop(timeout=30)
            if status != 0:
                found.wrong.append(f"ended with {status}")
            found.took("out", seconds)
            await stage.begin()
            await handle.answered()
            await stage.current()
            done = len((await stage.table(code)).log) - before
            found.lost += done < 1
            found.doubled += done > 1
        await concluded(stage, found)
        return found
