"""The two platforms of an evening: the small ones of the tests, stricter, and without a port."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.chats import fake_discord
from tests.chats.discord_messages import EPHEMERAL, Refused
from tests.chats.discord_messages import Asked as Interaction
from tests.chats.discord_messages import Shown as DiscordShown
from tests.chats.ephemeral_api import EphemeralApi
from tests.evening.loop import Mortal, World
from tests.evening.wire import EDITS, SENDS
from tests.telegram_api import Api, Asked, Refusal

TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"

QUERY = 15.0
"""Seconds in which Telegram takes the answer to a press."""

INTERACTION = 3.0
"""Seconds in which Discord takes the first answer to an interaction."""

TOKEN_LIVES = 900.0
"""Seconds for which an interaction's token is good."""

CHANNELS = (fake_discord.CHANNEL, "302")
"""The channels of the server in which people meet."""

GROUP_CALLS, GROUP_WINDOW = 20, 60.0
"""How many messages and edits a group of Telegram takes in so many seconds."""


@dataclass
class SmallTelegram(EphemeralApi):
    """Telegram with its limits of time and of pace."""

    world: World = None
    asked_at: dict[str, float] = field(default_factory=dict)
    """When presses were made, by their queries."""
    recent: dict[int, deque[float]] = field(default_factory=dict)
    """When calls were taken, by their groups."""
    too_fast: int = 0
    """How many calls came faster than a group takes them."""
    started: set[int] = field(default_factory=set)
    """Who has a private chat with the bot."""
    blocking: set[int] = field(default_factory=set)
    """Who has blocked the bot."""
    moved: dict[int, int] = field(default_factory=dict)
    """What basic groups have become, by their ids."""
    closed: set[int] = field(default_factory=set)
    """The topics in which nobody may write."""
    forum: bool = False
    """Whether groups have topics."""
    _handed: list[dict[str, Any]] = field(default_factory=list)
    _confirmed: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=16))
    """The last updates that nobody is to be told of again."""

    def getchat(self, asked: Asked) -> dict[str, Any]:
        return {**super().getchat(asked), "is_forum": self.forum}

    def take(self, asked: Asked, by: Mortal | None) -> None:
        """Hold a call to the pace of its group, and to who is there; raises ``Refusal``."""
        del by
        chat = int(asked.values.get("chat_id", 0) or 0)
        counted = asked.method in SENDS + EDITS
        if chat in self.moved:
            words = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(400, words, migrate_to_chat_id=self.moved[chat])
        if counted and chat in self.blocking:
            raise Refusal(403, "Forbidden: bot was blocked by the user")
        if counted and chat > 0 and chat not in self.started:
            raise Refusal(403, "Forbidden: bot can't initiate conversation with a user")
        if asked.method in SENDS and int(asked.values.get("message_thread_id", 0)) in self.closed:
            raise Refusal(400, "Bad Request: TOPIC_CLOSED")
        if not counted or chat >= 0:
            return
        now, taken = self.world.loop.time(), self.recent.setdefault(chat, deque())
        while taken and now - taken[0] >= GROUP_WINDOW:
            taken.popleft()
        if len(taken) >= GROUP_CALLS:
            self.too_fast += 1
            wait = int(GROUP_WINDOW - (now - taken[0])) + 1
            raise Refusal(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        taken.append(now)

    async def getupdates(self, asked: Asked) -> list[dict[str, Any]]:
        # What comes late or again has a number that is confirmed already: webhooks bring such.
        offset = int(asked.values.get("offset", 0))
        done = [one for one in self._handed if one["update_id"] < offset]
        self._confirmed.extend(done)
        self.updates = [one for one in self.updates if not any(one is other for other in done)]
        asked.values["offset"] = 0
        self._handed = list(await super().getupdates(asked))
        return self._handed

    def forget_offset(self, count: int) -> list[dict[str, Any]]:
        """Hand out the last *count* updates again: the call that confirmed them was lost."""
        again = list(self._confirmed)[-count:] if count else []
        self.updates = [*again, *self.updates]
        return again

    def answercallbackquery(self, asked: Asked) -> bool:
        query = asked.values["callback_query_id"]
        if query in self.answers or self.world.loop.time() - self.asked_at.get(query, 0) > QUERY:
            raise Refusal(400, TOO_OLD)
        return super().answercallbackquery(asked)

    def getchatmember(self, asked: Asked) -> dict[str, Any]:
        return Api.getchatmember(self, asked)


class SmallDiscord(fake_discord.FakeDiscord):
    """Discord with its limits of time, and with people who see what is theirs alone."""

    port = 0

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.asked_at: dict[str, float] = {}
        """When interactions were made, by their tokens."""
        self.viewers: dict[str, str] = {}
        """Who alone sees a message, by its id."""
        self.sessions: list[Socket] = []
        """The sessions of the first shard, where all people are: each hears of everything."""
        self.resumable: Mortal | None = None
        """Whose session has broken off and may be resumed."""
        self.missed: list[dict[str, Any]] = []
        """What it has not heard of meanwhile."""
        self.away_until = 0.0
        self.cuts: list[tuple[float, float]] = []
        """From when until when nobody could connect."""
        self.archived: set[str] = set()
        """The threads that are archived: what is posted there opens them."""
        self.held_up: Callable[[str], None] = lambda token: None

    async def hand(self, payload: dict[str, Any]) -> None:
        """Send an interaction down the gateway, or keep it for a session that may be resumed."""
        if self.socket is None:
            self.miss(payload)
            return
        for session in self.sessions:
            await session.send_json({"op": 0, "t": "INTERACTION_CREATE", "s": 1, "d": payload})

    def miss(self, payload: dict[str, Any]) -> None:
        """Keep an interaction that nobody reads now."""
        self.held_up(payload["token"])
        self.missed.append(payload)

    def break_off(self, how: str, seconds: float) -> None:
        """End the session in one of Discord's ways; let nobody connect for some *seconds*."""
        socket = self.socket
        if socket is None:
            return
        self.away_until = self.world.loop.time() + seconds
        self.cuts.append((self.world.loop.now, self.world.loop.now + seconds))
        if how == "closed":
            socket.cut(1006)
        else:
            socket.tell(*{"reconnect": (7, None), "invalid": (9, False)}[how])

    def interaction(self, who: Any, kind: int, data: Any, **more: Any) -> Interaction:
        """Make an interaction under the *id* and the *token* that are given."""
        source, place = more.pop("source", None), more.pop("channel", fake_discord.CHANNEL)
        payload = {
            "application_id": fake_discord.BOT, "type": kind, "version": 1, "data": data,
            "channel_id": place,
            "channel": {"id": place, "type": 0, "name": "c", "recipients": [], "position": 0,
                        "permission_overwrites": []},
            "entitlements": [], "attachment_size_limit": 10**7, "context": 0,
            "app_permissions": fake_discord.EVERYTHING, "authorizing_integration_owners": {},
            "guild_id": fake_discord.HOME,
            "guild": {"id": fake_discord.HOME, "locale": more.pop("guild_locale", "es-ES")},
            "member": {"user": who, "roles": [], "joined_at": None, "deaf": False, "mute": False,
                       "flags": 0, "permissions": more.pop("permissions")},
            **more,
        }  # fmt: skip
        if place in self.threads:
            payload["channel"] = self._thread(place)
        if place.startswith("9"):  # a private channel
            payload["channel"] |= {"type": 1, "recipients": [who]}
            payload |= {"context": 1, "user": who}
            del payload["guild_id"], payload["guild"], payload["member"]
        if source is not None:
            payload["message"] = self.out(source)
        asked = Interaction(payload["id"], payload["token"], payload, source)
        self.asked[payload["token"]] = asked
        return asked

    def connect(self, house: Mortal | None) -> Socket:
        """A new session of the gateway for *house*."""
        if self.world.loop.time() < self.away_until:
            raise aiohttp.ClientConnectionError("away")
        return Socket(self, house)

    def drop(self, house: Mortal) -> None:
        """Forget the session of a *house* that has died."""
        if self.resumable is house:
            self.resumable, self.missed = None, []
        for session in [one for one in self.sessions if one.house is house]:
            self.end(session)

    def begin(self, session: Socket) -> None:
        """Let all that people do come by a *session*, too."""
        self.sessions.append(session)
        self.socket = session

    def end(self, session: Socket) -> None:
        """Let nothing more come by a *session*."""
        self.sessions.remove(session)
        self.socket = self.sessions[-1] if self.sessions else None

    def _posted(self, channel: str, body: Any, pictures: list[bytes]) -> Any:
        self.archived.discard(channel)
        return super()._posted(channel, body, pictures)

    def _written(self, method: str, message: Any, body: Any, pictures: list[bytes]) -> Any:
        if method == "PATCH" and message.channel in self.archived and not message.ephemeral:
            raise Refused(400, 50083)
        return super()._written(method, message, body, pictures)

    def _callback(self, asked: Interaction, body: Any, pictures: list[bytes]) -> Any:
        if self.world.loop.time() - self.asked_at[asked.token] > INTERACTION:
            raise Refused(404, 10062)
        told = super()._callback(asked, body, pictures)
        if asked.message is not None and asked.message is not asked.source:
            self._mark(asked, asked.message)
        return told

    def _by_token(
        self, method: str, asked: Any, rest: list[str], body: Any, pictures: list[bytes]
    ) -> Any:
        if asked is not None and self.world.loop.time() - self.asked_at[asked.token] > TOKEN_LIVES:
            raise Refused(401, 50027)
        told = super()._by_token(method, asked, rest, body, pictures)
        if not rest:
            self._mark(asked, asked.said[-1])
        return told

    def _mark(self, asked: Interaction, shown: DiscordShown) -> None:
        if shown.flags & EPHEMERAL:
            payload = asked.payload
            self.viewers[shown.id] = payload.get("user", payload.get("member", {}).get("user"))[
                "id"
            ]


class Socket:
    """A session of the gateway, both ends of it."""

    numbers = itertools.count(1)

    def __init__(self, discord: SmallDiscord, house: Mortal | None) -> None:
        self.discord, self.house = discord, house
        self.closed, self.close_code = False, None
        self.came: asyncio.Queue[Any] = asyncio.Queue()
        self.tell(10, {"heartbeat_interval": 41250})

    def tell(self, op: int, data: Any, name: str | None = None) -> None:
        told = json.dumps({"op": op, "d": data, "s": None if name is None else 1, "t": name})
        self.came.put_nowait(aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, told, None))

    async def send_json(self, told: dict[str, Any]) -> None:
        """What the small Discord sends."""
        self.tell(told["op"], told["d"], told["t"])

    async def receive(self, timeout: float | None = None) -> Any:
        async with asyncio.timeout(timeout):
            return await self.came.get()

    async def send_str(self, text: str) -> None:
        told = json.loads(text)
        if told["op"] == 1:
            self.tell(11, None)
        elif told["op"] == 2:
            self.discord.resumable, self.discord.missed = None, []
            self._identify(told["d"].get("shard", [0, 1]))
        elif told["op"] == 6:
            await self._resume()

    async def _resume(self) -> None:
        discord = self.discord
        if discord.resumable is not self.house:
            self.tell(9, False)
            return
        missed, discord.missed, discord.resumable = discord.missed, [], None
        discord.begin(self)
        self.tell(0, {}, "RESUMED")
        for payload in missed:
            await discord.hand(payload)

    def _identify(self, shard: list[int]) -> None:
        home = fake_discord.HOME
        ready = {"v": 10, "user": self.discord.user(fake_discord.BOT), "session_id": "s",
                 "guilds": [{"id": home, "unavailable": True}][: not shard[0]], "shard": shard,
                 "resume_gateway_url": "ws://gateway",
                 "application": {"id": fake_discord.BOT, "flags": 0}}  # fmt: skip
        self.tell(0, ready, "READY")
        if shard[0]:
            return
        told = {"id": home, "name": "home", "roles": [], "emojis": [], "features": [],
                "channels": [{"id": channel, "type": 0, "name": "c", "position": 0,
                              "permission_overwrites": []} for channel in CHANNELS],
                "members": [], "owner_id": "1", "member_count": 2}  # fmt: skip
        self.tell(0, told, "GUILD_CREATE")
        self.discord.begin(self)

    async def close(self, *, code: int = 1000, message: bytes = b"") -> None:
        del message
        self.cut(code)

    def cut(self, code: int) -> None:
        """End the connection; the session goes on where *code* says so."""
        self.closed, self.close_code = True, code
        if self in self.discord.sessions:
            self.discord.end(self)
            self.discord.resumable = None if code in (1000, 1001) else self.house
            for told in () if self.discord.sessions else self._unread():
                self.discord.miss(told)
        self.came.put_nowait(aiohttp.WSMessage(aiohttp.WSMsgType.CLOSED, None, None))

    def _unread(self) -> list[dict[str, Any]]:
        """The interactions that came and that nobody has read."""
        left = []
        while not self.came.empty():
            told = json.loads(self.came.get_nowait().data or "{}")
            if told.get("t") == "INTERACTION_CREATE":
                left.append(told["d"])
        return left
