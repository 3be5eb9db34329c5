"""Whole games in an emulated Telegram: by buttons, typed, in private."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

from tests.drives.findings import told
from tests.drives.stage import PATIENCE, Stage
from tests.drives.telegram_checks import clean, ended, newest


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
        await stage.current(PATIENCE)
        moves = [b["callback_data"] for b in board.buttons if b["callback_data"].startswith("m.")]
        await stage.pressed(await stage.mover(code), board, code=rng.choice(moves))
    await stage.current(PATIENCE)
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
        move = table.game.notation.written(
            table.present, rng.choice(table.present.legal_moves(seat))
        )
        command = rng.choice(("/move", "/mover", f"/mover@{fake.me['username']}"))
        handle = await fake.say(who, f"{command} {move.lower()}", fake.group)

        async def done(before: int = len(table.log)) -> bool:
            return len((await stage.table(code)).log) > before

        await stage.until(done)
        if rng.random() < 0.2:
            await fake.say(who, "/mover Z9", fake.group)
        await asyncio.sleep(0.05)
        waits.append(handle.latency or 0.0)
    await stage.current(PATIENCE)
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
        await stage.current(PATIENCE)
        codes = await stage.codes(code)
        if codes:
            await stage.pressed(fake.A, await stage.message(code), code=rng.choice(codes))
    await stage.current(PATIENCE)
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
    written = fake._user_message(fake.A, fake.group, text=text, entities=[mention])
    fake._push("message", written.data)
    board = await stage.until(lambda: newest(stage, fake.group["id"]))
    await stage.pressed(fake.C, board, label="Accept")
    (code,) = await stage.until(stage.playing)
    await stage.current(PATIENCE)
    heard = await stage.pressed(fake.A, board, label="In words")
    words = await (await fake.follow_link(fake.A, heard.answer["url"])).reply()
    assert "Rank 4" in words.text
    basic = fake.add_group("Old", [fake.A, fake.B], basic=True)
    moved = await stage.opened(basic, first=fake.A, second=fake.B)
    new = await fake.migrate(basic, fake.A)
    await stage.until(lambda: newest(stage, new["id"]))
    await stage.current(PATIENCE)
    forum = fake.add_group("Forum", [fake.A, fake.B], forum=True)
    topic = fake.add_topic(forum, "Niya")
    await fake.say(fake.A, "/play niya", forum, thread=topic)
    table = await stage.until(lambda: newest(stage, forum["id"]))
    assert table.data["message_thread_id"] == topic
    await fake.follow_link(fake.B, f"https://t.me/{fake.me['username']}?start={code}")
    await stage.until(lambda: newest(stage, fake.B["id"]))
    await stage.current(PATIENCE)
    assert moved in await stage.playing()
    clean(stage)
    return await ended(stage)
