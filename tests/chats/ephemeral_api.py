"""A Bot API that knows ephemeral messages (Bot API 10.3), and what each person sees of a group.

Who may send one, and for how long, as the documentation says under "Ephemeral Messages"; a query
that is answered lets none be sent, which is not documented.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from tests.telegram_api import Api, Asked, Refusal, _rows
from tests.telegram_messages import BOT, GROUP, Shown

OLD_QUERY = "Bad Request: query is too old and response timeout expired or query id is invalid"


@dataclass
class Own(Shown):
    """An ephemeral message: *viewer* alone sees it, in place of the message *over* if any."""

    viewer: int = 0
    over: int | None = None
    there: bool = True
    """Whether the client has it."""

    def data(self) -> dict[str, Any]:
        told = {**super().data(), "message_id": 0, "date": 1, "ephemeral_message_id": self.id}
        return {**told, "receiver_user": {"id": self.viewer, "is_bot": False, "first_name": "x"}}


@dataclass
class EphemeralApi(Api):
    """The server; people of *old* have clients that show no ephemeral messages."""

    own: dict[int, Own] = field(default_factory=dict)
    old: set[int] = field(default_factory=set)
    ignorant: bool = False
    """Whether it is an older server, which shows all messages to everybody."""
    _queries: dict[str, tuple[int, Shown]] = field(default_factory=dict)
    incoming: dict[int, int] = field(default_factory=dict)
    """Who wrote the ephemeral messages that people sent, by their ids."""
    _ids: itertools.count = field(default_factory=lambda: itertools.count(501))

    # ---------------------------------------------------------------- people

    async def press(self, user: dict, message: Shown, code: str) -> dict[str, Any]:
        query = f"q{next(self._numbers)}"
        self._queries[query] = (user["id"], message)
        body = {"id": query, "from": user, "chat_instance": "c", "data": code}
        await self.give("callback_query", {**body, "message": message.data()})
        return await self.until(lambda: self.answers.get(query))

    async def whisper(self, user: dict, text: str, chat: dict = GROUP) -> int:
        """Somebody sends an ephemeral command; answers the id of the message."""
        number = next(self._ids)
        self.incoming[number] = user["id"]
        told = {"message_id": 0, "date": 1, "text": text, "ephemeral_message_id": number}
        await self.give("message", {**told, "chat": chat, "from": user, "receiver_user": BOT})
        return number

    def sees(self, user: dict, chat: int = GROUP["id"]) -> list[Shown]:
        """What the client of *user* shows in *chat*: what covers a message in its place."""
        mine = [one for one in self.own.values() if one.viewer == user["id"] and one.there]
        over = {one.over: one for one in mine if one.over is not None}
        public = [one for one in self.messages.values() if one.chat == chat]
        covered = [over.get(one.id, one) for one in public]
        return [*covered, *(one for one in mine if one.over is None)]

    def restart_client(self, user: dict) -> None:
        """The client forgets its ephemeral messages."""
        for one in self.own.values():
            if one.viewer == user["id"]:
                one.there = False

    # ---------------------------------------------------------------- the server

    def _sent(self, asked: Asked, words: tuple[str, list[str]], **more: Any) -> dict:
        told = asked.values.get("ephemeral_message_parameters")
        if told is None or self.ignorant:
            return super()._sent(asked, words, **more)
        receiver, query = told["receiver_user_id"], told.get("callback_query_id")
        over = None
        if query is not None:
            who, pressed = self._queries.get(query, (0, None))
            if who != receiver or query in self.answers or pressed is None:
                raise Refusal(400, OLD_QUERY)
            if told.get("replace_callback_query_message"):
                assert not isinstance(pressed, Own)
                assert "message_thread_id" not in asked.values
                over = pressed.id
        else:
            number = asked.values["reply_parameters"]["ephemeral_message_id"]
            if self.incoming.get(number) != receiver:
                raise Refusal(400, "Bad Request: message to be replied not found")
        chat, number = int(asked.values["chat_id"]), next(self._ids)
        one = Own(chat, number, *words, viewer=receiver, over=over, **more)
        one.rows, one.there = _rows(asked.values), receiver not in self.old
        for other in self.own.values():
            if over is not None and (other.viewer, other.over) == (receiver, over):
                other.there = False
        self.own[number] = one
        return one.data()

    def _mine(self, asked: Asked) -> Own:
        one = self.own.get(int(asked.values["ephemeral_message_id"]))
        if one is None or one.viewer != int(asked.values["receiver_user_id"]):
            raise Refusal(400, "Bad Request: MESSAGE_ID_INVALID")
        return one

    def editephemeralmessagetext(self, asked: Asked) -> bool:
        one = self._mine(asked)
        if one.picture is not None:
            raise Refusal(400, "Bad Request: there is no text in the message to edit")
        return self._changed(one, asked, self._said(asked.values["text"], 1024), None)

    def editephemeralmessagecaption(self, asked: Asked) -> bool:
        one = self._mine(asked)
        if one.picture is None:
            raise Refusal(400, "Bad Request: there is no caption in the message to edit")
        words = self._said(asked.values["caption"], 1024)
        return self._changed(one, asked, words, one.picture)

    def editephemeralmessagemedia(self, asked: Asked) -> bool:
        media = asked.values["media"]
        picture = self._picture(asked, media["media"])
        words = self._said(media.get("caption", ""), 1024)
        return self._changed(self._mine(asked), asked, words, picture)

    def _changed(
        self, one: Own, asked: Asked, words: tuple[str, list[str]], picture: bytes | None
    ) -> bool:
        if one.there and (words[0], picture, _rows(asked.values)) == (
            *(one.text, one.picture, one.rows),
        ):
            raise Refusal(400, "Bad Request: message is not modified: the same as before")
        one.text, one.links = words
        one.picture, one.rows = picture, _rows(asked.values)
        one.edits += 1
        one.there = one.viewer not in self.old
        return True

    def deleteephemeralmessage(self, asked: Asked) -> bool:
        del self.own[self._mine(asked).id]
        return True

    def getchatmember(self, asked: Asked) -> dict[str, Any]:
        who = {"id": int(asked.values["user_id"]), "is_bot": False, "first_name": "x"}
        return {"status": "member", "user": who}
