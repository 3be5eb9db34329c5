"""A small Bot API on loopback: it hands out updates, keeps messages, and holds to the limits."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from aiohttp import web

from tests.loopback import listening
from tests.telegram_messages import BOT, GROUP, Shown, Visible

TOKEN = "123456789:CANARY-token-of-the-tests-0123456789"


class Refusal(Exception):
    """An error of the Bot API: its code, its words, its parameters."""

    def __init__(self, code: int, words: str, **parameters: int) -> None:
        super().__init__(words)
        self.code, self.words, self.parameters = code, words, parameters


@dataclass
class Asked:
    """One call of a method."""

    method: str
    values: dict[str, Any]
    files: dict[str, tuple[str, bytes]]
    refused: str = ""


MAY = tuple(
    f"can_{what}"
    for what in (
        *(f"send_{kind}" for kind in ("messages", "audios", "documents", "photos", "videos")),
        *(f"send_{kind}" for kind in ("video_notes", "voice_notes", "polls", "other_messages")),
        *("add_web_page_previews", "change_info", "invite_users", "pin_messages", "manage_topics"),
    )
)
"""What members of a group may do (Bot API, ChatPermissions)."""

GIFTS = dict.fromkeys(
    (
        *("unlimited_gifts", "limited_gifts", "unique_gifts"),
        *("premium_subscription", "gifts_from_channels"),
    ),
    False,
)

DOWNLOADED = 20 * 1024 * 1024
"""The most bytes of a file that bots may download (https://core.telegram.org/bots/api#getfile)."""

SILENT = (
    "deletewebhook",
    "setchatmenubutton",
    "setmycommands",
    "setmydescription",
    "setmyshortdescription",
    "setwebhook",
)
"""What is answered by nothing but that it was done."""


@dataclass
class Api:
    """The server; *refuse* is asked before every call and may raise a ``Refusal``."""

    asked: list[Asked] = field(default_factory=list)
    messages: dict[tuple[int, int], Shown] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    reactions: dict[int, str] = field(default_factory=dict)
    updates: list[dict[str, Any]] = field(default_factory=list)
    menu: list[dict[str, str]] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    """What the bot may do, of all that Telegram tells of it."""
    standings: dict[tuple[int, int], str] = field(default_factory=dict)
    """What people are in groups, by both ids; members where nothing is said."""
    refuse: Callable[[Asked], None] = lambda asked: None
    url: str = ""
    permissions: dict[int, dict[str, bool]] = field(default_factory=dict)
    """What members may not do in a chat, or may."""
    managers: dict[int, tuple[dict, ...]] = field(default_factory=dict)
    """The people who manage a chat; others are members."""
    hidden: set[int] = field(default_factory=set)
    """The chats that tell nobody who their members are."""
    latency: float = 0.0
    """Seconds that every call takes, but the one for updates."""
    inline: dict[str, Shown] = field(default_factory=dict)
    """What stands where the bot is no member, by its ids."""
    fetch: Callable[[str], Awaitable[bytes | None]] | None = None
    """Fetches the pictures at addresses; nobody finds any where there is none."""
    files: dict[str, bytes] = field(default_factory=dict)
    """What people have sent, by the ids of the files."""
    _numbers: itertools.count = field(default_factory=lambda: itertools.count(1))
    _messages: itertools.count = field(default_factory=lambda: itertools.count(1))
    _pictures: dict[str, bytes] = field(default_factory=dict)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    # ---------------------------------------------------------------- people

    async def give(self, kind: str, body: dict[str, Any]) -> int:
        """Hand out an update; answers its id."""
        number = 1000 + next(self._numbers)
        await self.give_raw({"update_id": number, kind: body})
        return number

    async def give_raw(self, *updates: dict[str, Any]) -> None:
        """Hand out updates as they are."""
        async with self._news:
            self.updates += updates
            self._news.notify_all()

    async def say(self, user: dict, text: str, chat: dict = GROUP, **more: Any) -> int:
        """Somebody writes; answers the id of the update."""
        told = {"message_id": next(self._messages), "date": 1, "text": text}
        return await self.give("message", {**told, "chat": chat, "from": user, **more})

    async def send_file(
        self,
        user: dict,
        name: str,
        data: bytes,
        caption: str,
        *,
        told_size: bool = True,
        chat: dict = GROUP,
    ) -> int:
        """Somebody sends a file with words below it to a chat; answers the id of the update."""
        key = f"F{next(self._numbers)}"
        self.files[key] = data
        sent = {"file_id": key, "file_unique_id": f"u{key}", "file_name": name}
        told = {"message_id": next(self._messages), "date": 1, "caption": caption, "chat": chat}
        document = {**sent, "file_size": len(data)} if told_size else sent
        return await self.give("message", {**told, "from": user, "document": document})

    async def press(self, user: dict, message: Shown, code: str) -> dict[str, Any]:
        """Somebody presses a button; answers what he hears."""
        query = f"q{next(self._numbers)}"
        body = {"id": query, "from": user, "chat_instance": "c", "data": code}
        where = {"message": message.data()}
        if message.inline:
            where = {"inline_message_id": message.inline}
        await self.give("callback_query", {**body, **where})
        return await self.until(lambda: self.answers.get(query))

    async def leave(self, user: dict, chat: dict = GROUP) -> None:
        """Somebody leaves a group, which Telegram tells."""
        self.standings[chat["id"], user["id"]] = "left"
        await self._service(user, chat, left_chat_member=user)

    async def join(self, user: dict, chat: dict = GROUP) -> None:
        """Somebody comes into a group, which Telegram tells."""
        self.standings[chat["id"], user["id"]] = "member"
        await self._service(user, chat, new_chat_members=[user])

    async def _service(self, user: dict, chat: dict, **what: Any) -> None:
        told = {"message_id": next(self._messages), "date": 1, "chat": chat, "from": user}
        await self.give("message", {**told, **what})

    async def types(self, user: dict, text: str, offset: str = "") -> dict[str, Any]:
        """Somebody types our @name and *text* in any chat; what is offered from *offset*."""
        query, asked = f"i{next(self._numbers)}", {"query": text, "offset": offset}
        body = {"id": query, "from": user, "chat_type": "supergroup", **asked}
        await self.give("inline_query", body)
        return await self.until(lambda: self.answers.get(query))

    async def choose(self, user: dict, card: dict, typed: str = "") -> Shown:
        """Somebody picks one of the results of what he *typed*, which stands there at once."""
        shown = self._stand(card)
        picked = {"result_id": card["id"], "from": user, "query": typed}
        inline = {"inline_message_id": shown.inline} if shown.inline else {}
        await self.give("chosen_inline_result", {**picked, **inline})
        return shown

    async def summon(self, user: dict, text: str) -> Shown:
        """Somebody calls the bot in a group where it is no member; answers what it says."""
        query = f"g{next(self._numbers)}"
        told = {"message_id": next(self._messages), "date": 1, "text": text, "chat": GROUP}
        await self.give("guest_message", {**told, "from": user, "guest_query_id": query})
        return await self.until(lambda: self.inline.get(self.answers.get(query, {}).get("stands")))

    def _stand(self, card: dict) -> Shown:
        """The message made of *card*, with an id of its own if it has keys."""
        said = self._said(card["input_message_content"]["message_text"], 4096)
        shown = Shown(0, 0, *said, rows=_rows(card))
        if shown.rows:
            shown.inline = f"inline-{next(self._numbers)}"
            self.inline[shown.inline] = shown
        return shown

    async def until(self, found: Callable[[], Any], seconds: float = 60.0) -> Any:
        """What *found* answers, once it answers something."""
        async with asyncio.timeout(seconds):
            while not (what := found()):
                await asyncio.sleep(0.005)
        return what

    def board(self, chat: int = GROUP["id"]) -> Shown | None:
        """The newest message with a keyboard in a chat."""
        found = [m for m in self.messages.values() if m.chat == chat and m.rows]
        return max(found, key=lambda message: message.id, default=None)

    def calls(self, *methods: str) -> list[Asked]:
        """The calls of *methods*, in any case."""
        wanted = {method.casefold() for method in methods}
        return [one for one in self.asked if one.method.casefold() in wanted]

    # ---------------------------------------------------------------- the server

    async def handle(self, request: web.Request) -> web.Response:
        if request.match_info["token"] != TOKEN:
            return _answer(Refusal(401, "Unauthorized"))
        values: dict[str, Any] = {}
        files = {}
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                with value.file as sent:
                    files[name] = (value.filename, sent.read())
            else:
                structured = value[:1] in ("[", "{") and name not in ("text", "caption")
                values[name] = json.loads(value) if structured else value
        asked = Asked(request.match_info["method"], values, files)
        if asked.method != "getUpdates":
            self.asked.append(asked)
            await asyncio.sleep(self.latency)
        try:
            self.refuse(asked)
            result = getattr(self, asked.method.lower())(asked)
            if asyncio.iscoroutine(result):
                result = await result
        except Refusal as refused:
            asked.refused = refused.words
            return _answer(refused)
        return web.json_response({"ok": True, "result": result})

    async def download(self, request: web.Request) -> web.Response:
        """What ``getFile`` has pointed to."""
        key = request.match_info["path"].partition("/")[2]
        if request.match_info["token"] != TOKEN or key not in self.files:
            return web.Response(status=404)
        return web.Response(body=self.files[key])

    def getfile(self, asked: Asked) -> dict:
        key = asked.values["file_id"]
        if key not in self.files:
            raise Refusal(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
        if len(self.files[key]) > DOWNLOADED:
            raise Refusal(400, "Bad Request: file is too big")
        path = f"documents/{key}"
        size = {"file_unique_id": f"u{key}", "file_size": len(self.files[key])}
        return {"file_id": key, **size, "file_path": path}

    def getme(self, asked: Asked) -> dict:
        flags = ("can_join_groups", "can_read_all_group_messages", "supports_inline_queries")
        flags = (*flags, "has_main_web_app", "supports_guest_queries", "has_topics_enabled")
        return {**BOT, **{flag: flag in self.flags for flag in flags}}

    def getchat(self, asked: Asked) -> dict:
        chat = int(asked.values["chat_id"])
        may = {right: self.permissions.get(chat, {}).get(right, True) for right in MAY}
        whole = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": GIFTS}
        return {**GROUP, "id": chat, **whole, "permissions": may}

    def getchatmember(self, asked: Asked) -> dict:
        chat, user = int(asked.values["chat_id"]), int(asked.values["user_id"])
        if user == BOT["id"]:
            return {"user": BOT, "status": "member"}
        if chat in self.hidden:
            raise Refusal(400, "Bad Request: CHAT_ADMIN_REQUIRED")
        (known, *_) = [one for one in self.managers.get(chat, ()) if one["id"] == user] or [None]
        if known is None:
            status = self.standings.get((chat, user), "member")
            until = {"until_date": 0} if status == "kicked" else {}
            return {"user": {**BOT, "id": user, "is_bot": False}, "status": status, **until}
        return {"user": known, "status": "creator", "is_anonymous": False}

    def createforumtopic(self, asked: Asked) -> dict:
        name = asked.values["name"]
        if not 1 <= len(name) <= 128:
            raise Refusal(400, "Bad Request: TOPIC_TITLE_INVALID")
        return {"message_thread_id": next(self._messages), "name": name, "icon_color": 7322096}

    def deleteforumtopic(self, asked: Asked) -> bool:
        del asked
        return True

    def getchatadministrators(self, asked: Asked) -> list:
        listed = self.managers.get(int(asked.values["chat_id"]), ())
        return [{"user": one, "status": "creator", "is_anonymous": False} for one in listed]

    def getwebhookinfo(self, asked: Asked) -> dict:
        return {
            "url": "",
            "has_custom_certificate": False,
            "pending_update_count": len(self.updates),
        }

    def getmycommands(self, asked: Asked) -> list:
        return self.menu

    async def getupdates(self, asked: Asked) -> list:
        offset = int(asked.values.get("offset", 0))
        async with self._news:
            self.updates = [one for one in self.updates if one["update_id"] >= offset]
            if not self.updates and float(asked.values.get("timeout", 0)):
                try:
                    await asyncio.wait_for(self._news.wait(), 5)
                except TimeoutError:
                    return []
            return self.updates[:100]

    def __getattr__(self, name: str) -> Callable[[Asked], bool]:
        if name in SILENT:
            return lambda asked: True
        raise AttributeError(name)

    def answercallbackquery(self, asked: Asked) -> bool:
        query = asked.values["callback_query_id"]
        assert query not in self.answers, "a press is answered once"
        assert len(asked.values.get("text", "")) <= 200
        self.answers[query] = asked.values
        return True

    def answerinlinequery(self, asked: Asked) -> bool:
        query, results = asked.values["inline_query_id"], asked.values["results"]
        assert query not in self.answers, "what is typed is answered once"
        assert len(results) <= 50
        assert len({one["id"] for one in results}) == len(results)
        assert all(1 <= len(one["id"].encode()) <= 64 for one in results)
        for one in results:
            _rows(one)
        self.answers[query] = asked.values
        return True

    def sendmessage(self, asked: Asked) -> dict:
        return self._sent(asked, self._said(asked.values["text"], 4096))

    def sendphoto(self, asked: Asked) -> dict:
        words = self._said(asked.values.get("caption", ""), 1024)
        return self._sent(asked, words, picture=self._picture(asked, asked.values.get("photo")))

    def sendanimation(self, asked: Asked) -> dict:
        return self.senddocument(asked)

    def senddocument(self, asked: Asked) -> dict:
        ((_, data),) = asked.files.values()
        words = self._said(asked.values.get("caption", ""), 1024)
        return self._sent(asked, words, document=data)

    def editmessagetext(self, asked: Asked) -> dict | bool:
        message = self._meant(asked)
        if message.picture is not None:
            raise Refusal(400, "Bad Request: there is no text in the message to edit")
        return self._edited(message, asked, self._said(asked.values["text"], 4096), None)

    async def editmessagemedia(self, asked: Asked) -> dict | bool:
        media, found = asked.values["media"], None
        assert not (asked.files and "inline_message_id" in asked.values), "no uploads there"
        if media["media"].startswith("https://"):
            found = None if self.fetch is None else await self.fetch(media["media"])
            if found is None:
                raise Refusal(400, "Bad Request: failed to get HTTP URL content")
        picture = found or self._picture(asked, media["media"])
        words = self._said(media.get("caption", ""), 1024)
        return self._edited(self._meant(asked), asked, words, picture)

    def editmessagereplymarkup(self, asked: Asked) -> dict | bool:
        message = self._meant(asked)
        return self._edited(message, asked, (message.text, message.links), message.picture)

    def editmessagecaption(self, asked: Asked) -> dict | bool:
        message = self._meant(asked)
        if message.picture is None:
            raise Refusal(400, "Bad Request: there is no caption in the message to edit")
        words = self._said(asked.values.get("caption", ""), 1024)
        return self._edited(message, asked, words, message.picture)

    def setmessagereaction(self, asked: Asked) -> bool:
        """The reactions of the bot, by the message that has them: one at most."""
        (reaction,) = asked.values["reaction"]
        self.reactions[int(asked.values["message_id"])] = reaction["emoji"]
        return True

    def answerguestquery(self, asked: Asked) -> dict:
        query = asked.values["guest_query_id"]
        if query in self.answers:
            raise Refusal(400, "Bad Request: query is too old and response timeout expired")
        stands = self._stand(asked.values["result"]).inline
        self.answers[query] = {"stands": stands}
        return {"inline_message_id": stands}

    def deletemessage(self, asked: Asked) -> bool:
        self._meant(asked, "delete")
        del self.messages[int(asked.values["chat_id"]), int(asked.values["message_id"])]
        return True

    def _meant(self, asked: Asked, what: str = "edit") -> Shown:
        if (inline := asked.values.get("inline_message_id")) is not None:
            if inline not in self.inline:
                raise Refusal(400, "Bad Request: MESSAGE_ID_INVALID")
            return self.inline[inline]
        key = (int(asked.values["chat_id"]), int(asked.values["message_id"]))
        if key not in self.messages:
            raise Refusal(400, f"Bad Request: message to {what} not found")
        return self.messages[key]

    def _sent(self, asked: Asked, words: tuple[str, list[str]], **more: Any) -> dict:
        values = asked.values
        chat, number = int(values["chat_id"]), next(self._messages)
        thread = values.get("message_thread_id")
        reply = values.get("reply_parameters", {}).get("message_id")
        message = Shown(
            chat, number, *words, thread=int(thread) if thread else None, reply_to=reply, **more
        )
        message.rows = _rows(values)
        self.messages[chat, number] = message
        answered = self.messages.get((chat, reply))
        return message.data() | ({"reply_to_message": answered.data()} if answered else {})

    def _edited(
        self, message: Shown, asked: Asked, words: tuple[str, list[str]], picture: bytes | None
    ) -> dict | bool:
        new = (words[0], picture, _rows(asked.values))
        if new == (message.text, message.picture, message.rows):
            raise Refusal(400, "Bad Request: message is not modified: the same as before")
        message.text, message.picture, message.rows = new
        message.links = words[1]
        message.edits += 1
        return True if message.inline else message.data()

    def _said(self, text: str, most: int) -> tuple[str, list[str]]:
        seen = Visible(text)
        assert len(seen.text.encode("utf-16-le")) // 2 <= most
        return seen.text, seen.links

    def _picture(self, asked: Asked, value: Any) -> bytes:
        if asked.files:
            ((name, data),) = asked.files.values()
            assert name == "board.png"
            self._pictures[f"file-{crc32(data)}"] = data
            return data
        if value not in self._pictures:
            raise Refusal(400, "Bad Request: wrong file identifier/HTTP URL specified")
        return self._pictures[value]

    def forget_pictures(self) -> None:
        """Know no picture by its id any more."""
        self._pictures.clear()


ELSEWHERE = {
    *("url", "copy_text", "disabled"),
    *("switch_inline_query_current_chat", "switch_inline_query_chosen_chat"),
}
"""Kinds of keys that tell the bot nothing."""


def _rows(values: dict[str, Any]) -> list[list[dict]]:
    rows = values.get("reply_markup", {}).get("inline_keyboard", [])
    assert sum(map(len, rows)) <= 100
    for row in rows:
        assert 1 <= len(row) <= 8
        for button in row:
            assert button["text"]
            if "web_app" in button:
                # Telegram refuses it elsewhere: BUTTON_TYPE_INVALID.
                assert int(values["chat_id"]) > 0
                assert button["web_app"]["url"].startswith("https://")
                continue
            if not ELSEWHERE & button.keys():
                assert 1 <= len(button["callback_data"].encode()) <= 64
    return rows


def _answer(refused: Refusal) -> web.Response:
    told: dict[str, Any] = {"ok": False, "error_code": refused.code, "description": refused.words}
    if refused.parameters:
        told["parameters"] = refused.parameters
    return web.json_response(told, status=refused.code)


@asynccontextmanager
async def serving(api: Api) -> AsyncIterator[Api]:
    """Run *api* on a free port of the loopback."""
    app = web.Application(client_max_size=2**24)
    app.router.add_route("*", "/bot{token}/{method}", api.handle)
    app.router.add_get("/file/bot{token}/{path:.+}", api.download)
    async with listening(app) as api.url:
        yield api
