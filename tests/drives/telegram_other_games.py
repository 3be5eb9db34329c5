"""Every other game in an emulated Telegram: Parchís with three people, the rest by menus."""

from __future__ import annotations

import asyncio
import random
import signal
from pathlib import Path
from typing import Any

from bot.presenters.button_codes import decode_click
from bot.presenters.composer import Composer
from bot.presenters.documents import record_of
from bot.presenters.keyboard import steps_of
from bot.session.table import PLAYING
from games.core import Menu, pick
from games.core.record_verification import verify
from storage import bot_settings
from storage import views as stored
from tests.drives.findings import told
from tests.drives.minds import button_for, wanted
from tests.drives.stage import Stage, looking_at
from tests.drives.telegram_checks import clean, ended

PATIENCE = 90.0


async def _human(stage: Stage, code: str) -> tuple[dict, int] | None:
    """The person who is to move, once it is a person; ``None`` when the game is over."""

    async def found() -> Any:
        table = await stage.table(code)
        if table.status != PLAYING:
            return "over"
        seats = [seat for seat in table.actors() if table.players[seat].person is not None]
        return (table.players[seats[0]].name, seats[0]) if seats else None

    told_of = await stage.until(found, PATIENCE)
    if told_of == "over":
        return None
    name, seat = told_of
    return next(u for u in stage.fake.users.values() if u["first_name"] == name), seat


async def _move(stage: Stage, code: str, rng: random.Random) -> int:
    """One move of a person through its menus; how many presses it took, 0 at the end."""
    acting = await _human(stage, code)
    if acting is None:
        return 0
    who, seat = acting
    table, message = await stage.table(code), await stage.message(code)
    async with stage.store.reading() as tx:
        view = (await stored.views_of_game(tx, code))[-1]
        key = bytes.fromhex(await bot_settings.load_setting(tx, "button-key") or "")
    composer, path, presses = Composer(table, looking_at(view, table), key), (), 0
    while True:
        rows = composer.board(path).rows
        codes = [b.code for row in rows for b in row if b.style in ("move", "final") and b.step]
        chosen = rng.choice(codes)
        await stage.pressed(who, message, code=chosen)
        presses += 1
        path = decode_click(chosen, key).path
        if not isinstance(pick(table.game, table.present, seat, steps_of(path)), Menu):
            return presses


async def parchis(folder: Path, share: float) -> str:
    """Three people and a computer: one leaves in the middle, the process is killed once."""
    stage = await Stage.open(folder, flood=True)
    fake, rng = stage.fake, random.Random(11)
    asked = await fake.say(fake.A, "/play parchis", fake.group)
    board = await asked.reply(predicate=lambda m: m.buttons)
    for person in (fake.B, fake.C):
        await stage.pressed(person, board, label="Sit down")
    before = set(await stage.playing())
    async with asyncio.timeout(PATIENCE):
        while True:
            (code,) = before
            if sum(p.seated for p in (await stage.table(code)).players) == 3:
                break
            await asyncio.sleep(0.05)
    await stage.pressed(fake.A, board, label="+ computer")
    stage.known.add(code)
    presses = 0
    while taken := await _move(stage, code, rng):
        presses += taken
        if presses == 30:
            await stage.bot.stop(signal.SIGKILL)
            await stage.begin()
        if presses == 60:
            await fake.say(fake.C, f"/leave {code}", fake.group)
            await stage.until(lambda: _left(stage, code))
    table = await stage.table(code)
    numbers = [entry.draw for entry in table.log if entry.draw is not None]
    assert numbers == sorted(set(numbers)), "a die was rolled twice"
    assert verify(record_of(table), table.game).honest
    leavers = {n for n, p in enumerate(table.players) if p.left}
    assert table.outcome is not None
    assert leavers == set(table.outcome.places[-1])
    await stage.current(120)
    clean(stage)
    return f"{presses} presses, {len(numbers)} dice, {told(stage.latencies)}; {await ended(stage)}"


async def _left(stage: Stage, code: str) -> bool:
    return any(player.left for player in (await stage.table(code)).players)


async def _wished(stage: Stage, code: str, rng: random.Random) -> int:
    """One move towards an end, through its menus; how many presses it took, 0 at the end."""
    acting = await _human(stage, code)
    if acting is None:
        return 0
    who, seat = acting
    table = await stage.table(code)
    async with stage.store.reading() as tx:
        view = (await stored.views_of_game(tx, code))[0]
        key = bytes.fromhex(await bot_settings.load_setting(tx, "button-key") or "")
    message = stage.fake.messages[int(view.place), int(view.message or 0)]
    composer, path, presses = Composer(table, looking_at(view, table), key), (), 0
    steps = await asyncio.to_thread(wanted, table, seat, rng)
    while True:
        rows = composer.board(path).rows
        codes = [b.code for row in rows for b in row if b.style in ("move", "final")]
        chosen = button_for(codes, steps)
        assert chosen, (steps, codes)
        await stage.pressed(who, message, code=chosen)
        presses += 1
        path = decode_click(chosen, key).path
        if not isinstance(pick(table.game, table.present, seat, steps_of(path)), Menu):
            return presses


async def _begun(stage: Stage, wish: str) -> tuple[str, dict]:
    """A game between two people in a group of its own: its table's code, and the group."""
    fake = stage.fake
    group = fake.add_group(wish.split()[0], [fake.A, fake.B, fake.C])
    asked = await fake.say(fake.A, f"/play {wish} casual", group)
    board = await asked.reply(PATIENCE, predicate=lambda m: m.buttons)
    await stage.pressed(fake.B, board, label="Sit down")
    return await stage.begun(group, set()), group


async def whole(folder: Path, share: float) -> str:
    """Shogi, Cirya and Storilljuðjorrayc to their end by buttons, in groups of their own."""
    stage = await Stage.open(folder)
    rng = random.Random(7)
    lines = []
    for wish in ("cirya", "shogi", "storill setup=fixed"):
        code, _ = await _begun(stage, wish)
        presses = 0
        while taken := await _wished(stage, code, rng):
            presses += taken
        await stage.current(PATIENCE)
        table = await stage.table(code)
        assert table.outcome is not None
        assert table.by_rule
        plies = sum(entry.seat >= 0 for entry in table.log)
        lines.append(f"{wish.split()[0]} {plies} plies, {presses} presses: {table.outcome.reason}")
    clean(stage)
    return f"{'; '.join(lines)}; {told(stage.latencies)}; {await ended(stage)}"


async def shelf(folder: Path, share: float) -> str:
    """Shogi, Cirya and Storilljuðjorrayc in groups of their own, ended by resigning."""
    stage = await Stage.open(folder)
    fake, rng = stage.fake, random.Random(5)
    lines = []
    for wish in ("shogi", "cirya", "storill setup=fixed"):
        code, group = await _begun(stage, wish)
        presses = 0
        while presses < max(20, 200 * share) and (taken := await _move(stage, code, rng)):
            presses += taken
        await stage.current(PATIENCE)
        await fake.say(fake.A, f"/resign {code}", group)
        await stage.until(lambda c=code: stage.over(c))
        await stage.current(PATIENCE)
        final = await stage.message(code)
        assert final.text.startswith("★")
        lines.append(f"{wish.split()[0]} {presses} presses")
    clean(stage)
    return f"{', '.join(lines)}; {told(stage.latencies)}; {await ended(stage)}"


async def hidden(folder: Path, share: float) -> str:
    """A hidden set-up, each in his private chat; the group sees neither."""
    stage = await Stage.open(folder)
    fake = stage.fake
    asked = await fake.say(fake.A, "/play storill", fake.group)
    board = await asked.reply(PATIENCE, predicate=lambda m: m.buttons)
    await stage.pressed(fake.B, board, label="Sit down")
    (code,) = await stage.until(stage.playing)
    stage.known.add(code)
    for person in (fake.A, fake.B):
        await fake.start_bot(person, code)

        async def arranged(who: dict = person) -> bool:
            table = await stage.table(code)
            async with stage.store.reading() as tx:
                rows = await stored.views_of_game(tx, code)
            mine = [r for r in rows if r.place == str(who["id"]) and r.message]
            if not mine or table.position is None:
                return False
            message = fake.messages[int(mine[0].place), int(mine[0].message)]
            ready = [b["callback_data"] for b in message.buttons if "eady" in b["text"]]
            if not ready:
                return False
            await stage.pressed(who, message, code=ready[0])
            return True

        await stage.until(arranged, PATIENCE)
        group = [m for (place, _), m in fake.messages.items() if place == fake.group["id"]]
        if person is fake.A:
            assert all("KM" not in (m.text or "") for m in group), "the group saw a set-up"
    await stage.until(lambda: _battle(stage, code), PATIENCE)
    rng, presses = random.Random(9), 0
    while taken := await _wished(stage, code, rng):
        presses += taken
    await stage.current(PATIENCE)
    clean(stage)
    said = f"both set up and revealed, {presses} presses to the end; {told(stage.latencies)}"
    return f"{said}; {await ended(stage)}"


async def _battle(stage: Stage, code: str) -> bool:
    return len((await stage.table(code)).actors()) == 1
