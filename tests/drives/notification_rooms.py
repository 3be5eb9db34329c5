"""Tables of both platforms as the drive of calls sees them: who does what, and who hears of it."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from typing import Any

from bot.session.table import Table
from storage.records import ViewRow
from tests.drives.call_world import PATIENCE, REMOVED, Deed, Heard, World


@dataclass
class Room:
    """A place of one platform with people of its own; each answers what a person can do there."""

    world: World
    name: str
    people: list[Any] = field(default_factory=list)
    place: Any = None
    code: str = ""

    platform = ""

    def __post_init__(self) -> None:
        self.settle()

    # ---------------------------------------------------------------- of the platform

    def settle(self) -> None:
        """Make the place and its three people."""
        raise NotImplementedError

    async def command(self, who: Any, name: str, *, private: bool = False, **values: Any) -> Any:
        """*who* gives a command; what answers it."""
        raise NotImplementedError

    async def challenged(self, game: str = "niya") -> None:
        """The first challenges the second."""
        raise NotImplementedError

    async def press(self, who: Any, message: Any, label: Any = None, *, code: str = "") -> None:
        """*who* presses a button of *message*; there is an answer to it."""
        raise NotImplementedError

    async def say(self, count: int) -> None:
        """The third one writes *count* messages that have nothing to do with us."""
        raise NotImplementedError

    def called(self, who: Any, since: float) -> list[Heard]:
        """The new messages that have notified *who* after *since*, on his platform."""
        raise NotImplementedError

    def shown_by(self, view: ViewRow) -> Any:
        """The message of *view*."""
        raise NotImplementedError

    def codes(self, message: Any) -> list[str]:
        """What its buttons carry."""
        raise NotImplementedError

    def named(self, who: Any) -> str:
        """His name."""
        raise NotImplementedError

    def private(self, who: Any) -> Any:
        """His private chat."""
        raise NotImplementedError

    def written(self, since: float) -> int:
        """How many sends and edits went to this place after *since*."""
        raise NotImplementedError

    # ---------------------------------------------------------------- at the table

    async def board(self, place: Any = None) -> Any:
        """The message that shows the table here, or in another *place* of this platform."""
        wanted = str((place or self.place)["id"])

        async def found() -> Any:
            for view in await self.world.views(self.code):
                if (view.platform, view.place) == (self.platform, wanted) and view.message:
                    shown = self.shown_by(view)
                    if shown is not None and not shown.deleted and view.shown >= view.owed:
                        return shown
            return None

        return await self.world.until(found, f"the board in {self.name}")

    async def opened(self, who: Any, game: str = "niya", **values: Any) -> None:
        """*who* opens a table to everybody."""
        await self.command(who, "play", game=game, **{"rated": "casual", **values})
        self.code = await self.newest()

    async def newest(self) -> str:
        """The code of the table shown here that was made last."""
        query = "select game from view where platform = ? and place = ? order by id desc"

        async def found() -> str:
            async with self.world.store.reading() as tx:
                values = (self.platform, str(self.place["id"]))
                row = (await tx.exec_driver_sql(query, values)).first()
            return str(row[0]) if row else ""

        return str(await self.world.until(found, f"a table in {self.name}"))

    async def begun(self) -> None:
        """The first two play."""
        await self.challenged()
        await self.press(self.people[1], await self.board(), "Accept")
        await self.playing()

    async def playing(self) -> Table:
        """The table, once it is played at."""

        async def found() -> Table | None:
            table = await self.world.table(self.code)
            return table if table.status == "playing" else None

        table: Table = await self.world.until(found, f"a game in {self.name}")
        return table

    async def seated(self, count: int) -> None:
        """Wait until *count* people sit at the table."""

        async def found() -> bool:
            table = await self.world.table(self.code)
            return sum(player.person is not None for player in table.players) == count

        await self.world.until(found, f"{count} people in {self.name}")

    async def sides(self, *among: Any) -> tuple[Any, Any]:
        """Who is to move, and the other."""
        table = await self.playing()
        (seat,) = table.actors()
        one, other = among or self.people[:2]
        mine = table.players[seat].name == self.named(one)
        return (one, other) if mine else (other, one)

    async def move(self, who: Any, place: Any = None, *, dying: bool = False) -> float:
        """*who* moves by a button of the board here; when he pressed."""
        table = await self.world.table(self.code)

        async def found() -> tuple[Any, str] | None:
            message = await self.board(place)
            codes = [c for c in self.codes(message) if c.startswith("m.")]
            now = [c for c in codes if int(c.split(".")[2], 36) in table.turns]
            return (message, now[0]) if now else None

        message, code = await self.world.until(found, f"buttons in {self.name}")
        at = time.monotonic()
        if dying:
            await self.begin_press(who, message, code)
            return at
        await self.press(who, message, code=code)

        async def moved() -> bool:
            return (await self.world.table(self.code)).version > table.version

        await self.world.until(moved, f"a move in {self.name}")
        return at

    async def begin_press(self, who: Any, message: Any, code: str) -> None:
        """A press whose answer is not waited for."""
        raise NotImplementedError

    async def surely(self, who: Any, name: str) -> float:
        """The command *name*, and yes to the question that it asks back; when that was said."""
        asked = await self.command(who, name, table=self.code)
        at = time.monotonic()
        await self.press(who, asked, code=self.codes(asked)[0])
        return at

    # ---------------------------------------------------------------- what is heard

    async def hears(
        self,
        what: str,
        who: Any,
        since: float,
        words: str,
        *,
        between: tuple[float, float] = (0.0, 8.0),
        place: Any = None,
        boards: bool = False,
    ) -> Heard | None:
        """*who* must be called once with *words*, *between* so many seconds after *since*."""
        begun = time.monotonic()
        last = since + between[1] + 4.0
        found: list[Heard] = []
        while not found and time.monotonic() < max(last, begun + 1.0):
            found = [one for one in self.called(who, since) if re.search(words, one.text)]
            await asyncio.sleep(0.1)
        others = self.called(who, since)
        if not found:
            said = "; ".join(one.text for one in others) or "nothing"
            self._note(what, who, None, f"was not called; heard {said}", said)
            return None
        call = found[0]
        after, wrong = call.at - since, ""
        if not between[0] <= after <= between[1]:
            wrong = f"not between {between[0]:g} and {between[1]:g} s"
        elif len(others) > 1:
            wrong = f"heard {len(others)} messages: {[one.text for one in others]}"
        elif str(call.place) != str((place or self.place)["id"]):
            wrong = "in another place"
        elif call.boards is not boards:
            wrong = "a board" if call.boards else "no board"
        elif not boards and (answered := await self.board(place)).id != call.answers:
            wrong = f"answers {call.answers} and not {answered.id}"
        self._note(what, who, after, wrong, call.text, form="board" if boards else "reply")
        return call

    def not_heard(self, what: str, who: Any, since: float) -> None:
        """*who* must not have been called from *since* until now."""
        heard = [one.text for one in self.called(who, since)]
        wrong = f"was called: {heard}" if heard else ""
        self._note(what, who, None, wrong, "not called", form="–")

    async def gone(self, what: str, call: Heard | None) -> None:
        """A call must be taken away."""
        if call is None:
            return

        async def deleted() -> bool:
            return bool(call.message.deleted)

        began, wrong = time.monotonic(), ""
        try:
            await self.world.until(deleted, "removed", REMOVED)
        except TimeoutError:
            wrong = "the call stands"
        self._note(what, None, time.monotonic() - began, wrong, call.text, form="removed")

    def check(self, what: str, good: bool, said: str) -> None:
        """Note what else must be true."""
        self._note(what, None, None, "" if good else "not so", said, form="–")

    def _note(
        self, what: str, who: Any, after: float | None, wrong: str, said: str, form: str = "?"
    ) -> None:
        name = self.named(who) if who is not None else ""
        self.world.deeds.append(Deed(self.platform, what, name, after, form, said[:90], wrong))


class DiscordRoom(Room):
    """A channel of the emulated Discord."""

    platform = "discord"

    def settle(self) -> None:
        fake = self.world.discord
        self.place = fake.add_channel(fake.guild, self.name)
        self.people = [fake.add_user(f"{one}{self.name}") for one in ("ana", "ben", "cleo")]

    async def command(self, who: Any, name: str, *, private: bool = False, **values: Any) -> Any:
        where = {"dm": True} if private else {"channel": self.place}
        return await (await self.world.discord.slash(who, name, values, **where)).reply()

    async def challenged(self, game: str = "niya") -> None:
        await self.opened(self.people[0], game, opponent=self.people[1])

    async def press(self, who: Any, message: Any, label: Any = None, *, code: str = "") -> None:
        what = {"custom_id": code} if code else {"label": label}
        await (await self.world.discord.click(who, message, **what)).acked(PATIENCE)

    async def begin_press(self, who: Any, message: Any, code: str) -> None:
        await self.world.discord.click(who, message, custom_id=code)

    async def say(self, count: int) -> None:
        for number in range(count):
            await self.world.discord.say(self.people[2], f"talk {number}", channel=self.place)

    def called(self, who: Any, since: float) -> list[Heard]:
        found = []
        for at, whom, message, silent in list(self.world.discord.notifications):
            if whom == who["id"] and at >= since and not silent:
                answers = (message.data.get("message_reference") or {}).get("message_id")
                answers = int(answers) if answers else None
                place, boards = message.data["channel_id"], bool(message.buttons)
                found.append(Heard(at, place, message, answers, boards))
        return found

    def shown_by(self, view: ViewRow) -> Any:
        return self.world.discord.messages.get(view.message)

    def codes(self, message: Any) -> list[str]:
        return [one.get("custom_id") or "" for one in message.buttons if not one.get("disabled")]

    def named(self, who: Any) -> str:
        return str(who["global_name"])

    def private(self, who: Any) -> Any:
        return self.world.discord.dm_channel(who)

    def written(self, since: float) -> int:
        here = str(self.place["id"])
        asked = [one for one in self.world.discord.records if one.t >= since]
        wrote = [one for one in asked if one.method in ("POST", "PATCH")]
        return sum(here in one.path or here in str(one.response) for one in wrote)


class TelegramRoom(Room):
    """A group of the emulated Telegram."""

    platform = "telegram"

    def settle(self) -> None:
        fake = self.world.telegram
        names = [f"{one}{self.name}" for one in ("ana", "ben", "cleo")]
        self.people = [fake.add_user(name.capitalize(), f"{name}_tg") for name in names]
        self.place = fake.add_group(self.name, self.people)

    async def command(self, who: Any, name: str, *, private: bool = False, **values: Any) -> Any:
        line = " ".join([f"/{name}", *(str(value) for value in values.values())])
        said = await self.world.telegram.say(who, line, None if private else self.place)
        return await said.reply(PATIENCE)

    async def challenged(self, game: str = "niya") -> None:
        fake, (first, second, _) = self.world.telegram, self.people
        hello = await fake.say(second, "hello", self.place)
        await fake.say(first, f"/play {game} casual", self.place, reply_to=hello.message)
        self.code = await self.newest()

    async def press(self, who: Any, message: Any, label: Any = None, *, code: str = "") -> None:
        button = {"text": "", "callback_data": code} if code else None
        pressed = await self.world.telegram.press(who, message, label, stale=button)
        await pressed.answered(PATIENCE)

    async def begin_press(self, who: Any, message: Any, code: str) -> None:
        await self.world.telegram.press(who, message, stale={"text": "", "callback_data": code})

    async def say(self, count: int) -> None:
        for number in range(count):
            await self.world.telegram.say(self.people[2], f"talk {number}", self.place)

    def called(self, who: Any, since: float) -> list[Heard]:
        found = []
        for at, whom, message, silent in list(self.world.telegram.notifications):
            if whom == who["id"] and at >= since and not silent:
                answers = (message.data.get("reply_to_message") or {}).get("message_id")
                found.append(Heard(at, message.chat_id, message, answers, bool(message.buttons)))
        return found

    def shown_by(self, view: ViewRow) -> Any:
        return self.world.telegram.messages.get((int(view.place), int(view.message or 0)))

    def codes(self, message: Any) -> list[str]:
        # What can be chosen is coloured; the rest of a board are its squares.
        return [one.get("callback_data") or "" for one in message.buttons if one.get("style")]

    def named(self, who: Any) -> str:
        return str(who["first_name"])

    def private(self, who: Any) -> Any:
        return self.world.telegram.private(who)

    def written(self, since: float) -> int:
        here = str(self.place["id"])
        asked = [one for one in self.world.telegram.records if one.t >= since]
        wrote = [one for one in asked if one.method.lower().startswith(("send", "edit"))]
        return sum(str(one.params.get("chat_id")) == here for one in wrote)
