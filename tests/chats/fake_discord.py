"""A small Discord at the wire: what our chat asks of the real one, and nothing more.

It keeps messages, hands interactions down a gateway and refuses what ``failing`` says.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import discord.gateway
from aiohttp import WSMsgType, web
from yarl import URL

from bot.chats.discord.commands import path_of
from bot.facade import BY_NAME
from tests.chats.discord_messages import (
    EPHEMERAL,
    LOADING,
    Asked,
    Begun,
    Body,
    Failure,
    Refused,
    Shown,
    numbered,
)
from tests.loopback import listening

TOKEN = "fake.token"
SECRET = "fake.secret"
BOT, HOME, AWAY, CHANNEL, ABROAD = "100", "200", "201", "300", "301"
EVERYTHING = str((1 << 50) - 1)
EMBEDDED = 1 << 17
"""The flag of an application that has Activities."""
ENTRY = 4
"""The type of the command by which Discord offers an Activity."""
LAUNCH = 12
"""The type of an answer that opens the Activity."""
USES_APPS = str(1 << 50)
"""What somebody may do who manages nothing: use apps that they have installed for themselves."""


class FakeDiscord:
    """A Discord for one bot, one server of its own and one that it is no member of."""

    def __init__(self) -> None:
        self.messages: dict[str, Shown] = {}
        self.threads: dict[str, Begun] = {}
        self.asked: dict[str, Asked] = {}
        self.requests: list[tuple[str, Body]] = []
        self.commands: list[Body] = []
        self.servers: list[Body] = []
        self.pushes = 0
        self.takes_faces = False
        self.emojis: dict[str, Body] = {}
        self.uploads = 0
        self.undescribed: list[str] = []
        """The requests with a file that has no words for who cannot see it."""
        self.failing: list[Failure] = []
        self.members: dict[str, Body] = {}
        """What is to be said of members, by their ids: whether they are pending, or timed out."""
        self.uploads_limited = 0
        """The status of the refusal of all files, 0 where they are taken."""
        self.socket: web.WebSocketResponse | None = None
        self.presence: Body | None = None
        self.gone: set[str] = set()
        """The people who have left the server, by their ids."""
        self.activities, self.flags_tell = False, True
        """Whether the application has Activities; ``switch_activities`` makes the Entry Point."""
        self.redirects: tuple[str, ...] = ()
        self.starts = 1000
        """How many more sessions may begin."""
        self.takes = asyncio.Event()
        self.takes.set()
        """Whether a session gets ready."""
        self.identified: list[int] = []
        """The shards that have begun a session."""
        now = int((time.time() - 1420070400) * 1000) << 22
        self._ids = map(str, itertools.count(now))
        self._changed = asyncio.Event()

    # ---------------------------------------------------------------- the wire

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        app = web.Application(client_max_size=2**24)
        for path in ("/gateway", "/gateway/"):
            app.router.add_get(path, self._gateway)
        app.router.add_route("*", "/api/{tail:.*}", self._request)
        async with listening(app) as address:
            self.port = int(address.rpartition(":")[2])
            yield f"{address}/api"

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        # No test lasts so long: the library's thread outlives a connection left while it waits.
        hello = {"heartbeat_interval": 3_600_000}
        await socket.send_json({"op": 10, "d": hello, "s": None, "t": None})
        async for received in socket:
            if received.type is not WSMsgType.TEXT:
                break
            told = json.loads(received.data)
            if told["op"] == 2:
                shard = told["d"].get("shard", [0, 1])
                self.starts -= 1
                await self.takes.wait()
                self.presence = told["d"].get("presence")
                self.identified.append(shard[0])
                servers = [] if shard[0] else [{"id": HOME, "unavailable": True}]
                ready = {
                    "v": 10, "user": self.user(BOT), "guilds": servers,
                    "session_id": "s", "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway",
                    "application": {"id": BOT, "flags": 0}, "shard": shard,
                }  # fmt: skip
                await _sent(socket, "READY", ready)
                if shard[0]:
                    self._changed.set()
                    continue
                self.socket = socket
                home = {"id": HOME, "name": "home", "roles": [], "emojis": [], "features": [],
                        "channels": [{"id": CHANNEL, "type": 0, "name": "c", "position": 0,
                                      "permission_overwrites": []}],
                        "members": [], "owner_id": "1", "member_count": 2}  # fmt: skip
                await _sent(socket, "GUILD_CREATE", home)
                self._changed.set()
            elif told["op"] == 6:  # the library resumes after a minute without a word of ours
                self.socket = socket
                await _sent(socket, "RESUMED", {})
                self._changed.set()
            elif told["op"] == 1:
                await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
        if self.socket is socket:
            self.socket = None
        return socket

    async def emit(self, name: str, data: Body) -> None:
        await self.until(lambda: self.socket is not None)  # a house is pressed once it is there
        assert self.socket is not None
        await _sent(self.socket, name, data)

    async def _request(self, request: web.Request) -> web.Response:
        body, pictures = await _read(request)
        line = f"{request.method} /{request.match_info['tail']}"
        self.requests.append((line, body))
        self.uploads += len(pictures)
        told = body.get("data") or body if isinstance(body, dict) else {}
        files = [one for one in told.get("attachments") or () if "filename" in one]
        self.undescribed += [line for one in files if not one.get("description")]
        try:
            for failure in self.failing:
                if failure.times > 0 and re.search(failure.pattern, line):
                    failure.times -= 1
                    raise Refused(failure.status, failure.code)
            if pictures and self.uploads_limited:
                raise Refused(self.uploads_limited, 400001)
            answer = self._answer(line, body, pictures)
        except Refused as refused:
            said = {"code": refused.code, "message": "", "retry_after": 0.05}
            if isinstance(refused.code, str):
                said = {"error": refused.code}
            return _json(said, refused.status, {"Via": "1.1 fake", "Retry-After": "0.05"})
        finally:
            self._changed.set()
        return web.Response(status=204) if answer is None else _json(answer)

    def _answer(self, line: str, body: Any, pictures: list[bytes]) -> Any:
        match line.split(" ")[0], *line.split(" ")[1].strip("/").split("/"):
            case "GET", "users", "@me":
                return self.user(BOT)
            case "GET", "oauth2", "applications", "@me":
                return {
                    "id": BOT, "name": "bot", "icon": None, "description": "", "bot_public": True,
                    "bot_require_code_grant": False, "verify_key": "",
                    "flags": EMBEDDED * (self.activities and self.flags_tell),
                    "redirect_uris": list(self.redirects),
                    "owner": self.user("1"),
                }  # fmt: skip
            case "POST", "oauth2", "token":
                raise Refused(
                    400, "invalid_grant" if body["client_secret"] == SECRET else "invalid_client"
                )
            case "GET", "gateway", "bot":
                url = f"ws://127.0.0.1:{self.port}/gateway"
                limits = {
                    "total": 1000, "remaining": self.starts, "reset_after": 3_600_000,
                    "max_concurrency": 1,
                }  # fmt: skip
                return {"url": url, "shards": 1, "session_start_limit": limits}
            case "GET", "guilds", _, "members", person:
                return self._member(person)
            case method, "applications", application, *what if application != "@me":
                return self._application(method, what, body)
            case "GET", "users", "@me", listed if listed.startswith("guilds"):
                return self.servers
            case "POST", "interactions", _, token, "callback":
                return self._callback(self.asked[token], body, pictures)
            case method, "webhooks", _, token, *rest:
                return self._by_token(method, self.asked.get(token), rest, body, pictures)
            case method, "channels", *what:
                return self._in_channel(method, what, body, pictures)
        raise AssertionError(line)

    def _in_channel(self, method: str, what: list[str], body: Any, pictures: list[bytes]) -> Any:
        match method, *what:
            case "POST", channel, "messages":
                return self._posted(channel, body, pictures)
            case "GET", channel, "messages":
                shown = [one for one in self.messages.values() if one.channel == channel]
                return [self.out(one) for one in reversed(shown) if not one.ephemeral]
            case "POST", channel, "threads":
                return self._started(channel, body)
            case "PUT", thread, "thread-members", person:
                self.threads[thread].people.append(person)
                return None
            case "PATCH", thread if thread in self.threads:
                self.threads[thread].minutes = body["auto_archive_duration"]
                return self._thread(thread)
            case method, _, "messages", message:
                if message not in self.messages:
                    raise Refused(404, 10008)
                return self._written(method, self.messages[message], body, pictures)
        raise AssertionError(f"{method} {what}")

    def _member(self, person: str) -> Body:
        if person in self.gone:
            raise Refused(404, 10007)
        return {"user": self.user(person), "roles": [], **self.members.get(person, {})}

    def _application(self, method: str, what: list[str], body: Any) -> Any:
        if what[0] == "emojis":
            return self._emojis(method, body, *what[1:])
        if method == "PUT":
            kept = {one.get("type") for one in body}
            if self.activities and ENTRY in {one["type"] for one in self.commands} - kept:
                raise Refused(400, 50240)
            self.commands, self.pushes = body, self.pushes + 1
        return self._registered()

    def _emojis(self, method: str, body: Any, number: str = "") -> Any:
        if not self.takes_faces:
            raise Refused(403, 50001)
        if method == "GET":
            return {"items": list(self.emojis.values())}
        if method == "DELETE":
            del self.emojis[number]
            return None
        assert body["image"].startswith("data:image/png;base64,")
        made = {"id": next(self._ids), "name": body["name"], "animated": False, "roles": [],
                "require_colons": True, "managed": False, "available": True}  # fmt: skip
        self.emojis[made["id"]] = made
        return made

    def switch_activities(self) -> None:
        """Switch Activities on, as the developer portal does, which makes an Entry Point."""
        self.activities = True
        self.commands = [*self.commands, {"name": "launch", "type": ENTRY, "handler": 2}]

    def _registered(self) -> list[Body]:
        more = {"application_id": BOT, "version": "1", "default_member_permissions": None}
        return [
            {"description": "", "options": [], **one, **more, "id": str(9000 + number)}
            for number, one in enumerate(self.commands)
        ]

    def _started(self, channel: str, body: Body) -> Body:
        number = next(self._ids)
        self.threads[number] = Begun(channel, body["name"], body["auto_archive_duration"])
        return self._thread(number)

    def _thread(self, number: str) -> Body:
        thread = self.threads[number]
        about = {"archived": False, "auto_archive_duration": thread.minutes, "locked": False,
                 "archive_timestamp": "2026-01-01T00:00:00+00:00"}  # fmt: skip
        return {"id": number, "type": 11, "guild_id": HOME, "parent_id": thread.channel,
                "owner_id": BOT, "name": thread.name, "last_message_id": None, "message_count": 0,
                "member_count": 1, "rate_limit_per_user": 0, "thread_metadata": about}  # fmt: skip

    def _posted(self, channel: str, body: Body, pictures: list[bytes]) -> Body:
        if channel == ABROAD:
            raise Refused(403, 50001)
        for shown in self.messages.values():
            if body.get("enforce_nonce") and shown.body.get("nonce") == body["nonce"]:
                return self.out(shown)
        return self.out(self._keep(channel, body, pictures))

    def _keep(self, channel: str, body: Body, pictures: list[bytes], flags: int = 0) -> Shown:
        shown = Shown(next(self._ids), channel, flags=flags)
        self.messages[shown.id] = shown
        self._write(shown, body, pictures)
        return shown

    def _write(self, shown: Shown, body: Body, pictures: list[bytes]) -> None:
        # Files are added to those there unless the attachments say what stays.
        kept = [] if "attachments" in body else shown.pictures
        shown.pictures = kept + pictures
        shown.body = {**shown.body, **body}
        shown.flags = (shown.flags & EPHEMERAL) | (body.get("flags") or 0) & ~LOADING
        shown.writes += 1

    def _written(self, method: str, shown: Shown, body: Body, pictures: list[bytes]) -> Any:
        if method == "GET":
            return self.out(shown)
        if method == "DELETE":
            self.messages.pop(shown.id).flags &= ~LOADING
            return None
        if shown.channel == ABROAD and not body.get("_token"):
            raise Refused(403, 50001)
        self._write(shown, body, pictures)
        return self.out(shown)

    def _callback(self, asked: Asked, body: Body, pictures: list[bytes]) -> Body:
        if asked.type is not None:
            raise Refused(400, 40060)
        if body["type"] == LAUNCH and not self.activities:
            raise Refused(400, 50035)
        asked.type, asked.data = body["type"], body.get("data") or {}
        channel = asked.payload["channel_id"]
        if asked.type in (4, 5):
            flags = asked.data.get("flags", 0)
            asked.message = self._keep(channel, asked.data, pictures, flags)
            asked.message.flags |= LOADING if asked.type == 5 else 0
        elif asked.type in (6, 7):
            asked.message = asked.source
            if asked.type == 7 and asked.source is not None:
                self._write(asked.source, asked.data, pictures)
        told: Body = {"id": asked.id, "type": asked.payload["type"]}
        if asked.message is not None:
            told["response_message_id"] = asked.message.id
        return {"interaction": told}

    def _by_token(
        self, method: str, asked: Asked | None, rest: list[str], body: Body, pictures: list[bytes]
    ) -> Any:
        if asked is None or asked.type is None:
            raise Refused(404, 10015)
        if not rest:
            flags = body.get("flags", 0)
            shown = self._keep(asked.payload["channel_id"], body, pictures, flags)
            asked.said.append(shown)
            return self.out(shown)
        reachable = [asked.message, *asked.said]
        wanted = asked.message.id if rest[1] == "@original" and asked.message else rest[1]
        shown_here = self.messages.get(wanted)
        if shown_here is None or shown_here not in reachable:
            raise Refused(404, 10008)
        return self._written(method, shown_here, {**body, "_token": True}, pictures)

    # ---------------------------------------------------------------- as Discord tells it

    def user(self, number: str, name: str = "bot") -> Body:
        return {"id": number, "username": name.lower(), "global_name": name, "discriminator": "0",
                "avatar": None, "bot": number == BOT, "public_flags": 0}  # fmt: skip

    def out(self, shown: Shown) -> Body:
        return {
            "id": shown.id, "channel_id": shown.channel, "author": self.user(BOT), "type": 0,
            "content": shown.body.get("content") or "", "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [],
            "mention_roles": [], "attachments": [], "embeds": [], "pinned": False,
            "flags": shown.flags | (1 << 15 if shown.parts(17) else 0),
            "components": [numbered(one) for one in shown.body.get("components", [])],
            **self._answered(shown),
        }  # fmt: skip

    def _answered(self, shown: Shown) -> Body:
        """What *shown* says of the message that it answers, which may be gone."""
        reference = shown.body.get("message_reference")
        if reference is None:
            return {}
        there = self.messages.get(str(reference["message_id"]))
        return {
            "message_reference": {**reference, "type": 0},
            "referenced_message": None if there is None else self.out(there),
        }

    async def ask(self, who: Body, kind: int, data: Body, **more: Any) -> Asked:
        """Send an interaction down the gateway; *more* is what differs from our server."""
        token, source = f"t{next(self._ids)}", more.pop("source", None)
        place, may = more.pop("channel", CHANNEL), more.pop("permissions", USES_APPS)
        guild = None if place.startswith("9") else AWAY if place == ABROAD else HOME
        payload: Body = {
            "id": next(self._ids), "application_id": BOT, "type": kind, "token": token,
            "version": 1, "data": data, "channel_id": place, "locale": "es-ES",
            "channel": {"id": place, "type": 0 if guild else 1, "name": "c", "recipients": [],
                        "position": 0, "permission_overwrites": []},
            "entitlements": [], "attachment_size_limit": 10**7, "context": 0 if guild else 1,
            "app_permissions": EVERYTHING, "authorizing_integration_owners": {}, **more,
        }  # fmt: skip
        if place in self.threads:
            payload["channel"] = self._thread(place)
        if guild is None:
            payload["user"] = who
        else:
            payload |= {"guild_id": guild, "guild": {"id": guild, "locale": "es-ES"}}
            payload["member"] = {"user": who, "roles": [], "joined_at": None, "deaf": False,
                                 "mute": False, "flags": 0, "permissions": may}  # fmt: skip
        if source is not None:
            payload["message"] = self.out(source)
        asked = self.asked[token] = Asked(payload["id"], token, payload, source)
        await self.emit("INTERACTION_CREATE", payload)
        return asked

    async def again(self, asked: Asked) -> None:
        """Deliver *asked* once more."""
        await self.emit("INTERACTION_CREATE", asked.payload)

    async def press(self, who: Body, message: Shown, code: str, **more: Any) -> Asked:
        data = {"custom_id": code, "component_type": 2}
        more.setdefault("channel", message.channel)
        asked = await self.ask(who, 3, data, source=message, **more)
        await self.until(lambda: asked.type is not None)
        return asked

    async def choose(
        self, who: Body, message: Shown, code: str, person: Body | None = None
    ) -> Asked:
        """Choose from a list: an option by its value, or *person* from a list of people."""
        data: Body = {"custom_id": "list", "component_type": 3, "values": [code]}
        if person is not None:
            found = self.resolved({person["id"]: person})
            data = {"custom_id": code, "component_type": 5, "values": [person["id"]]}
            data["resolved"] = found
        asked = await self.ask(who, 3, data, source=message, channel=message.channel)
        await self.until(lambda: asked.type is not None)
        return asked

    def resolved(self, people: Body) -> Body:
        """*people*, by id, as interactions describe them: who is none of the server's, less."""
        members = {
            who: {"roles": [], "joined_at": None, "deaf": False, "mute": False, "flags": 0,
                  "permissions": USES_APPS, **self.members.get(who, {})}
            for who in people if who not in self.gone
        }  # fmt: skip
        return {"users": people, "members": members}

    async def send_form(self, who: Body, asked: Asked, text: str) -> Asked:
        """Send the form that answered *asked*, with *text* in its field."""
        (label,) = asked.data["components"]
        field = {"type": 4, "custom_id": label["component"]["custom_id"], "value": text}
        return await self._send_fields(who, asked, [field])

    async def send_choices(
        self, who: Body, asked: Asked, chosen: dict[str, str], **more: Any
    ) -> Asked:
        """Send the form that answered *asked* with what it has, but for the *chosen* labels."""
        fields = []
        for label in asked.data["components"]:
            field, wanted = label["component"], chosen.get(label["label"])
            (option,) = (
                one
                for one in field["options"]
                if (one["default"] if wanted is None else one["label"] == wanted)
            )
            given = (
                {"values": [option["value"]]} if field["type"] == 3 else {"value": option["value"]}
            )
            fields.append({"type": field["type"], "custom_id": field["custom_id"], **given})
        return await self._send_fields(who, asked, fields, **more)

    async def _send_fields(self, who: Body, asked: Asked, fields: list[Body], **more: Any) -> Asked:
        data = {
            "custom_id": asked.data["custom_id"],
            "components": [{"type": 18, "component": field} for field in fields],
        }
        channel = asked.source.channel
        sent = await self.ask(who, 5, data, source=asked.source, channel=channel, **more)
        await self.until(lambda: sent.type is not None)
        return sent

    async def slash(self, who: Body, name: str, options: Body | None = None, **more: Any) -> Asked:
        """Give a command and wait until something answers it, and «thinking» has gone."""
        given, resolved = [], {}
        for key, value in (options or {}).items():
            kind = 6 if isinstance(value, dict) else 3
            if kind == 6:
                resolved[value["id"]] = value
            given.append({"name": key, "type": kind, "value": value["id"] if kind == 6 else value})
        data = command_data(name, given)
        asked = await self.ask(who, 2, {**data, "resolved": self.resolved(resolved)}, **more)
        await self.until(lambda: asked.message and not asked.message.flags & LOADING)
        return asked

    async def complete(self, who: Body, name: str, key: str, typed: str = "") -> list[Body]:
        options = [{"name": key, "type": 3, "value": typed, "focused": True}]
        asked = await self.ask(who, 4, command_data(name, options))
        await self.until(lambda: asked.type is not None)
        return list(asked.data["choices"])

    async def until(self, condition: Any, seconds: float = 60.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    def count(self, pattern: str) -> int:
        return sum(bool(re.search(pattern, line)) for line, _ in self.requests)


def command_data(name: str, options: list[Body]) -> Body:
    """The command *name* with its *options*, within its group where it has one."""
    *groups, inner = path_of(BY_NAME[name]) if name in BY_NAME else (name,)
    data: Body = {"name": inner, "type": 1, "options": options}
    for group in groups:
        data = {"name": group, "type": 1, "options": [data]}
    return {"id": "1", **data}


async def _read(request: web.Request) -> tuple[Any, list[bytes]]:
    if request.content_type == "application/x-www-form-urlencoded":
        return dict(await request.post()), []
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (json.loads(raw) if raw else {}), []
    body, pictures = {}, []
    async for part in await request.multipart():
        data = bytes(await part.read(decode=False))
        if part.name == "payload_json":
            body = json.loads(data)
        else:
            pictures.append(data)
    return body, pictures


def _json(said: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    # The library compares the whole header: no charset.
    kept = {**(headers or {}), "Content-Type": "application/json"}
    return web.Response(body=json.dumps(said).encode(), status=status, headers=kept)


async def _sent(socket: web.WebSocketResponse, name: str, data: Body) -> None:
    await socket.send_json({"op": 0, "t": name, "s": 1, "d": data})


def point_library_at(monkeypatch: Any, base: str) -> None:
    """The library asks *base* instead of Discord."""
    monkeypatch.setattr(discord.http.Route, "BASE", base)
    gateway = URL(base.replace("http", "ws", 1)).with_path("/gateway")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
