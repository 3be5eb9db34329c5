"""A board of one's own in a group: ``python -m tests.drives.telegram_ephemeral [--share S]``.

Whole games by buttons alone in groups of an emulated Telegram, by what each person's own client
shows: with new clients and old ones, answers that never arrive, clients and the bot that start anew
in the middle, and buttons of boards that have gone. Every screen of every person is looked at after
every press: nobody sees two boards of a table, a secret of another, a wall of text, or somebody
else's buttons. *share* is the part of the full numbers. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.presenters.button_codes import Action
from tests.drives.ephemeral_eyes import Eyes, counted
from tests.drives.scenes import run_scenes
from tests.drives.stage import PATIENCE, staged
from tests.drives.telegram_checks import clean

HIDDEN, FIXED = "storill", "storill setup=fixed"

Scene = Callable[[Path, float], Awaitable[str]]


async def _whole(folder: Path, share: float, *, old: bool) -> str:
    """Niya, shogi and a battle with hidden set-ups, to their ends or as far as *share* reaches."""
    most, lines = max(6, round(200 * share)), []
    async with staged(folder) as stage:
        for number, wish in enumerate(("niya", HIDDEN, "cirya", "shogi")):
            eyes = await Eyes.opened(stage, wish, f"{number}", old=old, number=number)
            before = len(stage.fake.records)
            if wish == HIDDEN:
                for who in eyes.people:
                    await eyes.sets_up(who)
                await stage.until(lambda e=eyes: _one_acts(e), PATIENCE)
            while eyes.moves < most and await eyes.move():
                if eyes.moves % 5 == 2:
                    await _aside(eyes)
            lines.append(f"{wish}: {counted(eyes, before)}")
        clean(stage)
    return "\n  ".join(("", *lines))


async def _one_acts(eyes: Eyes) -> bool:
    return len((await eyes.stage.table(eyes.code)).actors()) == 1


async def _aside(eyes: Eyes) -> None:
    """Each asks for «More» and comes back, and a stranger reads the rules and types commands."""
    fake, stranger = eyes.stage.fake, eyes.stranger
    for who in eyes.everybody:
        await eyes.at_board(who, Action.MORE)
        (board,) = eyes.boards(who)
        if board.ephemeral:
            await eyes.at_board(who, Action.BACK)
    for line in ("/games", "/help", "/privacy", "/rules niya"):
        await fake.say(stranger, line, eyes.group)
    await asyncio.sleep(1.0)
    await eyes.settled()
    eyes.look()


async def to_the_end(folder: Path, share: float) -> str:
    """Niya and a battle with hidden set-ups to their ends, with new clients and old at once."""
    del share
    async with staged(folder) as stage:
        wishes = [(wish, old) for wish in ("niya", HIDDEN) for old in (False, True)]
        tables = [
            await Eyes.opened(stage, wish, f"end{number}", old=old, number=number)
            for number, (wish, old) in enumerate(wishes)
        ]

        async def played(eyes: Eyes) -> str:
            if eyes.wish == HIDDEN:
                for who in eyes.people:
                    await eyes.sets_up(who)
                await stage.until(lambda: _one_acts(eyes), PATIENCE)
            while await eyes.move():
                if eyes.moves % 20 == 2:
                    await _aside(eyes)
            assert await eyes.over()
            board = eyes.boards(eyes.stranger)[-1]
            assert board.text.startswith("★"), board.text[:80]
            return counted(eyes, 0)

        lines = await asyncio.gather(*map(played, tables))
        clean(stage)
    named = [f"{wish}, {'old' if old else 'new'} clients" for wish, old in wishes]
    told = (f"{name}: {line}" for name, line in zip(named, lines, strict=True))
    return "\n  ".join(("", *told))


async def new(folder: Path, share: float) -> str:
    """Whole games with new clients."""
    return await _whole(folder, share, old=False)


async def old(folder: Path, share: float) -> str:
    """The same with clients that show no ephemeral messages."""
    return await _whole(folder, share, old=True)


async def lost(folder: Path, share: float) -> str:
    """Answers that never arrive, and clients that start anew: whoever presses again goes on."""
    async with staged(folder) as stage:
        eyes = await Eyes.opened(stage, FIXED, "lost", old=False, number=5)
        again, at_once, fake = 0, 0, stage.fake
        await eyes.shows()
        for number in range(max(4, round(40 * share))):
            who = await stage.mover(eyes.code)
            (board,) = eyes.boards(who)
            step = next(b["callback_data"] for b in board.buttons if b["text"].startswith("KM"))
            if number % 2:
                fake.offline.add(who["id"])
            await stage.pressed(who, board, code=step)
            await eyes.settled()
            fake.offline.discard(who["id"])
            fake.restart_client(who)
            (board,) = eyes.boards(who)
            assert not board.ephemeral
            if any(b["text"] == "Back" for b in board.buttons):
                # Whoever has missed one gets the next step on the shared board as well.
                at_once += 1
            else:
                handle = await eyes.press(who, board, step)
                assert handle.answer["text"]
                (board,) = eyes.boards(who)
                assert any(b["text"] == "Back" for b in board.buttons), board
                again += 1
            if not await eyes.move():
                break
        clean(stage)
        said = f"{again + at_once} answers lost, {at_once} there all the same, the others after"
        return f"{said} a second press; {counted(eyes, 0)}"


async def restarts(folder: Path, share: float) -> str:
    """The bot is killed while boards are covered; nothing is covered for long afterwards."""
    async with staged(folder) as stage:
        eyes = await Eyes.opened(stage, HIDDEN, "kills", old=False, number=6)
        await eyes.at_board(eyes.people[0], Action.MINE)
        kills = 0
        for who in eyes.people:
            (board,) = eyes.boards(who)
            if not board.ephemeral:
                await eyes.at_board(who, Action.MINE)
            await _killed(eyes)
            kills += 1
            await eyes.press(who, eyes.boards(who)[0], _moves(eyes, who)[1])
            await _killed(eyes)
            kills += 1
            await eyes.press(who, eyes.boards(who)[0], _moves(eyes, who)[0])
            await eyes.ready(who, eyes.group)
        await stage.until(lambda: _one_acts(eyes), PATIENCE)
        for _ in range(max(2, round(20 * share))):
            mover = await stage.mover(eyes.code)
            waits = next(one for one in eyes.people if one is not mover)
            await eyes.at_board(waits, Action.MORE)
            await _killed(eyes)
            kills += 1
            await eyes.move()
            (board,) = eyes.boards(waits)
            assert not board.ephemeral, "the shared board is back at the next move"
        clean(stage)
        return f"{kills} kills in the middle, {eyes.screens} screens looked at"


def _moves(eyes: Eyes, who: dict) -> list[str]:
    (board,) = eyes.boards(who)
    return [b["callback_data"] for b in board.buttons if b.get("style")]


async def _killed(eyes: Eyes) -> None:
    await eyes.stage.bot.stop(signal.SIGKILL)
    await eyes.stage.begin()


async def stale(folder: Path, share: float) -> str:
    """Buttons of one's own board that a client shows although it is gone: refused in words."""
    async with staged(folder) as stage:
        eyes = await Eyes.opened(stage, FIXED, "stale", old=False, number=7)
        refused = 0
        await eyes.shows()
        for _ in range(max(3, round(20 * share))):
            who = await stage.mover(eyes.code)
            (board,) = eyes.boards(who)
            step = next(b["callback_data"] for b in board.buttons if b["text"].startswith("KM"))
            await eyes.press(who, board, step)
            (mine,) = eyes.boards(who)
            if not mine.ephemeral:
                # The group takes nothing now, so the shared board asks.
                await eyes.move()
                await asyncio.sleep(6.0)
                continue
            buttons = [b for b in mine.buttons if b["callback_data"].startswith("m.")]
            stage.fake.fail("deleteEphemeralMessage", drop=True, times=1)
            await stage.pressed(who, mine, code=buttons[0]["callback_data"])
            await eyes.settled()
            before = (await stage.table(eyes.code)).version
            # Telegram never deleted it, so the client shows it still.
            mine.deleted, mine.shown = False, True
            handle = await stage.fake.press(who, mine, stale=buttons[-1])
            await handle.answered(20)
            assert handle.answer["text"], handle.answer
            assert (await stage.table(eyes.code)).version == before
            await eyes.settled()
            mine.deleted = True
            eyes.look()
            refused += 1
            if not await eyes.move():
                break
        clean(stage)
        assert refused
        return f"{refused} presses on boards that were gone: each refused in words"


SCENES: dict[str, Scene] = {
    "whole games, new clients": new,
    "whole games, old clients": old,
    "to their ends": to_the_end,
    "lost answers": lost,
    "restarts": restarts,
    "stale buttons": stale,
}


def main() -> None:
    """Run what is asked for, and end with 1 where a scene has failed."""
    run_scenes("telegram_ephemeral", __doc__, SCENES)


if __name__ == "__main__":
    main()
