"""One cell of the matrix: a group in some state, a step of a game there, and what people hear."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

import tests.fakes  # noqa: F401  # facades keep what they are made of
from bot.facade import NO_TABLE
from bot.session.table import OPEN, PLAYING
from games.core.shelf import shelf
from tests.drives.telegram_conditions import (
    BASIC,
    COMMENTS,
    FORUM,
    HIDDEN,
    PRIVATE,
    SWITCHES,
    TOPIC,
    Switch,
    fits,
)
from tests.drives.telegram_house import House

SOON, NEWEST = 3.0, 10.0
"""Seconds within which whoever presses or types hears something, and within which a board is the
newest after the next sign of life."""

TRIALS = (60.0, 240.0, 1500.0, 3600.0)
"""Seconds to skip until each trial that nobody asks for."""

HOUR = 3600.0

INVALID, MOST = (401, 403, 429), 4
"""The requests that Telegram counts against a bot, and how many an hour one cause may bring."""

LIVING = (OPEN, PLAYING)

WAYS = ("press", "line", "service", "nobody")
"""How a group is seen to be alive again after the switch went back."""

STEPS = ("typed", "shelf", "sheet", "invitation", *shelf(), "half-made", "over", PRIVATE)

_HERE = "select distinct subject from view where kind = 'board' and place = :place"

_numbers = itertools.count(1)

_START = ("Start", "Empezar", "Invite", "Invitar", "Open", "Abrir", "Begin")
_ACCEPT, _YES = ("Accept", "Aceptar"), ("Yes", "Sí")
_AGAIN = ("Rematch", "Revancha", "Another", "Otra")


@dataclass
class Cell:
    """A cell, its group and its people; *wrong* collects what breaks the law."""

    world: House
    switches: Sequence[Switch]
    step: str
    language: str
    way: str
    wrong: list[str] = field(default_factory=list)
    topic: int | None = None
    post: Any = None
    code: str = ""

    def __post_init__(self) -> None:
        self.fake, number = self.world.fake, next(_numbers)
        names = (f"Ana{number}x", f"Beto{number}x", f"Cora{number}x")
        people = [self.fake.add_user(n, n.lower(), lang=self.language) for n in names]
        self.first, self.other, self.third = people
        kinds = frozenset().union(*(one.needs for one in self.switches))
        self.chat = self.fake.add_group(
            f"Club {number}",
            people,
            forum=FORUM in kinds,
            basic=BASIC in kinds,
            hidden=HIDDEN in kinds,
        )
        self.chat["_members"][self.first["id"]] = "creator"
        self.kinds = kinds

    # ---------------------------------------------------------------- people

    async def say(self, who: dict, text: str) -> Any:
        """*who* writes where the table is."""
        if self.post is not None:
            return await self.fake.comment(who, self.post, text)
        return await self.fake.say(who, text, self.chat, thread=self.topic)

    def command(self, english: str, spanish: str, rest: str = "") -> str:
        """A command in the language of the cell."""
        return f"/{english if self.language == 'en' else spanish} {rest}".strip()

    def boards(self) -> list[Any]:
        """Our messages with buttons in the group, the newest last."""
        found = [m for m in self.fake.messages.values() if m.data.get("_mine") and m.keyboard]
        return [m for m in found if m.chat_id == self.chat["id"]]

    def shown(self) -> Any | None:
        """The newest message that shows the table."""
        found = [m for m in self.boards() if self.code and self.code in _codes(m)]
        return found[-1] if found else None

    async def table(self) -> Any:
        return await self.world.facade.services.tables.get(self.code)

    async def mover(self) -> dict:
        """Whose turn it is."""
        table = await self.table()
        seat = next(iter(table.actors()))
        known = {one["first_name"]: one for one in (self.first, self.other, self.third)}
        return known[table.players[seat].name]

    # ---------------------------------------------------------------- the step

    async def prepare(self) -> None:
        """Reach the step, before anything is switched."""
        fake = self.fake
        if FORUM in self.kinds:
            topic = fake.add_topic(self.chat, "Games")
            thread = topic["message_thread_id"] if isinstance(topic, dict) else topic
            self.topic = thread if TOPIC in self.kinds else None
        if COMMENTS in self.kinds:
            channel = fake.add_channel(f"News {self.chat['id']}", self.first, discussion=self.chat)
            self.post = (await fake.post(channel, self.first, "today")).message
        await fake.start_bot(self.first)
        await self.world.rest()
        if self.step in ("typed", "shelf", "sheet"):
            await self._prepare_sheet()
            return
        if self.step == PRIVATE:
            self.chat = fake.private(self.first)
            await self.say(self.first, self.command("play", "jugar", "niya computer"))
            await self._until(lambda: any(map(_table, self.boards())))
            self.code = next(filter(None, map(_table, self.boards())))
            await self._until(self._plays)
            return
        game = self.step if self.step in shelf() else "cirya"
        options = " setup=fixed" if game.startswith("storill") else ""
        line = self.command("play", "jugar", f"{game} @{self.other['username']}{options}")
        await self.say(self.first, line)
        await self._until(lambda: bool(self.boards()))
        self.code = _table(self.boards()[-1])
        if self.step == "invitation":
            return
        await self._pressed(self.other, _labelled(self.boards()[-1], _ACCEPT))
        await self._until(lambda: self._plays())
        if self.step == "half-made":
            who, board = await self.mover(), self.shown()
            await self._pressed(who, (board, _moves(board)[0]))
        elif self.step == "over":
            await self._end()

    async def _prepare_sheet(self) -> None:
        if self.step == "typed":
            return
        await self.say(self.first, self.command("play", "jugar"))
        await self._until(lambda: bool(self.boards()))
        if self.step == "sheet":
            shelf_card = self.boards()[-1]
            await self._pressed(self.first, (shelf_card, shelf_card.buttons[0]))

    async def _end(self) -> None:
        await self.say(self.first, self.command("resign", "rendirse", self.code))
        await self._until(lambda: self._question() is not None)
        await self._pressed(self.first, self._question())

    def _question(self) -> Any:
        """The yes to what the first person is asked, in the group or in the private chat."""
        places = (self.chat["id"], self.first["id"])
        found = [m for m in self.fake.messages.values() if m.chat_id in places and m.keyboard]
        found += [e for e in self.fake.ephemerals if self.fake._on_screen(e, self.first)]
        asked = [_labelled(m, _YES, soft=True) for m in found if m.data.get("_mine", m.ephemeral)]
        return next((one for one in reversed(asked) if one), None)

    def _plays(self) -> bool:
        board = self.shown()
        return board is not None and bool(_moves(board))

    async def _until(self, found: Any, seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not found() and time.monotonic() < end:
            await asyncio.sleep(0.01)
        if not found():
            self.wrong.append("the step was not reached")
            raise NotReached
        await self.world.rest()

    def _seen(self, who: dict, message: Any) -> Any:
        """What *who* sees in place of *message*: itself, or what only they have there."""
        mine = [e for e in self.fake.ephemerals if e.replaces is message]
        return next((e for e in mine if self.fake._on_screen(e, who)), message)

    async def _pressed(self, who: dict, what: tuple[Any, dict]) -> Any:
        message, button = what
        handle = await self.fake.press(who, message, data=button["callback_data"])
        await self.world.rest()
        return handle

    # ---------------------------------------------------------------- what is heard

    async def act(self) -> None:
        """Press what stands there, and type: whoever does hears something true."""
        board = self._to_press()
        if board is not None:
            who, message, button = board
            if self.fake._in(self.chat, who["id"]):
                await self._heard_press(who, message, button)
        if self.step == "typed":
            line = self.command("play", "jugar", "niya")
        else:
            line = self.command("games", "partidas")
        await self._heard_line(self.first, line)

    def _to_press(self) -> tuple[dict, Any, dict] | None:
        boards = self.boards()
        if self.step == "typed" or not boards:
            return None
        if self.step == "shelf":
            return self.first, boards[-1], boards[-1].buttons[0]
        if self.step == "sheet":
            found = _labelled(boards[-1], _START, soft=True)
            message, button = found or (boards[-1], boards[-1].buttons[-1])
            return self.first, message, button
        if self.step == "invitation":
            return self.other, *_labelled(boards[-1], _ACCEPT)
        board = self.shown()
        if board is None:
            return None
        if self.step == "over":
            found = _labelled(board, _AGAIN, soft=True)
            return (self.first, *found) if found else None
        mover = self._mover_now
        board = self._seen(mover, board)
        moves = _moves(board)
        return (mover, board, moves[0]) if moves else None

    async def _heard_press(self, who: dict, message: Any, button: dict) -> None:
        before = (await self.table()).version if self.code else 0
        since = time.monotonic()
        handle = await self.fake.press(who, message, data=button["callback_data"])
        answer = await self._within(lambda: handle.answer)
        if answer is None:
            self.wrong.append(f"the press of {button['text']!r} was not answered in {SOON} s")
            return
        said = answer["text"] or ""
        if not (said or answer["url"]):
            told = await self._within(
                lambda: handle.effects() or self.fake.notified(who, since=since)
            )
            if not told:
                self.wrong.append(f"the press of {button['text']!r} was answered blank")
        if (
            said.startswith(("Done", "Hecho", "Tomas", "You take", "Te sale", "You roll"))
            and (await self.table()).version <= before
        ):
            self.wrong.append(f"the toast {said!r} is not true")

    async def _heard_line(self, who: dict, line: str) -> None:
        since = time.monotonic()
        handle = await self.say(who, line)
        if not handle.seen:
            return
        if any(one.deaf for one in self.switches):
            return
        names = {one.name for one in self.switches}
        if handle.message.ephemeral and names >= {"blocked", "four minutes"}:
            # The group takes nothing for now, the private chat nothing at all, and a line that we
            # alone got has no number to react to.
            return
        number = handle.message.id

        def heard() -> object:
            reaction = self.fake.reactions.get((handle.chat_id, number, self.fake.me["id"]))
            sent = [e for e in self.fake.effects if e[0] >= since and e[2] != "edited"]
            mine = [e for e in sent if e[3] in (self.chat["id"], who["id"])]
            return reaction or mine

        if not await self._within(heard):
            self.wrong.append(f"{line!r} was not answered in {SOON} s")

    async def _within(self, found: Any, seconds: float = SOON) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if result := found():
                return result
            await asyncio.sleep(0.01)
        return found()

    # ---------------------------------------------------------------- the whole

    async def run(self) -> None:
        """Reach the step, switch, act, switch back, give a sign of life, and look."""
        records = len(self.fake.records)
        try:
            await self.prepare()
        except NotReached:
            return
        if self.code and self.step not in ("invitation", "over"):
            self._mover_now = await self.mover()
        began = len(self.fake.records)
        for one in self.switches:
            await one.on(self)
        await self.world.rest()
        await self.act()
        await self.world.rest()
        if self.way == "nobody":
            await self._last()
        self._count(began)
        for one in reversed(self.switches):
            await one.off(self)
        await self.sign()
        await self.look()
        bad = [r for r in self.fake.records[records:] if r.violations]
        self.wrong += [f"{r.method}: {r.violations[0]}" for r in bad[:2]]
        self.fake.reactions.clear()

    async def _last(self) -> None:
        """Let the state last for an hour, in which nobody comes.

        What is tried again after an hour is of the next one.
        """
        for seconds in (*TRIALS[:3], HOUR - sum(TRIALS[:3]) - 60):
            await self.world.skip(seconds)

    def _count(self, began: int) -> None:
        """Count what Telegram counts against us, in the hour of the state at most."""
        bad = [r for r in self.fake.records[began:] if r.status in INVALID]
        if len(bad) > MOST:
            self.wrong.append(f"{len(bad)} invalid requests: {[r.method for r in bad]}")

    async def sign(self) -> None:
        """Somebody presses or writes, the group tells something, or nobody does."""
        match self.way:
            case "press" if self.shown() is not None:
                board, private = self.shown(), self.step == PRIVATE
                who = self.first if private else self.third
                board = self._seen(who, board)
                await self.fake.press(who, board, data=_any(board)["callback_data"])
            case "press" | "line" | "service" if self.way != "service" or self.step == PRIVATE:
                await self.say(self.first, self.command("games", "partidas"))
            case "service" if self.step != PRIVATE:
                newcomer = self.fake.add_user(f"New{next(_numbers)}", lang=self.language)
                await self.fake.join(newcomer, self.chat)
        await self.world.rest()

    async def look(self) -> None:
        """The board is the newest, and there is one."""
        if self.way == "nobody":
            # After an hour of the state the trials are an hour apart; one whose line breaks, as it
            # does where an hour passes at once, is made again after a minute.
            for seconds in (HOUR, TRIALS[0], HOUR):
                if not await self.behind():
                    break
                await self.world.skip(seconds + 1)
                await self._until_newest(5.0)
        else:
            await self._until_newest(0.5)
            if await self.behind():
                # A press in the first moments after a refusal is heeded a little later.
                await self.world.skip(NEWEST - 1)
                await self._until_newest(2.0)
        if late := await self.behind():
            self.wrong.append(f"behind: {late}")
        # The board that a new one replaces goes just after that is noted.
        await self._within(lambda: max(self._living().values(), default=0) <= 1)
        for code, count in self._living().items():
            if count > 1:
                self.wrong.append(f"{count} living boards of {code}")

    async def _until_newest(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while await self.behind() and time.monotonic() < end:
            await asyncio.sleep(0.03)

    async def behind(self) -> str:
        """What is not the newest in the group; nothing where all is well."""
        for code in await self._codes_here():
            table = await self.world.facade.services.tables.get(code)
            for view in await self.world.views(code, self.chat["id"]):
                if view.message is None and table.status not in LIVING:
                    continue  # a group that moves does not get again what is over
                known = self.fake.messages.get((self.chat["id"], int(view.message or 0)))
                if known is None:
                    return f"{code} has no board"
                if view.shown < view.owed or view.shown < table.version:
                    return f"{code} shows {view.shown} of {table.version}"
                if table.status == "playing" and not known.data.get("photo"):
                    return f"{code} has no picture"
                stray = (known.data.get("message_thread_id") or None) != self._thread()
                if stray and COMMENTS in self.kinds:
                    return f"{code} stands outside its thread"
        return ""

    def _thread(self) -> int | None:
        return self.post.discussion.id if self.post is not None else self.topic

    async def _codes_here(self) -> list[str]:
        async with self.world.facade.store.reading() as tx:
            here = {"place": str(self.chat["id"])}
            return list((await tx.execute(text(_HERE), here)).scalars())

    def _living(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for message in self.boards():
            codes = {code.split(".")[1] for code in _all(message) if code.startswith("m.")}
            for code in codes:
                found[code] = found.get(code, 0) + 1
        return found


class NotReached(Exception):
    """A step could not be reached."""


def _all(message: Any) -> list[str]:
    return [b["callback_data"] for b in message.buttons if "callback_data" in b]


def _codes(message: Any) -> set[str]:
    return {code.split(".")[1] for code in _all(message) if code.count(".") >= 1}


def _table(message: Any) -> str:
    """The code of the table that *message* shows; nothing where it shows none."""
    found = (code.split(".")[1] for code in _all(message) if code.count("."))
    return next((code for code in found if code != NO_TABLE), "")


def _moves(message: Any) -> list[dict]:
    """The buttons of what can be chosen, not the blanks of a board."""
    found = [b for b in message.buttons if b.get("callback_data", "").startswith("m.")]
    return [b for b in found if b.get("style")] or found


def _any(message: Any) -> dict:
    """A button that changes nothing for others, nor brings the keys of a turn once more."""
    wanted = ("More", "Más", "In words", "En palabras")
    found = [b for text in wanted for b in message.buttons if b["text"] == text]
    return (found or message.buttons)[0]


def _labelled(message: Any, labels: Sequence[str], *, soft: bool = False) -> Any:
    for button in message.buttons:
        if "callback_data" in button and button["text"].startswith(tuple(labels)):
            return message, button
    if soft:
        return None
    raise AssertionError(f"none of {labels} among {message.labels}")


def singles(*, all_ways: bool = False) -> list[tuple[tuple[str, ...], str, str, str]]:
    """Every state at every step in both languages: with each way back, or by turns with one."""
    cells = itertools.product(enumerate(SWITCHES), enumerate(STEPS), enumerate(("en", "es")))
    return [
        ((name,), step, language, WAYS[(i + j + 2 * k + more) % len(WAYS)])
        for (i, name), (j, step), (k, language) in cells
        for more in range(len(WAYS) if all_ways else 1)
        if fits((name,), step)
    ]
