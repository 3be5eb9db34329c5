"""Messages that the bot removes after a while; if it stops first, its next start removes them."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.chats.telegram.message_formatting import TOAST, cut, keyboard
from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.paced_messages import PacedPosting
from bot.chats.telegram.reading import PLATFORM
from bot.facade import NO_TABLE, Action, ChatNotes, Click, StorageError
from bot.port import (
    Answer,
    Asker,
    Card,
    ChatError,
    Command,
    Later,
    MenuAnswer,
    Press,
    Promised,
    Where,
)
from games.core import phrase

log = logging.getLogger(__name__)

SHORT_LIVED, CARD = 20.0, 60.0
"""Seconds after which a short word in a group, and an unused card, are removed."""

WAITING, PROMISED = 5.0, 300.0
"""Seconds after which the asker reads how far a promised answer is, and after which that goes."""

TRIES, MOST = 3, 500
"""Attempts to remove a message, and messages that are noted: the latest."""

AT_THE_END = 50
"""How many are removed at a stop."""

NOTE = "telegram-fleeting"
"""The note under which they are stored."""


@dataclass
class Fleeting:
    """Removes messages in time, and knows whose buttons they bear."""

    posting: PacedPosting
    outbound: Outbound
    notes: ChatNotes
    _owners: dict[tuple[str, str], str] = field(default_factory=dict)
    """Who may use a message, by place and id; "" for everybody."""
    _unnoted: set[tuple[str, str]] = field(default_factory=set)
    """Messages of people who were forgotten: they are removed at once, and noted no more."""
    _calls: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)

    def owner(self, press: Press) -> str:
        """The id of the person whose buttons were pressed; "" if they are everybody's."""
        return self._owners.get((press.where.place, press.message or ""), "")

    async def note(
        self, where: Where, message: str | None, seconds: float = SHORT_LIVED, owner: str = ""
    ) -> None:
        """Remove *message*, if there is one, in *seconds*; its buttons are *owner*'s."""
        if message is None:
            return
        key = (where.place, message)
        self._owners.pop(key, None)
        self._owners[key] = owner
        for oldest in list(self._owners)[:-MOST]:
            del self._owners[oldest]
        await self._store()
        if (before := self._calls.pop(key, None)) is not None:
            before.cancel()
        if not self.posting.closing.is_set():
            loop = asyncio.get_running_loop()
            self._calls[key] = loop.call_later(seconds, self.remove, where, message)

    def remove(self, where: Where, message: str) -> None:
        """Remove *message*; removals do not count against the pace of a place (``COUNTED``)."""
        if (timer := self._calls.pop((where.place, message), None)) is not None:
            timer.cancel()
        self.posting.tasks.start(self._remove(where, message))

    async def _remove(self, where: Where, message: str) -> None:
        key = (where.place, message)
        for _ in range(TRIES):
            if self.posting.closing.is_set() or key not in self._owners:
                break
            try:
                await self.outbound.remove(where, message)
                break
            except Later as later:
                await self.posting.pause(later.seconds)
            except ChatError as wrong:
                log.info("a message stays: %s", wrong)
                break
        if self.posting.closing.is_set():
            return
        self._unnoted.discard(key)
        if self._owners.pop(key, None) is not None:
            await self._store()

    async def forget(self, external: str) -> None:
        """Remove the messages of the person with the id *external*, and note none of them."""
        theirs = {key for key, owner in self._owners.items() if external in (owner, key[0])}
        if not theirs:
            return
        self._unnoted |= theirs
        await self._store()
        for place, message in theirs:
            self.remove(Where(PLATFORM, place), message)

    async def sweep(self) -> None:
        """Remove what the last run noted and did not remove."""
        try:
            noted = await self.notes.read(NOTE, _read_messages) or ()
        except StorageError as wrong:
            log.error("%s", wrong)
            return
        for place, message, owner in noted:
            self._owners.setdefault((place, message), owner)
            self.remove(Where(PLATFORM, place), message)

    async def _store(self) -> None:
        noted = [(*k, owner) for k, owner in self._owners.items() if k not in self._unnoted]
        try:
            await self.notes.put(NOTE, json.dumps(noted))
        except StorageError as wrong:
            log.error("%s", wrong)

    async def close(self) -> None:
        """Remove now what can be removed; the next start removes the rest."""
        for timer in self._calls.values():
            timer.cancel()
        self._calls.clear()
        await asyncio.gather(*(self._end(*key) for key in list(self._owners)[-AT_THE_END:]))
        await self._store()

    async def _end(self, place: str, message: str) -> None:
        with suppress(ChatError):
            await self.outbound.remove(Where(PLATFORM, place), message)
            self._owners.pop((place, message), None)

    async def announce(
        self, promised: Promised, where: Where, asker: Asker, reply_to: str | None = None
    ) -> Answer:
        """The promised answer; the private chat *where* reads of the promise until then."""
        async with self._until_known(where, await self.posting.tell(where, promised.said)):
            return await self.wait_for(promised, where, asker, reply_to)

    async def wait_for(
        self, promised: Promised, where: Where, asker: Asker, reply_to: str | None = None
    ) -> Answer:
        """The promised answer, or ``Unfinished``; meanwhile *where* reads how far it is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WAITING):
                return await self.posting.await_answer(promised)
        told = await self.posting.tell(
            where, promised.waiting(), reply_to=reply_to, asker=asker, patience=SHORT_LIVED
        )
        async with self._until_known(where, told):
            return await self.posting.await_answer(promised)

    @asynccontextmanager
    async def _until_known(self, where: Where, told: str | None) -> AsyncIterator[None]:
        """Remove the message *told* after the block; if that fails, after ``PROMISED`` seconds."""
        await self.note(where, told, PROMISED)
        yield
        if told is not None:
            self.remove(where, told)

    async def words_over(self, answer: Answer, asked: Press | Command, click: Click | None) -> str:
        """The words over the buttons of a card in a group, with the name of its owner."""
        words = question_of(answer)
        if click is not None and click.act is Action.MORE:
            tongue = await self.posting.tongue(asked.asker, asked.where)
            words = tongue.say(phrase("telegram.card"))
        name = asked.asker.name
        # A question begins with the name of the person it asks.
        return cut(words if words.startswith(f"{name}, ") else f"{name}: {words}", TOAST)

    async def hand(
        self, where: Where, card: Card, reply_to: str | None, asker: Asker, words: str
    ) -> None:
        """Post the buttons of *card*, however long that waits, as a reply only *asker* can use."""
        message = await self.posting.tell(
            where,
            words,
            reply_to=reply_to,
            markup=keyboard(card.screen.buttons),
            asker=asker,
            patience=math.inf,
        )
        await self.note(where, message, CARD, asker.external)


def _read_messages(kept: str) -> list[tuple[str, str, str]]:
    """The places, ids and owners of messages; raises ``ValueError`` for anything else."""
    return [(str(place), str(message), str(owner)) for place, message, owner in json.loads(kept)]


def question_of(answer: Answer) -> str:
    """The words of *answer* or, if it has none, the question of its screen."""
    if answer.said or not isinstance(answer, Card | MenuAnswer):
        return answer.said
    return answer.screen.lines[-1] if answer.screen.lines else answer.screen.headline


def small_card(answer: Answer) -> Card | None:
    """*answer* if it is buttons at a table, or of the open tables of a place, with a few words."""
    if not isinstance(answer, Card) or answer.picture is not None:
        return None
    codes = [button.code.split(".") for row in answer.screen.buttons for button in row]
    belongs = any(code[1:2] != [NO_TABLE] or code[0] == Action.CHAIRS for code in codes)
    return answer if belongs else None
