"""Who is gone, and who may sit down: ``python -m tests.drives.departures``.

An emulated Discord and an emulated Telegram on one real process, in real seconds: people leave the
server or the group, block the bot and come back; tables wait for anybody, people want to be told,
and strangers meet. Prints a line for each. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from bot.service.people import LOOKING
from tests.drives.call_world import world
from tests.drives.notification_rooms import DiscordRoom, Room, TelegramRoom
from tests.drives.stage import EMULATORS, emulators

AWAY = LOOKING + 1.0
"""Seconds after which nobody looks any more."""

CLOSE, PLAY_ON = "Close without a result", "Let the computer play on"
ALERTS = "Tell me when somebody wants to play"


async def leave(room: Room, who: Any) -> None:
    """*who* leaves the server or the group."""
    if room.platform == "discord":
        await room.world.discord.leave(who)
    else:
        await room.world.telegram.leave(who, room.place)


async def join(room: Room, who: Any) -> None:
    """*who* comes back."""
    if room.platform == "discord":
        await room.world.discord.join(who)
    else:
        await room.world.telegram.join(who, room.place)


async def shows(room: Room, what: str, *labels: str, there: bool = True) -> Any:
    """The board, once all *labels* are on it, or none of them."""

    async def found() -> Any:
        board = await room.board()
        said = {_label(one) for one in board.buttons}
        return board if (said >= {*labels} if there else not said & {*labels}) else None

    try:
        board = await room.world.until(found, what)
    except TimeoutError:
        room.check(what, False, f"{labels}")
        return await room.board()
    room.check(what, True, ", ".join(labels))
    return board


def _label(button: dict[str, Any]) -> str:
    return str(button.get("label") or button.get("text") or "")


async def gone(room: Room) -> None:
    """One leaves, the other reads it once, and the computer plays on."""
    await room.begun()
    mover, other = await room.sides()
    await asyncio.sleep(AWAY)
    since = time.monotonic()
    await leave(room, other)
    await room.move(mover)
    board = await shows(room, "who left is told on the board", CLOSE, PLAY_ON)
    room.check("in words", "no longer here" in board.text, board.text[-80:])
    await asyncio.sleep(2.0)
    room.not_heard("who left is not called", other, since)
    await room.press(mover, board, PLAY_ON)
    await shows(room, "the buttons go", CLOSE, PLAY_ON, there=False)
    table = await room.world.table(room.code)
    computers = sum(one.level is not None for one in table.players)
    room.check("a computer plays on", computers == 1, f"{computers} computers")


async def closed(room: Room) -> None:
    """One leaves, and the other closes the table without a result."""
    await room.begun()
    mover, other = await room.sides()
    await asyncio.sleep(AWAY)
    await leave(room, other)
    await room.move(mover)
    await shows(room, "who left is told on the board", CLOSE)
    await room.surely(mover, "close")

    async def over() -> bool:
        return (await room.world.table(room.code)).status == "closed"

    await room.world.until(over, "closed")
    board = await room.board()
    room.check("closed without a result", "without a result" in board.text, board.text[:80])


async def back(room: Room) -> None:
    """One leaves and comes back: a press is enough, and they are called again."""
    await room.begun()
    mover, other = await room.sides()
    await asyncio.sleep(AWAY)
    await leave(room, other)
    await room.move(mover)
    await shows(room, "who left is told on the board", CLOSE, PLAY_ON)
    await join(room, other)
    await room.command(other, "board", table=room.code)
    await shows(room, "back again is back", CLOSE, PLAY_ON, there=False)


async def blocked(room: Room) -> None:
    """One plays from the private chat and blocks the bot (Telegram)."""
    first, second, _ = room.people
    fake = room.world.telegram
    await room.opened(first)
    await fake.start_bot(second)
    await room.command(second, "join", private=True, table=room.code)
    await room.playing()
    await fake.block(second)
    board = await shows(room, "who blocked us is told on the board", CLOSE, PLAY_ON)
    room.check("in words", "no longer receives" in board.text, board.text[-80:])


async def alert(room: Room) -> None:
    """One wants to be told, and is, in the message of the invitation or in one below it."""
    first, second, third = room.people
    card = await room.command(second, "join")
    await room.press(second, card, ALERTS)
    await room.press(second, await with_button(room, "Niya"), "Niya")
    await with_button(room, "✓ Niya")
    since = time.monotonic()
    await room.opened(first)

    async def told() -> Any:
        return room.called(second, since)

    heard = await room.world.until(told, "told")
    room.check("who wanted to is told", len(heard) == 1, heard[0].text[:80])
    room.not_heard("nobody else is", third, since)
    listed = await room.command(second, "join")
    label = next(_label(one) for one in listed.buttons if "Sit down" in _label(one))
    room.check("«Sit down» stands in the list", room.code in label, label)
    await room.press(second, listed, label)
    table = await room.playing()
    sat = sum(one.person is not None for one in table.players)
    room.check("and seats", sat == 2, f"{sat}")


async def with_button(room: Room, label: str) -> Any:
    """The newest message of this place that has a button *label*."""

    async def found() -> Any:
        there = room.world.discord if room.platform == "discord" else room.world.telegram
        shown = [one for one in there.messages.values() if _stands_in(room, one)]
        return next((m for m in reversed(shown) if label in map(_label, m.buttons)), None)

    return await room.world.until(found, f"a button {label!r}")


def _stands_in(room: Room, message: Any) -> bool:
    here = message.data["channel_id"] if room.platform == "discord" else message.chat_id
    return not message.deleted and str(here) == str(room.place["id"])


async def _driven(room: Room, what: str, scene: Awaitable[object]) -> None:
    try:
        await scene
    except Exception as wrong:  # one table does not end the others
        where = traceback.format_exc(limit=-3).replace("\n", " ")
        room.check(what, False, f"{type(wrong).__name__}: {wrong} {where}"[:400])


async def driven(folder: Path) -> bool:
    """All of it; whether everything was as it must be."""
    async with world(folder) as at:
        scenes = []
        for kind in (DiscordRoom, TelegramRoom):
            for scene in (gone, closed, back, alert):
                room = kind(at, f"{kind.platform[0]}{scene.__name__}")
                scenes.append(_driven(room, scene.__name__, scene(room)))
        room = TelegramRoom(at, "tblocked")
        scenes.append(_driven(room, "blocked", blocked(room)))
        await asyncio.gather(*scenes)
        faults = at.faults()
        for deed in sorted(at.deeds, key=lambda one: one.where):
            print(deed.line())
        for fault in faults:
            print(f"FAIL {fault}")
        wrong = len(faults) + sum(bool(one.wrong) for one in at.deeds)
        print(f"{len(at.deeds)} looked at, {wrong} wrong")
        return not wrong


def main() -> int:
    """Run the drive; 0 where all was right."""
    if not emulators():
        print(f"skipped: there are no emulators in {EMULATORS}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return 0 if asyncio.run(driven(Path(folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
