"""Presses that are being decided on: the next board of their message may be the answer itself.

One call tells Discord that the press has come and shows what came of it, where two would follow
one another. A board that is on its way meanwhile waits for the decision.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from bot.chats.discord.answers import Reply, State

DECIDING = 3.0
"""Seconds for which a board waits for a decision: Discord waits no longer either."""


@dataclass(eq=False)
class Pressing:
    """A press that is answered by *reply*."""

    reply: Reply
    _decided: asyncio.Event = field(default_factory=asyncio.Event)
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _open: bool = False
    _taken: bool = False

    def decide(self) -> None:
        """It is decided, and no board is the answer."""
        self._decided.set()

    async def offer(self, seconds: float) -> bool:
        """Let a board be the answer, if one comes within so many *seconds*; whether one was."""
        self._open = True
        self._decided.set()
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            self._open = False
            if self._taken:
                await self._over.wait()
        return self.reply.state is not State.NOTHING


@dataclass
class Presses:
    """The presses that are being decided on, by their messages."""

    _of: dict[int, list[Pressing]] = field(default_factory=dict)

    @contextmanager
    def deciding(self, message: int, reply: Reply) -> Iterator[Pressing]:
        """While this lasts the press of *message* waits for its answer."""
        one = Pressing(reply)
        under_way = self._of.setdefault(message, [])
        under_way.append(one)
        try:
            yield one
        finally:
            one.decide()
            under_way.remove(one)
            if not under_way:
                del self._of[message]

    async def decided(self, message: int) -> None:
        """Wait until it is decided what every press of *message* is answered."""
        for one in tuple(self._of.get(message, ())):
            try:
                async with asyncio.timeout(DECIDING):
                    await one._decided.wait()
            except TimeoutError:
                return

    @asynccontextmanager
    async def answered(self, message: int) -> AsyncIterator[Reply | None]:
        """Answers by what a board may be the answer to a press of *message*, if it may be.

        Whoever pressed it besides is answered otherwise: the board is on its way.
        """
        offered = [one for one in self._of.get(message, ()) if one._open]
        for one in offered:
            one._open, one._taken = False, True
        try:
            yield offered[0].reply if offered else None
        finally:
            for one in offered:
                one._over.set()
