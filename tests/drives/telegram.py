"""The real process in an emulated Telegram: ``python -m tests.drives.telegram [--share 1]``.

Plays whole games by buttons, typed and against the computer, kills and restarts the process,
floods a group, and injects the faults F1 to F10. *share* is the part of the full numbers:
a twentieth by default, which takes about three minutes. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.drives.stage import EMULATORS, Stage, emulators

Scene = Callable[[Path, float], Awaitable[str]]


def clean(stage: Stage) -> None:
    """Nothing broke the Bot API, nobody waits for an answer, nobody was called outside."""
    fake = stage.fake
    assert not fake.violations, fake.violations[:5]
    assert not fake.unanswered, fake.unanswered[:5]
    assert not stage.bot.blocked_connections
    assert fake.token not in stage.bot.output
    assert "Traceback" not in stage.bot.output, stage.bot.output[-3000:]


def told(latencies: list[float]) -> str:
    """Median, 99th percentile and worst of answers, in milliseconds."""
    ordered = sorted(latencies)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    median = statistics.median(ordered)
    return (
        f"{len(ordered)} answers: median {median * 1000:.0f} ms, "
        f"p99 {p99 * 1000:.0f} ms, worst {ordered[-1] * 1000:.0f} ms"
    )


def groups(stage: Stage, count: int) -> list[dict]:
    """Groups enough, so that the pace of one is not what is measured."""
    fake = stage.fake
    return [fake.add_group(f"Club {n}", [fake.A, fake.B, fake.C]) for n in range(count)]


async def ended(stage: Stage) -> str:
    """End the process in order; how long that took."""
    status, seconds = await stage.close()
    assert status == 0, status
    return f"ended in {seconds:.1f} s"


# -------------------------------------------------------------------- playing


async def by_buttons(folder: Path, share: float) -> str:
    """A whole game in a group by buttons alone, the opponent named by a reply."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(1)
    hello = await fake.say(fake.B, "hola", fake.group)
    asked = await fake.say(fake.A, "/play niya", fake.group, reply_to=hello.message)
    board = await asked.reply(predicate=lambda m: m.buttons)
    refused = await stage.pressed(fake.C, board, label="Accept")
    assert refused.answer["alert"]
    await stage.pressed(fake.B, board, label="Accept")
    (code,) = await stage.until(stage.playing)
    stage.known.add(code)
    while not await stage.over(code):
        await stage.current()
        moves = [b["callback_data"] for b in board.buttons if b["callback_data"].startswith("m.")]
        await stage.pressed(await stage.mover(code), board, code=rng.choice(moves))
    await stage.current()
    assert board.text.startswith("★")
    assert board.photo.mime == "image/png"
    for person in (fake.A, fake.B):
        await stage.pressed(person, board, label="Rematch")
    await stage.until(stage.playing)
    clean(stage)
    return f"{told(stage.latencies)}; {await ended(stage)}"


async def typed(folder: Path, share: float) -> str:
    """A whole game typed in two languages, with nonsense in between."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(2)
    code = await stage.opened(fake.group, first=fake.A, second=fake.B)
    waits = []
    while not await stage.over(code):
        table, who = await stage.table(code), await stage.mover(code)
        (seat,) = table.actors()
        move = table.present.notation(rng.choice(table.present.legal_moves(seat)))
        command = rng.choice(("/move", "/mover", f"/mover@{fake.me['username']}"))
        handle = await fake.say(who, f"{command} {move.lower()}", fake.group)

        async def done(before: int = len(table.log)) -> bool:
            return len((await stage.table(code)).log) > before

        await stage.until(done)
        if rng.random() < 0.2:
            await fake.say(who, "/mover Z9", fake.group)
        await asyncio.sleep(0.05)
        waits.append(handle.latency or 0.0)
    await stage.current(90)
    clean(stage)
    return f"{len(table.log)} entries; {await ended(stage)}"


async def in_private(folder: Path, share: float) -> str:
    """A whole game against the computer in private, from /start to the rematch."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(3)
    greeting = await (await fake.start_bot(fake.A)).reply()
    await stage.pressed(fake.A, greeting, label=re.compile("Niya"))
    (code,) = await stage.until(stage.playing)
    stage.known.add(code)
    while not await stage.over(code):
        await stage.current(90)
        codes = await stage.codes(code)
        if codes:
            await stage.pressed(fake.A, await stage.message(code), code=rng.choice(codes))
    await stage.current(90)
    board = await stage.message(code)
    await stage.pressed(fake.A, board, label="In words")
    await stage.pressed(fake.A, board, label="Record")
    await stage.pressed(fake.A, board, label="Rematch")
    await stage.until(stage.playing)
    clean(stage)
    return f"{told(stage.latencies)}; {await ended(stage)}"


async def invitations(folder: Path, share: float) -> str:
    """By mention, by link, from an @name; a group that moves; a table in a topic."""
    stage = await Stage.open(folder)
    fake = stage.fake
    text = "/play niya Carol Smith 2"
    mention = {"type": "text_mention", "offset": 11, "length": 11, "user": fake.C}
    told = fake._user_message(fake.A, fake.group, text=text, entities=[mention])
    fake._push("message", told.data)
    board = await stage.until(lambda: newest(stage, fake.group["id"]))
    await stage.pressed(fake.C, board, label="Accept")
    (code,) = await stage.until(stage.playing)
    await stage.current()
    heard = await stage.pressed(fake.A, board, label="In words")
    words = await (await fake.follow_link(fake.A, heard.answer["url"])).reply()
    assert "Rank 4" in words.text
    basic = fake.add_group("Old", [fake.A, fake.B], basic=True)
    moved = await stage.opened(basic, first=fake.A, second=fake.B)
    new = await fake.migrate(basic, fake.A)
    await stage.until(lambda: newest(stage, new["id"]))
    await stage.current()
    forum = fake.add_group("Forum", [fake.A, fake.B], forum=True)
    topic = fake.add_topic(forum, "Niya")
    await fake.say(fake.A, "/play niya", forum, thread=topic)
    table = await stage.until(lambda: newest(stage, forum["id"]))
    assert table.data["message_thread_id"] == topic
    await fake.follow_link(fake.B, f"https://t.me/{fake.me['username']}?start={code}")
    await stage.until(lambda: newest(stage, fake.B["id"]))
    await stage.current()
    assert moved in await stage.playing()
    clean(stage)
    return await ended(stage)


async def newest(stage: Stage, chat: int, *, pictured: bool = False) -> object:
    """The newest board in a chat, if there is one."""
    messages = [m for (place, _), m in stage.fake.messages.items() if place == chat]
    found = [m for m in messages if m.buttons and (m.photo or not pictured)]
    return found[-1] if found else None


async def lively(folder: Path, share: float) -> str:
    """Three lively tables in one group with Telegram's own limits; a private press meanwhile."""
    stage = await Stage.open(folder, flood=True)
    fake, rng = stage.fake, random.Random(4)
    codes = [await stage.opened(fake.group, first=fake.A, second=fake.B) for _ in range(3)]
    await fake.start_bot(fake.C)
    await fake.say(fake.C, "/play niya computer")
    mine = await stage.until(lambda: newest(stage, fake.C["id"], pictured=True))
    seconds, pressed, private = max(12.0, 120 * share), 0, []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        code = codes[pressed % 3]
        if await stage.over(code):
            code = codes[pressed % 3] = await stage.opened(fake.group, first=fake.A, second=fake.B)
        message = await stage.shown(code)
        move = rng.choice(await stage.codes(code))
        await stage.pressed(await stage.mover(code), message, code=move)
        pressed += 1
        if pressed % 5 == 0:
            handle = await stage.press(fake.C, mine, label="In words")
            await handle.answered()
            private.append(handle.latency)
        await asyncio.sleep(1.0)
    waited = await stage.current(90)
    refused = [one for one in fake.records if one.status == 429]
    assert not refused, refused[:3]
    clean(stage)
    return (
        f"{pressed} presses in {seconds:.0f} s, no 429, boards current after {waited:.0f} s; "
        f"{told(stage.latencies)}; in private {told(private)}; {await ended(stage)}"
    )


# -------------------------------------------------------------------- faults


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


async def nothing_pending(stage: Stage) -> bool:
    return not stage.fake.pending and not await stage.pending()


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
    from sqlalchemy import text

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


SCENES: dict[str, Scene] = {
    "a game by buttons": by_buttons,
    "a game typed": typed,
    "a game in private": in_private,
    "invitations": invitations,
    "three lively tables": lively,
    "F1 F2 F4 killed": killed,
    "F3 repeated": repeated,
    "F5 simultaneous": simultaneous,
    "F6 stale and forged": stale,
    "F7 slow": slow,
    "F8 refused": refused,
    "F9 gone": gone,
    "F10 poison": poison,
    "F14 stopped": stopped,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.telegram", description=__doc__)
    parser.add_argument("--share", type=float, default=0.05, help="of the full numbers")
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for name, scene in SCENES.items():
        if asked.only not in name:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(scene(Path(folder), asked.share)), "ok  "
            except (AssertionError, TimeoutError) as wrong:
                failed, mark, said = True, "FAIL", f"{type(wrong).__name__} {wrong}"
                log = Path(folder) / "bot.log"
                print(log.read_text()[-2000:] if log.exists() else "", file=sys.stderr)
        print(f"{mark} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
