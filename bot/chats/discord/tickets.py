"""Interaction tokens as views keep them, and the interactions that are being answered.

A token edits the answer to its interaction for fifteen minutes, without the limits of a
channel and also where the bot is no member. What it may edit depends on where it came from,
so that is written beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from cachetools import LRUCache
from discord.utils import snowflake_time

from bot.chats.discord.answers import Reply

LIFE = timedelta(minutes=15)
"""How long a token is valid (https://discord.com/developers/docs, receiving and responding)."""

MARGIN = timedelta(seconds=20)
"""What a token must have left to be worth trying."""

COMMAND, PRESS = "c", "p"
ORIGINALS_KEPT = 1024


@dataclass(frozen=True)
class Ticket:
    """The *token* of an *interaction*.

    *kind* is ``COMMAND`` where the original response is still to become the board, ``PRESS``
    where it is a message that stood there before. *visitor* says that the bot is no member
    of the place: there is nothing but the token.
    """

    kind: str
    visitor: bool
    interaction: int
    token: str

    def text(self) -> str:
        """The ticket as a word, as the house keeps it."""
        return f"{self.kind}{'v' if self.visitor else 'm'}.{self.interaction}.{self.token}"

    @classmethod
    def read(cls, text: str | None) -> Ticket | None:
        """The ticket that *text* is, or ``None``."""
        head, _, tail = (text or "").partition(".")
        number, _, token = tail.partition(".")
        if len(head) != 2 or not number.isdigit() or not token:
            return None
        return cls(head[0], head[1] == "v", int(number), token)

    def fresh(self, now: datetime | None = None) -> bool:
        """Whether the token is still valid."""
        now = now or datetime.now(UTC)
        return now < snowflake_time(self.interaction) + LIFE - MARGIN


@dataclass(frozen=True)
class Original:
    """A deferred response: its message, and whether that shows what it should."""

    message: int
    filled: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True)
class Lent:
    """An answer still to be given, which a board may give; *private* says for whose eyes."""

    reply: Reply
    private: bool
    given: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Answering:
    """Which interactions are being answered, and which message answered which.

    Nobody may edit by a token before the first answer to its interaction is given: Discord
    does not know the token until then.
    """

    _open: dict[str, asyncio.Event] = field(default_factory=dict)
    _lent: dict[str, Lent] = field(default_factory=dict)
    _originals: LRUCache[str, Original] = field(default_factory=lambda: LRUCache(ORIGINALS_KEPT))

    @contextmanager
    def answering(self, token: str) -> Iterator[None]:
        """While this lasts the interaction of *token* waits for its first answer."""
        self._open[token] = asyncio.Event()
        try:
            yield
        finally:
            self._open.pop(token).set()

    async def answered(self, token: str, patience: float = 3.0) -> None:
        """Wait until the interaction of *token* has its first answer."""
        event = self._open.get(token)
        if event is not None:
            await _within(patience, event)

    async def lend(self, token: str, reply: Reply, *, private: bool, patience: float) -> bool:
        """Let a board be the first answer to *token*; whether one was, within *patience*.

        Only such an answer calls whom it mentions: what fills a deferral does not.
        """
        lent = self._lent[token] = Lent(reply, private)
        self._open[token].set()
        if await _within(patience, lent.given) or self._lent.pop(token, None) is None:
            return True
        # Nobody may edit by the token before the deferral that follows now.
        self._open[token] = asyncio.Event()
        return False

    @contextmanager
    def open_to_boards(self, token: str) -> Iterator[None]:
        """While this lasts a board may go out by *token*, since it is the first answer itself."""
        self._open[token].set()
        try:
            yield
        finally:
            # Nobody may edit by the token before what else is answered now.
            self._open[token] = asyncio.Event()

    def borrow(self, token: str) -> Lent | None:
        """The answer to *token*, if it was left to a board; whoever gets it gives it."""
        return self._lent.pop(token, None)

    def busy(self) -> bool:
        """Whether anybody still waits for an answer."""
        return bool(self._open)

    def keep_original(self, token: str, message: int | None) -> None:
        """*message* is the original response of *token*, deferred and to be filled."""
        if message is not None:
            self._originals[token] = Original(message)

    def original(self, token: str) -> int | None:
        """The deferred response of *token* that waits to be filled."""
        original = self._originals.get(token)
        return None if original is None else original.message

    def filled(self, token: str) -> None:
        """The original response of *token* shows what it should."""
        original = self._originals.pop(token, None)
        if original is not None:
            original.filled.set()

    async def until_filled(self, token: str, patience: float = 10.0) -> bool:
        """Wait until the original response of *token* is filled; whether it was.

        Whatever is said before would fill it instead (Discord's first follow-up does).
        """
        original = self._originals.get(token)
        return original is None or await _within(patience, original.filled)


async def _within(seconds: float, event: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
