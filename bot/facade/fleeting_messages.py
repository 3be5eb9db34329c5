"""Messages that a chat removes after a while, also over restarts; refused removals are retried."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from bot.facade.chat_storage import ChatNotes, log_unstored
from bot.port import ChatError, Later, PlaceMoved, PlaceShut, Where
from bot.runtime.tasks import Tasks

log = logging.getLogger(__name__)

SOON, LONGEST = 60.0, 300.0
"""What goes within so many seconds goes at a stop, and nothing that a run before has noted stands
longer."""

AGAIN, SHUT, GIVEN_UP = 30.0, 3600.0, 172_800.0
"""Seconds after which a refused removal is tried again, also where the bot is out, and after which
no message of ours can be removed any more (Telegram's Bot API, ``deleteMessage``)."""

MOST = 500
"""How many messages are noted: the latest."""

AT_THE_END = 50
"""How many are removed at a stop."""


@dataclass(frozen=True)
class FleetingMessage:
    """When it goes, in seconds since the epoch, and whose it is; "" for everybody's.

    *table* is the code of the table about which it asks: with that it goes. A greeting has the id
    of its place, and no end: it goes when somebody plays there.
    """

    until: float
    owner: str = ""
    table: str = ""


@dataclass
class FleetingMessages:
    """Removes messages of *platform* in time, and knows whose they are."""

    notes: ChatNotes
    platform: str
    take_away: Callable[[Where, str], Awaitable[bool | None]]
    """Removes a message; false where it stays. Raises ``ChatError``."""
    tasks: Tasks = field(default_factory=Tasks)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    clock: Callable[[], float] = time.time
    _messages: dict[tuple[str, str], FleetingMessage] = field(default_factory=dict)
    """By place and id."""
    _gone: set[tuple[str, str]] = field(default_factory=set)
    """Messages that are to be noted no more, such as those of people who were forgotten."""
    _calls: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)

    async def note(
        self, where: Where, message: str | None, seconds: float, owner: str = "", table: str = ""
    ) -> None:
        """Remove *message*, if there is one, in *seconds*, or at the end of *table*.

        It is *owner*'s.
        """
        if message is None or where.lone is not None:
            return
        key = (where.place, message)
        self._messages.pop(key, None)
        self._gone.discard(key)
        self._messages[key] = FleetingMessage(self.clock() + seconds, owner, table)
        for oldest in sorted(self._messages, key=lambda one: self._messages[one].until)[:-MOST]:
            self._drop(oldest)
        await self._store()
        if seconds < math.inf and not self.closing.is_set():
            self._set_timer(key, seconds)

    def _set_timer(self, key: tuple[str, str], seconds: float, tried: float = 0.0) -> None:
        if (before := self._calls.pop(key, None)) is not None:
            before.cancel()
        call, where = asyncio.get_running_loop().call_later, Where(self.platform, key[0])
        self._calls[key] = call(seconds, self.remove, where, key[1], tried)

    def _drop(self, key: tuple[str, str]) -> None:
        self._messages.pop(key, None)
        self._gone.add(key)
        if (timer := self._calls.pop(key, None)) is not None:
            timer.cancel()

    def remove(self, where: Where, message: str, tried: float = 0.0) -> None:
        """Remove *message*, as has been *tried* for so many seconds.

        Removals do not count against the pace of a place.
        """
        if where.lone is not None:
            return
        key = (where.place, message)
        self._messages.setdefault(key, FleetingMessage(self.clock()))
        if (timer := self._calls.pop(key, None)) is not None:
            timer.cancel()
        self.tasks.start(self._remove(where, message, tried))

    async def _remove(self, where: Where, message: str, tried: float) -> None:
        key = (where.place, message)
        one = self._messages.get(key)
        if one is None:
            return
        # The clock of the machine may jump, so it does not tell how long to wait.
        again, gone = max(AGAIN, tried), False
        try:
            gone = await self.take_away(where, message) is not False
        except Later as later:
            again = max(tried, later.seconds)
        except PlaceMoved:
            gone = True  # what stood there before cannot be removed any more
        except ChatError as wrong:
            again = max(again, SHUT if isinstance(wrong, PlaceShut) else 0.0)
            log.info("a message stays for now: %s", wrong)
        if gone or self.clock() - one.until >= GIVEN_UP:
            self._drop(key)
            await self._store()
        elif not self.closing.is_set():
            self._set_timer(key, again, tried + again)

    def end(self, table: str) -> None:
        """Remove what asks about *table*, which is over, or greets a place, where people play."""
        for (place, message), one in tuple(self._messages.items()):
            if one.table == table:
                self.remove(Where(self.platform, place), message)

    async def forget(self, external: str) -> None:
        """Remove the messages of the person with the id *external*, and note none of them."""
        theirs = {k for k, one in self._messages.items() if external in (one.owner, k[0])}
        if not theirs:
            return
        self._gone |= theirs
        await self._store()
        for place, message in theirs:
            self.remove(Where(self.platform, place), message)

    async def take_up(self) -> None:
        """Take up what others, or the last run, noted and did not remove."""
        with log_unstored():
            for place, message, until, owner in await self.notes.read(self._note, _read) or ():
                key = (place, message)
                if key in self._messages:
                    continue
                about = place if until == math.inf else ""
                self._messages[key] = FleetingMessage(until, owner, about)
                # Nothing else stands longer, whatever became of the clock meanwhile.
                if until < math.inf:
                    self._set_timer(key, min(max(0.0, until - self.clock()), LONGEST))

    @property
    def _note(self) -> str:
        """The note under which they are stored."""
        return f"{self.platform}-fleeting"

    async def _store(self) -> None:
        """Note our messages beside those that other processes have noted."""
        with log_unstored():
            async with self.notes.noting() as notes:
                theirs, gone = await notes.read(self._note, _read) or (), {*self._gone}
                noted = {(place, message): rest for place, message, *rest in theirs}
                noted |= {key: [one.until, one.owner] for key, one in self._messages.items()}
                latest = sorted(noted.items(), key=lambda one: float(str(one[1][0])))
                kept = [(*key, *rest) for key, rest in latest if key not in gone]
                await notes.put(self._note, json.dumps(kept[-MOST:]))
            self._gone -= gone - self._messages.keys()

    async def close(self) -> None:
        """Remove now what goes soon and can be removed; the next start removes the rest."""
        self.closing.set()
        for timer in self._calls.values():
            timer.cancel()
        self._calls.clear()
        due = [k for k, one in self._messages.items() if one.until <= self.clock() + SOON]
        here = partial(Where, self.platform)
        await asyncio.gather(*(self._remove(here(one), m, 0.0) for one, m in due[-AT_THE_END:]))
        await self._store()


def _read(kept: str) -> list[tuple[str, str, float, str]]:
    """The places, ids, ends and owners of messages; raises ``ValueError`` for anything else."""
    return [
        # Releases before 0.3 noted no end.
        (str(place), str(message), float(until[0]) if until else 0.0, str(owner))
        for place, message, *until, owner in json.loads(kept)
    ]
