"""A board of one's own in a group: ``python -m tests.drives.telegram_ephemeral [--share S]``.

Whole games by buttons alone in groups of an emulated Telegram, by what each person's own client
shows: with new clients and old ones, answers that never arrive, clients and the bot that start anew
in the middle, and buttons of boards that have gone. Every screen of every person is looked at after
every press: nobody sees two boards of a table, a secret of another, a wall of text, or somebody
else's buttons. *share* is the part of the full numbers. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import asyncio
import random
import re
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.presenters.button_codes import Action
from bot.session.table import PLAYING
from storage import views as stored
from tests.drives.minds import button_for, wanted
from tests.drives.scenes import run_scenes
from tests.drives.stage import PATIENCE, Stage, staged
from tests.drives.telegram_checks import clean

WALL = 300
"""Units of a text from which it is a wall in a group."""

HIDDEN, FIXED = "storill", "storill setup=fixed"

_PACED = re.compile(r"(?i)^(send|edit)")


@dataclass
class Eyes:
    """A table in a group, and what its people see and press."""

    stage: Stage
    group: dict
    people: tuple[dict, dict]
    stranger: dict
    wish: str
    rng: random.Random
    code: str = ""
    presses: int = 0
    links: int = 0
    screens: int = 0
    set_up: int = 0
    moves: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    @classmethod
    async def opened(cls, stage: Stage, wish: str, name: str, *, old: bool, number: int) -> Eyes:
        """A table of *wish* between two people of a group of their own; *old* is their client."""
        fake = stage.fake
        people = [fake.add_user(f"{one}{name}x", ephemeral=not old) for one in ("First", "Second")]
        stranger = fake.add_user(f"Third{name}x", ephemeral=not old)
        group = fake.add_group(f"Club {name}", [*people, stranger])
        asked = await fake.say(people[0], f"/play {wish}", group)
        board = await asked.reply(PATIENCE, predicate=lambda m: m.buttons)
        await stage.pressed(people[1], board, label="Sit down")
        eyes = cls(stage, group, (people[0], people[1]), stranger, wish, random.Random(number))
        eyes.code = await stage.begun(group, set())
        await stage.shown(eyes.code)
        return eyes

    @property
    def everybody(self) -> tuple[dict, ...]:
        return (*self.people, self.stranger)

    def boards(self, who: dict, place: dict | None = None) -> list[Any]:
        """The pictures with buttons of the table that *who* sees, in the group by default."""
        return [m for m in self.stage.fake.sees(who, place or self.group) if self._is_board(m)]

    def _is_board(self, message: Any) -> bool:
        codes = [b.get("callback_data", "") for b in message.buttons]
        return bool(message.photo) and any(one.split(".")[1:2] == [self.code] for one in codes)

    def look(self) -> None:
        """Look at the screen of everybody in the group."""
        for who in self.everybody:
            boards = self.boards(who)
            assert len(boards) == 1, (who["first_name"], boards)
            self.screens += 1
            for message in self.stage.fake.sees(who, self.group):
                mine = message.data.get("_mine")
                assert not message.ephemeral or message.viewer == who["id"]
                wall = mine and not message.ephemeral and not message.photo
                assert not wall or len(message.text) < WALL, message
                if message.ephemeral and mine and message.replaces is not None:
                    self.seen["in place of the board"] += 1

    async def settled(self) -> None:
        """Wait until nothing is owed and nothing is on its way."""

        async def quiet() -> bool:
            async with self.stage.store.reading() as tx:
                owed = await stored.owing_views(tx)
            pending = await self.stage.pending()
            return not owed and not self.stage.fake.pending and not pending

        await self.stage.until(quiet, PATIENCE)
        await asyncio.sleep(0.3)

    async def press(self, who: dict, message: Any, code: str) -> Any:
        """*who* presses *code* on *message*, which their client shows; looked at afterwards."""
        before = len(message.history)
        handle = await self.stage.fake.press(who, message, data=code)
        await handle.answered(20)
        self.presses += 1
        assert handle.latency < 3.0, handle.latency
        if handle.answer["url"]:
            self.links += 1
        await self.settled()
        if message.ephemeral or code[0] in (Action.MOVE, Action.BACK):
            # What is shown next comes as soon as the group takes an edit, maybe in some seconds.
            await self.stage.until(partial(self._changed, who, message, before), PATIENCE)
        self.look()
        return handle

    async def _changed(self, who: dict, message: Any, before: int) -> bool:
        """Whether *who* sees something else than *message* as it was *before*."""
        gone = message.deleted or not any(m is message for m in self.boards(who))
        return gone or len(message.history) > before

    async def over(self) -> bool:
        return (await self.stage.table(self.code)).status != PLAYING

    async def at_board(self, who: dict, act: Action) -> Any:
        """*who* presses the button of *act* on the board they see."""
        (board,) = self.boards(who)
        code = next(
            b["callback_data"]
            for b in board.buttons
            if b.get("callback_data", "").startswith(f"{act}.")
        )
        return await self.press(who, board, code)

    async def shows(self) -> None:
        """Everybody types a command that only the bot reads: their clients are known then."""
        for who in self.everybody:
            await self.stage.fake.say(who, "/games", self.group)
        await asyncio.sleep(1.0)
        await self.settled()

    # ---------------------------------------------------------------- whole games

    async def sets_up(self, who: dict) -> None:
        """*who* makes a hidden set-up in the group: one exchange, then ready."""
        began = self.presses
        await self.at_board(who, Action.MINE)
        (board,) = self.boards(who)
        if not board.ephemeral:
            await self._in_private(who)
        else:
            for number in (1, 0):
                (board,) = self.boards(who)
                moves = [b["callback_data"] for b in board.buttons if b.get("style")]
                await self.press(who, board, moves[number])
                self._no_secret(who)
            await self._ready(who, self.group)
        self.set_up = max(self.set_up, self.presses - began)

    async def _ready(self, who: dict, place: dict) -> None:
        board = self.boards(who, place)[-1]
        ready = next(b["callback_data"] for b in board.buttons if "eady" in b["text"])
        await self.press(who, board, ready)

    async def _in_private(self, who: dict) -> None:
        """By the link, as old clients do."""
        fake = self.stage.fake
        await fake.start_bot(who, self.code)

        async def there() -> bool:
            return bool(self.boards(who, fake.private(who)))

        await self.stage.until(there, PATIENCE)
        await self._ready(who, fake.private(who))

    def _no_secret(self, who: dict) -> None:
        """Nobody else sees where the units of *who* stand."""
        for other in self.everybody:
            if other is not who:
                (board,) = self.boards(other)
                mine = board.ephemeral and other in self.people
                assert mine or not any(b["text"].startswith("⇄") for b in board.buttons)

    async def move(self) -> bool:
        """One move towards an end by what the mover sees; false where the game is over."""
        table = await self.stage.table(self.code)
        if table.status != PLAYING:
            return False
        (seat,) = table.actors()
        name = table.players[seat].name
        who = next(one for one in self.people if one["first_name"] == name)
        steps = await asyncio.to_thread(wanted, table, seat, self.rng)
        while True:
            (board,) = self.boards(who)
            codes = [
                b["callback_data"]
                for b in board.buttons
                if b.get("style") and b.get("callback_data", "").startswith("m.")
            ]
            chosen = button_for(codes, steps)
            if chosen is None:
                # Another move was begun: the way back first.
                await self.at_board(who, Action.BACK)
                continue
            version = table.version
            await self.press(who, board, chosen)
            if (await self.stage.table(self.code)).version > version:
                self.moves += 1
                return True


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
            lines.append(f"{wish}: {_counted(eyes, before)}")
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


def _counted(eyes: Eyes, before: int) -> str:
    made = [one for one in eyes.stage.fake.records[before:] if _PACED.match(one.method)]
    alone = [one for one in made if _is_ephemeral(one)]
    moves = max(1, eyes.moves)
    set_up = f", {eyes.set_up} presses to a finished set-up" if eyes.set_up else ""
    return (
        f"{eyes.moves} moves, {eyes.presses} presses, {eyes.links} of them to a link, "
        f"{eyes.screens} screens looked at{set_up}; a move {(len(made) - len(alone)) / moves:.2f} "
        f"calls that others see, {len(made) / moves:.2f} with those that one sees; no wall"
    )


def _is_ephemeral(record: Any) -> bool:
    return "Ephemeral" in record.method or "ephemeral_message_parameters" in (record.params or {})


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
        return f"{said} a second press; {_counted(eyes, 0)}"


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
            await eyes._ready(who, eyes.group)
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
    "lost answers": lost,
    "restarts": restarts,
    "stale buttons": stale,
}


def main() -> None:
    """Run what is asked for, and end with 1 where a scene has failed."""
    run_scenes("telegram_ephemeral", __doc__, SCENES)


if __name__ == "__main__":
    main()
