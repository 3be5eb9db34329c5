"""The network in memory: one class stands in for aiohttp's session, for both libraries.

Each request is delivered by a task outside the house, so that it has its effect although the
house may die meanwhile. What the platforms do is done by the small ones of ``platforms``. What
befalls a call is drawn from a stream of its own, or read from a script.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import discord.backoff
import discord.gateway
from multidict import CIMultiDict

from tests.chats.discord_messages import Refused
from tests.evening.loop import World, running_house
from tests.evening.refusals import REFUSALS, Refusal
from tests.evening.story import Story
from tests.telegram_api import Asked
from tests.telegram_api import Refusal as TelegramRefusal

WAYS = 0.02, 0.12
"""The least and the most seconds of a way there or back."""

UNTOUCHED = ("getUpdates", "getMe", "GET /users", "GET /oauth2", "GET /gateway")
"""What the beginning of a house needs: an evening where it never opens says nothing."""

POLLS_AGAIN = 35.0
"""The seconds in which the library asks for updates again, after it was refused for a while."""

WAIT = {"telegram": "wait of 12", "port": "later"}
"""How some patience is asked for."""

SLOW = 1.0, 9.0
"""The seconds by which a call is late, or its answer."""


@dataclass
class Spell:
    """A state of a place that lasts: calls that meet *refusal* are refused meanwhile."""

    refusal: Refusal
    begins: float
    ends: float
    whom: str = ""
    """Whose name a filter refuses."""

    def meets(self, call: Call, now: float) -> bool:
        return self.begins <= now < self.ends and _meets(self.refusal, call, self.whom)


@dataclass
class Weather:
    """What the network does to calls of an evening."""

    rates: dict[str, float] = field(default_factory=dict)
    """Shares of calls by what befalls them."""
    spells: list[Spell] = field(default_factory=list)
    polls: list[tuple[float, float, str]] = field(default_factory=list)
    """From when to when nobody gets updates of Telegram, and what is answered instead."""
    away: list[tuple[str, float, float, str]] = field(default_factory=list)
    """Which platform takes no calls, from when to when, and what is answered instead."""
    updates: dict[str, float] = field(default_factory=dict)
    """Shares of the presses and commands that come "twice" or "late"."""
    unheard: float = 0.0
    """The share of new boards of whose posting nothing is heard."""
    waits: list[float] = field(default_factory=list)
    """The instants from which the next of *waits_of* is asked for patience."""
    waits_of: str = ""
    slow_calls: float = 0.0
    scripted: dict[str, str] | None = None
    """What befalls which call, by its key, where a script says it and nothing is drawn."""


@dataclass
class Net:
    """What lies between the houses and the platforms."""

    world: World
    story: Story
    telegram: Any
    discord: Any
    port: Any = None
    page: Any = None
    page_place: Any = None
    weather: Weather = field(default_factory=Weather)
    calls: int = 0
    befallen: dict[str, int] = field(default_factory=dict)
    heard: list[Callable[[Call, object], None]] = field(default_factory=list)
    """Called with each call that had its effect, and what was answered."""
    troubled: list[Callable[[Call, str], None]] = field(default_factory=list)
    """Called with each call that something befalls."""
    held_up: list[Callable[[str], None]] = field(default_factory=list)
    """Called with each press that does not come to the house at once, by its key."""
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        global _net
        _net = self
        self.changed = asyncio.Event()

    def befalls(self, call: Call) -> str:
        """What the seed, or the script, has for *call*."""
        number = self._numbers[call.line] = self._numbers.get(call.line, 0) + 1
        call.key = f"{call.line}#{number}"
        if call.line == "getUpdates":
            now, polls = self.world.loop.time(), self.weather.polls
            return next((what for begins, ends, what in polls if begins <= now < ends), "")
        if call.line.startswith(UNTOUCHED):
            return ""
        if self.weather.scripted is not None:
            return self.weather.scripted.get(call.key, "")
        if found := self._befalls_words(call):
            return found
        drawn = self.world.lot(f"net/{call.place}").random()
        for what, rate in self.weather.rates.items():
            if drawn < rate:
                return self._refusal_for(call) if what == "refused" else what
            drawn -= rate
        posts = self.weather.unheard and call.sends and call.files and call.tables()
        if posts and self.world.lot(f"unheard/{call.place}").random() < self.weather.unheard:
            return "lost"
        return ""

    def _befalls_words(self, call: Call) -> str:
        """What befalls calls of people, and answers, beside what may befall anything."""
        weather, now = self.weather, self.world.loop.time()
        if not call.sends or call.answers or call.tables():
            return ""
        kind = "call" if call.called() else "answer"
        due = [at for at in weather.waits if at <= now]
        if due and kind == weather.waits_of and call.platform in WAIT:
            weather.waits.remove(due[0])
            return f"refused: {WAIT[call.platform]}"
        slow = kind == "call" and self.world.lot("slow calls").random() < weather.slow_calls
        return "slow" if slow else ""

    def _refusal_for(self, call: Call) -> str:
        found = [one for one in REFUSALS if one.once and _meets(one, call, "")]
        return f"refused: {self.world.lot('refusals').choice(found).name}" if found else ""

    async def deliver(self, call: Call, answer: asyncio.Future[Any]) -> None:
        """The way there, the effect and the way back; outside any house."""
        self.calls += 1
        call.at = self.world.loop.time()
        lot, quiet = self.world.lot(f"ways/{call.place}"), call.line == "getUpdates"
        what = self.befalls(call)
        there, back = (0.0, 0.0) if quiet else (lot.uniform(*WAYS), lot.uniform(*WAYS))
        there += lot.uniform(*SLOW) if what == "late" else 0.0
        back += lot.uniform(*SLOW) if what == "slow" else 0.0
        call.back = back
        if what:
            self._trouble(call, what)
        await asyncio.sleep(there)
        if not what and (what := self._spell(call)):
            self._trouble(call, what)
        result = await self._result(call, what)
        if not quiet:
            said = f" !! {what}" if what else ""
            told = _brief(result)
            self.story.tell(call.house, call.line, call.about, call.digest(), told + said)
        await asyncio.sleep(back)
        if not answer.done():
            answer.set_result(result)
        self.notice()

    def _trouble(self, call: Call, what: str) -> None:
        self.befallen[what] = self.befallen.get(what, 0) + 1
        self.story.befell(call.key, what)
        for hear in self.troubled:
            hear(call, what)

    def hold_up(self, key: str) -> None:
        """A press comes late, or never: whoever made it may hear nothing."""
        for tell in self.held_up:
            tell(key)

    async def hand(self, key: str, give: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Bring a press or a command to the house: once, twice, or so late that others overtake."""
        now, (what, drawn) = self.world.loop.time(), ("", self.world.lot("updates").random())
        polled = key.startswith(("q", "w"))
        if polled and any(one[0] - 6 <= now < one[1] + POLLS_AGAIN for one in self.weather.polls):
            self.hold_up(key)
        for one, rate in self.weather.updates.items():
            if drawn < rate:
                what = one
                break
            drawn -= rate
        if self.weather.scripted is not None:
            what = self.weather.scripted.get(key, "")
        if what:
            self.befallen[f"update {what}"] = self.befallen.get(f"update {what}", 0) + 1
            self.story.befell(key, what)
            self.story.tell("** comes", what, key)
        if what == "late":
            self.hold_up(key)
        else:
            await give()
        if what:
            self.world.spawn(self._later(give, self.world.lot(key).choice((0.2, 1.0, 2.7, 6.0))))

    async def _later(self, give: Callable[[], Coroutine[Any, Any, None]], seconds: float) -> None:
        await asyncio.sleep(seconds)
        await give()
        self.notice()

    def _spell(self, call: Call) -> str:
        now = self.world.loop.time()
        for spell in self.weather.spells:
            if spell.meets(call, now):
                return f"refused: {spell.refusal.name}"
        for platform, begins, ends, what in self.weather.away:
            here = call.platform == platform and not call.line.startswith((*UNTOUCHED, "deleteW"))
            if here and begins <= now < ends:
                return what
        return ""

    async def _result(self, call: Call, what: str) -> Response | Exception:
        if what == "unsent":
            return aiohttp.ClientConnectionError("unsent")
        if what in ("429", "502", "500", "409", "page") or what.startswith("refused: "):
            return call.refusal(what)
        result = await call.effect(self)
        if what == "lost":
            return aiohttp.ServerDisconnectedError()
        return call.refusal("502") if what == "502 after" else result

    def unreached(self, platform: str) -> list[tuple[float, float]]:
        """From when until when nobody of *platform* was heard for long, as the seed has it."""
        cut = [one for one in self.discord.cuts if platform == "discord"]
        polls = [(begins, ends) for begins, ends, what in self.weather.polls
                 if platform == "telegram" and what in ("502", "unsent")]  # fmt: skip
        return [(begins, ends) for begins, ends in cut + polls if ends - begins >= 15.0]

    def notice(self) -> None:
        """Something may have changed on a screen."""
        self.changed.set()

    async def until(self, found: Callable[[], Any], seconds: float) -> Any:
        """What *found* answers, looked at after each call; nothing once the *seconds* are over."""
        ends = self.world.loop.time() + seconds
        while not (what := found()):
            if self.world.loop.time() >= ends:
                return None
            self.changed.clear()
            try:
                async with asyncio.timeout_at(ends):
                    await self.changed.wait()
            except TimeoutError:
                pass
        return what


_net: Net | None = None


@dataclass
class Response:
    """As much of aiohttp's response as the two libraries use."""

    status: int
    body: bytes
    headers: Any = field(default_factory=CIMultiDict)
    reason: str = ""

    async def read(self) -> bytes:
        return self.body

    async def text(self, encoding: str | None = None) -> str:
        return self.body.decode(encoding or "utf-8")


def told_as_json(status: int, told: object) -> Response:
    """A response that says *told*."""
    headers = CIMultiDict({"Content-Type": "application/json", "Via": "1.1 x"})
    return Response(status, json.dumps(told).encode(), headers)


def _brief(result: object) -> str:
    return str(result.status) if isinstance(result, Response) else type(result).__name__


MENTION = re.compile(r"<@(\d+)>|tg://user\?id=(\d+)")
"""A person who is called, by their id."""

LINK = re.compile(r"channels/\d+/\d+/(\d+)")
"""A message of Discord that a text leads to."""
_HTML = CIMultiDict({"Content-Type": "text/html", "Via": "1.1 x"})
PAGE = Response(502, b"<html><body><center>502 Bad Gateway</center></body></html>", _HTML)
"""What stands before the platforms answers for itself, and not in JSON."""

CONFLICT = (
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is "
    "running"
)

SENDS = ("sendMessage", "sendPhoto", "sendAnimation", "sendDocument")
EDITS = ("editMessageMedia", "editMessageText", "editMessageCaption", "editMessageReplyMarkup")


class Call:
    """A request on its way."""

    key = ""
    """Its method and the number of it in this evening."""
    at = 0.0
    """When it was made."""
    back = 0.0
    """Seconds after which its answer is there, once it has had its effect."""

    def __init__(self, method: str, url: str, data: Any, headers: Any) -> None:
        self.data, self.headers = data, headers or {}
        asked = urlsplit(url)
        self.of_telegram = asked.hostname == "telegram"
        self.platform = "telegram" if self.of_telegram else "discord"
        name = asked.path.rpartition("/")[2]
        self.line = name if self.of_telegram else f"{method} {asked.path.removeprefix('/api/v10')}"
        self.values, self.files = self._parts()
        self.by = running_house.get()
        self.house = getattr(self.by, "name", "-")
        self.about = self.values.get("message_id", "") if isinstance(self.values, dict) else ""

    @property
    def place(self) -> str:
        """Where it goes: the chance of one place is not that of another."""
        if self.of_telegram:
            return f"telegram/{self.values.get('chat_id', '')}"
        parts = self.line.split("/")
        return "discord/" + (parts[2] if parts[1:2] == ["channels"] else "answers")

    @property
    def sends(self) -> bool:
        """Whether it posts a new message."""
        if self.of_telegram:
            return self.line in SENDS
        return self.line.startswith("POST") and not self.line.endswith("threads")

    @property
    def edits(self) -> bool:
        """Whether it changes a message."""
        return self.line in EDITS if self.of_telegram else self.line.startswith("PATCH")

    @property
    def answers(self) -> bool:
        """Whether it acknowledges a press or a command."""
        return self.line == "answerCallbackQuery" or self.line.endswith("/callback")

    def _parts(self) -> tuple[Any, dict[str, tuple[str, bytes]]]:
        data = self.data
        if data is None:
            return {}, {}
        if self.of_telegram:
            if isinstance(data, dict):
                return data, {}
            return _form(data.read(), self.headers["Content-Type"].rpartition("=")[2])
        if isinstance(data, aiohttp.FormData):
            values, files = {}, {}
            for told, _, value in data._fields:  # what the library would write
                if told["name"] == "payload_json":
                    values = json.loads(value)
                else:
                    content = value if isinstance(value, bytes) else value.read()
                    files[told["name"]] = (told.get("filename", ""), content)
            return values, files
        return json.loads(data), {}

    @property
    def press(self) -> str:
        """The key of the press or command that it answers."""
        if self.of_telegram:
            return str(self.values.get("callback_query_id", ""))
        return self.line.split("/")[-2]

    @property
    def alone(self) -> bool:
        """Whether one person alone sees what it sends."""
        values = self.values
        flags = (values.get("data") or values).get("flags") or 0
        private = self.of_telegram and int(values.get("chat_id", -1)) > 0
        ephemeral = values.keys() & {"ephemeral_message_parameters", "ephemeral_message_id"}
        return private or bool(ephemeral) or bool(flags & 64)

    def tables(self) -> set[str]:
        """The tables whose buttons stand in what it sends."""
        return {code[1] for code in self.codes()} - {"0000"}

    def codes(self) -> list[list[str]]:
        """The parts of the codes of its buttons."""
        parts = [part.split(".") for part in self.text().split('"')]
        return [p for p in parts if len(p) == 5 and len(p[0]) == 1]

    @property
    def message(self) -> str:
        """The message that it changes or removes."""
        return str(self.about) if self.of_telegram else self.line.rpartition("/")[2]

    def called(self) -> set[str]:
        """The ids of the people whom it mentions."""
        return {one or other for one, other in MENTION.findall(self.text())}

    def linked(self) -> set[str]:
        """The messages that it replies to or leads to."""
        reply = self.values.get("reply_parameters") or self.values.get("message_reference") or {}
        if isinstance(reply, str):
            reply = json.loads(reply)
        return {str(reply.get("message_id", "")), *LINK.findall(self.text())} - {""}

    @staticmethod
    def sent(answer: object) -> str:
        """The id of the message that was sent."""
        if not isinstance(answer, dict):
            return ""
        told = answer.get("interaction", {"response_message_id": answer.get("id")})
        return str(answer.get("message_id", told.get("response_message_id")) or "")

    def shown(self, answer: object) -> str:
        """The message that shows what it has sent or changed, and where that stands."""
        if self.of_telegram:
            return f"{self.values.get('chat_id')} {self.message or self.sent(answer)}"
        told = answer if isinstance(answer, dict) else {}
        return str(told.get("interaction", told).get("response_message_id") or self.sent(answer))

    def text(self) -> str:
        """All its words, with whatever stands around them."""
        return json.dumps(self.values, ensure_ascii=False, sort_keys=True, default=str)

    def digest(self) -> str:
        """All that the house said, short: what differs by one bit is another story."""
        told = self.text().encode()
        told += b"".join(name.encode() + data for name, (_, data) in self.files.items())
        return hashlib.sha256(told).hexdigest()[:8]

    def refusal(self, what: str) -> Response:
        """An answer without an effect."""
        name = what.removeprefix("refused: ")
        if self.of_telegram:
            return self._telegram_refusal(name)
        if name in ("500", "502"):
            return told_as_json(int(name), {"code": 0, "message": "server"})
        if name == "page":
            return PAGE
        if name == "429":
            told = {"code": 0, "message": "slow", "retry_after": 1.5, "global": False}
            return told_as_json(429, told)
        found = next(one for one in REFUSALS if one.platform == "discord" and one.name == name)
        told = {"code": found.code, "message": found.name}
        return told_as_json(
            found.status, {**told, "retry_after": found.wait} if found.wait else told
        )

    def _telegram_refusal(self, name: str) -> Response:
        if name == "page":
            return PAGE
        if name in ("500", "502"):
            code, words = int(name), "Bad Gateway"
        elif name == "409":
            code, words = 409, CONFLICT
        elif name == "429":
            code, words = 429, "Too Many Requests: retry after 3"
        else:
            found = next(one for one in REFUSALS if one.platform == "telegram" and one.name == name)
            code, words = found.status, found.words
        more = {"retry_after": int(words.rpartition(" ")[2])} if code == 429 else {}
        told = {"ok": False, "error_code": code, "description": words, "parameters": more}
        return told_as_json(code, told)

    async def effect(self, net: Net) -> Response:
        """What the platform does."""
        return await self._telegram(net) if self.of_telegram else self._discord(net)

    async def _telegram(self, net: Net) -> Response:
        values = {
            name: json.loads(value)
            if isinstance(value, str)
            and value[:1] in ("[", "{")
            and name not in ("text", "caption")
            else value
            for name, value in self.values.items()
        }
        self.values = values
        asked = Asked(self.line, values, self.files)
        try:
            net.telegram.take(asked, self.by)
            result = getattr(net.telegram, self.line.lower())(asked)
            if asyncio.iscoroutine(result):
                result = await result
        except TelegramRefusal as refused:
            told = {"ok": False, "error_code": refused.code, "description": refused.words}
            answer = told_as_json(refused.code, {**told, "parameters": refused.parameters})
            for hear in net.troubled:
                hear(self, f"said: {refused.words}")
            return answer
        for hear in net.heard:
            hear(self, result)
        return told_as_json(200, {"ok": True, "result": result})

    def _discord(self, net: Net) -> Response:
        method, _, path = self.line.partition(" ")
        pictures = [data for _, data in self.files.values()]
        try:
            answer = net.discord._answer(f"{method} /{path.strip('/')}", self.values, pictures)
        except Refused as refused:
            for hear in net.troubled:
                hear(self, f"said: {refused.code}")
            return told_as_json(refused.status, {"code": refused.code, "message": ""})
        finally:
            net.discord._changed.set()
        for hear in net.heard:
            hear(self, answer)
        return Response(204, b"") if answer is None else told_as_json(200, answer)


def patience_of(call: Call, what: str) -> float:
    """The seconds that a platform asks for by what befalls *call*; 0 if it asks for none."""
    if "retry after" in what:
        return float(what.rpartition("retry after ")[2])
    name = what.removeprefix("refused: ")
    found = (one.wait for one in REFUSALS if one.platform == "telegram" and one.name == name)
    return next(found, 0.0) if call.of_telegram else 0.0


def _reach(call: Call) -> tuple[bool, bool, bool]:
    """Whether it goes to a private chat, to a topic or thread, and by an interaction's token."""
    if call.platform == "telegram":
        chat = str(call.values.get("chat_id", "0"))
        return not chat.startswith(("-", "0")), "message_thread_id" in call.values, False
    if call.platform != "discord":
        return False, False, False
    kind, where = call.line.split("/")[1:3]
    channel = kind == "channels"
    return channel and where.startswith("9"), where in _net.discord.threads, not channel


def _unfiltered(call: Call) -> bool:
    """Whether one person alone sees it, or it goes to no server: Discord's filters pass it."""
    if call.platform != "discord":
        return False
    kind, where, *rest = call.line.split("/")[1:]
    asked = None if kind == "channels" else _net.discord.asked.get("".join(rest[:1]))
    channel = where if asked is None else asked.payload["channel_id"]
    alone = (call.values.get("data") or call.values).get("flags", 0) & 64
    return bool(alone) or channel.startswith("9")


def _meets(refusal: Refusal, call: Call, whom: str) -> bool:
    if refusal.platform != call.platform:
        return False
    if call.platform == "discord" and not call.line.startswith(("POST", "PATCH")):
        return False
    private, threaded, by_token = _reach(call)
    # Answers to presses go by tokens of their own on Discord, and need no permission.
    writes = (call.sends or call.edits) and not by_token
    return {
        "send": call.sends and not call.answers,
        "edit": call.edits,
        "write": writes,
        "group": writes and not private,
        "private": writes and private,
        "thread": writes and threaded,
        "thread send": writes and threaded and call.sends,
        "thread edit": writes and threaded and call.edits,
        "picture": bool(call.files),
        "answer": call.answers,
        "token": by_token and not call.answers,
        "delete": call.line == "deleteMessage",
        "react": call.line == "setMessageReaction",
        "name": bool(whom) and not _unfiltered(call) and whom in call.text(),
        "word": bool(whom) and not _unfiltered(call) and whom in call.text(),
    }[refusal.meets]


def _form(body: bytes, edge: str) -> tuple[dict[str, Any], dict[str, tuple[str, bytes]]]:
    """The values and files of a form (RFC 7578)."""
    values, files = {}, {}
    for part in body.split(f"--{edge}".encode())[1:-1]:
        head, _, content = part[2:-2].partition(b"\r\n\r\n")
        told = dict(one.split("=", 1) for one in head.decode().splitlines()[0].split("; ")[1:])
        name = told["name"].strip('"')
        if "filename" in told:
            files[name] = (told["filename"].strip('"'), content)
        else:
            values[name] = content.decode()
    return values, files


class Session:
    """In place of ``aiohttp.ClientSession``."""

    def __init__(self, **_: object) -> None:
        self.closed = False

    def request(
        self, method: str, url: object, *, data: Any = None, headers: Any = None, **_: object
    ) -> _Asking:
        return _Asking(Call(method, str(url), data, headers))

    async def ws_connect(self, url: str, **_: object) -> object:
        await asyncio.sleep(0.05)
        return _net.discord.connect(running_house.get())

    async def close(self) -> None:
        self.closed = True


class _Asking:
    def __init__(self, call: Call) -> None:
        self.call = call

    async def __aenter__(self) -> Response:
        answer = _net.world.loop.create_future()
        _net.world.spawn(_net.deliver(self.call, answer))
        result = await answer
        if isinstance(result, BaseException):
            raise result
        return result

    async def __aexit__(self, *_: object) -> None:
        pass


def _beating(keeper: Any) -> None:
    """The library beats by a thread; here a task of the loop does."""

    async def beat() -> None:
        while not keeper._stop_ev.is_set() and not keeper.ws.socket.closed:
            await asyncio.sleep(keeper.interval)
            await keeper.ws.send_heartbeat(keeper.beat())

    _net.world.spawn(beat())


class _SeededRandom(random.Random):
    """Deals the same in every process; the library asks the machine for a seed."""

    def seed(self, *_: object) -> None:
        super().seed("waits")


def install() -> None:
    """Let both libraries speak to the network of the present evening."""
    aiohttp.ClientSession = Session
    discord.gateway.KeepAliveHandler.start = _beating
    discord.backoff.random = SimpleNamespace(Random=_SeededRandom)
