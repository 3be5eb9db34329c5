"""The faults F1 to F10 and F14 of the real process in an emulated Telegram."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from pathlib import Path

from sqlalchemy import text

from tests.drives.stage import Stage
from tests.drives.telegram_checks import clean, ended, groups, nothing_pending, told


async def killed(folder: Path, share: float) -> str:
    """F1, F2, F4: kill -9 at any moment of a press; nothing lost, doubled or stale."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(5)
    kills = max(4, round(200 * share))
    places = groups(stage, kills)
    slowest, lost, orphans = 0.0, 0, 0
    for number in range(kills):
        code = await stage.opened(places[number], first=fake.A, second=fake.B)
        await stage.current()
        table, message = await stage.table(code), await stage.message(code)
        who = await stage.mover(code)
        handle = await stage.press(who, message, code=rng.choice(await stage.codes(code)))
        await asyncio.sleep(rng.random() * 0.08)
        await stage.bot.kill()
        began = time.monotonic()
        await stage.begin()
        started = time.monotonic() - began
        slowest = max(slowest, await stage.current(5.0))
        after = await stage.table(code)
        lost += len(after.log) != len(table.log) + 1
        await handle.answered()
        boards = [m for m in fake.messages.values() if m.chat_id == places[number]["id"]]
        orphans += sum(bool(m.buttons) for m in boards) - 1
    assert not lost, f"{lost} presses lost or doubled"
    assert not orphans
    clean(stage)
    return (
        f"{kills} kills, 0 lost, 0 doubled, 0 stale; boards current at most {slowest:.1f} s after "
        f"the start (which takes {started:.1f} s); {await ended(stage)}"
    )


async def repeated(folder: Path, share: float) -> str:
    """F3: updates delivered one to five times are done once."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(6)
    count, doubled, sent = round(2000 * share), 0, 0
    places = groups(stage, 8)
    codes = [await stage.opened(place, first=fake.A, second=fake.B) for place in places]
    while sent < count:
        number = sent % len(codes)
        code = codes[number]
        if await stage.over(code):
            code = codes[number] = await stage.opened(places[number], first=fake.A, second=fake.B)
        table = await stage.table(code)
        handle = await stage.pressed(
            await stage.mover(code),
            await stage.shown(code),
            code=rng.choice(await stage.codes(code)),
        )
        for _ in range(rng.randrange(5)):
            fake.redeliver(handle)
            await asyncio.sleep(0.01)
        sent += 1
        doubled += len((await stage.table(code)).log) != len(table.log) + 1
    await stage.until(lambda: nothing_pending(stage), 60)
    assert not doubled
    violations = [one for one in fake.violations if "second answer" not in one[2]]
    assert not violations, violations[:3]
    return f"{sent} updates, {doubled} double moves; {told(stage.latencies)}; {await ended(stage)}"


async def simultaneous(folder: Path, share: float) -> str:
    """F5: of eight clicks at once exactly one is accepted."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(7)
    rounds, wrong = round(200 * share), 0
    places = groups(stage, 4)
    codes = [await stage.opened(place, first=fake.A, second=fake.B) for place in places]
    for number in range(rounds):
        slot = number % len(codes)
        if await stage.over(codes[slot]):
            codes[slot] = await stage.opened(places[slot], first=fake.A, second=fake.B)
        code = codes[slot]
        table, moves = await stage.table(code), await stage.codes(code)
        message, who = await stage.shown(code), await stage.mover(code)
        handles = [await stage.press(who, message, code=rng.choice(moves)) for _ in range(8)]
        for handle in handles:
            await handle.answered()
        good = sum(not handle.answer["alert"] for handle in handles)
        wrong += len((await stage.table(code)).log) != len(table.log) + 1 or good != 1
    assert not wrong
    clean(stage)
    return f"{rounds} rounds of 8, {wrong} wrong; {await ended(stage)}"


async def stale(folder: Path, share: float) -> str:
    """F6: old, foreign and forged buttons, also after a restart: all refused, all answered."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(8)
    code = await stage.opened(fake.group, first=fake.A, second=fake.B)
    old: list[str] = []
    for _ in range(6):
        codes = await stage.codes(code)
        old += codes
        await stage.pressed(await stage.mover(code), await stage.shown(code), code=codes[0])
    await stage.bot.restart(signal.SIGTERM)
    await fake.wait_ready(bot=stage.bot)
    version = (await stage.table(code)).version
    stage.latencies.clear()
    fresh = await stage.codes(code)
    for number in range(round(1000 * share)):
        message, who = await stage.message(code), rng.choice((fake.A, fake.B, fake.C))
        if number % 3 == 1:
            # Telegram's clients may send any bytes.
            pressed = forged(rng.choice(fresh), rng)
        elif number % 3 == 2:
            who, pressed = fake.C, rng.choice(fresh)
        else:
            pressed = rng.choice(old)
        handle = await stage.pressed(who, message, code=pressed)
        assert handle.answer["alert"], handle.answer
    assert (await stage.table(code)).version == version
    assert max(stage.latencies) < 3
    clean(stage)
    return f"0 applied; {told(stage.latencies)}; {await ended(stage)}"


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


async def slow(folder: Path, share: float) -> str:
    """F7: pictures that take ten seconds, queries that are too old; the moves stand."""
    stage = await Stage.open(folder, callback_ttl=15)
    fake, rng = stage.fake, random.Random(9)
    places = groups(stage, max(4, round(50 * share)))
    codes = [await stage.opened(place, first=fake.A, second=fake.B) for place in places]
    await stage.current(60)
    stage.latencies.clear()
    fake.fail("editMessageMedia", delay=10, times=len(codes))
    for code in codes:
        table, message = await stage.table(code), await stage.shown(code)
        codes_now = await stage.codes(code)
        await stage.pressed(await stage.mover(code), message, code=rng.choice(codes_now))
        assert len((await stage.table(code)).log) == len(table.log) + 1
    assert max(stage.latencies) < 1.5
    await stage.current(60)
    clean(stage)
    return f"{told(stage.latencies)}; {await ended(stage)}"


class Coin:
    """A pattern that finds every other of the methods that write."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def search(self, method: str) -> bool:
        return method.casefold().startswith(("send", "edit")) and self._rng.random() < 0.5


async def refused(folder: Path, share: float) -> str:
    """F8: half of all sends refused with retry-after: none lost, none early."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(10)
    places = groups(stage, 6)
    codes = [await stage.opened(place, first=fake.A, second=fake.B) for place in places]
    await stage.current(60)
    stage.latencies.clear()
    fake.fail("x", status=429, retry_after=1, times=10**6)
    fake.faults[-1]["rx"] = Coin(rng)
    for _ in range(max(2, round(14 * share * 4))):
        for code in codes:
            if await stage.over(code):
                continue
            moves = await stage.codes(code)
            message = await stage.message(code)
            await stage.pressed(await stage.mover(code), message, code=rng.choice(moves))
    await stage.current(120)
    early = 0
    until: dict[str, float] = {}
    for one in fake.records:
        place = str(one.params.get("chat_id"))
        if not one.method.casefold().startswith(("send", "edit")):
            continue
        early += one.t < until.get(place, 0.0)
        if one.fault == 429:
            until[place] = one.t + 1
    times = sum(one.fault == 429 for one in fake.records)
    assert not early
    clean(stage)
    return f"{times} refused, 0 lost, {early} early; {told(stage.latencies)}; {await ended(stage)}"


async def gone(folder: Path, share: float) -> str:
    """F9: boards deleted, the bot thrown out of groups: one repost, no knocking."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(11)
    count = max(3, round(100 * share))
    places = groups(stage, 2 * count)
    for place in places[:count]:
        code = await stage.opened(place, first=fake.A, second=fake.B)
        message = await stage.shown(code)
        moves, who = await stage.codes(code), await stage.mover(code)
        handle = await stage.press(who, message, code=rng.choice(moves))
        await fake.delete_message(message)
        await handle.answered()
        await stage.current()
        boards = [m for m in fake.messages.values() if m.chat_id == place["id"] and m.buttons]
        assert len(boards) == 1, boards
    for place in places[count:]:
        code = await stage.opened(place, first=fake.A, second=fake.B)
        await stage.shown(code)
        await stage.current()
        await fake.kick_bot(place, fake.A)
        await asyncio.sleep(0.1)
        asked = len(fake.records)
        # Moves go on from elsewhere: typed in a private chat.
        table, who = await stage.table(code), await stage.mover(code)
        (seat,) = table.actors()
        move = table.present.notation(table.present.legal_moves(seat)[0])
        await fake.say(who, f"/move {move} table={code}")
        await asyncio.sleep(0.2)
        knocks = [r for r in fake.records[asked:] if r.params.get("chat_id") == str(place["id"])]
        assert not knocks, knocks
    assert not fake.violations
    return f"{count} deleted, {count} thrown out; {await ended(stage)}"


async def poison(folder: Path, share: float) -> str:
    """F10: updates that cannot be read are set aside, the queue moves on."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(12)
    count = round(1000 * share)
    bad = set(rng.sample(range(count), max(1, count // 20)))
    for number in range(count):
        if number in bad:
            fake._push("message", {"bogus": number})
        else:
            place = fake.group if number % 100 else fake.private(fake.A)
            await fake.say(fake.A, "hola", place)
            message = fake._user_message(fake.A, fake.private(fake.A), text="/unknown@nobody")
            fake._push("message", message.data)
    await stage.until(lambda: nothing_pending(stage), 60)
    async with stage.store.reading() as tx:
        aside = (await tx.execute(text("select count(*) from inbox where state='aside'"))).scalar()
    assert aside == len(bad), (aside, len(bad))
    reported = stage.bot.output.count("is set aside")
    assert reported == len(bad)
    return f"{count} updates and more, {aside} set aside and reported; {await ended(stage)}"


async def stopped(folder: Path, share: float) -> str:
    """F14: SIGTERM under load: out in time, and nothing lost."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(13)
    times, slowest = max(3, round(50 * share)), 0.0
    places = groups(stage, times)
    for place in places:
        code = await stage.opened(place, first=fake.A, second=fake.B)
        message = await stage.shown(code)
        table, moves = await stage.table(code), await stage.codes(code)
        handle = await stage.press(await stage.mover(code), message, code=rng.choice(moves))
        await asyncio.sleep(rng.random() * 0.05)
        status, seconds = await stage.bot.stop(timeout=30)
        assert status == 0, status
        slowest = max(slowest, seconds)
        await stage.begin()
        await handle.answered()
        await stage.current()
        assert len((await stage.table(code)).log) == len(table.log) + 1
    clean(stage)
    return f"{times} times, at most {slowest:.1f} s; {await ended(stage)}"
