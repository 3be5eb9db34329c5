"""What people see in the small Telegram of the tests: its messages, chats and people."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from zlib import crc32

BOT = {"id": 123456789, "is_bot": True, "first_name": "Ludoteca", "username": "LudotecaBot"}
GROUP = {"id": -1001, "type": "supergroup", "title": "Club"}


class Visible(HTMLParser):
    """The text that a person reads, and who is mentioned in it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.links = "", [], []
        self.feed(text)
        self.close()
        assert not self.open, f"unclosed {self.open} in {text!r}"

    def handle_starttag(self, tag: str, attrs: list) -> None:
        assert tag in ("a", "b", "i", "code", "blockquote", "tg-time"), f"no such tag: {tag}"
        self.open.append(tag)
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@dataclass
class Shown:
    """A message of the bot, as people see it."""

    chat: int
    id: int
    text: str = ""
    links: list[str] = field(default_factory=list)
    picture: bytes | None = None
    document: bytes | None = None
    rows: list[list[dict]] = field(default_factory=list)
    thread: int | None = None
    reply_to: int | None = None
    inline: str = ""
    """Its own id, where the bot is no member."""
    edits: int = 0
    date: float = field(default_factory=lambda: int(time.time()))

    @property
    def labels(self) -> list[str]:
        return [button["text"] for row in self.rows for button in row]

    def code(self, label: str) -> str:
        found = [b for row in self.rows for b in row if label in b["text"]]
        assert found, f"no button {label!r} among {self.labels}"
        return found[0]["callback_data"]

    @property
    def moves(self) -> list[str]:
        """The codes of what can be chosen: the coloured buttons, not the blanks of a board."""
        buttons = [b for row in self.rows for b in row if b.get("style")]
        codes = [button.get("callback_data", "") for button in buttons]
        return [code for code in codes if code.startswith("m.")]

    def data(self) -> dict[str, Any]:
        """The message as the Bot API tells of it."""
        told: dict[str, Any] = {
            "message_id": self.id,
            "date": self.date,
            "chat": {**GROUP, "id": self.chat}
            if self.chat < 0
            else {"id": self.chat, "type": "private"},
            "from": BOT,
        }
        if self.picture is not None:
            size = {"width": 8, "height": 8, "file_id": f"file-{crc32(self.picture)}"}
            told["photo"] = [{**size, "file_unique_id": "u"}]
        else:
            told["text"] = self.text or "-"
        if self.thread is not None:
            told |= {"message_thread_id": self.thread, "is_topic_message": True}
        return told


def user(number: int, name: str, handle: str | None = None, language: str = "es") -> dict:
    """A person as the Bot API tells of him."""
    told = {"id": number, "is_bot": False, "first_name": name, "language_code": language}
    return {**told, "username": handle} if handle else told


def private(person: dict) -> dict:
    """The private chat with *person*."""
    return {"id": person["id"], "type": "private", "first_name": person["first_name"]}
