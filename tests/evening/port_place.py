"""A chat that is nothing but the port: people, messages and faults at ``bot.port.Chat`` itself.

It has no library and no wire, so a press costs little. The seed draws what such a chat is like:
whether it knows a repeated posting by its nonce, as Discord does, or tells what stands newest and
removes what was posted twice, as Telegram does, and hands presses to the next house then.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import aiohttp

from bot.facade import OPENED, Facade
from bot.port import (
    Answer,
    Asker,
    BlockedByFilter,
    BoardAnswer,
    Capabilities,
    Card,
    Chat,
    ChatError,
    Command,
    FileAnswer,
    Home,
    Later,
    MenuAnswer,
    MessageGone,
    MessageStuck,
    Pace,
    Ping,
    PlaceShut,
    PlaceStanding,
    Poster,
    Press,
    Promised,
    RequestRefused,
    ReservedBoard,
    Screen,
    Shown,
    Target,
    ThreadShut,
    Where,
)
from tests.evening.loop import Mortal, running_house
from tests.evening.screens import Heard, Place, Seen
from tests.evening.wire import WAYS, Net

GROUP = "group"

SAME = "Ya estaba así."
"""What this chat says where a message shows already what it is to show."""

FAMILIES: dict[str, Callable[[], ChatError]] = {
    "later": lambda: Later(7.0),
    "shut": lambda: PlaceShut("shut"),
    "shut for long": lambda: PlaceShut("shut"),
    "thread shut": lambda: ThreadShut("closed"),
    "filter": lambda: BlockedByFilter("a name"),
    "refused": lambda: RequestRefused("new"),
    "gone": lambda: MessageGone("gone"),
    "stuck": lambda: MessageStuck("too old"),
    "429": lambda: Later(3.0),
}
"""What the refusals of ``refusals.toml`` are at the port; all else is a plain ``ChatError``."""


@dataclass
class Message:
    """What stands in a place."""

    id: str
    where: Where
    screen: Screen | None = None
    words: str = ""
    viewer: str = ""
    """Who alone sees it, by their id; the place says it where nobody is named."""
    document: object = None
    """The film or card that it carries, which somebody asked to keep."""

    def __post_init__(self) -> None:
        self.seen = self._seen()

    def _seen(self) -> Seen:
        shared, screen = not self.viewer and not self.where.private, self.screen
        if screen is None:
            return Seen(self.id, self.words, (), self.where.place, shared, self)
        text = "\n".join((screen.headline, *screen.lines))
        live = tuple(
            (one.label, one.code)
            for row in screen.buttons
            for one in row
            if one.style in ("move", "final") or not one.code.startswith("m.")
        )
        mentions = tuple(one.external for one in screen.mentions)
        path = () if screen.scene is None else screen.scene.path
        look = (screen.alt, *path, *(choice.chosen for choice in screen.choices))
        return Seen(self.id, text, live, self.where.place, shared, self, mentions, look)

    def show(self, screen: Screen | None, words: str = "") -> None:
        """Show something else."""
        self.screen, self.words = screen, words
        self.seen = self._seen()

    @property
    def reader(self) -> str:
        """Who alone reads it, "" where everybody does."""
        return self.viewer or (self.where.place if self.where.private else "")


@dataclass
class Update:
    """A press or a command as the platform hands it on."""

    number: int
    asked: Press | Command
    heard: Heard | None = None
    answers: list[str] = field(default_factory=list)
    """The houses that have answered it, each time that they did."""
    taker: PortChat | None = None
    """Who handles it."""


@dataclass
class SmallPort:
    """The platform: it outlives the houses."""

    net: Net
    messages: dict[str, Message] = field(default_factory=dict)
    nonces: dict[str, str] = field(default_factory=dict)
    updates: dict[int, Update] = field(default_factory=dict)
    """What nobody has taken yet, or taken and not done with."""
    managers: set[str] = field(default_factory=set)
    chats: list[PortChat] = field(default_factory=list)
    """Those of all houses that are there: each may be asked."""
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        lot = self.net.world.lot("port")
        self.knows_nonces, self.threads = lot.random() < 0.5, lot.random() < 0.3
        self.pace = lot.choice((Pace(), Pace(), Pace(20, 60.0, 5)))

    def connected(self) -> PortChat | None:
        """The chat of a living house."""
        there = [one for one in self.chats if one.is_there]
        if len(there) < 2:
            return there[0] if there else None
        return self.net.world.lot("port houses").choice(there)

    def post(self, message: Message) -> Message:
        """Put a new *message* below all others."""
        self.messages[message.id] = message
        return message

    def new(self, where: Where, **more: Any) -> Message:
        return self.post(Message(str(next(self._ids)), where, **more))

    def give(self, update: Update) -> None:
        """Hand *update* to the house, which may not be there."""
        if not self.knows_nonces:
            self.updates[update.number] = update
        if (chat := self.connected()) is not None:
            chat.take_update(update)

    def connect(self, chat: PortChat) -> None:
        if chat not in self.chats:
            self.chats.append(chat)
        for update in list(self.updates.values()):
            if update.taker is None or not update.taker.is_there:
                chat.take_update(update)


class PortCall:
    """A call of a chat, as the network sees it."""

    of_telegram, platform, key, at = False, "port", "", 0.0
    files: dict[str, Any] = {}  # noqa: RUF012

    def __init__(
        self,
        port: SmallPort,
        verb: str,
        where: Where,
        told: Sequence[object],
        done: Callable[[], object],
        about: str = "",
        people: Sequence[str] = (),
    ) -> None:
        self.people = people
        self.port, self.verb, self.where, self.told = port, verb, where, told
        self.done, self.about, self.message = done, about, about
        self.line, self.place = f"port {verb}", f"port/{where.place}"
        self.sends, self.edits = verb in ("post", "call"), verb == "edit"
        self.answers = verb == "answer"
        self.by = running_house.get()
        self.house = getattr(self.by, "name", "-")

    @property
    def press(self) -> str:
        return self.about

    @property
    def alone(self) -> bool:
        return self.where.private or self.answers

    def tables(self) -> set[str]:
        screens = [one for one in self.told if isinstance(one, Screen)]
        codes = [one.code for screen in screens for row in screen.buttons for one in row]
        return {code.split(".")[1] for code in codes if code.count(".") == 4} - {"0000"}

    def called(self) -> set[str]:
        """The ids of the people whom it mentions."""
        return set(self.people)

    def linked(self) -> set[str]:
        return {str(one) for one in self.told if isinstance(one, str)}

    @staticmethod
    def sent(answer: object) -> str:
        return str(answer or "")

    def text(self) -> str:
        return " ".join(
            f"{one.headline} {one.lines}" if isinstance(one, Screen) else str(one)
            for one in self.told
        )

    def digest(self) -> str:
        told = "\n".join(one.digest if isinstance(one, Screen) else str(one) for one in self.told)
        return hashlib.sha256(told.encode()).hexdigest()[:8]

    def refusal(self, what: str) -> ChatError:
        name = what.removeprefix("refused: ")
        if name == "gone":
            self.port.messages.pop(self.about, None)
        return FAMILIES.get(name, lambda: ChatError(name))()

    async def effect(self, net: Net) -> object:
        try:
            result = self.done()
        except ChatError as wrong:
            for hear in net.troubled:
                hear(self, f"said: {wrong!r}")
            return wrong
        for hear in net.heard:
            hear(self, result)
        return result


class PortChat(Chat):
    """The chat of one house."""

    platform = "port"

    def __init__(self, facade: Facade, port: SmallPort) -> None:
        self.facade, self.port = facade, port
        house = running_house.get()
        assert house is not None
        self.house: Mortal = house
        self.capabilities = Capabilities(threads=port.threads, lists_people=port.knows_nonces)
        self._taken: set[asyncio.Task[Any]] = set()
        self._resting = False

    # ---------------------------------------------------------------- the port

    async def start(self) -> None:
        self.port.connect(self)

    async def rest(self) -> None:
        self._resting = True
        if self._taken:
            await asyncio.wait(self._taken)

    async def stop(self) -> None:
        if self in self.port.chats:
            self.port.chats.remove(self)

    def is_connected(self) -> bool:
        return not self._resting

    @property
    def is_there(self) -> bool:
        """Whether it takes what people do."""
        return not (self._resting or self.house.dead)

    def pace(self, where: Where) -> Pace:
        return Pace() if where.private else self.port.pace

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        told = (screen, hashlib.sha256(picture or b"").hexdigest(), target.nonce)
        port, message = self.port, target.message

        def edit() -> str:
            if message not in port.messages:
                raise MessageGone("there is no such message")
            port.messages[message].show(screen)
            return message

        def post() -> str:
            known = port.messages.get(port.nonces.get(target.nonce, ""))
            if port.knows_nonces and target.nonce and known is not None:
                known.show(screen)
                return known.id
            new = port.new(target.where, screen=screen)
            port.nonces[target.nonce] = new.id
            return new.id

        if message is not None:
            return Shown(await self._call("edit", target.where, told, edit, message))
        return Shown(await self._call("post", target.where, told, post), fresh=True, called=True)

    def newest(self, where: Where, board: str | None) -> str | None:
        del board
        if self.port.knows_nonces:
            return None
        return next(
            reversed([one.id for one in self.port.messages.values() if _at(one, where)]), "0"
        )

    async def remove_repeated(
        self, where: Where, after: str, before: str, skips: Callable[[str], Awaitable[bool]]
    ) -> None:
        between = [
            one.id
            for one in list(self.port.messages.values())
            if _at(one, where) and one.screen is not None and one.screen.buttons
            and not one.viewer and int(after) < int(one.id) < int(before or 0)
        ]  # fmt: skip
        for message in between:
            if not await skips(message):
                await self.remove(where, message)

    async def ping(self, where: Where, ping: Ping) -> str | None:
        words = " ".join((*(f"@{one.name}" for one in ping.people), ping.text))

        def call() -> str:
            if ping.nonce not in self.port.nonces:
                self.port.nonces[ping.nonce] = self.port.new(where, words=words).id
            return self.port.nonces[ping.nonce]

        ids = [one.external for one in ping.people]
        told = (words, ping.board, ping.nonce)
        return str(await self._call("call", where, told, call, people=ids))

    async def remove(self, where: Where, message: str) -> None:
        removing = self.port.messages.pop
        await self._call("remove", where, (), lambda: removing(message, None) and None, message)

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        return PlaceStanding(manages=asker.external in self.port.managers)

    async def part(self, where: Where, name: str) -> Where:
        def part() -> Where:
            home = where.home and replace(where.home, parts=False)
            return Where("port", f"thread of {self.port.new(where, words=name).id}", home=home)

        return await self._call("part", where, (name,), part)

    # ---------------------------------------------------------------- what people do

    def take_update(self, update: Update) -> None:
        """Handle *update*, for the house."""
        if self._resting:
            return
        update.taker = self
        task = self.port.net.world.spawn(self._handled(update), self.house)
        self._taken.add(task)
        task.add_done_callback(self._taken.discard)

    async def _handled(self, update: Update) -> None:
        asked, places = update.asked, self.facade.boards.places
        if isinstance(asked, Press):
            await places.knock(asked.where, asked.message)
            answer = await self.facade.requests.press(asked)
        else:
            await places.knock(asked.where)
            if asked.where.private:
                await places.first_time(asked.where, OPENED)
            answer = await self.facade.requests.call(asked)
        if isinstance(answer, Promised):
            await self._answer(update, answer)
            answer = await answer.answer
        # The words and the board go by calls of their own, as on Telegram.
        following = [self._answer(update, answer)]
        if isinstance(answer, BoardAnswer) and answer.board is not None:
            following.append(self._board(answer.board))
        await asyncio.gather(*following)
        self.port.updates.pop(update.number, None)

    async def _board(self, board: ReservedBoard) -> None:
        picture = None if board.picture is None else await board.picture
        if not board.is_held:
            return
        try:
            board.report(await self.show(board.target, board.screen, picture))
        except ChatError as wrong:
            board.refuse(wrong)

    async def _answer(self, update: Update, answer: Answer) -> None:
        asked, said = update.asked, answer.said
        told: list[object] = [type(answer).__name__, said]
        if isinstance(answer, FileAnswer | Poster):
            told.append(hashlib.sha256(answer.file.data).hexdigest())
        if isinstance(answer, MenuAnswer | Card):
            told.append(answer.screen)
        house = getattr(self.house, "name", "")

        def give() -> str:
            update.answers.append(house)
            update.heard = update.heard or Heard(said or SAME * self._stands(asked, answer))
            return self._shown(asked, answer)

        try:
            number = await self._call("answer", asked.where, told, give, str(update.number))
        except ChatError:
            return  # what was done is done
        if isinstance(answer, Poster):
            answer.posted(number)

    def _stands(self, asked: Press | Command, answer: Answer) -> bool:
        """Whether an answer shows what the pressed message shows already."""
        pressed = self.port.messages.get(getattr(asked, "message", None) or "")
        shown = pressed is not None and pressed.screen
        return isinstance(answer, MenuAnswer) and shown == answer.screen

    def _shown(self, asked: Press | Command, answer: Answer) -> str:
        """What an answer puts on the screen; the id of a new message."""
        message = asked.message if isinstance(asked, Press) else None
        pressed = self.port.messages.get(message or "")
        own = isinstance(asked, Press) and asked.own
        match answer:
            case MenuAnswer(screen=screen) if pressed is not None:
                pressed.show(screen)
            case Card(screen=screen) | MenuAnswer(screen=screen):
                return self.port.new(asked.where, screen=screen, viewer=asked.asker.external).id
            case Poster():
                return self.port.new(asked.where, words=answer.said, document=answer.file).id
            case BoardAnswer() if own and message is not None:
                self.port.messages.pop(message, None)  # the sheet has become a table
        return ""

    async def _call(
        self,
        verb: str,
        where: Where,
        told: Sequence[object],
        done: Callable[[], object],
        about: str = "",
        people: Sequence[str] = (),
    ) -> Any:
        world = self.port.net.world
        answer = world.loop.create_future()
        call = PortCall(self.port, verb, where, told, done, about, people)
        world.spawn(self.port.net.deliver(call, answer))
        result = await answer
        if isinstance(result, aiohttp.ClientError):
            raise ChatError(repr(result))
        if isinstance(result, ChatError):
            raise result
        return result


def _at(message: Message, where: Where) -> bool:
    return (message.where.place, message.where.thread) == (where.place, where.thread)


class PortPlace(Place):
    """A group at the port itself, its threads, and the private chats of its people."""

    name = "port"

    def __post_init__(self) -> None:
        self.port: SmallPort = self.net.port
        self.askers = {
            name: Asker("port", str(one.number), name, one.language, name.lower())
            for name, one in self.people.items()
        }
        self.port.managers = {str(one.number) for one in self.people.values() if one.manages}
        home = Home("guild", "es-ES", GROUP, parts=True) if self.port.threads else None
        self.group = Where("port", GROUP, home=home)
        self._numbers = itertools.count(1)

    def is_full(self) -> bool:
        return self.port.pace != Pace()

    def screen(self, who: str) -> list[Seen]:
        me = self.askers[who].external
        return [one.seen for one in self.port.messages.values() if one.reader in ("", me)]

    def public(self) -> list[Seen]:
        return [one.seen for one in self.port.messages.values() if not one.reader]

    async def press(self, who: str, message: Seen, code: str, update: int = 0) -> Heard:
        number = update or 10_000 + next(self._numbers)
        label = next((said for said, one in message.buttons if one == code), "")
        self.story.act(who, self.name, "press", number, message=message.id, code=code, label=label)
        for tell in self.pressed:
            tell(self.name, str(number), self.people[who], message, code)
        raw: Message = message.raw
        asked = Press(
            str(number),
            raw.where,
            self.askers[who],
            code,
            raw.id,
            token=f"t{number}" if self.port.knows_nonces else None,
            whispered=self.port.knows_nonces or bool(raw.viewer),
            own=bool(raw.viewer),
            takes_board=True,
            sent=datetime.now(UTC) if self.port.knows_nonces else None,
        )
        return await self._ask(Update(number, asked), who, "presses", repr(label), "on", raw.id)

    async def write(self, who: str, text: str, update: int = 0, *, alone: bool = False) -> Heard:
        number = update or 10_000 + next(self._numbers)
        self.story.act(who, self.name, "write", number, text=text, alone=alone)
        for tell in self.wrote:
            tell(self.name, str(number), self.people[who], text)
        me = self.askers[who]
        where = Where("port", me.external, private=True) if alone else self.group
        name, *words = text.removeprefix("/").split()
        given = dict(word.split("=", 1) for word in words)
        people = {
            key: self.askers[one.removeprefix("@").title()]
            for key, one in given.items()
            if one.startswith("@")
        }
        values = {key: one for key, one in given.items() if key not in people}
        by_token = self.port.knows_nonces
        token = f"t{number}" if by_token else None
        asked = Command(
            str(number), where, me, name, values, people, token=token, takes_board=by_token
        )
        return await self._ask(Update(number, asked), who, "writes", repr(text))

    async def _ask(self, update: Update, *act: object) -> Heard:
        world = self.net.world
        began, ways = world.loop.time(), world.lot("ways/port")
        there: Coroutine[Any, Any, None] = asyncio.sleep(ways.uniform(*WAYS))
        await there
        if isinstance(update.asked, Press) and self.detour:
            self.net.hold_up(str(update.number))
            seconds, self.detour = self.detour, 0.0
            await asyncio.sleep(seconds)
        self.port.give(update)
        await self.net.until(lambda: update.heard, 15.0)
        after = world.loop.time() - began
        heard = update.heard or Heard("", answered=False)
        return self._told(str(update.number), replace(heard, after=after), *act)
