"""Who was called to which game of a tournament, by what the emulated platforms notified of."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.port.chat import BURST
from bot.texts import language
from games.core import phrase

_CODED = re.compile(r"\b[a-zA-Z]\.([0-9A-Z]{6})\.")
"""The table in the code of a button."""

_LINKED = re.compile(r"/channels/\d+/\d+/(\d+)")
"""The message in a link of Discord."""

_PACED = re.compile(r"(?i)^(send|edit)")
"""The calls of Telegram that count against the pace of a place."""

BEGINNINGS = ("house.call.tournament", "house.call.tournament-all")


@dataclass
class Calls:
    """How often the *users* of an emulated platform, by name, were called to each table.

    In private chats everything that is sent calls, answers too: there it is *answering*.
    """

    fake: Any
    users: Mapping[str, Any]
    answering: bool = False
    to: Counter[tuple[str, str]] = field(default_factory=Counter)
    begun: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The calls that say that a game begins: by a message, or by the first board that mentions."""
    unknown: list[str] = field(default_factory=list)
    """What was said in calls of which nobody knows the table."""
    _read: int = 0

    def read(self) -> None:
        """Take in what was notified since the last time."""
        names = {str(user["id"]): name for name, user in self.users.items()}
        new = self.fake.notifications[self._read :]
        self._read += len(new)
        for _, number, message, silent in new:
            name = names.get(str(number))
            if name is not None and not silent and not _is_of_tournament(message):
                self._note(name, message)

    def _note(self, name: str, message: Any) -> None:
        code = table_of(self.fake, message)
        if code is None:
            self.unknown += [] if self.answering else [f"{name}: {message.text[:80]}"]
            return
        self.to[name, code] += 1
        # A first board may carry the call: then nothing but its place says what it is.
        if self.to[name, code] == 1 or says_begin(message.text):
            self.begun[name, code] += 1

    def wrong(self, seats: Mapping[str, frozenset[str]]) -> list[str]:
        """The calls to people who do not sit at a table; *seats* are their names by its code."""
        strangers = [one for one in self.to if one[0] not in seats.get(one[1], frozenset())]
        return [f"{name} at {code}" for name, code in strangers] + self.unknown

    def not_once(self, seats: Mapping[str, frozenset[str]]) -> list[str]:
        """Where users were not called to the beginning of their game just once."""
        return [
            f"{name} at {code}: {self.begun[name, code]}"
            for code, names in seats.items()
            for name in names & self.users.keys()
            if self.begun[name, code] != 1
        ]


def says_begin(text: str) -> bool:
    """Whether *text* says that a game of a tournament begins."""
    for code in ("es", "en"):
        for key in BEGINNINGS:
            said = language(code).say(phrase(key, game="\0", who="\0"))
            if all(part in text for part in said.split("\0")):
                return True
    return False


def table_of(fake: Any, message: Any) -> str | None:
    """The table that *message* is about: its board, or that which it answers or leads to."""
    for one in (message, *_meant(fake, message)):
        for data in _written(one):
            found = _CODED.search(data)
            if found is not None:
                return found[1]
    return None


def _is_of_tournament(message: Any) -> bool:
    return any('"U.' in data for data in _written(message))


def _meant(fake: Any, message: Any) -> Iterator[Any]:
    replied = (message.data.get("reply_to_message") or {}).get("message_id")
    referenced = (message.data.get("message_reference") or {}).get("message_id")
    links = _LINKED.findall(json.dumps(message.data, default=str))
    for number in (replied, referenced, *links):
        if number is None:
            continue
        for one in fake.messages.values():
            same_chat = replied is None or one.chat_id == message.chat_id
            if str(one.id) == str(number) and same_chat:
                yield one


def _written(message: Any) -> Iterator[str]:
    """All that *message* has ever been, in words."""
    for _, data in message.history:
        yield json.dumps(data, default=str)
    yield json.dumps(message.data, default=str)


def refused(telegram: Any, discord: Any) -> list[str]:
    """What the platforms refused because it came too fast, with what was asked before."""
    return [
        _told(one, [other for other in records if alike(one, other)])
        for records, alike in ((telegram.records, _in_chat), (discord.records, _in_bucket))
        for one in records
        if one.status == 429
    ]


def _in_chat(late: Any, other: Any) -> bool:
    """Whether *other* wrote to Telegram where *late* did."""
    same = str(other.params.get("chat_id")) == str(late.params.get("chat_id"))
    return same and _PACED.match(other.method) is not None


def _in_bucket(late: Any, other: Any) -> bool:
    """Whether Discord counts *other* together with *late*."""
    return other.method == late.method and _bucket(other.path) == _bucket(late.path)


def _bucket(path: str) -> str:
    return re.sub(r"/messages/\d+$", "/messages/", path)


def _told(late: Any, others: Iterable[Any]) -> str:
    """The refused call, and how many seconds before it each of *others* was made."""
    before = [f"{late.t - one.t:.2f}" for one in others if 0 < late.t - one.t <= 2 * BURST]
    what = late.params.get("chat_id") if hasattr(late, "params") else late.path
    return f"{late.method} {what}, others {', '.join(before) or 'not'} before"


def written(telegram: Any) -> int:
    """How many messages were sent and edited on Telegram."""
    return sum(bool(_PACED.match(one.method)) for one in telegram.records)
