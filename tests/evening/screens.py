"""What people see of the chats, and how they press and write there."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.chats.fake_discord import CHANNEL, EVERYTHING, USES_APPS, command_data
from tests.evening.loop import BEGINS
from tests.evening.platforms import SmallDiscord, SmallTelegram
from tests.evening.story import Story
from tests.evening.wire import Net
from tests.telegram_messages import BOT, GROUP, private, user

WORDS = ("luck 7", "a1", "5m+5s", "21:30", "palabras mías", "10 min")
"""What people type where a form asks for something."""

DEEDS = ("leave", "join", "block", "unblock", "remove")
"""What people do besides pressing and writing."""

DISCORD_BEGAN = 1_420_070_400_000
"""The milliseconds from which Discord's numbers count."""

MANAGES = str(1 << 50 | 1 << 5)
"""What a manager of a server may do: use apps, and manage it."""

ADMINISTERS, VIEWS, WRITES = 1 << 3, 1 << 10, 1 << 11
"""Permissions of Discord (https://docs.discord.com/developers/topics/permissions)."""

LACKS = {
    "no access": ADMINISTERS | VIEWS | WRITES,
    "no permission": ADMINISTERS | WRITES,
    "timed out": ADMINISTERS | WRITES,
}
"""The permissions that the bot has not while it is refused so."""


@dataclass(frozen=True)
class Person:
    """Somebody on one platform."""

    name: str
    number: int
    language: str = "es"
    manages: bool = False
    writes_privately: bool = False
    """Whether they have opened the private chat with the bot."""


@dataclass(frozen=True)
class Seen:
    """A message as somebody sees it."""

    id: str
    text: str
    buttons: tuple[tuple[str, str], ...]
    """Label and code of what can be pressed."""
    place: str
    shared: bool
    """Whether others see it as well."""
    raw: Any = field(compare=False, repr=False, default=None)
    mentions: tuple[str, ...] = ()
    look: tuple[object, ...] = ()
    """What stands there besides: which options are chosen, and what a picture says in words."""

    @property
    def raw_picture(self) -> bool:
        """Whether it shows a picture or carries a file."""
        found = getattr(self.raw, "picture", None) or getattr(self.raw, "document", None)
        return bool(found or getattr(self.raw, "pictures", None))

    def code(self, *labels: str) -> str | None:
        """The code of the first button with one of the *labels* in its own."""
        return next((c for said, c in self.buttons if any(one in said for one in labels)), None)

    def codes(self, letter: str) -> list[str]:
        """The codes of an act, by its *letter*."""
        return [code for _, code in self.buttons if code.startswith(f"{letter}.")]

    @property
    def tables(self) -> set[str]:
        """The tables that its buttons belong to."""
        found = {code.split(".")[1] for _, code in self.buttons if code.count(".") == 4}
        return found - {"0000"}


@dataclass(frozen=True)
class Heard:
    """What came of a press or a command, as its person saw at once."""

    said: str
    answered: bool = True
    after: float = 0.0
    opens: bool = False
    """Whether something besides messages was opened: a form, or a file."""


@dataclass
class Place:
    """A group or a channel, and the private chats of its people."""

    net: Net
    story: Story
    people: dict[str, Person]
    pressed: list[Callable[[str, str, Person, Seen, str], None]] = field(default_factory=list)
    """Called with each press before it is made: place, key, person, message and code."""
    wrote: list[Callable[[str, str, Person, str], None]] = field(default_factory=list)
    """Called with each command: place, key, person and text."""
    heard: list[Callable[[str, Heard], None]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    """Who has left."""
    moments: Counter[str] = field(default_factory=Counter)
    """How often what must hold here could have failed."""
    broken: Callable[[str, object], None] = lambda name, why: None
    """Called with a promise that is broken, and why."""
    detour: float = 0.0
    """The seconds by which the next press is longer under way."""
    name = ""

    def __post_init__(self) -> None:
        """What a platform needs besides."""
        self._kept: dict[Any, tuple[Any, Seen]] = {}
        """Messages as they were read last, and at which of their states."""

    def is_full(self) -> bool:
        """Whether the place takes hardly any more calls just now."""
        return False

    def was_cut(self, who: str, since: float) -> bool:
        """Whether somebody has seen nothing for a while, as their own connection broke."""
        return False

    async def press(self, who: str, message: Seen, code: str, update: int = 0) -> Heard:
        """Press, and wait as long as a client shows that it waits."""
        raise NotImplementedError

    def _told(self, key: str, heard: Heard, *act: object) -> Heard:
        hears = repr(heard.said[:70]) if heard.answered else "(no answer)"
        self.story.tell(self.name, *act, "→", hears)
        for tell in self.heard:
            tell(key, heard)
        return heard

    async def write(self, who: str, text: str, update: int = 0, *, alone: bool = False) -> Heard:
        """Give a command as one types it: ``/play niya @bea``."""
        raise NotImplementedError

    async def do(self, who: str, verb: str, message: str = "") -> None:
        """Leave the group or come back, block the bot or let it in, or remove a message."""
        self.story.act(who, self.name, verb, message=message)
        self.story.tell(self.name, who, verb, message)
        if verb in ("leave", "join"):
            (self.gone.add if verb == "leave" else self.gone.discard)(who)
        await self._do(who, verb, message)
        self.net.notice()

    async def _do(self, who: str, verb: str, message: str) -> None:
        """What the platform does then."""

    async def arrive(self) -> None:
        """Let the people come in, where that takes more than to be there."""

    async def at_rest(self, house: Any) -> None:
        """Judge what only the place knows, once *house* owes nothing."""

    def screen(self, who: str) -> list[Seen]:
        """All that *who* sees, the oldest first."""
        raise NotImplementedError

    def public(self) -> list[Seen]:
        """What everybody sees."""
        raise NotImplementedError


class TelegramPlace(Place):
    """A group of Telegram."""

    name = "telegram"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.api: SmallTelegram = self.net.telegram
        self.chat = GROUP
        self.users = {
            name: user(one.number, name, name.lower(), one.language)
            for name, one in self.people.items()
        }
        self.topics: dict[str, int] = {}
        """In which topic people write, in a forum."""
        self.typed: dict[str, str] = {}
        """The messages of commands, by their updates."""
        managers = tuple(self.users[name] for name, one in self.people.items() if one.manages)
        self.api.managers = dict.fromkeys((GROUP["id"], -77), managers)
        self._numbers = itertools.count(1)

    async def _do(self, who: str, verb: str, message: str) -> None:
        someone, api = self.users[who], self.api
        if verb == "leave":
            await api.leave(someone, self.chat)
        elif verb == "join":
            await api.join(someone, self.chat)
        elif verb == "remove":
            api.messages.pop((self.chat["id"], int(message)), None)
        elif verb in ("block", "unblock"):
            (api.blocking.add if verb == "block" else api.blocking.discard)(someone["id"])
            before, now = ("member", "kicked") if verb == "block" else ("kicked", "member")
            self.spawn_standing(private(someone), someone, BOT, before, now)

    def spawn_standing(
        self, chat: dict[str, Any], by: dict[str, Any], whose: dict[str, Any], *stands: str
    ) -> None:
        """Tell the bot what it was in *chat* and what it is now."""
        before, now = (
            {"user": whose, "status": one, **({"until_date": 0} if one == "kicked" else {})}
            for one in stands
        )
        told = {"chat": chat, "from": by, "date": 1, "old_chat_member": before}
        told["new_chat_member"] = now
        self.net.world.spawn(self.api.give("my_chat_member", told))

    def is_full(self) -> bool:
        now = self.net.world.loop.time()
        return sum(now - at < 60.0 for at in self.api.recent.get(self.chat["id"], ())) >= 15

    def _seen(self, one: Any, *, shared: bool) -> Seen:
        key, edits = (one.chat, one.id, shared), one.edits
        kept = self._kept.get(key)
        if kept is None or kept[0] != edits:
            kept = self._kept[key] = (edits, self._read(one, shared=shared))
        return kept[1]

    def _read(self, one: Any, *, shared: bool) -> Seen:
        flat = [button for row in one.rows for button in row]
        live = tuple(
            (button["text"], button["callback_data"])
            for button in flat
            if "callback_data" in button
            and (button.get("style") or not button["callback_data"].startswith("m."))
        )
        mentions = tuple(link.partition("=")[2] for link in one.links if "user?id" in link)
        where = f"{one.chat}/{one.thread}" if one.thread else str(one.chat)
        return Seen(str(one.id), one.text, live, where, shared, one, mentions)

    def screen(self, who: str) -> list[Seen]:
        someone = self.users[who]
        group = () if who in self.gone else self.api.sees(someone, self.chat["id"])
        alone = [one for one in self.api.messages.values() if one.chat == someone["id"]]
        return [
            *(self._seen(one, shared=not hasattr(one, "viewer")) for one in group),
            *(self._seen(one, shared=False) for one in alone),
        ]

    def public(self) -> list[Seen]:
        return [
            self._seen(one, shared=True)
            for one in list(self.api.messages.values())
            if one.chat == self.chat["id"]
        ]

    async def press(self, who: str, message: Seen, code: str, update: int = 0) -> Heard:
        update = update or 10_000 + 10 * next(self._numbers)
        query = f"q{update}"
        label = next((said for said, one in message.buttons if one == code), "")
        self.story.act(who, self.name, "press", update, message=message.id, code=code, label=label)
        for tell in self.pressed:
            tell(self.name, query, self.people[who], message, code)
        began = self.net.world.loop.time()
        self.api.asked_at[query] = began
        self.api._queries[query] = (self.users[who]["id"], message.raw)
        body = {"id": query, "from": self.users[who], "chat_instance": "c", "data": code}
        told = {**body, "message": message.raw.data()}
        given = {"update_id": update, "callback_query": told}
        await self.net.hand(query, lambda: self.api.give_raw(given))
        self.net.notice()
        answer = await self.net.until(lambda: self.api.answers.get(query), 15.0)
        said = "" if answer is None else answer.get("text", answer.get("url", ""))
        after = self.net.world.loop.time() - began
        heard = Heard(said, answer is not None, after)
        return self._told(query, heard, who, "presses", repr(label), "on", message.id)

    async def write(self, who: str, text: str, update: int = 0, *, alone: bool = False) -> Heard:
        update = update or 10_000 + 10 * next(self._numbers)
        self.story.act(who, self.name, "write", update, text=text, alone=alone)
        key = f"w{update}"
        for tell in self.wrote:
            tell(self.name, key, self.people[who], text)
        someone = self.users[who]
        chat = private(someone) if alone else self.chat
        if alone:
            self.api.started.add(someone["id"])
        number = next(self.api._messages)
        self.typed[str(update)] = str(number)
        entity = {"type": "bot_command", "offset": 0, "length": len(text.split(" ")[0])}
        told = {"message_id": number, "date": int(self.net.world.loop.time()), "text": text,
                "chat": chat, "from": someone}  # fmt: skip
        if text.startswith("/"):
            told["entities"] = [entity]
        topic = self.topics.get(who)
        if topic and topic not in self.api.closed and not alone:
            told |= {"message_thread_id": topic, "is_topic_message": True}
            told["chat"] = {**chat, "is_forum": True}
        given = {"update_id": update, "message": told}
        await self.net.hand(key, lambda: self.api.give_raw(given))
        self.net.notice()
        self.story.tell(self.name, who, "writes", repr(text))
        return Heard("")


class DiscordPlace(Place):
    """A channel of a server of Discord."""

    name = "discord"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.fake: SmallDiscord = self.net.discord
        self.fake.held_up = self.net.hold_up
        self.users = {
            name: {
                "id": str(one.number),
                "username": name.lower(),
                "global_name": name,
                "discriminator": "0",
                "avatar": None,
            }
            for name, one in self.people.items()
        }
        self.channels: dict[str, str] = {}
        """Where people write."""
        self._numbers = itertools.count(1)

    async def _do(self, who: str, verb: str, message: str) -> None:
        number, fake = self.users[who]["id"], self.fake
        if verb in ("leave", "join"):
            (fake.gone.add if verb == "leave" else fake.gone.discard)(number)
        elif verb == "remove":
            fake.messages.pop(message, None)

    def _seen(self, one: Any) -> Seen:
        kept = self._kept.get(one.id)
        if kept is None or kept[0] != (one.writes, one.flags):
            kept = self._kept[one.id] = ((one.writes, one.flags), self._read(one))
        return kept[1]

    def _read(self, one: Any) -> Seen:
        live = []
        for button in one.buttons:
            code = button.get("custom_id")
            # What is no move, or a move that is coloured as one: the rest of a board is blank.
            blank = button["style"] != 1 and (code or "").startswith("m.")
            if code and not button.get("disabled") and not blank:
                live.append((button.get("label", ""), code))
        for menu in one.parts(3):
            live += [(option["label"], option["value"]) for option in menu["options"]]
        chosen = [it for menu in one.parts(3) for it in menu["options"] if it.get("default")]
        pictured = [it.get("description", "") for it in one.body.get("attachments") or ()]
        look = (*(it["value"] for it in chosen), *(it["style"] for it in one.buttons), *pictured)
        shared = not one.ephemeral
        return Seen(one.id, one.text, tuple(live), one.channel, shared, one, look=look)

    def screen(self, who: str) -> list[Seen]:
        me, viewers, here = self.users[who]["id"], self.fake.viewers, who not in self.gone
        own = f"9{me}"
        return [
            self._seen(one)
            for one in list(self.fake.messages.values())
            if viewers.get(one.id, me) == me
            and (one.channel == own if one.channel[0] == "9" else here)
        ]

    def public(self) -> list[Seen]:
        shown = list(self.fake.messages.values())
        return [
            self._seen(one)
            for one in shown
            if not one.ephemeral and not one.channel.startswith("9")
        ]

    def _ids(self, update: int) -> dict[str, str]:
        # The house reads from it how long its token lives.
        since = round(1000 * (BEGINS + self.net.world.loop.now)) - DISCORD_BEGAN
        number = str(update or (since << 22) + next(self._numbers))
        return {"id": number, "token": f"t{number}"}

    async def _ask(
        self, who: str, kind: int, data: Any, ids: dict[str, str], did: str, **more: Any
    ) -> Heard:
        person, fake = self.people[who], self.fake
        token, began = ids["token"], self.net.world.loop.time()
        fake.asked_at[token] = began
        if fake.socket is None and fake.resumable is None:
            # Nobody is there: the client says that the interaction failed.
            self.net.hold_up(token)
            await asyncio.sleep(3.0)
            return self._told(token, Heard("", answered=False, after=3.0), who, did)
        locale = "es-ES" if person.language == "es" else "en-US"
        may = MANAGES if person.manages else USES_APPS
        asked = fake.interaction(
            self.users[who], kind, data, **ids, locale=locale, permissions=may, **more,
            app_permissions=self._permissions(),
        )  # fmt: skip
        await self.net.hand(token, lambda: fake.hand(asked.payload))
        done = await self.net.until(lambda: asked.type is not None, 3.0)
        said = ""
        if done and asked.type == 4 and asked.message is not None:
            said = asked.message.text.split("\n")[0]
        after = self.net.world.loop.time() - began
        found = Heard(said, done is not None, after, opens=asked.type == 9)
        heard = self._told(token, found, who, did)
        if asked.type == 9:
            await self._fill(who, asked)
        return heard

    def _permissions(self) -> str:
        """What the bot may do here just now, which each interaction tells."""
        now, lacks = self.net.world.loop.time(), 0
        for spell in self.net.weather.spells:
            if spell.begins <= now < spell.ends:
                lacks |= LACKS.get(spell.refusal.name, 0)
        return str(int(EVERYTHING) & ~lacks)

    async def _fill(self, who: str, form: Any) -> None:
        """Send the form that came as an answer."""
        lot = self.net.world.lot(f"form/{form.id}")
        await asyncio.sleep(lot.uniform(1.0, 20.0))
        fields = [one["component"] for one in form.data["components"] if "component" in one]
        told = []
        for one in fields:
            given = lot.choice([each["value"] for each in one.get("options", ())] or WORDS)
            value = {"values": [given]} if one["type"] == 3 else {"value": given}
            told.append({"type": one["type"], "custom_id": one["custom_id"], **value})
        data = {
            "custom_id": form.data["custom_id"],
            "components": [{"type": 18, "component": one} for one in told],
        }
        channel = form.payload["channel_id"]
        ids = self._ids(int(form.id) + 500_000)
        await self._ask(who, 5, data, ids, "sends a form", source=form.source, channel=channel)

    async def press(self, who: str, message: Seen, code: str, update: int = 0) -> Heard:
        ids = self._ids(update)
        number = int(ids["id"])
        label = next((said for said, one in message.buttons if one == code), "")
        self.story.act(who, self.name, "press", number, message=message.id, code=code, label=label)
        for tell in self.pressed:
            tell(self.name, ids["token"], self.people[who], message, code)
        buttons = {button.get("custom_id") for button in message.raw.buttons}
        data = {"custom_id": code, "component_type": 2}
        if code not in buttons:
            data = {"custom_id": "list", "component_type": 3, "values": [code]}
        did = f"presses {label!r} on {message.id}"
        channel = message.raw.channel
        return await self._ask(who, 3, data, ids, did, source=message.raw, channel=channel)

    async def write(self, who: str, text: str, update: int = 0, *, alone: bool = False) -> Heard:
        ids = self._ids(update)
        self.story.act(who, self.name, "write", int(ids["id"]), text=text, alone=alone)
        for tell in self.wrote:
            tell(self.name, ids["token"], self.people[who], text)
        name, *words = text.removeprefix("/").split()
        given, resolved = [], {}
        for word in words:
            key, _, value = word.partition("=")
            if value.startswith("@"):
                someone = self.users[value.removeprefix("@").title()]
                resolved[someone["id"]] = someone
                given.append({"name": key, "type": 6, "value": someone["id"]})
            else:
                given.append({"name": key, "type": 3, "value": value})
        data = command_data(name, given) | {"resolved": self.fake.resolved(resolved)}
        channel = f"9{self.users[who]['id']}" if alone else self.channels.get(who, CHANNEL)
        return await self._ask(who, 2, data, ids, f"writes {text!r}", channel=channel)
