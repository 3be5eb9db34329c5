"""Who is called, when and how: ``python -m tests.drives.notifications [--share S]``.

An emulated Discord and an emulated Telegram on one real process, in real seconds: a table for each
row of what people are called for, all played at the same time, then deaths between a move and its
call. Prints a line for each call and for each that must not come. A *share* below 1 leaves out
what takes half a minute or longer. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bot.chats.discord.scrollback import SOONER
from bot.service.heartbeat import TICK
from bot.service.people import LOOKING
from tests.drives.call_world import world
from tests.drives.notification_rooms import DiscordRoom, Room, TelegramRoom
from tests.drives.stage import EMULATORS, emulators

AWAY = LOOKING + 1.0
"""Seconds after which nobody looks any more."""

LATER = (LOOKING - 1.0, LOOKING + 8.0)
"""Between which seconds after a move somebody is called who was there when it was made."""

TALK = 40
"""How many messages of others come between two moves of a lively place."""

AT_ONCE = (0.0, 8.0)
"""The same for who was not there: the machine does much else meanwhile."""

TURN = "(?i)your turn"

APART = 0.7
"""Seconds between the openings of the tables."""

KINDS: tuple[type[Room], ...] = (DiscordRoom, TelegramRoom)


# ------------------------------------------------------------------------------ what happens


async def looking(room: Room) -> tuple[Any, Any, float]:
    """Both look at the table: who is to move then, the other, and when he moved."""
    first, second, _ = room.people
    began = time.monotonic()
    await room.challenged()
    await room.hears("challenged", second, began, "challenges you", boards=True)
    accepted = time.monotonic()
    await room.press(second, await room.board(), "Accept")
    mover, other = await room.sides()
    for _ in range(2):
        await asyncio.sleep(2.0)
        at = await room.move(mover)
        mover, other = other, mover
    if mover is first:
        room.not_heard("accepted, while he looks", first, accepted)
    await asyncio.sleep(3.0)
    room.not_heard("moved before the 30 s are over", other, accepted)
    return mover, other, at


async def present(room: Room) -> None:
    """Both look at the table; then one of them is slow."""
    mover, other, at = await looking(room)
    call = await room.hears("has not moved for 30 s", mover, at, TURN, between=LATER)
    at = await room.move(mover)
    await room.gone("his turn is answered", call)
    await room.hears("one away", other, at, TURN)


async def declined(room: Room) -> None:
    """The challenger has gone when he is refused."""
    first, second, _ = room.people
    await room.challenged()
    await asyncio.sleep(AWAY)
    at = time.monotonic()
    await room.press(second, await room.board(), "No, thanks")
    await room.hears("declined", first, at, "has declined")


async def expired(room: Room) -> None:
    """Nobody answers for a day, which the database is told has passed."""
    first = room.people[0]
    await room.challenged()
    await asyncio.sleep(AWAY)
    since = time.monotonic()
    await asyncio.to_thread(room.world.forgotten, room.code)
    # A clock that runs out sooner than the bot meant to look, sooner than that of the room before,
    # lets it look now.
    third, computer, clock = room.people[2], "computer", "clock=20s"
    if room.platform == "discord":
        computer, clock = room.world.discord.bot, "1m"
    await room.command(third, "play", game="niya", opponent=computer, clock=clock)
    said, between = "didn’t answer in time", (0.0, TICK + 8.0)
    await room.hears("nobody answered in time", first, since, said, between=between)


async def moved(room: Room) -> None:
    """The group puts us out, and somebody takes the table to another one."""
    first, second, _ = room.people
    fake = room.world.telegram
    await room.begun()
    await room.move((await room.sides())[0])
    await fake.kick_bot(room.place, first)
    elsewhere = fake.add_group(f"{room.name} 2", room.people)
    await asyncio.sleep(AWAY)
    room.place, since = elsewhere, time.monotonic()
    await room.command(first, "board", table=room.code)
    said = f"{TURN}|continues here"
    await room.hears("the table goes on elsewhere", second, since, said, boards=True)


async def accepted(room: Room) -> None:
    """The challenger has gone when it begins; then both go between two moves."""
    first, second, _ = room.people
    await room.challenged()
    await asyncio.sleep(AWAY)
    at = time.monotonic()
    await room.press(second, await room.board(), "Accept")
    call = await room.hears("accepted", first, at, "has accepted your challenge")
    mover, other = await room.sides()
    await room.move(mover)
    if mover is first:
        await room.gone("accepted, and answered by a move", call)
    await asyncio.sleep(AWAY + 4.0)
    since = time.monotonic()
    await room.move(other)
    await room.hears("both away, one comes back", mover, since, TURN)
    room.not_heard("who comes back himself", other, since)


async def offers(room: Room) -> None:
    """An offer, its withdrawal, the end and the rematch, to somebody who has gone."""
    await room.begun()
    mover, other = await room.sides()
    at = await room.move(mover)
    turn = await room.hears("slow to move", other, at, TURN, between=LATER)
    at = time.monotonic()
    await room.command(mover, "undo", table=room.code)
    call = await room.hears("asked to take back", other, at, "asks to take a move back")
    await room.gone("one call stands a table and person", turn)
    await room.press(mover, await room.board(), "Withdraw the offer")
    await room.gone("the offer is withdrawn", call)
    at = await room.surely(mover, "resign")
    over = await room.hears("the game is over", other, at, "is over")
    at = time.monotonic()
    await room.press(mover, await room.board(), "Rematch")
    asked = await room.hears("a rematch is asked", other, at, "wants a rematch")
    await room.gone("the end, when the rematch is asked", over)
    await room.press(other, await room.board(), "Rematch")
    await room.gone("the rematch is accepted", asked)


async def chairs(room: Room) -> None:
    """Three sit down, one leaves; and a table that is closed before it is full."""
    first, second, third = room.people
    await room.opened(first, "parchis")
    for chairs_taken, one in enumerate((second, third), 2):
        await room.press(one, await room.board(), "Sit down")
        await room.seated(chairs_taken)
    await room.press(first, await room.board(), "+ computer")
    await room.playing()
    await asyncio.sleep(LOOKING + 8.0)
    table = await room.playing()
    acting = {table.players[seat].name for seat in table.actors()}
    leaves = next(one for one in room.people if room.named(one) not in acting)
    stays = [one for one in room.people if one is not leaves]
    at = await room.surely(leaves, "resign")
    for one in stays:
        await room.hears("a chair is taken over", one, at, "has left the game")


async def closed(room: Room) -> None:
    """Who sits at a table that its host closes is told."""
    first, second, _ = room.people
    await room.opened(first, "parchis")
    await room.press(second, await room.board(), "Sit down")
    await room.seated(2)
    await asyncio.sleep(AWAY)
    at = time.monotonic()
    await room.press(first, await room.board(), "Cancel")
    await room.hears("closed by its host", second, at, "is closed")


async def private(room: Room) -> None:
    """One plays from a private chat: he is called there, in reply to the board there."""
    first, second, _ = room.people
    await room.opened(first)
    await room.command(second, "join", private=True, table=room.code)
    alone = room.private(second)
    await asyncio.sleep(AWAY)
    mover, other = await room.sides()
    standing = None
    for turn in range(3):
        at = await room.move(mover, alone if mover is second else None)
        await room.gone("a call in private" if mover is second else "a call in the group", standing)
        if turn == 2:
            return
        place, what = None, "whose opponent is in a private chat"
        if other is second:
            place, what = alone, "who plays from a private chat"
        # At first nobody looks, then whoever has just moved does.
        between = LATER if turn else AT_ONCE
        standing = await room.hears(what, other, at, TURN, place=place, between=between)
        mover, other = other, mover


async def lively(room: Room) -> None:
    """Others write between the moves: the board comes down with the call."""
    await room.begun()
    mover, other = await room.sides()
    # Telegram shows us nothing of what people say: the first call tells how far up the board is.
    at = first = await room.move(mover)
    await room.hears("before the talk", other, at, TURN, between=LATER)
    mover, other = other, mover
    for number in range(2):
        await room.say(TALK)
        await asyncio.sleep(SOONER)
        board = await room.board()
        down = room.platform == "discord" or number == 1
        at = await room.move(mover)
        what = f"{TALK} messages below" if number == 0 else f"{2 * TALK} messages, the next call"
        late = LATER if number else AT_ONCE
        await room.hears(what, other, at, TURN, boards=down, between=late)
        if down:
            await _gone(room, "the old board", board)
        mover, other = other, mover
    writes, moves = room.written(first), 3
    room.check("sends and edits a move", writes <= 2 * moves, f"{writes} for {moves} moves")


async def _gone(room: Room, what: str, message: object) -> None:
    async def deleted() -> bool:
        return bool(getattr(message, "deleted", False))

    try:
        await room.world.until(deleted, what, 8.0)
    except TimeoutError:
        room.check(f"{what} is gone", False, "it stands")
    else:
        room.check(f"{what} is gone", True, "removed")


async def across(here: Room, there: Room) -> None:
    """One table on both platforms: each is called where he plays."""
    first, second = here.people[0], there.people[0]
    await here.opened(first)
    there.code = here.code
    await there.command(second, "join", table=there.code)
    table = await here.playing()
    await there.board()
    await asyncio.sleep(AWAY)
    for _ in range(2):
        table = await here.world.table(here.code)
        (seat,) = table.actors()
        mine = table.players[seat].name == here.named(first)
        room, who, his, other = (here, first, there, second)
        if not mine:
            room, who, his, other = his, other, room, who
        at = await room.move(who)
        what = f"across platforms, from {room.platform}"
        call = await his.hears(what, other, at, TURN, between=AT_ONCE)
        if call is None:
            return
        await asyncio.sleep(AWAY)


# ------------------------------------------------------------------------------ deaths


async def killed(room: Room, point: str) -> None:
    """The process dies at *point* of a move: its successor calls, once where it can know."""
    at = room.world
    mover, other = await room.sides()
    since = time.monotonic()
    at.switches.die_at(point)
    await room.move(mover, dying=True)
    back = await at.succeeded()
    name = f"killed {point}"
    if point == "after call":
        heard = len(room.called(other, since))
        await asyncio.sleep(9.0)
        now = room.called(other, since)
        good = heard == 1 and len(now) <= 2
        room.check(name, good, f"called {heard} before, {len(now)} altogether: {now[-1].text[:40]}")
        return
    call = await room.hears(name, other, since, TURN, between=(0.0, back - since + 9.0))
    if call is not None:
        room.check("  counted from the restart", True, f"{call.at - back:.1f} s")


# ------------------------------------------------------------------------------ the drive

SHORT = (looking,)
LONG = (present, declined, closed, expired, accepted, offers, private, lively, chairs)


async def _driven(room: Room, what: str, scene: Awaitable[object], after: float = 0.0) -> None:
    await asyncio.sleep(after)
    try:
        await scene
    except Exception as wrong:  # one table does not end the others
        where = traceback.format_exc(limit=-3).replace("\n", " ")
        room.check(what, False, f"{type(wrong).__name__}: {wrong} {where}"[:400])


async def driven(folder: Path, share: float) -> bool:
    """All of it; whether everything was as it must be."""
    async with world(folder) as at:
        scenes: list[Awaitable[None]] = []
        doomed: list[Room] = []
        whole = share >= 1

        def table(kind: type[Room], scene: Callable[[Room], Awaitable[object]]) -> None:
            name = f"{kind.platform[0]}{scene.__name__}"
            room = kind(at, name)
            scenes.append(_driven(room, name, scene(room), len(scenes) * APART))

        for kind in KINDS:
            for scene in LONG if whole else SHORT:
                table(kind, scene)
            doomed.append(kind(at, f"{kind.platform[0]}doomed"))
        if whole:
            table(TelegramRoom, moved)
            here, there = DiscordRoom(at, "dacross"), TelegramRoom(at, "tacross")
            scenes.append(_driven(here, "across", across(here, there)))
        scenes += [_driven(room, "begun", room.begun()) for room in doomed]
        began = time.monotonic()
        await asyncio.gather(*scenes)
        played = time.monotonic() - began
        for room in doomed:
            for point in ("after change", "after call") if whole else ("after change",):
                await _driven(room, point, killed(room, point))
        wrong = at.faults()
        for deed in sorted(at.deeds, key=lambda deed: deed.where):
            print(deed.line())
        bad = [deed for deed in at.deeds if deed.wrong]
        print(f"{len(at.deeds)} lines, {len(bad)} wrong; played {played:.0f} s", *wrong, sep="\n")
        return not bad and not wrong


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.notifications", description=__doc__
    )
    parser.add_argument("--share", type=float, default=1.0, help="of the full numbers")
    parser.add_argument("--keep", type=Path, help="a folder for the log")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as fleeting:
        good = asyncio.run(driven((asked.keep or Path(fleeting)) / "drive", asked.share))
    print(f"{'ok  ' if good else 'FAIL'} calls ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
