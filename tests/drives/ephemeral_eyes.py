"""What each person's own client shows of a table in a group, looked at after every press."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.presenters.button_codes import Action
from bot.session.table import PLAYING
from storage import views as stored
from tests.drives.findings import told
from tests.drives.minds import button_for, wanted
from tests.drives.stage import PATIENCE, Stage

WALL = 300
"""Units of a text from which it is a wall in a group."""

SENT = 1.2
"""Seconds within which an ephemeral message goes out after the press that it answers."""

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
    sent: list[float] = field(default_factory=list)
    """The seconds from presses to the ephemeral messages that answer them."""
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
        """Wait until this table owes nothing and nothing is on its way; others go on meanwhile."""

        async def quiet() -> bool:
            async with self.stage.store.reading() as tx:
                rows = await stored.views_of_game(tx, self.code)
            owed = any(row.shown < row.owed for row in rows)
            pending = await self.stage.pending()
            return not owed and not self.stage.fake.pending and not pending

        await self.stage.until(quiet, PATIENCE)
        await asyncio.sleep(0.3)

    async def press(self, who: dict, message: Any, code: str) -> Any:
        """*who* presses *code* on *message*, which their client shows; looked at afterwards."""
        before, asked = len(message.history), len(self.stage.fake.records)
        handle = await self.stage.fake.press(who, message, data=code)
        await handle.answered(20)
        self._timed(handle, asked)
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

    def _timed(self, handle: Any, asked: int) -> None:
        """Hold what answers a press for one person alone against its time: first, and soon."""
        for one in self.stage.fake.records[asked:]:
            if handle.id in str((one.params or {}).get("ephemeral_message_parameters")):
                self.sent.append(one.t - handle.injected)
                assert one.t <= handle.answer_t, "it is sent before the press is answered"
                assert self.sent[-1] <= SENT, self.sent[-1]

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
            await self.ready(who, self.group)
        self.set_up = max(self.set_up, self.presses - began)

    async def ready(self, who: dict, place: dict) -> None:
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
        await self.ready(who, fake.private(who))

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


def counted(eyes: Eyes, before: int) -> str:
    """What a table has cost since the record *before*, in a line."""
    here = str(eyes.group["id"])
    paced = [one for one in eyes.stage.fake.records[before:] if _PACED.match(one.method)]
    made = [one for one in paced if str((one.params or {}).get("chat_id")) == here]
    alone = [one for one in made if _is_ephemeral(one)]
    moves = max(1, eyes.moves)
    sent = f"; for one person {told(eyes.sent)} after the press" if eyes.sent else ""
    set_up = f", {eyes.set_up} presses to a finished set-up" if eyes.set_up else ""
    return (
        f"{eyes.moves} moves, {eyes.presses} presses, {eyes.links} of them to a link, "
        f"{eyes.screens} screens looked at{set_up}; a move {(len(made) - len(alone)) / moves:.2f} "
        f"calls that others see, {len(made) / moves:.2f} with those that one sees; no wall{sent}"
    )


def _is_ephemeral(record: Any) -> bool:
    return "Ephemeral" in record.method or "ephemeral_message_parameters" in (record.params or {})
